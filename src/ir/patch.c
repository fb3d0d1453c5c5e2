/* patch.c - changes of a prepared program that can be taken back. */
#include "ir/ir_int.h"

SavedBody body_save (const Program *p, u32 function) {
  const Function *f = &p->functions.data[function];
  SavedBody s = {.function = function, .regs = f->regs, .nargs = f->args.size};
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
  f->regs = s->regs;
  f->args.size = s->nargs;
  f->code.data = s->code.data;
  f->code.size = s->code.size;
  f->code.capacity = s->code.capacity;
  f->blocks.data = s->blocks.data;
  f->blocks.size = s->blocks.size;
  f->blocks.capacity = s->blocks.capacity;
}

void body_map_live (Function *f) {
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
  body_map_live (f);
}

void body_remove (Function *f, u32 at) {
  memmove (&f->code.data[at], &f->code.data[at + 1], (f->code.size - 1 - at) * sizeof (Insn));
  f->code.size--;
  for (u32 b = 0; b < f->blocks.size; b++) {
    Block *block = &f->blocks.data[b];
    if (block->start > at) block->start--;
    if (block->end > at) block->end--;
  }
  body_map_live (f);
}

i32 body_register (Function *f) { return (i32)f->regs++; }

/* Registers that instructions read before they write them, and those that they write. */
static void registers_of (Function *f, u32 first, u32 end, u64 *reads, u64 *writes) {
  OperandRefs operands = {0};
  *reads = *writes = 0;
  for (u32 n = first; n < end; n++) {
    Insn *i = &f->code.data[n];
    insn_operands (f, i, &operands);
    for (u32 k = 0; k < operands.size; k++)
      if (operand_is_reg (*operands.data[k])) *reads |= 1ull << *operands.data[k] & ~*writes;
    if (i->dst >= 0) *writes |= 1ull << i->dst;
  }
  vec_free (&operands);
}

bool body_swap (Function *f, u32 first, u32 middle, u32 end) {
  u64 reads, writes, later_reads, later_writes;
  u32 head = middle - first, tail = end - middle;
  if (!f->live_after) return false; /* there are too many registers */
  registers_of (f, first, middle, &reads, &writes);
  registers_of (f, middle, end, &later_reads, &later_writes);
  i32 dst = f->code.data[end - 1].dst;
  u64 live = f->live_after[end - 1].all | (dst >= 0 ? 1ull << dst : 0);
  if ((reads & later_writes) || (writes & later_reads) || (writes & later_writes & live))
    return false;
  Insn *moved = mem_alloc (head * sizeof *moved);
  memcpy (moved, &f->code.data[first], head * sizeof *moved);
  memmove (&f->code.data[first], &f->code.data[middle], tail * sizeof (Insn));
  memcpy (&f->code.data[first + tail], moved, head * sizeof *moved);
  mem_free (moved);
  body_map_live (f);
  return true;
}
