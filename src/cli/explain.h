/* explain.h - the programs of examples/explain, which are part of the binary. */
#ifndef PORF_EXPLAIN_H
#define PORF_EXPLAIN_H

typedef struct Example {
  const char *name, *text;
} Example;

extern const Example explain_examples[]; /* ends where the name is NULL */

#endif
