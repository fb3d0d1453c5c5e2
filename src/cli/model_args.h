/* model_args.h - the models that `-m` names. */
#ifndef PORF_CLI_WANTED_H
#define PORF_CLI_WANTED_H

#include "cli/check.h"

/* Whatever is wrong with them: one message and exit 2. */
void wanted_models (const Args *a, Models *out);

#endif
