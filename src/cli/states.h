/* states.h - --all-states DIR: every complete execution as a picture of its own. */
#ifndef PORF_STATES_H
#define PORF_STATES_H

#include "explore/explore.h"
#include "report/report.h"

typedef struct States States;

States *states_new (const char *directory); /* makes it if there is none */
/* The last execution of the report; `row` is its outcome. When numbers start over, what was written
 * till then is void. */
void states_add (States *s, const Report *r, const Model *m, u64 number, u32 row);
/* Writes the index, whose columns have names by now, and removes files that are void. */
void states_close (States *s, const Outcomes *o);

#endif
