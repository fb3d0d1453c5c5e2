#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/plain.h"

static PlainKind kind_of (const ReportFormat *format) {
  return format->write ? PLAIN_DATA : PLAIN_TEXT;
}

/* A link could be part of an untrusted checkout and lead anywhere. /dev/stdout is one. */
static int open_unlinked (const char *path) {
  int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  bool is_device = !strncmp (path, "/dev/", 5) || !strncmp (path, "/proc/", 6);
  int fd = open (path, flags | (is_device ? 0 : O_NOFOLLOW), 0666);
  if (fd < 0 && errno == ELOOP) die_input ("cannot write `%s`: it is a link", path);
  return fd;
}

FILE *open_file (const char *path) {
  int fd = open_unlinked (path);
  FILE *f = fd < 0 ? NULL : fdopen (fd, "w");
  if (!f) die_input ("cannot write `%s`: %s", path, strerror (errno));
  return f;
}

FILE *open_output (const char *path, const ReportFormat *format) {
  int fd = open_unlinked (path);
  FILE *f = fd < 0 ? NULL : plain_stream (fd, kind_of (format));
  if (!f) die_input ("cannot write `%s`: %s", path, strerror (errno));
  return f;
}

void close_output (FILE *f, const char *path) {
  bool failed = ferror (f) || fflush (f);
  if (f != stdout) failed = fclose (f) || failed;
  if (failed)
    die_input ("cannot write `%s`: %s", path ? path : "standard output", strerror (errno));
}

bool wants_color (const Args *a) {
  if (a->color != WHEN_AUTO) return a->color == WHEN_ALWAYS;
  const char *off = getenv ("NO_COLOR");
  return !(off && *off) && !a->output && isatty (STDOUT_FILENO);
}

static void write_as (const ReportFormat *format, const Json *documents, FILE *f) {
  Str text = {0};
  format->write (documents, &text);
  if (text.length) fwrite (text.text, 1, text.length, f);
  str_free (&text);
}

/* Standard output is a stream of text for people, until then. */
static void print_as (const ReportFormat *format, const Json *documents) {
  fflush (stdout);
  FILE *f = plain_stream (STDOUT_FILENO, kind_of (format));
  if (!f) die_input ("cannot write standard output: %s", strerror (errno));
  write_as (format, documents, f);
  close_output (f, NULL);
}

static void save_as (const ReportFormat *format, const Json *documents, const char *path) {
  FILE *f = open_output (path, format);
  write_as (format, documents, f);
  close_output (f, path);
}

typedef void Saver (const ReportFormat *format, const Json *documents, const char *path);

/* All files that are wanted besides the report. */
static void for_each_save (const Args *a, const Json *documents, Saver *save) {
  if (a->patch && a->command != COMMAND_optimize) save (report_find ("patch"), documents, a->patch);
  for (u32 i = 0; i < a->saves.size; i++)
    save (a->saves.data[i].format, documents, a->saves.data[i].path);
}

static void try_one (const ReportFormat *format, const Json *documents, const char *path) {
  if (!format->write)
    die_input ("the text goes to standard output, or to a file with `-o %s`", path);
  (void)documents;
  close_output (open_output (path, format), path);
}

void try_to_save (const Args *a) { for_each_save (a, NULL, try_one); }

void save_reports (const Args *a, const Json *documents, FILE *out) {
  if (a->format->write && out == stdout)
    print_as (a->format, documents);
  else if (a->format->write)
    write_as (a->format, documents, out);
  for_each_save (a, documents, save_as);
}

void refuse_other_formats (const Args *a) {
  if (a->format != report_at (0) && a->format != report_find ("json"))
    die_input ("this command supports the formats text and json, not %s", a->format->name);
  if (a->saves.size) die_input ("option `--save` is for `porf check` and `porf test`");
}
