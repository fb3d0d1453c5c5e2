/* pointers.c - see pointers.h. All instructions of all threads are gone through until nothing is
 * new; then what is loaded from and stored to is written down. */
#include "machine/pointsto/pointers.h"

enum { NUMBER = PLACE_NUMBER, MOST_ACCESSES = 64 };
#define MOST_WORK 20000000ull /* then every thread can access anything */

/* ---- what is accessed, when all values are known */

static void add_access (TextThread *t, const Place *l, TextAccess a) {
  assert (a.size && (a.reads || a.writes));
  u32 same = 0, kept = 0;
  if (!place_has (l, a.offset, a.size)) return;
  for (u32 i = 0; i < t->accesses.size; i++) {
    TextAccess *old = &t->accesses.data[i];
    if (old->place != a.place) continue;
    same++;
    if (old->offset != OFFSET_ANY && (old->offset != a.offset || old->size != a.size)) continue;
    old->reads |= a.reads;
    old->writes |= a.writes;
    if (old->size != a.size) old->size = 0;
    return;
  }
  if (same == MOST_ACCESSES) a.offset = OFFSET_ANY;
  for (u32 i = 0; i < t->accesses.size && a.offset == OFFSET_ANY; i++) {
    TextAccess old = t->accesses.data[i];
    if (old.place != a.place) {
      t->accesses.data[kept++] = old;
      continue;
    }
    a.reads |= old.reads;
    a.writes |= old.writes;
    if (old.size != a.size || old.offset % old.size) a.size = 0;
  }
  if (a.offset == OFFSET_ANY) t->accesses.size = kept;
  vec_push (&t->accesses, a);
}

static void write_down (const At *at, Operand where, u32 size, bool reads, bool writes) {
  const Values *v = values_of_operand (at, where);
  TextThread *t = &at->p->threads[at->t];
  bool is_any = false, is_somewhere = false;
  for (u32 i = 0; i < v->size; i++) {
    Atom a = v->data[i];
    is_any |= a.place == NUMBER && a.offset == OFFSET_ANY;
    if (!place_is_memory (at->p, a.place)) continue;
    is_somewhere = true;
    add_access (t, &at->p->places.data[a.place],
                (TextAccess){a.place, size, a.offset, reads, writes});
  }
  t->can_access_anything |= is_any && !is_somewhere;
}

static void write_down_insn (const At *at, const Insn *i) {
  const Operand *args = at->f->args.data + i->first;
  enum { LOCK_BYTES = 4 };
  if (i->op == OP_LOAD || i->op == OP_RMW || i->op == OP_CAS)
    write_down (at, i->a, i->width, true, i->op != OP_LOAD);
  if (i->op == OP_STORE) write_down (at, i->a, i->width, false, true);
  if (i->op != OP_BUILTIN) return;
  if (i->sub == BUILTIN_MUTEX_LOCK || i->sub == BUILTIN_MUTEX_TRYLOCK ||
      i->sub == BUILTIN_LOCK_PART || i->sub == BUILTIN_TAKE)
    write_down (at, args[0], LOCK_BYTES, true, true);
  if (i->sub == BUILTIN_MUTEX_UNLOCK) write_down (at, args[0], LOCK_BYTES, false, true);
}

/* ---- the whole */

static void do_block (const At *at, u32 block) {
  const Block *b = &at->f->blocks.data[block];
  for (u32 r = 0; r < at->f->regs; r++) {
    at->frame->registers[r].size = 0;
    values_join (at->p, &at->frame->registers[r],
                 values_at_start (at->p, at->frame, at->function, block, r));
  }
  for (u32 k = b->start; k < b->end; k++) {
    const Insn *i = &at->f->code.data[k];
    Values to = {.is_scratch = true};
    if (at->p->is_last) write_down_insn (at, i);
    pointers_do_insn (at, i, &to);
    Values *old = i->dst >= 0 ? &at->frame->registers[i->dst] : &to;
    vec_free (old);
    *old = to;
  }
}

static void do_all (Pointers *p) {
  for (u32 k = 0; k < p->nthreads * p->program->functions.size && p->work < MOST_WORK; k++) {
    u32 function = k % p->program->functions.size;
    const Function *f = &p->program->functions.data[function];
    At at = {p, k / p->program->functions.size, function, f, p->frames[k]};
    for (u32 b = 0; b < f->blocks.size && at.frame; b++)
      if (at.frame->is_reached[b]) do_block (&at, b);
  }
}

static void begin_threads (Pointers *p) {
  for (u32 i = 0; i < p->nstarts; i++) {
    const TextStart *s = &p->starts[i];
    Frame *frame = pointers_reach_frame (p, s->tid, s->function);
    assert (s->tid < p->nthreads);
    Values *argument = values_at_start (p, frame, s->function, 0, 0);
    p->threads[s->tid].is_known = true;
    for (u32 k = 1; k < p->program->functions.data[s->function].params; k++)
      values_add (p, values_at_start (p, frame, s->function, 0, k), (Atom){NUMBER, 0});
    if (s->is_number)
      values_add (p, argument, (Atom){NUMBER, (i64)s->argument});
    else
      values_join (p, argument, &p->arguments[s->function]);
    values_join (p, &p->exits, &frame->results);
  }
}

static void read_consts (Pointers *p) {
  const Program *g = p->program;
  p->consts = mem_zalloc ((g->consts.size + 1) * sizeof (Values));
  for (u32 i = 0; i < g->consts.size; i++) {
    const Const *c = &g->consts.data[i];
    u32 place = c->kind == CONST_INT ? NUMBER : place_of_const (p, c);
    values_add (p, &p->consts[i], (Atom){place, c->kind == CONST_FUNC ? 0 : (i64)c->value});
  }
}

Pointers *pointers_new (const Program *program, u32 nthreads, const TextStart *starts, u32 n) {
  Pointers *p = mem_zalloc (sizeof *p);
  *p = (Pointers){.program = program, .nthreads = nthreads, .starts = starts, .nstarts = n};
  p->frames = mem_zalloc (nthreads * program->functions.size * sizeof (Frame *));
  p->arguments = mem_zalloc (program->functions.size * sizeof (Values));
  p->threads = mem_zalloc (nthreads * sizeof (TextThread));
  vec_push (&p->places, ((Place){.kind = PLACE_NUMBER}));
  read_consts (p);
  do {
    p->has_changed = false;
    begin_threads (p);
    do_all (p);
  } while (p->has_changed && p->work < MOST_WORK);
  p->is_last = true;
  do_all (p);
  for (Tid t = 0; t < nthreads; t++)
    p->threads[t].can_access_anything |= p->work >= MOST_WORK || !p->threads[t].is_known;
  return p;
}

static void free_values (Values *list, u32 n) {
  for (u32 i = 0; i < n; i++) vec_free (&list[i]);
}

static void free_frame (Frame *frame, const Function *f) {
  free_values (frame->at_start, f->blocks.size * f->regs + 1);
  free_values (frame->registers, f->regs);
  vec_free (&frame->results);
  vec_free (&frame->returned);
  mem_free (frame->at_start);
  mem_free (frame->is_reached);
  mem_free (frame->registers);
  mem_free (frame);
}

void pointers_free (Pointers *p) {
  const Program *g = p->program;
  for (u32 i = 0; i < p->nthreads * g->functions.size; i++)
    if (p->frames[i]) free_frame (p->frames[i], &g->functions.data[i % g->functions.size]);
  for (u32 i = 0; i < p->places.size; i++) {
    for (u32 k = 0; k < p->places.data[i].slots.size; k++)
      vec_free (&p->places.data[i].slots.data[k].values);
    vec_free (&p->places.data[i].slots);
  }
  free_values (p->consts, g->consts.size);
  free_values (p->arguments, g->functions.size);
  free_values (&p->exits, 1);
  for (Tid t = 0; t < p->nthreads; t++) vec_free (&p->threads[t].accesses);
  vec_free (&p->places);
  map_free (&p->place_of);
  mem_free (p->frames);
  mem_free (p->consts);
  mem_free (p->arguments);
  mem_free (p->threads);
  mem_free (p);
}
