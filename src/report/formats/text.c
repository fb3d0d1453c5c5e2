/* text.c - for people: what can go wrong, where, why, and what was covered. */
#include "report/explanation.h"

enum { PLACE_COLUMN = 66 };

static void headline (const Report *r, const Finding *f, Str *out) {
  u32 pos = view_finding_position (r->program, f);
  Position at = view_position_at (r->program, pos);
  Str head = {0}, text = {0};
  str_printf (&head, "error[%s]", finding_kind_name (f->kind));
  str_add (&text, ": ");
  say_message (r, f, &text);
  str_printf (&text, " under %s", r->result->model);
  snippet_paint (out, r->color, PAINT_ERROR, head.text);
  snippet_paint (out, r->color, PAINT_BOLD, text.text);
  if (at.line) {
    int width = (int)(head.length + text.length), gap = PLACE_COLUMN - width;
    str_printf (out, "%*s", gap > 3 ? gap : 3, "");
    say_place (out, r->program, pos);
    if (at.column) str_printf (out, ":%u", at.column);
  }
  str_add (out, "\n");
  str_free (&head);
  str_free (&text);
}

static void remark (const Report *r, Str *out, const char *label, const char *text) {
  if (!text || !*text) return;
  snippet_paint (out, r->color, PAINT_BOLD, label);
  str_printf (out, " %s\n", text);
}

void report_show_rows (Rows *rows, Str *out) {
  int width = 0;
  for (u32 i = 0; i < rows->size; i++)
    if ((int)rows->data[i].where.length > width) width = (int)rows->data[i].where.length;
  for (u32 i = 0; i < rows->size; i++) {
    Row *row = &rows->data[i];
    str_printf (out, "       %-*s  %s\n", width, row->where.text, row->what.text);
    str_free (&row->where);
    str_free (&row->what);
  }
  vec_free (rows);
}

/* The last steps of an interleaving, as a table. */
static void show_steps (const Report *r, Explanation *x, Str *out) {
  enum { MOST = 17 };
  Steps steps = {0};
  Rows rows = {0};
  if (explain_is_told_in_steps (x)) steps_find (x, &steps);
  u32 first = steps.size > MOST && !r->full ? steps.size - MOST : 0;
  u32 file = steps_file (x, &steps);
  if (steps.size > 1) {
    snippet_paint (out, r->color, PAINT_BOLD, "steps:");
    if (file) str_printf (out, " in %s,", source_short_path (r->program->files.data[file]));
    str_add (out,
             first ? " the last ones in their order (--full shows all)\n" : " in this order\n");
  }
  for (u32 i = first; i < steps.size && steps.size > 1; i++) {
    Row row = {0};
    say_step_place (x, &steps.data[i], file, &row.where);
    say_step (x, &steps.data[i], &row.what);
    vec_push (&rows, row);
  }
  report_show_rows (&rows, out);
  vec_free (&steps);
}

static void say_models (const Finding *f, bool are_allowed, Str *out) {
  u32 n = 0, left = 0;
  for (u32 i = 0; i < f->elsewhere.size; i++)
    left += f->elsewhere.data[i].is_allowed == are_allowed;
  if (left && out->length) str_add (out, "; ");
  if (left) str_add (out, are_allowed ? "possible under " : "impossible under ");
  for (u32 i = 0; i < f->elsewhere.size; i++) {
    if (f->elsewhere.data[i].is_allowed != are_allowed) continue;
    if (n++) str_add (out, n == left ? " and " : ", ");
    str_add (out, f->elsewhere.data[i].model);
  }
}

static bool is_possible_under (const Finding *f, const char *model) {
  for (u32 i = 0; i < f->elsewhere.size; i++)
    if (f->elsewhere.data[i].is_allowed && !strcmp (f->elsewhere.data[i].model, model)) return true;
  return false;
}

static void show_finding (const Report *r, const Finding *f, Str *out) {
  Explanation x = explain_finding (r, f);
  Str also = {0}, seen = {0};
  headline (r, f, out);
  snippet_show (r, &x, out);
  if (explain_has_schedule (&x))
    explain_schedule (r, &x, out);
  else
    show_steps (r, &x, out);
  remark (r, out, "  why:", x.why.text);
  remark (r, out, " help:", x.help.text);
  remark (r, out, "   or:", x.or_else.text);
  if (x.is_by_volatile && !r->quiet)
    remark (r, out,
            " help:", "--volatile treats volatile accesses as relaxed atomics, as Linux does");
  else if (f->repair.status == REPAIR_HOPELESS && !f->repair.fix.changes.size && !r->quiet)
    remark (r, out, " help:", r->edits);
  if (f->repair.status == REPAIR_TIMEOUT && !r->quiet)
    remark (r, out, " help:", "no fix was found within the time limit (--help-time S)");
  say_models (f, false, &also);
  say_models (f, true, &also);
  if (f->kind == FINDING_RACE && is_possible_under (f, "sc"))
    str_add (&also, ": by the rules of C a race is an error, however the processor behaves");
  remark (r, out, " also:", also.text);
  str_free (&also);
  if (f->execution) str_printf (&seen, "execution %llu", (unsigned long long)f->execution);
  if (f->execution && r->keep_going && !r->result->not_covered.size &&
      r->result->stats.explored >= f->execution)
    str_printf (&seen, " of %llu", (unsigned long long)r->result->stats.explored);
  if (f->execution && f->witness.events.size && !r->full && !r->quiet)
    str_add (&seen, "; --full shows all of it, --save FILE.html writes a page to step through");
  remark (r, out, " seen:", seen.text);
  if (r->full) report_execution (r, &f->witness, out);
  str_add (out, "\n");
  str_free (&seen);
  explanation_free (&x);
}

/* All executions, one by one, or by what follows. */
static void say_what_was_explored (const Result *s, Str *out) {
  u64 futures = s->stats.futures;
  if (s->is_unbounded)
    str_printf (out, "all %llu futures were explored; executions are unbounded",
                (unsigned long long)futures);
  else if (!s->stats.executions)
    str_add (out, "no execution completes");
  else if (!futures)
    str_add (out, "every execution was explored");
  else {
    str_add (out, "all ");
    tally_print (s->count, out);
    str_add (out, " executions");
    if (s->stats.executions >= 10000000000 && !tally_is_rough (s->count)) {
      str_add (out, " (");
      tally_print_short (s->count, out);
      str_add (out, ")");
    }
    str_printf (out, " are covered by %llu futures, each explored once",
                (unsigned long long)futures);
  }
}

static void verdict_sentence (const Report *r, Str *out) {
  const Result *s = r->result;
  u32 n = s->findings.size;
  Str text = {0};
  switch (s->verdict) {
  case VERDICT_PASS:
    snippet_paint (out, r->color, PAINT_GOOD, "ok");
    str_printf (&text, ": %s: no violation under %s; ", r->file, s->model);
    say_what_was_explored (s, &text);
    break;
  case VERDICT_VIOLATION:
    snippet_paint (out, r->color, PAINT_ERROR, "violation");
    str_printf (&text, ": %s: %u %s under %s%s", r->file, n, n == 1 ? "error" : "errors", s->model,
                r->keep_going ? "" : "; the search stopped there (--keep-going finds the others)");
    break;
  case VERDICT_INCOMPLETE:
    snippet_paint (out, r->color, PAINT_WARN, "incomplete");
    str_printf (&text, ": %s: no violation under %s so far, but not everything was %s", r->file,
                s->model, s->is_explored ? "checked" : "covered");
    break;
  }
  str_printf (out, "%s\n", text.text);
  str_free (&text);
}

static void show_counts (const Report *r, Str *out) {
  const Result *s = r->result;
  if (s->stats.states)
    str_printf (out, "  %llu states, %llu transitions, %llu memories\n",
                (unsigned long long)s->stats.states, (unsigned long long)s->stats.transitions,
                (unsigned long long)s->stats.memories);
  str_add (out, "  ");
  tally_print (result_executions (s), out);
  str_printf (out, " complete execution%s", s->stats.executions == 1 ? "" : "s");
  if (s->stats.blocked)
    str_printf (out, ", %llu blocked (%s)", (unsigned long long)s->stats.blocked,
                s->verdict == VERDICT_PASS ? "cut short at a spin loop or a failed assumption"
                                           : "a thread cannot continue");
  if (!s->stats.futures && s->stats.explored < s->stats.executions + s->stats.blocked)
    str_printf (
        out, ", %llu explored (the others are equal up to symmetric threads or commuting updates)",
        (unsigned long long)s->stats.explored);
  if (s->stats.duplicates)
    str_printf (out, ", %llu explored twice", (unsigned long long)s->stats.duplicates);
  str_printf (out, ", %.2f s\n", s->seconds);
}

/* Executions are complete and blocked ones. */
static void show_estimate (const Report *r, Str *out) {
  const Estimate *e = &r->result->estimate;
  double n = e->executions + e->blocked;
  if (!e->spread) return;
  str_add (out, "  estimate: about ");
  str_add_amount (out, n);
  str_add (out, n < 1.5 ? " execution" : " executions");
  if (e->spread > 1.005) {
    str_add (out, " (");
    str_add_amount (out, n / e->spread);
    str_add (out, " to ");
    str_add_amount (out, n * e->spread);
    str_add (out, ")");
  }
  if (e->blocked > 0) {
    str_add (out, ", ");
    str_add_amount (out, e->blocked);
    str_add (out, " of them blocked");
  }
  str_add (out, "; exploring all takes ");
  str_add_duration (out, e->seconds);
  if (e->covered > 0)
    str_printf (out, "; %.2g %% explored", e->covered < 0.99 ? 100 * e->covered : 99);
  str_add (out, "\n");
}

static void show_place_and_text (const Report *r, const NotCovered *n, Str *out) {
  if (view_position_at (r->program, n->pos).line) {
    say_place (out, r->program, n->pos);
    str_add (out, ": ");
  }
  str_printf (out, "%s\n", n->what);
}

static void show_not_covered (const Report *r, Str *out) {
  for (u32 i = 0; i < r->result->not_covered.size; i++) {
    str_add (out, "  not covered: ");
    show_place_and_text (r, &r->result->not_covered.data[i], out);
  }
}

static void show_warnings (const Report *r, Str *out) {
  for (u32 i = 0; i < r->result->warnings.size; i++) {
    snippet_paint (out, r->color, PAINT_WARN, "warning");
    str_add (out, ": ");
    show_place_and_text (r, &r->result->warnings.data[i], out);
  }
}

static void show_stats (const Report *r, Str *out) {
  const Stats *s = &r->result->stats;
#define STAT(field, label) str_printf (out, "  %14llu  %s\n", (unsigned long long)s->field, label);
#include "core/stats.def"
#undef STAT
  str_printf (out, "  %14llu  peak memory, bytes\n", (unsigned long long)mem_peak_bytes ());
  if (r->result->seconds > 0)
    str_printf (out, "  %14.0f  executions per second\n", (double)s->explored / r->result->seconds);
}

const char *report_check (const Report *r, u32 *next) {
  const struct {
    const char *name;
    bool is_made;
  } rows[] = {
      {"assertions", true},      {"data races", r->races}, {"invalid memory accesses", true},
      {"misuse of locks", true}, {"deadlocks", true},      {"waiting forever", r->waits}};
  while (*next < ARRAY_SIZE (rows) && !rows[*next].is_made) ++*next;
  return *next < ARRAY_SIZE (rows) ? rows[(*next)++].name : NULL;
}

/* What "no violation" stands for. */
static void show_checks (const Report *r, Str *out) {
  const char *name;
  for (u32 i = 0; (name = report_check (r, &i));)
    str_printf (out, "%s%s", i > 1 ? ", " : "  checked: ", name);
  str_add (out, "\n");
}

/* What it takes for granted, as far as that matters for this program. */
void report_show_assumptions (u32 assumed, Str *out) {
  const char *before = "  assumed: ";
  for (u32 a = 0; a < ASSUMPTION_COUNT; a++) {
    AssumptionInfo info = assumption_info ((Assumption)a);
    if (!(assumed & ASSUMPTION_BIT (a))) continue;
    str_printf (out, "%s%s", before, info.text);
    if (info.option) str_printf (out, " (%s)", info.option);
    before = ", ";
  }
  if (assumed) str_add (out, "\n");
}

static void show_assumptions_of_pass (const Report *r, Str *out) {
  if (!r->quiet && r->result->verdict == VERDICT_PASS)
    report_show_assumptions (r->result->assumed, out);
}

void report_verdict (const Report *r, Str *out) {
  for (u32 i = 0; i < r->result->findings.size; i++)
    headline (r, &r->result->findings.data[i], out);
  verdict_sentence (r, out);
  show_assumptions_of_pass (r, out);
  if (!r->quiet) show_counts (r, out);
  show_estimate (r, out);
  show_not_covered (r, out);
  if (r->stats) show_stats (r, out);
}

void report_text (const Report *r, Str *out) {
  for (u32 i = 0; i < r->result->findings.size; i++)
    show_finding (r, &r->result->findings.data[i], out);
  if (!r->quiet) show_warnings (r, out);
  verdict_sentence (r, out);
  if (!r->quiet && r->result->verdict == VERDICT_PASS) show_checks (r, out);
  show_assumptions_of_pass (r, out);
  if (!r->quiet) show_counts (r, out);
  show_estimate (r, out);
  show_not_covered (r, out);
  if (r->stats) show_stats (r, out);
}
