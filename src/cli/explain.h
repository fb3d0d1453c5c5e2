/* explain.h - what `porf explain` knows, and the programs of examples/explain, which are part of the binary. */
#ifndef PORF_EXPLAIN_H
#define PORF_EXPLAIN_H

#include "base/base.h"

typedef struct Example {
  const char *name, *text;
} Example;

extern const Example explain_examples[]; /* ends where the name is NULL */

const char *explain_topic (u32 i); /* what can be explained; NULL after the last */

#endif
