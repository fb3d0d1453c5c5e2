#include "core/core.h"

const char *order_name (Order o) {
  static const char *const names[] = {
#define ORDER(name, text) text,
#include "core/order.def"
#undef ORDER
  };
  return names[o];
}

Order order_join (Order a, Order b) {
  if ((a == ORD_ACQ && b == ORD_REL) || (a == ORD_REL && b == ORD_ACQ)) return ORD_ACQ_REL;
  return a > b ? a : b;
}

const char *rmw_name (RmwOp op) {
  static const char *const names[] = {
#define RMW(name, text) text,
#include "core/rmw.def"
#undef RMW
  };
  return names[op];
}

const char *finding_kind_name (FindingKind kind) {
  static const char *const names[] = {
#define FINDING(name, text, meaning) text,
#include "core/finding.def"
#undef FINDING
  };
  return names[kind];
}

const char *finding_kind_meaning (FindingKind kind) {
  static const char *const meanings[] = {
#define FINDING(name, text, meaning) meaning,
#include "core/finding.def"
#undef FINDING
  };
  return meanings[kind];
}

AssumptionInfo assumption_info (Assumption a) {
  static const AssumptionInfo rows[] = {
#define ASSUMPTION(id, word, text, option) {word, text, option},
#include "core/assumption.def"
#undef ASSUMPTION
  };
  return rows[a];
}

static i64 sign_extended (u64 v, u32 size) {
  u32 shift = size < 8 ? 64 - 8 * size : 0; /* 16: a pair, see vm.h */
  return (i64)(v << shift) >> shift;
}

u64 rmw_apply (RmwOp op, u64 old, u64 operand, u32 size) {
  i64 a = sign_extended (old, size), b = sign_extended (operand, size);
  u64 result = 0;
  switch (op) {
  case RMW_XCHG:
    result = operand;
    break;
  case RMW_ADD:
    result = old + operand;
    break;
  case RMW_SUB:
    result = old - operand;
    break;
  case RMW_AND:
    result = old & operand;
    break;
  case RMW_OR:
    result = old | operand;
    break;
  case RMW_XOR:
    result = old ^ operand;
    break;
  case RMW_NAND:
    result = ~(old & operand);
    break;
  case RMW_MAX:
    result = a > b ? old : operand;
    break;
  case RMW_MIN:
    result = a < b ? old : operand;
    break;
  case RMW_UMAX:
    result = old > operand ? old : operand;
    break;
  case RMW_UMIN:
    result = old < operand ? old : operand;
    break;
  case RMW_TAKE:
    result = old ? old - operand : 0;
    break;
  }
  return result & SIZE_MASK (size);
}

bool effect_equal (const Effect *a, const Effect *b) {
  return a->kind == b->kind && a->order == b->order && a->order_fail == b->order_fail &&
         a->size == b->size && a->rmw == b->rmw && a->error == b->error &&
         a->is_volatile == b->is_volatile && a->in_spin == b->in_spin &&
         a->is_unused == b->is_unused && a->pos == b->pos && a->func == b->func &&
         a->child == b->child && a->addr == b->addr && a->value == b->value &&
         a->expected == b->expected && a->whole_addr == b->whole_addr &&
         a->whole_size == b->whole_size && a->is_merge == b->is_merge &&
         a->undefined.bits == b->undefined.bits && a->text == b->text && a->place == b->place &&
         !memcmp (a->deps, b->deps, sizeof a->deps);
}
