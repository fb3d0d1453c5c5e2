/* litmus_int.h - reading words and terms. */
#ifndef PORF_LITMUS_INT_H
#define PORF_LITMUS_INT_H

#include "litmus/litmus.h"

typedef struct Input {
  const char *start, *at;
  const char *path;
  Str *error; /* of the first mistake, or empty */
  Litmus *l;
} Input;

bool fail (Input *in, const char *format, ...) PRINTF (2, 3); /* returns false */
void skip_blanks (Input *in);                                 /* and comments */
bool take (Input *in, const char *text);                      /* if that comes next */
bool take_word (Input *in, const char *word);                 /* the same, as a whole word */
size_t word_length (const char *text); /* of the identifier or number at the start */
char *copy (const char *text, size_t length);
u32 line_of (const Input *in, const char *at);

/* Something to observe, by its name in the test: 0:r0, x or [x]. */
bool read_observed (Input *in, u32 *out);

/* Tests in Java: java.c. */
typedef struct Handle { /* 0:X = x */
  u32 thread;
  char *name, *location;
} Handle;
typedef VEC (Handle) Handles;

char *java_body (const Handles *h, u32 number, const char *body);
void handles_free (Handles *h);

/* condition.c */
bool read_term (Input *in, i32 *out);

#endif
