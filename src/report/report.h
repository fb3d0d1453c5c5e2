/* report.h - a Result as people and programs read it. Reads const data, prints nothing itself:
 * every format appends to a string, and the command line decides where that goes.
 *
 *   text.c       for people
 *   document.c   the whole as a tree of JSON; its executions: events.c
 *   reports.def  the formats that are derived from that tree, one row and one file each
 *   edits.c      fixes as changes of the source, and as a patch
 *   explain.c    which events of a witness matter for a finding; notes.c: what is said about each
 *   why.c        why it is possible, and what removes it
 *   steps.c      an interleaving step by step
 *   schedule.c   the steps of the machine, and when stores arrive
 *   message.c    the sentence that a finding begins with
 *   snippet.c    source lines with underlines and notes
 *   execution.c  a whole execution, thread by thread
 *   outcomes.c   tables of outcomes
 *   words.c      names of threads, values and places
 */
#ifndef PORF_REPORT_H
#define PORF_REPORT_H

#include "base/json.h"
#include "core/outcome.h"
#include "core/result.h"
#include "ir/ir.h"
#include "source/source.h"

typedef struct Report {
  const char *file; /* as the user named it */
  const Program *program;
  const Result *result;
  const Witness *last; /* the last execution if it was kept, or NULL */
  Sources *sources;
  const char *observe; /* outcomes: a comma list of what is wanted, or NULL: see below */
  const char *edits;   /* text: what to say about --edits where no order helps, or NULL */
  bool color;          /* text: with colours */
  bool full;           /* text: the whole execution of every finding */
  bool stats;          /* text: all counters */
  bool quiet;          /* text: findings and the verdict, nothing else */
  bool keep_going;     /* the search did not stop at the first violation */
  bool races;          /* data races were looked for */
  bool waits;          /* ... and threads that wait forever */
  bool weak_orders;    /* the model lets accesses with weak memory orders see old values */
  bool is_compiled;    /* the model sees instructions, not memory orders */
} Report;

/* The text is written program by program as they are checked. Everything else is derived, in the
 * end, from the documents of all programs. */
void report_text (const Report *r, Str *out);
Json *report_document (const Report *r);

typedef struct ReportFormat {
  const char *name, *ending, *help;
  void (*write) (const Json *documents, Str *out); /* an array; NULL of the text */
} ReportFormat;

const ReportFormat *report_find (const char *name); /* NULL if there is none */
const ReportFormat *report_at (u32 i);              /* NULL after the last; the text is the first */
const ReportFormat *report_for_file (const char *path); /* by its ending, or NULL */

void say_place (Str *out, const Program *p, u32 pos); /* mp.c:12 */

/* A whole execution, thread by thread. Needs no result in the report. */
void report_execution (const Report *r, const Witness *w, Str *out);
/* The same as a picture. */
void report_execution_dot (const Report *r, const Witness *w, const char *title, Str *out);

/* One line for each finding, the verdict, the counts, and what was not covered. */
void report_verdict (const Report *r, Str *out);

/* What a finding says, which thread it happens to, and where. */
void report_finding (const Report *r, const Finding *f, Str *message, Str *thread, Position *at);
/* "assertion `d == 42` can fail at mp.c:37" */
void say_finding (const Report *r, const Finding *f, Str *out);
void say_order (Str *out, Order order); /* relaxed */

/* A unified diff of the sources that makes these changes of orders. done[i] is false where the
 * source does not show how, as with `x = 1` of an atomic variable. */
void report_patch (const Report *r, const Change *changes, u32 n, bool *done, Str *out);

/* Outcomes. Columns are named as they appear, and hidden if they say nothing or are not wanted; in
 * the end those of the same name are told apart, and `observe` is taken at its word: names, parts
 * of names (`q` for q.head, `r0` for t1:r0), and the words reads, returns, globals, all. False, and
 * the word, if there is no such column. Then come outcomes_settle and one of the reports. The JSON
 * is that of one model or several. */
void outcomes_name_column (void *report, Column *c);
void outcomes_tell_apart (const Report *r, Outcomes *o);
bool outcomes_choose (const Report *r, Outcomes *o, Str *unknown);
/* Variables whose last write some model leaves open cannot be compared; whether there are any. */
bool outcomes_hide_unordered (Outcomes *o);
void report_outcomes (const Report *r, const Outcomes *o, Str *out);
void report_comparison (const Report *r, const Outcomes *o, const Result *results, u32 n, Str *out);
Json *outcomes_document (const Report *r, const Outcomes *o, const Result *results, u32 n);
bool outcome_differs (const Outcome *row, u32 nmodels);             /* some allow it, some do not */
void outcome_say (const Outcomes *o, const Outcome *row, Str *out); /* t1:r0 = 0, x = 1 */

#endif
