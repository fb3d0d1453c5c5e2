/* pointers.c - see pointers.h. All instructions of all threads are gone through until nothing is
 * new; then what is loaded from and stored to is written down. */
#include "machine/pointers.h"

enum { NUMBER = PLACE_NUMBER, MOST_ACCESSES = 64 };
#define MOST_WORK 20000000ull /* then every thread can access anything */

/* ---- instructions */

typedef struct At { /* where we are */
  Pointers *p;
  Tid t;
  u32 function;
  const Function *f;
  Frame *frame;
} At;

static const Values *values_of (const At *at, Operand o) {
  if (operand_is_reg (o)) return &at->frame->registers[o];
  return &at->p->consts[operand_const_index (o)];
}

/* A register, or parameter, at the start of a block. */
static Values *entry_of (const Pointers *p, Frame *frame, u32 function, u32 block, u32 r) {
  return &frame->at_start[block * p->program->functions.data[function].regs + r];
}

static Frame *reach (Pointers *p, Tid t, u32 function) {
  const Function *f = &p->program->functions.data[function];
  Frame **frame = &p->frames[t * p->program->functions.size + function];
  if (*frame) return *frame;
  *frame = mem_zalloc (sizeof **frame);
  (*frame)->at_start = mem_zalloc ((f->blocks.size * f->regs + 1) * sizeof (Values));
  (*frame)->is_reached = mem_zalloc (f->blocks.size + 1);
  (*frame)->is_reached[0] = true;
  (*frame)->registers = mem_zalloc ((f->regs + 1) * sizeof (Values));
  for (u32 r = 0; r < f->regs; r++) (*frame)->registers[r].is_scratch = true;
  for (u32 r = f->params; r < f->regs; r++)
    values_add (p, entry_of (p, *frame, function, 0, r), (Atom){NUMBER, 0});
  (*frame)->returned.is_scratch = true;
  p->has_changed = true;
  return *frame;
}

static bool is_comparison (Op op) { return (op >= OP_EQ && op <= OP_MULO_U) || op == OP_FCMP; }

static bool fold (const Insn *i, u64 a, u64 b, u64 *result) {
  u64 mask = i->width < 64 ? (1ull << i->width) - 1 : ~0ull;
  a &= mask, b &= mask;
  *result = i->op == OP_ADD   ? a + b
            : i->op == OP_SUB ? a - b
            : i->op == OP_MUL ? a * b
            : i->op == OP_AND ? (a & b)
            : i->op == OP_OR  ? (a | b)
                              : (b < i->width ? a << b : 0);
  *result &= mask;
  return i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL || i->op == OP_AND ||
         i->op == OP_OR || i->op == OP_SHL;
}

static void combine (Pointers *p, const Insn *i, Atom a, Atom b, Values *to) {
  bool known = a.offset != OFFSET_ANY && b.offset != OFFSET_ANY;
  bool moves = i->width == 64 && (i->op == OP_ADD || (i->op == OP_SUB && b.place == NUMBER));
  u64 number;
  if (known && a.place == NUMBER && b.place == NUMBER &&
      fold (i, (u64)a.offset, (u64)b.offset, &number)) {
    values_add (p, to, (Atom){NUMBER, (i64)number});
  } else if (known && moves && (a.place == NUMBER || b.place == NUMBER)) {
    fold (i, (u64)a.offset, (u64)b.offset, &number);
    values_add (p, to, (Atom){a.place | b.place, (i64)number});
  } else {
    values_derive (p, to, a);
    values_derive (p, to, b);
  }
}

static void cast (Pointers *p, const Insn *i, Atom a, Values *to) {
  u64 value = (u64)a.offset, sign = 1ull << (i->width - 1);
  u64 mask = i->sub < 64 ? (1ull << i->sub) - 1 : ~0ull;
  bool known = a.place == NUMBER && a.offset != OFFSET_ANY;
  if (known && i->op == OP_TRUNC)
    values_add (p, to, (Atom){NUMBER, (i64)(value & mask)});
  else if (known && i->op == OP_SEXT)
    values_add (p, to, (Atom){NUMBER, (i64)(((value ^ sign) - sign) & mask)});
  else
    values_derive (p, to, a);
}

static void do_plain (const At *at, const Insn *i, Values *to) {
  Pointers *p = at->p;
  if (is_comparison ((Op)i->op)) {
    values_add_number (p, to);
    return;
  }
  if (op_form ((Op)i->op) == FORM_SELECT) {
    values_join (p, to, values_of (at, i->b));
    values_join (p, to, values_of (at, i->c));
    return;
  }
  const Values *a = values_of (at, i->a);
  bool is_copy = (i->op == OP_MOV || i->op == OP_UNDEF) && i->width == 64;
  bool is_pair = i->op == OP_PAIR || i->op == OP_LOW || i->op == OP_HIGH;
  if (is_copy || is_pair) values_join (p, to, a);
  if (is_pair) values_add_number (p, to);
  if (i->op == OP_PAIR) values_join (p, to, values_of (at, i->b));
  if (is_copy || is_pair) return;
  for (u32 k = 0; k < a->size; k++) {
    if (op_form ((Op)i->op) == FORM_CAST) {
      cast (p, i, a->data[k], to);
    } else if (op_form ((Op)i->op) == FORM_BIN) {
      const Values *b = values_of (at, i->b);
      for (u32 j = 0; j < b->size && k < a->size; j++) combine (p, i, a->data[k], b->data[j], to);
    } else {
      values_derive (p, to, a->data[k]);
    }
  }
}

static void do_call (const At *at, const Insn *i, u32 callee) {
  Pointers *p = at->p;
  const Function *f = &p->program->functions.data[callee];
  Frame *frame = reach (p, at->t, callee);
  for (u32 k = 0; k < f->params && k < i->nargs; k++)
    values_join (p, entry_of (p, frame, callee, 0, k),
                 values_of (at, at->f->args.data[i->first + k]));
  values_join (p, &at->frame->returned, &frame->results);
}

static void do_calls (const At *at, const Insn *i) {
  at->frame->returned.size = 0;
  if (i->a == OPERAND_NONE) {
    do_call (at, i, (u32)i->b);
    return;
  }
  const Values *to = values_of (at, i->a);
  for (u32 k = 0; k < to->size; k++) {
    const Place *l = &at->p->places.data[to->data[k].place];
    if (l->kind == PLACE_FUNCTION) do_call (at, i, l->function);
  }
}

static void allocate (const At *at, const Insn *i, PlaceKind kind, Operand size, Values *to) {
  const Values *v = values_of (at, size);
  bool is_known = !operand_is_reg (size) && v->size == 1 && v->data[0].place == NUMBER;
  Place l = {.kind = (u8)kind,
             .tid = at->t,
             .function = at->function,
             .index = (u32)(i - at->f->code.data),
             .size = is_known ? (u64)v->data[0].offset : UINT64_MAX};
  values_add (at->p, to, (Atom){place_intern (at->p, l), 0});
}

static void do_shadow (const At *at, const Values *of, Values *to) {
  for (u32 k = 0; k < of->size; k++) {
    Place l = {.kind = PLACE_SHADOW, .index = of->data[k].place, .size = UINT64_MAX};
    if (place_is_memory (at->p, of->data[k].place))
      values_add (at->p, to, (Atom){place_intern (at->p, l), 0});
    else
      values_derive (at->p, to, of->data[k]);
  }
}

static void do_create (const At *at, const Values *functions, const Values *argument) {
  Pointers *p = at->p;
  for (u32 k = 0; k < functions->size; k++) {
    const Place *l = &p->places.data[functions->data[k].place];
    if (l->kind == PLACE_FUNCTION) values_join (p, &p->arguments[l->function], argument);
  }
}

static void do_at_end (const At *at, const Values *functions) {
  Pointers *p = at->p;
  for (u32 k = 0; k < functions->size; k++) {
    const Place *l = &p->places.data[functions->data[k].place];
    if (l->kind != PLACE_FUNCTION) continue;
    Frame *frame = reach (p, at->t, l->function);
    values_join (p, entry_of (p, frame, l->function, 0, 0), &p->exits);
    values_join (p, &p->exits, &frame->results);
  }
}

static void do_builtin (const At *at, const Insn *i, Values *to) {
  const Operand *args = at->f->args.data + i->first;
  Pointers *p = at->p;
  const Values *first = i->nargs ? values_of (at, args[0]) : NULL;
  switch ((Builtin)i->sub) {
  case BUILTIN_THREAD_CREATE:
    do_create (at, first, values_of (at, args[1]));
    break;
  case BUILTIN_THREAD_JOIN:
    values_join (p, to, &p->exits);
    break;
  case BUILTIN_THREAD_EXIT:
    values_join (p, &p->exits, first);
    break;
  case BUILTIN_AT_END:
    do_at_end (at, first);
    break;
  case BUILTIN_SHADOW:
    do_shadow (at, first, to);
    return;
  case BUILTIN_MALLOC:
  case BUILTIN_CALLOC:
    allocate (at, i, PLACE_HEAP, args[0], to);
    return;
  case BUILTIN_ALIGNED_ALLOC:
    allocate (at, i, PLACE_HEAP, args[1], to);
    return;
  case BUILTIN_THREAD_DETACH:
  case BUILTIN_THREAD_SELF:
  case BUILTIN_THREAD_NUMBER:
  case BUILTIN_TURN:
  case BUILTIN_MUTEX_LOCK:
  case BUILTIN_MUTEX_TRYLOCK:
  case BUILTIN_MUTEX_UNLOCK:
  case BUILTIN_LOCK_PART:
  case BUILTIN_TAKE:
  case BUILTIN_WORD_STATE:
  case BUILTIN_MISUSE:
  case BUILTIN_THREAD_MISUSE:
  case BUILTIN_EFFECTS:
  case BUILTIN_FREE:
  case BUILTIN_OBJECT_SIZE:
  case BUILTIN_ASSERT_FAIL:
  case BUILTIN_ABORT:
  case BUILTIN_EXIT:
  case BUILTIN_ASSUME:
  case BUILTIN_NONDET:
  case BUILTIN_SPURIOUS:
  case BUILTIN_TIMEOUT:
  case BUILTIN_OUTPUT:
  case BUILTIN_MATH:
  case BUILTIN_FLOAT_TEXT:
  case BUILTIN_YIELD:
  case BUILTIN_COUNT:
    break;
  }
  values_add_number (p, to);
}

static void do_rmw (const At *at, const Insn *i, Values *to) {
  const Values *where = values_of (at, i->a), *what = values_of (at, i->b);
  Values new = {.is_scratch = true};
  places_load (at->p, where, i->width, to);
  for (u32 k = 0; k < what->size; k++)
    if (i->sub == RMW_XCHG)
      values_add (at->p, &new, what->data[k]);
    else
      values_derive (at->p, &new, what->data[k]);
  for (u32 k = 0; k < to->size && i->sub != RMW_XCHG; k++) values_derive (at->p, &new, to->data[k]);
  places_store (at->p, where, i->width, &new);
  vec_free (&new);
}

static void flow_to (const At *at, u32 block) {
  bool *is_reached = &at->frame->is_reached[block];
  if (!*is_reached) at->p->has_changed = true;
  *is_reached = true;
  for (u32 r = 0; r < at->f->regs; r++)
    values_join (at->p, entry_of (at->p, at->frame, at->function, block, r),
                 &at->frame->registers[r]);
}

static void do_insn (const At *at, const Insn *i, Values *to) {
  switch ((Op)i->op) {
#include "ir/plain_ops.h"
    do_plain (at, i, to);
    break;
  case OP_ALLOCA:
    allocate (at, i, PLACE_STACK, i->a, to);
    break;
  case OP_TLS: {
    u32 g = (u32)i->b;
    Place l = {.kind = PLACE_TLS, .tid = at->t, .index = g};
    l.size = at->p->program->globals.data[g].size;
    values_add (at->p, to, (Atom){place_intern (at->p, l), 0});
    break;
  }
  case OP_LOAD:
    places_load (at->p, values_of (at, i->a), i->width, to);
    break;
  case OP_STORE:
    places_store (at->p, values_of (at, i->a), i->width, values_of (at, i->b));
    break;
  case OP_RMW:
    do_rmw (at, i, to);
    break;
  case OP_CAS:
    places_load (at->p, values_of (at, i->a), i->width, to);
    places_store (at->p, values_of (at, i->a), i->width, values_of (at, i->c));
    break;
  case OP_CALL:
    do_calls (at, i);
    values_join (at->p, to, &at->frame->returned);
    break;
  case OP_RETVAL:
    values_join (at->p, to, &at->frame->returned);
    break;
  case OP_RET:
    for (u32 k = 0; k < i->nargs; k++)
      values_join (at->p, &at->frame->results, values_of (at, at->f->args.data[i->first + k]));
    break;
  case OP_BR:
    flow_to (at, (u32)i->c);
    flow_to (at, (u32)i->b);
    break;
  case OP_SWITCH:
    for (u32 k = 0; k < i->nargs; k++) flow_to (at, at->f->cases.data[i->first + k].block);
    flow_to (at, (u32)i->b);
    break;
  case OP_JMP:
    flow_to (at, (u32)i->b);
    break;
  case OP_BUILTIN:
    do_builtin (at, i, to);
    break;
  case OP_FENCE:
  case OP_SPIN:
  case OP_UNREACHABLE:
  case OP_UNSUPPORTED:
    break;
  }
}

/* ---- what is accessed, when all values are known */

static void add_access (TextThread *t, const Place *l, TextAccess a) {
  u32 same = 0, kept = 0;
  if (!place_has (l, a.offset, a.size)) return;
  for (u32 i = 0; i < t->accesses.size; i++) {
    TextAccess *old = &t->accesses.data[i];
    if (old->place != a.place) continue;
    same++;
    if (old->offset != OFFSET_ANY && (old->offset != a.offset || old->size != a.size)) continue;
    old->reads |= a.reads;
    old->writes |= a.writes;
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
  }
  if (a.offset == OFFSET_ANY) t->accesses.size = kept;
  vec_push (&t->accesses, a);
}

static void write_down (const At *at, Operand where, u32 size, bool reads, bool writes) {
  const Values *v = values_of (at, where);
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
                 entry_of (at->p, at->frame, at->function, block, r));
  }
  for (u32 k = b->start; k < b->end; k++) {
    const Insn *i = &at->f->code.data[k];
    Values to = {.is_scratch = true};
    if (at->p->is_last) write_down_insn (at, i);
    do_insn (at, i, &to);
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
    Frame *frame = reach (p, s->tid, s->function);
    Values *argument = entry_of (p, frame, s->function, 0, 0);
    p->threads[s->tid].is_known = true;
    for (u32 k = 1; k < p->program->functions.data[s->function].params; k++)
      values_add (p, entry_of (p, frame, s->function, 0, k), (Atom){NUMBER, 0});
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
