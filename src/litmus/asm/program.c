/* program.c - a test in assembler as a program of porf IR. */
#include "litmus/asm/asm.h"

/* Types of the program, by number. */
enum { TYPE_OF_ADDRESS = 1, TYPE_OF_SIGNED = 2 }; /* then 1, 2, 4, 8 bytes; the same unsigned */

static u32 type_number (u32 bytes, bool is_signed) {
  u32 log = bytes == 8 ? 3 : bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
  return TYPE_OF_SIGNED + log + (is_signed ? 0 : 4);
}

static void write_types (Str *out) {
  str_printf (out, "type %d pointer \"void *\" 8 -> 0\n", TYPE_OF_ADDRESS);
  for (u32 is_signed = 2; is_signed-- > 0;)
    for (u32 bytes = 1; bytes <= 8; bytes *= 2)
      str_printf (out, "type %u scalar \"%sint%u_t\" %u%s\n", type_number (bytes, is_signed),
                  is_signed ? "" : "u", 8 * bytes, bytes, is_signed ? " signed" : "");
}

static void write_global (Str *out, u32 number, const char *name, u32 bytes, u32 type, u64 value,
                          i32 points_to) {
  str_printf (out, "global %u \"%s\" size %u align 8 type %u local = ", number, name, bytes, type);
  if (points_to >= 0) {
    str_printf (out, "zero reloc 0 g%d%+lld @1:1:1\n", points_to, (long long)value);
    return;
  }
  for (u32 i = 0; i < bytes; i++) str_printf (out, "%02x", (u32)(value >> (8 * i) & 0xff));
  str_add (out, " @1:1:1\n"); /* it is the user's */
}

static bool has_pointers (const Asm *a) {
  for (u32 i = 0; i < a->locations.size; i++)
    if (a->locations.data[i].points_to >= 0) return true;
  return false;
}

static void write_locations (Asm *a, Str *out) {
  u32 usual = a->widest > 4 && !has_pointers (a) ? 8 : 4;
  for (u32 i = 0; i < a->locations.size; i++) {
    const AsmLocation *l = &a->locations.data[i];
    bool is_address = l->points_to >= 0 || l->is_address;
    u32 bytes = is_address ? 8 : l->type ? l->type->bytes : usual;
    u32 type =
        is_address ? TYPE_OF_ADDRESS : type_number (bytes, l->type ? l->type->is_signed : true);
    write_global (out, i, l->name, bytes, type, l->value, l->points_to);
    for (u32 k = 0; k < a->in->l->observed.size; k++) {
      Observed *o = &a->in->l->observed.data[k];
      if (!strcmp (o->name, l->name)) o->bytes = (u8)bytes;
    }
  }
}

/* ---- observed registers ---- */

/* 0:X1: the thread, and where the name of the register begins; false for locations. */
static bool is_register (const Observed *o, u32 *thread, const char **name) {
  const char *colon = strchr (o->name, ':');
  if (colon) *name = colon + 1;
  return colon && sscanf (o->name, "%u", thread) == 1;
}

static bool is_address (const Litmus *l, u32 observed) {
  for (u32 i = 0; i < l->terms.size; i++) {
    const Term *t = &l->terms.data[i];
    if (t->kind <= TERM_NOT_EQUAL && t->kind != TERM_TRUE && t->left == observed && t->address)
      return true;
  }
  return false;
}

static const AsmPreset *preset_of (const AsmThread *t, i32 number) {
  for (u32 i = 0; i < t->presets.size; i++)
    if (t->presets.data[i].reg.number == number) return &t->presets.data[i];
  return NULL;
}

/* What a register that is observed holds in the end. */
static bool write_observed (Asm *a, u32 k, Str *out) {
  Observed *o = &a->in->l->observed.data[k];
  u32 thread, bytes = 4, type = type_number (4, true);
  const char *name;
  AsmRegister reg;
  if (!is_register (o, &thread, &name)) return true;
  if (thread >= a->threads.size) return litmus_fail (a->in, "there is no thread P%u", thread);
  if (!a->dialect->find_register (name, strlen (name), &reg))
    return litmus_fail (a->in, "`%s` is not a register of %s", name, a->dialect->name);
  AsmThread *t = &a->threads.data[thread];
  const AsmPreset *p = preset_of (t, reg.number);
  if (is_address (a->in->l, k) || (p && p->points_to >= 0)) {
    bytes = 8;
    type = TYPE_OF_ADDRESS;
  } else if (has_pointers (a) && !(p && p->type)) {
    bytes = 8; /* an address that was loaded, or a number */
    type = 0;
  } else if (p && p->type) {
    bytes = p->type->bytes;
    type = type_number (bytes, p->type->is_signed);
  }
  o->bytes = type ? (u8)bytes : 4;
  u32 global = a->locations.size + k;
  write_global (out, global, o->variable, bytes, type, 0, -1);
  asm_code (t, "store.%u na g%u, %s", bytes, global, asm_value_in (reg.number).text);
  return true;
}

/* Numbers of globals follow each other, so locations that are observed have one as well. */
static bool write_all_observed (Asm *a, Str *out) {
  u32 thread;
  const char *name;
  for (u32 k = 0; k < a->in->l->observed.size; k++) {
    const Observed *o = &a->in->l->observed.data[k];
    if (!is_register (o, &thread, &name))
      str_printf (out, "global %u \".unused%u\" size 1 align 1 type 0 local = zero\n",
                  a->locations.size + k, k);
    else if (!write_observed (a, k, out))
      return false;
  }
  return true;
}

/* ---- functions ---- */

/* b$LABEL$ becomes b and the number of the block. */
static bool write_code (AsmThread *t, Str *out) {
  for (const char *c = t->code.text; *c;) {
    size_t n = strcspn (c, "$");
    u32 label;
    str_add_n (out, c, n);
    c += n;
    if (!*c) break;
    sscanf (c, "$%u$", &label);
    if (t->labels.data[label].block == UINT32_MAX)
      return litmus_fail (t->a->in, "there is no label `%s`", t->labels.data[label].name);
    str_printf (out, "%u", t->labels.data[label].block);
    c = strchr (c + 1, '$') + 1;
  }
  return true;
}

static bool write_functions (Asm *a, Str *out) {
  u32 n = a->threads.size;
  for (u32 i = 0; i < n; i++) {
    AsmThread *t = &a->threads.data[i];
    str_printf (out, "func %u \"P%u\" params 1 regs %u local {\n", i, i, t->registers);
    if (!write_code (t, out)) return false;
    str_add (out, "  ret 0\n}\n");
  }
  str_printf (out, "func %u \"main\" params 0 regs %u {\nb0:\n", n, n + 1);
  for (u32 i = 0; i < n; i++) str_printf (out, "  r%u = builtin thread_create(f%u, 0)\n", i, i);
  for (u32 i = 0; i < n; i++) str_printf (out, "  r%u = builtin thread_join(r%u)\n", n, i);
  str_add (out, "  ret 0\n}\n");
  return true;
}

bool asm_write_program (Asm *a) {
  Litmus *l = a->in->l;
  Str *out = &l->program;
  for (u32 i = 0; i < a->threads.size; i++)
    if (!asm_translate (&a->threads.data[i])) return false;
  str_add (out, "porf-ir 1\nfile 1 \"");
  for (const char *c = a->in->path; *c; c++)
    str_printf (out, (u8)*c < ' ' || *c == '"' || *c == '\\' ? "\\x%02x" : "%c", (u8)*c);
  str_add (out, "\"\n");
  write_types (out);
  write_locations (a, out);
  if (!write_all_observed (a, out) || !write_functions (a, out)) return false;
  asm_write_mapping (a, &l->mapping);
  l->is_ir = true;
  l->model = a->dialect->model;
  return true;
}
