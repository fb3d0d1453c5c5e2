/* emit.c - instructions as porf IR. */
#include <ctype.h>

#include "litmus/asm/asm.h"

bool asm_fail (AsmThread *t, const char *format, ...) {
  char text[200];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  if (t->line) t->a->in->at = t->line->at;
  return litmus_fail (t->a->in, "%s", text);
}

void asm_code (AsmThread *t, const char *format, ...) {
  char text[200];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  str_printf (&t->code, "  %s", text);
  if (t->line) str_printf (&t->code, " @1:%u:1", litmus_line_of (t->a->in, t->line->at));
  str_add (&t->code, "\n");
}

/* ---- values ---- */

u32 asm_temporary (AsmThread *t) { return t->registers++; }

AsmValue asm_value_in (i32 number) {
  AsmValue v;
  if (number == ASM_ZERO)
    snprintf (v.text, sizeof v.text, "0");
  else
    snprintf (v.text, sizeof v.text, "r%d", number);
  return v;
}

AsmValue asm_value_of (const AsmOperand *o) {
  AsmValue v;
  if (o->shape == SHAPE_REGISTER) return asm_value_in (o->reg.number);
  snprintf (v.text, sizeof v.text, "%lld", (long long)o->number);
  return v;
}

u32 asm_result (AsmThread *t, const AsmOperand *o) {
  return o->reg.number == ASM_ZERO ? asm_temporary (t) : (u32)o->reg.number;
}

u32 asm_bits (const AsmLine *l) {
  if (l->bytes) return l->bytes == 8 ? 64 : 32;
  for (u32 i = 0; i < l->count; i++)
    if (l->operands[i].shape == SHAPE_REGISTER) return l->operands[i].reg.bits;
  return 32;
}

u32 asm_bytes (const AsmLine *l) {
  return l->bytes ? l->bytes : l->row->bytes ? l->row->bytes : asm_bits (l) / 8;
}

/* LSL #2, SXTW, UXTW #2 */
static bool extend_index (AsmThread *t, const AsmOperand *o, u32 to) {
  size_t n = o->word ? litmus_word_length (o->word) : 0;
  const char *rest = o->word ? o->word + n : "";
  u32 shift = 0;
  while (isspace ((u8)*rest) || *rest == '#') rest++;
  if (isdigit ((u8)*rest)) sscanf (rest, "%u", &shift);
  bool is_signed = n && asm_word_is (o->word, n, "sxtw");
  bool is_shift = n && (asm_word_is (o->word, n, "lsl") || asm_word_is (o->word, n, "sxtx"));
  if (n && !is_signed && !is_shift && !asm_word_is (o->word, n, "uxtw"))
    return asm_fail (t, "`%.*s` of an index is not known", (int)o->length, o->word);
  AsmValue index = asm_value_in (o->index.number);
  if (is_signed)
    asm_code (t, "r%u = sext.32.64 %s", to, index.text);
  else
    asm_code (t, "r%u = add.%u %s, 0", to, n && !is_shift ? 32 : o->index.bits, index.text);
  if (shift) asm_code (t, "r%u = shl.64 r%u, %u", to, to, shift & 63);
  return true;
}

AsmValue asm_address (AsmThread *t, const AsmOperand *o) {
  AsmValue v;
  if (o->reg.number == ASM_NONE)
    snprintf (v.text, sizeof v.text, "g%u%+lld", o->location, (long long)o->number);
  else
    v = asm_value_in (o->reg.number);
  if (o->reg.number == ASM_NONE || (o->index.number == ASM_NONE && !o->number)) return v;
  u32 sum = asm_temporary (t);
  if (o->index.number == ASM_NONE) {
    asm_code (t, "r%u = add.64 %s, %lld", sum, v.text, (long long)o->number);
    return asm_value_in ((i32)sum);
  }
  u32 index = asm_temporary (t);
  if (extend_index (t, o, index)) asm_code (t, "r%u = add.64 %s, r%u", sum, v.text, index);
  return asm_value_in ((i32)sum);
}

/* ---- events ---- */

static const char *const class_names[ASM_CLASSES] = {"load", "store", "rmw", "cas", "fence"};

/* The first one is for plain accesses, and for full fences where there is nothing else. */
static const char *const class_orders[ASM_CLASSES][ASM_ORDERS] = {
    [ASM_LOAD] = {"rlx", "acq", "sc"},
    [ASM_STORE] = {"rlx", "rel", "sc"},
    [ASM_RMW] = {"rlx", "acq", "rel", "acq_rel", "sc"},
    [ASM_CAS] = {"rlx", "acq", "rel", "acq_rel", "sc"},
    [ASM_FENCE] = {"sc", "acq_rel", "rel", "acq"},
};

const char *asm_order (AsmThread *t, AsmClass c, const char *events) {
  for (u32 i = 0; i < ASM_ORDERS && class_orders[c][i]; i++) {
    const char **known = &t->a->events[c][i];
    if (!*known) *known = events;
    if (!strcmp (*known, events)) return class_orders[c][i];
  }
  asm_fail (t, "the test has too many kinds of %ss", class_names[c]);
  return NULL;
}

void asm_write_mapping (const Asm *a, Str *out) {
  static const char *const usual[ASM_CLASSES] = {"R", "W", "R W", "R W", "none"};
  str_printf (out, "target %s\nload na = R\nstore na = W\n", a->dialect->target);
  for (u32 c = 0; c < ASM_CLASSES; c++)
    for (u32 i = 0; i < ASM_ORDERS && class_orders[c][i]; i++)
      str_printf (out, "%s %s = %s\n", class_names[c], class_orders[c][i],
                  a->events[c][i] ? a->events[c][i] : usual[c]);
}

/* ---- instructions ---- */

bool asm_emit_nothing (AsmThread *t, const AsmLine *l) {
  (void)t, (void)l;
  return true;
}

static bool load (AsmThread *t, const AsmLine *l, const AsmOperand *to, const AsmOperand *from) {
  const char *order = asm_order (t, ASM_LOAD, l->row->events);
  if (!order) return false;
  u32 bytes = asm_bytes (l), result = asm_result (t, to);
  AsmValue address = asm_address (t, from);
  asm_code (t, "r%u = load.%u %s %s", result, bytes, order, address.text);
  if (l->row->flags & ASM_SIGNED)
    asm_code (t, "r%u = sext.%u.%u r%u", result, 8 * bytes, asm_bits (l), result);
  return true;
}

bool asm_emit_load (AsmThread *t, const AsmLine *l) {
  return load (t, l, &l->operands[0], &l->operands[1]);
}

bool asm_emit_store (AsmThread *t, const AsmLine *l) {
  const char *order = asm_order (t, ASM_STORE, l->row->events);
  if (!order) return false;
  AsmValue address = asm_address (t, &l->operands[1]);
  asm_code (t, "store.%u %s %s, %s", asm_bytes (l), order, address.text,
            asm_value_of (&l->operands[0]).text);
  return true;
}

bool asm_emit_move (AsmThread *t, const AsmLine *l) {
  u32 result = asm_result (t, &l->operands[0]);
  asm_code (t, "r%u = add.%u %s, 0", result, asm_bits (l), asm_value_of (&l->operands[1]).text);
  return true;
}

bool asm_emit_compute (AsmThread *t, const AsmLine *l) {
  u32 result = asm_result (t, &l->operands[0]);
  asm_code (t, "r%u = %s.%u %s, %s", result, l->row->op, asm_bits (l),
            asm_value_of (&l->operands[1]).text, asm_value_of (&l->operands[2]).text);
  return true;
}

bool asm_fence (AsmThread *t, const char *events) {
  const char *order = asm_order (t, ASM_FENCE, events);
  if (order) asm_code (t, "fence %s", order);
  return order;
}

bool asm_emit_fence (AsmThread *t, const AsmLine *l) { return asm_fence (t, l->row->events); }

/* ---- branches ---- */

static void begin_block (AsmThread *t) { str_printf (&t->code, "b%u:\n", ++t->block); }

static u32 label_named (AsmThread *t, const AsmOperand *o) {
  for (u32 i = 0; i < t->labels.size; i++)
    if (strlen (t->labels.data[i].name) == o->length &&
        !strncmp (t->labels.data[i].name, o->word, o->length))
      return i;
  asm_fail (t, "there is no label `%.*s`", (int)o->length, o->word);
  return UINT32_MAX;
}

/* Blocks of labels have their numbers in the end: b$LABEL$ until then. */
bool asm_emit_jump (AsmThread *t, const AsmLine *l) {
  u32 label = label_named (t, &l->operands[0]);
  if (label == UINT32_MAX) return false;
  asm_code (t, "jmp b$%u$", label);
  begin_block (t);
  return true;
}

bool asm_branch (AsmThread *t, AsmValue condition, bool is_if_zero, const AsmOperand *o) {
  u32 label = label_named (t, o);
  if (label == UINT32_MAX) return false;
  if (is_if_zero)
    asm_code (t, "br %s, b%u, b$%u$", condition.text, t->block + 1, label);
  else
    asm_code (t, "br %s, b$%u$, b%u", condition.text, label, t->block + 1);
  begin_block (t);
  return true;
}

/* Sign-extended, numbers of 32 bits compare in the same way, signed or not. */
void asm_compare (AsmThread *t, AsmValue a, AsmValue b, u32 bits) {
  if (bits == 64) {
    asm_code (t, "r%u = mov %s", ASM_LEFT, a.text);
    asm_code (t, "r%u = mov %s", ASM_RIGHT, b.text);
  } else {
    asm_code (t, "r%u = sext.%u.64 %s", ASM_LEFT, bits, a.text);
    asm_code (t, "r%u = sext.%u.64 %s", ASM_RIGHT, bits, b.text);
  }
}

bool asm_emit_compare (AsmThread *t, const AsmLine *l) {
  asm_compare (t, asm_value_of (&l->operands[0]), asm_value_of (&l->operands[1]), asm_bits (l));
  return true;
}

u32 asm_condition (AsmThread *t, const char *op) {
  bool is_turned = *op == '<';
  u32 result = asm_temporary (t);
  asm_code (t, "r%u = %s.64 r%u, r%u", result, op + is_turned, is_turned ? ASM_RIGHT : ASM_LEFT,
            is_turned ? ASM_LEFT : ASM_RIGHT);
  return result;
}

bool asm_emit_branch (AsmThread *t, const AsmLine *l) {
  return asm_branch (t, asm_value_in ((i32)asm_condition (t, l->row->op)), false,
                     &l->operands[l->count - 1]);
}

/* ---- read-modify-writes ---- */

bool asm_update (AsmThread *t, const char *op, const char *events, u32 bytes, u32 result,
                 AsmValue address, AsmValue operand) {
  const char *order = asm_order (t, ASM_RMW, events);
  if (order)
    asm_code (t, "r%u = rmw.%u.%s %s %s, %s", result, bytes, op, order, address.text, operand.text);
  return order;
}

bool asm_compare_exchange (AsmThread *t, const char *events, u32 bytes, u32 result,
                           AsmValue address, AsmValue expected, AsmValue desired) {
  const char *order = asm_order (t, ASM_CAS, events);
  if (order)
    asm_code (t, "r%u = cas.%u %s rlx %s, %s, %s", result, bytes, order, address.text,
              expected.text, desired.text);
  return order;
}

/* ---- load-exclusive and store-exclusive ----
 *
 * A pair with nothing but computations between becomes a choice: either one read-modify-write, or a
 * load and a store that fails. */

static const AsmOperand *memory_of (const AsmLine *l) { return &l->operands[l->count - 1]; }
static const AsmOperand *stored_by (const AsmLine *l) { return &l->operands[l->count - 2]; }

static bool mentions (const AsmLine *l, i32 number) {
  for (u32 i = 0; i < l->count; i++)
    if (l->operands[i].shape == SHAPE_REGISTER && l->operands[i].reg.number == number) return true;
  return false;
}

static bool changes (const AsmLine *l, i32 number) { return l->operands[0].reg.number == number; }

static bool is_same_memory (const AsmOperand *a, const AsmOperand *b) {
  return a->reg.number == b->reg.number && a->index.number == b->index.number &&
         a->number == b->number && a->location == b->location && !a->word && !b->word;
}

static bool is_changed (const AsmThread *t, u32 from, u32 to, i32 number) {
  for (u32 i = from; i < to; i++)
    if (changes (&t->lines.data[i], number)) return true;
  return false;
}

/* Whether a load-exclusive and a store-exclusive are at one place, in one size. */
static bool is_same_access (const AsmThread *t, u32 from, u32 to) {
  const AsmLine *l = &t->lines.data[from], *store = &t->lines.data[to];
  const AsmOperand *memory = memory_of (l);
  return is_same_memory (memory, memory_of (store)) && asm_bytes (l) == asm_bytes (store) &&
         !is_changed (t, from, to, memory->reg.number) &&
         !is_changed (t, from, to, memory->index.number);
}

/* The line of the store-exclusive that belongs to a load-exclusive; 0 if there is none. */
static u32 find_partner (AsmThread *t, u32 at, bool *is_fine) {
  *is_fine = true;
  for (u32 i = at + 1; i < t->lines.size; i++) {
    const AsmLine *next = &t->lines.data[i];
    if (!next->row) continue;
    if (next->row->flags & ASM_RESERVES) return 0;
    if (!(next->row->flags & ASM_CONDITIONAL)) continue;
    for (u32 k = at + 1; k < i && *is_fine; k++)
      if (!t->lines.data[k].row || !(t->lines.data[k].row->flags & ASM_COMPUTES)) {
        t->line = &t->lines.data[k];
        *is_fine = asm_fail (t, "what stands between a load-exclusive and its store-exclusive must "
                                "only compute");
      }
    if (*is_fine && !is_same_access (t, at, i)) {
      t->line = next;
      *is_fine = asm_fail (t, "a store-exclusive to another place than its load-exclusive");
    }
    return i;
  }
  return 0;
}

typedef struct Stored { /* what a store-exclusive stores: the old value `op` operand */
  const char *op;
  AsmValue operand;
} Stored;

/* Whether the lines between can come first, without the load. */
static bool can_move (const AsmThread *t, u32 from, u32 to) {
  const AsmLine *l = &t->lines.data[from];
  for (u32 i = from + 1; i < to; i++) {
    const AsmLine *m = &t->lines.data[i];
    if (mentions (m, l->operands[0].reg.number)) return false;
  }
  return true;
}

/* OP S, OLD, V and nothing else. */
static bool find_stored (AsmThread *t, u32 from, u32 to, Stored *s) {
  static const char *const ops[] = {"add", "sub", "and", "or", "xor"};
  i32 old = t->lines.data[from].operands[0].reg.number;
  const AsmLine *m = &t->lines.data[from + 1];
  const AsmOperand *stored = stored_by (&t->lines.data[to]);
  if (to != from + 2 || m->count != 3 || m->operands[0].reg.number != stored->reg.number ||
      m->operands[1].reg.number != old || !m->row->op ||
      (m->row->emit != asm_emit_compute && !old)) /* r0 of POWER's addi is no register */
    return false;
  const AsmOperand *v = &m->operands[2];
  if (v->shape == SHAPE_REGISTER && (v->reg.number == old || changes (m, v->reg.number)))
    return false;
  for (u32 i = 0; i < ARRAY_SIZE (ops); i++)
    if (!strcmp (ops[i], m->row->op)) {
      *s = (Stored){ops[i], asm_value_of (v)};
      return true;
    }
  return false;
}

/* "R.acq" and "W.rel" as "R.acq W.rel": names that stay. */
static const char *joined_events (AsmThread *t, const char *read, const char *write) {
  Str text = {0};
  str_printf (&text, "%s %s", read, write);
  for (u32 i = 0; i < t->a->names.size; i++)
    if (!strcmp (t->a->names.data[i], text.text)) {
      str_free (&text);
      return t->a->names.data[i];
    }
  vec_push (&t->a->names, text.text);
  return text.text;
}

static bool emit_lines (AsmThread *t, u32 from, u32 to) {
  for (u32 i = from; i < to; i++) {
    t->line = &t->lines.data[i];
    if (!t->line->row->emit (t, t->line)) return false;
  }
  return true;
}

static bool emit_choice (AsmThread *t, u32 from, u32 to, const Stored *s) {
  const AsmLine *l = &t->lines.data[from], *store = &t->lines.data[to];
  t->line = l;
  const char *events = joined_events (t, l->row->events, store->row->events);
  u32 first = t->block + 1, result = asm_result (t, &l->operands[0]);
  AsmValue address = asm_address (t, memory_of (l));
  t->failed = asm_temporary (t);
  asm_code (t, "r%u = builtin nondet(0, 0)", t->failed);
  asm_code (t, "br r%u, b%u, b%u", t->failed, first + 1, first);
  begin_block (t);
  if (!asm_update (t, s->op, events, asm_bytes (l), result, address, s->operand)) return false;
  asm_code (t, "jmp b%u", first + 2);
  begin_block (t);
  const char *order = asm_order (t, ASM_LOAD, l->row->events);
  if (!order) return false;
  asm_code (t, "r%u = load.%u %s %s", result, asm_bytes (l), order, address.text);
  asm_code (t, "jmp b%u", first + 2);
  begin_block (t);
  if (l->row->flags & ASM_SIGNED)
    asm_code (t, "r%u = sext.%u.%u r%u", result, 8 * asm_bytes (l), asm_bits (l), result);
  return true;
}

/* The location that an operand is surely at, or -1. */
static i32 location_of (const AsmThread *t, const AsmOperand *o) {
  i32 found = -1;
  if (o->reg.number == ASM_NONE) return (i32)o->location;
  if (o->index.number != ASM_NONE || o->number) return -1;
  for (u32 i = 0; i < t->presets.size; i++)
    if (t->presets.data[i].reg.number == o->reg.number) found = t->presets.data[i].points_to;
  for (u32 i = 0; i < t->lines.size; i++)
    for (u32 k = 0; t->lines.data[i].row && k < t->lines.data[i].count; k++)
      if (t->lines.data[i].operands[k].shape == SHAPE_REGISTER &&
          t->lines.data[i].operands[k].reg.number == o->reg.number)
        return -1; /* it may be changed */
  return found;
}

/* What a store-exclusive stores would be data that depend on its load, if the two were not one
 * instruction here. That only matters for loads of the same thread that read it. */
static bool may_read_back (const AsmThread *t, u32 from, u32 to) {
  i32 here = location_of (t, memory_of (&t->lines.data[from]));
  for (u32 i = 0; i < t->lines.size; i++) {
    const AsmLine *l = &t->lines.data[i];
    bool reads = l->row && l->row->events && *l->row->events == 'R' && i != from;
    if (!reads || (i < to && !t->labels.size)) continue;
    i32 there = location_of (t, memory_of (l));
    if (here < 0 || there < 0 || here == there) return true;
  }
  return false;
}

/* The whole pair, but for the result of the store. */
static bool emit_pair (AsmThread *t, u32 from, u32 to) {
  i32 old = t->lines.data[from].operands[0].reg.number;
  const AsmOperand *stored = stored_by (&t->lines.data[to]);
  Stored s = {"xchg", asm_value_of (stored)};
  bool is_made = is_changed (t, from + 1, to, stored->reg.number);
  if (is_made && can_move (t, from, to))
    return emit_lines (t, from + 1, to) && emit_choice (t, from, to, &s);
  t->line = &t->lines.data[to];
  if (is_made && !find_stored (t, from, to, &s))
    return asm_fail (t, "what a store-exclusive stores may be the value that was loaded, one "
                        "operation of it and another value, or independent of it");
  bool is_old = !is_made && stored->reg.number == old;
  if (is_old) s = (Stored){"or", {"0"}};
  if ((is_old || is_made) && !t->a->dialect->forwards_in_order && may_read_back (t, from, to))
    return asm_fail (t, "a load of what depends on a load-exclusive by its store-exclusive is not "
                        "supported");
  return emit_choice (t, from, to, &s) && emit_lines (t, from + 1, to);
}

static bool uses (const AsmLine *l, i32 number) {
  if (!l->row) return false;
  for (u32 i = l->row->flags & ASM_COMPUTES ? 1 : 0; i < l->count; i++) {
    const AsmOperand *o = &l->operands[i];
    if (o->shape == SHAPE_REGISTER && o->reg.number == number) return true;
    if (o->shape == SHAPE_MEMORY && (o->reg.number == number || o->index.number == number))
      return true;
  }
  return false;
}

/* Dependencies of the IR lead from reads only. */
static bool has_order_by_status (AsmThread *t, const AsmLine *l) {
  i32 status = l->operands[0].reg.number;
  if (!t->a->dialect->status_orders || l->count == 2 || status == ASM_ZERO) return false;
  for (const AsmLine *m = l + 1; m < t->lines.data + t->lines.size; m++) {
    if (uses (m, status)) return true;
    if (m->row && (m->row->flags & ASM_COMPUTES) && changes (m, status)) return false;
  }
  return false;
}

/* The status register, if there is one; else what was compared last is equal if it is stored. */
bool asm_emit_conditional (AsmThread *t, const AsmLine *l) {
  if (has_order_by_status (t, l))
    return asm_fail (t, "dependencies on the success of a store-exclusive are not supported");
  if (l->count == 2) {
    asm_compare (t, asm_value_in ((i32)t->failed), (AsmValue){"0"}, 64);
    return true;
  }
  asm_code (t, "r%u = mov r%u", asm_result (t, &l->operands[0]), t->failed);
  return true;
}

/* ---- threads ---- */

static bool translate_line (AsmThread *t, u32 *at) {
  const AsmLine *l = t->line = &t->lines.data[*at];
  bool is_fine;
  if (!l->row) {
    AsmLabel *label = &t->labels.data[l->label];
    if (label->block != UINT32_MAX) return asm_fail (t, "label `%s` stands twice", label->name);
    asm_code (t, "jmp b%u", t->block + 1);
    begin_block (t);
    label->block = t->block;
    return true;
  }
  if (l->row->flags & ASM_CONDITIONAL)
    return asm_fail (t, "a store-exclusive without its load-exclusive before it");
  if (!(l->row->flags & ASM_RESERVES)) return l->row->emit (t, l);
  u32 partner = find_partner (t, *at, &is_fine);
  if (!is_fine) return false;
  if (!partner) return l->row->emit (t, l);
  if (!emit_pair (t, *at, partner)) return false;
  *at = partner;
  t->line = &t->lines.data[partner];
  return t->line->row->emit (t, t->line);
}

bool asm_translate (AsmThread *t) {
  t->registers = ASM_FIRST_TEMPORARY;
  t->line = NULL;
  str_add (&t->code, "b0:\n");
  for (u32 i = 0; i < t->presets.size; i++) {
    const AsmPreset *p = &t->presets.data[i];
    if (p->reg.number < 0) continue;
    if (p->points_to >= 0)
      asm_code (t, "r%d = mov g%d%+lld", p->reg.number, p->points_to, (long long)p->value);
    else
      asm_code (t, "r%d = mov %lld", p->reg.number, (long long)p->value);
  }
  for (u32 i = 0; i < t->lines.size; i++)
    if (!translate_line (t, &i) || t->a->in->error->length) return false; /* or an operand of it */
  t->line = NULL;
  return true;
}
