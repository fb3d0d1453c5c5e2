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
Step search_next_choice (Explorer *x, Frame *f);
void search_run (Explorer *x);

/* schedule.c */
bool search_schedule (
    Explorer *x); /* pushes the frame of the next event; false if no thread can move */

/* frames.c */
Frame *search_push_start (Explorer *x); /* the empty graph */
void search_undo_choice (Explorer *x, Frame *f);
void search_close_frame (Explorer *x, Frame *f);
void search_unwind (Explorer *x);

/* life.c */
void explorer_init (Explorer *x, const Program *program, const ExploreOptions *options,
                    const Hooks *hooks);
void explorer_free (Explorer *x);    /* all but the result */
void search_get_ready (Explorer *x); /* for a search */
void search_forget (Explorer *x); /* but for what was learned; the VM has to be restarted with it */
void search_add_vm_stats (Stats *s, const Vm *vm);

/* The kinds of frames. start_ adds the event of thread t's effect and pushes its
 * frame; next_ puts the frame's next choice into force; undo_ takes the present one back. */
Ev search_add_read (Explorer *x, Tid t);
Ev search_add_write (Explorer *x, Tid t); /* what t is about to do; it has no place in mo yet */
Ev search_add_write_half (Graph *g, Ev r, u64 written);
void search_set_order (Graph *g, Ev e, Order order);
void search_start_read (Explorer *x, Tid t);
Step search_next_source (Explorer *x, Frame *f);
void search_undo_source (Explorer *x, Frame *f);
bool search_set_source (Explorer *x, Ev r, Ev w,
                        u64 *written); /* r reads w; whether it is an RMW that writes *written */
void search_clear_source (Explorer *x, Ev r);
bool search_is_left_out (Explorer *x, Ev r, u64 value);
bool search_only_waits_unshown (Explorer *x, Snapshot *s, u32 loc, u64 value);
Step search_go_on (Explorer *x, Ev r, bool writes, u64 written,
                   Ev clash); /* the thread of r, which has a source, moves */

void search_start_write (Explorer *x, Tid t);
void search_push_rmw_write (Explorer *x, Ev r, u64 written, Ev clash);
Step search_next_place (Explorer *x, Frame *f);
Step search_next_place_in_mo (Explorer *x, Frame *f); /* the same without revisits */
void search_undo_place (Explorer *x, Frame *f);
void search_check_writes_are_ordered (Explorer *x, Ev w);

void search_find_revisits (Explorer *x, Frame *f);
void search_push_revisit (Explorer *x, Ev r, Ev a);
bool search_has_lost_to_others (Explorer *x, Ev r, Ev w);
static inline bool has_lost (Explorer *x, Ev r, Ev w) {
  return x->g->lost.size && search_has_lost_to_others (x, r, w);
}
Step search_next_revisit_place (Explorer *x, Frame *f);
void search_undo_revisit_place (Explorer *x, Frame *f);

void search_start_value (Explorer *x, Tid t);
Step search_next_value (Explorer *x, Frame *f);

void search_start_other (Explorer *x, Tid t);
Step search_next_other (Explorer *x, Frame *f);
void search_undo_other (Explorer *x, Frame *f);

void search_start_freeze (Explorer *x, Tid t);
Step search_next_freeze (Explorer *x, Frame *f);
void search_undo_freeze (Explorer *x, Frame *f);

bool search_must_meet (const Graph *g, Tid t); /* one that has events ahead */
void search_start_meeting (Explorer *x, Tid t);
Step search_next_meeting (Explorer *x, Frame *f);
void search_undo_meeting (Explorer *x, Frame *f);

#endif
