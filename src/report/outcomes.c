/* outcomes.c - tables of outcomes: names of columns, then text and JSON. */
#include <ctype.h>
#include <stdlib.h>

#include "report/report_int.h"
#include "source/scan.h"

/* ---- names */

/* r0 of `int r0 = atomic_load (&x);`, given the right side: it has to be all of it. */
static bool assigned_name (const char *line, u32 length, Span right, Str *out) {
  const Source s = source_of (line, length);
  u32 after = source_after_blanks (&s, right.end), end = source_before_blanks (&s, right.start);
  if (after >= length || !strchr (";,", line[after])) return false;
  if (!end || line[--end] != '=' || (end && strchr ("=!<>+-*/%&|^", line[end - 1]))) return false;
  end = source_before_blanks (&s, end);
  u32 begin = source_before_name (&s, end);
  if (begin == end || isdigit ((u8)line[begin])) return false;
  if (begin && strchr (".>", line[begin - 1])) return false;
  str_add_n (out, line + begin, end - begin);
  return true;
}

/* Whether an expression is what the access reads: x++ is, ++x and a compare-exchange are not. */
static bool is_value_read (const Column *c, const char *text) {
  static const char *const fetches[] = {"atomic_fetch_", "atomic_exchange", "__atomic_fetch_",
                                        "__atomic_exchange", "__sync_fetch_"};
  if (c->access != EFF_RMW) return c->access == EFF_READ;
  for (u32 i = 0; i < ARRAY_SIZE (fetches); i++)
    if (!strncmp (text, fetches[i], strlen (fetches[i]))) return true;
  return false;
}

static bool name_by_assignment (const Report *r, const Column *c, Str *out) {
  Position at = view_position_at (r->program, c->pos);
  u32 length;
  const char *line =
      at.line ? source_line (r->sources, view_position_path (r->program, c->pos), at.line, &length)
              : NULL;
  if (!line) return false;
  Span span = source_span (line, length, at.column);
  return is_value_read (c, line + span.start) && assigned_name (line, length, span, out);
}

/* What the value read is called in the source: the variable it goes to, else that it comes from. */
static void name_read (const Report *r, Column *c, Str *out) {
  Str name = {0};
  if (!name_by_assignment (r, c, &name))
    str_add (&name, c->what);
  else /* a global variable has a column of its own */
    c->is_hidden = program_find_global (r->program, name.text) >= 0;
  say_tid (out, c->tid);
  str_printf (out, ":%s", name.text);
  str_free (&name);
}

static bool may_be_wanted (const Report *r, const Column *c);

void outcomes_name_column (void *report, Column *c) {
  const Report *r = report;
  Str name = {0};
  switch ((ColumnKind)c->kind) {
  case COLUMN_READ:
    name_read (r, c, &name);
    break;
  case COLUMN_RETURN:
    say_tid (&name, c->tid);
    str_add (&name, ":return");
    break;
  case COLUMN_GLOBAL:
  case COLUMN_FAILURE:
    str_add (&name, c->what);
    break;
  }
  c->name = name.text;
  if (r->observe) c->is_hidden = !may_be_wanted (r, c);
}

static bool has_namesake (const Outcomes *o, u32 column) {
  for (u32 i = 0; i < o->columns.size; i++)
    if (i != column && !strcmp (o->columns.data[i].name, o->columns.data[column].name)) return true;
  return false;
}

/* Names that several columns have become longer; all of them, so that it does not matter which one
 * was seen first. */
static void tell_apart (const Report *r, Outcomes *o,
                        void (*add) (const Report *r, const Outcomes *o, u32 column, Str *out)) {
  char **names = mem_zalloc ((o->columns.size + 1) * sizeof *names);
  for (u32 i = 0; i < o->columns.size; i++) {
    Str name = {0};
    if (!has_namesake (o, i)) continue;
    str_add (&name, o->columns.data[i].name);
    add (r, o, i, &name);
    names[i] = name.text;
  }
  for (u32 i = 0; i < o->columns.size; i++) {
    if (!names[i]) continue;
    mem_free (o->columns.data[i].name);
    o->columns.data[i].name = names[i];
  }
  mem_free (names);
}

static void add_line (const Report *r, const Outcomes *o, u32 column, Str *out) {
  const Column *c = &o->columns.data[column];
  if (c->kind == COLUMN_READ && c->pos)
    str_printf (out, "@%u", view_position_at (r->program, c->pos).line);
}

/* In the order in which the thread came by. */
static void add_ordinal (const Report *r, const Outcomes *o, u32 column, Str *out) {
  const Column *c = &o->columns.data[column];
  u32 ordinal = 1;
  for (u32 i = 0; i < o->columns.size; i++) {
    const Column *other = &o->columns.data[i];
    if (strcmp (other->name, c->name)) continue;
    if (other->nth != c->nth)
      ordinal += other->nth < c->nth;
    else
      ordinal += other->place != c->place ? other->place < c->place : i < column;
  }
  (void)r;
  str_printf (out, "#%u", ordinal);
}

void outcomes_tell_apart (const Report *r, Outcomes *o) {
  tell_apart (r, o, add_line);
  tell_apart (r, o, add_ordinal);
}

/* ---- which columns are wanted */

static bool matches (const char *name, const char *word, size_t n) {
  return !strncmp (name, word, n) && !source_is_name_char (name[n]);
}

static const char *const choices[] = {"reads", "returns", "globals", "fails", "all"};

static bool is_word_at (const char *text, size_t n, const char *word) {
  return strlen (word) == n && !strncmp (text, word, n);
}

static bool is_kind (const char *text, size_t n) {
  for (u32 i = 0; i < ARRAY_SIZE (choices); i++)
    if (is_word_at (text, n, choices[i])) return true;
  return false;
}

/* A variable is meant by its name, or else reads that are called like that in any thread. */
static bool is_variable (const Outcomes *o, const char *word, size_t n) {
  for (u32 i = 0; i < o->columns.size; i++)
    if (o->columns.data[i].kind == COLUMN_GLOBAL && matches (o->columns.data[i].name, word, n))
      return true;
  return false;
}

static bool is_chosen (const Column *c, bool is_variable, const char *word, size_t n) {
  const char *local = is_variable ? NULL : strchr (c->name, ':');
  if (is_word_at (word, n, "all") || is_word_at (word, n, choices[c->kind])) return true;
  return matches (c->name, word, n) || (local && matches (local + 1, word, n));
}

/* Names may still get longer: t1:r0 may become what is meant by t1:r0@12. */
static bool may_be_wanted (const Report *r, const Column *c) {
  if (c->kind == COLUMN_FAILURE) return true;
  for (const char *list = r->observe; *list;) {
    size_t n = strcspn (list, ","), shorter = strcspn (list, "@#,");
    if (is_chosen (c, false, list, n) || is_chosen (c, false, list, shorter)) return true;
    list += n + (list[n] == ',');
  }
  return false;
}

static bool choose_word (Outcomes *o, const char *word, size_t n) {
  bool found = false, is_global = is_variable (o, word, n);
  for (u32 i = 0; i < o->columns.size; i++) {
    Column *c = &o->columns.data[i];
    if (!is_chosen (c, is_global, word, n)) continue;
    c->is_hidden = false;
    c->is_wanted = !is_kind (word, n);
    found = true;
  }
  return found;
}

bool outcomes_choose (const Report *r, Outcomes *o, Str *unknown) {
  if (!r->observe) return true;
  for (u32 i = 0; i < o->columns.size; i++)
    o->columns.data[i].is_hidden = o->columns.data[i].kind != COLUMN_FAILURE;
  for (const char *list = r->observe; *list;) {
    size_t n = strcspn (list, ",");
    if (!choose_word (o, list, n) && !is_kind (list, n)) {
      str_add_n (unknown, list, n);
      return false;
    }
    list += n + (list[n] == ',');
  }
  return true;
}

/* ---- text */

static u32 width_of (const Outcomes *o, u32 column) {
  size_t width = strlen (o->columns.data[column].name);
  for (u32 i = 0; i < o->rows.size; i++) {
    size_t n = strlen (outcome_value (o, &o->rows.data[i], column));
    if (n > width) width = n;
  }
  return (u32)width;
}

/* Lines of a table: the counts under each model, then the columns that vary. */
typedef struct Table {
  const Outcomes *o;
  const char *const *models; /* headings of the counts */
  u32 nmodels;
  int count_widths[MOST_MODELS];
  bool *varies;
  u32 *widths;
} Table;

static int count_width (const Outcomes *o, u32 model, const char *heading) {
  Str most = {0};
  tally_print (outcomes_total (o, model), &most);
  size_t n = strlen (heading);
  if (n < most.length) n = most.length;
  str_free (&most);
  return n > 10 ? (int)n : 10;
}

static Table table_open (const Outcomes *o, const char *const *models, u32 nmodels) {
  Table t = {.o = o, .models = models, .nmodels = nmodels};
  t.varies = mem_zalloc (o->columns.size + 1);
  t.widths = mem_zalloc ((o->columns.size + 1) * sizeof *t.widths);
  for (u32 c = 0; c < o->columns.size; c++) {
    t.varies[c] = outcomes_vary (o, c);
    t.widths[c] = width_of (o, c);
  }
  for (u32 m = 0; m < nmodels; m++) t.count_widths[m] = count_width (o, m, models[m]);
  return t;
}

static void table_close (Table *t) {
  mem_free (t->varies);
  mem_free (t->widths);
}

static void table_head (const Report *r, const Table *t, Str *out) {
  Str line = {0};
  for (u32 m = 0; m < t->nmodels; m++)
    str_printf (&line, "  %*s", t->count_widths[m], t->models[m]);
  for (u32 c = 0; c < t->o->columns.size; c++)
    if (t->varies[c]) str_printf (&line, "  %*s", (int)t->widths[c], t->o->columns.data[c].name);
  snippet_paint (out, r->color, PAINT_BOLD, line.text);
  str_add (out, "\n");
  str_free (&line);
}

static void table_row (const Table *t, const Outcome *row, Str *out) {
  for (u32 m = 0; m < t->nmodels; m++) {
    Str count = {0};
    if (outcome_is_of (row, m)) tally_print (row->count[m], &count);
    str_printf (out, "  %*s", t->count_widths[m], count.length ? count.text : "-");
    str_free (&count);
  }
  for (u32 c = 0; c < t->o->columns.size; c++)
    if (t->varies[c]) str_printf (out, "  %*s", (int)t->widths[c], outcome_value (t->o, row, c));
  str_add (out, "\n");
}

/* What is the same in every outcome. */
static void table_rest (const Table *t, Str *out) {
  bool first = true;
  for (u32 c = 0; c < t->o->columns.size && t->o->rows.size; c++) {
    if (t->varies[c]) continue;
    str_printf (out, "%s%s = %s", first ? "  always: " : ", ", t->o->columns.data[c].name,
                outcome_value (t->o, &t->o->rows.data[0], c));
    first = false;
  }
  if (!first) str_add (out, "\n");
}

static const char *plural (u64 n) { return n == 1 ? "" : "s"; }

void report_outcomes (const Report *r, const Outcomes *o, Str *out) {
  static const char *const heading[] = {"executions"};
  Tally executions = outcomes_total (o, 0);
  str_printf (out, "%s under %s: %u outcome%s of ", r->file, r->result->model, o->rows.size,
              plural (o->rows.size));
  tally_print (executions, out);
  str_printf (out, " execution%s\n", plural (tally_to_u64 (executions)));
  Table t = table_open (o, heading, 1);
  if (o->rows.size) table_head (r, &t, out);
  for (u32 i = 0; i < o->rows.size; i++) table_row (&t, &o->rows.data[i], out);
  table_rest (&t, out);
  table_close (&t);
  report_verdict (r, out);
}

/* ---- two models or more */

bool outcomes_hide_unordered (Outcomes *o) {
  bool any = false;
  for (u32 c = 0; c < o->columns.size; c++)
    for (u32 i = 0; i < o->rows.size && o->columns.data[c].kind == COLUMN_GLOBAL; i++)
      if (strchr (outcome_value (o, &o->rows.data[i], c), '|'))
        any = o->columns.data[c].is_hidden = true;
  return any;
}

bool outcome_differs (const Outcome *row, u32 nmodels) {
  for (u32 m = 1; m < nmodels; m++)
    if (outcome_is_of (row, m) != outcome_is_of (row, 0)) return true;
  return false;
}

void outcome_say (const Outcomes *o, const Outcome *row, Str *out) {
  bool first = true;
  for (u32 c = 0; c < o->columns.size; c++) {
    if (!outcomes_vary (o, c)) continue;
    str_printf (out, "%s%s = %s", first ? "" : ", ", o->columns.data[c].name,
                outcome_value (o, row, c));
    first = false;
  }
}

void report_comparison (const Report *r, const Outcomes *o, const Result *results, u32 n,
                        Str *out) {
  const char *names[MOST_MODELS];
  u32 different = 0;
  for (u32 m = 0; m < n; m++) names[m] = results[m].model;
  for (u32 i = 0; i < o->rows.size; i++) different += outcome_differs (&o->rows.data[i], n);
  u32 same = o->rows.size - different;
  Table t = table_open (o, names, n);
  str_printf (out, "%s: ", r->file);
  if (!different)
    str_printf (out, "the same %u outcome%s", same, plural (same));
  else
    str_printf (out, "%u outcome%s, %u in common", o->rows.size, plural (o->rows.size), same);
  str_add (out, " under");
  for (u32 m = 0; m < n; m++)
    str_printf (out, "%s %s", !m ? "" : m + 1 < n ? "," : " and", names[m]);
  str_add (out, "\n");
  if (different) table_head (r, &t, out);
  for (u32 i = 0; i < o->rows.size; i++)
    if (outcome_differs (&o->rows.data[i], n)) table_row (&t, &o->rows.data[i], out);
  table_rest (&t, out);
  table_close (&t);
  u32 assumed = 0;
  for (u32 m = 0; m < n; m++) assumed |= results[m].assumed;
  report_show_assumptions (assumed, out);
}

/* ---- JSON */

static bool is_number (const char *text) {
  const char *digits = text + (*text == '-');
  size_t n = strlen (digits);
  return n && n < 19 && strspn (digits, "0123456789") == n && (n == 1 || *digits != '0');
}

static void put_outcome (Json *to, const char *key, const char *value) {
  if (!strcmp (value, "-"))
    json_put_literal (to, key, "null");
  else if (is_number (value))
    json_put_literal (to, key, value);
  else
    json_put_text (to, key, value);
}

static void put_column (const Report *r, const Column *column, Json *to) {
  static const char *const kinds[] = {"read", "return", "global", "failure"};
  json_put_text (to, "name", column->name);
  json_put_text (to, "kind", kinds[column->kind]);
  if (column->kind == COLUMN_READ || column->kind == COLUMN_RETURN)
    report_put_thread (to, "thread", column->tid);
  if (column->kind != COLUMN_READ) return;
  json_put_text (to, "reads", column->what);
  json_put_int (to, "line", view_position_at (r->program, column->pos).line);
}

static void put_result (const Report *r, const Result *s, Json *to) {
  json_put_text (to, "model", s->model);
  json_put_text (to, "verdict", verdict_name (s->verdict));
  report_put_tally (to, "executions", result_executions (s));
  json_put_u64 (to, "blocked", s->stats.blocked);
  json_put_real (to, "seconds", s->seconds);
  Json *findings = json_put_array (to, "findings");
  for (u32 i = 0; i < s->findings.size; i++) {
    const Finding *f = &s->findings.data[i];
    Json *finding = json_add_object (findings);
    json_put_text (finding, "kind", finding_kind_name (f->kind));
    json_put_int (finding, "line",
                  view_position_at (r->program, view_finding_position (r->program, f)).line);
  }
  Json *not_covered = json_put_array (to, "not_covered");
  for (u32 i = 0; i < s->not_covered.size; i++)
    json_add_text (not_covered, s->not_covered.data[i].what);
  report_put_assumed (s->assumed, to);
}

Json *outcomes_document (const Report *r, const Outcomes *o, const Result *results, u32 n) {
  Json *j = json_object ();
  json_put_text (j, "file", r->file);
  Json *models = json_put_array (j, "models");
  for (u32 m = 0; m < n; m++) put_result (r, &results[m], json_add_object (models));
  Json *columns = json_put_array (j, "columns");
  for (u32 c = 0; c < o->columns.size; c++)
    put_column (r, &o->columns.data[c], json_add_object (columns));
  Json *outcomes = json_put_array (j, "outcomes");
  for (u32 i = 0; i < o->rows.size; i++) {
    const Outcome *row = &o->rows.data[i];
    Json *outcome = json_add_object (outcomes), *counts = json_put_object (outcome, "executions");
    for (u32 m = 0; m < n; m++) report_put_tally (counts, results[m].model, row->count[m]);
    Json *values = json_put_object (outcome, "values");
    for (u32 c = 0; c < o->columns.size; c++)
      put_outcome (values, o->columns.data[c].name, outcome_value (o, row, c));
  }
  return j;
}
