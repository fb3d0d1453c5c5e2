/* suggest.c - did you mean …? */
#include "session/args.h"

const char *option_suggest (const char *word, const char *(*name_at) (u32 i)) {
  const char *best = NULL;
  u32 limit = ((u32)strlen (word) + 4) / 4;
  for (u32 i = 0; name_at (i); i++) {
    u32 d = str_distance (word, name_at (i));
    if (d > limit || (d == limit && best)) continue;
    if (d >= strlen (word)) continue; /* nothing of the word is left */
    best = name_at (i);
    limit = d;
  }
  return best;
}
