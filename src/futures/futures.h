/* futures.h - the engine that explores every future once: docs/FUTURES.md. */
#ifndef PORF_FUTURES_H
#define PORF_FUTURES_H

#include "explore/explore.h"

/* Explores a prepared program, or returns for what of it, or of the options, this engine is not. */
const char *futures_program (const Program *program, const ExploreOptions *options, Result *result);

#endif
