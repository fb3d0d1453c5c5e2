/* step.c - the dispatch loop: runs the working state until its thread reaches an effect.
 *
 * Frames lie on one stack of registers; the callee's start where the caller's end. A frame's pc
 * names the instruction at work, which for a stopped thread is the one that caused the effect:
 * resuming stores the answer and steps over it.
 */
#include "vm/arith.h"
#include "vm/access.h"
#include "vm/assumed.h"
#include "vm/builtin.h"
#include "vm/idempotent_store.h"

bool run_call (Vm *vm, const Function *fn, const u64 *args, u32 count) {
  Run *r = &vm->run;
  if (!fn->blocks.size)
    return stop_unsupported (vm, vm_text (vm, "function %s has no body", fn->name));
  if (count < fn->params)
    return stop_unsupported (vm, vm_text (vm, "call of %s with too few arguments", fn->name));
  u32 base = 0;
  if (r->depth) {
    const Frame *top = &r->frames[r->depth - 1];
    base = top->regs + top->fn->regs;
  }
  if (r->depth >= MAX_FRAMES || base + fn->regs > MAX_REGS)
    return stop_unsupported (vm, vm_text (vm, "recursion deeper than %u calls", r->depth));
  r->frames[r->depth++] =
      (Frame){.fn = fn, .pc = fn->blocks.data[0].start, .regs = base, .objects = r->objects.size};
  /* Registers start as zero: a history must not depend on what ran before. */
  memcpy (r->regs + base, args, fn->params * sizeof (u64));
  memset (r->regs + base + fn->params, 0, (fn->regs - fn->params) * sizeof (u64));
  if (UNLIKELY (vm->options.dependencies)) memset (r->reg_deps + base, 0, fn->regs * sizeof (u32));
  return true;
}

static bool step_call (Vm *vm, const Insn *i, const u64 *regs) {
  const u64 *consts = vm->facts->consts;
  Run *r = &vm->run;
  const Function *caller = r->frames[r->depth - 1].fn, *fn;
  if (i->a == OPERAND_NONE)
    fn = &vm->program->functions.data[i->b];
  else if (!(fn = vm_function_at (vm, VALUE (i->a))))
    return stop_error (vm, FINDING_OUT_OF_BOUNDS, "something that is not a function can be called");
  u64 args[64];
  u32 count = i->nargs < fn->params ? i->nargs : fn->params; /* extra arguments are dropped */
  if (count > ARRAY_SIZE (args)) return stop_unsupported (vm, "a call with more than 64 arguments");
  for (u32 k = 0; k < count; k++) {
    Operand o = caller->args.data[i->first + k];
    args[k] = VALUE (o);
  }
  r->result_count = 0;
  if (!run_call (vm, fn, args, count)) return false;
  if (UNLIKELY (r->tainted)) undefined_call (vm, i);
  if (UNLIKELY (vm->options.dependencies)) track_call (vm, i);
  return true;
}

/* The frame of a thread that ends gives way to that of the function to be called then. */
bool run_at_end (Vm *vm, u64 result, u64 undefined) {
  u32 written;
  u64 address = memory_read (vm->run.memory, AT_END_ADDRESS, 8, &written);
  if (!written || !address) return false;
  memory_clear (&vm->pool, &vm->run.memory, AT_END_ADDRESS, 8);
  vm->run.depth = 0;
  undefined_clear (&vm->run);
  if (!run_call (vm, vm_function_at (vm, address), &result, 1)) return false;
  undefined_load (&vm->run, &undefined, 1);
  return true;
}

bool stack_end_thread_locals (Vm *vm, const Insn *i) {
  Run *r = &vm->run;
  while (r->tls_ends < vm->program->globals.size && !run_ends_program (r, i)) {
    u32 global = r->tls_ends++;
    if (!vm->program->globals.data[global].is_tls) continue;
    const Object *o = objects_find_global (vm, r->tid, global);
    if (!o || !object_claim_end (vm, (u32)(o - vm->facts->objects.list.data))) continue;
    o = objects_find_global (vm, r->tid, global); /* it may have moved */
    return stop_at (vm, i, (Effect){.kind = EFF_FREE, .addr = o->base, .value = o->size});
  }
  return true;
}

/* A mutex that is locked and unlocked again with nothing changed in between: no side effect. */
static bool has_just_locked (const Run *r) { return r->locked && r->locked_effects == r->effects; }

/* The stack objects of the function are no more, and what was done to them was nothing. */
static void take_back_effects (Vm *vm, const Frame *f) {
  Run *r = &vm->run;
  if (!f->effects || r->keeps_effects || !vm->options.quiet_stores) return;
  bool has_locked = has_just_locked (r);
  r->effects -= f->effects;
  if (r->locked) r->locked_effects = has_locked ? r->effects : UINT64_MAX;
}

/* Back to the caller, after its call; the last frame stays for the backtrace. */
static bool step_return (Vm *vm, const Insn *i, const u64 *regs) {
  const u64 *consts = vm->facts->consts;
  Run *r = &vm->run;
  Frame *f = &r->frames[r->depth - 1];
  const Operand *args = f->fn->args.data + i->first;
  u64 value = i->nargs ? VALUE (args[0]) : 0;
  if (r->objects.size > f->objects)
    for (u32 k = 0; k < i->nargs; k++) stack_note_returned (vm, VALUE (args[k]), f->objects);
  if (!stack_end_objects (vm, i, f->objects)) return false;
  if (r->depth == 1 && r->tid &&
      run_at_end (vm, value, i->nargs ? undefined_operand (vm, args[0]) : 0))
    return true;
  if (r->depth == 1 && !stack_end_thread_locals (vm, i)) return false;
  if (r->depth == 1) {
    Undefined undefined = {0};
    if (i->nargs) undefined = undefined_value (vm, args[0]);
    if (undefined.bits && r->tid == 0) return undefined_stop (vm); /* the exit status */
    return stop_at (vm, i,
                    (Effect){.kind = EFF_END,
                             .value = value & ~undefined.bits,
                             .expected = r->tid == 0,
                             .undefined = undefined});
  }
  if (i->nargs > MAX_RESULTS) return stop_unsupported (vm, "a function with more than 16 results");
  r->result_count = i->nargs ? i->nargs - 1u : 0;
  for (u32 k = 0; k < r->result_count; k++) {
    r->results[k] = VALUE (args[k + 1]);
    r->result_undefined[k] = 0;
  }
  if (UNLIKELY (r->tainted)) undefined_return (vm, i);
  if (UNLIKELY (vm->options.dependencies)) track_return (vm, i);
  take_back_effects (vm, f);
  r->depth--;
  f--;
  const Insn *call = &f->fn->code.data[f->pc++];
  if (call->dst >= 0) r->regs[f->regs + (u32)call->dst] = value;
  return true;
}

static void note_lock (Run *r, u64 mutex) {
  if (has_just_locked (r)) r->effects++; /* that one counts now */
  r->locked = mutex;
  r->locked_effects = r->effects;
  quiet_forget (r);
}

static void note_unlock (Run *r, u64 mutex) {
  if (r->locked != mutex || !has_just_locked (r)) r->effects++;
  r->locked = r->locked_effects = 0;
  quiet_forget (r);
}

/* A number that is different whenever there was a side effect, or another mutex is held. */
static u64 effects_now (const Run *r) {
  return r->effects + (has_just_locked (r) ? r->locked << 32 : 0);
}

/* A loop that makes progress is cut by --unroll; its other iterations do not count. */
static bool may_go_round (Vm *vm, u64 *visits) {
  u32 most = vm->options.unroll;
  if (LIKELY (!most) || (*visits)++ <= most) return true;
  return stop_unsupported (vm,
                           vm_text (vm, "the loop was cut after %u iterations (--unroll)", most));
}

/* The head of a loop. Shadows after i->b: the live registers, the count of side effects and the
 * count of visits. A thread that comes back with the same registers and no side effect in between
 * would only iterate again until another thread writes: it waits. Under models with dependencies,
 * once its values have stopped depending on what came before the loop (track_spin). */
static bool step_spin (Vm *vm, const Insn *i, u64 *regs) {
  const u64 *consts = vm->facts->consts;
  const Operand *live = vm->run.frames[vm->run.depth - 1].fn->args.data + i->first;
  u64 *shadow = regs + i->b, *effects = shadow + i->nargs, *visits = effects + 1;
  if (!(i->flags & INSN_SPIN)) return may_go_round (vm, visits);
  u64 now = effects_now (&vm->run);
  bool same = *effects == now; /* not at the first visit: reset to -1 on the way in */
  *effects = now;
  for (u32 k = 0; k < i->nargs; k++) {
    u64 value = VALUE (live[k]);
    same = same && shadow[k] == value;
    shadow[k] = value;
  }
  if (UNLIKELY (vm->run.tainted)) same = undefined_spin (vm, i) && same;
  if (UNLIKELY (vm->options.dependencies) && track_spin (vm, i, same)) return true;
  if (UNLIKELY (vm->patience)) { /* then `visits` counts iterations that changed nothing */
    *visits = same ? *visits + 1 : 0;
    return *visits <= vm->patience || stop_block (vm, BLOCK_SPIN);
  }
  if (UNLIKELY (vm->laps.visits)) same |= laps_is_back (vm, i);
  return same ? stop_block (vm, BLOCK_SPIN) : may_go_round (vm, visits);
}

static bool step_endless (Vm *vm) {
  u32 pos = run_position (vm);
  u32 line = pos ? vm->program->positions.data[pos].line : 0;
  return stop_unsupported (
      vm, vm_text (vm, "the loop at line %u runs for more than %llu steps; --unroll N bounds it",
                   line, (unsigned long long)vm->options.max_steps));
}

static u64 wrapped (const Insn *i, u64 a, u64 b) {
  return i->op == OP_SADD ? a + b : i->op == OP_SSUB ? a - b : a * b;
}

static bool step_overflow (Vm *vm, const Insn *i, u64 a, u64 b) {
  u32 w = i->width;
  long long x = sign_extend (a, w), y = sign_extend (b, w);
  if (i->op == OP_INRANGE)
    return stop_error (vm, FINDING_OVERFLOW,
                       x < 0 ? vm_text (vm, "a shift by a negative amount, %lld, can happen", x)
                             : vm_text (vm, "a %u-bit integer can be shifted by %lld", w, x));
  const char *sign = i->op == OP_SADD   ? "+"
                     : i->op == OP_SSUB ? "-"
                     : i->op == OP_SMUL ? "*"
                     : i->op == OP_SDIV ? "/"
                                        : "%";
  return stop_error (
      vm, FINDING_OVERFLOW,
      vm_text (vm, "%lld %s %lld can overflow a signed %u-bit integer", x, sign, y, w));
}

static u32 switch_target (const Function *fn, const Insn *i, u64 value) {
  for (u32 k = 0; k < i->nargs; k++)
    if (fn->cases.data[i->first + k].value == value) return fn->cases.data[i->first + k].block;
  return (u32)i->b;
}

/* Stores the engine's answer to the effect at which the thread stopped, and steps over the
 * instruction. */
void vm_apply_answer (Vm *vm, u64 answer, Undefined undefined) {
  Run *r = &vm->run;
  Frame *f = &r->frames[r->depth - 1];
  const Insn *i = &f->fn->code.data[f->pc];
  const Effect *e = &r->effect;
  u64 result = 0, written;
  bool again = insn_ends_objects (i); /* for the rest of them */
  switch ((EffectKind)e->kind) {
  case EFF_READ:
    result = answer & SIZE_MASK (e->size);
    if (UNLIKELY (vm->facts->quiet_count) && !undefined.bits) quiet_read (vm, e, result);
    if (UNLIKELY (undefined.bits)) r->origin = undefined;
    if (UNLIKELY (e->whole_size)) again = access_piece (vm, result, &result, &undefined.bits);
    break;
  case EFF_NONDET:
    result =
        effect_allocates (e) ? vm_answer_allocation (vm, e, answer) : answer & SIZE_MASK (e->size);
    if (UNLIKELY (effect_may_reuse (e))) again = !builtin_reuse (vm, e, answer);
    break;
  case EFF_JOIN:
    result = answer;
    break;
  case EFF_RMW:
  case EFF_CAS:
    result = answer & SIZE_MASK (e->size);
    if (!effect_rmw_writes (e, result, &written)) break;
    r->effects += written != result;
    quiet_forget (r);
    if (e->size >= 8) stack_note_stored (vm, written, e->size, NULL);
    break;
  case EFF_TRYLOCK:
    result = !answer;
    if (result) note_lock (r, e->addr);
    break;
  case EFF_CREATE:
    quiet_forget (r);
    stack_note_stored (vm, e->value, 8, NULL);
    result = e->child + 1ull;
    r->created++;
    r->effects++;
    break;
  case EFF_WRITE:
    r->effects += !quiet_store (vm, e);
    if (e->size >= 8) stack_note_stored (vm, e->value, e->size, NULL);
    if (UNLIKELY (e->whole_size)) again = access_piece (vm, 0, &result, &undefined.bits);
    break;
  case EFF_LOCK:
    note_lock (r, e->addr);
    break;
  case EFF_UNLOCK:
    note_unlock (r, e->addr);
    break;
  case EFF_FREE:
    r->effects++;
    quiet_forget (r);
    break;
  case EFF_FENCE:
  case EFF_BLOCK: /* of a spin loop: one more iteration */
    break;
  case EFF_ERROR:
  case EFF_UNSUPPORTED:
  case EFF_END:
    BUG ("resumed a thread that has stopped for good");
  }
  if (UNLIKELY (vm->options.dependencies)) track_answer (vm, i, again);
  if (again) return;
  f->pc++;
  if (UNLIKELY (undefined.bits | r->tainted)) undefined_result (vm, i, undefined.bits);
  if (i->dst >= 0) r->regs[f->regs + (u32)i->dst] = result;
}

/* Runs the working state until vm->run.effect. */
static void run (Vm *vm) {
  static const void *const labels[] = {
#define OP(name, text, form, doc) &&do_##name,
#include "ir/ops.def"
#undef OP
  };
  Run *const r = &vm->run;
  const u64 *const consts = vm->facts->consts;
  u64 max_steps = laps_start (vm);
  /* By way of what follows undefined bits and dependencies; who has none pays nothing for it. */
  static const void *const followed_labels[] = {
#define OP(name, text, form, doc) &&followed,
#include "ir/ops.def"
#undef OP
  };
  const void *const *table = r->tainted || vm->options.dependencies ? followed_labels : labels;
  u64 steps = 0, value;
  Frame *frame;
  const Insn *code, *i;
  const Block *blocks;
  u64 *regs;

#define A VALUE (i->a)
#define B VALUE (i->b)
#define DST regs[i->dst]
#define W i->width
#define DISPATCH                                                                                   \
  do {                                                                                             \
    steps++;                                                                                       \
    goto *table[i->op];                                                                            \
  } while (0)
#define NEXT                                                                                       \
  do {                                                                                             \
    i++;                                                                                           \
    DISPATCH;                                                                                      \
  } while (0)
#define SET(x)                                                                                     \
  do {                                                                                             \
    DST = (x);                                                                                     \
    NEXT;                                                                                          \
  } while (0)
#define JUMP(block)                                                                                \
  do {                                                                                             \
    const Insn *target_ = code + blocks[block].start;                                              \
    if (UNLIKELY (steps > max_steps)) goto endless;                                                \
    i = target_;                                                                                   \
    DISPATCH;                                                                                      \
  } while (0)
#define SIGNED(o)                                                                                  \
  do {                                                                                             \
    i64 result_;                                                                                   \
    if (UNLIKELY (__builtin_##o##_overflow (sign_extend (A, W), sign_extend (B, W), &result_) ||   \
                  result_ != sign_extend ((u64)result_, W)))                                       \
      goto overflow;                                                                               \
    SET (low_bits ((u64)result_, W));                                                              \
  } while (0)
#define DIVIDE_SIGNED(x)                                                                           \
  do {                                                                                             \
    if (UNLIKELY (B == low_bits (~0ull, W) && A == 1ull << (W - 1))) goto overflow;                \
    DIVIDE (x);                                                                                    \
  } while (0)
#define DIVIDE(x)                                                                                  \
  do {                                                                                             \
    if (UNLIKELY (!B)) goto division_by_zero;                                                      \
    SET (x);                                                                                       \
  } while (0)
/* What follows depends on where objects lie: of two, or of one. */
#define ORDER                                                                                      \
  do {                                                                                             \
    if (UNLIKELY (W == 64 && A >= OBJECT_BASE && B >= OBJECT_BASE)) layout_note_two (vm, i, A, B); \
  } while (0)
#define PLACE                                                                                      \
  do {                                                                                             \
    if (UNLIKELY (W == 64 && (A | B) >= OBJECT_BASE)) layout_note_one (vm, i, A, B);               \
  } while (0)
/* Helpers that look at the frames need the pc there. */
#define SYNC (frame->pc = (u32)(i - code))

enter: /* the top frame has changed */
  frame = &r->frames[r->depth - 1];
  code = frame->fn->code.data;
  blocks = frame->fn->blocks.data;
  regs = r->regs + frame->regs;
  i = code + frame->pc;
  DISPATCH;

followed:
  SYNC;
  if (r->tainted && !undefined_step (vm, i, regs)) goto stop;
  if (vm->options.dependencies)
    track_step (vm, i);
  else if (!r->tainted)
    table = labels;
  goto *labels[i->op];

  /* clang-format off */
do_MOV: SET (A);
do_ADD: SET (low_bits (A + B, W));
do_SUB: ORDER; SET (low_bits (A - B, W));
do_MUL: PLACE; SET (low_bits (A * B, W));
do_SADD: SIGNED (add);
do_SSUB: ORDER; SIGNED (sub);
do_SMUL: PLACE; SIGNED (mul);
do_UDIV: PLACE; DIVIDE (A / B);
do_SDIV: PLACE; DIVIDE_SIGNED (divide_signed (A, B, W));
do_UREM: PLACE; DIVIDE (A % B);
do_SREM: PLACE; DIVIDE_SIGNED (remainder_signed (A, B, W));
do_SHL: SET (B >= W ? 0 : low_bits (A << B, W));
do_LSHR: PLACE; SET (B >= W ? 0 : A >> B);
do_ASHR: PLACE; SET (shift_right_arithmetic (A, B, W));
do_INRANGE: if (UNLIKELY (A >= W)) goto overflow; SET (A);
do_AND: PLACE; SET (A & B);
do_OR: SET (A | B);
do_XOR: PLACE; SET (A ^ B);
do_EQ: SET (A == B);
do_NE: SET (A != B);
do_ULT: ORDER; SET (A < B);
do_ULE: ORDER; SET (A <= B);
do_SLT: ORDER; SET (sign_extend (A, W) < sign_extend (B, W));
do_SLE: ORDER; SET (sign_extend (A, W) <= sign_extend (B, W));
do_ADDO_S: SET (overflows_signed ((i128)sign_extend (A, W) + sign_extend (B, W), W));
do_ADDO_U: SET (overflows_unsigned ((u128)A + B, W));
do_SUBO_S: SET (overflows_signed ((i128)sign_extend (A, W) - sign_extend (B, W), W));
do_SUBO_U: SET (A < B);
do_MULO_S: SET (overflows_signed ((i128)sign_extend (A, W) * sign_extend (B, W), W));
do_MULO_U: SET (overflows_unsigned ((u128)A * B, W));
do_CTPOP: SET ((u64)__builtin_popcountll (A));
do_CTLZ: SET (count_leading_zeros (A, W));
do_CTTZ: SET (count_trailing_zeros (A, W));
do_BSWAP: SET (__builtin_bswap64 (A) >> (64 - W));
do_TRUNC: if (UNLIKELY (W == 64 && A >= OBJECT_BASE)) layout_note_one (vm, i, A, 0); SET (low_bits (A, i->sub));
do_SEXT: SET (low_bits ((u64)sign_extend (A, W), i->sub));
do_FADD: SET (float_binary ('+', A, B, W));
do_FSUB: SET (float_binary ('-', A, B, W));
do_FMUL: SET (float_binary ('*', A, B, W));
do_FDIV: SET (float_binary ('/', A, B, W));
do_FREM: SET (float_binary ('%', A, B, W));
do_FNEG: SET (A ^ 1ull << (W - 1));
do_FCMP: SET (float_compare (i->sub, A, B, W));
do_FPTOSI: SET (float_to_signed (float_of (A, W), i->sub));
do_FPTOUI: SET (float_to_unsigned (float_of (A, W), i->sub));
do_SITOFP: SET (signed_to_float (sign_extend (A, W), i->sub));
do_UITOFP: SET (unsigned_to_float (A, i->sub));
do_FPCONV: SET (float_bits (float_of (A, W), i->sub));
do_SELECT: SET (A ? B : VALUE (i->c));
do_PAIR: SET (pair_intern (vm, (Pair){A, B}));
do_LOW: SET (pair_of (vm, A).low);
do_HIGH: SET (pair_of (vm, A).high);
  /* clang-format on */

do_INDEX:
  if (UNLIKELY (index_is_far (B, VALUE (i->c)))) SET (vm_address_far_from (vm, A, B, VALUE (i->c)));
  SET (A + B * VALUE (i->c));
do_ALLOCA:
  SYNC;
  if (UNLIKELY (!step_alloca (vm, i, A, &value))) goto stop;
  SET (value);
do_TLS:
  value = objects_intern_global (vm, r->tid, (u32)i->b);
  SET (vm->facts->objects.list.data[value].base);
do_UNDEF:
  SYNC;
  DST = A;
  r->origin = (Undefined){0};
  undefined_result (vm, i, ~0ull >> (64 - W));
  table = followed_labels;
  NEXT;
do_LOAD:
  SYNC;
  if (!access_load (vm, i, A, &value)) goto stop;
  DST = value;
  if (UNLIKELY (r->load_undefined)) {
    undefined_result (vm, i, r->load_undefined);
    r->load_undefined = 0;
    table = followed_labels;
  }
  NEXT;
do_STORE:
  SYNC;
  if (!access_store (vm, i, A, B)) goto stop;
  NEXT;
do_RMW:
  SYNC;
  if (!access_atomic (vm, i,
                      (Effect){.kind = EFF_RMW,
                               .order = i->order,
                               .size = W,
                               .rmw = i->sub,
                               .addr = A,
                               .value = B & SIZE_MASK (W)},
                      "an update", &value))
    goto stop;
  SET (value);
do_CAS:
  SYNC;
  if (UNLIKELY (i->flags & INSN_WEAK)) vm_is_lifted (vm, ASSUMPTION_SPURIOUS_FAILURES);
  if (!access_atomic (vm, i,
                      (Effect){.kind = EFF_CAS,
                               .order = i->order,
                               .order_fail = i->order2,
                               .size = W,
                               .addr = A,
                               .expected = B & SIZE_MASK (W),
                               .value = VALUE (i->c) & SIZE_MASK (W)},
                      "an update", &value))
    goto stop;
  SET (value);
do_FENCE:
  SYNC;
  stop_at (vm, i, (Effect){.kind = EFF_FENCE, .order = i->order});
  goto stop;

do_JMP:
  JUMP (i->b);
do_BR:
  JUMP (A ? i->b : i->c);
do_SWITCH:
  JUMP (switch_target (frame->fn, i, A));
do_CALL:
  SYNC;
  if (UNLIKELY (steps > max_steps)) goto endless;
  if (UNLIKELY (!step_call (vm, i, regs))) goto stop;
  goto enter;
do_RETVAL:
  value = (u32)i->b <= r->result_count ? r->results[i->b - 1] : 0;
  if (UNLIKELY ((u32)i->b <= r->result_count && r->result_undefined[i->b - 1])) {
    undefined_result (vm, i, r->result_undefined[i->b - 1]);
    table = followed_labels;
  }
  SET (value);
do_RET:
  SYNC;
  if (!step_return (vm, i, regs)) goto stop;
  goto enter;
do_BUILTIN: {
  u64 args[16];
  SYNC;
  u32 count = i->nargs < ARRAY_SIZE (args) ? i->nargs : (u32)ARRAY_SIZE (args);
  for (u32 k = 0; k < count; k++) args[k] = VALUE (frame->fn->args.data[i->first + k]);
  if (!builtin_run (vm, i, args, &value)) goto stop;
  if (UNLIKELY (vm->options.dependencies)) track_builtin (vm, i);
  if (UNLIKELY (insn_leaves_frame (i))) goto enter;
  if (i->dst >= 0) DST = value;
  NEXT;
}
do_SPIN:
  SYNC;
  if (UNLIKELY (!step_spin (vm, i, regs))) goto stop;
  NEXT;
do_UNREACHABLE:
  SYNC;
  stop_error (vm, FINDING_UNREACHABLE, finding_kind_meaning (FINDING_UNREACHABLE));
  goto stop;
do_UNSUPPORTED:
  SYNC;
  stop_unsupported (vm, vm->program->strings.data[i->b]);
  goto stop;

division_by_zero:
  SYNC;
  stop_error (vm, FINDING_DIVISION_BY_ZERO, finding_kind_meaning (FINDING_DIVISION_BY_ZERO));
  goto stop;
overflow:
  SYNC;
  if (i->flags & INSN_WRAPS) {
    vm_note_assumed (vm, ASSUMPTION_OVERFLOW_WRAPS);
    SET (low_bits (wrapped (i, A, B), W));
  }
  step_overflow (vm, i, A, i->op == OP_INRANGE ? 0 : B);
  goto stop;
endless:
  SYNC;
  if (!vm->laps.visits) {
    laps_begin (vm);
    max_steps = vm->options.max_steps;
    DISPATCH;
  }
  step_endless (vm);
stop:
  vm->laps.visits = 0;
  vm->stats.instructions += steps;
}

void vm_run (Vm *vm) {
  run (vm);
  if (UNLIKELY (vm->options.dependencies)) track_effect (vm);
  if (!vm->run.effect.pos) vm->run.effect.pos = run_position (vm);
}
