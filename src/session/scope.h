/* scope.h - options that would do nothing where they are given: scope.def. */
#ifndef PORF_SESSION_SCOPE_H
#define PORF_SESSION_SCOPE_H

#include "session/args.h"

/* Whether an option has an effect on a command: what its help lists. */
bool option_is_for (OptionId option, CommandId command);
bool args_wants_futures (const Args *a);
bool args_wants_machine (const Args *a);
void args_refuse_without_effect (const Args *a); /* ends porf */

#endif
