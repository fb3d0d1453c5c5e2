/* cache.h - what porf-cc made of a file, kept for the next time.
 *
 * An entry is one file, named by a SHA-256 of everything that decides what is in it: the compiler,
 * the flags, and the program as its preprocessor sees it. So nothing in it can be out of date. An
 * entry is believed only if no one else could have written it. Entries are written under another
 * name and moved into place, so that readers see whole entries only. Whatever goes wrong with the
 * cache means that there is none.
 */
#ifndef PORF_SESSION_CACHE_H
#define PORF_SESSION_CACHE_H

#include "base/base.h"

/* The name of an entry, in a directory that only this user can change and that is made if need be;
 * NULL if there is none. The caller frees it. */
char *cache_path (const char *key, const char *suffix);

bool cache_read (const char *path, const char *key, Str *ir); /* false if there is no such entry */
void cache_write (const char *path, const char *key, const Str *ir);

/* A file with just that text; false if there is none and it cannot be written. */
bool cache_keep_text (const char *path, const Str *text);

#endif
