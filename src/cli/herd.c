#include "cli/herd.h"

#include <stdlib.h>

static i32 observed_variable (const Litmus *l, const char *variable) {
  for (u32 i = 0; i < l->observed.size; i++)
    if (!strcmp (l->observed.data[i].variable, variable)) return (i32)i;
  return -1;
}

void herd_name_column (void *litmus, Column *c) {
  const Litmus *l = litmus;
  i32 i = c->kind == COLUMN_GLOBAL ? observed_variable (l, c->what) : -1;
  c->is_hidden = i < 0 && c->kind != COLUMN_FAILURE;
  c->is_wanted = i >= 0;
  c->name = mem_strdup (i < 0 ? c->what : l->observed.data[i].name);
  if (i >= 0) /* registers by threads, then locations; each by name */
    c->rank = strchr (c->name, ':') ? strtoull (c->name, NULL, 10) : UINT64_MAX;
}

/* The values of a row, as the condition numbers them. Open: the model does not say which write is
 * the last. */
static void values_of (const Litmus *l, const Outcomes *o, const Outcome *row,
                       ObservedValue *values) {
  BUG_IF (o->columns.size < l->observed.size);
  for (u32 c = 0; c < o->columns.size; c++) {
    i32 i = observed_variable (l, o->columns.data[c].what);
    const char *text = outcome_value (o, row, c), *end;
    if (i < 0) continue;
    values[i] = (ObservedValue){.value = litmus_number (text, &end), .is_open = strchr (text, '|')};
    if (*text == '&') values[i].address = text + 1;
  }
}

static void say_state (const Outcomes *o, const Outcome *row, Str *out) {
  for (u32 c = 0; c < o->columns.size; c++) {
    const char *value = outcome_value (o, row, c);
    str_printf (out, "%s%s=%s;", c ? " " : "", o->columns.data[c].name, value + (*value == '&'));
  }
  str_add (out, "\n");
}

typedef struct Counts { /* executions, by whether the condition holds */
  Tally truth[TRUTH_OPEN + 1];
} Counts;

static bool any (const Counts *n, Truth t) { return !tally_is_zero (n->truth[t]); }

/* A counterexample to forall or ~exists, or an example for exists, settles it; else everything has
 * to be known. */
static const char *answer (const Litmus *l, const Counts *n, const Result *result) {
  bool is_settled = any (n, l->quantifier == LITMUS_FORALL ? TRUTH_NO : TRUTH_YES);
  if (result->findings.size) return "Undef";
  if (is_settled) return l->quantifier == LITMUS_EXISTS ? "Ok" : "No";
  if (result->not_covered.size || !result->stats.executions) return "Incomplete";
  if (any (n, TRUTH_OPEN))
    return "Open: the model does not say which write to a location is the last";
  return l->quantifier == LITMUS_EXISTS ? "No" : "Ok";
}

static const char *how_often (const Counts *n, const Result *result) {
  bool is_sure = !any (n, TRUTH_OPEN) && !result->not_covered.size;
  if (any (n, TRUTH_YES) && any (n, TRUTH_NO)) return "Sometimes";
  return !is_sure ? "Open" : any (n, TRUTH_YES) ? "Always" : "Never";
}

void herd_log (const Litmus *l, const Outcomes *o, const Result *result, Str *out) {
  static const char *const kinds[] = {"Allowed", "Forbidden", "Required"};
  ObservedValue *values = mem_zalloc ((l->observed.size + 1) * sizeof *values);
  Counts n = {0};
  u32 states = 0;
  Str lines = {0};
  for (u32 i = 0; i < o->rows.size; i++) {
    const Outcome *row = &o->rows.data[i];
    values_of (l, o, row, values);
    Truth filter = l->filter < 0 ? TRUTH_YES : litmus_holds (l, l->filter, values);
    if (filter == TRUTH_NO) continue;
    Truth truth = litmus_holds (l, l->condition, values);
    Tally *of = &n.truth[filter == TRUTH_OPEN ? TRUTH_OPEN : truth];
    *of = tally_add (*of, row->count[0]);
    say_state (o, row, &lines);
    states++;
  }
  Str positive = {0}, negative = {0};
  tally_print (n.truth[TRUTH_YES], &positive);
  tally_print (n.truth[TRUTH_NO], &negative);
  bool is_negated = l->quantifier == LITMUS_NOT_EXISTS;
  str_printf (out, "Test %s %s\nStates %u\n%s", l->name, kinds[l->quantifier], states,
              lines.text ? lines.text : "");
  str_printf (out, "%s\n", answer (l, &n, result));
  str_printf (out, "Witnesses\nPositive: %s Negative: %s\n",
              (is_negated ? negative : positive).text, (is_negated ? positive : negative).text);
  for (u32 i = 0; i < result->findings.size; i++)
    str_printf (out, "Flag %s\n", finding_kind_name (result->findings.data[i].kind));
  for (u32 i = 0; i < result->warnings.size; i++)
    str_printf (out, "Warning: %s\n", result->warnings.data[i].what);
  for (u32 i = 0; i < result->not_covered.size; i++)
    str_printf (out, "Not covered: %s\n", result->not_covered.data[i].what);
  str_printf (out, "Condition %s\nObservation %s %s %s %s\nTime %s %.2f\n\n", l->text, l->name,
              how_often (&n, result), positive.text, negative.text, l->name, result->seconds);
  str_free (&positive);
  str_free (&negative);
  str_free (&lines);
  mem_free (values);
}
