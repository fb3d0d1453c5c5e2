/* patch.c - changes of a prepared program that can be taken back. */
#include "ir/ir_int.h"

SavedBody body_save (const Program *p, u32 function) {
  const Function *f = &p->functions.data[function];
  SavedBody s = {.function = function};
  if (f->live_after) {
    s.live_after = mem_alloc (f->code.size * sizeof *s.live_after);
    memcpy (s.live_after, f->live_after, f->code.size * sizeof *s.live_after);
  }
  vec_reserve (&s.code, f->code.size);
  vec_reserve (&s.blocks, f->blocks.size);
  memcpy (s.code.data, f->code.data, f->code.size * sizeof (Insn));
  memcpy (s.blocks.data, f->blocks.data, f->blocks.size * sizeof (Block));
  s.code.size = f->code.size;
  s.blocks.size = f->blocks.size;
  return s;
}

void body_restore (Program *p, SavedBody *s) {
  Function *f = &p->functions.data[s->function];
  mem_free (f->live_after);
  vec_free (&f->code);
  vec_free (&f->blocks);
  f->live_after = s->live_after;
  f->code.data = s->code.data;
  f->code.size = s->code.size;
  f->code.capacity = s->code.capacity;
  f->blocks.data = s->blocks.data;
  f->blocks.size = s->blocks.size;
  f->blocks.capacity = s->blocks.capacity;
}

static void map_live_again (Function *f) {
  mem_free (f->live_after);
  f->live_after = NULL;
  ir_map_live (f);
}

void body_insert (Function *f, u32 at, Insn i) {
  vec_push (&f->code, i);
  memmove (&f->code.data[at + 1], &f->code.data[at], (f->code.size - 1 - at) * sizeof (Insn));
  f->code.data[at] = i;
  for (u32 b = 0; b < f->blocks.size; b++) {
    Block *block = &f->blocks.data[b];
    if (block->start > at) block->start++;
    if (block->end > at) block->end++;
  }
  map_live_again (f);
}

void body_remove (Function *f, u32 at) {
  memmove (&f->code.data[at], &f->code.data[at + 1], (f->code.size - 1 - at) * sizeof (Insn));
  f->code.size--;
  for (u32 b = 0; b < f->blocks.size; b++) {
    Block *block = &f->blocks.data[b];
    if (block->start > at) block->start--;
    if (block->end > at) block->end--;
  }
  map_live_again (f);
}
