/* all_sc.c - programs whose accesses are volatile, or plain and free of races, under a model that
 * lets such executions be nothing but interleavings (Model.volatile_is_sc).
 *
 * There every graph that is worth following is an interleaving, and stays one by a maximal step if
 * the default source is what an interleaving of the graph ends with: docs/ALGORITHM.md §9e. That a
 * program is of this kind is assumed until an event shows that it is not; then the search starts
 * over without.
 */
#include "checks/check.h"
#include "explore/order/order.h"

static bool is_between (u8 order) { return order != ORD_NA && order != ORD_SC; }

static bool is_weak (const Program *p, const Insn *i) {
  return i->op != OP_FENCE && (is_between (i->order) || is_between (i->order2)) &&
         position_is_own (p, i->pos);
}

static bool is_sc (const Program *p, const Insn *i) {
  (void)p;
  return i->order == ORD_SC;
}

bool volatile_is_possible (const Explorer *x) {
  return x->model->volatile_is_sc && !x->known.has_weak && x->options->reductions &&
         program_has_insn (x->program, is_sc) && !program_has_insn (x->program, is_weak);
}

static void leave_volatile (Explorer *x) { learn (x, has_weak, 0); }

/* Every thread is created by main, which has no access as long as others run: what a thread begins
 * with would be before it, but is not pushed. */
static bool is_alone (const Graph *g) {
  u32 created = 0, joined = 0;
  for (u32 i = 0; i < g->threads[0].events.size; i++) {
    const Event *x = graph_event (g, g->threads[0].events.data[i]);
    created += x->kind == KIND_CREATE;
    joined += x->kind == KIND_JOIN;
  }
  return created == joined;
}

static bool fits (Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  if (event->kind == KIND_CREATE) return event->tid == 0;
  if (event->kind != KIND_READ && event->kind != KIND_WRITE) return true;
  if (event->tid == 0 && !is_alone (x->g)) return false;
  if (event->order != ORD_NA && event->order != ORD_SC) return false;
  return !x->locations.data[event->loc].has_na || check_race (x->g, e) == EV_NONE;
}

void volatile_check (Explorer *x, const Frame *f) {
  bool ok = fits (x, f->e) && (f->kind != FRAME_REVISIT || f->r == EV_NONE || fits (x, f->r));
  if (ok && event_is_exclusive (x->g, f->e)) ok = fits (x, graph_po_previous (x->g, f->e));
  if (!ok) leave_volatile (x);
}

bool volatile_is_allowed (Explorer *x, bool with_finals) {
  assert (x->reduce.only_volatile && (!with_finals || x->g->has_finals));
  if (model_is_interleaving (x->g, with_finals)) {
    x->g->doubt = EV_NONE;
    return true;
  }
  if (model_has_no_interleaving (x->g, with_finals) || !order_allows_pushes (x, NULL, with_finals))
    return false;
  if (!with_finals) leave_volatile (x); /* it is one, but the attempt did not find it */
  return true;
}

bool volatile_was_last_in_run (Explorer *x, u32 loc, Ev w, const Clock *part) {
  assert (x->reduce.only_volatile);
  Ev last;
  if (model_runs (x->g, part, loc, &last)) return last == w;
  leave_volatile (x);
  return false;
}
