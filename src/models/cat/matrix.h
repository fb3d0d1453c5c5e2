/* matrix.h - sets and relations as bits. A set is one row of bits; a relation has a row for every
 * event, its columns, or both. All rows of one evaluator are `stride` words long; those in use are
 * the words of the events that there are. */
#ifndef PORF_MATRIX_H
#define PORF_MATRIX_H

#include "base/relation.h"

enum { MATRIX_ROWS = 1, MATRIX_COLS = 2 };

typedef struct Matrix {
  u64 *rows, *cols; /* NULL if they are not needed; a set is a row */
  u64 *row, *col;   /* of the newest event, from and to itself and earlier ones */
  u32 first, last;  /* events that came with a pair; first UINT32_MAX: it is empty */
} Matrix;

static inline u32 words_for (u32 last) {
  return bits_words (last + 1);
} /* with that event as the last */

static inline bool matrix_is_empty (const Matrix *m) { return m->first == UINT32_MAX; }

/* A relation between `stride` * 64 events, or a set of them. */
static inline Matrix matrix_new (u32 stride, bool is_set, u32 parts) {
  size_t size = (is_set ? 1 : (size_t)stride * 64) * stride;
  u64 *newest = is_set ? NULL : mem_zalloc (2 * (size_t)stride * sizeof (u64));
  return (Matrix){.rows = is_set || (parts & MATRIX_ROWS) ? mem_zalloc (size * sizeof (u64)) : NULL,
                  .cols =
                      !is_set && (parts & MATRIX_COLS) ? mem_zalloc (size * sizeof (u64)) : NULL,
                  .row = newest,
                  .col = newest ? newest + stride : NULL,
                  .first = UINT32_MAX};
}
static inline void matrix_free (Matrix *m) {
  mem_free (m->rows);
  mem_free (m->cols);
  mem_free (m->row);
  *m = (Matrix){.first = UINT32_MAX};
}

/* The newest event x is in a set. */
static inline void matrix_put (Matrix *m, u32 x) {
  bits_put (m->rows, x);
  m->last = x;
  if (matrix_is_empty (m)) m->first = x;
}

/* The newest event x has its row and column: they are entered. */
static inline void matrix_enter (Matrix *m, u32 stride, u32 x) {
  u32 words = words_for (x);
  if (!bits_any (m->row, words) && !bits_any (m->col, words)) return;
  m->last = x;
  if (matrix_is_empty (m)) m->first = x;
  if (m->rows) {
    bits_copy (m->rows + (size_t)x * stride, m->row, words);
    EACH_BIT (m->col, words, y) bits_put (m->rows + (size_t)y * stride, x);
  }
  if (m->cols) {
    bits_copy (m->cols + (size_t)x * stride, m->col, words);
    EACH_BIT (m->row, words, y) bits_put (m->cols + (size_t)y * stride, x);
  }
}

static inline void matrix_cut_part (u64 *rows, bool is_set, u32 stride, u32 size, u32 left) {
  u32 words = words_for (size - 1), from = left / 64, kept = is_set ? 1 : left;
  u64 mask = bits_first (left, from);
  for (u32 i = 0; i < kept; i++) rows[(size_t)i * stride + from] &= mask;
  for (u32 k = from + 1; k < words; k++)
    for (u32 i = 0; i < kept; i++) rows[(size_t)i * stride + k] = 0;
  if (is_set) return;
  for (u32 i = left; i < size; i++)
    for (u32 k = 0; k < words; k++) rows[(size_t)i * stride + k] = 0;
}

/* Of `size` events the first `left` are left. */
static inline void matrix_cut (Matrix *m, bool is_set, u32 stride, u32 size, u32 left) {
  if (matrix_is_empty (m) || m->last < left) return;
  if (m->last + 1 < size) size = m->last + 1;
  if (m->rows) matrix_cut_part (m->rows, is_set, stride, size, left);
  if (m->cols) matrix_cut_part (m->cols, is_set, stride, size, left);
  if (m->first >= left) m->first = UINT32_MAX;
  m->last = left - 1;
}

#endif
