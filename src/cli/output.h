/* output.h - where reports go: standard output, and files by their endings. */
#ifndef PORF_CLI_OUTPUT_H
#define PORF_CLI_OUTPUT_H

#include <stdio.h>

#include "session/args.h"

FILE *open_output (const char *path, const ReportFormat *format);
FILE *open_file (const char *path);            /* the same, for bytes as they are */
void close_output (FILE *f, const char *path); /* what could not be written is an error */
bool wants_color (const Args *a);
void refuse_other_formats (const Args *a); /* than text and json */
void try_to_save (const Args *a);          /* better refused now than after an hour */
/* Writes what was asked for besides the text. */
void save_reports (const Args *a, const Json *documents, FILE *out);

#endif
