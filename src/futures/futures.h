/* futures.h - the engine that explores every future once: docs/FUTURES.md. */
#ifndef PORF_FUTURES_H
#define PORF_FUTURES_H

#include "explore/explore.h"

/* What of the options this engine is not for, or NULL. */
const char *futures_refuse (const ExploreOptions *o);

/* Explores a prepared program, or returns for what of it, or of the options, this engine is not. */
const char *futures_program (const Program *program, const ExploreOptions *options, Result *result);

/* By the engine that ends sooner, explore or futures, as far as one can tell. */
Result futures_search_program (const Program *program, const ExploreOptions *options);

#endif
