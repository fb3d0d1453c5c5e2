/* cache.h - what porf-cc made of a file, kept until one of the files it was made from changes.
 *
 * An entry is one file, named by a hash of everything but file contents that decides the result
 * (compiler, flags, path, directory). It lists every file that clang read, with size, time and a
 * hash of the content: an entry is valid if all of them are unchanged, for which comparing size and
 * time is mostly enough. Entries are written under another name and moved into place, so that
 * readers see whole entries only. Whatever goes wrong with the cache means that there is none.
 */
#ifndef PORF_CLI_CACHE_H
#define PORF_CLI_CACHE_H

#include "base/base.h"

char *cache_entry_path (u64 key);                      /* NULL if there is no cache */
bool cache_read (const char *entry, Str *ir);          /* false if there is no valid entry */
void cache_write (const char *entry, const char *deps, /* a make rule, as clang -MD writes it */
                  const Str *ir);

/* Those that a file at that path needs. */
bool cache_make_directories (char *path);

#endif
