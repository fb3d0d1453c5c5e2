/* database.h - compile_commands.json: which files a project has, and how each is compiled. */
#ifndef PORF_SESSION_DATABASE_H
#define PORF_SESSION_DATABASE_H

#include "session/words.h"

typedef struct DatabaseEntry {
  char *path; /* absolute */
  Words flags;
} DatabaseEntry;

typedef struct Database {
  VEC (DatabaseEntry) entries;
} Database;

bool database_is (const char *path); /* by its name */
/* Keeps of the flags what decides the meaning of the source; relative directories become absolute.
 * If the file is no such database: one message and exit 2. */
void database_read (Database *d, const char *path);
void database_free (Database *d);
/* NULL if the file is not in it. */
const DatabaseEntry *database_find (const Database *d, const char *path);

#endif
