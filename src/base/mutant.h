/* mutant.h - leaving something out on purpose, to see whether a test notices: scripts/test-mutants.
 * Only in programs that are built for it; elsewhere nothing is ever left out. PORF_DROP names it:
 * axiom/MODEL/NUMBER (models/axioms/axioms.c), or search/MODEL/0 (explore/order/consistent.c, by_push.c, models/files/file.c).
 * PORF_DROPPED is a file that is made when something was left out, so that the script can tell a
 * mutant that no test notices from one that is in none of its programs. */
#ifndef PORF_MUTANT_H
#define PORF_MUTANT_H

#include <stdlib.h>

#include "base/base.h"

static inline bool mutant_drops (const char *what, const char *model, u32 number) {
#ifdef PORF_MUTANTS
  static bool was_dropped;
  char name[128];
  const char *drop = getenv ("PORF_DROP"), *dropped = getenv ("PORF_DROPPED");
  snprintf (name, sizeof name, "%s/%s/%u", what, model, number);
  if (!drop || strcmp (drop, name)) return false;
  FILE *f = was_dropped || !dropped ? NULL : fopen (dropped, "w");
  if (f) fclose (f);
  return was_dropped = true;
#else
  (void)what, (void)model, (void)number;
  return false;
#endif
}

#endif
