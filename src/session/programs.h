/* programs.h - the files of the command line, and the programs that they make up. */
#ifndef PORF_SESSION_PROGRAMS_H
#define PORF_SESSION_PROGRAMS_H

#include "session/args.h"
#include "session/load.h"
#include "session/words.h"

typedef struct File {
  char *path;
  Program *program;
  Litmus litmus; /* of a litmus test: what it asks */
  bool has_main;
  bool is_program;    /* has a main, and is to be checked */
  bool is_in_project; /* stands in a compilation database, and was not named: joined if needed */
} File;
typedef VEC (File) Files;

/* Loads all files, and those of the compilation databases among them. A file that was named and has
 * a main is a program; if none was named, all those of the databases that have one are. If there
 * is none: one message and exit 2. False if it takes until the deadline, which may be 0: none.
 * *unread: litmus tests that cannot be read, after a message. *broken: files of databases that cannot be compiled, and that may have been programs to check. */
bool files_load (const Args *a, double deadline, Files *out, Words *unread, Words *broken);
void files_free (Files *files);

bool file_defines_main (const Program *p);

/* Adds to a program the other named files, and what it needs of the databases, and the library. */
void file_link (File *program, const Files *files, Str *name);

#endif
