/* mutant.h - leaving something out on purpose, to see whether a test notices: scripts/test-mutants.
 * Only in programs that are built for it; elsewhere nothing is ever left out. PORF_DROP names it:
 * axiom/MODEL/NUMBER (axioms.c), or search/MODEL (explore/read.c, models/file.c). */
#ifndef PORF_MUTANT_H
#define PORF_MUTANT_H

#include "base/base.h"

static inline bool mutant_drops (const char *what, const char *model, u32 number) {
#ifdef PORF_MUTANTS
  char name[128];
  const char *drop = getenv ("PORF_DROP");
  snprintf (name, sizeof name, "%s/%s/%u", what, model, number);
  return drop && !strcmp (drop, name);
#else
  (void)what, (void)model, (void)number;
  return false;
#endif
}

#endif
