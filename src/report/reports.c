/* reports.c - the table of formats. */
#include "report/report.h"

static const ReportFormat formats[] = {
#define REPORT(name, help, open, between, close) {#name, help, report_##name, open, between, close},
#include "report/reports.def"
#undef REPORT
};

const ReportFormat *report_at (u32 i) { return i < ARRAY_SIZE (formats) ? &formats[i] : NULL; }

const ReportFormat *report_find (const char *name) {
  for (u32 i = 0; i < ARRAY_SIZE (formats); i++)
    if (!strcmp (formats[i].name, name)) return &formats[i];
  return NULL;
}
