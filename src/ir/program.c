/* program.c - makes, frees and looks up. */
#include "base/plain.h"
#include "ir/ir_int.h"

enum { INTERN_CONST = 1, INTERN_POSITION, INTERN_STRING };

Program *program_new (void) {
  Program *p = mem_zalloc (sizeof *p);
  Type unknown = {.name = mem_strdup ("")};
  vec_push (&p->types, unknown);
  vec_push (&p->positions, (Position){0});
  vec_push (&p->files, mem_strdup (""));
  return p;
}

static void free_types (Program *p) {
  for (u32 i = 0; i < p->types.size; i++) {
    Type *t = &p->types.data[i];
    for (u32 k = 0; k < t->fields.size; k++) mem_free (t->fields.data[k].name);
    vec_free (&t->fields);
    mem_free (t->name);
  }
  vec_free (&p->types);
}

static void free_globals (Program *p) {
  for (u32 i = 0; i < p->globals.size; i++) {
    Global *g = &p->globals.data[i];
    mem_free (g->name);
    mem_free (g->title);
    mem_free (g->init);
    vec_free (&g->relocs);
  }
  vec_free (&p->globals);
}

static void free_functions (Program *p) {
  for (u32 i = 0; i < p->functions.size; i++) {
    Function *f = &p->functions.data[i];
    mem_free (f->name);
    mem_free (f->title);
    vec_free (&f->code);
    vec_free (&f->blocks);
    vec_free (&f->args);
    vec_free (&f->cases);
    mem_free (f->live_after);
  }
  vec_free (&p->functions);
}

void program_free (Program *p) {
  if (!p) return;
  free_types (p);
  free_globals (p);
  free_functions (p);
  for (u32 i = 0; i < p->files.size; i++) mem_free (p->files.data[i]);
  for (u32 i = 0; i < p->strings.size; i++) mem_free (p->strings.data[i]);
  vec_free (&p->files);
  vec_free (&p->strings);
  vec_free (&p->consts);
  vec_free (&p->positions);
  map_free (&p->interned);
  mem_free (p);
}

/* The map holds hashes, so equality is always checked on the content; a collision moves on to
 * another key. */
static u64 next_key (u64 key) { return hash_mix (key, 1); }

u32 program_const (Program *p, ConstKind kind, u32 index, u64 value) {
  u64 key = hash_mix (hash_mix (hash_mix (INTERN_CONST, kind), index), value), at;
  for (; map_get (&p->interned, key, &at); key = next_key (key)) {
    if (at >= p->consts.size) continue;
    const Const *c = &p->consts.data[at];
    if (c->kind == kind && c->index == index && c->value == value) return (u32)at;
  }
  map_put (&p->interned, key, p->consts.size);
  vec_push (&p->consts, ((Const){.value = value, .index = index, .kind = (u8)kind}));
  return p->consts.size - 1;
}

u32 program_position (Program *p, Position position) {
  if (!position.file && !position.line && !position.column) return 0;
  u64 key = hash_bytes (&position, sizeof position, INTERN_POSITION), at;
  for (; map_get (&p->interned, key, &at); key = next_key (key))
    if (at < p->positions.size && !memcmp (&p->positions.data[at], &position, sizeof position))
      return (u32)at;
  map_put (&p->interned, key, p->positions.size);
  vec_push (&p->positions, position);
  return p->positions.size - 1;
}

u32 program_string (Program *p, const char *text) {
  u64 key = hash_bytes (text, strlen (text), INTERN_STRING), at;
  for (; map_get (&p->interned, key, &at); key = next_key (key))
    if (at < p->strings.size && !strcmp (p->strings.data[at], text)) return (u32)at;
  map_put (&p->interned, key, p->strings.size);
  vec_push (&p->strings, mem_strdup (text));
  return p->strings.size - 1;
}

void program_make_plain (Program *p) {
  for (u32 i = 0; i < p->functions.size; i++) {
    plain_line (&p->functions.data[i].name);
    if (p->functions.data[i].title) plain_line (&p->functions.data[i].title);
  }
  for (u32 i = 0; i < p->globals.size; i++) {
    plain_line (&p->globals.data[i].name);
    if (p->globals.data[i].title) plain_line (&p->globals.data[i].title);
  }
  for (u32 i = 0; i < p->files.size; i++) plain_line (&p->files.data[i]);
  for (u32 i = 0; i < p->strings.size; i++) plain_line (&p->strings.data[i]);
  for (u32 i = 0; i < p->types.size; i++) {
    Type *t = &p->types.data[i];
    plain_line (&t->name);
    for (u32 k = 0; k < t->fields.size; k++) plain_line (&t->fields.data[k].name);
  }
}

/* Only names of C++ are mangled. */
bool program_is_cplusplus (const Program *p) {
  for (u32 i = 0; i < p->functions.size; i++)
    if (p->functions.data[i].title) return true;
  return false;
}

const char *program_function_title (const Function *f) { return f->title ? f->title : f->name; }

const char *program_global_title (const Global *g) { return g->title ? g->title : g->name; }

i32 program_find_function (const Program *p, const char *name) {
  for (u32 i = 0; i < p->functions.size; i++)
    if (!strcmp (p->functions.data[i].name, name)) return (i32)i;
  return -1;
}

i32 program_find_global (const Program *p, const char *name) {
  for (u32 i = 0; i < p->globals.size; i++)
    if (!strcmp (p->globals.data[i].name, name)) return (i32)i;
  return -1;
}

bool position_is_runtime (const Program *p, u32 pos) {
  if (pos >= p->positions.size) return false;
  const char *path = p->files.data[p->positions.data[pos].file];
  return strncmp (path, RUNTIME_FILES, strlen (RUNTIME_FILES)) == 0;
}

bool program_has_insn (const Program *p, bool (*is) (const Program *p, const Insn *i)) {
  for (u32 k = 0; k < p->functions.size; k++) {
    const Function *f = &p->functions.data[k];
    for (u32 n = 0; n < f->code.size; n++)
      if (is (p, &f->code.data[n])) return true;
  }
  return false;
}

static bool is_fence (const Program *p, const Insn *i) {
  (void)p;
  return i->op == OP_FENCE;
}

bool program_has_fences (const Program *p) { return program_has_insn (p, is_fence); }

bool path_is_system (const char *path) {
  static const char *const places[] = {"/usr/include/", "/usr/lib", "/usr/local/include/"};
  for (u32 i = 0; i < ARRAY_SIZE (places); i++)
    if (!strncmp (path, places[i], strlen (places[i]))) return true;
  return false;
}

bool position_is_own (const Program *p, u32 pos) {
  if (pos >= p->positions.size || !p->positions.data[pos].line) return false;
  const char *path = p->files.data[p->positions.data[pos].file];
  return !path_is_system (path) && !position_is_runtime (p, pos);
}

const Field *program_field_at (const Program *p, u32 type, u64 offset) {
  const Type *t = &p->types.data[type];
  for (u32 i = 0; i < t->fields.size; i++) {
    const Field *f = &t->fields.data[i];
    if (offset >= f->offset && offset - f->offset < p->types.data[f->type].size) return f;
  }
  return NULL;
}

void program_name_bytes (const Program *p, const Global *g, u64 offset, Str *out) {
  str_add (out, program_global_title (g));
  program_name_part (p, g->type, offset, false, out);
}

void program_name_part (const Program *p, u32 type, u64 offset, bool is_pointer, Str *out) {
  /* Reports only: a type that contains itself can come from a damaged file, so the descent is
   * bounded. */
  for (u32 depth = 0; depth < 64; depth++) {
    const Type *t = &p->types.data[type];
    if (t->kind == TYPE_STRUCT) {
      if (is_pointer && !offset) break;
      const Field *f = program_field_at (p, type, offset);
      if (!f) break;
      if (*f->name) str_printf (out, ".%s", f->name);
      offset -= f->offset;
      type = f->type;
    } else if (t->kind == TYPE_ARRAY && p->types.data[t->element].size && offset < t->size) {
      u64 size = p->types.data[t->element].size;
      str_printf (out, "[%llu]", (unsigned long long)(offset / size));
      offset %= size;
      type = t->element;
    } else {
      break;
    }
  }
  if (offset) str_printf (out, "+%llu", (unsigned long long)offset);
}
