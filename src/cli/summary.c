#include "cli/summary.h"

void summary_add (Summary *s, const Report *r) {
  SummaryRow row = {.name = mem_strdup (r->file),
                    .was_checked = true,
                    .verdict = (u8)r->result->verdict,
                    .assumed = r->result->assumed,
                    .executions = r->result->stats.executions,
                    .seconds = r->result->seconds};
  for (u32 i = 0; i < r->result->findings.size; i++)
    row.kinds |= 1u << r->result->findings.data[i].kind;
  vec_push (&s->rows, row);
}

void summary_free (Summary *s) {
  for (u32 i = 0; i < s->rows.size; i++) mem_free (s->rows.data[i].name);
  vec_free (&s->rows);
}

/* "violation (race, assert)" */
static void say_verdict (const SummaryRow *row, Str *out) {
  const char *between = " (";
  str_add (out, row->was_checked ? verdict_name ((Verdict)row->verdict) : "not checked");
  for (u32 k = 0; k < 32; k++)
    if (row->kinds >> k & 1) {
      str_printf (out, "%s%s", between, finding_kind_name ((FindingKind)k));
      between = ", ";
    }
  if (row->kinds) str_add (out, ")");
}

void summary_print (const Summary *s, bool color, Str *out) {
  int width = 7;
  Str what = {0};
  for (u32 i = 0; i < s->rows.size; i++) {
    str_clear (&what);
    say_verdict (&s->rows.data[i], &what);
    if ((int)what.length > width) width = (int)what.length;
  }
  str_printf (out, "%-*s  executions  seconds  program\n", width, "verdict");
  for (u32 i = 0; i < s->rows.size; i++) {
    const SummaryRow *row = &s->rows.data[i];
    bool is_good = row->was_checked && row->verdict == VERDICT_PASS && !row->wrong;
    str_clear (&what);
    say_verdict (row, &what);
    if (color)
      str_add (out, is_good ? "\033[32m" : row->wrong || row->kinds ? "\033[31m" : "\033[33m");
    str_printf (out, "%-*s", width, what.text);
    if (color) str_add (out, "\033[0m");
    if (row->was_checked)
      str_printf (out, "  %10llu  %7.2f", (unsigned long long)row->executions, row->seconds);
    else
      str_printf (out, "  %10s  %7s", "", "");
    str_printf (out, "  %s", row->name);
    if (row->wrong) str_printf (out, ": expected %s", row->wrong);
    str_add (out, "\n");
  }
  str_free (&what);
}
