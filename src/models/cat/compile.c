/* compile.c - names, kinds, and terms. Functions are expanded where they are applied; what is left
 * are terms over the base sets and relations. */
#include "models/cat/reader.h"

#include <libgen.h>

typedef enum ValueKind {
  VALUE_SET,
  VALUE_RELATION,
  VALUE_EMPTY, /* a set or a relation, as it is needed */
  VALUE_TUPLE,
  VALUE_FUNCTION,
  VALUE_BUILTIN,
  VALUE_PROCEDURE,
  VALUE_ORDERS, /* what `with … from` chooses from */
} ValueKind;

typedef enum BuiltinId {
  BUILTIN_DOMAIN,
  BUILTIN_RANGE,
  BUILTIN_LINEARISATIONS,
  BUILTIN_COS,
  BUILTIN_ORDERS
} BuiltinId;

typedef struct Env Env;

typedef struct Value {
  ValueKind kind;
  Term term;
  const struct Value *items; /* of a tuple; the two arguments of orders */
  u32 count;
  BuiltinId builtin;
  const Binding *function;
  const Statement *procedure;
  const Env *env; /* in which a function or procedure was defined */
} Value;

struct Env {
  const char *name;
  Value value;
  const Env *next;
};

enum { EXPAND_DEPTH_MAX = 1500 };

static Value expand (Reader *r, const Ast *x, const Env *env);

static const Env *bind (Reader *r, const Env *env, const char *name, Value value) {
  if (!name) return env;
  Env *e = reader_alloc (r, sizeof *e);
  *e = (Env){name, value, env};
  return e;
}

static const char *kind_text (const Value *v) {
  switch (v->kind) {
  case VALUE_SET:
    return "a set";
  case VALUE_RELATION:
    return "a relation";
  case VALUE_EMPTY:
    return "empty";
  case VALUE_TUPLE:
    return "a tuple";
  case VALUE_FUNCTION:
  case VALUE_BUILTIN:
    return "a function";
  case VALUE_PROCEDURE:
    return "a procedure";
  case VALUE_ORDERS:
    return "a set of orders, which only `with … from` can use";
  }
  return "?";
}

/* ---- names ---- */

static const Env *find (const Env *env, const char *name) {
  while (env && strcmp (env->name, name)) env = env->next;
  return env;
}

static NORETURN void fail_unknown (Reader *r, Place p, const char *name, const Env *env) {
  const char *best = NULL;
  u32 limit = ((u32)strlen (name) + 4) / 4;
  for (const Env *e = env; e; e = e->next) {
    u32 d = str_distance (name, e->name);
    if (d > limit || (d == limit && best) || d >= strlen (name)) continue;
    best = e->name;
    limit = d;
  }
  char help[128];
  if (best) snprintf (help, sizeof help, "did you mean `%.100s`?", best);
  reader_fail (r, p, best ? help : NULL, "nothing is called `%s` here", name);
}

/* ---- kinds ---- */

static Term as_relation (Reader *r, const Value *v, Place p, const char *what) {
  if (v->kind == VALUE_RELATION) return v->term;
  if (v->kind == VALUE_EMPTY) return term_empty (r->m, false);
  reader_fail (
      r, p, v->kind == VALUE_SET ? "[S] is the relation between each event of S and itself" : NULL,
      "%s needs a relation, but this is %s", what, kind_text (v));
}

static Term as_set (Reader *r, const Value *v, Place p, const char *what) {
  if (v->kind == VALUE_SET) return v->term;
  if (v->kind == VALUE_EMPTY) return term_empty (r->m, true);
  reader_fail (r, p,
               v->kind == VALUE_RELATION ? "`domain` and `range` make sets of relations" : NULL,
               "%s needs a set, but this is %s", what, kind_text (v));
}

static Value of_term (Reader *r, Term t) {
  return (Value){.kind = term_is_set (r->m, t) ? VALUE_SET : VALUE_RELATION, .term = t};
}

static Value checked (Reader *r, Place p, Term t) {
  if (term_node (r->m, t)->height > HEIGHT_MAX)
    reader_fail (r, p, NULL, "this definition is made of too many others");
  return of_term (r, t);
}

/* ---- applying functions ---- */

static const Env *bind_names (Reader *r, const Env *env, Names names, bool is_tuple, Value v,
                              Place p, const char *what) {
  if (!is_tuple) return bind (r, env, names.data[0], v);
  u32 count = v.kind == VALUE_TUPLE ? v.count : 1;
  if (v.kind != VALUE_TUPLE || count != names.size)
    reader_fail (r, p, NULL, "%s needs %u %s, but there %s %u", what, names.size,
                 names.size == 1 ? "value" : "values", count == 1 ? "is" : "are", count);
  for (u32 i = 0; i < count; i++) env = bind (r, env, names.data[i], v.items[i]);
  return env;
}

static Value apply_builtin (Reader *r, BuiltinId id, Value arg, Place p) {
  switch (id) {
  case BUILTIN_DOMAIN:
    return checked (r, p, term_domain (r->m, as_relation (r, &arg, p, "`domain`")));
  case BUILTIN_RANGE:
    return checked (r, p, term_range (r->m, as_relation (r, &arg, p, "`range`")));
  case BUILTIN_LINEARISATIONS:
  case BUILTIN_ORDERS:
    if (arg.kind != VALUE_TUPLE || arg.count != 2)
      reader_fail (r, p, NULL, "a set and a relation are needed here");
    as_set (r, &arg.items[0], p, "the first argument");
    as_relation (r, &arg.items[1], p, "the second argument");
    break;
  case BUILTIN_COS:
    as_relation (r, &arg, p, "`generate_cos`");
    break;
  }
  Value *kept = reader_alloc (r, sizeof *kept);
  *kept = arg;
  return (Value){.kind = VALUE_ORDERS, .builtin = id, .items = kept};
}

static Value expand_apply (Reader *r, const Ast *x, const Env *env) {
  Value f = expand (r, x->a, env), arg = expand (r, x->b, env);
  if (f.kind == VALUE_BUILTIN) return apply_builtin (r, f.builtin, arg, x->b->place);
  if (f.kind != VALUE_FUNCTION)
    reader_fail (r, x->place, "is an operator missing between the two?",
                 "this applies something that is no function but %s", kind_text (&f));
  const Binding *b = f.function;
  env = bind_names (r, f.env, b->formals, b->formals_are_tuple, arg, x->b->place, "this function");
  Call call = {x->place, r->call};
  r->call = &call;
  Value v = expand (r, b->body, env);
  r->call = call.outer;
  return v;
}

/* ---- operators ---- */

static const char *sign_of (AstKind kind) {
  return kind == AST_OR ? "`|`" : kind == AST_AND ? "`&`" : "`\\`";
}

static Value expand_boolean (Reader *r, const Ast *x, const Env *env) {
  Value a = expand (r, x->a, env), b = expand (r, x->b, env);
  if (a.kind == VALUE_EMPTY && b.kind == VALUE_EMPTY) return a;
  const Value *first = a.kind == VALUE_EMPTY ? &b : &a;
  bool is_set = first->kind == VALUE_SET;
  if ((a.kind == VALUE_SET && b.kind == VALUE_RELATION) ||
      (a.kind == VALUE_RELATION && b.kind == VALUE_SET))
    reader_fail (
        r, x->place, "[S] is the relation between each event of S and itself",
        "%s joins two sets or two relations, but the left side is %s and the right side %s",
        sign_of (x->kind), kind_text (&a), kind_text (&b));
  Term s = is_set ? as_set (r, &a, x->a->place, sign_of (x->kind))
                  : as_relation (r, &a, x->a->place, sign_of (x->kind));
  Term t = is_set ? as_set (r, &b, x->b->place, sign_of (x->kind))
                  : as_relation (r, &b, x->b->place, sign_of (x->kind));
  Term u = x->kind == AST_OR    ? term_or (r->m, s, t)
           : x->kind == AST_AND ? term_and (r->m, s, t)
                                : term_minus (r->m, s, t);
  return checked (r, x->place, u);
}

static Value expand_unary (Reader *r, const Ast *x, const Env *env) {
  Value a = expand (r, x->a, env);
  Place p = x->a->place;
  Term t;
  if (x->kind == AST_SET_ID) {
    t = term_set_id (r->m, as_set (r, &a, p, "`[…]`"));
  } else if (x->kind == AST_NOT) {
    bool is_set = a.kind == VALUE_SET;
    Term s = is_set ? a.term : as_relation (r, &a, p, "`~`");
    t = term_minus (r->m, term_all (r->m, is_set), s);
  } else if (x->kind == AST_PLUS) {
    t = term_plus (r->m, as_relation (r, &a, p, "`+`"));
  } else if (x->kind == AST_STAR) {
    t = term_star (r->m, as_relation (r, &a, p, "`*` without a right side"));
  } else if (x->kind == AST_OPT) {
    t = term_opt (r->m, as_relation (r, &a, p, "`?`"));
  } else {
    t = term_inverse (r->m, as_relation (r, &a, p, "`^-1`"));
  }
  return checked (r, x->place, t);
}

/* ---- definitions ---- */

static Value binding_value (Reader *r, const Binding *b, const Env *env) {
  if (b->is_function) return (Value){.kind = VALUE_FUNCTION, .function = b, .env = env};
  return expand (r, b->body, env);
}

/* All right sides see what was there before. */
static const Env *expand_bindings (Reader *r, Bindings bindings, const Env *env) {
  const Env *to = env;
  for (u32 i = 0; i < bindings.size; i++) {
    const Binding *b = &bindings.data[i];
    Value v = binding_value (r, b, env);
    if (b->is_function)
      to = bind (r, to, b->names.data[0], v);
    else
      to = bind_names (r, to, b->names, b->is_tuple, v, b->body->place, "this definition");
  }
  return to;
}

static const Env *bind_recursive (Reader *r, Bindings bindings, const Env *env,
                                  const Value *values) {
  for (u32 i = 0; i < bindings.size; i++)
    env = bind (r, env, bindings.data[i].names.data[0], values[i]);
  return env;
}

/* First with empty variables, to learn which of them are sets; then with variables. */
static const Env *expand_recursive (Reader *r, Bindings bindings, const Env *env, Place place) {
  Value *values = reader_alloc (r, bindings.size * sizeof *values);
  for (u32 i = 0; i < bindings.size; i++) {
    const Binding *b = &bindings.data[i];
    if (b->is_function) reader_fail (r, b->place, NULL, "functions cannot call themselves here");
    if (b->is_tuple || !b->names.data[0])
      reader_fail (r, b->place, NULL, "a recursive definition needs one name");
    values[i].kind = VALUE_EMPTY;
  }
  const Env *inner = bind_recursive (r, bindings, env, values);
  bool *is_set = reader_alloc (r, bindings.size);
  for (u32 i = 0; i < bindings.size; i++) {
    Value v = expand (r, bindings.data[i].body, inner);
    is_set[i] = v.kind == VALUE_SET;
    if (!is_set[i]) as_relation (r, &v, bindings.data[i].body->place, "a recursive definition");
  }
  u32 binder;
  if (!binder_new (r->m, BIND_FIX, &binder))
    reader_fail (r, place, NULL, "too many recursive definitions (more than %d)", BINDERS_MAX);
  for (u32 i = 0; i < bindings.size; i++)
    values[i] = of_term (r, binder_var (r->m, binder, is_set[i]));
  inner = bind_recursive (r, bindings, env, values);
  for (u32 i = 0; i < bindings.size; i++) {
    Place p = bindings.data[i].body->place;
    Value v = expand (r, bindings.data[i].body, inner);
    Term t = is_set[i] ? as_set (r, &v, p, "this definition")
                       : as_relation (r, &v, p, "this definition");
    vec_push (&r->m->binders.data[binder].bodies, t);
  }
  if (!binder_is_monotone (r->m, binder))
    reader_fail (r, place, NULL,
                 "this has no least solution: what is being defined stands behind `\\` or `~`");
  u64 around = 0;
  for (u32 i = 0; i < bindings.size; i++)
    around |= term_node (r->m, r->m->binders.data[binder].bodies.data[i])->binders;
  if (__builtin_popcountll (around) > BINDER_DEPTH_MAX)
    reader_fail (r, place, NULL, "recursive definitions are nested too deeply");
  for (u32 i = 0; i < bindings.size; i++) values[i] = of_term (r, binder_fix (r->m, binder, i));
  return bind_recursive (r, bindings, env, values);
}

static Value expand_tuple (Reader *r, const Ast *x, const Env *env) {
  Value *items = reader_alloc (r, (x->count + 1) * sizeof *items);
  for (u32 i = 0; i < x->count; i++) items[i] = expand (r, x->items[i], env);
  return (Value){.kind = VALUE_TUPLE, .items = items, .count = x->count};
}

static bool try_to_expand (Reader *r, const Ast *x, const Env *env) {
  jmp_buf here;
  r->failed = &here;
  if (setjmp (here)) return false;
  expand (r, x, env);
  return true;
}

/* Whether an expression is in order; else its error is forgotten. */
static bool is_expandable (Reader *r, const Ast *x, const Env *env) {
  jmp_buf *outer = r->failed;
  u32 depth = r->depth;
  const Call *call = r->call;
  bool fine = try_to_expand (r, x, env);
  r->failed = outer;
  r->depth = depth;
  r->call = call;
  if (!fine && r->steps > STEPS_MAX) longjmp (*outer, 1);
  str_clear (r->error);
  return fine;
}

static Value expand_kind (Reader *r, const Ast *x, const Env *env) {
  switch (x->kind) {
  case AST_NAME: {
    const Env *found = find (env, x->name);
    if (!found) fail_unknown (r, x->place, x->name, env);
    return found->value;
  }
  case AST_EMPTY:
    return (Value){.kind = VALUE_EMPTY};
  case AST_ALL:
    return of_term (r, term_all (r->m, true));
  case AST_OR:
  case AST_AND:
  case AST_MINUS:
    return expand_boolean (r, x, env);
  case AST_SEQ: {
    Value a = expand (r, x->a, env), b = expand (r, x->b, env);
    Term s = as_relation (r, &a, x->a->place, "`;`"), t = as_relation (r, &b, x->b->place, "`;`");
    return checked (r, x->place, term_seq (r->m, s, t));
  }
  case AST_CROSS: {
    Value a = expand (r, x->a, env), b = expand (r, x->b, env);
    Term s = as_set (r, &a, x->a->place, "`*` between two operands");
    Term t = as_set (r, &b, x->b->place, "`*` between two operands");
    return checked (r, x->place, term_cross (r->m, s, t));
  }
  case AST_PLUS:
  case AST_STAR:
  case AST_OPT:
  case AST_INVERSE:
  case AST_NOT:
  case AST_SET_ID:
    return expand_unary (r, x, env);
  case AST_TUPLE:
    return expand_tuple (r, x, env);
  case AST_APPLY:
    return expand_apply (r, x, env);
  case AST_LET:
    return expand (r, x->a, expand_bindings (r, x->bindings, env));
  case AST_LET_REC:
    return expand (r, x->a, expand_recursive (r, x->bindings, env, x->place));
  case AST_FUN:
    return (Value){.kind = VALUE_FUNCTION, .function = x->bindings.data, .env = env};
  case AST_TRY:
    return expand (r, is_expandable (r, x->a, env) ? x->a : x->b, env);
  }
  BUG ("kind of an expression");
}

static Value expand (Reader *r, const Ast *x, const Env *env) {
  reader_count (r, x->place);
  if (++r->depth > EXPAND_DEPTH_MAX)
    reader_fail (r, x->place, NULL, "this is nested too deeply, or a function calls itself");
  Value v = expand_kind (r, x, env);
  r->depth--;
  return v;
}

/* ---- statements ---- */

static const Env *run_statements (Reader *r, Statements list, const Env *env);

static void add_check (Reader *r, const Statement *s, const Env *env) {
  Value v = expand (r, s->expression, env);
  Place p = s->expression->place;
  Term t;
  if (s->claim == CLAIM_EMPTY && v.kind == VALUE_SET)
    t = v.term;
  else
    t = as_relation (r, &v, p,
                     s->claim == CLAIM_ACYCLIC       ? "`acyclic`"
                     : s->claim == CLAIM_IRREFLEXIVE ? "`irreflexive`"
                                                     : "`empty`");
  char *text = place_text (r, s->place);
  Rule rule = {.name = mem_strdup (s->name ? s->name : text), .text = text};
  rule.file = mem_strdup (r->sources.data[s->place.source].path);
  rule.line = place_line (r, s->place);
  rule.forbids = s->forbids;
  rule.claim = claim_add (r->m, s->claim, s->is_negated, t, 0);
  rule_add (r->m, rule);
}

/* co is part of the graph: it is chosen, if it has in it what it is asked to have. */
static Term take_co (Reader *r, const Statement *s, const Value *orders) {
  CatModel *m = r->m;
  bool is_all = orders->builtin == BUILTIN_COS;
  Term co = term_base (m, BASE_CO), within;
  if (is_all) {
    within = as_relation (r, orders->items, s->place, "`with`");
  } else {
    Term set = as_set (r, &orders->items->items[0], s->place, "`with`");
    within = as_relation (r, &orders->items->items[1], s->place, "`with`");
    co = term_and (m, co, term_cross (m, set, set));
    within = term_and (m, within, term_cross (m, set, set));
  }
  Term pairs = term_and (m, term_base (m, BASE_LOC),
                         term_cross (m, term_base (m, BASE_W), term_base (m, BASE_W)));
  Term missing = term_minus (m, term_and (m, within, pairs), co);
  Rule rule = {.name = mem_strdup (s->name), .text = place_text (r, s->place), .forbids = true};
  rule.file = mem_strdup (r->sources.data[s->place.source].path);
  rule.line = place_line (r, s->place);
  rule.claim = claim_add (m, CLAIM_EMPTY, false, missing, 0);
  rule_add (m, rule);
  return co;
}

static const Env *run_with (Reader *r, const Statement *s, const Env *env) {
  Value v = expand (r, s->expression, env);
  if (v.kind != VALUE_ORDERS)
    reader_fail (r, s->expression->place, NULL,
                 "`with` can choose from `linearisations (set, relation)` and `generate_cos "
                 "(relation)`, but this is %s",
                 kind_text (&v));
  if (v.builtin != BUILTIN_LINEARISATIONS)
    return bind (r, env, s->name, of_term (r, take_co (r, s, &v)));
  u32 binder;
  if (!binder_new (r->m, BIND_ORDER, &binder))
    reader_fail (r, s->place, NULL, "too many recursive definitions and choices");
  Term over = as_set (r, &v.items->items[0], s->place, "`linearisations`");
  Term within = as_relation (r, &v.items->items[1], s->place, "`linearisations`");
  Binder *b = &r->m->binders.data[binder];
  b->over = over, b->within = within;
  return bind (r, env, s->name, of_term (r, binder_var (r->m, binder, false)));
}

static void run_call (Reader *r, const Statement *s, const Env *env) {
  const Env *found = find (env, s->name);
  if (!found) fail_unknown (r, s->name_place, s->name, env);
  if (found->value.kind != VALUE_PROCEDURE)
    reader_fail (r, s->name_place, NULL, "`%s` is no procedure but %s", s->name,
                 kind_text (&found->value));
  const Statement *procedure = found->value.procedure;
  Value arg = expand (r, s->expression, env);
  const Env *inner = bind_names (r, found->value.env, procedure->formals,
                                 procedure->formals_are_tuple, arg, s->place, "this procedure");
  Call call = {s->place, r->call};
  r->call = &call;
  run_statements (r, procedure->body, inner);
  r->call = call.outer;
}

/* ---- includes ---- */

/* The path of a file beside the source that includes it. */
static char *beside (const Source *s, const char *name) {
  char *copy = mem_strdup (s->path);
  Str path = {0};
  if (name[0] == '/')
    str_add (&path, name);
  else
    str_printf (&path, "%s/%s", dirname (copy), name);
  mem_free (copy);
  return path.text;
}

static const Env *run_source (Reader *r, u32 source, char **title, const Env *env) {
  return run_statements (r, cat_parse (r, source, title), env);
}

static const Env *run_include (Reader *r, const Statement *s, const Env *env) {
  if (++r->includes > INCLUDES_MAX)
    reader_fail (r, s->place, "does a file include itself?", "too many files are included");
  bool always = false;
  const char *text = library_find (s->name, &always);
  const Source *from = &r->sources.data[s->place.source];
  u32 source;
  size_t size;
  char *path = from->is_builtin ? NULL : beside (from, s->name);
  char *file = path && !(text && always) ? file_read (path, &size) : NULL;
  if (file)
    source = reader_add_source (r, path, file, size, false);
  else if (text)
    source = reader_add_source (r, s->name, text, strlen (text), true);
  else
    source = EV_NONE;
  mem_free (file);
  mem_free (path);
  if (source == EV_NONE)
    reader_fail (r, s->place, NULL, "there is no `%s` beside this file, and none is built in",
                 s->name);
  return run_source (r, source, NULL, env);
}

/* Relations that a picture has; what nobody knows it has not. */
static void run_show (Reader *r, const Statement *s, const Env *env) {
  if (!is_expandable (r, s->expression, env)) return;
  Value v = expand (r, s->expression, env);
  if (v.kind != VALUE_RELATION || term_node (r->m, v.term)->binders) return;
  vec_push (&r->m->shown, ((ShownTerm){mem_strdup (s->name), v.term}));
}

static const Env *run_statements (Reader *r, Statements list, const Env *env) {
  if (++r->depth > DEPTH_MAX)
    reader_fail (r, list.size ? list.data[0].place : (Place){0}, NULL,
                 "files or procedures are nested too deeply");
  for (u32 i = 0; i < list.size; i++) {
    const Statement *s = &list.data[i];
    reader_count (r, s->place);
    switch (s->kind) {
    case ST_LET:
      env = expand_bindings (r, s->bindings, env);
      break;
    case ST_LET_REC:
      env = expand_recursive (r, s->bindings, env, s->place);
      break;
    case ST_CHECK:
      add_check (r, s, env);
      break;
    case ST_INCLUDE:
      env = run_include (r, s, env);
      break;
    case ST_PROCEDURE:
      env = bind (r, env, s->name, (Value){.kind = VALUE_PROCEDURE, .procedure = s, .env = env});
      break;
    case ST_CALL:
      run_call (r, s, env);
      break;
    case ST_WITH:
      env = run_with (r, s, env);
      break;
    case ST_SHOW:
      run_show (r, s, env);
      break;
    }
  }
  r->depth--;
  return env;
}

/* ---- the whole model ---- */

static const Env *initial_env (Reader *r) {
  static const struct {
    const char *name;
    BuiltinId id;
  } functions[] = {{"domain", BUILTIN_DOMAIN},
                   {"range", BUILTIN_RANGE},
                   {"linearisations", BUILTIN_LINEARISATIONS},
                   {"generate_cos", BUILTIN_COS},
                   {"generate_orders", BUILTIN_ORDERS}};
  const Env *env = NULL;
  const char *name;
  bool is_set;
  for (u32 i = 0; (name = base_name (i, &is_set)); i++)
    env = bind (r, env, name, of_term (r, base_term (r->m, i)));
  env = bind (r, env, "id", of_term (r, term_id (r->m)));
  for (u32 i = 0; i < ARRAY_SIZE (functions); i++)
    env = bind (r, env, functions[i].name,
                (Value){.kind = VALUE_BUILTIN, .builtin = functions[i].id});
  u32 prelude =
      reader_add_source (r, "stdlib.cat", library_prelude, strlen (library_prelude), true);
  return run_source (r, prelude, NULL, env);
}

/* False if it failed; the reason is in r->error. */
static bool run_model (Reader *r, const char *path, const char *text, size_t size, bool is_text) {
  jmp_buf failed;
  r->failed = &failed;
  if (setjmp (failed)) return false;
  const Env *env = initial_env (r);
  run_source (r, reader_add_source (r, path, text, size, is_text), &r->m->title, env);
  return true;
}

static CatModel *read_model (const char *path, const char *text, size_t size, bool is_text,
                             Str *error) {
  Reader r;
  CatModel *m = model_new_empty ();
  reader_init (&r, m, error);
  bool fine = run_model (&r, path, text, size, is_text);
  reader_done (&r);
  if (!fine) {
    cat_free (m);
    return NULL;
  }
  if (!m->title) m->title = mem_strdup (path);
  model_analyse (m);
  return m;
}

enum { TEXT_MAX = 1 << 24 };

CatModel *cat_read (const char *name, const char *text, size_t size, Str *error) {
  return read_model (name, text, size, true, error);
}

CatModel *cat_load (const char *path, Str *error) {
  size_t size;
  char *text = file_read (path, &size);
  if (!text) {
    str_printf (error, "cannot read `%s`\n", path);
    return NULL;
  }
  CatModel *m = NULL;
  if (size > TEXT_MAX)
    str_printf (error, "`%s` is too large for a model\n", path);
  else
    m = read_model (path, text, size, false, error);
  mem_free (text);
  return m;
}
