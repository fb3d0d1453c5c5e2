/* insn.c - facts about single instructions, read off ops.def and builtins.def where these hold
 * them. */
#include "ir/ir_int.h"

const char *op_name (Op op) {
  static const char *const names[] = {
#define OP(name, text, form, doc) text,
#include "ir/ops.def"
#undef OP
  };
  return names[op];
}

OpForm op_form (Op op) {
  static const u8 forms[] = {
#define OP(name, text, form, doc) form,
#include "ir/ops.def"
#undef OP
  };
  return (OpForm)forms[op];
}

const char *builtin_name (Builtin b) {
  static const char *const names[] = {
#define BUILTIN(name, text, params, result, doc) text,
#include "ir/builtins.def"
#undef BUILTIN
  };
  return names[b];
}

int builtin_params (Builtin b) {
  static const signed char params_of[] = {
#define BUILTIN(name, text, params, result, doc) params,
#include "ir/builtins.def"
#undef BUILTIN
  };
  return params_of[b];
}

bool builtin_has_result (Builtin b) {
  static const bool results[] = {
#define BUILTIN(name, text, params, result, doc) result,
#include "ir/builtins.def"
#undef BUILTIN
  };
  return results[b];
}

bool builtin_returns (Builtin b) {
  return b != BUILTIN_THREAD_EXIT && b != BUILTIN_UNWIND && b != BUILTIN_ASSERT_FAIL &&
         b != BUILTIN_ABORT && b != BUILTIN_TERMINATE && b != BUILTIN_EXIT;
}

bool op_is_terminator (Op op) {
  return op == OP_JMP || op == OP_BR || op == OP_SWITCH || op == OP_RET || op == OP_UNREACHABLE ||
         op == OP_UNSUPPORTED;
}

Op op_wrapping (Op op) {
  return op == OP_SADD ? OP_ADD : op == OP_SSUB ? OP_SUB : op == OP_SMUL ? OP_MUL : op;
}

bool insn_is_pure (const Insn *i) {
  Op op = (Op)i->op;
  if (op == OP_UDIV || op == OP_SDIV || op == OP_UREM || op == OP_SREM) return false;
  if (op_wrapping (op) != op) return i->flags & INSN_WRAPS;
  if (op == OP_INRANGE) return false;
  return op_form (op) != FORM_OTHER || op == OP_TLS || op == OP_RETVAL;
}

bool op_has_result (Op op) {
  switch (op) {
#include "ir/plain_ops.h"
  case OP_ALLOCA:
  case OP_TLS:
  case OP_LOAD:
  case OP_RMW:
  case OP_CAS:
  case OP_CALL:
  case OP_RETVAL:
  case OP_BUILTIN:
    return true;
  case OP_STORE:
  case OP_FENCE:
  case OP_JMP:
  case OP_BR:
  case OP_SWITCH:
  case OP_RET:
  case OP_SPIN:
  case OP_UNREACHABLE:
  case OP_UNSUPPORTED:
    return false;
  }
  return false;
}

/* Which of a, b, c and the argument list are values. */
enum { IN_A = 1, IN_B = 2, IN_C = 4, IN_ARGS = 8 };

static u32 plain_operands (Op op) {
  switch (op_form (op)) {
  case FORM_BIN:
  case FORM_FCMP:
    return IN_A | IN_B;
  case FORM_UN:
  case FORM_CAST:
    return IN_A;
  case FORM_SELECT:
    return IN_A | IN_B | IN_C;
  case FORM_OTHER:
    break;
  }
  return 0;
}

static u32 value_operands (const Insn *i) {
  switch ((Op)i->op) {
#include "ir/plain_ops.h"
    return plain_operands ((Op)i->op);
  case OP_ALLOCA:
  case OP_LOAD:
  case OP_BR:
  case OP_SWITCH:
    return IN_A;
  case OP_STORE:
  case OP_RMW:
    return IN_A | IN_B;
  case OP_CAS:
    return IN_A | IN_B | IN_C;
  case OP_CALL:
    return i->a == OPERAND_NONE ? IN_ARGS : IN_ARGS | IN_A;
  case OP_RET:
  case OP_BUILTIN:
  case OP_SPIN:
    return IN_ARGS;
  case OP_TLS:
  case OP_FENCE:
  case OP_JMP:
  case OP_RETVAL:
  case OP_UNREACHABLE:
  case OP_UNSUPPORTED:
    return 0;
  }
  return 0;
}

void insn_operands (Function *f, Insn *i, OperandRefs *out) {
  u32 which = value_operands (i);
  out->size = 0;
  if (which & IN_A) vec_push (out, &i->a);
  if (which & IN_B) vec_push (out, &i->b);
  if (which & IN_C) vec_push (out, &i->c);
  if (which & IN_ARGS)
    for (u32 k = 0; k < i->nargs; k++) vec_push (out, &f->args.data[i->first + k]);
}

void insn_targets (Function *f, Insn *i, BlockRefs *out) {
  out->size = 0;
  if (i->op != OP_JMP && i->op != OP_BR && i->op != OP_SWITCH) return;
  vec_push (out, (u32 *)&i->b);
  if (i->op == OP_BR) vec_push (out, (u32 *)&i->c);
  if (i->op == OP_SWITCH)
    for (u32 k = 0; k < i->nargs; k++) vec_push (out, &f->cases.data[i->first + k].block);
}

void body_emit (Function *out, const Function *from, const Insn *i) {
  Insn copy = *i;
  if (i->op == OP_SWITCH) {
    copy.first = out->cases.size;
    for (u32 k = 0; k < i->nargs; k++) vec_push (&out->cases, from->cases.data[i->first + k]);
  } else if (i->nargs) {
    copy.first = out->args.size;
    for (u32 k = 0; k < i->nargs; k++) vec_push (&out->args, from->args.data[i->first + k]);
  }
  vec_push (&out->code, copy);
}

void body_replace (Function *f, Function *out) {
  vec_free (&f->code);
  vec_free (&f->blocks);
  vec_free (&f->args);
  vec_free (&f->cases);
  f->code = out->code;
  f->blocks = out->blocks;
  f->args = out->args;
  f->cases = out->cases;
}
