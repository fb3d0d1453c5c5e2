/* search.h - the search: explore.c is the algorithm, schedule.c says which event comes next, and the
 * others are the kinds of its frames.
 *
 *   read.c, write.c, revisit.c  sources, places in mo, backward revisits
 *   nondet.c, misc.c            nondeterministic values; fences, threads, frees
 *   freeze.c, meet.c            waiting for good; events that are there already
 *   frames.c                    taking back a choice, whatever its kind
 *   life.c                      an explorer from its making to its end
 */
#ifndef PORF_EXPLORE_SEARCH_H
#define PORF_EXPLORE_SEARCH_H

#include "explore/order/order.h"

/* explore.c */
Step next_choice (Explorer *x, Frame *f);
void search (Explorer *x);

/* schedule.c */
bool schedule (Explorer *x); /* pushes the frame of the next event; false if no thread can move */

/* frames.c */
Frame *push_start (Explorer *x); /* the empty graph */
void undo_choice (Explorer *x, Frame *f);
void close_frame (Explorer *x, Frame *f);
void unwind (Explorer *x);

/* life.c */
void init_explorer (Explorer *x, const Program *program, const ExploreOptions *options,
                    const Hooks *hooks);
void free_explorer (Explorer *x); /* all but the result */
void get_ready (Explorer *x);     /* for a search */
void forget_search (Explorer *x); /* but for what was learned; the VM has to be restarted with it */
void add_vm_stats (Stats *s, const Vm *vm);

/* The kinds of frames. start_ adds the event of thread t's effect and pushes its
 * frame; next_ puts the frame's next choice into force; undo_ takes the present one back. */
u32 oldest_place (const Explorer *x, Ev e);
Ev add_read (Explorer *x, Tid t);
Ev add_write (Explorer *x, Tid t); /* what t is about to do; it has no place in mo yet */
Ev add_write_half (Graph *g, Ev r, u64 written);
void set_order (Graph *g, Ev e, Order order);
void start_read (Explorer *x, Tid t);
Step next_source (Explorer *x, Frame *f);
void undo_source (Explorer *x, Frame *f);
bool set_source (Explorer *x, Ev r, Ev w,
                 u64 *written); /* r reads w; whether it is an RMW that writes *written */
void clear_source (Explorer *x, Ev r);
bool is_left_out (Explorer *x, Ev r, u64 value);
bool only_waits_unshown (Explorer *x, Snapshot *s, u32 loc, u64 value);
Step go_on (Explorer *x, Ev r, bool writes, u64 written,
            Ev clash); /* the thread of r, which has a source, moves */

void start_write (Explorer *x, Tid t);
void push_rmw_write (Explorer *x, Ev r, u64 written, Ev clash);
Step next_place (Explorer *x, Frame *f);
Step next_place_in_mo (Explorer *x, Frame *f); /* the same without revisits */
void undo_place (Explorer *x, Frame *f);
bool splits_rmw (const Graph *g, Ev w, u32 place);
void check_writes_are_ordered (Explorer *x, Ev w);

void find_revisits (Explorer *x, Frame *f);
void push_revisit (Explorer *x, Ev r, Ev a);
bool has_lost_to_others (Explorer *x, Ev r, Ev w);
static inline bool has_lost (Explorer *x, Ev r, Ev w) {
  return x->g->lost.size && has_lost_to_others (x, r, w);
}
Step next_revisit_place (Explorer *x, Frame *f);
void undo_revisit_place (Explorer *x, Frame *f);

void start_value (Explorer *x, Tid t);
Step next_value (Explorer *x, Frame *f);

void start_other (Explorer *x, Tid t);
Step next_other (Explorer *x, Frame *f);
void undo_other (Explorer *x, Frame *f);

void start_freeze (Explorer *x, Tid t);
Step next_freeze (Explorer *x, Frame *f);
void undo_freeze (Explorer *x, Frame *f);

bool must_meet (const Graph *g, Tid t);
void start_meeting (Explorer *x, Tid t);
Step next_meeting (Explorer *x, Frame *f);
void undo_meeting (Explorer *x, Frame *f);

#endif
