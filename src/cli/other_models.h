/* other_models.h - whether other models allow the violation that was found under one. */
#ifndef PORF_ELSEWHERE_H
#define PORF_ELSEWHERE_H

#include "cli/check.h"

/* Fills in result->findings[0].elsewhere with the answers that can be had in so many seconds. */
void try_other_models (Check *c, Result *result, double seconds);

#endif
