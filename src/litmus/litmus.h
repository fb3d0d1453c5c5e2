/* litmus.h - litmus tests in C as herd reads them:
 *
 *   C SB
 *   { x = 0; y = 0; }
 *   P0 (atomic_int *x, atomic_int *y) {
 *     atomic_store_explicit (x, 1, memory_order_relaxed);
 *     int r0 = atomic_load_explicit (y, memory_order_relaxed);
 *   }
 *   P1 (...) { ... }
 *   exists (0:r0=0 /\ 1:r0=0)
 *
 * A test becomes a C program with a variable for every location and for every register that is
 * observed, and a condition over these.
 */
#ifndef PORF_LITMUS_H
#define PORF_LITMUS_H

#include "core/core.h"

typedef enum Quantifier { LITMUS_EXISTS, LITMUS_NOT_EXISTS, LITMUS_FORALL } Quantifier;

typedef enum TermKind {
  TERM_TRUE,
  TERM_EQUAL,
  TERM_NOT_EQUAL,
  TERM_AND,
  TERM_OR,
  TERM_NOT
} TermKind;
typedef struct Term {
  u8 kind;
  u32 left, right; /* terms; TERM_EQUAL, TERM_NOT_EQUAL: left is an index into observed */
  i64 value;
} Term;

typedef struct Observed {
  char *name;     /* "0:r0", "x" */
  char *variable; /* of the C program */
} Observed;

typedef struct Litmus {
  char *name;
  Str program; /* C */
  VEC (Observed) observed;
  VEC (Term) terms;
  u8 quantifier;
  i32 condition, filter; /* terms; filter is -1 if there is none */
  char *text;            /* of the condition, as written */
} Litmus;

/* `path` is for messages and source positions. False, and "file:line: message", if the test cannot
 * be read; litmus_free either way. */
bool litmus_read (Litmus *l, const char *text, const char *path, Str *error);
void litmus_free (Litmus *l);

typedef enum Truth { TRUTH_NO, TRUTH_YES, TRUTH_OPEN } Truth;
typedef struct ObservedValue {
  i64 value;
  bool is_open; /* nobody knows */
} ObservedValue;

/* Whether a term holds, given the values of what is observed. */
Truth litmus_holds (const Litmus *l, i32 term, const ObservedValue *values);

#endif
