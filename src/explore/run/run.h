/* run.h - an exploration from its beginning to its end.
 *
 *   run.c       beginning, beginning again, later passes, the result
 *   clock.c     what is done every so often
 *   deepen.c    loops without end
 *   estimate.c  how large is the search?
 */
#ifndef PORF_EXPLORE_RUN_H
#define PORF_EXPLORE_RUN_H

#include "explore/state/explorer.h"

/* run.c */
extern const Hooks run_hooks;
bool run_may_follow_iterations (Explorer *x); /* else says that it is not covered */
void run_note_all_explored (Explorer *x);     /* what can be said once every execution was seen */
void run_finish_result (Explorer *x);         /* verdict and statistics */
void run_search_until_settled (Explorer *x);
void run_look (Explorer *x); /* the whole search, with its later passes */

/* clock.c */
void run_poll_clock (Explorer *x);

/* deepen.c */
void run_look_alone (Explorer *x); /* once the search has grown too large */

/* estimate.c */
enum { ESTIMATE_SEARCHES = 20 }; /* percent of its time, to see how fast it is */
void estimate_instead (Explorer *x);
void estimate_sample_instead (Explorer *x);
void estimate_now_and_then (Explorer *x);
void estimate_covered (Explorer *x);
Estimate estimate_current (const Explorer *x);

#endif
