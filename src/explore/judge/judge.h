/* judge.h - what is said about a graph.
 *
 *   inspect.c   after each step: errors, races, misuse of locks and memory
 *   classify.c  at its end: complete, blocked, or a wait without end
 *   leaks.c     at its end: memory that nobody can free any more
 */
#ifndef PORF_EXPLORE_JUDGE_H
#define PORF_EXPLORE_JUDGE_H

#include "explore/state/explorer.h"

/* inspect.c */
void inspect_step (Explorer *x);
void inspect_graph (Explorer *x); /* without a look at the clock */
void inspect_if_stopped (Explorer *x,
                         Tid t); /* reports the error or the unsupported construct t stands at */
void inspect_accesses (Explorer *x, Ev last); /* all up to `last` */
void report (Explorer *x, FindingKind kind, const char *message, Tid t, u32 pos, Ev e, Ev other);

/* classify.c */
void finish_execution (Explorer *x);
bool waits_for_itself (const Graph *g, Ev e); /* a lock that its own thread holds */

/* leaks.c */
void find_leaks (Explorer *x);

#endif
