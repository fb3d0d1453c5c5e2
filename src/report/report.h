/* report.h - a Result as people and programs read it. Reads const data, prints nothing itself:
 * every format appends to a string, and the command line decides where that goes.
 *
 *   reports.def  the formats, one row and one file each: text.c, json.c, dot.c
 *   explain.c    which events of a witness matter for a finding, and what is to be said about each
 *   why.c        why it is possible, and what removes it
 *   steps.c      an interleaving step by step
 *   message.c    the sentence that a finding begins with
 *   snippet.c    source lines with underlines and notes
 *   execution.c  a whole execution, thread by thread
 *   source.c     lines of source files, read when first needed
 *   words.c      names of threads, values and places
 */
#ifndef PORF_REPORT_H
#define PORF_REPORT_H

#include "core/result.h"
#include "ir/ir.h"

typedef struct Sources Sources;
Sources *sources_new (void);
void sources_free (Sources *s);

typedef struct Report {
  const char *file; /* as the user named it */
  const Program *program;
  const Result *result;
  const Witness *last; /* the last execution if somebody kept it, or NULL */
  Sources *sources;
  bool color;       /* text: with colours */
  bool full;        /* text: the whole execution behind every finding */
  bool stats;       /* text: all counters */
  bool quiet;       /* text: findings and the verdict, nothing else */
  bool keep_going;  /* the search did not stop at the first violation */
  bool races;       /* data races were looked for */
  bool weak_orders; /* the model lets accesses with weak memory orders see old values */
} Report;

typedef struct ReportFormat {
  const char *name, *help;
  void (*write) (const Report *r, Str *out);
  /* Around and between the reports of several programs. */
  const char *open, *between, *close;
} ReportFormat;

const ReportFormat *report_find (const char *name); /* NULL if there is none */
const ReportFormat *report_at (u32 i);              /* NULL behind the last */

#define REPORT(name, help, open, between, close) void report_##name (const Report *r, Str *out);
#include "report/reports.def"
#undef REPORT

void say_place (Str *out, const Program *p, u32 pos); /* mp.c:12 */

/* A whole execution, thread by thread. Needs no result in the report. */
void report_execution (const Report *r, const Witness *w, Str *out);

#endif
