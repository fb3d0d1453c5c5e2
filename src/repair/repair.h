/* repair.h - what would remove a finding: stronger memory orders or new fences; where none would,
 * an atomic update in place of a load and a store, two lines in the other order, or an edit of the
 * text: a wait, a lock, a store, another condition.
 *
 * Nothing is proposed that was not tried: the program is changed, explored again in full under the
 * same model, and put back. So a proposal is a proof, within what the check covers.
 */
#ifndef PORF_REPAIR_H
#define PORF_REPAIR_H

#include "explore/explore.h"

/* The program once more, linked and not prepared, with another text of one of its files; NULL if
 * that cannot be compiled. `said` gets what the compiler has to say. */
typedef struct Recompiler {
  Program *(*compile) (void *arg, const char *path, const Str *text, Str *said);
  void *arg;
  IrOptions ir;
} Recompiler;

/* Fills in result->findings[0].repair, if there is a finding and `seconds` are enough. The program
 * is the one that was explored with these options; it is changed on the way and left as it was.
 * Without a recompiler its text is not edited. */
void repair_find (Program *p, const ExploreOptions *options, Result *result, double seconds,
                  const Recompiler *recompiler);

#endif
