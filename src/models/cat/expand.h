/* expand.h - what expressions of a model stand for: names, kinds, and terms. Functions are expanded
 * where they are applied; what is left are terms over the base sets and relations. */
#ifndef PORF_CAT_EXPAND_H
#define PORF_CAT_EXPAND_H

#include "models/cat/reader.h"

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
  bool has_halves; /* rmw, or what is built in and made of it */
  const Env *env;  /* in which a function or procedure was defined */
} Value;

struct Env {
  const char *name;
  Value value;
  const Env *next;
};

/* An environment with one name more; with as many as there are values in a tuple. */
const Env *env_bind (Reader *r, const Env *env, const char *name, Value value);
const Env *env_bind_names (Reader *r, const Env *env, Names names, bool is_tuple, Value v, Place p,
                           const char *what);
const Env *env_find (const Env *env, const char *name); /* NULL: it is unknown */
NORETURN void env_fail_unknown (Reader *r, Place p, const char *name, const Env *env);

const char *value_kind_text (const Value *v); /* "a set" */
Value value_of_term (Reader *r, Term t);
/* What `what` needs, or the reader fails. */
Term value_as_relation (Reader *r, const Value *v, Place p, const char *what);
Term value_as_set (Reader *r, const Value *v, Place p, const char *what);

Value expand_ast (Reader *r, const Ast *x, const Env *env);
const Env *expand_bindings (Reader *r, Bindings bindings, const Env *env);
const Env *expand_recursive (Reader *r, Bindings bindings, const Env *env, Place place);
bool expand_is_possible (Reader *r, const Ast *x, const Env *env); /* else its error is forgotten */

#endif
