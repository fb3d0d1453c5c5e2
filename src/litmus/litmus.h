/* litmus.h - litmus tests in C, Java and assembler as herd reads them:
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
 * A test becomes a program with a variable for every location and for every register that is
 * observed, and a condition over these. Tests in assembler (asm/asm.h) become porf IR, others C.
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
  char *address; /* instead of the value: that of a location; or NULL */
} Term;

typedef struct Observed {
  char *name;     /* "0:r0", "x" */
  char *variable; /* of the program */
  u8 bytes;       /* that count when it is compared; 0: all */
} Observed;

typedef struct Litmus {
  char *name;
  Str program; /* C, or porf IR */
  bool is_ir;
  Str mapping;       /* of tests in assembler: what the orders in the IR stand for (mapping.h) */
  const char *model; /* of these: the one for the processor */
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
  const char *address; /* the location that it points to, or NULL */
  bool is_open;        /* nobody knows */
} ObservedValue;

/* A number as it stands in tests, in 64 bits; *end is `text` if there is none. */
i64 litmus_number (const char *text, const char **end);

/* Whether a term holds, given the values of what is observed. */
Truth litmus_holds (const Litmus *l, i32 term, const ObservedValue *values);

#endif
