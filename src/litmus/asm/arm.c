/* arm.c - ARM, 32 bits: the instructions of Armv7 and Armv8, by the events of Armv8. */
#include <stdlib.h>

#include "litmus/asm/asm.h"

static bool find_register (const char *name, size_t n, AsmRegister *out) {
  char text[8], *end;
  *out = (AsmRegister){12, 32};
  if (asm_word_is (name, n, "ip")) return true;
  if (n < 2 || n >= sizeof text || (*name != 'R' && *name != 'r')) return false;
  memcpy (text, name + 1, n - 1);
  text[n - 1] = 0;
  if (*text < '0' || *text > '9') return false;
  out->number = (i32)strtol (text, &end, 10);
  return !*end && out->number <= 12;
}

static bool emit_barrier (AsmThread *t, const AsmLine *l) {
  static const char *const kinds[][2] = {{"sy", "dmb.sy"}, {"ish", "dmb.sy"},
                                         {"st", "dmb.st"}, {"ishst", "dmb.st"},
                                         {"ld", "dmb.ld"}, {"ishld", "dmb.ld"}};
  const AsmOperand *o = &l->operands[0];
  if (!l->count) return asm_fence (t, "dmb.sy");
  for (u32 i = 0; i < ARRAY_SIZE (kinds); i++)
    if (asm_word_is (o->word, o->length, kinds[i][0])) return asm_fence (t, kinds[i][1]);
  return asm_fail (t, "the kind `%.*s` of barriers is not known", (int)o->length, o->word);
}

static const AsmRow rows[] = {
    {"nop", "", asm_emit_nothing, NULL, NULL, 0, 0},
    {"ldr", "rm", asm_emit_load, NULL, "R", 4, 0},
    {"ldrb", "rm", asm_emit_load, NULL, "R", 1, 0},
    {"ldrh", "rm", asm_emit_load, NULL, "R", 2, 0},
    {"lda", "rm", asm_emit_load, NULL, "R.acq", 4, 0},
    {"ldrex", "rm", asm_emit_load, NULL, "R", 4, ASM_RESERVES},
    {"ldaex", "rm", asm_emit_load, NULL, "R.acq", 4, ASM_RESERVES},
    {"str", "rm", asm_emit_store, NULL, "W", 4, 0},
    {"strb", "rm", asm_emit_store, NULL, "W", 1, 0},
    {"strh", "rm", asm_emit_store, NULL, "W", 2, 0},
    {"stl", "rm", asm_emit_store, NULL, "W.rel", 4, 0},
    {"strex", "rrm", asm_emit_conditional, NULL, "W", 4, ASM_CONDITIONAL},
    {"stlex", "rrm", asm_emit_conditional, NULL, "W.rel", 4, ASM_CONDITIONAL},
    {"dmb", "", emit_barrier, NULL, NULL, 0, 0},
    {"dmb", "w", emit_barrier, NULL, NULL, 0, 0},
    {"dsb", "", emit_barrier, NULL, NULL, 0, 0},
    {"isb", "", asm_emit_fence, NULL, "isb", 0, 0},
    {"mov", "rv", asm_emit_move, NULL, NULL, 0, ASM_COMPUTES},
    {"movw", "rv", asm_emit_move, NULL, NULL, 0, ASM_COMPUTES},
    {"add", "rrv", asm_emit_compute, "add", NULL, 0, ASM_COMPUTES},
    {"sub", "rrv", asm_emit_compute, "sub", NULL, 0, ASM_COMPUTES},
    {"and", "rrv", asm_emit_compute, "and", NULL, 0, ASM_COMPUTES},
    {"orr", "rrv", asm_emit_compute, "or", NULL, 0, ASM_COMPUTES},
    {"eor", "rrv", asm_emit_compute, "xor", NULL, 0, ASM_COMPUTES},
    {"cmp", "rv", asm_emit_compare, NULL, NULL, 0, 0},
    ASM_BRANCHES,
};

const AsmDialect litmus_arm = {
    .name = "ARM",
    .target = "armv8",
    .model = "armv8",
    .rows = rows,
    .row_count = ARRAY_SIZE (rows),
    .find_register = find_register,
};
