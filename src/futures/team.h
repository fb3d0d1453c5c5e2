/* team.h - several workers on one table. */
#ifndef PORF_FUTURES_TEAM_H
#define PORF_FUTURES_TEAM_H

#include "futures/futures_int.h"

bool futures_team_is_to_begin (const Futures *f);
void futures_team_begin (Futures *f);
/* The first worker waits for the others, takes over what they know, and is alone. */
void futures_team_end (Futures *f);
bool futures_team_goes_on (Futures *f); /* false: another worker has ended the search */
void futures_team_see_cycle (Futures *f);
void futures_team_pause (Futures *f,
                         bool is_paused); /* the first worker may have to wait for its turn */

#endif
