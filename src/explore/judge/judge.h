/* judge.h - what is said about a graph.
 *
 *   inspect.c   after each step: errors, races, misuse of locks and memory
 *   classify.c  at its end: complete, blocked, or a wait without end
 *   leaks.c     at its end: memory that no thread can free any more
 */
#ifndef PORF_EXPLORE_JUDGE_H
#define PORF_EXPLORE_JUDGE_H

#include "explore/state/explorer.h"

/* inspect.c */
void judge_inspect_step (Explorer *x);
void judge_inspect_graph (Explorer *x); /* without a look at the clock */
void judge_inspect_if_stopped (
    Explorer *x, Tid t); /* reports the error or the unsupported construct t stands at */
void judge_inspect_accesses (Explorer *x, Ev first, Ev last);
void judge_inspect_frees (Explorer *x); /* at the end, under models whose clocks do not tell */
void judge_report (Explorer *x, FindingKind kind, const char *message, Tid t, u32 pos, Ev e,
                   Ev other);

/* classify.c */
void judge_finish_execution (Explorer *x);
u32 judge_waiting_position (Explorer *x, Tid t);    /* of the loop, or of the lock */
bool judge_waits_for_itself (const Graph *g, Ev e); /* a lock that its own thread holds */

/* leaks.c */
void judge_find_leaks (Explorer *x);

#endif
