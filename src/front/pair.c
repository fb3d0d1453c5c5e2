/* pair.c - integers of 128 bits: two registers, the lower half first.
 *
 * Plain loads, stores, phis, selects, calls and returns need nothing special, as for a struct of
 * two. Atomic accesses pass such values as one number that stands for the pair (OP_PAIR). What is
 * not here is refused by name.
 */
#include <stdlib.h>
#include "front/lower.h"

typedef struct Halves {
  Operand low, high;
} Halves;

static bool is_pair (LLVMValueRef v) { return layout_is_pair (LLVMTypeOf (v)); }

bool lower_uses_pair (LLVMValueRef i) {
  if (is_pair (i)) return true;
  for (u32 k = 0; k < (u32)LLVMGetNumOperands (i); k++)
    if (is_pair (LLVMGetOperand (i, k))) return true;
  return false;
}

void constant_pair (LLVMValueRef v, u64 *low, u64 *high) {
  *low = *high = 0;
  if (!LLVMIsAConstantInt (v)) return; /* undefined */
  char *text = LLVMPrintValueToString (v), *at = strchr (text, ' ');
  bool is_negative = at && at[1] == '-';
  for (at = at ? at + 1 + is_negative : text; *at >= '0' && *at <= '9'; at++) {
    unsigned __int128 value = ((unsigned __int128)*high << 64 | *low) * 10 + (u32)(*at - '0');
    *low = (u64)value;
    *high = (u64)(value >> 64);
  }
  if (is_negative) {
    *low = -*low;
    *high = ~*high + !*low;
  }
  LLVMDisposeMessage (text);
}

static Halves halves (Lower *l, LLVMValueRef v) {
  Range r = lower_value (l, v);
  if (r.count == 2) return (Halves){range_get (l, r, 0), range_get (l, r, 1)};
  Operand zero = emit_int (l, 0);
  return (Halves){zero, zero};
}

static void define (Lower *l, LLVMValueRef i, Operand low, Operand high) {
  Range r = range_start (l);
  range_add (l, &r, low);
  range_add (l, &r, high);
  lower_define (l, i, r);
}

static Operand bin (Lower *l, Op op, Operand a, Operand b) { return emit_bin (l, op, 64, a, b); }

/* ---- arithmetic */

static void add (Lower *l, LLVMValueRef i, Halves a, Halves b) {
  Operand low = bin (l, OP_ADD, a.low, b.low), carry = bin (l, OP_ULT, low, a.low);
  define (l, i, low, bin (l, OP_ADD, bin (l, OP_ADD, a.high, b.high), carry));
}

static void subtract (Lower *l, LLVMValueRef i, Halves a, Halves b) {
  Operand low = bin (l, OP_SUB, a.low, b.low), borrow = bin (l, OP_ULT, a.low, b.low);
  define (l, i, low, bin (l, OP_SUB, bin (l, OP_SUB, a.high, b.high), borrow));
}

static void bitwise (Lower *l, LLVMValueRef i, Op op, Halves a, Halves b) {
  Operand low = bin (l, op, a.low, b.low);
  define (l, i, low, bin (l, op, a.high, b.high));
}

/* By a constant. Shifts of 64 bits by 64 or more give 0, or the sign. */
static bool shift (Lower *l, LLVMValueRef i, Op op, Halves a) {
  u64 by, unused;
  if (!LLVMIsAConstantInt (LLVMGetOperand (i, 1))) return false;
  constant_pair (LLVMGetOperand (i, 1), &by, &unused);
  if (!by) {
    define (l, i, a.low, a.high);
  } else if (op == OP_SHL) {
    Operand from_low = by < 64 ? bin (l, OP_LSHR, a.low, emit_int (l, 64 - by))
                               : bin (l, OP_SHL, a.low, emit_int (l, by - 64));
    Operand high = bin (l, OP_OR, bin (l, OP_SHL, a.high, emit_int (l, by)), from_low);
    define (l, i, bin (l, OP_SHL, a.low, emit_int (l, by)), high);
  } else {
    Operand from_high = by < 64 ? bin (l, OP_SHL, a.high, emit_int (l, 64 - by))
                                : bin (l, op, a.high, emit_int (l, by - 64));
    Operand low = bin (l, OP_OR, bin (l, OP_LSHR, a.low, emit_int (l, by)), from_high);
    define (l, i, low, bin (l, op, a.high, emit_int (l, by)));
  }
  return true;
}

static void compare (Lower *l, LLVMValueRef i, Halves a, Halves b) {
  LLVMIntPredicate p = LLVMGetICmpPredicate (i);
  Operand same_high = bin (l, OP_EQ, a.high, b.high);
  if (p == LLVMIntEQ || p == LLVMIntNE) {
    Operand same = bin (l, OP_AND, bin (l, OP_EQ, a.low, b.low), same_high);
    lower_define_scalar (l, i, p == LLVMIntEQ ? same : bin (l, OP_XOR, same, emit_int (l, 1)));
    return;
  }
  bool is_signed = p >= LLVMIntSGT;
  bool is_swapped = p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
  bool or_equal = p == LLVMIntUGE || p == LLVMIntULE || p == LLVMIntSGE || p == LLVMIntSLE;
  Halves x = is_swapped ? b : a, y = is_swapped ? a : b;
  Operand less = bin (l, is_signed ? OP_SLT : OP_ULT, x.high, y.high);
  Operand less_low = bin (l, or_equal ? OP_ULE : OP_ULT, x.low, y.low);
  lower_define_scalar (l, i, bin (l, OP_OR, less, bin (l, OP_AND, same_high, less_low)));
}

static bool widen (Lower *l, LLVMValueRef i, bool is_signed) {
  u32 from = value_width (LLVMGetOperand (i, 0));
  if (!from) return false;
  Operand low = lower_scalar (l, LLVMGetOperand (i, 0));
  if (is_signed && from < 64) low = emit_cast (l, OP_SEXT, from, 64, low);
  define (l, i, low, is_signed ? bin (l, OP_ASHR, low, emit_int (l, 63)) : emit_int (l, 0));
  return true;
}

static bool narrow (Lower *l, LLVMValueRef i) {
  u32 to = value_width (i);
  if (!to) return false;
  Operand low = halves (l, LLVMGetOperand (i, 0)).low;
  lower_define_scalar (l, i, to < 64 ? emit_cast (l, OP_TRUNC, 64, to, low) : low);
  return true;
}

/* ---- atomic accesses */

static Operand pack (Lower *l, Halves h) { return bin (l, OP_PAIR, h.low, h.high); }

static Halves unpack (Lower *l, Operand pair) {
  Operand low = emit_un (l, OP_LOW, 64, pair);
  return (Halves){low, emit_un (l, OP_HIGH, 64, pair)};
}

enum { PAIR_BYTES = 16 };
static u8 flags_of (LLVMValueRef i) { return LLVMGetVolatile (i) ? INSN_VOLATILE : 0; }

static bool load (Lower *l, LLVMValueRef i) {
  Order order = (Order)lower_orders[LLVMGetOrdering (i)];
  if (order == ORD_NA) return false;
  Operand a = lower_scalar (l, LLVMGetOperand (i, 0));
  Halves h = unpack (l, emit_load (l, PAIR_BYTES, a, order, flags_of (i)));
  define (l, i, h.low, h.high);
  return true;
}

static bool store (Lower *l, LLVMValueRef i) {
  Order order = (Order)lower_orders[LLVMGetOrdering (i)];
  if (order == ORD_NA) return false;
  Operand value = pack (l, halves (l, LLVMGetOperand (i, 0)));
  emit_store (l, PAIR_BYTES, lower_scalar (l, LLVMGetOperand (i, 1)), value, order, flags_of (i));
  return true;
}

static bool exchange (Lower *l, LLVMValueRef i) {
  if (LLVMGetAtomicRMWBinOp (i) != LLVMAtomicRMWBinOpXchg) {
    emit_unsupported (l, "an atomic update of 16 bytes other than an exchange");
    return true;
  }
  Operand a = lower_scalar (l, LLVMGetOperand (i, 0));
  Operand b = pack (l, halves (l, LLVMGetOperand (i, 1)));
  Insn *rmw = emit (l, OP_RMW);
  rmw->width = PAIR_BYTES;
  rmw->sub = RMW_XCHG;
  rmw->order = lower_orders[LLVMGetOrdering (i)];
  rmw->flags = flags_of (i);
  rmw->a = a;
  rmw->b = b;
  Halves old = unpack (l, rmw->dst = emit_reg (l));
  define (l, i, old.low, old.high);
  return true;
}

static bool compare_exchange (Lower *l, LLVMValueRef i) {
  Operand a = lower_scalar (l, LLVMGetOperand (i, 0));
  Operand b = pack (l, halves (l, LLVMGetOperand (i, 1)));
  Operand c = pack (l, halves (l, LLVMGetOperand (i, 2)));
  Insn *cas = emit (l, OP_CAS);
  cas->width = PAIR_BYTES;
  cas->order = lower_orders[LLVMGetCmpXchgSuccessOrdering (i)];
  cas->order2 = lower_orders[LLVMGetCmpXchgFailureOrdering (i)];
  cas->flags = (u8)(flags_of (i) | (LLVMGetWeak (i) ? INSN_WEAK : 0));
  cas->a = a;
  cas->b = b;
  cas->c = c;
  Operand found = cas->dst = emit_reg (l);
  Halves old = unpack (l, found);
  Operand flag = bin (l, OP_EQ, found, b);
  Range r = range_start (l);
  range_add (l, &r, old.low);
  range_add (l, &r, old.high);
  range_add (l, &r, flag);
  lower_define (l, i, r);
  return true;
}

/* ---- one instruction with a value of this type; false if it is like any other */

static bool refuse (Lower *l) {
  emit_unsupported (l, "this operation on a 128-bit integer");
  return true;
}

static bool is_plain_call (LLVMValueRef i) {
  size_t length;
  LLVMValueRef f = LLVMGetCalledValue (i);
  return !LLVMIsAInlineAsm (f) && !lower_calls_extern (i) &&
         !(LLVMIsAFunction (f) && !strncmp (LLVMGetValueName2 (f, &length), "llvm.", 5));
}

bool lower_pair_insn (Lower *l, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode (i);
  Halves a = {0}, b = {0};
  if (LLVMIsABinaryOperator (i) || LLVMIsAICmpInst (i)) {
    a = halves (l, LLVMGetOperand (i, 0));
    b = halves (l, LLVMGetOperand (i, 1));
  }
  switch ((int)op) {
  case LLVMAdd:
    add (l, i, a, b);
    return true;
  case LLVMSub:
    subtract (l, i, a, b);
    return true;
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    bitwise (l, i, op == LLVMAnd ? OP_AND : op == LLVMOr ? OP_OR : OP_XOR, a, b);
    return true;
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
    return shift (l, i,
                  op == LLVMShl    ? OP_SHL
                  : op == LLVMLShr ? OP_LSHR
                                   : OP_ASHR,
                  a) ||
           refuse (l);
  case LLVMICmp:
    compare (l, i, a, b);
    return true;
  case LLVMZExt:
    return widen (l, i, false) || refuse (l);
  case LLVMSExt:
    return widen (l, i, true) || refuse (l);
  case LLVMTrunc:
    return narrow (l, i) || refuse (l);
  case LLVMLoad:
    return load (l, i);
  case LLVMStore:
    return store (l, i);
  case LLVMAtomicRMW:
    return exchange (l, i);
  case LLVMAtomicCmpXchg:
    return compare_exchange (l, i);
  case LLVMCall:
  case LLVMInvoke:
    return !is_plain_call (i) && refuse (l);
  case LLVMPHI:
  case LLVMSelect:
  case LLVMRet:
  case LLVMFreeze:
  case LLVMExtractValue:
  case LLVMInsertValue:
    return false;
  default:
    return refuse (l);
  }
}
