/* lines.c - see lines.h. */
#include "diff/lines.h"

#include <stdlib.h>
#include <string.h>

void lines_clear (Lines *l) {
  l->length = 0;
  l->size = 0;
}

void lines_free (Lines *l) {
  free (l->text);
  free (l->at);
  *l = (Lines){0};
}

static void *grow (void *data, size_t bytes) {
  data = realloc (data, bytes);
  if (!data) abort ();
  return data;
}

void lines_add (Lines *l, const char *text, size_t length) {
  if (l->length + length + 1 > l->text_capacity) {
    l->text_capacity = 2 * (l->length + length + 1);
    l->text = grow (l->text, l->text_capacity);
  }
  if (l->size == l->capacity) {
    l->capacity = l->capacity ? 2 * l->capacity : 64;
    l->at = grow (l->at, l->capacity * sizeof *l->at);
  }
  memcpy (l->text + l->length, text, length);
  l->text[l->length + length] = 0;
  l->at[l->size++] = l->length;
  l->length += length + 1;
}

static int compare_offsets (const void *a, const void *b, void *text) {
  return strcmp ((char *)text + *(const size_t *)a, (char *)text + *(const size_t *)b);
}

void lines_sort (Lines *l) {
  if (l->size > 1) qsort_r (l->at, l->size, sizeof *l->at, compare_offsets, l->text);
}

void lines_merge (Lines *l) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->size; i++)
    if (!n || strcmp (lines_get (l, i), l->text + l->at[n - 1])) l->at[n++] = l->at[i];
  l->size = n;
}

static uint32_t report (FILE *out, const char *what, const char *line) {
  if (out) fprintf (out, "%-9s  %s\n", what, line);
  return 1;
}

uint32_t lines_compare (const Lines *expected, const Lines *found, FILE *out) {
  uint32_t i = 0, k = 0, differences = 0;
  while (i < expected->size || k < found->size) {
    int order = i == expected->size ? 1
                : k == found->size  ? -1
                                    : strcmp (lines_get (expected, i), lines_get (found, k));
    if (order < 0) {
      differences += report (out, "missing", lines_get (expected, i++));
      continue;
    }
    const char *line = lines_get (found, k);
    bool again = k && !strcmp (lines_get (found, k - 1), line);
    if (order > 0) differences += report (out, again ? "duplicate" : "extra", line);
    i += !order;
    k++;
  }
  return differences;
}
