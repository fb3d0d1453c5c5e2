/* other_models.h - whether other models allow the violation that was found under one. */
#ifndef PORF_SESSION_OTHER_MODELS_H
#define PORF_SESSION_OTHER_MODELS_H

#include "session/check.h"

/* Fills in result->findings[0].elsewhere with the answers that can be had in so many seconds. */
void models_try_others (Check *c, Result *result, double seconds);

#endif
