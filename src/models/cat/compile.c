/* compile.c - a model from its statements: definitions, checks, includes, procedures. What their
 * expressions stand for: expand.h. */
#include <libgen.h>

#include "models/cat/expand.h"

/* ---- statements ---- */

static const Env *run_statements (Reader *r, Statements list, const Env *env);

static void add_check (Reader *r, const Statement *s, const Env *env) {
  Value v = expand_ast (r, s->expression, env);
  Place p = s->expression->place;
  Term t;
  if (s->claim == CLAIM_EMPTY && v.kind == VALUE_SET)
    t = v.term;
  else
    t = value_as_relation (r, &v, p,
                           s->claim == CLAIM_ACYCLIC       ? "`acyclic`"
                           : s->claim == CLAIM_IRREFLEXIVE ? "`irreflexive`"
                                                           : "`empty`");
  char *text = place_text (r, s->place);
  Rule rule = {.name = mem_strdup (s->name ? s->name : text), .text = text};
  rule.file = mem_strdup (r->sources.data[s->place.source].path);
  rule.line = place_line (r, s->place);
  rule.forbids = s->forbids;
  rule.is_undefined = s->is_undefined;
  rule.claim = claim_add (r->m, s->claim, s->is_negated, t, 0);
  rule_add (r->m, rule);
}

/* co is part of the graph: it is chosen, if it has in it what it is asked to have. */
static Term take_co (Reader *r, const Statement *s, const Value *orders) {
  CatModel *m = r->m;
  bool is_all = orders->builtin == BUILTIN_COS;
  Term co = term_base (m, BASE_CO);
  if (m->merges_updates) co = merged_base (m, co);
  const Value *asked = is_all ? orders->items : &orders->items->items[1];
  Term within = value_as_relation (r, asked, s->place, "`with`");
  bool is_initial = within == r->initial_order; /* which co always has */
  if (!is_all) {
    Term set = value_as_set (r, &orders->items->items[0], s->place, "`with`");
    co = term_and (m, co, term_cross (m, set, set));
    within = term_and (m, within, term_cross (m, set, set));
  }
  if (is_initial) return co;
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
  Value v = expand_ast (r, s->expression, env);
  if (v.kind != VALUE_ORDERS)
    reader_fail (r, s->expression->place, NULL,
                 "`with` can choose from `linearisations (set, relation)` and `generate_cos "
                 "(relation)`, but this is %s",
                 value_kind_text (&v));
  if (v.builtin != BUILTIN_LINEARISATIONS)
    return env_bind (r, env, s->name, value_of_term (r, take_co (r, s, &v)));
  u32 binder;
  if (!binder_new (r->m, BIND_ORDER, &binder))
    reader_fail (r, s->place, NULL, "too many recursive definitions and choices");
  Term over = value_as_set (r, &v.items->items[0], s->place, "`linearisations`");
  Term within = value_as_relation (r, &v.items->items[1], s->place, "`linearisations`");
  Term order = binder_var (r->m, binder, false);
  if (r->m->merges_updates) {
    over = merged_representatives (r->m, over);
    order = merged_relation (r->m, order);
  }
  Binder *b = &r->m->binders.data[binder];
  b->over = over, b->within = within;
  return env_bind (r, env, s->name, value_of_term (r, order));
}

static void run_call (Reader *r, const Statement *s, const Env *env) {
  const Env *found = env_find (env, s->name);
  if (!found) env_fail_unknown (r, s->name_place, s->name, env);
  if (found->value.kind != VALUE_PROCEDURE)
    reader_fail (r, s->name_place, NULL, "`%s` is not a procedure but %s", s->name,
                 value_kind_text (&found->value));
  const Statement *procedure = found->value.procedure;
  Value arg = expand_ast (r, s->expression, env);
  const Env *inner = env_bind_names (r, found->value.env, procedure->formals,
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

/* What stands beside the model, unless it computes the orders of writes that are part of an
 * execution here; then what is built in. */
static bool is_read_beside (Reader *r, const Source *from, const Statement *s, bool generates,
                            Statements *list) {
  size_t size;
  char *path = from->is_builtin ? NULL : beside (from, s->name);
  char *text = path ? file_read_regular (path, &size) : NULL;
  bool is_there = text != NULL;
  u32 source = is_there ? reader_add_source (r, path, text, size, false) : 0;
  mem_free (text);
  mem_free (path);
  if (!is_there) return false;
  if (generates) return cat_can_parse (r, source, list);
  *list = cat_parse (r, source, NULL);
  return true;
}

static const Env *run_include (Reader *r, const Statement *s, const Env *env) {
  if (++r->includes > INCLUDES_MAX)
    reader_fail (r, s->place, "does a file include itself?", "too many files are included");
  bool generates = false;
  const char *text = library_find (s->name, &generates);
  Source from = r->sources.data[s->place.source];
  Statements list;
  if (!is_read_beside (r, &from, s, generates, &list)) {
    if (!text)
      reader_fail (r, s->place, NULL, "there is no `%s` beside this file, and none is built in",
                   s->name);
    list = cat_parse (r, reader_add_source (r, s->name, text, strlen (text), true), NULL);
  }
  return run_statements (r, list, env);
}

/* Relations that a picture has; it does not have unknown ones. */
static void run_show (Reader *r, const Statement *s, const Env *env) {
  bool halves = r->has_halves; /* a picture tells nothing of them */
  bool is_known = expand_is_possible (r, s->expression, env);
  Value v = is_known ? expand_ast (r, s->expression, env) : (Value){0};
  r->has_halves = halves;
  if (!is_known || v.kind != VALUE_RELATION || term_node (r->m, v.term)->binders) return;
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
      env =
          env_bind (r, env, s->name, (Value){.kind = VALUE_PROCEDURE, .procedure = s, .env = env});
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

/* What tells that a model takes the halves of a read-modify-write for two events. */
static const Env *mark_halves (Reader *r, const Env *env) {
  static const char *const names[] = {"rmw", "amo", "lxsx"};
  for (u32 i = 0; i < ARRAY_SIZE (names); i++) {
    Value v = env_find (env, names[i])->value;
    v.has_halves = true;
    env = env_bind (r, env, names[i], v);
  }
  return env;
}

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
  CatModel *m = r->m;
  bool is_set, merges = m->merges_updates;
  for (u32 i = 0; (name = base_name (i, &is_set)); i++) {
    Term t = base_term (m, i);
    env = env_bind (r, env, name, value_of_term (r, merges ? merged_base (m, t) : t));
  }
  env = env_bind (r, env, "id", value_of_term (r, merges ? merged_id (m) : term_id (m)));
  for (u32 i = 0; i < ARRAY_SIZE (functions); i++)
    env = env_bind (r, env, functions[i].name,
                    (Value){.kind = VALUE_BUILTIN, .builtin = functions[i].id});
  u32 prelude =
      reader_add_source (r, "stdlib.cat", library_prelude, strlen (library_prelude), true);
  env = run_source (r, prelude, NULL, env);
  r->initial_order = env_find (env, "co0")->value.term;
  return mark_halves (r, env);
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

typedef struct ModelText {
  const char *path, *text;
  size_t size;
  bool is_all; /* there are no files beside it */
} ModelText;

/* *halves: whether it mentions the halves of read-modify-writes. */
static CatModel *read_once (const ModelText *t, bool merges_updates, bool *halves, Str *error) {
  Reader r;
  CatModel *m = model_new_empty ();
  m->merges_updates = merges_updates;
  reader_init (&r, m, error);
  bool fine = run_model (&r, t->path, t->text, t->size, t->is_all);
  *halves = r.has_halves;
  reader_done (&r);
  if (fine) return m;
  cat_free (m);
  return NULL;
}

/* A model that mentions neither the halves of read-modify-writes nor instructions is one of C, as
 * herd has it: they are one event. */
static CatModel *read_model (const ModelText *t, bool is_mapped, Str *error) {
  bool halves;
  CatModel *m = read_once (t, false, &halves, error);
  if (!m) return NULL;
  if (!halves && !is_mapped && !cat_mentioned_set (m, 0)) {
    cat_free (m);
    m = read_once (t, true, &halves, error);
    if (!m) return NULL;
  }
  if (!m->title) m->title = mem_strdup (t->path);
  model_analyse (m);
  return m;
}

enum { TEXT_MAX = 1 << 24 };

CatModel *cat_read (const char *name, const char *text, size_t size, Str *error) {
  return read_model (&(ModelText){name, text, size, true}, false, error);
}

CatModel *cat_load (const char *path, bool is_mapped, Str *error) {
  size_t size;
  char *text = file_read_regular (path, &size);
  if (!text) {
    str_printf (error, "cannot read `%s`\n", path);
    return NULL;
  }
  CatModel *m = NULL;
  if (size > TEXT_MAX)
    str_printf (error, "`%s` is too large for a model\n", path);
  else
    m = read_model (&(ModelText){path, text, size, false}, is_mapped, error);
  mem_free (text);
  return m;
}
