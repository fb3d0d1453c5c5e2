/* parse.c - the grammar. Operators bind, from loose to tight: | ; \ & and then * + ? ^-1 after and
 * ~ before their operand. `A * B` is a product, `r *` a closure: it is a product if an operand
 * follows. */
#include "models/cat/reader.h"

typedef struct Parser {
  Reader *r;
  const Token *at;
} Parser;

static const char no_sets_of_sets[] =
    "sets hold events here, not relations, tags or other sets; co is part of an execution";

static bool is (const Parser *p, const char *text) {
  return (p->at->kind == TOKEN_SIGN || p->at->kind == TOKEN_KEYWORD) && !strcmp (p->at->text, text);
}

static Token take (Parser *p) {
  Token t = *p->at;
  if (t.kind != TOKEN_END) p->at++;
  return t;
}

static bool accept (Parser *p, const char *text) {
  if (!is (p, text)) return false;
  take (p);
  return true;
}

static const char *quote (const Token *t) { return t->kind == TOKEN_END ? "" : "`"; }

static NORETURN void fail_expected (Parser *p, const char *what) {
  reader_fail (p->r, p->at->place, NULL, "expected %s, not %s%s%s", what, quote (p->at),
               p->at->text, quote (p->at));
}

static Token expect (Parser *p, const char *text) {
  if (!is (p, text)) {
    char what[32];
    snprintf (what, sizeof what, "`%s`", text);
    fail_expected (p, what);
  }
  return take (p);
}

static NORETURN void refuse (Parser *p, const char *help, const char *what) {
  p->r->has_sets_of_sets = help == no_sets_of_sets;
  reader_fail (p->r, p->at->place, help, "%s", what);
}

static void enter (Parser *p) {
  if (++p->r->depth > DEPTH_MAX)
    reader_fail (p->r, p->at->place, NULL, "this is nested too deeply (more than %d levels)",
                 DEPTH_MAX);
}
static void leave (Parser *p) { p->r->depth--; }

/* ---- trees ---- */

static Ast *new_ast (Parser *p, AstKind kind, Place place) {
  Ast *x = reader_alloc (p->r, sizeof *x);
  x->kind = kind;
  x->place = x->sign = place;
  return x;
}

static Ast *binary (Parser *p, AstKind kind, Place sign, Ast *a, Ast *b) {
  Ast *x = new_ast (p, kind, place_join (a->place, b->place));
  x->sign = sign;
  x->a = a, x->b = b;
  return x;
}

static Ast *unary (Parser *p, AstKind kind, Place sign, Ast *a) {
  Ast *x = new_ast (p, kind, place_join (a->place, sign));
  x->sign = sign;
  x->a = a;
  return x;
}

static void add_item (Parser *p, Ast *list, Ast *item) {
  if ((list->count & (list->count - 1)) == 0) { /* room for the next power of two */
    Ast **items = reader_alloc (p->r, (list->count ? list->count * 2 : 1) * sizeof (Ast *));
    if (list->count) memcpy (items, list->items, list->count * sizeof (Ast *));
    list->items = items;
  }
  list->items[list->count++] = item;
}

static Ast *parse_expression (Parser *p);
static Ast *parse_union (Parser *p);

/* ---- names that are bound ---- */

static const char *parse_pattern (Parser *p) {
  if (accept (p, "_")) return NULL;
  if (p->at->kind != TOKEN_NAME) fail_expected (p, "a name");
  return take (p).text;
}

static bool at_pattern (const Parser *p) { return p->at->kind == TOKEN_NAME || is (p, "_"); }

enum { NAMES_MAX = 32 };

static void add_name (Parser *p, Names *names, const char *name) {
  if (!names->data) names->data = reader_alloc (p->r, NAMES_MAX * sizeof *names->data);
  if (names->size == NAMES_MAX) refuse (p, NULL, "too many names");
  names->data[names->size++] = name;
}

/* a, b, c up to `end`, which is taken; maybe none. */
static Names parse_names (Parser *p, const char *end) {
  Names names = {0};
  if (accept (p, end)) return names;
  do add_name (p, &names, parse_pattern (p));
  while (accept (p, ","));
  expect (p, end);
  return names;
}

static void parse_formals (Parser *p, Names *names, bool *is_tuple) {
  if (accept (p, "(")) {
    *names = parse_names (p, ")");
    *is_tuple = names->size != 1;
  } else {
    add_name (p, names, parse_pattern (p));
    *is_tuple = false;
  }
}

/* x = e    x, y = e    (x, y) = e    f x = e    f (x, y) = e */
static Binding parse_binding (Parser *p) {
  Binding b = {.place = p->at->place};
  if (accept (p, "(")) {
    b.names = parse_names (p, ")");
    b.is_tuple = b.names.size != 1;
    expect (p, "=");
  } else {
    add_name (p, &b.names, parse_pattern (p));
    if (at_pattern (p) || is (p, "(")) {
      b.is_function = true;
      parse_formals (p, &b.formals, &b.formals_are_tuple);
    }
    while (!b.is_function && accept (p, ",")) {
      b.is_tuple = true;
      add_name (p, &b.names, parse_pattern (p));
    }
    if (!is (p, "=")) fail_expected (p, "`=`");
    take (p);
  }
  b.body = parse_expression (p);
  return b;
}

static Bindings parse_bindings (Parser *p) {
  Bindings all = {0};
  u32 room = 0;
  do {
    Binding b = parse_binding (p);
    if (all.size == room) {
      room = room ? room * 2 : 4;
      Binding *data = reader_alloc (p->r, room * sizeof *data);
      if (all.size) memcpy (data, all.data, all.size * sizeof *data);
      all.data = data;
    }
    all.data[all.size++] = b;
  } while (accept (p, "and"));
  return all;
}

static bool accept_rec (Parser *p) { return accept (p, "rec"); }

/* ---- variants: options of herd that are all off here ---- */

static bool parse_variant (Parser *p) {
  enter (p);
  bool value = false;
  if (accept (p, "not")) {
    value = !parse_variant (p);
  } else if (accept (p, "(")) {
    value = parse_variant (p);
    expect (p, ")");
  } else {
    accept (p, "variant");
    if (p->at->kind != TOKEN_STRING)
      refuse (p, "cat files that compute with sets of relations do not run here",
              "only options of herd can be asked for with `if`");
    take (p);
  }
  for (;;) {
    if (accept (p, "&&")) {
      bool right = parse_variant (p);
      value = value && right;
    } else if (accept (p, "||")) {
      bool right = parse_variant (p);
      value = value || right;
    } else {
      break;
    }
  }
  leave (p);
  return value;
}

/* ---- expressions ---- */

static bool at_operand (const Parser *p) {
  if (p->at->kind == TOKEN_NAME || p->at->kind == TOKEN_TAG) return true;
  static const char *const begins[] = {"0", "_", "(", "[", "{", "begin"};
  for (u32 i = 0; i < ARRAY_SIZE (begins); i++)
    if (is (p, begins[i])) return true;
  if (!is (p, "~") || p->at[1].kind != TOKEN_KEYWORD) return is (p, "~");
  const char *next = p->at[1].text; /* ~empty and so on begin the next statement */
  return strcmp (next, "empty") && strcmp (next, "acyclic") && strcmp (next, "irreflexive");
}

static Ast *parse_simple (Parser *p) {
  Token t = *p->at;
  if (t.kind == TOKEN_NAME) {
    take (p);
    Ast *x = new_ast (p, AST_NAME, t.place);
    x->name = t.text;
    return x;
  }
  if (t.kind == TOKEN_TAG) refuse (p, no_sets_of_sets, "tags have no meaning here");
  if (accept (p, "0")) return new_ast (p, AST_EMPTY, t.place);
  if (accept (p, "_")) return new_ast (p, AST_ALL, t.place);
  if (accept (p, "{")) {
    if (!is (p, "}")) refuse (p, no_sets_of_sets, "a set cannot be listed by its elements");
    return new_ast (p, AST_EMPTY, place_join (t.place, take (p).place));
  }
  if (accept (p, "[")) {
    Ast *x = parse_expression (p);
    Token end = expect (p, "]");
    x = unary (p, AST_SET_ID, t.place, x);
    x->place = place_join (t.place, end.place);
    return x;
  }
  if (accept (p, "(")) {
    if (is (p, ")")) return new_ast (p, AST_TUPLE, place_join (t.place, take (p).place));
    Ast *x = parse_expression (p);
    Token end = expect (p, ")");
    Ast *copy = new_ast (p, x->kind, t.place); /* the same, with its parentheses */
    *copy = *x;
    copy->place = place_join (t.place, end.place);
    return copy;
  }
  if (accept (p, "begin")) {
    Ast *x = parse_expression (p);
    expect (p, "end");
    return x;
  }
  fail_expected (p, "a set or a relation");
}

/* A name and what it is applied to: f x, f (x, y). */
static Ast *parse_application (Parser *p) {
  bool is_name = p->at->kind == TOKEN_NAME;
  Ast *x = parse_simple (p);
  u32 applied = 0;
  while (is_name && at_operand (p) && !is (p, "~")) {
    if (++applied > DEPTH_MAX) refuse (p, NULL, "too many arguments");
    Ast *b = parse_simple (p);
    x = binary (p, AST_APPLY, b->place, x, b);
  }
  return x;
}

static Ast *parse_postfix (Parser *p, bool may_be_product) {
  enter (p);
  if (is (p, "~")) {
    Place sign = take (p).place;
    Ast *x = unary (p, AST_NOT, sign, parse_postfix (p, false));
    leave (p);
    if (!may_be_product || !is (p, "*")) return x;
    Place star = take (p).place;
    return binary (p, AST_CROSS, star, x, parse_postfix (p, false));
  }
  Ast *x = parse_application (p);
  for (u32 height = 0;; height++) {
    Token t = *p->at;
    if (height > DEPTH_MAX) refuse (p, NULL, "too many operators after one operand");
    if (accept (p, "+")) {
      x = unary (p, AST_PLUS, t.place, x);
    } else if (accept (p, "?")) {
      x = unary (p, AST_OPT, t.place, x);
    } else if (accept (p, "^")) {
      Token what = take (p);
      bool is_sign = what.kind == TOKEN_SIGN;
      Place sign = place_join (t.place, what.place);
      if (is_sign && !strcmp (what.text, "-1"))
        x = unary (p, AST_INVERSE, sign, x);
      else if (is_sign && !strcmp (what.text, "+"))
        x = unary (p, AST_PLUS, sign, x);
      else if (is_sign && !strcmp (what.text, "*"))
        x = unary (p, AST_STAR, sign, x);
      else if (is_sign && !strcmp (what.text, "?"))
        x = unary (p, AST_OPT, sign, x);
      else
        reader_fail (p->r, what.place, NULL, "expected `-1`, `+`, `*` or `?` after `^`");
    } else if (is (p, "*")) {
      take (p);
      if (!at_operand (p)) {
        x = unary (p, AST_STAR, t.place, x);
      } else if (may_be_product) {
        x = binary (p, AST_CROSS, t.place, x, parse_postfix (p, false));
        may_be_product = false;
      } else {
        reader_fail (p->r, t.place, NULL, "a product has two sets; use parentheses");
      }
    } else {
      break;
    }
  }
  leave (p);
  return x;
}

typedef struct Level {
  const char *sign;
  AstKind kind;
} Level;
static const Level levels[] = {{"|", AST_OR}, {";", AST_SEQ}, {"\\", AST_MINUS}, {"&", AST_AND}};

static Ast *parse_level (Parser *p, u32 level) {
  if (level == ARRAY_SIZE (levels)) return parse_postfix (p, true);
  Ast *x = parse_level (p, level + 1);
  for (u32 count = 0; is (p, levels[level].sign); count++) {
    if (count == 1000) refuse (p, "give parts of it names", "this expression is too long");
    Place sign = take (p).place;
    Ast *b = parse_level (p, level + 1);
    x = binary (p, levels[level].kind, sign, x, b);
  }
  return x;
}

static Ast *parse_union (Parser *p) {
  Ast *x = parse_level (p, 0);
  if (is (p, "++")) refuse (p, no_sets_of_sets, "`++` has no meaning here");
  return x;
}

static Ast *parse_let (Parser *p, Place start) {
  bool is_rec = accept_rec (p);
  Ast *x = new_ast (p, is_rec ? AST_LET_REC : AST_LET, start);
  x->bindings = parse_bindings (p);
  expect (p, "in");
  x->a = parse_expression (p);
  x->place = place_join (start, x->a->place);
  return x;
}

static Ast *parse_fun (Parser *p, Place start) {
  Ast *x = new_ast (p, AST_FUN, start);
  Binding *b = reader_alloc (p->r, sizeof *b);
  b->place = start;
  b->is_function = true;
  parse_formals (p, &b->formals, &b->formals_are_tuple);
  expect (p, "->");
  b->body = parse_expression (p);
  x->bindings = (Bindings){b, 1};
  x->place = place_join (start, b->body->place);
  return x;
}

static Ast *parse_try (Parser *p, Place start) {
  Ast *a = parse_expression (p);
  expect (p, "with");
  Ast *x = binary (p, AST_TRY, start, a, parse_expression (p));
  x->place = place_join (start, x->b->place);
  return x;
}

static Ast *parse_if (Parser *p) {
  bool value = parse_variant (p);
  expect (p, "then");
  Ast *yes = parse_expression (p);
  expect (p, "else");
  Ast *no = parse_expression (p);
  return value ? yes : no;
}

static Ast *parse_tuple (Parser *p) {
  Ast *x = parse_union (p);
  if (!is (p, ",")) return x;
  Ast *tuple = new_ast (p, AST_TUPLE, x->place);
  add_item (p, tuple, x);
  while (accept (p, ",")) {
    x = parse_union (p);
    add_item (p, tuple, x);
    tuple->place = place_join (tuple->place, x->place);
  }
  return tuple;
}

static Ast *parse_expression (Parser *p) {
  Place start = p->at->place;
  Ast *x;
  enter (p);
  if (is (p, "match")) refuse (p, no_sets_of_sets, "`match` has no meaning here");
  if (accept (p, "let"))
    x = parse_let (p, start);
  else if (accept (p, "fun"))
    x = parse_fun (p, start);
  else if (accept (p, "try"))
    x = parse_try (p, start);
  else if (accept (p, "if"))
    x = parse_if (p);
  else
    x = parse_tuple (p);
  leave (p);
  return x;
}

/* ---- statements ---- */

static void add_statement (Parser *p, Statements *list, Statement s) {
  if ((list->size & (list->size - 1)) == 0) {
    Statement *data = reader_alloc (p->r, (list->size ? list->size * 2 : 1) * sizeof *data);
    if (list->size) memcpy (data, list->data, list->size * sizeof *data);
    list->data = data;
  }
  list->data[list->size++] = s;
}

static bool at_test (const Parser *p) {
  return is (p, "acyclic") || is (p, "irreflexive") || is (p, "empty") || is (p, "~");
}

static void parse_name_of (Parser *p, Statement *s) {
  if (!accept (p, "as")) return;
  if (p->at->kind != TOKEN_NAME) fail_expected (p, "a name");
  s->name = take (p).text;
}

/* Of rules that do not forbid the claim is what raises them. */
static Statement parse_check (Parser *p, bool forbids, bool is_undefined) {
  Statement s = {.kind = ST_CHECK, .place = p->at->place, .forbids = forbids};
  s.is_undefined = is_undefined;
  s.is_negated = accept (p, "~") != is_undefined;
  if (accept (p, "acyclic"))
    s.claim = CLAIM_ACYCLIC;
  else if (accept (p, "irreflexive"))
    s.claim = CLAIM_IRREFLEXIVE;
  else if (accept (p, "empty"))
    s.claim = CLAIM_EMPTY;
  else
    fail_expected (p, "`acyclic`, `irreflexive` or `empty`");
  s.expression = parse_expression (p);
  s.place = place_join (s.place, s.expression->place);
  parse_name_of (p, &s);
  return s;
}

/* show a, b    show e as x: for pictures, without a meaning for the model. */
static void parse_show (Parser *p, Statements *list, bool is_shown) {
  Statement s = {.kind = ST_SHOW, .place = p->at->place};
  do {
    s.expression = parse_union (p);
    s.name = s.expression->kind == AST_NAME ? s.expression->name : NULL;
    if (accept (p, "as")) s.name = parse_pattern (p);
    if (is_shown && s.name) add_statement (p, list, s);
  } while (accept (p, ","));
}

static void parse_statements (Parser *p, Statements *list, bool is_nested);

static Statement parse_procedure (Parser *p, Place start) {
  Statement s = {.kind = ST_PROCEDURE, .place = start};
  if (is (p, "rec")) refuse (p, NULL, "procedures cannot call themselves here");
  s.name_place = p->at->place;
  s.name = parse_pattern (p);
  parse_formals (p, &s.formals, &s.formals_are_tuple);
  expect (p, "=");
  parse_statements (p, &s.body, true);
  expect (p, "end");
  return s;
}

static Statement parse_call (Parser *p, Place start) {
  Statement s = {.kind = ST_CALL, .place = start};
  s.name_place = p->at->place;
  if (p->at->kind != TOKEN_NAME) fail_expected (p, "the name of a procedure");
  s.name = take (p).text;
  s.expression = parse_simple (p);
  s.place = place_join (start, s.expression->place);
  Statement ignored = {0};
  parse_name_of (p, &ignored);
  return s;
}

static Statement parse_with (Parser *p, Place start) {
  Statement s = {.kind = ST_WITH, .place = start};
  s.name_place = p->at->place;
  if (p->at->kind != TOKEN_NAME) fail_expected (p, "a name");
  s.name = take (p).text;
  expect (p, "from");
  s.expression = parse_expression (p);
  return s;
}

/* Both branches are read, one is kept. */
static void parse_if_statement (Parser *p, Statements *list) {
  bool value = parse_variant (p);
  Statements yes = {0}, no = {0};
  parse_statements (p, &yes, true);
  if (accept (p, "else")) parse_statements (p, &no, true);
  expect (p, "end");
  const Statements *kept = value ? &yes : &no;
  for (u32 i = 0; i < kept->size; i++) add_statement (p, list, kept->data[i]);
}

static bool parse_definition (Parser *p, Statements *list) {
  Token t = *p->at;
  if (!accept (p, "let")) return false;
  Statement s = {.kind = accept_rec (p) ? ST_LET_REC : ST_LET, .place = t.place};
  s.bindings = parse_bindings (p);
  if (is (p, "when")) refuse (p, NULL, "`let rec … when` has no meaning here");
  accept (p, "in");
  add_statement (p, list, s);
  return true;
}

static bool parse_test (Parser *p, Statements *list) {
  if (at_test (p))
    add_statement (p, list, parse_check (p, true, false));
  else if (accept (p, "flag"))
    add_statement (p, list, parse_check (p, false, false));
  else if (accept (p, "undefined_unless"))
    add_statement (p, list, parse_check (p, false, true));
  else if (accept (p, "assert"))
    add_statement (p, list, parse_check (p, true, false));
  else
    return false;
  return true;
}

static void parse_statement (Parser *p, Statements *list) {
  Token t = *p->at;
  if (parse_definition (p, list) || parse_test (p, list)) return;
  if (is (p, "show") || is (p, "unshow") || is (p, "debug")) {
    parse_show (p, list, !strcmp (take (p).text, "show"));
  } else if (accept (p, "include")) {
    if (p->at->kind != TOKEN_STRING) fail_expected (p, "the name of a file in quotes");
    Statement s = {.kind = ST_INCLUDE, .place = p->at->place};
    s.name = take (p).text;
    add_statement (p, list, s);
  } else if (accept (p, "procedure")) {
    add_statement (p, list, parse_procedure (p, t.place));
  } else if (accept (p, "call")) {
    add_statement (p, list, parse_call (p, t.place));
  } else if (accept (p, "with")) {
    add_statement (p, list, parse_with (p, t.place));
  } else if (accept (p, "if")) {
    parse_if_statement (p, list);
  } else if (is (p, "enum") || is (p, "instructions") || is (p, "default")) {
    refuse (p, "events and their orders are those of C programs",
            "this belongs to a Bell file, which describes instructions");
  } else if (is (p, "forall") || is (p, "match")) {
    refuse (p, no_sets_of_sets, "loops over sets of relations have no meaning here");
  } else {
    fail_expected (p, "a definition or a check");
  }
}

static void parse_statements (Parser *p, Statements *list, bool is_nested) {
  enter (p);
  while (p->at->kind != TOKEN_END && !(is_nested && (is (p, "end") || is (p, "else"))))
    parse_statement (p, list);
  leave (p);
}

/* "title"    NAME    NAME "title"    NAME NAME, then perhaps `catdep` */
static void parse_title (Parser *p, char **title) {
  const char *found = NULL;
  if (p->at->kind == TOKEN_NAME) {
    found = take (p).text;
    if (p->at->kind == TOKEN_NAME || p->at->kind == TOKEN_STRING) found = take (p).text;
  } else if (p->at->kind == TOKEN_STRING) {
    found = take (p).text;
  }
  if (is (p, "catdep"))
    refuse (p, NULL, "models that compute dependencies themselves (`catdep`) do not run here");
  if (found && title && !*title) *title = mem_strdup (found);
}

static bool try_to_parse (Reader *r, u32 source, Statements *list) {
  jmp_buf here;
  r->failed = &here;
  if (setjmp (here)) return false;
  *list = cat_parse (r, source, NULL);
  return true;
}

bool cat_can_parse (Reader *r, u32 source, Statements *list) {
  jmp_buf *outer = r->failed;
  u32 depth = r->depth;
  r->has_sets_of_sets = false;
  bool fine = try_to_parse (r, source, list);
  r->failed = outer;
  r->depth = depth;
  if (!fine && !r->has_sets_of_sets) longjmp (*outer, 1);
  str_clear (r->error);
  return fine;
}

Statements cat_parse (Reader *r, u32 source, char **title) {
  Parser p = {.r = r, .at = cat_lex (r, source)};
  Statements list = {0};
  parse_title (&p, title);
  parse_statements (&p, &list, false);
  return list;
}
