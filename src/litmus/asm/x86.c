/* x86.c - x86: X86 in Intel's order of operands, X86_64 in AT&T's. A locked instruction is one
 * read-modify-write; others that read and write memory are a load and a store. */
#include "litmus/asm/asm.h"

static bool find_register (const char *name, size_t n, AsmRegister *out) {
  static const char *const names[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};
  static const char *const numbered[] = {"8", "9", "10", "11", "12", "13", "14", "15"};
  bool is_wide = *name == 'r' || *name == 'R';
  if (n < 2 || (!is_wide && *name != 'e' && *name != 'E')) return false;
  out->bits = is_wide ? 64 : 32;
  for (u32 i = 0; i < ARRAY_SIZE (names); i++)
    if (asm_word_is (name + 1, n - 1, names[i])) {
      out->number = (i32)i;
      return true;
    }
  bool is_half = is_wide && (name[n - 1] == 'd' || name[n - 1] == 'D');
  if (is_half) out->bits = 32;
  for (u32 i = 0; is_wide && i < ARRAY_SIZE (numbered); i++)
    if (asm_word_is (name + 1, n - 1 - is_half, numbered[i])) {
      out->number = (i32)(8 + i);
      return true;
    }
  return false;
}

/* MOV [x],V */
static bool emit_store (AsmThread *t, const AsmLine *l) {
  AsmLine turned = *l;
  turned.operands[0] = l->operands[1];
  turned.operands[1] = l->operands[0];
  return asm_emit_store (t, &turned);
}

static u32 load (AsmThread *t, const AsmLine *l, const AsmOperand *from) {
  u32 to = asm_temporary (t);
  AsmValue address = asm_address (t, from);
  asm_code (t, "r%u = load.%u %s %s", to, asm_bytes (l), asm_order (t, ASM_LOAD, "R"),
            address.text);
  return to;
}

static void compute (AsmThread *t, const AsmLine *l, u32 to, AsmValue a, AsmValue b) {
  asm_code (t, "r%u = %s.%u %s, %s", to, l->row->op, asm_bits (l), a.text, b.text);
  asm_compare (t, asm_value_in ((i32)to), (AsmValue){"0"}, asm_bits (l));
}

static const AsmValue one = {"1"};

static AsmValue second (const AsmLine *l) {
  return l->count == 2 ? asm_value_of (&l->operands[1]) : one;
}

/* ADD EAX,V   INC EAX */
static bool emit_compute (AsmThread *t, const AsmLine *l) {
  compute (t, l, (u32)l->operands[0].reg.number, asm_value_of (&l->operands[0]), second (l));
  return true;
}

/* ADD EAX,[x] */
static bool emit_compute_from (AsmThread *t, const AsmLine *l) {
  u32 value = load (t, l, &l->operands[1]);
  compute (t, l, (u32)l->operands[0].reg.number, asm_value_of (&l->operands[0]),
           asm_value_in ((i32)value));
  return true;
}

/* ADD [x],V   INC [x] */
static bool emit_compute_to (AsmThread *t, const AsmLine *l) {
  u32 value = load (t, l, &l->operands[0]);
  compute (t, l, value, asm_value_in ((i32)value), second (l));
  AsmValue address = asm_address (t, &l->operands[0]);
  asm_code (t, "store.%u %s %s, r%u", asm_bytes (l), asm_order (t, ASM_STORE, "W"), address.text,
            value);
  return true;
}

/* LOCK ADD [x],V   LOCK INC [x] */
static bool emit_locked (AsmThread *t, const AsmLine *l) {
  u32 old = asm_temporary (t), new = asm_temporary (t);
  if (!asm_update (t, l->row->op, l->row->events, asm_bytes (l), old,
                   asm_address (t, &l->operands[0]), second (l)))
    return false;
  compute (t, l, new, asm_value_in ((i32)old), second (l));
  return true;
}

/* XCHG [x],EAX   LOCK XADD [x],EAX */
static bool exchange (AsmThread *t, const AsmLine *l, const AsmOperand *memory,
                      const AsmOperand *reg) {
  return asm_update (t, l->row->op, l->row->events, asm_bytes (l), (u32)reg->reg.number,
                     asm_address (t, memory), asm_value_of (reg));
}
static bool emit_exchange (AsmThread *t, const AsmLine *l) {
  return exchange (t, l, &l->operands[0], &l->operands[1]);
}
static bool emit_exchange_turned (AsmThread *t, const AsmLine *l) {
  return exchange (t, l, &l->operands[1], &l->operands[0]);
}

/* LOCK CMPXCHG [x],EBX: compares with EAX, which gets the old value; equal if it was stored. */
static bool emit_cmpxchg (AsmThread *t, const AsmLine *l) {
  u32 old = asm_temporary (t);
  AsmValue a = asm_value_in (0);
  if (!asm_compare_exchange (t, l->row->events, asm_bytes (l), old,
                             asm_address (t, &l->operands[0]), a, asm_value_of (&l->operands[1])))
    return false;
  asm_compare (t, a, asm_value_in ((i32)old), asm_bits (l));
  asm_code (t, "r0 = mov r%u", old);
  return true;
}

static bool emit_compare_from (AsmThread *t, const AsmLine *l) {
  u32 value = load (t, l, &l->operands[1]);
  asm_compare (t, asm_value_of (&l->operands[0]), asm_value_in ((i32)value), asm_bits (l));
  return true;
}

static bool emit_compare_to (AsmThread *t, const AsmLine *l) {
  u32 value = load (t, l, &l->operands[0]);
  asm_compare (t, asm_value_in ((i32)value), asm_value_of (&l->operands[1]), asm_bits (l));
  return true;
}

#define COMPUTES(name, op)                                                                         \
  {name, "rv", emit_compute, op, NULL, 0, 0}, {name, "rm", emit_compute_from, op, NULL, 0, 0},     \
      {name, "mv", emit_compute_to, op, NULL, 0, 0},                                               \
      {"lock " name, "mv", emit_locked, op, "R W", 0, 0}
#define COUNTS(name, op)                                                                           \
  {name, "r", emit_compute, op, NULL, 0, 0}, {name, "m", emit_compute_to, op, NULL, 0, 0},         \
      {"lock " name, "m", emit_locked, op, "R W", 0, 0}
#define BRANCH(name, op) {name, "w", asm_emit_branch, op, NULL, 0, 0}

/* Branches after ADD and its like: only on zero, since these compare their result with 0. */
static const AsmRow rows[] = {
    {"nop", "", asm_emit_nothing, NULL, NULL, 0, 0},
    {"mov", "rm", asm_emit_load, NULL, "R", 0, 0},
    {"mov", "rv", asm_emit_move, NULL, NULL, 0, 0},
    {"mov", "mv", emit_store, NULL, "W", 0, 0},
    {"xchg", "mr", emit_exchange, "xchg", "R W", 0, 0},
    {"xchg", "rm", emit_exchange_turned, "xchg", "R W", 0, 0},
    {"lock xchg", "mr", emit_exchange, "xchg", "R W", 0, 0},
    {"lock xadd", "mr", emit_exchange, "add", "R W", 0, 0},
    {"lock cmpxchg", "mr", emit_cmpxchg, NULL, "R W", 0, 0},
    {"mfence", "", asm_emit_fence, NULL, "mfence", 0, 0},
    {"lfence", "", asm_emit_nothing, NULL, NULL, 0, 0}, /* loads and stores are in order anyway */
    {"sfence", "", asm_emit_nothing, NULL, NULL, 0, 0},
    COMPUTES ("add", "add"),
    COMPUTES ("sub", "sub"),
    COMPUTES ("and", "and"),
    COMPUTES ("or", "or"),
    COMPUTES ("xor", "xor"),
    COUNTS ("inc", "add"),
    COUNTS ("dec", "sub"),
    {"cmp", "rv", asm_emit_compare, NULL, NULL, 0, 0},
    {"cmp", "rm", emit_compare_from, NULL, NULL, 0, 0},
    {"cmp", "mv", emit_compare_to, NULL, NULL, 0, 0},
    {"jmp", "w", asm_emit_jump, NULL, NULL, 0, 0},
    BRANCH ("je", "eq"),
    BRANCH ("jz", "eq"),
    BRANCH ("jne", "ne"),
    BRANCH ("jnz", "ne"),
};

const AsmDialect litmus_x86 = {
    .name = "X86",
    .target = "x86",
    .model = "tso",
    .rows = rows,
    .row_count = ARRAY_SIZE (rows),
    .find_register = find_register,
    .names_locations = true,
};
const AsmDialect litmus_x86_64 = {
    .name = "X86_64",
    .target = "x86",
    .model = "tso",
    .rows = rows,
    .row_count = ARRAY_SIZE (rows),
    .find_register = find_register,
    .names_locations = true,
    .source_is_first = true,
};
