/* ppc.c - POWER. */
#include <stdlib.h>

#include "litmus/asm/asm.h"

static bool find_register (const char *name, size_t n, AsmRegister *out) {
  char text[8], *end;
  if (n < 2 || n >= sizeof text || (*name != 'r' && *name != 'R')) return false;
  memcpy (text, name + 1, n - 1);
  text[n - 1] = 0;
  if (*text < '0' || *text > '9') return false;
  *out = (AsmRegister){(i32)strtol (text, &end, 10), 64};
  return !*end && out->number <= 31;
}

/* cmpw, cmpwi, cmplwi: numbers of 32 bits; cmpd: of 64. */
static bool emit_compare (AsmThread *t, const AsmLine *l) {
  asm_compare (t, asm_value_of (&l->operands[0]), asm_value_of (&l->operands[1]),
               8u * l->row->bytes);
  return true;
}

/* addi rD,0,N or addi rD,r0,N is li rD,N. */
static bool emit_addi (AsmThread *t, const AsmLine *l) {
  AsmLine plain = *l;
  if (!l->operands[1].reg.number) plain.operands[1] = (AsmOperand){.shape = SHAPE_NUMBER};
  return asm_emit_compute (t, &plain);
}

/* subf rD,rA,rB: rB - rA */
static bool emit_subf (AsmThread *t, const AsmLine *l) {
  asm_code (t, "r%u = sub.64 %s, %s", asm_result (t, &l->operands[0]),
            asm_value_of (&l->operands[2]).text, asm_value_of (&l->operands[1]).text);
  return true;
}

#define LOAD(name, bytes, flags)                                                                   \
  {name, "rm", asm_emit_load, NULL, "R", bytes, flags}, {                                          \
    name "x", "rrr", asm_emit_load, NULL, "R", bytes, (flags) | ASM_INDEXED                        \
  }
#define STORE(name, bytes)                                                                         \
  {name, "rm", asm_emit_store, NULL, "W", bytes, 0}, {                                             \
    name "x", "rrr", asm_emit_store, NULL, "W", bytes, ASM_INDEXED                                 \
  }
#define FENCE(name, event) {name, "", asm_emit_fence, NULL, event, 0, 0}
#define COMPUTE(name, shapes, op) {name, shapes, asm_emit_compute, op, NULL, 0, ASM_COMPUTES}

static const AsmRow rows[] = {
    {"nop", "", asm_emit_nothing, NULL, NULL, 0, 0},
    LOAD ("lwz", 4, 0),
    LOAD ("lwa", 4, ASM_SIGNED),
    LOAD ("ld", 8, 0),
    LOAD ("lhz", 2, 0),
    LOAD ("lbz", 1, 0),
    STORE ("stw", 4),
    STORE ("std", 8),
    STORE ("sth", 2),
    STORE ("stb", 1),
    {"lwarx", "rrr", asm_emit_load, NULL, "R", 4, ASM_INDEXED | ASM_RESERVES},
    {"ldarx", "rrr", asm_emit_load, NULL, "R", 8, ASM_INDEXED | ASM_RESERVES},
    {"stwcx.", "rrr", asm_emit_conditional, NULL, "W", 4, ASM_INDEXED | ASM_CONDITIONAL},
    {"stdcx.", "rrr", asm_emit_conditional, NULL, "W", 8, ASM_INDEXED | ASM_CONDITIONAL},
    FENCE ("sync", "sync"),
    FENCE ("hwsync", "sync"),
    FENCE ("lwsync", "lwsync"),
    FENCE ("eieio", "eieio"),
    FENCE ("isync", "isync"),
    {"li", "rn", asm_emit_move, NULL, NULL, 0, ASM_COMPUTES},
    {"mr", "rr", asm_emit_move, NULL, NULL, 0, ASM_COMPUTES},
    {"addi", "rrn", emit_addi, "add", NULL, 0, ASM_COMPUTES},
    {"subf", "rrr", emit_subf, NULL, NULL, 0, ASM_COMPUTES},
    COMPUTE ("add", "rrr", "add"),
    COMPUTE ("sub", "rrr", "sub"),
    COMPUTE ("xor", "rrr", "xor"),
    COMPUTE ("xori", "rrn", "xor"),
    COMPUTE ("or", "rrr", "or"),
    COMPUTE ("ori", "rrn", "or"),
    COMPUTE ("and", "rrr", "and"),
    COMPUTE ("mullw", "rrr", "mul"),
    {"cmpw", "rr", emit_compare, NULL, NULL, 4, 0},
    {"cmpwi", "rn", emit_compare, NULL, NULL, 4, 0},
    {"cmpd", "rr", emit_compare, NULL, NULL, 8, 0},
    {"cmpdi", "rn", emit_compare, NULL, NULL, 8, 0},
    ASM_BRANCHES,
};

const AsmDialect litmus_ppc = {
    .name = "PPC",
    .target = "power",
    .model = "power",
    .rows = rows,
    .row_count = ARRAY_SIZE (rows),
    .find_register = find_register,
};
