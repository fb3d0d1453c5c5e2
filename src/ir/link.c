/* link.c - completes a program from a library, by name.
 *
 * Functions and globals that the library brings are appended as empty shells first and filled when
 * their turn comes, so that nothing recurses, however deep the library's calls go. Types of library
 * globals are left out: reports name them by offset.
 *
 * A name with a dot (".str", "f.counter", "__const.f.a") was made by the compiler and is private to
 * its program, so it never matches.
 */
#include "ir/ir_int.h"

#define NONE (~0u)

typedef struct Linker {
  Program *p;
  const Program *library;
  Map functions, globals;       /* hash of the name -> index in p */
  Map library_functions;        /* likewise, in the library */
  u32 *global_of, *function_of; /* by library index: index in p, or NONE */
  u32 *file_of;
  VEC (u32) new_globals; /* library indices, in the order in which they were appended to p */
} Linker;

/* Names are told apart by a 64-bit hash and then compared; of two that collide only one is found,
 * which the callers treat as absent. */
static u64 name_key (const char *name) { return hash_bytes (name, strlen (name), 0x6e616d65); }

static bool is_private (const char *name) { return strchr (name, '.') != NULL; }

static void name_add (Map *m, const char *name, u32 index) {
  u64 old;
  if (!is_private (name) && !map_get (m, name_key (name), &old))
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
  if (k->function_of[index] != NONE) return k->function_of[index];
  const Function *from = &k->library->functions.data[index];
  u32 to = find_function (&k->functions, k->p, from->name);
  if (to == NONE) {
    to = k->p->functions.size;
    Function shell = {
        .name = mem_strdup (from->name), .params = from->params, .regs = from->params};
    shell.is_variadic = from->is_variadic;
    vec_push (&k->p->functions, shell);
    name_add (&k->functions, from->name, to);
  }
  return k->function_of[index] = to;
}

/* An `extern` of p that the library defines has no initial value of its own, and may have no size.
 */
static bool takes_value (const Global *g, const Global *from) {
  return !g->init && !g->relocs.size && g->size <= from->size;
}

static u32 map_global (Linker *k, u32 index) {
  if (k->global_of[index] != NONE) return k->global_of[index];
  const Global *from = &k->library->globals.data[index];
  u32 to = find_global (&k->globals, k->p, from->name);
  /* Same name, other kind of object: what the library's code does with it would make no sense. */
  if (to != NONE && k->p->globals.data[to].is_tls != from->is_tls) to = NONE;
  bool is_new = to == NONE;
  if (is_new) {
    to = k->p->globals.size;
    Global shell = {.name = mem_strdup (from->name), .size = from->size, .align = from->align};
    shell.is_tls = from->is_tls;
    shell.is_const = from->is_const;
    vec_push (&k->p->globals, shell);
    name_add (&k->globals, from->name, to);
  }
  k->global_of[index] = to;
  if (is_new || takes_value (&k->p->globals.data[to], from)) vec_push (&k->new_globals, index);
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
  vec_free (&operands);
}

static void fill_global (Linker *k, u32 index) {
  const Global *from = &k->library->globals.data[index];
  u32 to = k->global_of[index];
  Global *g = &k->p->globals.data[to];
  g->size = from->size;
  if (g->align < from->align) g->align = from->align;
  if (from->init && from->size) g->init = memcpy (mem_alloc (from->size), from->init, from->size);
  for (u32 n = 0; n < from->relocs.size; n++) {
    Reloc r = from->relocs.data[n];
    r.target = map_const (k, r.target);
    vec_push (&k->p->globals.data[to].relocs, r);
  }
  if (!k->p->globals.data[to].pos) k->p->globals.data[to].pos = map_position (k, from->pos, 0);
}

static void copy_needed (Linker *k) {
  /* Both lists grow while they are walked; a global may bring functions and the other way round. */
  for (u32 f = 0, g = 0; f < k->p->functions.size || g < k->new_globals.size;) {
    if (g < k->new_globals.size) {
      fill_global (k, k->new_globals.data[g++]);
      continue;
    }
    u32 index = f++;
    if (k->p->functions.data[index].blocks.size) continue;
    u32 from = find_function (&k->library_functions, k->library, k->p->functions.data[index].name);
    if (from != NONE && k->library->functions.data[from].blocks.size)
      fill_function (k, index, &k->library->functions.data[from]);
  }
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
static void describe_missing (const char *name, Str *out) {
  if (strncmp (name, "porf_", 5)) {
    str_printf (out,
                "the call of `%s`: no file given defines it, and porf's C library does not have it",
                name);
    return;
  }
  str_add (out, name + 5);
  for (char *c = out->text; *c; c++)
    if (*c == '_') *c = ' ';
}

void ir_stub_declarations (Program *p) {
  for (u32 k = 0; k < p->functions.size; k++) {
    Function *f = &p->functions.data[k];
    if (f->blocks.size) continue;
    Str what = {0};
    describe_missing (f->name, &what);
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

static void linker_init (Linker *k, Program *p, const Program *library) {
  *k = (Linker){.p = p, .library = library};
  for (u32 i = 0; i < p->functions.size; i++)
    name_add (&k->functions, p->functions.data[i].name, i);
  for (u32 i = 0; i < p->globals.size; i++) name_add (&k->globals, p->globals.data[i].name, i);
  for (u32 i = 0; i < library->functions.size; i++)
    name_add (&k->library_functions, library->functions.data[i].name, i);
  k->global_of = none_array (library->globals.size);
  k->function_of = none_array (library->functions.size);
  k->file_of = none_array (library->files.size);
}

static void linker_done (Linker *k) {
  map_free (&k->functions);
  map_free (&k->globals);
  map_free (&k->library_functions);
  mem_free (k->global_of);
  mem_free (k->function_of);
  mem_free (k->file_of);
  vec_free (&k->new_globals);
}

void ir_link (Program *p, const Program *library) {
  if (library) {
    Linker k;
    linker_init (&k, p, library);
    copy_needed (&k);
    linker_done (&k);
    fit_calls (p);
  }
  ir_stub_declarations (p);
}
