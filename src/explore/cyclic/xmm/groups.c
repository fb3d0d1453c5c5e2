/* groups.c - threads that never access the same location, directly or over others: docs/XMM.md §3.
 *
 * Cycles of po and rf stay within a group, and what is needed for them, too. Groups only grow as
 * more is seen of the program; when they do, the search begins anew.
 */
#include "explore/cyclic/xmm/xmm.h"

static Tid group_of (const Explorer *x, Tid t) {
  assert (t < THREADS_MAX && x->cyclic.groups[t] <= t); /* groups lead to lesser threads */
  while (x->cyclic.groups[t]) t = x->cyclic.groups[t] - 1u;
  return t;
}

static void unite (Explorer *x, Tid a, Tid b) {
  a = group_of (x, a);
  b = group_of (x, b);
  if (a == b) return;
  x->cyclic.groups[a > b ? a : b] = (u8)((a > b ? b : a) + 1);
  if (x->known.load_buffering == LB_CYCLES) x->must_restart = true;
}

static void note_thread (Explorer *x, Tid t) {
  if (x->cyclic.has_group >> t & 1) return;
  x->cyclic.has_group |= 1ull << t;
  if (x->known.load_buffering == LB_CYCLES) x->must_restart = true;
}

/* A thread that is only there for the others. Main may also write before it creates them, and read
 * when it has joined some. */
static bool is_quiet (const Graph *g, Tid t) {
  const ThreadLine *line = &g->threads[t];
  bool has_created = false, has_joined = false;
  for (u32 i = 0; i < line->events.size; i++) {
    const Event *e = graph_event (g, line->events.data[i]);
    has_joined |= e->kind == KIND_JOIN;
    has_created |= e->kind == KIND_CREATE;
    if (e->kind == KIND_CHOICE || (e->kind == KIND_CREATE && has_joined)) return false;
    if (e->kind == KIND_READ && (t || (has_created && !has_joined))) return false;
    if (e->kind == KIND_WRITE && (t || has_created)) return false;
  }
  return has_created;
}

void groups_note_touch (Explorer *x, const Event *e) {
  if (!(x->cyclic.has_group >> e->tid & 1)) return;
  u64 address = x->addresses.data[e->loc], other;
  if (map_get (&x->cyclic.touched, address, &other))
    unite (x, e->tid, (Tid)other);
  else
    map_put (&x->cyclic.touched, address, e->tid);
}

void groups_note (Explorer *x) {
  const Graph *g = x->g;
  for (Tid t = 0; t < g->nthreads; t++) {
    const ThreadLine *line = &g->threads[t];
    if (line->created_by == EV_NONE || is_quiet (g, t)) continue;
    note_thread (x, t);
    for (u32 i = 0; i < line->events.size; i++) {
      const Event *e = graph_event (g, line->events.data[i]);
      if (e->kind == KIND_CREATE) unite (x, t, (Tid)e->value);
      if (e->kind == KIND_READ || e->kind == KIND_WRITE) groups_note_touch (x, e);
    }
  }
}

void groups_join (Explorer *x, const Explorer *w) {
  for (Tid t = 0; t < THREADS_MAX; t++) {
    if (w->cyclic.has_group >> t & 1) note_thread (x, t);
    if (w->cyclic.groups[t]) unite (x, t, w->cyclic.groups[t] - 1u);
  }
  for (u32 i = 0; i < w->cyclic.touched.capacity; i++) {
    u64 other;
    if (!w->cyclic.touched.used[i]) continue;
    if (map_get (&x->cyclic.touched, w->cyclic.touched.keys[i], &other))
      unite (x, (Tid)w->cyclic.touched.values[i], (Tid)other);
    else
      map_put (&x->cyclic.touched, w->cyclic.touched.keys[i], w->cyclic.touched.values[i]);
  }
}

u64 groups_members (const Explorer *x, Tid group) {
  u64 members = 0;
  if (!(x->cyclic.has_group >> group & 1) || group_of (x, group) != group) return 0;
  for (Tid t = 0; t < THREADS_MAX; t++)
    if ((x->cyclic.has_group >> t & 1) && group_of (x, t) == group) members |= 1ull << t;
  return members;
}
