/* suggest.c - did you mean …? */
#include "cli/args.h"

enum { LONGEST = 32 };

static u32 least (u32 a, u32 b) { return a < b ? a : b; }

/* Edits that turn a into b: insert, delete, change, swap neighbours. */
static u32 distance (const char *a, const char *b) {
  u32 n = (u32)strlen (a), m = (u32)strlen (b);
  u32 d[LONGEST + 1][LONGEST + 1];
  if (n > LONGEST || m > LONGEST) return LONGEST;
  for (u32 i = 0; i <= n; i++) {
    for (u32 k = 0; k <= m; k++) {
      if (!i || !k) {
        d[i][k] = i + k;
        continue;
      }
      u32 best = least (d[i - 1][k], d[i][k - 1]) + 1;
      best = least (best, d[i - 1][k - 1] + (a[i - 1] != b[k - 1]));
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        best = least (best, d[i - 2][k - 2] + 1);
      d[i][k] = best;
    }
  }
  return d[n][m];
}

const char *suggest (const char *word, const char *(*name_at) (u32 i)) {
  const char *best = NULL;
  u32 limit = ((u32)strlen (word) + 4) / 4;
  for (u32 i = 0; name_at (i); i++) {
    u32 d = distance (word, name_at (i));
    if (d > limit || (d == limit && best)) continue;
    if (d >= strlen (word)) continue; /* nothing of the word is left */
    best = name_at (i);
    limit = d;
  }
  return best;
}
