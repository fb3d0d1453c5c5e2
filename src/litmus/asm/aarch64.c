/* aarch64.c - AArch64: Armv8 and later, 64 bits. */
#include <stdlib.h>

#include "litmus/asm/asm.h"

static bool find_register (const char *name, size_t n, AsmRegister *out) {
  char text[8], *end;
  if (n < 2 || n >= sizeof text) return false;
  bool is_wide = *name == 'X' || *name == 'x';
  if (!is_wide && *name != 'W' && *name != 'w') return false;
  out->bits = is_wide ? 64 : 32;
  out->number = ASM_ZERO;
  if (asm_word_is (name + 1, n - 1, "zr")) return true;
  memcpy (text, name + 1, n - 1);
  text[n - 1] = 0;
  if (*text < '0' || *text > '9') return false;
  out->number = (i32)strtol (text, &end, 10);
  return !*end && out->number <= 30;
}

/* ---- fences ---- */

/* DSB ST, by which everything after it waits for stores, is more than any event of DMB. */
static bool emit_barrier (AsmThread *t, const AsmLine *l) {
  static const char *const kinds[][2] = {
      {"sy", "dmb.sy"}, {"ish", "dmb.sy"},   {"osh", "dmb.sy"},
      {"ld", "dmb.ld"}, {"ishld", "dmb.ld"}, {"oshld", "dmb.ld"},
      {"st", "dmb.st"}, {"ishst", "dmb.st"}, {"oshst", "dmb.st"},
  };
  const AsmOperand *o = &l->operands[0];
  u32 count = ARRAY_SIZE (kinds) - (l->row->op ? 3 : 0);
  for (u32 i = 0; i < count; i++)
    if (asm_word_is (o->word, o->length, kinds[i][0])) return asm_fence (t, kinds[i][1]);
  return asm_fail (t, "the kind `%.*s` of barriers is not known", (int)o->length, o->word);
}

/* ---- arithmetic ---- */

/* ADD X0,X1,X2,LSL #2   ADD X0,X1,W2,SXTW */
static bool emit_shifted (AsmThread *t, const AsmLine *l) {
  static const struct {
    const char *word, *format;
  } kinds[] = {
      {"lsl", "r%u = shl.%u %s, %u"},
      {"lsr", "r%u = lshr.%u %s, %u"},
      {"asr", "r%u = ashr.%u %s, %u"},
  };
  static const struct {
    const char *word;
    u32 bits;
    bool is_signed;
  } extensions[] = {{"uxtb", 8, false}, {"uxth", 16, false}, {"uxtw", 32, false},
                    {"sxtb", 8, true},  {"sxth", 16, true},  {"sxtw", 32, true}};
  const AsmOperand *o = &l->operands[3];
  size_t n = litmus_word_length (o->word);
  const char *rest = o->word + n, *end = o->word + o->length;
  u32 amount = 0, bits = asm_bits (l), part = asm_temporary (t);
  while (rest < end && (*rest == ' ' || *rest == '#')) rest++;
  if (rest < end && sscanf (rest, "%u", &amount) != 1) return asm_fail (t, "a shift by how much?");
  AsmValue value = asm_value_of (&l->operands[2]);
  for (u32 i = 0; i < ARRAY_SIZE (kinds); i++)
    if (asm_word_is (o->word, n, kinds[i].word)) {
      asm_code (t, kinds[i].format, part, bits, value.text, amount & 63);
      goto done;
    }
  for (u32 i = 0; i < ARRAY_SIZE (extensions); i++)
    if (asm_word_is (o->word, n, extensions[i].word)) {
      if (extensions[i].is_signed)
        asm_code (t, "r%u = sext.%u.64 %s", part, extensions[i].bits, value.text);
      else
        asm_code (t, "r%u = add.%u %s, 0", part, extensions[i].bits, value.text);
      if (amount) asm_code (t, "r%u = shl.%u r%u, %u", part, bits, part, amount & 63);
      goto done;
    }
  return asm_fail (t, "`%.*s` of an operand is not known", (int)o->length, o->word);
done:
  asm_code (t, "r%u = %s.%u %s, r%u", asm_result (t, &l->operands[0]), l->row->op, bits,
            asm_value_of (&l->operands[1]).text, part);
  return true;
}

static bool emit_subs (AsmThread *t, const AsmLine *l) {
  asm_compare (t, asm_value_of (&l->operands[1]), asm_value_of (&l->operands[2]), asm_bits (l));
  return asm_emit_compute (t, l);
}

static bool emit_extension (AsmThread *t, const AsmLine *l) {
  asm_code (t, "r%u = sext.%u.%u %s", asm_result (t, &l->operands[0]), 8u * l->row->bytes,
            asm_bits (l), asm_value_of (&l->operands[1]).text);
  return true;
}

/* ---- conditions ---- */

static const char *const conditions[][2] = {
    {"eq", "eq"},   {"ne", "ne"},   {"ge", "<sle"}, {"lt", "slt"}, {"gt", "<slt"}, {"le", "sle"},
    {"cs", "<ule"}, {"hs", "<ule"}, {"cc", "ult"},  {"lo", "ult"}, {"hi", "<ult"}, {"ls", "ule"},
};

static const char *find_condition (AsmThread *t, const AsmOperand *o) {
  for (u32 i = 0; i < ARRAY_SIZE (conditions); i++)
    if (asm_word_is (o->word, o->length, conditions[i][0])) return conditions[i][1];
  asm_fail (t, "condition `%.*s` is not known", (int)o->length, o->word);
  return NULL;
}

static bool emit_select (AsmThread *t, const AsmLine *l) {
  const char *op = find_condition (t, &l->operands[3]);
  if (!op) return false;
  u32 condition = asm_condition (t, op);
  asm_code (t, "r%u = select r%u, %s, %s", asm_result (t, &l->operands[0]), condition,
            asm_value_of (&l->operands[1]).text, asm_value_of (&l->operands[2]).text);
  return true;
}

static bool emit_set (AsmThread *t, const AsmLine *l) {
  const char *op = find_condition (t, &l->operands[1]);
  if (!op) return false;
  u32 condition = asm_condition (t, op);
  asm_code (t, "r%u = mov r%u", asm_result (t, &l->operands[0]), condition);
  return true;
}

/* ---- branches: op is "0" if they are taken at zero ---- */

static bool emit_compare_and_branch (AsmThread *t, const AsmLine *l) {
  u32 low = asm_temporary (t);
  asm_code (t, "r%u = add.%u %s, 0", low, asm_bits (l), asm_value_of (&l->operands[0]).text);
  return asm_branch (t, asm_value_in ((i32)low), l->row->op, &l->operands[1]);
}

static bool emit_test_and_branch (AsmThread *t, const AsmLine *l) {
  u32 bit = asm_temporary (t);
  if (l->operands[1].number < 0 || l->operands[1].number > 63)
    return asm_fail (t, "there is no such bit");
  asm_code (t, "r%u = lshr.64 %s, %lld", bit, asm_value_of (&l->operands[0]).text,
            (long long)l->operands[1].number);
  asm_code (t, "r%u = and.64 r%u, 1", bit, bit);
  return asm_branch (t, asm_value_in ((i32)bit), l->row->op, &l->operands[2]);
}

/* ---- LDADD Ws,Wt,[Xn] and its like: Wt gets the old value ---- */

static bool emit_atomic (AsmThread *t, const AsmLine *l) {
  const AsmOperand *to = &l->operands[1];
  AsmValue value = asm_value_of (&l->operands[0]);
  if (to->reg.number == ASM_ZERO)
    return asm_fail (t, "an atomic instruction that drops the old value is not supported");
  if (!strcmp (l->row->op, "clear")) {
    u32 mask = asm_temporary (t);
    asm_code (t, "r%u = xor.64 %s, -1", mask, value.text);
    return asm_update (t, "and", l->row->events, asm_bytes (l), asm_result (t, to),
                       asm_address (t, &l->operands[2]), asm_value_in ((i32)mask));
  }
  return asm_update (t, l->row->op, l->row->events, asm_bytes (l), asm_result (t, to),
                     asm_address (t, &l->operands[2]), value);
}

/* CAS Ws,Wt,[Xn]: Ws is compared, and gets the old value. */
static bool emit_cas (AsmThread *t, const AsmLine *l) {
  return asm_compare_exchange (t, l->row->events, asm_bytes (l), asm_result (t, &l->operands[0]),
                               asm_address (t, &l->operands[2]), asm_value_of (&l->operands[0]),
                               asm_value_of (&l->operands[1]));
}

/* ---- pairs ---- */

static bool emit_part (AsmThread *t, const AsmLine *l, u32 k, bool is_load) {
  AsmOperand memory = l->operands[2];
  u32 bytes = asm_bytes (l);
  memory.number += k * bytes;
  const char *order = asm_order (t, is_load ? ASM_LOAD : ASM_STORE, l->row->events);
  if (!order) return false;
  AsmValue address = asm_address (t, &memory);
  if (is_load)
    asm_code (t, "r%u = load.%u %s %s", asm_result (t, &l->operands[k]), bytes, order,
              address.text);
  else
    asm_code (t, "store.%u %s %s, %s", bytes, order, address.text,
              asm_value_of (&l->operands[k]).text);
  return true;
}

static bool emit_load_pair (AsmThread *t, const AsmLine *l) {
  if (l->operands[0].reg.number == l->operands[2].reg.number)
    return asm_fail (t, "a pair that is loaded over its own address is not supported");
  return emit_part (t, l, 0, true) && emit_part (t, l, 1, true);
}

static bool emit_store_pair (AsmThread *t, const AsmLine *l) {
  return emit_part (t, l, 0, false) && emit_part (t, l, 1, false);
}

#define LOADS(name, events, flags)                                                                 \
  {name, "rm", asm_emit_load, NULL, events, 0, flags},                                             \
      {name "b", "rm", asm_emit_load, NULL, events, 1, flags}, {                                   \
    name "h", "rm", asm_emit_load, NULL, events, 2, flags                                          \
  }
#define STORES(name, events)                                                                       \
  {name, "rm", asm_emit_store, NULL, events, 0, 0},                                                \
      {name "b", "rm", asm_emit_store, NULL, events, 1, 0},                                        \
      {name "h", "rm", asm_emit_store, NULL, events, 2, 0}
#define CONDITIONALS(name, events)                                                                 \
  {name, "rrm", asm_emit_conditional, NULL, events, 0, ASM_CONDITIONAL},                           \
      {name "b", "rrm", asm_emit_conditional, NULL, events, 1, ASM_CONDITIONAL}, {                 \
    name "h", "rrm", asm_emit_conditional, NULL, events, 2, ASM_CONDITIONAL                        \
  }
#define COMPUTES(name, op)                                                                         \
  {name, "rrv", asm_emit_compute, op, NULL, 0, ASM_COMPUTES},                                      \
      {name, "rrrw", emit_shifted, op, NULL, 0, 0}
#define SIZES(name, emit, op, events)                                                              \
  {name, "rrm", emit, op, events, 0, 0}, {name "b", "rrm", emit, op, events, 1, 0},                \
      {name "h", "rrm", emit, op, events, 2, 0}
#define ATOMICS(name, emit, op)                                                                    \
  SIZES (name, emit, op, "R.amo W"), SIZES (name "a", emit, op, "R.amo.acq W"),                    \
      SIZES (name "l", emit, op, "R.amo W.rel"), SIZES (name "al", emit, op, "R.amo.acq W.rel")
#define BRANCHES(name, op)                                                                         \
  {"b." name, "w", asm_emit_branch, op, NULL, 0, 0},                                               \
      {"b" name, "w", asm_emit_branch, op, NULL, 0, 0}

static const AsmRow rows[] = {
    {"nop", "", asm_emit_nothing, NULL, NULL, 0, 0},
    LOADS ("ldr", "R", 0),
    LOADS ("ldur", "R", 0),
    LOADS ("ldar", "R.acq", 0),
    LOADS ("ldapr", "R.acqpc", 0),
    LOADS ("ldapur", "R.acqpc", 0),
    LOADS ("ldxr", "R", ASM_RESERVES),
    LOADS ("ldaxr", "R.acq", ASM_RESERVES),
    {"ldrsw", "rm", asm_emit_load, NULL, "R", 4, ASM_SIGNED},
    {"ldrsh", "rm", asm_emit_load, NULL, "R", 2, ASM_SIGNED},
    {"ldrsb", "rm", asm_emit_load, NULL, "R", 1, ASM_SIGNED},
    STORES ("str", "W"),
    STORES ("stur", "W"),
    STORES ("stlr", "W.rel"),
    STORES ("stlur", "W.rel"),
    CONDITIONALS ("stxr", "W"),
    CONDITIONALS ("stlxr", "W.rel"),
    {"ldp", "rrm", emit_load_pair, NULL, "R", 0, 0},
    {"stp", "rrm", emit_store_pair, NULL, "W", 0, 0},
    ATOMICS ("swp", emit_atomic, "xchg"),
    ATOMICS ("ldadd", emit_atomic, "add"),
    ATOMICS ("ldclr", emit_atomic, "clear"),
    ATOMICS ("ldeor", emit_atomic, "xor"),
    ATOMICS ("ldset", emit_atomic, "or"),
    ATOMICS ("ldsmax", emit_atomic, "max"),
    ATOMICS ("ldsmin", emit_atomic, "min"),
    ATOMICS ("ldumax", emit_atomic, "umax"),
    ATOMICS ("ldumin", emit_atomic, "umin"),
    ATOMICS ("cas", emit_cas, NULL),
    {"dmb", "w", emit_barrier, NULL, NULL, 0, 0},
    {"dsb", "w", emit_barrier, "dsb", NULL, 0, 0},
    {"isb", "", asm_emit_fence, NULL, "isb", 0, 0},
    {"isb", "w", asm_emit_fence, NULL, "isb", 0, 0},
    {"mov", "rv", asm_emit_move, NULL, NULL, 0, ASM_COMPUTES},
    {"movz", "rv", asm_emit_move, NULL, NULL, 0, ASM_COMPUTES},
    COMPUTES ("add", "add"),
    COMPUTES ("sub", "sub"),
    COMPUTES ("and", "and"),
    COMPUTES ("orr", "or"),
    COMPUTES ("eor", "xor"),
    COMPUTES ("lsl", "shl"),
    COMPUTES ("lsr", "lshr"),
    COMPUTES ("asr", "ashr"),
    COMPUTES ("mul", "mul"),
    {"sxtw", "rr", emit_extension, NULL, NULL, 4, ASM_COMPUTES},
    {"sxth", "rr", emit_extension, NULL, NULL, 2, ASM_COMPUTES},
    {"sxtb", "rr", emit_extension, NULL, NULL, 1, ASM_COMPUTES},
    {"subs", "rrv", emit_subs, "sub", NULL, 0, 0},
    {"cmp", "rv", asm_emit_compare, NULL, NULL, 0, 0},
    {"csel", "rrrw", emit_select, NULL, NULL, 0, 0},
    {"cset", "rw", emit_set, NULL, NULL, 0, 0},
    {"b", "w", asm_emit_jump, NULL, NULL, 0, 0},
    BRANCHES ("eq", "eq"),
    BRANCHES ("ne", "ne"),
    BRANCHES ("ge", "<sle"),
    BRANCHES ("lt", "slt"),
    BRANCHES ("gt", "<slt"),
    BRANCHES ("le", "sle"),
    BRANCHES ("cs", "<ule"),
    BRANCHES ("hs", "<ule"),
    BRANCHES ("cc", "ult"),
    BRANCHES ("lo", "ult"),
    BRANCHES ("hi", "<ult"),
    BRANCHES ("ls", "ule"),
    {"cbz", "rw", emit_compare_and_branch, "0", NULL, 0, 0},
    {"cbnz", "rw", emit_compare_and_branch, NULL, NULL, 0, 0},
    {"tbz", "rnw", emit_test_and_branch, "0", NULL, 0, 0},
    {"tbnz", "rnw", emit_test_and_branch, NULL, NULL, 0, 0},
};

const AsmDialect litmus_aarch64 = {
    .name = "AArch64",
    .target = "armv8",
    .model = "armv8",
    .rows = rows,
    .row_count = ARRAY_SIZE (rows),
    .find_register = find_register,
};
