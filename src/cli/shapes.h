/* shapes.h - the classic small programs that tell memory models apart, as porf IR; no compiler is
 * needed to run them. */
#ifndef PORF_SHAPES_H
#define PORF_SHAPES_H

#include "explore/explore.h"

typedef struct Shape {
  const char *name, *threads, *outcome, *text;
} Shape;

const Shape *shape_at (u32 i); /* NULL after the last */

typedef enum Answer { ANSWER_NO, ANSWER_YES, ANSWER_OPEN } Answer;

/* Whether a model allows the outcome; OPEN: it does not say which write to a variable is the last.
 * Explores the program for it. */
Answer shape_is_allowed (const Shape *s, const Model *m, Order load, Order store);

#endif
