/* summary.h - several programs in one table: what came out of each. */
#ifndef PORF_SUMMARY_H
#define PORF_SUMMARY_H

#include "report/report.h"

typedef struct SummaryRow {
  char *name;
  bool was_checked; /* if not, the rest means nothing */
  u8 verdict;       /* Verdict */
  u32 kinds;        /* of findings, one bit each */
  u32 assumed;      /* as in Result */
  u64 executions;
  double seconds;
  const char *wrong; /* `test`: what was expected instead, or NULL */
} SummaryRow;

typedef struct Summary {
  VEC (SummaryRow) rows;
} Summary;

void summary_add (Summary *s, const Report *r);
void summary_print (const Summary *s, bool color, Str *out);
void summary_free (Summary *s);

#endif
