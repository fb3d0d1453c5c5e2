/* link.c - joins the files of a program, and completes it from a library, by name.
 *
 * Functions and globals that the other side brings are appended as empty shells first and filled
 * when their turn comes, so that nothing recurses, however deep the calls go. Types of library
 * globals are left out: reports name them by offset.
 */
#include "ir/ir_int.h"

#define NONE (~0u)

typedef struct Linker {
  Program *p;
  Program *library;
  Map functions, globals;                 /* hash of the name -> index in p */
  Map library_functions, library_globals; /* likewise, in the library */
  u32 *global_of, *function_of;           /* by library index: index in p, or NONE */
  u32 *file_of;
  u32 types; /* number of the library's first type in p, 0 if they are left out */
  VEC (u32) new_functions, new_globals; /* library indices of what is to be filled in p */
} Linker;

/* Names are told apart by a 64-bit hash and then compared; of two that collide only one is found,
 * which the callers treat as absent. */
static u64 name_key (const char *name) { return hash_bytes (name, strlen (name), 0x6e616d65); }

static void name_add (Map *m, const char *name, u8 linkage, u32 index) {
  u64 old;
  if (linkage != LINK_LOCAL && !map_get (m, name_key (name), &old))
    map_put (m, name_key (name), index);
}

static u32 find_function (const Map *m, const Program *p, const char *name) {
  u64 at;
  if (!map_get (m, name_key (name), &at) || strcmp (p->functions.data[at].name, name)) return NONE;
  return (u32)at;
}

static u32 find_global (const Map *m, const Program *p, const char *name) {
  u64 at;
  if (!map_get (m, name_key (name), &at) || strcmp (p->globals.data[at].name, name)) return NONE;
  return (u32)at;
}

static u32 map_function (Linker *k, u32 index) {
  ir_read_body (k->library, index);
  if (k->function_of[index] != NONE) return k->function_of[index];
  const Function *from = &k->library->functions.data[index];
  u32 to = NONE;
  if (from->linkage != LINK_LOCAL) to = find_function (&k->functions, k->p, from->name);
  if (to == NONE) {
    to = k->p->functions.size;
    Function shell = {
        .name = mem_strdup (from->name), .params = from->params, .regs = from->params};
    shell.is_variadic = from->is_variadic;
    shell.linkage = from->linkage;
    vec_push (&k->p->functions, shell);
    name_add (&k->functions, from->name, from->linkage, to);
  }
  k->function_of[index] = to;
  if (!k->p->functions.data[to].blocks.size && from->blocks.size)
    vec_push (&k->new_functions, index);
  return to;
}

/* A static variable keeps its name unless there is one of that name already. */
static char *new_global_name (const Linker *k, const Global *from) {
  Str s = {0};
  str_add (&s, from->name);
  for (u32 n = 2; program_find_global (k->p, s.text) >= 0; n++) {
    str_clear (&s);
    str_printf (&s, "%s@%u", from->name, n);
  }
  return s.text;
}

static u32 map_global (Linker *k, u32 index) {
  if (k->global_of[index] != NONE) return k->global_of[index];
  const Global *from = &k->library->globals.data[index];
  u32 to = NONE;
  if (from->linkage != LINK_LOCAL) to = find_global (&k->globals, k->p, from->name);
  /* Same name, other kind of object: what the library's code does with it would make no sense. */
  if (to != NONE && k->p->globals.data[to].is_tls != from->is_tls) to = NONE;
  if (to == NONE) {
    to = k->p->globals.size;
    Global shell = {.name = new_global_name (k, from), .size = from->size, .align = from->align};
    shell.is_tls = from->is_tls;
    shell.is_extern = true;
    shell.linkage = from->linkage;
    vec_push (&k->p->globals, shell);
    name_add (&k->globals, from->name, from->linkage, to);
  }
  k->global_of[index] = to;
  if (k->p->globals.data[to].is_extern && !from->is_extern) vec_push (&k->new_globals, index);
  return to;
}

static Const map_const (Linker *k, Const c) {
  if (c.kind == CONST_GLOBAL) c.index = map_global (k, c.index);
  if (c.kind == CONST_FUNC) c.index = map_function (k, c.index);
  return c;
}

static u32 map_position (Linker *k, u32 pos, u32 function) {
  Position at = k->library->positions.data[pos];
  if (!pos) return 0;
  if (k->file_of[at.file] == NONE) {
    const char *name = k->library->files.data[at.file];
    u32 f = 0;
    while (f < k->p->files.size && strcmp (k->p->files.data[f], name)) f++;
    if (f == k->p->files.size) vec_push (&k->p->files, mem_strdup (name));
    k->file_of[at.file] = f;
  }
  at.file = k->file_of[at.file];
  at.func = function;
  return program_position (k->p, at);
}

static void map_insn (Linker *k, Function *f, Insn *i, u32 function, OperandRefs *operands) {
  insn_operands (f, i, operands);
  for (u32 n = 0; n < operands->size; n++) {
    Operand *o = operands->data[n];
    if (operand_is_reg (*o)) continue;
    Const c = map_const (k, k->library->consts.data[operand_const_index (*o)]);
    *o = operand_const (program_const (k->p, (ConstKind)c.kind, c.index, c.value));
  }
  if (i->op == OP_CALL && i->a == OPERAND_NONE) i->b = (Operand)map_function (k, (u32)i->b);
  if (i->op == OP_TLS) i->b = (Operand)map_global (k, (u32)i->b);
  if (i->op == OP_ALLOCA) i->b = i->c = OPERAND_NONE; /* locals of a library are no one's concern */
  if (i->op == OP_UNSUPPORTED)
    i->b = (Operand)program_string (k->p, k->library->strings.data[i->b]);
  i->pos = map_position (k, i->pos, function);
}

static void copy_title (char **to, const char *from) {
  if (!from || *to) return;
  *to = mem_strdup (from);
}

static void fill_function (Linker *k, u32 index, const Function *from) {
  OperandRefs operands = {0};
  Function body = {0};
  for (u32 b = 0; b < from->blocks.size; b++) {
    u32 start = body.code.size;
    for (u32 n = from->blocks.data[b].start; n < from->blocks.data[b].end; n++) {
      body_emit (&body, from, &from->code.data[n]);
      map_insn (k, &body, &vec_last (&body.code), index, &operands);
    }
    vec_push (&body.blocks, ((Block){start, body.code.size}));
  }
  u32 pos = map_position (k, from->pos, index);
  Function *f = &k->p->functions.data[index]; /* only now: the list has grown */
  body_replace (f, &body);
  f->pos = pos;
  f->params = from->params;
  f->regs = from->regs;
  f->is_variadic = from->is_variadic;
  f->linkage = from->linkage;
  copy_title (&f->title, from->title);
  vec_free (&operands);
}

static void fill_global (Linker *k, u32 index) {
  const Global *from = &k->library->globals.data[index];
  u32 to = k->global_of[index];
  Global *g = &k->p->globals.data[to];
  g->size = from->size;
  g->is_const = from->is_const;
  g->is_extern = false;
  g->linkage = from->linkage;
  copy_title (&g->title, from->title);
  if (k->types && from->type) g->type = k->types + from->type - 1;
  g->relocs.size = 0;
  mem_free (g->init);
  g->init = NULL;
  if (g->align < from->align) g->align = from->align;
  if (from->init && from->size) g->init = memcpy (mem_alloc (from->size), from->init, from->size);
  for (u32 n = 0; n < from->relocs.size; n++) {
    Reloc r = from->relocs.data[n];
    r.target = map_const (k, r.target);
    vec_push (&k->p->globals.data[to].relocs, r);
  }
  if (!k->p->globals.data[to].pos) k->p->globals.data[to].pos = map_position (k, from->pos, 0);
}

/* Both lists grow while they are walked; a global may bring functions and the other way round. */
static void fill_new (Linker *k) {
  for (u32 f = 0, g = 0; f < k->new_functions.size || g < k->new_globals.size;) {
    if (g < k->new_globals.size) {
      fill_global (k, k->new_globals.data[g++]);
    } else {
      u32 from = k->new_functions.data[f++];
      fill_function (k, k->function_of[from], &k->library->functions.data[from]);
    }
  }
}

static void copy_needed (Linker *k) {
  for (u32 g = 0; g < k->p->globals.size; g++) {
    const Global *declared = &k->p->globals.data[g];
    if (!declared->is_extern || declared->linkage == LINK_LOCAL) continue;
    u32 from = find_global (&k->library_globals, k->library, declared->name);
    if (from != NONE) map_global (k, from);
  }
  for (u32 f = 0; f < k->p->functions.size; f++) {
    const Function *declared = &k->p->functions.data[f];
    bool gives_way = !declared->blocks.size || declared->linkage == LINK_WEAK;
    if (!gives_way || declared->linkage == LINK_LOCAL) continue;
    u32 from = find_function (&k->library_functions, k->library, declared->name);
    if (from == NONE) continue;
    bool has_body = declared->blocks.size;
    if (has_body && k->library->functions.data[from].linkage == LINK_WEAK) continue;
    map_function (k, from);
    if (has_body) vec_push (&k->new_functions, from);
  }
  fill_new (k);
}

/* C allows to declare a function with other parameters than it is defined with: calls are made to
 * fit. */
static void fit_call (Program *p, Function *f, Insn *i) {
  const Function *to = &p->functions.data[i->b];
  if (i->nargs > to->params && !to->is_variadic) i->nargs = (u16)to->params;
  if (i->nargs >= to->params) return;
  u32 first = f->args.size;
  for (u32 k = 0; k < to->params; k++) {
    Operand o = k < i->nargs ? f->args.data[i->first + k]
                             : operand_const (program_const (p, CONST_INT, 0, 0));
    vec_push (&f->args, o);
  }
  i->first = first;
  i->nargs = (u16)to->params;
}

static void fit_calls (Program *p) {
  for (u32 f = 0; f < p->functions.size; f++) {
    Function *fn = &p->functions.data[f];
    for (u32 k = 0; k < fn->code.size; k++) {
      Insn *i = &fn->code.data[k];
      if (i->op == OP_CALL && i->a == OPERAND_NONE) fit_call (p, fn, i);
    }
  }
}

/* The runtime asks for what it cannot do by calling porf_what_it_is, which does not exist. */
static void describe_missing (const Function *f, Str *out) {
  const char *name = f->name;
  if (strncmp (name, "porf_", 5)) {
    str_printf (out,
                "the call of `%s`: no file given defines it, and porf's C library does not have it",
                program_function_title (f));
    return;
  }
  str_add (out, name + 5);
  for (char *c = out->text; *c; c++)
    if (*c == '_') *c = ' ';
}

/* A weak function that no file defines has the address 0. */
static void clear_weak_addresses (Program *p) {
  for (u32 k = 0; k < p->consts.size; k++) {
    Const *c = &p->consts.data[k];
    if (c->kind != CONST_FUNC) continue;
    const Function *f = &p->functions.data[c->index];
    if (!f->blocks.size && f->linkage == LINK_WEAK) *c = (Const){.kind = CONST_INT};
  }
}

void ir_stub_declarations (Program *p) {
  clear_weak_addresses (p);
  for (u32 k = 0; k < p->functions.size; k++) {
    Function *f = &p->functions.data[k];
    if (f->blocks.size) continue;
    Str what = {0};
    describe_missing (f, &what);
    Insn stub = {
        .op = OP_UNSUPPORTED, .dst = -1, .a = OPERAND_NONE, .c = OPERAND_NONE, .pos = f->pos};
    stub.b = (Operand)program_string (p, what.text);
    str_free (&what);
    f->regs = f->params;
    f->code.size = f->args.size = f->cases.size = 0;
    vec_push (&f->code, stub);
    vec_push (&f->blocks, ((Block){0, 1}));
  }
}

static u32 *none_array (u32 n) {
  u32 *a = mem_alloc (n * sizeof *a);
  for (u32 k = 0; k < n; k++) a[k] = NONE;
  return a;
}

static void name_functions (Map *m, const Program *p) {
  for (u32 i = 0; i < p->functions.size; i++)
    name_add (m, p->functions.data[i].name, p->functions.data[i].linkage, i);
}
static void name_globals (Map *m, const Program *p) {
  for (u32 i = 0; i < p->globals.size; i++)
    name_add (m, p->globals.data[i].name, p->globals.data[i].linkage, i);
}

static void linker_init (Linker *k, Program *p, Program *library) {
  *k = (Linker){.p = p, .library = library};
  name_functions (&k->functions, p);
  name_globals (&k->globals, p);
  name_functions (&k->library_functions, library);
  name_globals (&k->library_globals, library);
  k->global_of = none_array (library->globals.size);
  k->function_of = none_array (library->functions.size);
  k->file_of = none_array (library->files.size);
}

static void linker_done (Linker *k) {
  map_free (&k->functions);
  map_free (&k->globals);
  map_free (&k->library_functions);
  map_free (&k->library_globals);
  mem_free (k->global_of);
  mem_free (k->function_of);
  mem_free (k->file_of);
  vec_free (&k->new_functions);
  vec_free (&k->new_globals);
}

/* ---- joining files of a program */

static void join_types (Linker *k) {
  Program *p = k->p;
  u32 shift = p->types.size - 1;
  k->types = p->types.size;
  for (u32 i = 1; i < k->library->types.size; i++) {
    const Type *from = &k->library->types.data[i];
    Type t = {.kind = from->kind, .is_signed = from->is_signed, .size = from->size};
    t.name = mem_strdup (from->name);
    if (from->element) t.element = from->element + shift;
    for (u32 n = 0; n < from->fields.size; n++) {
      Field f = from->fields.data[n];
      f.name = mem_strdup (f.name);
      if (f.type) f.type += shift;
      vec_push (&t.fields, f);
    }
    vec_push (&p->types, t);
  }
}

/* Of two definitions the one that is not weak counts, else the first. */
static bool join_function (Linker *k, u32 index) {
  const Function *from = &k->library->functions.data[index];
  if (!from->blocks.size) return true;
  u32 to = map_function (k, index);
  const Function *have = &k->p->functions.data[to];
  if (!have->blocks.size) return true; /* it will be filled */
  if (have->linkage != LINK_WEAK && from->linkage != LINK_WEAK) return false;
  if (have->linkage == LINK_WEAK && from->linkage != LINK_WEAK) vec_push (&k->new_functions, index);
  return true;
}

static bool join_global (Linker *k, u32 index) {
  const Global *from = &k->library->globals.data[index];
  if (from->is_extern) return true;
  u32 to = map_global (k, index);
  Global *have = &k->p->globals.data[to];
  if (have->is_extern) return true; /* it will be filled */
  if (have->linkage != LINK_WEAK && from->linkage != LINK_WEAK) return false;
  if (have->linkage == LINK_WEAK && from->linkage != LINK_WEAK) {
    have->is_extern = true;
    vec_push (&k->new_globals, index);
  }
  return true;
}

bool ir_join (Program *p, Program *other, Str *clash) {
  Linker k;
  bool ok = true;
  linker_init (&k, p, other);
  join_types (&k);
  for (u32 i = 0; i < other->globals.size && ok; i++)
    if (!(ok = join_global (&k, i))) str_add (clash, other->globals.data[i].name);
  for (u32 i = 0; i < other->functions.size && ok; i++)
    if (!(ok = join_function (&k, i))) str_add (clash, other->functions.data[i].name);
  if (ok) fill_new (&k);
  linker_done (&k);
  fit_calls (p);
  return ok;
}

/* ---- before and after main */

static u32 find_in_program (const Program *p, const char *name) {
  i32 f = program_find_function (p, name);
  return f < 0 ? NONE : (u32)f;
}

void body_call (Function *body, u32 callee, u32 pos) {
  Insn call = {.op = OP_CALL, .dst = -1, .a = OPERAND_NONE, .c = OPERAND_NONE, .pos = pos};
  call.b = (Operand)callee;
  vec_push (&body->code, call);
}

/* Those of all files, in the order of their names and, for equal ones, of the files. */
static void call_constructors (const Program *p, Function *body, u32 pos) {
  VEC (u32) found = {0};
  for (u32 i = 0; i < p->functions.size; i++) {
    const char *name = p->functions.data[i].name;
    if (strncmp (name, CONSTRUCTORS, strlen (CONSTRUCTORS))) continue;
    vec_push (&found, i);
    for (u32 k = found.size - 1; k; k--) {
      u32 before = found.data[k - 1];
      if (strcmp (p->functions.data[before].name, name) <= 0) break;
      found.data[k] = before;
      found.data[k - 1] = i;
    }
  }
  for (u32 i = 0; i < found.size; i++) body_call (body, found.data[i], pos);
  vec_free (&found);
}

/* main's return ends the program like exit; handlers exist only if something registers them. */
static void surround_main (Program *p, u32 at_exit) {
  u32 index = find_in_program (p, "main");
  if (index == NONE || !p->functions.data[index].blocks.size) return;
  Function body = {0}, *f = &p->functions.data[index];
  for (u32 b = 0; b < f->blocks.size; b++) {
    u32 start = body.code.size;
    if (!b) call_constructors (p, &body, f->pos);
    for (u32 n = f->blocks.data[b].start; n < f->blocks.data[b].end; n++) {
      const Insn *i = &f->code.data[n];
      if (i->op == OP_RET && at_exit != NONE) body_call (&body, at_exit, i->pos);
      body_emit (&body, f, i);
    }
    vec_push (&body.blocks, ((Block){start, body.code.size}));
  }
  body_replace (f, &body);
}

static u32 declare_exit_handlers (Program *p) {
  if (find_in_program (p, "atexit") == NONE && find_in_program (p, "__cxa_atexit") == NONE)
    return NONE;
  Function f = {.name = mem_strdup ("porf_run_exit_handlers")};
  vec_push (&p->functions, f);
  return p->functions.size - 1;
}

void ir_link_first (Program *p, Program *library) {
  Linker k;
  linker_init (&k, p, library);
  copy_needed (&k);
  linker_done (&k);
}

void ir_link (Program *p, Program *library) {
  if (library) {
    ir_follow_conventions (p);
    surround_main (p, declare_exit_handlers (p));
    ir_link_first (p, library);
    fit_calls (p);
  }
  ir_stub_declarations (p);
}
