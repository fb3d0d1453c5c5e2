#include "models/mcm/mcm.h"

#include "models/cat/reader.h"
#include "models/hardware/expand.h"

#include <strings.h>

/* What an expression is worth. `paths` has the same paths as `term`, and is simpler: of po, which
 * has edges to the next events only, it is all of program order. */
typedef struct Value {
  bool is_empty; /* {}: a set or a relation, as it is needed */
  Term term, paths;
} Value;

typedef struct Definition {
  const char *name;
  Value value;
} Definition;

enum { LOOPS_MAX = 3, TEXT_MAX = 1 << 16 };

typedef struct Loop {
  BinderKind kind;
  Term var;
} Loop;

typedef struct Parser {
  Reader *r;
  CatModel *m;
  const char *text;
  u32 at, size;  /* after the current token */
  char word[64]; /* of the current token */
  Place place;
  bool is_name;
  VEC (Definition) definitions;
  Loop loops[LOOPS_MAX];
  u32 nloops;
} Parser;

/* ---- tokens ---- */

static bool is_letter (char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_name_part (char c) { return is_letter (c) || (c >= '0' && c <= '9') || c == '_'; }

static void skip_blanks (Parser *p) {
  while (p->at < p->size) {
    char c = p->text[p->at];
    if (c == '/' && p->text[p->at + 1] == '/')
      while (p->at < p->size && p->text[p->at] != '\n') p->at++;
    else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      p->at++;
    else
      return;
  }
}

static void take (Parser *p, u32 n) {
  p->place = (Place){0, p->at, n};
  if (n >= sizeof p->word) reader_fail (p->r, p->place, NULL, "this name is too long");
  memcpy (p->word, p->text + p->at, n);
  p->word[n] = 0;
  p->at += n;
}

/* Makes the next token the current one. At the end it is empty. */
static void next (Parser *p) {
  static const char *const signs[] = {"-->", "->", "{}", "(", ")", "[",
                                      "]",   "=",  "\\", "*", "&", "|"};
  skip_blanks (p);
  const char *s = p->text + p->at;
  u32 n = 0;
  p->is_name = p->at < p->size && is_letter (*s);
  if (p->is_name)
    while (p->at + n < p->size && is_name_part (s[n])) n++;
  for (u32 i = 0; i < ARRAY_SIZE (signs) && !n && p->at < p->size; i++)
    if (!strncmp (s, signs[i], strlen (signs[i]))) n = (u32)strlen (signs[i]);
  if (!n && p->at < p->size)
    reader_fail (p->r, (Place){0, p->at, 1}, NULL, "this character has no meaning in mcm");
  take (p, n);
}

/* The same inside brackets, where names have dots. */
static void next_tag (Parser *p) {
  skip_blanks (p);
  const char *s = p->text + p->at;
  u32 n = 0;
  while (p->at + n < p->size && (is_name_part (s[n]) || s[n] == '.')) n++;
  p->is_name = true;
  if (n)
    take (p, n);
  else
    next (p);
}

static bool is (const Parser *p, const char *word) { return !strcmp (p->word, word); }

static bool accept (Parser *p, const char *word) {
  if (!is (p, word)) return false;
  next (p);
  return true;
}

static NORETURN void fail_expected (Parser *p, const char *what) {
  if (*p->word) reader_fail (p->r, p->place, NULL, "expected %s, not `%s`", what, p->word);
  reader_fail (p->r, p->place, NULL, "expected %s, not the end of the file", what);
}

static void expect (Parser *p, const char *word) {
  char what[80];
  snprintf (what, sizeof what, "`%s`", word);
  if (!accept (p, word)) fail_expected (p, what);
}

/* ---- values ---- */

static Value plain (Term t) { return (Value){false, t, t}; }
static bool is_set (const Parser *p, Value v) { return term_is_set (p->m, v.term); }

static Term as_set (Parser *p, Value v, Place place) {
  if (v.is_empty) return term_empty (p->m, true);
  if (!is_set (p, v))
    reader_fail (p->r, place, "source (…) and target (…) make sets of relations",
                 "a set of events is needed here, but this is a relation");
  return v.term;
}

static Value as_relation (Parser *p, Value v, Place place) {
  if (v.is_empty) return plain (term_empty (p->m, false));
  if (is_set (p, v))
    reader_fail (p->r, place, NULL, "a relation is needed here, but this is a set of events");
  return v;
}

/* Initial writes come before everything, and right before the first event of each thread. */
static Value program_order (CatModel *m) {
  Term po = term_base (m, BASE_PO), initial = term_base (m, BASE_IW);
  Term others = term_minus (m, term_all (m, true), initial);
  Term later = term_range (m, term_and (m, po, term_base (m, BASE_INT)));
  Term starts = term_cross (m, initial, term_minus (m, others, later));
  Term next = term_minus (m, po, term_seq (m, po, po));
  return (Value){false, term_or (m, next, starts),
                 term_or (m, po, term_cross (m, initial, others))};
}

static Value base_value (Parser *p, const char *name, bool *found) {
  static const struct {
    const char *name;
    BaseId base;
  } names[] = {{"W", BASE_W},   {"R", BASE_R},   {"F", BASE_F},     {"rf", BASE_RF},
               {"mo", BASE_CO}, {"po", BASE_PO}, {"rmw", BASE_RMWS}};
  CatModel *m = p->m;
  *found = true;
  if (!strcmp (name, "A")) return plain (term_all (m, true));
  for (u32 i = 0; i < ARRAY_SIZE (names); i++) {
    if (strcmp (names[i].name, name)) continue;
    return names[i].base == BASE_PO ? program_order (m) : plain (term_base (m, names[i].base));
  }
  *found = false;
  return plain (0);
}

static Value named_value (Parser *p, const char *name, Place place) {
  bool found;
  for (u32 i = p->definitions.size; i-- > 0;)
    if (!strcmp (p->definitions.data[i].name, name)) return p->definitions.data[i].value;
  Value v = base_value (p, name, &found);
  if (found) return v;
  static const char *const words[] = {"union", "intersect", "source", "target"};
  const char *best = NULL;
  for (u32 i = 0; i < ARRAY_SIZE (words); i++)
    if (str_distance (words[i], name) <= 2) best = words[i];
  for (u32 i = 0; i < p->definitions.size; i++)
    if (str_distance (p->definitions.data[i].name, name) <= 2) best = p->definitions.data[i].name;
  char help[128];
  if (best) snprintf (help, sizeof help, "did you mean `%s`?", best);
  reader_fail (p->r, place, best ? help : NULL, "`%s` is not defined here", name);
}

static Value checked (Parser *p, Value v, Place place) {
  if (term_node (p->m, v.term)->height > HEIGHT_MAX ||
      term_node (p->m, v.paths)->height > HEIGHT_MAX)
    reader_fail (p->r, place, NULL, "this definition expands to too many others");
  return v;
}

/* ---- expressions ---- */

static Value parse_expression (Parser *p);

/* The loop that a tag names: node, node0, node1, var, thrd and so on. NULL if it names none. */
static const Loop *find_loop (Parser *p) {
  static const struct {
    const char *name;
    BinderKind kind;
  } sorts[] = {
      {"node", BIND_EVENT}, {"var", BIND_LOCATION}, {"thrd", BIND_THREAD}, {"thread", BIND_THREAD}};
  for (u32 i = 0; i < ARRAY_SIZE (sorts); i++) {
    size_t n = strlen (sorts[i].name);
    if (strncmp (p->word, sorts[i].name, n)) continue;
    const char *number = p->word + n;
    if (*number && (number[0] < '0' || number[0] > '9' || number[1])) continue;
    u32 left = *number ? (u32)(*number - '0') : UINT32_MAX;
    const Loop *found = NULL;
    for (u32 k = 0; k < p->nloops; k++) {
      if (p->loops[k].kind != sorts[i].kind) continue;
      if (!*number)
        found = &p->loops[k];
      else if (left-- == 0)
        found = &p->loops[k];
    }
    if (!found) reader_fail (p->r, p->place, NULL, "`%s` is not inside such a loop", p->word);
    return found;
  }
  return NULL;
}

/* The fences that a processor calls so: mfence, dmb.sy, lwsync, fence.rw.w and so on. */
static Term find_fences (Parser *p) {
  bool is_set;
  for (u32 i = 0; base_name (i, &is_set); i++)
    if (hardware_are_fences (hardware_set (base_name (i, &is_set))) &&
        !strcasecmp (base_name (i, &is_set), p->word))
      return base_term (p->m, i);
  fail_expected (p, "node, var or thrd, perhaps with a number, or a fence such as mfence");
}

/* X[tag][tag] */
static Value parse_tags (Parser *p, Value v) {
  while (is (p, "[")) {
    next_tag (p);
    Place place = p->place;
    const Loop *loop = find_loop (p);
    Term part = loop ? loop->var : find_fences (p);
    next (p);
    expect (p, "]");
    if (v.is_empty) continue;
    v = plain (term_and (p->m, v.term, is_set (p, v) ? part : term_cross (p->m, part, part)));
    v = checked (p, v, place);
  }
  return v;
}

/* (X -> Y) or (X --> Y) after a relation */
static Value parse_edges (Parser *p, Value r) {
  Place from_place = p->place;
  Term from = as_set (p, parse_expression (p), from_place);
  bool is_path = is (p, "-->");
  if (!is_path && !is (p, "->")) fail_expected (p, "`->` or `-->`");
  next (p);
  Place to_place = p->place;
  Term to = as_set (p, parse_expression (p), to_place);
  expect (p, ")");
  Term edges = !is_path                             ? r.term
               : term_is_transitive (p->m, r.paths) ? r.paths
                                                    : term_plus (p->m, r.paths);
  return plain (term_and (p->m, edges, term_cross (p->m, from, to)));
}

static Value parse_loop (Parser *p, BinderKind kind) {
  Place place = p->place;
  u32 binder;
  next (p);
  Term over = term_all (p->m, true);
  if (kind == BIND_EVENT) {
    Place at = p->place;
    over = as_set (p, parse_expression (p), at);
  }
  expect (p, "begin");
  if (p->nloops == LOOPS_MAX || !binder_new (p->m, kind, &binder))
    reader_fail (p->r, place, NULL, "too many loops (at most %d in each other)", LOOPS_MAX);
  Term var = binder_var (p->m, binder, true);
  p->m->binders.data[binder].over = over;
  p->loops[p->nloops++] = (Loop){kind, var};
  Value body = parse_expression (p);
  p->nloops--;
  expect (p, "end");
  if (body.is_empty) return body;
  return plain (binder_each (p->m, binder, body.term));
}

static Value parse_end_of (Parser *p, bool is_source) {
  next (p);
  expect (p, "(");
  Place place = p->place;
  Value r = as_relation (p, parse_expression (p), place);
  expect (p, ")");
  return plain (is_source ? term_domain (p->m, r.term) : term_range (p->m, r.term));
}

/* Whether the parenthesis that is the current token has an arrow in it. If not, what it begins is a
 * constraint: `a = b` and `(c empty)` may follow each other. */
static bool at_edges (const Parser *p) {
  u32 depth = 1;
  for (u32 i = p->at; i < p->size && depth; i++) {
    char c = p->text[i];
    depth += c == '(';
    depth -= c == ')';
    if (depth == 1 && c == '-') return true;
  }
  return false;
}

static Value parse_operand (Parser *p) {
  static const char *const reserved[] = {"union",   "intersect",   "begin", "end",
                                         "acyclic", "irreflexive", "empty"};
  if (accept (p, "(")) {
    Value v = parse_expression (p);
    expect (p, ")");
    return v;
  }
  if (accept (p, "{}")) return (Value){.is_empty = true, .term = term_empty (p->m, true)};
  if (is (p, "for_each_node")) return parse_loop (p, BIND_EVENT);
  if (is (p, "for_each_var")) return parse_loop (p, BIND_LOCATION);
  if (is (p, "for_each_thrd") || is (p, "for_each_thread")) return parse_loop (p, BIND_THREAD);
  if (is (p, "source")) return parse_end_of (p, true);
  if (is (p, "target")) return parse_end_of (p, false);
  for (u32 i = 0; i < ARRAY_SIZE (reserved); i++)
    if (is (p, reserved[i])) fail_expected (p, "a set or a relation");
  if (!p->is_name) fail_expected (p, "a set or a relation");
  Place place = p->place;
  Value v = named_value (p, p->word, place);
  next (p);
  if (is (p, "[")) return parse_tags (p, v);
  if (!is (p, "(") || !at_edges (p)) return v;
  next (p);
  return checked (p, parse_edges (p, as_relation (p, v, place)), place);
}

static Value apply (Parser *p, const char *sign, Value a, Value b, Place left, Place right) {
  CatModel *m = p->m;
  if (*sign == '*') return plain (term_cross (m, as_set (p, a, left), as_set (p, b, right)));
  if (a.is_empty && b.is_empty) return a;
  bool sets = a.is_empty ? is_set (p, b) : is_set (p, a);
  Value x = sets ? plain (as_set (p, a, left)) : as_relation (p, a, left);
  Value y = sets ? plain (as_set (p, b, right)) : as_relation (p, b, right);
  if (*sign == 'u')
    return (Value){false, term_or (m, x.term, y.term), term_or (m, x.paths, y.paths)};
  return plain (*sign == 'i' ? term_and (m, x.term, y.term) : term_minus (m, x.term, y.term));
}

/* The first binds tightest, as in the grammar of [Bajczi'20]. All of them group from the left. */
static const char *const operators[] = {"union", "intersect", "\\", "*"};

static Value parse_level (Parser *p, u32 level) {
  if (level == 0) return parse_operand (p);
  const char *sign = operators[level - 1];
  Place left = p->place;
  Value v = parse_level (p, level - 1);
  while (is (p, sign)) {
    reader_count (p->r, p->place);
    next (p);
    Place right = p->place;
    Value b = parse_level (p, level - 1);
    v = checked (p, apply (p, sign, v, b, left, right), left);
  }
  return v;
}

static Value parse_expression (Parser *p) {
  reader_count (p->r, p->place);
  if (++p->r->depth > DEPTH_MAX)
    reader_fail (p->r, p->place, NULL, "this is nested too deeply (more than %d levels)",
                 DEPTH_MAX);
  Value v = parse_level (p, ARRAY_SIZE (operators));
  p->r->depth--;
  return v;
}

/* ---- constraints ---- */

static u32 parse_or (Parser *p);

static u32 parse_constraint (Parser *p) {
  if (accept (p, "(")) {
    if (++p->r->depth > DEPTH_MAX) reader_fail (p->r, p->place, NULL, "this is nested too deeply");
    u32 claim = parse_or (p);
    p->r->depth--;
    expect (p, ")");
    return claim;
  }
  if (!p->is_name) fail_expected (p, "the name of a set or relation");
  Place place = p->place;
  Value v = named_value (p, p->word, place);
  next (p);
  ClaimOp op = is (p, "acyclic")       ? CLAIM_ACYCLIC
               : is (p, "irreflexive") ? CLAIM_IRREFLEXIVE
                                       : CLAIM_EMPTY;
  if (op == CLAIM_EMPTY && !is (p, "empty"))
    fail_expected (p, "`=`, `acyclic`, `irreflexive` or `empty`");
  next (p);
  if (op == CLAIM_EMPTY) return claim_add (p->m, op, false, v.term, 0);
  v = as_relation (p, v, place);
  return claim_add (p->m, op, false, op == CLAIM_ACYCLIC ? v.paths : v.term, 0);
}

static u32 parse_and (Parser *p) {
  u32 claim = parse_constraint (p);
  while (accept (p, "&")) {
    reader_count (p->r, p->place);
    claim = claim_add (p->m, CLAIM_AND, false, claim, parse_constraint (p));
  }
  return claim;
}

static u32 parse_or (Parser *p) {
  u32 claim = parse_and (p);
  while (accept (p, "|")) {
    reader_count (p->r, p->place);
    claim = claim_add (p->m, CLAIM_OR, false, claim, parse_and (p));
  }
  return claim;
}

static void parse_rule (Parser *p) {
  Place start = p->place;
  char name[64];
  memcpy (name, p->word, sizeof name);
  bool is_simple = p->is_name;
  u32 claim = parse_or (p);
  is_simple &= p->m->claims.data[claim].op <= CLAIM_EMPTY;
  Place place = {0, start.at, p->place.at - start.at};
  Rule rule = {.claim = claim, .forbids = true, .text = place_text (p->r, place)};
  size_t n = strlen (rule.text);
  while (n && rule.text[n - 1] == ' ') rule.text[--n] = 0;
  rule.name = mem_strdup (is_simple ? name : rule.text);
  rule.file = mem_strdup (p->r->sources.data[0].path);
  rule.line = place_line (p->r, start);
  rule_add (p->m, rule);
}

/* ---- the whole model ---- */

/* Whether the current name is being defined. */
static bool at_definition (const Parser *p) {
  Parser ahead = *p;
  skip_blanks (&ahead);
  return p->is_name && ahead.at < ahead.size && ahead.text[ahead.at] == '=';
}

static void parse_definition (Parser *p) {
  Definition d = {.name = reader_strndup (p->r, p->word, strlen (p->word))};
  next (p);
  expect (p, "=");
  d.value = parse_expression (p);
  vec_push (&p->definitions, d);
}

static bool run (Parser *p) {
  jmp_buf failed;
  p->r->failed = &failed;
  if (setjmp (failed)) return false;
  next (p);
  while (*p->word) {
    if (at_definition (p))
      parse_definition (p);
    else
      parse_rule (p);
  }
  return true;
}

CatModel *mcm_read (const char *name, const char *text, size_t size, Str *error) {
  Reader r;
  CatModel *m = model_new_empty ();
  reader_init (&r, m, error);
  reader_add_source (&r, name, text, size, true);
  Parser p = {.r = &r, .m = m, .text = r.sources.data[0].text, .size = (u32)size};
  bool fine = run (&p);
  vec_free (&p.definitions);
  reader_done (&r);
  if (!fine) {
    cat_free (m);
    return NULL;
  }
  m->title = mem_strdup (name);
  model_analyse (m);
  return m;
}

CatModel *mcm_load (const char *path, Str *error) {
  size_t size;
  char *text = file_read_regular (path, &size);
  if (!text || size > TEXT_MAX) {
    str_printf (error, text ? "`%s` is too large for a model\n" : "cannot read `%s`\n", path);
    mem_free (text);
    return NULL;
  }
  CatModel *m = mcm_read (path, text, size, error);
  mem_free (text);
  return m;
}
