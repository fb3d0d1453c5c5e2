/* expand.c - see expand.h. */
#include "models/cat/expand.h"

enum { EXPAND_DEPTH_MAX = 1500 };

const Env *env_bind (Reader *r, const Env *env, const char *name, Value value) {
  if (!name) return env;
  Env *e = reader_alloc (r, sizeof *e);
  *e = (Env){name, value, env};
  return e;
}

const char *value_kind_text (const Value *v) {
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

const Env *env_find (const Env *env, const char *name) {
  while (env && strcmp (env->name, name)) env = env->next;
  return env;
}

NORETURN void env_fail_unknown (Reader *r, Place p, const char *name, const Env *env) {
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
  reader_fail (r, p, best ? help : NULL, "`%s` is not defined here", name);
}

/* ---- kinds ---- */

Term value_as_relation (Reader *r, const Value *v, Place p, const char *what) {
  if (v->kind == VALUE_RELATION) return v->term;
  if (v->kind == VALUE_EMPTY) return term_empty (r->m, false);
  reader_fail (
      r, p, v->kind == VALUE_SET ? "[S] is the relation between each event of S and itself" : NULL,
      "%s needs a relation, but this is %s", what, value_kind_text (v));
}

Term value_as_set (Reader *r, const Value *v, Place p, const char *what) {
  if (v->kind == VALUE_SET) return v->term;
  if (v->kind == VALUE_EMPTY) return term_empty (r->m, true);
  reader_fail (r, p,
               v->kind == VALUE_RELATION ? "`domain` and `range` make sets of relations" : NULL,
               "%s needs a set, but this is %s", what, value_kind_text (v));
}

Value value_of_term (Reader *r, Term t) {
  return (Value){.kind = term_is_set (r->m, t) ? VALUE_SET : VALUE_RELATION, .term = t};
}

static Value checked (Reader *r, Place p, Term t) {
  if (term_node (r->m, t)->height > HEIGHT_MAX)
    reader_fail (r, p, NULL, "this definition expands to too many others");
  return value_of_term (r, t);
}

/* ---- applying functions ---- */

const Env *env_bind_names (Reader *r, const Env *env, Names names, bool is_tuple, Value v, Place p,
                           const char *what) {
  if (!is_tuple) return env_bind (r, env, names.data[0], v);
  u32 count = v.kind == VALUE_TUPLE ? v.count : 1;
  if (v.kind != VALUE_TUPLE || count != names.size)
    reader_fail (r, p, NULL, "%s needs %u %s, but there %s %u", what, names.size,
                 names.size == 1 ? "value" : "values", count == 1 ? "is" : "are", count);
  for (u32 i = 0; i < count; i++) env = env_bind (r, env, names.data[i], v.items[i]);
  return env;
}

static Value apply_builtin (Reader *r, BuiltinId id, Value arg, Place p) {
  switch (id) {
  case BUILTIN_DOMAIN:
    return checked (r, p, term_domain (r->m, value_as_relation (r, &arg, p, "`domain`")));
  case BUILTIN_RANGE:
    return checked (r, p, term_range (r->m, value_as_relation (r, &arg, p, "`range`")));
  case BUILTIN_LINEARISATIONS:
  case BUILTIN_ORDERS:
    if (arg.kind != VALUE_TUPLE || arg.count != 2)
      reader_fail (r, p, NULL, "a set and a relation are needed here");
    value_as_set (r, &arg.items[0], p, "the first argument");
    value_as_relation (r, &arg.items[1], p, "the second argument");
    break;
  case BUILTIN_COS:
    value_as_relation (r, &arg, p, "`generate_cos`");
    break;
  }
  Value *kept = reader_alloc (r, sizeof *kept);
  *kept = arg;
  return (Value){.kind = VALUE_ORDERS, .builtin = id, .items = kept};
}

static Value expand_apply (Reader *r, const Ast *x, const Env *env) {
  Value f = expand_ast (r, x->a, env), arg = expand_ast (r, x->b, env);
  if (f.kind == VALUE_BUILTIN) return apply_builtin (r, f.builtin, arg, x->b->place);
  if (f.kind != VALUE_FUNCTION)
    reader_fail (r, x->place, "is an operator missing between the two?",
                 "this applies something that is not a function but %s", value_kind_text (&f));
  const Binding *b = f.function;
  env = env_bind_names (r, f.env, b->formals, b->formals_are_tuple, arg, x->b->place,
                        "this function");
  Call call = {x->place, r->call};
  r->call = &call;
  Value v = expand_ast (r, b->body, env);
  r->call = call.outer;
  return v;
}

/* ---- operators ---- */

static const char *sign_of (AstKind kind) {
  return kind == AST_OR ? "`|`" : kind == AST_AND ? "`&`" : "`\\`";
}

static Value expand_boolean (Reader *r, const Ast *x, const Env *env) {
  Value a = expand_ast (r, x->a, env), b = expand_ast (r, x->b, env);
  if (a.kind == VALUE_EMPTY && b.kind == VALUE_EMPTY) return a;
  const Value *first = a.kind == VALUE_EMPTY ? &b : &a;
  bool is_set = first->kind == VALUE_SET;
  if ((a.kind == VALUE_SET && b.kind == VALUE_RELATION) ||
      (a.kind == VALUE_RELATION && b.kind == VALUE_SET))
    reader_fail (
        r, x->place, "[S] is the relation between each event of S and itself",
        "%s joins two sets or two relations, but the left side is %s and the right side %s",
        sign_of (x->kind), value_kind_text (&a), value_kind_text (&b));
  Term s = is_set ? value_as_set (r, &a, x->a->place, sign_of (x->kind))
                  : value_as_relation (r, &a, x->a->place, sign_of (x->kind));
  Term t = is_set ? value_as_set (r, &b, x->b->place, sign_of (x->kind))
                  : value_as_relation (r, &b, x->b->place, sign_of (x->kind));
  Term u = x->kind == AST_OR    ? term_or (r->m, s, t)
           : x->kind == AST_AND ? term_and (r->m, s, t)
                                : term_minus (r->m, s, t);
  return checked (r, x->place, u);
}

static Term identity (const Reader *r) {
  return r->m->merges_updates ? merged_id (r->m) : term_id (r->m);
}

static Term identity_of (const Reader *r, Term set) {
  return r->m->merges_updates ? merged_set_id (r->m, set) : term_set_id (r->m, set);
}

static Value expand_unary (Reader *r, const Ast *x, const Env *env) {
  Value a = expand_ast (r, x->a, env);
  Place p = x->a->place;
  Term t;
  if (x->kind == AST_SET_ID) {
    t = identity_of (r, value_as_set (r, &a, p, "`[…]`"));
  } else if (x->kind == AST_NOT) {
    bool is_set = a.kind == VALUE_SET;
    Term s = is_set ? a.term : value_as_relation (r, &a, p, "`~`");
    t = term_minus (r->m, term_all (r->m, is_set), s);
  } else if (x->kind == AST_PLUS) {
    t = term_plus (r->m, value_as_relation (r, &a, p, "`+`"));
  } else if (x->kind == AST_STAR) {
    t = value_as_relation (r, &a, p, "`*` without a right side");
    t = term_or (r->m, identity (r), term_plus (r->m, t));
  } else if (x->kind == AST_OPT) {
    t = term_or (r->m, identity (r), value_as_relation (r, &a, p, "`?`"));
  } else {
    t = term_inverse (r->m, value_as_relation (r, &a, p, "`^-1`"));
  }
  return checked (r, x->place, t);
}

/* ---- definitions ---- */

static Value binding_value (Reader *r, const Binding *b, const Env *env) {
  if (b->is_function) return (Value){.kind = VALUE_FUNCTION, .function = b, .env = env};
  return expand_ast (r, b->body, env);
}

/* All right sides see what was there before. */
const Env *expand_bindings (Reader *r, Bindings bindings, const Env *env) {
  const Env *to = env;
  for (u32 i = 0; i < bindings.size; i++) {
    const Binding *b = &bindings.data[i];
    Value v = binding_value (r, b, env);
    if (b->is_function)
      to = env_bind (r, to, b->names.data[0], v);
    else
      to = env_bind_names (r, to, b->names, b->is_tuple, v, b->body->place, "this definition");
  }
  return to;
}

static const Env *bind_recursive (Reader *r, Bindings bindings, const Env *env,
                                  const Value *values) {
  for (u32 i = 0; i < bindings.size; i++)
    env = env_bind (r, env, bindings.data[i].names.data[0], values[i]);
  return env;
}

/* First with empty variables, to learn which of them are sets; then with variables. */
const Env *expand_recursive (Reader *r, Bindings bindings, const Env *env, Place place) {
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
    Value v = expand_ast (r, bindings.data[i].body, inner);
    is_set[i] = v.kind == VALUE_SET;
    if (!is_set[i])
      value_as_relation (r, &v, bindings.data[i].body->place, "a recursive definition");
  }
  u32 binder;
  if (!binder_new (r->m, BIND_FIX, &binder))
    reader_fail (r, place, NULL, "too many recursive definitions (more than %d)", BINDERS_MAX);
  for (u32 i = 0; i < bindings.size; i++)
    values[i] = value_of_term (r, binder_var (r->m, binder, is_set[i]));
  inner = bind_recursive (r, bindings, env, values);
  for (u32 i = 0; i < bindings.size; i++) {
    Place p = bindings.data[i].body->place;
    Value v = expand_ast (r, bindings.data[i].body, inner);
    Term t = is_set[i] ? value_as_set (r, &v, p, "this definition")
                       : value_as_relation (r, &v, p, "this definition");
    vec_push (&r->m->binders.data[binder].bodies, t);
  }
  if (!binder_is_monotone (r->m, binder))
    reader_fail (r, place, NULL,
                 "this has no least solution: what is being defined stands after `\\` or `~`");
  u64 around = 0;
  for (u32 i = 0; i < bindings.size; i++)
    around |= term_node (r->m, r->m->binders.data[binder].bodies.data[i])->binders;
  if (__builtin_popcountll (around) > BINDER_DEPTH_MAX)
    reader_fail (r, place, NULL, "recursive definitions are nested too deeply");
  for (u32 i = 0; i < bindings.size; i++)
    values[i] = value_of_term (r, binder_fix (r->m, binder, i));
  return bind_recursive (r, bindings, env, values);
}

static Value expand_tuple (Reader *r, const Ast *x, const Env *env) {
  Value *items = reader_alloc (r, (x->count + 1) * sizeof *items);
  for (u32 i = 0; i < x->count; i++) items[i] = expand_ast (r, x->items[i], env);
  return (Value){.kind = VALUE_TUPLE, .items = items, .count = x->count};
}

static bool try_to_expand (Reader *r, const Ast *x, const Env *env) {
  jmp_buf here;
  r->failed = &here;
  if (setjmp (here)) return false;
  expand_ast (r, x, env);
  return true;
}

bool expand_is_possible (Reader *r, const Ast *x, const Env *env) {
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
    const Env *found = env_find (env, x->name);
    if (!found) env_fail_unknown (r, x->place, x->name, env);
    r->has_halves |= found->value.has_halves;
    return found->value;
  }
  case AST_EMPTY:
    return (Value){.kind = VALUE_EMPTY};
  case AST_ALL:
    return value_of_term (r, term_all (r->m, true));
  case AST_OR:
  case AST_AND:
  case AST_MINUS:
    return expand_boolean (r, x, env);
  case AST_SEQ: {
    Value a = expand_ast (r, x->a, env), b = expand_ast (r, x->b, env);
    Term s = value_as_relation (r, &a, x->a->place, "`;`"),
         t = value_as_relation (r, &b, x->b->place, "`;`");
    return checked (r, x->place, term_seq (r->m, s, t));
  }
  case AST_CROSS: {
    Value a = expand_ast (r, x->a, env), b = expand_ast (r, x->b, env);
    Term s = value_as_set (r, &a, x->a->place, "`*` between two operands");
    Term t = value_as_set (r, &b, x->b->place, "`*` between two operands");
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
    return expand_ast (r, x->a, expand_bindings (r, x->bindings, env));
  case AST_LET_REC:
    return expand_ast (r, x->a, expand_recursive (r, x->bindings, env, x->place));
  case AST_FUN:
    return (Value){.kind = VALUE_FUNCTION, .function = x->bindings.data, .env = env};
  case AST_TRY:
    return expand_ast (r, expand_is_possible (r, x->a, env) ? x->a : x->b, env);
  }
  BUG ("kind of an expression");
}

Value expand_ast (Reader *r, const Ast *x, const Env *env) {
  reader_count (r, x->place);
  if (++r->depth > EXPAND_DEPTH_MAX)
    reader_fail (r, x->place, NULL, "this is nested too deeply, or a function calls itself");
  Value v = expand_kind (r, x, env);
  r->depth--;
  return v;
}
