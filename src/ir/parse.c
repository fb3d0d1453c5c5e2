/* parse.c - reads the text form; docs/IR.md is its reference. print.c writes it.
 *
 * The reader takes anything: it never recurses on its input, bounds every count, and owns what it
 * has built through the Program, so that an error at any point leaves by one longjmp and frees all.
 */
#include "ir/ir_int.h"
#include "ir/lexer.h"

#define MAX_INDEX (1u << 28)

typedef struct Parser {
  Lexer lex;
  Program *program;
  bool skips_bodies;
  u32 func;                 /* index of the function being read */
  VEC (u32) function_lines; /* for errors that only ir_check finds */
  VEC (u32) insn_lines;     /* of all functions in order */
  VEC (u32) first_insn;     /* of each function, into insn_lines */
  VEC (u32) global_lines;
  VEC (u32) type_lines;
} Parser;

static Function *function_of (Parser *s) { return &s->program->functions.data[s->func]; }

/* "@file:line:column" */
static u32 parse_position (Parser *s, u32 func) {
  Lexer *l = &s->lex;
  if (!lex_accept (l, '@')) return 0;
  Position pos = {.func = func};
  pos.file = (u32)lex_number (l, MAX_INDEX);
  if (pos.file >= s->program->files.size) lex_fail (l, "there is no file %u", pos.file);
  lex_expect (l, ':');
  pos.line = (u32)lex_number (l, UINT32_MAX);
  lex_expect (l, ':');
  pos.column = (u32)lex_number (l, UINT32_MAX);
  return program_position (s->program, pos);
}

/* "g1+4" or "f2", of which the word has been read. */
static Const address_const (Parser *s) {
  Lexer *l = &s->lex;
  Const c = {.index = lex_word_index (l, l->word + 1, MAX_INDEX)};
  c.kind = l->word[0] == 'g' ? CONST_GLOBAL : CONST_FUNC;
  if (c.kind == CONST_GLOBAL && lex_same_line (l) && (*l->at == '+' || *l->at == '-'))
    c.value = lex_integer (l);
  return c;
}

static Const parse_address (Parser *s) {
  const char *word = lex_word (&s->lex, "gN or fN");
  if (word[0] != 'g' && word[0] != 'f') lex_fail (&s->lex, "expected gN or fN, found `%s`", word);
  return address_const (s);
}

static u32 register_index (Parser *s, u32 r) {
  u32 regs = function_of (s)->regs;
  if (r >= regs) lex_fail (&s->lex, "r%u is out of range: the function has %u registers", r, regs);
  return r;
}

static Operand parse_operand (Parser *s) {
  Lexer *l = &s->lex;
  char c = lex_peek (l);
  Const k = {.kind = CONST_INT};
  if (c == '-' || (c >= '0' && c <= '9')) {
    k.value = lex_integer (l);
  } else {
    const char *word = lex_word (l, "an operand");
    if (word[0] == 'r') return (Operand)register_index (s, lex_word_index (l, word + 1, MAX_REGS));
    if (word[0] != 'g' && word[0] != 'f') lex_fail (l, "expected an operand, found `%s`", word);
    k = address_const (s);
  }
  return operand_const (program_const (s->program, (ConstKind)k.kind, k.index, k.value));
}

static void parse_operands (Parser *s, Insn *i, u32 n) {
  Operand *const operands[] = {&i->a, &i->b, &i->c};
  for (u32 k = 0; k < n; k++) {
    if (k) lex_expect (&s->lex, ',');
    *operands[k] = parse_operand (s);
  }
}

static void push_arg (Parser *s, Insn *i) {
  if (i->nargs == MAX_ARGS) lex_fail (&s->lex, "too many arguments");
  Operand o = parse_operand (s);
  vec_push (&function_of (s)->args, o);
  i->nargs++;
}

static void parse_args (Parser *s, Insn *i) {
  i->first = function_of (s)->args.size;
  lex_expect (&s->lex, '(');
  if (lex_accept (&s->lex, ')')) return;
  do push_arg (s, i);
  while (lex_accept (&s->lex, ','));
  lex_expect (&s->lex, ')');
}

static Order parse_order (Parser *s) {
  const char *word = lex_word (&s->lex, "a memory order");
  for (int o = 0; o < ORDER_COUNT; o++)
    if (!strcmp (order_name ((Order)o), word)) return (Order)o;
  lex_fail (&s->lex, "unknown memory order `%s`", word);
}

static RmwOp parse_rmw (Parser *s) {
  lex_expect (&s->lex, '.');
  const char *word = lex_word (&s->lex, "an operation");
  for (int op = 0; op < RMW_COUNT; op++)
    if (!strcmp (rmw_name ((RmwOp)op), word)) return (RmwOp)op;
  lex_fail (&s->lex, "unknown read-modify-write operation `%s`", word);
}

static u8 parse_suffix (Parser *s, u8 otherwise) {
  return lex_accept (&s->lex, '.') ? (u8)lex_number (&s->lex, 255) : otherwise;
}

static void parse_plain (Parser *s, Insn *i) {
  OpForm form = op_form ((Op)i->op);
  i->width = form == FORM_SELECT ? 64 : parse_suffix (s, 64);
  if (form == FORM_CAST || form == FORM_FCMP) {
    lex_expect (&s->lex, '.');
    i->sub = (u8)lex_number (&s->lex, 255);
  }
  parse_operands (s, i, form == FORM_SELECT ? 3 : form == FORM_UN || form == FORM_CAST ? 1 : 2);
}

static void parse_access (Parser *s, Insn *i, u32 operands) {
  i->width = parse_suffix (s, 0);
  if (i->op == OP_RMW) i->sub = (u8)parse_rmw (s);
  i->order = (u8)parse_order (s);
  if (i->op == OP_CAS) i->order2 = (u8)parse_order (s);
  parse_operands (s, i, operands);
  for (;;) {
    if (lex_accept_word (&s->lex, "volatile"))
      i->flags |= INSN_VOLATILE;
    else if (lex_accept_word (&s->lex, "weak"))
      i->flags |= INSN_WEAK;
    else if (lex_accept_word (&s->lex, "in_spin"))
      i->flags |= INSN_IN_SPIN;
    else if (lex_accept_word (&s->lex, "unused"))
      i->flags |= INSN_UNUSED;
    else
      break;
  }
}

static Operand parse_block_index (Parser *s) {
  return (Operand)lex_indexed (&s->lex, 'b', MAX_INDEX);
}

static void parse_branch (Parser *s, Insn *i) {
  parse_operands (s, i, 1);
  lex_expect (&s->lex, ',');
  i->b = parse_block_index (s);
  lex_expect (&s->lex, ',');
  i->c = parse_block_index (s);
}

static void parse_switch (Parser *s, Insn *i) {
  Lexer *l = &s->lex;
  parse_operands (s, i, 1);
  lex_expect (l, ',');
  i->b = parse_block_index (s);
  lex_expect (l, '{');
  i->first = function_of (s)->cases.size;
  while (!lex_accept (l, '}')) {
    if (i->nargs) lex_expect (l, ',');
    if (i->nargs == MAX_ARGS) lex_fail (l, "too many cases");
    Case c = {.value = lex_integer (l)};
    lex_expect (l, ':');
    c.block = (u32)parse_block_index (s);
    vec_push (&function_of (s)->cases, c);
    i->nargs++;
  }
}

static void parse_call (Parser *s, Insn *i) {
  const char *word = lex_word (&s->lex, "fN or rN");
  u32 index = lex_word_index (&s->lex, word + 1, MAX_INDEX);
  if (word[0] == 'r')
    i->a = (Operand)register_index (s, index);
  else if (word[0] == 'f')
    i->b = (Operand)index;
  else
    lex_fail (&s->lex, "expected fN or rN, found `%s`", word);
  parse_args (s, i);
}

static void parse_ret (Parser *s, Insn *i) {
  i->first = function_of (s)->args.size;
  if (!lex_same_line (&s->lex) || *s->lex.at == '@' || *s->lex.at == '}') return;
  do push_arg (s, i);
  while (lex_accept (&s->lex, ','));
}

static void parse_builtin (Parser *s, Insn *i) {
  const char *word = lex_word (&s->lex, "the name of a builtin");
  while (i->sub < BUILTIN_COUNT && strcmp (builtin_name ((Builtin)i->sub), word)) i->sub++;
  if (i->sub == BUILTIN_COUNT) lex_fail (&s->lex, "unknown builtin `%s`", word);
  parse_args (s, i);
}

static void parse_spin (Parser *s, Insn *i) {
  parse_args (s, i);
  if (lex_accept_word (&s->lex, "shadow"))
    i->b = (Operand)register_index (s, lex_indexed (&s->lex, 'r', MAX_REGS));
  if (lex_accept_word (&s->lex, "detect")) i->flags |= INSN_SPIN;
}

static u8 parse_log2 (Parser *s) {
  u64 align = lex_number (&s->lex, MAX_ALIGN);
  if (!align || align & (align - 1)) lex_fail (&s->lex, "an alignment is a power of two");
  return (u8)__builtin_ctzll (align);
}

static void parse_rest (Parser *s, Insn *i) {
  Lexer *l = &s->lex;
  switch ((Op)i->op) {
#include "ir/plain_ops.h"
    parse_plain (s, i);
    break;
  case OP_ALLOCA:
    parse_operands (s, i, 1);
    if (lex_same_line (l) && lex_accept_word (l, "align")) i->sub = parse_log2 (s);
    if (lex_same_line (l) && lex_peek (l) == '"')
      i->b = (Operand)program_string (s->program, lex_string (l));
    if (i->b != OPERAND_NONE && lex_same_line (l) && lex_accept_word (l, "type"))
      i->c = (Operand)lex_number (l, MAX_INDEX);
    break;
  case OP_TLS:
    i->b = (Operand)lex_indexed (l, 'g', MAX_INDEX);
    break;
  case OP_LOAD:
    parse_access (s, i, 1);
    break;
  case OP_STORE:
  case OP_RMW:
    parse_access (s, i, 2);
    break;
  case OP_CAS:
    parse_access (s, i, 3);
    break;
  case OP_FENCE:
    i->order = (u8)parse_order (s);
    break;
  case OP_JMP:
    i->b = parse_block_index (s);
    break;
  case OP_BR:
    parse_branch (s, i);
    break;
  case OP_SWITCH:
    parse_switch (s, i);
    break;
  case OP_CALL:
    parse_call (s, i);
    break;
  case OP_RETVAL:
    i->b = (Operand)lex_number (l, MAX_ARGS);
    break;
  case OP_RET:
    parse_ret (s, i);
    break;
  case OP_BUILTIN:
    parse_builtin (s, i);
    break;
  case OP_SPIN:
    parse_spin (s, i);
    break;
  case OP_UNREACHABLE:
    break;
  case OP_UNSUPPORTED:
    i->b = (Operand)program_string (s->program, lex_string (l));
    break;
  }
}

static void parse_insn (Parser *s) {
  Lexer *l = &s->lex;
  Insn i = {.dst = -1, .a = OPERAND_NONE, .b = OPERAND_NONE, .c = OPERAND_NONE};
  u32 line = l->token_line;
  const char *word = l->word;
  if (word[0] == 'r' && word[1] >= '0' && word[1] <= '9') {
    i.dst = (i32)register_index (s, lex_word_index (l, word + 1, MAX_REGS));
    lex_expect (l, '=');
    lex_word (l, "an instruction");
  }
  while (i.op < OP_COUNT && strcmp (op_name ((Op)i.op), word)) i.op++;
  if (i.op == OP_COUNT) lex_fail (l, "unknown instruction `%s`", word);
  parse_rest (s, &i);
  i.pos = parse_position (s, s->func);
  vec_push (&function_of (s)->code, i);
  vec_push (&s->insn_lines, line);
}

static bool is_label (const char *word) {
  return word[0] == 'b' && word[1] >= '0' && word[1] <= '9';
}

static void parse_body (Parser *s) {
  Lexer *l = &s->lex;
  while (!lex_accept (l, '}')) {
    Function *f = function_of (s);
    const char *word = lex_word (l, "an instruction, a block label or `}`");
    if (!is_label (word)) {
      if (!f->blocks.size) lex_fail (l, "expected `b0:` before the first instruction");
      parse_insn (s);
      vec_last (&f->blocks).end = f->code.size;
      continue;
    }
    if (lex_word_index (l, word + 1, MAX_INDEX) != f->blocks.size)
      lex_fail (l, "expected block b%u, found `%s`", f->blocks.size, word);
    lex_expect (l, ':');
    vec_push (&f->blocks, ((Block){f->code.size, f->code.size}));
  }
  if (!function_of (s)->blocks.size) lex_fail (l, "a function without blocks must be `declared`");
}

/* The printer ends every function by a brace on a line of its own. */
static void skip_body (Parser *s) {
  static const char brace[] = "\n}\n";
  Lexer *l = &s->lex;
  const char *end = memmem (l->at, (size_t)(l->end - l->at), brace, strlen (brace));
  if (!end) lex_fail (l, "a function does not end");
  function_of (s)->unread = l->at;
  l->at = end + strlen (brace);
  function_of (s)->unread_size = (size_t)(l->at - function_of (s)->unread);
}

/* Items are numbered in the order in which they stand. */
static void parse_item_index (Parser *s, u32 expected) {
  if (lex_number (&s->lex, MAX_INDEX) != expected)
    lex_fail (&s->lex, "expected number %u", expected);
}

static bool accept_title (Lexer *l, char **title) {
  if (!lex_accept_word (l, "title")) return false;
  mem_free (*title);
  *title = mem_strdup (lex_string (l));
  return true;
}

static bool accept_linkage (Lexer *l, u8 *linkage) {
  if (lex_accept_word (l, "local"))
    *linkage = LINK_LOCAL;
  else if (lex_accept_word (l, "weak"))
    *linkage = LINK_WEAK;
  else
    return false;
  return true;
}

static void parse_function (Parser *s) {
  Lexer *l = &s->lex;
  Program *p = s->program;
  vec_push (&s->function_lines, l->token_line);
  vec_push (&s->first_insn, s->insn_lines.size);
  parse_item_index (s, p->functions.size);
  s->func = p->functions.size;
  Function f = {.name = mem_strdup (lex_string (l))};
  vec_push (&p->functions, f);
  for (;;) {
    Function *fn = function_of (s);
    if (lex_peek (l) == '@') {
      fn->pos = parse_position (s, s->func);
    } else if (lex_accept (l, '{')) {
      if (s->skips_bodies)
        skip_body (s);
      else
        parse_body (s);
      return;
    } else if (accept_title (l, &fn->title)) {
      continue;
    } else if (lex_accept_word (l, "params")) {
      fn->params = (u32)lex_number (l, MAX_ARGS);
    } else if (lex_accept_word (l, "regs")) {
      fn->regs = (u32)lex_number (l, MAX_REGS);
    } else if (lex_accept_word (l, "variadic")) {
      fn->is_variadic = true;
    } else if (!accept_linkage (l, &fn->linkage)) {
      lex_expect_word (l, "declared");
      break;
    }
  }
  function_of (s)->pos = lex_peek (l) == '@' ? parse_position (s, s->func) : function_of (s)->pos;
}

static int hex_value (char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static void parse_bytes (Parser *s, Global *g) {
  Lexer *l = &s->lex;
  lex_peek (l);
  size_t n = 0;
  while (l->at + n < l->end && hex_value (l->at[n]) >= 0) n++;
  if (n != 2 * g->size)
    lex_fail (l, "expected `zero` or %llu hexadecimal digits, found %zu",
              2 * (unsigned long long)g->size, n);
  g->init = mem_alloc (g->size);
  for (size_t i = 0; i < g->size; i++)
    g->init[i] = (u8)(hex_value (l->at[2 * i]) * 16 + hex_value (l->at[2 * i + 1]));
  l->at += n;
}

static void parse_initialiser (Parser *s, Global *g) {
  Lexer *l = &s->lex;
  if (!lex_accept_word (l, "zero")) parse_bytes (s, g);
  while (lex_accept_word (l, "reloc")) {
    Reloc r = {.offset = (u32)lex_number (l, MAX_GLOBAL_SIZE)};
    r.target = parse_address (s);
    vec_push (&g->relocs, r);
  }
}

static void parse_global (Parser *s) {
  Lexer *l = &s->lex;
  Program *p = s->program;
  vec_push (&s->global_lines, l->token_line);
  parse_item_index (s, p->globals.size);
  Global fresh = {.name = mem_strdup (lex_string (l)), .align = 1};
  vec_push (&p->globals, fresh);
  Global *g = &vec_last (&p->globals);
  for (;;) {
    if (lex_accept_word (l, "size"))
      g->size = lex_number (l, MAX_GLOBAL_SIZE);
    else if (lex_accept_word (l, "align"))
      g->align = (u32)lex_number (l, MAX_ALIGN);
    else if (lex_accept_word (l, "type"))
      g->type = (u32)lex_number (l, MAX_INDEX);
    else if (lex_accept_word (l, "tls"))
      g->is_tls = true;
    else if (lex_accept_word (l, "const"))
      g->is_const = true;
    else if (lex_accept_word (l, "extern"))
      g->is_extern = true;
    else if (accept_title (l, &g->title))
      continue;
    else if (!accept_linkage (l, &g->linkage))
      break;
  }
  if (lex_accept (l, '=')) parse_initialiser (s, g);
  g->pos = parse_position (s, 0);
}

static void parse_fields (Parser *s, Type *t) {
  Lexer *l = &s->lex;
  lex_expect (l, '{');
  while (!lex_accept (l, '}')) {
    if (t->fields.size) lex_expect (l, ',');
    Field f = {.name = mem_strdup (lex_string (l))};
    vec_push (&t->fields, f);
    vec_last (&t->fields).offset = lex_number (l, ~0ull);
    vec_last (&t->fields).type = (u32)lex_number (l, MAX_INDEX);
  }
}

static void parse_type (Parser *s) {
  static const char *const kinds[] = {"unknown", "scalar", "pointer", "array", "struct"};
  Lexer *l = &s->lex;
  Program *p = s->program;
  vec_push (&s->type_lines, l->token_line);
  parse_item_index (s, p->types.size);
  u8 kind = 0;
  const char *word = lex_word (l, "a kind of type");
  while (kind < ARRAY_SIZE (kinds) && strcmp (kinds[kind], word)) kind++;
  if (kind == ARRAY_SIZE (kinds)) lex_fail (l, "unknown kind of type `%s`", word);
  Type fresh = {.kind = kind, .name = mem_strdup (lex_string (l))};
  vec_push (&p->types, fresh);
  Type *t = &vec_last (&p->types);
  t->size = lex_number (l, ~0ull);
  if (kind == TYPE_STRUCT) parse_fields (s, t);
  if (kind == TYPE_SCALAR) {
    t->is_signed = lex_accept_word (l, "signed");
    lex_accept_word (l, "unsigned");
  }
  if (kind == TYPE_ARRAY) lex_expect_word (l, "of");
  if (kind == TYPE_POINTER) {
    lex_expect (l, '-');
    lex_expect (l, '>');
  }
  if (kind == TYPE_ARRAY || kind == TYPE_POINTER) t->element = (u32)lex_number (l, MAX_INDEX);
}

static void parse_file (Parser *s) {
  parse_item_index (s, s->program->files.size);
  char *name = mem_strdup (lex_string (&s->lex));
  vec_push (&s->program->files, name);
}

/* Not program_string (): two `string` items with the same text keep their numbers. */
static void parse_string (Parser *s) {
  parse_item_index (s, s->program->strings.size);
  const char *text = lex_string (&s->lex);
  u32 before = s->program->strings.size;
  if (program_string (s->program, text) < before)
    vec_push (&s->program->strings, mem_strdup (text));
}

static void parse_program (Parser *s) {
  Lexer *l = &s->lex;
  lex_expect_word (l, "porf");
  lex_expect (l, '-');
  lex_expect_word (l, "ir");
  if (lex_number (l, ~0ull) != 1) lex_fail (l, "only version 1 of porf-ir is known");
  while (lex_peek (l) || l->at < l->end) {
    const char *word = lex_word (l, "`func`, `global`, `type`, `file` or `string`");
    if (!strcmp (word, "func"))
      parse_function (s);
    else if (!strcmp (word, "global"))
      parse_global (s);
    else if (!strcmp (word, "type"))
      parse_type (s);
    else if (!strcmp (word, "file"))
      parse_file (s);
    else if (!strcmp (word, "string"))
      parse_string (s);
    else
      lex_fail (l, "expected `func`, `global`, `type`, `file` or `string`, found `%s`", word);
  }
}

static u32 site_line (const Parser *s, const Site *at) {
  switch (at->kind) {
  case SITE_NONE:
    break;
  case SITE_GLOBAL:
    return s->global_lines.data[at->index];
  case SITE_TYPE:
    return s->type_lines.data[at->index - 1];
  case SITE_FUNCTION:
    if (at->insn == ~0u) return s->function_lines.data[at->index];
    return s->insn_lines.data[s->first_insn.data[at->index] + at->insn];
  }
  return 0;
}

static bool check_parsed (const Parser *s, IrError *error) {
  Str why = {0};
  Site at = {0};
  bool ok = ir_check_at (s->program, &why, &at);
  if (!ok) {
    error->line = site_line (s, &at);
    error->column = 1;
    snprintf (error->message, sizeof error->message, "%s", why.text);
  }
  str_free (&why);
  return ok;
}

static void parser_done (Parser *s) {
  lex_done (&s->lex);
  vec_free (&s->function_lines);
  vec_free (&s->insn_lines);
  vec_free (&s->first_insn);
  vec_free (&s->global_lines);
  vec_free (&s->type_lines);
  mem_free (s);
}

/* On the heap, so that what longjmp does to locals is no concern. */
static Parser *parser_new (Program *p, const char *text, size_t size, IrError *error) {
  Parser *s = mem_zalloc (sizeof *s);
  s->program = p;
  *error = (IrError){0};
  lex_init (&s->lex, text, size, error);
  return s;
}

static Program *parse_text (const char *text, size_t size, bool skips_bodies, IrError *error) {
  Program *const p = program_new ();
  Parser *const s = parser_new (p, text, size, error);
  s->skips_bodies = skips_bodies;
  bool ok = false;
  if (!setjmp (s->lex.failed)) {
    parse_program (s);
    ok = skips_bodies || check_parsed (s, error);
  }
  parser_done (s);
  if (ok) return p;
  program_free (p);
  return NULL;
}

Program *ir_parse (const char *text, size_t size, IrError *error) {
  return parse_text (text, size, false, error);
}

Program *ir_parse_library (const char *text, size_t size, IrError *error) {
  return parse_text (text, size, true, error);
}

void ir_read_body (Program *p, u32 function) {
  Function *f = &p->functions.data[function];
  if (!f->unread) return;
  IrError error;
  Parser *const s = parser_new (p, f->unread, f->unread_size, &error);
  s->func = function;
  f->unread = NULL;
  if (setjmp (s->lex.failed)) BUG (error.message);
  parse_body (s);
  parser_done (s);
}
