/* reports.c - the table of formats. */
#include "report/report_int.h"

static const ReportFormat formats[] = {
    {"text", "txt", "for people (the default)", NULL},
#define REPORT(name, ending, help) {#name, ending, help, report_write_##name},
#include "report/reports.def"
#undef REPORT
};

const ReportFormat *report_at (u32 i) { return i < ARRAY_SIZE (formats) ? &formats[i] : NULL; }

const ReportFormat *report_find (const char *name) {
  for (u32 i = 0; i < ARRAY_SIZE (formats); i++)
    if (!strcmp (formats[i].name, name)) return &formats[i];
  return NULL;
}

const ReportFormat *report_for_file (const char *path) {
  const char *dot = strrchr (path, '.');
  for (u32 i = 0; dot && i < ARRAY_SIZE (formats); i++)
    if (!strcmp (formats[i].ending, dot + 1)) return &formats[i];
  return NULL;
}
