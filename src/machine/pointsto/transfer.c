/* transfer.c - for pointers.c: what an instruction makes of values and memory. */
#include "machine/pointsto/pointers.h"

enum { NUMBER = PLACE_NUMBER };

const Values *values_of_operand (const At *at, Operand o) {
  if (operand_is_reg (o)) return &at->frame->registers[o];
  return &at->p->consts[operand_const_index (o)];
}

Values *values_at_start (const Pointers *p, Frame *frame, u32 function, u32 block, u32 r) {
  assert (frame && r <= p->program->functions.data[function].regs);
  return &frame->at_start[block * p->program->functions.data[function].regs + r];
}

Frame *pointers_reach_frame (Pointers *p, Tid t, u32 function) {
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
    values_add (p, values_at_start (p, *frame, function, 0, r), (Atom){NUMBER, 0});
  (*frame)->returned.is_scratch = true;
  p->has_changed = true;
  return *frame;
}

static bool is_comparison (Op op) { return (op >= OP_EQ && op <= OP_MULO_U) || op == OP_FCMP; }

static bool fold (const Insn *i, u64 a, u64 b, u64 *result) {
  u64 mask = i->width < 64 ? (1ull << i->width) - 1 : ~0ull;
  Op op = op_wrapping ((Op)i->op);
  a &= mask, b &= mask;
  *result = op == OP_ADD   ? a + b
            : op == OP_SUB ? a - b
            : op == OP_MUL ? a * b
            : op == OP_AND ? (a & b)
            : op == OP_OR  ? (a | b)
            : op == OP_EQ  ? a == b
            : op == OP_NE  ? a != b
                           : (b < i->width ? a << b : 0);
  *result &= mask;
  return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_AND || op == OP_OR ||
         op == OP_SHL || op == OP_EQ || op == OP_NE;
}

static void combine (Pointers *p, const Insn *i, Atom a, Atom b, Values *to) {
  bool known = a.offset != OFFSET_ANY && b.offset != OFFSET_ANY;
  Op op = op_wrapping ((Op)i->op);
  bool moves = i->width == 64 && (op == OP_ADD || (op == OP_SUB && b.place == NUMBER));
  u64 number;
  if (known && a.place == NUMBER && b.place == NUMBER &&
      fold (i, (u64)a.offset, (u64)b.offset, &number)) {
    values_add (p, to, (Atom){NUMBER, (i64)number});
  } else if (known && moves && (a.place == NUMBER || b.place == NUMBER)) {
    fold (i, (u64)a.offset, (u64)b.offset, &number);
    values_add (p, to, (Atom){a.place | b.place, (i64)number});
  } else if (is_comparison ((Op)i->op)) {
    values_add_number (p, to);
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

/* Whether a condition can be so. */
static bool can_be (const At *at, Operand condition, bool is_true) {
  const Values *v = values_of_operand (at, condition);
  for (u32 k = 0; k < v->size; k++) {
    Atom a = v->data[k];
    if (a.place != NUMBER || a.offset == OFFSET_ANY || (a.offset != 0) == is_true) return true;
  }
  return false;
}

static void combine_all (Pointers *p, Op op, const Values *a, const Values *b, Values *to) {
  Insn i = {.op = (u8)op, .width = 64};
  for (u32 k = 0; k < a->size; k++)
    for (u32 j = 0; j < b->size; j++) combine (p, &i, a->data[k], b->data[j], to);
}

static void do_index (const At *at, const Insn *i, Values *to) {
  Values offset = {.is_scratch = true};
  combine_all (at->p, OP_MUL, values_of_operand (at, i->b), values_of_operand (at, i->c), &offset);
  combine_all (at->p, OP_ADD, values_of_operand (at, i->a), &offset, to);
  vec_free (&offset);
}

static void do_plain (const At *at, const Insn *i, Values *to) {
  Pointers *p = at->p;
  if (i->op == OP_FCMP) {
    values_add_number (p, to);
    return;
  }
  if (i->op == OP_INDEX) {
    do_index (at, i, to);
    return;
  }
  if (op_form ((Op)i->op) == FORM_SELECT) {
    if (can_be (at, i->a, true)) values_join (p, to, values_of_operand (at, i->b));
    if (can_be (at, i->a, false)) values_join (p, to, values_of_operand (at, i->c));
    return;
  }
  const Values *a = values_of_operand (at, i->a);
  bool is_copy = (i->op == OP_MOV || i->op == OP_UNDEF) && i->width == 64;
  bool is_pair = i->op == OP_PAIR || i->op == OP_LOW || i->op == OP_HIGH;
  if (is_copy || is_pair) values_join (p, to, a);
  if (is_pair) values_add_number (p, to);
  if (i->op == OP_PAIR) values_join (p, to, values_of_operand (at, i->b));
  if (is_copy || is_pair) return;
  for (u32 k = 0; k < a->size; k++) {
    if (op_form ((Op)i->op) == FORM_CAST) {
      cast (p, i, a->data[k], to);
    } else if (op_form ((Op)i->op) == FORM_BIN) {
      const Values *b = values_of_operand (at, i->b);
      for (u32 j = 0; j < b->size && k < a->size; j++) combine (p, i, a->data[k], b->data[j], to);
    } else {
      values_derive (p, to, a->data[k]);
    }
  }
}

static void do_call (const At *at, const Insn *i, u32 callee) {
  Pointers *p = at->p;
  const Function *f = &p->program->functions.data[callee];
  Frame *frame = pointers_reach_frame (p, at->t, callee);
  for (u32 k = 0; k < f->params && k < i->nargs; k++)
    values_join (p, values_at_start (p, frame, callee, 0, k),
                 values_of_operand (at, at->f->args.data[i->first + k]));
  values_join (p, &at->frame->returned, &frame->results);
}

static void do_calls (const At *at, const Insn *i) {
  at->frame->returned.size = 0;
  if (i->a == OPERAND_NONE) {
    do_call (at, i, (u32)i->b);
    return;
  }
  const Values *to = values_of_operand (at, i->a);
  for (u32 k = 0; k < to->size; k++) {
    const Place *l = &at->p->places.data[to->data[k].place];
    if (l->kind == PLACE_FUNCTION) do_call (at, i, l->function);
  }
}

static void allocate (const At *at, const Insn *i, PlaceKind kind, Operand size, Values *to) {
  const Values *v = values_of_operand (at, size);
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
    Frame *frame = pointers_reach_frame (p, at->t, l->function);
    values_join (p, values_at_start (p, frame, l->function, 0, 0), &p->exits);
    values_join (p, &p->exits, &frame->results);
  }
}

static void do_builtin (const At *at, const Insn *i, Values *to) {
  const Operand *args = at->f->args.data + i->first;
  Pointers *p = at->p;
  const Values *first = i->nargs ? values_of_operand (at, args[0]) : NULL;
  switch ((Builtin)i->sub) {
  case BUILTIN_THREAD_CREATE:
    do_create (at, first, values_of_operand (at, args[1]));
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
  case BUILTIN_SCOPE_BEGIN:
    values_join (p, to, first);
    return;
  case BUILTIN_MALLOC:
  case BUILTIN_CALLOC:
    allocate (at, i, PLACE_HEAP, args[0], to);
    return;
  case BUILTIN_ALIGNED_ALLOC:
  case BUILTIN_NEW:
    allocate (at, i, PLACE_HEAP, args[1], to);
    return;
  case BUILTIN_UNWIND:
  case BUILTIN_CAUGHT:
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
  case BUILTIN_LIFE:
  case BUILTIN_IS_DEFINED:
  case BUILTIN_MISUSE:
  case BUILTIN_THREAD_MISUSE:
  case BUILTIN_EFFECTS:
  case BUILTIN_SCOPE_END:
  case BUILTIN_STACK_MARK:
  case BUILTIN_STACK_RESET:
  case BUILTIN_FREE:
  case BUILTIN_DELETE:
  case BUILTIN_OBJECT_SIZE:
  case BUILTIN_ASSERT_FAIL:
  case BUILTIN_ABORT:
  case BUILTIN_TERMINATE:
  case BUILTIN_EXIT:
  case BUILTIN_ASSUME:
  case BUILTIN_NONDET:
  case BUILTIN_SPURIOUS:
  case BUILTIN_LIFTED:
  case BUILTIN_ARGC:
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
  const Values *where = values_of_operand (at, i->a), *what = values_of_operand (at, i->b);
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
    values_join (at->p, values_at_start (at->p, at->frame, at->function, block, r),
                 &at->frame->registers[r]);
}

void pointers_do_insn (const At *at, const Insn *i, Values *to) {
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
    places_load (at->p, values_of_operand (at, i->a), i->width, to);
    break;
  case OP_STORE:
    places_store (at->p, values_of_operand (at, i->a), i->width, values_of_operand (at, i->b));
    break;
  case OP_RMW:
    do_rmw (at, i, to);
    break;
  case OP_CAS:
    places_load (at->p, values_of_operand (at, i->a), i->width, to);
    places_store (at->p, values_of_operand (at, i->a), i->width, values_of_operand (at, i->c));
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
      values_join (at->p, &at->frame->results,
                   values_of_operand (at, at->f->args.data[i->first + k]));
    break;
  case OP_BR:
    if (can_be (at, i->a, false)) flow_to (at, (u32)i->c);
    if (can_be (at, i->a, true)) flow_to (at, (u32)i->b);
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
