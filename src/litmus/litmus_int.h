/* litmus_int.h - reading words and terms. */
#ifndef PORF_LITMUS_INT_H
#define PORF_LITMUS_INT_H

#include "litmus/litmus.h"

typedef struct Input {
  const char *start, *at;
  const char *path;
  Str *error; /* of the first mistake, or empty */
  Litmus *l;
  bool has_addresses; /* values may be those of locations */
} Input;

bool litmus_fail (Input *in, const char *format, ...) PRINTF (2, 3); /* returns false */
void litmus_skip_blanks (Input *in);                                 /* and comments */
bool litmus_take (Input *in, const char *text);                      /* if that comes next */
bool litmus_take_word (Input *in, const char *word);                 /* the same, as a whole word */
size_t litmus_word_length (const char *text); /* of the identifier or number at the start */
char *litmus_copy (const char *text, size_t length);
u32 litmus_line_of (const Input *in, const char *at);

bool litmus_begins_register (const char *at); /* 0:r0, P0:r0 */
/* Something to observe, by its name in the test: 0:r0, x or [x]. */
bool litmus_read_observed (Input *in, u32 *out);

u32 litmus_observe (Litmus *l, const char *name, const char *variable); /* its number */
/* [locations] [filter] [condition], to the end. */
bool litmus_read_question (Input *in);

/* Tests in assembler: asm/. The dialect that comes next, or NULL. */
struct AsmDialect;
const struct AsmDialect *litmus_find_dialect (Input *in);
bool litmus_read_asm (Input *in, const struct AsmDialect *d);

/* Tests in Java: java.c. */
typedef struct Handle { /* 0:X = x */
  u32 thread;
  char *name, *location;
} Handle;
typedef VEC (Handle) Handles;

char *litmus_java_body (const Handles *h, u32 number, const char *body);
void litmus_free_handles (Handles *h);

/* condition.c */
bool litmus_read_term (Input *in, i32 *out);

#endif
