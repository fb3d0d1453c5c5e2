#include "checks/check.h"

/* A write that takes a lock; one that is neither that nor an unlock. */
static bool takes (const Event *w) {
  return (w->flags & EVENT_LOCK) && (w->flags & EVENT_EXCLUSIVE);
}
static bool is_foreign (const Event *w) {
  return w->kind == KIND_WRITE && !(w->flags & EVENT_LOCK);
}

/* The write of e's thread to e's location that comes directly before (-1) or after (1) e there. */
static Ev next_own_write (const Graph *g, Ev e, i32 step) {
  const Event *own = graph_event (g, e);
  u32 n = graph_thread_size (g, own->tid);
  for (u32 i = graph_position (g, e) + (u32)step; i < n; i += (u32)step) {
    Ev other = graph_thread_event (g, own->tid, i);
    const Event *x = graph_event (g, other);
    if (x->kind == KIND_WRITE && x->loc == own->loc) return other;
  }
  return EV_NONE;
}

bool check_unlock (const Graph *g, Ev e) {
  const Event *own = graph_event (g, e);
  Ev before = graph_location (g, own->loc)->mo.data[own->mopos - 1]; /* as a rule, its own */
  if (before == EV_INIT || graph_event (g, before)->tid != own->tid)
    before = next_own_write (g, e, -1);
  return before != EV_NONE && takes (graph_event (g, before));
}

/* Without mo: nothing says that w comes before the lock is taken, or after it is given back. */
static bool may_come_between (const Graph *g, Ev taken, Ev w) {
  if (graph_is_porf (g, w, taken)) return false;
  Ev next = next_own_write (g, taken, 1);
  return next == EV_NONE || next == w || !graph_is_porf (g, next, w);
}

static Overwrite check_list (const Graph *g, const Location *l, Ev e) {
  bool is_lock = takes (graph_event (g, e));
  for (u32 i = 1; i < l->mo.size; i++) {
    Ev other = l->mo.data[i];
    const Event *x = graph_event (g, other);
    if (is_lock && is_foreign (x) && may_come_between (g, e, other)) return (Overwrite){other, e};
    if (!is_lock && takes (x) && may_come_between (g, other, e)) return (Overwrite){e, other};
  }
  return (Overwrite){EV_NONE, EV_NONE};
}

Overwrite check_overwritten_lock (const Graph *g, Ev e) {
  const Event *event = graph_event (g, e);
  const Location *l = graph_location (g, event->loc);
  Overwrite none = {EV_NONE, EV_NONE};
  if (event->kind != KIND_WRITE || (!takes (event) && !is_foreign (event))) return none;
  if (g->mo_is_list) return check_list (g, l, e);
  Ev before = l->mo.data[event->mopos - 1];
  if (is_foreign (event))
    return before != EV_INIT && takes (graph_event (g, before)) ? (Overwrite){e, before} : none;
  if (event->mopos + 1 == l->mo.size) return none;
  Ev after = l->mo.data[event->mopos + 1];
  return is_foreign (graph_event (g, after)) ? (Overwrite){after, e} : none;
}
