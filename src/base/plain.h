/* plain.h - text for terminals and logs. What is printed may come from programs, reports and names
 * of files: it must not move the cursor, erase lines or turn the order of letters around. */
#ifndef PORF_PLAIN_H
#define PORF_PLAIN_H

#include <stdio.h>

#include "base/base.h"

typedef enum PlainKind {
  PLAIN_TEXT, /* for people: porf's own colours pass, and no line is a command for a CI service */
  PLAIN_DATA, /* for programs: no colours */
} PlainKind;

/* A stream that writes to the file descriptor, with control characters made visible: only ends of
 * lines, tabs and what the kind lets through pass. Whoever has something else to say uses the
 * descriptor. */
FILE *plain_stream (int fd, PlainKind kind);
void plain_output (void); /* from now on, standard output and error are such streams of text */

/* Names and texts of others, before they become part of what porf says: one line without control
 * characters, in which colours are none of porf's. */
void plain_line (char **text); /* an allocated text; NULL stays NULL */
char *plain_copy (const char *text);
void plain_lines (char **text); /* the same, but ends of lines and tabs stay */

/* Whether a `[` there would open a command for a CI service, `##[` or `##vso[`, which is one
 * wherever it stands: formats that can write it otherwise do so. */
bool plain_opens_command (const Str *before);

#endif
