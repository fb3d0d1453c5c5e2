/* riscv.c - RISC-V. */
#include <stdlib.h>

#include "litmus/asm/asm.h"

static bool find_register (const char *name, size_t n, AsmRegister *out) {
  static const char *const names[] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                      "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                      "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                      "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  char text[8], *end;
  *out = (AsmRegister){ASM_NONE, 64};
  for (u32 i = 0; i < ARRAY_SIZE (names); i++)
    if (asm_word_is (name, n, names[i])) out->number = (i32)i;
  if (out->number == ASM_NONE) {
    if (n < 2 || n >= sizeof text || (*name != 'x' && *name != 'X')) return false;
    memcpy (text, name + 1, n - 1);
    text[n - 1] = 0;
    if (*text < '0' || *text > '9') return false;
    out->number = (i32)strtol (text, &end, 10);
    if (*end || out->number > 31) return false;
  }
  if (!out->number) out->number = ASM_ZERO;
  return true;
}

/* fence rw,w; accesses of devices (i, o) are not there. */
static u32 fence_set (const AsmOperand *o) {
  u32 set = 0;
  for (size_t i = 0; i < o->length; i++) {
    char c = o->word[i];
    if (!strchr ("rwioRWIO", c)) return UINT32_MAX;
    set |= c == 'r' || c == 'R' ? 1 : c == 'w' || c == 'W' ? 2 : 0;
  }
  return set;
}

static bool emit_fence (AsmThread *t, const AsmLine *l) {
  static const char *const events[4][4] = {
      [1] = {NULL, "fence.r.r", "fence.r.w", "fence.r.rw"},
      [2] = {NULL, "fence.w.r", "fence.w.w", "fence.w.rw"},
      [3] = {NULL, "fence.rw.r", "fence.rw.w", "fence.rw.rw"},
  };
  u32 before = fence_set (&l->operands[0]), after = fence_set (&l->operands[1]);
  if (before > 3 || after > 3) return asm_fail (t, "such a fence is not known");
  return !events[before][after] || asm_fence (t, events[before][after]);
}

/* bne rs1,rs2,label by op; beqz rs,label */
static bool emit_branch (AsmThread *t, const AsmLine *l) {
  AsmValue other = l->count == 3 ? asm_value_of (&l->operands[1]) : (AsmValue){"0"};
  asm_compare (t, asm_value_of (&l->operands[0]), other, 64);
  return asm_emit_branch (t, l);
}

/* amoadd.w rd,rs2,(rs1) */
static bool emit_atomic (AsmThread *t, const AsmLine *l) {
  u32 result = asm_result (t, &l->operands[0]), bytes = asm_bytes (l);
  AsmValue address = asm_address (t, &l->operands[2]), value = asm_value_of (&l->operands[1]);
  if (!asm_update (t, l->row->op, l->row->events, bytes, result, address, value)) return false;
  if (bytes == 4) asm_code (t, "r%u = sext.32.64 r%u", result, result);
  return true;
}

/* addw and its like: 32 bits, sign-extended */
static bool emit_word (AsmThread *t, const AsmLine *l) {
  u32 result = asm_result (t, &l->operands[0]);
  asm_code (t, "r%u = %s.32 %s, %s", result, l->row->op, asm_value_of (&l->operands[1]).text,
            asm_value_of (&l->operands[2]).text);
  asm_code (t, "r%u = sext.32.64 r%u", result, result);
  return true;
}

#define LOADS(name, bytes, flags)                                                                  \
  {name, "rm", asm_emit_load, NULL, "R", bytes, flags},                                            \
      {name ".aq", "rm", asm_emit_load, NULL, "R.aq", bytes, flags},                               \
      {name ".rl", "rm", asm_emit_load, NULL, "R.rl", bytes, flags},                               \
      {name ".aq.rl", "rm", asm_emit_load, NULL, "R.aqrl", bytes, flags}, {                        \
    name ".aqrl", "rm", asm_emit_load, NULL, "R.aqrl", bytes, flags                                \
  }
#define STORES(name, shapes, emit, bytes, flags)                                                   \
  {name, shapes, emit, NULL, "W", bytes, flags},                                                   \
      {name ".aq", shapes, emit, NULL, "W.aq", bytes, flags},                                      \
      {name ".rl", shapes, emit, NULL, "W.rl", bytes, flags},                                      \
      {name ".aq.rl", shapes, emit, NULL, "W.aqrl", bytes, flags}, {                               \
    name ".aqrl", shapes, emit, NULL, "W.aqrl", bytes, flags                                       \
  }
#define AMO(name, op, bytes)                                                                       \
  {name, "rrm", emit_atomic, op, "R.amo W", bytes, 0},                                             \
      {name ".aq", "rrm", emit_atomic, op, "R.amo.aq W", bytes, 0},                                \
      {name ".rl", "rrm", emit_atomic, op, "R.amo.rl W", bytes, 0},                                \
      {name ".aq.rl", "rrm", emit_atomic, op, "R.amo.aqrl W", bytes, 0},                           \
      {name ".aqrl", "rrm", emit_atomic, op, "R.amo.aqrl W", bytes, 0}
#define AMOS(name, op) AMO (name ".w", op, 4), AMO (name ".d", op, 8)
#define COMPUTES(name, op)                                                                         \
  {name, "rrr", asm_emit_compute, op, NULL, 0, ASM_COMPUTES}, {                                    \
    name "i", "rrn", asm_emit_compute, op, NULL, 0, ASM_COMPUTES                                   \
  }
#define BRANCH(name, op) {name, "rrw", emit_branch, op, NULL, 0, 0}

static const AsmRow rows[] = {
    {"nop", "", asm_emit_nothing, NULL, NULL, 0, 0},
    LOADS ("lw", 4, ASM_SIGNED),
    LOADS ("lwu", 4, 0),
    LOADS ("ld", 8, 0),
    LOADS ("lh", 2, ASM_SIGNED),
    LOADS ("lhu", 2, 0),
    LOADS ("lb", 1, ASM_SIGNED),
    LOADS ("lbu", 1, 0),
    LOADS ("lr.w", 4, ASM_SIGNED | ASM_RESERVES),
    LOADS ("lr.d", 8, ASM_RESERVES),
    STORES ("sw", "rm", asm_emit_store, 4, 0),
    STORES ("sd", "rm", asm_emit_store, 8, 0),
    STORES ("sh", "rm", asm_emit_store, 2, 0),
    STORES ("sb", "rm", asm_emit_store, 1, 0),
    STORES ("sc.w", "rrm", asm_emit_conditional, 4, ASM_CONDITIONAL),
    STORES ("sc.d", "rrm", asm_emit_conditional, 8, ASM_CONDITIONAL),
    AMOS ("amoswap", "xchg"),
    AMOS ("amoadd", "add"),
    AMOS ("amoand", "and"),
    AMOS ("amoor", "or"),
    AMOS ("amoxor", "xor"),
    AMOS ("amomax", "max"),
    AMOS ("amomin", "min"),
    AMOS ("amomaxu", "umax"),
    AMOS ("amominu", "umin"),
    {"fence", "ww", emit_fence, NULL, NULL, 0, 0},
    {"fence", "", asm_emit_fence, NULL, "fence.rw.rw", 0, 0},
    {"fence.tso", "", asm_emit_fence, NULL, "fence.tso", 0, 0},
    {"fence.i", "", asm_emit_nothing, NULL, NULL, 0,
     0}, /* of fetches, which are no accesses here */
    {"li", "rn", asm_emit_move, NULL, NULL, 0, ASM_COMPUTES},
    {"mv", "rr", asm_emit_move, NULL, NULL, 0, ASM_COMPUTES},
    COMPUTES ("add", "add"),
    COMPUTES ("and", "and"),
    COMPUTES ("or", "or"),
    COMPUTES ("xor", "xor"),
    COMPUTES ("sll", "shl"),
    COMPUTES ("srl", "lshr"),
    COMPUTES ("sra", "ashr"),
    COMPUTES ("slt", "slt"),
    {"sub", "rrr", asm_emit_compute, "sub", NULL, 0, ASM_COMPUTES},
    {"mul", "rrr", asm_emit_compute, "mul", NULL, 0, ASM_COMPUTES},
    {"addw", "rrr", emit_word, "add", NULL, 0, ASM_COMPUTES},
    {"addiw", "rrn", emit_word, "add", NULL, 0, ASM_COMPUTES},
    {"subw", "rrr", emit_word, "sub", NULL, 0, ASM_COMPUTES},
    BRANCH ("beq", "eq"),
    BRANCH ("bne", "ne"),
    BRANCH ("blt", "slt"),
    BRANCH ("bge", "<sle"),
    BRANCH ("bltu", "ult"),
    BRANCH ("bgeu", "<ule"),
    {"beqz", "rw", emit_branch, "eq", NULL, 0, 0},
    {"bnez", "rw", emit_branch, "ne", NULL, 0, 0},
    {"j", "w", asm_emit_jump, NULL, NULL, 0, 0},
};

const AsmDialect litmus_riscv = {
    .name = "RISCV",
    .target = "riscv",
    .model = "riscv",
    .rows = rows,
    .row_count = ARRAY_SIZE (rows),
    .find_register = find_register,
    .status_orders = true,
    .forwards_in_order = true,
};
