/* scope.h - options that would do nothing where they are given: scope.def. */
#ifndef PORF_SCOPE_H
#define PORF_SCOPE_H

#include "cli/args.h"

/* Whether an option has an effect on a command: what its help lists. */
bool option_is_for (OptionId option, CommandId command);
bool wants_futures (const Args *a);
bool wants_machine (const Args *a);
void refuse_without_effect (const Args *a); /* ends porf */

#endif
