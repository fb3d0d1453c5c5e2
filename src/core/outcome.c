#include "core/outcome.h"

#include <stdlib.h>

void outcomes_init (Outcomes *o) {
  *o = (Outcomes){0};
  vec_push (&o->texts, mem_strdup ("-"));
}

void outcomes_done (Outcomes *o) {
  for (u32 i = 0; i < o->columns.size; i++) {
    mem_free (o->columns.data[i].what);
    mem_free (o->columns.data[i].name);
  }
  for (u32 i = 0; i < o->rows.size; i++) mem_free (o->rows.data[i].values);
  for (u32 i = 0; i < o->texts.size; i++) mem_free (o->texts.data[i]);
  vec_free (&o->columns);
  vec_free (&o->rows);
  vec_free (&o->texts);
  map_free (&o->column_of);
  map_free (&o->text_of);
  map_free (&o->row_of);
}

u32 outcomes_text (Outcomes *o, const char *text) {
  u64 key = hash_bytes (text, strlen (text), 1), at;
  for (; map_get (&o->text_of, key, &at); key++)
    if (!strcmp (o->texts.data[at], text)) return (u32)at;
  map_put (&o->text_of, key, o->texts.size);
  vec_push (&o->texts, mem_strdup (text));
  return o->texts.size - 1;
}

Column *outcomes_column (Outcomes *o, u64 key, bool *is_new) {
  u64 at;
  *is_new = !map_get (&o->column_of, key, &at);
  if (*is_new) {
    at = o->columns.size;
    map_put (&o->column_of, key, at);
    vec_push (&o->columns, (Column){.key = key});
  }
  return &o->columns.data[at];
}

u32 outcomes_same_text (Outcomes *o, const Outcomes *other, u32 text) {
  return text ? outcomes_text (o, other->texts.data[text]) : 0;
}

u32 outcomes_same_column (Outcomes *o, const Outcomes *other, u32 column) {
  const Column *from = &other->columns.data[column];
  bool is_new;
  Column *c = outcomes_column (o, from->key, &is_new);
  u32 number = (u32)(c - o->columns.data);
  if (c->place < from->place) c->place = from->place;
  if (!is_new) return number;
  *c = *from;
  c->what = from->what ? mem_strdup (from->what) : NULL;
  c->name = from->name ? mem_strdup (from->name) : NULL;
  c->seen_in = 0;
  c->initial = outcomes_same_text (o, other, from->initial);
  return number;
}

static Outcome *find_row (Outcomes *o, const u32 *values, u32 n) {
  while (n && !values[n - 1]) n--;
  u64 key = hash_bytes (values, n * sizeof *values, 2), at;
  for (; map_get (&o->row_of, key, &at); key++) {
    Outcome *row = &o->rows.data[at];
    if (row->nvalues == n && (!n || !memcmp (row->values, values, n * sizeof *values))) return row;
  }
  map_put (&o->row_of, key, o->rows.size);
  Outcome row = {.values = mem_alloc ((n + 1) * sizeof *values), .nvalues = n};
  if (n) memcpy (row.values, values, n * sizeof *values);
  vec_push (&o->rows, row);
  return &vec_last (&o->rows);
}

u32 outcomes_count (Outcomes *o, const u32 *values, u32 n, u32 model, u64 number, Tally count) {
  Outcome *row = find_row (o, values, n);
  if (!outcome_is_of (row, model)) row->first[model] = number;
  row->count[model] = tally_add (row->count[model], count);
  return (u32)(row - o->rows.data);
}

void outcomes_forget (Outcomes *o, u32 model) {
  for (u32 i = 0; i < o->rows.size; i++) o->rows.data[i].count[model] = (Tally){0};
}

Tally outcomes_total (const Outcomes *o, u32 model) {
  Tally sum = {0};
  for (u32 i = 0; i < o->rows.size; i++) sum = tally_add (sum, o->rows.data[i].count[model]);
  return sum;
}

static u32 value_of (const Outcome *row, u32 column) {
  return column < row->nvalues ? row->values[column] : 0;
}

const char *outcome_value (const Outcomes *o, const Outcome *row, u32 column) {
  u32 text = value_of (row, column);
  return o->texts.data[text ? text : o->columns.data[column].initial];
}

bool outcomes_vary (const Outcomes *o, u32 column) {
  for (u32 i = 1; i < o->rows.size; i++)
    if (value_of (&o->rows.data[i], column) != value_of (&o->rows.data[0], column)) return true;
  return false;
}

/* ---- in order */

static bool is_counted (const Outcome *row) {
  for (u32 m = 0; m < MOST_MODELS; m++)
    if (outcome_is_of (row, m)) return true;
  return false;
}

static int compare_numbers (u64 a, u64 b) { return (a > b) - (a < b); }

static int compare_columns (const void *left, const void *right, void *arg) {
  const Outcomes *o = arg;
  const Column *a = &o->columns.data[*(const u32 *)left];
  const Column *b = &o->columns.data[*(const u32 *)right];
  if (a->kind != b->kind) return a->kind - b->kind;
  if (a->rank != b->rank) return compare_numbers (a->rank, b->rank);
  if (a->place != b->place) return compare_numbers (a->place, b->place);
  return strcmp (a->name, b->name);
}

static int compare_texts (const char *a, const char *b) {
  char *end_a, *end_b;
  long long x = strtoll (a, &end_a, 10), y = strtoll (b, &end_b, 10);
  bool numbers = !*end_a && !*end_b;
  return numbers && x != y ? (x > y) - (x < y) : strcmp (a, b);
}

static int compare_rows (const void *left, const void *right, void *arg) {
  const Outcomes *o = arg;
  for (u32 c = 0; c < o->columns.size; c++) {
    int order = compare_texts (outcome_value (o, left, c), outcome_value (o, right, c));
    if (order) return order;
  }
  return 0;
}

bool outcomes_shows (const Outcomes *o, u32 column) {
  const Column *c = &o->columns.data[column];
  if (c->is_wanted) return true;
  for (u32 i = 0; i < o->rows.size && !c->is_hidden; i++)
    if (is_counted (&o->rows.data[i]) && value_of (&o->rows.data[i], column)) {
      /* that a thread returns 0 says nothing */
      if (c->kind != COLUMN_RETURN || strcmp (outcome_value (o, &o->rows.data[i], column), "0"))
        return true;
    }
  return false;
}

static void add_row (Outcomes *to, const Outcome *row, const u32 *order, u32 ncolumns) {
  u32 *values = mem_alloc ((ncolumns + 1) * sizeof *values);
  for (u32 c = 0; c < ncolumns; c++) values[c] = value_of (row, order[c]);
  Outcome *into = find_row (to, values, ncolumns);
  for (u32 m = 0; m < MOST_MODELS; m++) {
    if (!outcome_is_of (row, m)) continue;
    if (!outcome_is_of (into, m) || row->first[m] < into->first[m]) into->first[m] = row->first[m];
    into->count[m] = tally_add (into->count[m], row->count[m]);
  }
  mem_free (values);
}

void outcomes_settle (Outcomes *o) {
  u32 *order = mem_alloc ((o->columns.size + 1) * sizeof *order), n = 0;
  Outcomes settled = {0};
  for (u32 c = 0; c < o->columns.size; c++)
    if (outcomes_shows (o, c)) order[n++] = c;
  qsort_r (order, n, sizeof *order, compare_columns, o);
  for (u32 c = 0; c < n; c++) {
    Column *column = &o->columns.data[order[c]];
    vec_push (&settled.columns, *column);
    column->what = column->name = NULL;
  }
  for (u32 i = 0; i < o->rows.size; i++)
    if (is_counted (&o->rows.data[i])) add_row (&settled, &o->rows.data[i], order, n);
  for (u32 i = 0; i < o->texts.size; i++) vec_push (&settled.texts, o->texts.data[i]);
  o->texts.size = 0;
  if (settled.rows.size)
    qsort_r (settled.rows.data, settled.rows.size, sizeof (Outcome), compare_rows, &settled);
  mem_free (order);
  outcomes_done (o);
  *o = settled;
}
