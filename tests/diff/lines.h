/* lines.h - a growing list of short texts that can be sorted and compared. */
#ifndef DIFF_LINES_H
#define DIFF_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Lines {
  char *text;
  size_t length, text_capacity;
  size_t *at; /* offsets into text; each line ends in NUL */
  uint32_t size, capacity;
} Lines;

void lines_clear (Lines *l);
void lines_free (Lines *l);
void lines_add (Lines *l, const char *text, size_t length);
void lines_sort (Lines *l);
void lines_merge (Lines *l); /* of sorted ones: equal lines become one */
static inline const char *lines_get (const Lines *l, uint32_t i) { return l->text + l->at[i]; }

/* Both sorted. How many lines are only in `expected`, only in `found`, or more often in one than in
 * the other; lists them on `out` unless that is NULL. */
uint32_t lines_compare (const Lines *expected, const Lines *found, FILE *out);

#endif
