/* outcome.h - in what states a program can end, and how often, under one model or several.
 *
 * An outcome is a row: a text for every column, where a column is something that can be observed at
 * the end of an execution. Texts are numbers into `texts`; 0 stands for the column's default (what
 * a variable holds at the start; a read that was not made). Columns appear as executions are seen,
 * so rows are ragged: what is missing at their ends is 0. Two rows never have the same values.
 */
#ifndef PORF_OUTCOME_H
#define PORF_OUTCOME_H

#include "core/core.h"
#include "core/tally.h"

typedef enum ColumnKind {
  COLUMN_READ,    /* what a thread read */
  COLUMN_RETURN,  /* what a thread returned */
  COLUMN_GLOBAL,  /* the last value of a variable */
  COLUMN_FAILURE, /* what went wrong in a thread */
} ColumnKind;

typedef struct Column {
  u64 key;
  u8 kind;
  bool is_hidden; /* not to be shown */
  bool is_wanted; /* to be shown even if it says nothing */
  u8 access;      /* READ: EffectKind */
  bool is_unused; /* READ: a read-modify-write whose old value no thread looks at */
  Tid tid;        /* READ, RETURN */
  u64 rank;       /* columns of a kind are shown in this order, then by `place` */
  u32 pos;        /* READ: source position */
  u32 nth;        /* READ: which of several times that the thread reads there, from 0 */
  u32 place;      /* READ: of the event in its thread, where it is latest */
  char *what;     /* the variable, or the location that is read */
  char *name;     /* as shown; outcomes_name, or NULL before that */
  u32 initial;    /* GLOBAL: text that 0 stands for */
  u64 seen_in;    /* the collector's note */
} Column;

enum { MOST_MODELS = 8 };

typedef struct Outcome {
  u32 *values;
  u32 nvalues;
  Tally count[MOST_MODELS]; /* executions, by model */
  u64 first[MOST_MODELS];   /* number of the first of them */
} Outcome;

typedef struct Outcomes {
  VEC (Column) columns;
  VEC (Outcome) rows;
  VEC (char *) texts; /* [0] is "-" */
  Map column_of;      /* key -> column */
  Map text_of;        /* hash -> text */
  Map row_of;         /* hash -> row */
} Outcomes;

void outcomes_init (Outcomes *o);
void outcomes_done (Outcomes *o);

u32 outcomes_text (Outcomes *o, const char *text);
/* Keys of columns begin with this: no two kinds are a small number apart. */
static inline u64 column_key (ColumnKind kind) { return hash_mix (7, kind); }
/* The column with that key; a new one is zero but for that. */
Column *outcomes_column (Outcomes *o, u64 key, bool *is_new);
/* The same column, or text, of other outcomes. */
u32 outcomes_same_column (Outcomes *o, const Outcomes *other, u32 column);
u32 outcomes_same_text (Outcomes *o, const Outcomes *other, u32 text);
/* More executions of model `model`, of which the first has that number; returns their row. */
u32 outcomes_count (Outcomes *o, const u32 *values, u32 n, u32 model, u64 number, Tally count);
void outcomes_forget (Outcomes *o, u32 model); /* all executions of it */

static inline bool outcome_is_of (const Outcome *row, u32 model) {
  return !tally_is_zero (row->count[model]);
}
Tally outcomes_total (const Outcomes *o, u32 model);

/* Rows that no execution is left of go; rows that differ only in hidden columns become one; rows
 * and columns are put in order. Needs the names of columns. Numbers of columns and rows change, so
 * nothing can be added afterwards. */
void outcomes_settle (Outcomes *o);

/* The text of a row in a column; never NULL. */
const char *outcome_value (const Outcomes *o, const Outcome *row, u32 column);
bool outcomes_shows (const Outcomes *o, u32 column); /* it is not hidden, and says something */
bool outcomes_vary (const Outcomes *o, u32 column);  /* not the same in all rows */

#endif
