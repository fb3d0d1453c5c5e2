/* jam_source.c - which writes a read may see under models with pushes but without mo: what the
 * clocks show, and, where they show nothing, visibility (docs/ALGORITHM.md §9e).
 *
 * Writes are listed as they come. Mostly the clocks show that each comes after the one before it:
 * then the list is a *chain*, and as good as mo.
 */
#include "models/push/jam_int.h"

/* ---- chains ---- */

/* v, or a read of it, is hb-before w: then v comes before w. */
static bool is_next (const Graph *g, Ev v, Ev w) {
  if (v == EV_INIT || graph_is_hb (g, v, w)) return true;
  for (Ev r = graph_event (g, v)->first_reader; r != EV_NONE; r = graph_event (g, r)->next_reader)
    if (graph_is_hb (g, r, w)) return true;
  return false;
}

/* Whether the clocks show that the writes of a location come one after another as they are listed.
 * What is known of the beginning of the list is kept. */
bool model_is_chain (const Graph *g, u32 loc) {
  Location *l = graph_location (g, loc);
  for (; l->chained < l->mo.size && !l->is_no_chain; l->chained++) {
    Ev w = l->mo.data[l->chained];
    l->is_no_chain = !is_next (g, l->mo.data[l->chained - 1], w);
    if (l->is_no_chain) return false;
    l->chain_has_plain |= !is_opaque (g, w);
  }
  return !l->is_no_chain;
}

u32 model_list_bound (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  if (!model_is_chain (g, x->loc)) return 0;
  const Location *l = graph_location (g, x->loc);
  const Clock *known = graph_hb (g, e);
  if (!l->chain_has_plain) return model_mo_bound (g, known, x->loc);
  u32 p = l->mo.size - 1; /* a thread may go back to a plain write */
  while (p && !clock_has (known, graph_event (g, l->mo.data[p]))) p--;
  return p;
}

/* The last write of a chain but for e. */
static Ev last_but (const Location *l, Ev e) {
  Ev last = vec_last (&l->mo);
  return last == e ? l->mo.data[l->mo.size - 2] : last;
}

/* Whether no write of the part comes after w in a chain. */
static bool is_last_of_chain (const Graph *g, const Location *l, Ev w, const Clock *part) {
  for (u32 p = l->mo.size; l->mo.data[--p] != w;)
    if (clock_has (part, graph_event (g, l->mo.data[p]))) return false;
  return true;
}

/* ---- sources ---- */

static bool is_behind_in_chain (const Graph *g, Ev v, Ev w) {
  while (w != EV_INIT && (graph_event (g, w)->flags & EVENT_EXCLUSIVE)) {
    w = graph_event (g, graph_po_previous (g, w))->rf;
    if (w == v) return true;
  }
  return false;
}

static Ev source_of (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  return x->kind == KIND_READ ? x->rf : graph_event (g, graph_po_previous (g, e))->rf;
}

/* The write that an update and those before it follow. */
static Ev root_of (const Graph *g, Ev w) {
  while (graph_event (g, w)->flags & EVENT_EXCLUSIVE) w = source_of (g, w);
  return w;
}

/* Whether the clocks alone show that v comes before w: then it does in po and rf, too. */
static inline bool is_clearly_before (const Graph *g, Ev v, Ev w) {
  if (v == EV_INIT) return w != EV_INIT;
  if (w == EV_INIT) return false;
  return graph_is_hb (g, v, w) ||
         ((graph_event (g, w)->flags & EVENT_EXCLUSIVE) && is_behind_in_chain (g, v, w));
}

/* The same, or updates show it: nothing comes between a write and the updates that follow it, so
 * those of the initial value come first. */
static inline bool is_surely_before (const Graph *g, Ev v, Ev w) {
  if (is_clearly_before (g, v, w)) return true;
  return v != EV_INIT && (graph_event (g, v)->flags & EVENT_EXCLUSIVE) &&
         root_of (g, v) == EV_INIT && root_of (g, w) != EV_INIT;
}

bool model_is_surely_before (const Graph *g, Ev v, Ev w) { return is_surely_before (g, v, w); }

/* Whether they show that every write of the part comes before w. */
static bool is_surely_last (const Graph *g, u32 loc, Ev w, const Clock *part) {
  const Location *l = graph_location (g, loc);
  for (u32 i = l->mo.size; i-- > 1;) {
    Ev v = l->mo.data[i];
    if (v == w || (part && !clock_has (part, graph_event (g, v)))) continue;
    if (!is_surely_before (g, v, w)) return false;
  }
  return true;
}

/* What e is known to see besides its source cannot be ordered otherwise than it is. */
static bool adds_nothing (const Graph *g, Ev e, Ev w, bool is_chain) {
  const Location *l = graph_location (g, graph_event (g, e)->loc);
  for (u32 i = l->mo.size; i-- > 1;) {
    Ev v = l->mo.data[i];
    if (v == w && is_chain) return true;
    if (v == w || v == e || !graph_is_porf (g, v, e)) continue;
    if (is_chain || !is_surely_before (g, v, w)) return false;
  }
  return true;
}

typedef enum Answer { NO, YES, OPEN } Answer;

static bool has_read_before (const Graph *g, Ev u, const Event *y) {
  for (Ev r = graph_event (g, u)->first_reader; r != EV_NONE; r = graph_event (g, r)->next_reader) {
    const Event *x = graph_event (g, r);
    if (x->tid == y->tid && x->index < y->index) return true;
  }
  return false;
}

/* Whether some observer of v sees u, as far as the clocks can tell: it does not if u is not
 * porf-before it. */
static Answer precedes (const Graph *g, Ev u, Ev v, const Clock *part) {
  Answer answer = NO;
  bool are_opaque = is_opaque (g, u) && is_opaque (g, v);
  for (Ev y = v; y != EV_NONE;) {
    const Event *x = graph_event (g, y);
    if (clock_has (part, x) && graph_is_porf (g, u, y)) {
      if (graph_is_hb (g, u, y) || (y != v && are_opaque && has_read_before (g, u, x))) return YES;
      answer = OPEN;
    }
    y = y == v ? x->first_reader : x->next_reader;
  }
  return answer;
}

/* Whether what threads have seen shows that v comes before w: what comes before a write or one of
 * the updates that follow it comes before all of them. */
static bool is_shown_before (const Graph *g, u32 loc, Ev v, Ev w, const Clock *all) {
  const Location *l = graph_location (g, loc);
  Ev a = root_of (g, v), b = root_of (g, w);
  if (a == b) return is_behind_in_chain (g, v, w);
  if (a == EV_INIT || b == EV_INIT) return a == EV_INIT;
  for (u32 i = 1; i < l->mo.size; i++) {
    if (root_of (g, l->mo.data[i]) != a) continue;
    for (u32 k = 1; k < l->mo.size; k++)
      if (root_of (g, l->mo.data[k]) == b && precedes (g, l->mo.data[i], l->mo.data[k], all) == YES)
        return true;
  }
  return false;
}

static bool comes_before (const Graph *g, u32 loc, Ev v, Ev w, const Clock *all) {
  if (!model_is_chain (g, loc)) return is_shown_before (g, loc, v, w, all);
  return graph_event (g, v)->mopos < graph_event (g, w)->mopos;
}

/* A thread that has read something later does not go back, if both are opaque. */
static bool has_read_later (const Graph *g, const Event *x, const Location *l, Ev w,
                            const Clock *all) {
  if (!is_opaque (g, w)) return false;
  for (u32 i = l->reads.size; i-- > 0;) {
    const Event *y = graph_event (g, l->reads.data[i]);
    if (y->tid == x->tid && y->index < x->index && y->rf != EV_NONE && y->rf != w &&
        is_opaque (g, y->rf) && comes_before (g, x->loc, w, y->rf, all))
      return true;
  }
  return false;
}

/* Whether e is known to see something that overwrites its source. */
static bool sees_later (const Graph *g, Ev e, Ev w, const Clock *all) {
  const Event *x = graph_event (g, e);
  const Location *l = graph_location (g, x->loc);
  for (u32 i = l->mo.size; i-- > 1;) {
    Ev v = l->mo.data[i];
    if (v != w && v != e && graph_is_hb (g, v, e) && comes_before (g, x->loc, w, v, all))
      return true;
  }
  return has_read_later (g, x, l, w, all);
}

static void add_overwritten (const Graph *g, Ev v, Clock *over) {
  const Event *x = graph_event (g, v);
  if (clock_has (over, x)) return; /* so is all that is before it */
  Clock own = over[x->tid];
  clock_join (over, graph_hb (g, v), g->stride);
  over[x->tid] = own > x->index ? own : (Clock)x->index; /* not v itself */
}

u64 model_overwritten (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  if (model_is_chain (g, x->loc)) return 0; /* the bound says it */
  const Location *l = graph_location (g, x->loc);
  bool is_any = false, is_plain = false;
  bool is_begun = false; /* e knows a write that comes after the updates of the initial value */
  Clock over[g->stride];
  memset (over, 0, sizeof over);
  for (u32 p = l->mo.size; p-- > 1;) {
    is_plain |= !is_opaque (g, l->mo.data[p]);
    if (!graph_is_hb (g, l->mo.data[p], e)) continue;
    is_any = true;
    is_begun = is_begun || root_of (g, l->mo.data[p]) != EV_INIT;
    add_overwritten (g, l->mo.data[p], over);
  }
  for (u32 i = l->reads.size; i-- > 0 && !is_plain;) {
    const Event *y = graph_event (g, l->reads.data[i]);
    if (y->tid != x->tid || y->index >= x->index || y->rf == EV_NONE || y->rf == EV_INIT) continue;
    is_any = true;
    is_begun = is_begun || root_of (g, y->rf) != EV_INIT;
    add_overwritten (g, y->rf, over);
  }
  u64 places = is_any;
  for (u32 p = 1; p < l->mo.size && p < 64 && is_any; p++)
    if (clock_has (over, graph_event (g, l->mo.data[p])) ||
        (is_begun && root_of (g, l->mo.data[p]) == EV_INIT))
      places |= 1ull << p;
  return places;
}

bool model_adds_maximally (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  if (e + 1 < g->events.size || (x->flags & EVENT_EARLY_READER)) return false; /* a revisit */
  if (x->kind == KIND_WRITE && !(x->flags & EVENT_EXCLUSIVE)) return true;
  const Location *l = graph_location (g, x->loc);
  Ev w = source_of (g, e);
  if (model_is_chain (g, x->loc)) return last_but (l, e) == w;
  for (u32 i = l->mo.size; i-- > 1;) {
    Ev v = l->mo.data[i];
    if (v != w && v != e && !is_surely_before (g, v, w)) return false;
  }
  return true;
}

/* Coherence without pushes. */
bool model_is_coherent (const Model *m, const Graph *g, Ev e, Attempt *attempt) {
  const Event *x = graph_event (g, e);
  if (x->kind == KIND_WRITE && !(x->flags & EVENT_EXCLUSIVE)) return true;
  bool is_chain = model_is_chain (g, x->loc);
  Ev w = source_of (g, e);
  if (is_chain && x->kind == KIND_WRITE) /* an update has nothing between it and its source */
    return last_but (graph_location (g, x->loc), e) == w;
  if (adds_nothing (g, e, w, is_chain)) return true;
  if (is_chain) return !sees_later (g, e, w, NULL) && !jam_sees_later (g, m->pushes, e, w);
  Clock all[g->nthreads + 1];
  jam_whole_scope (g, all);
  if (sees_later (g, e, w, all)) return false;
  *attempt = jam_interleaves (g, all, false) ? ATTEMPT_SUCCEEDED : ATTEMPT_FAILED;
  if (*attempt == ATTEMPT_SUCCEEDED) return true;
  Jam j;
  bool ok = jam_init (&j, g, m->pushes, all, false);
  j.focus = x->loc; /* e orders no others */
  ok = ok && jam_sweep (&j);
  jam_done (&j);
  return ok;
}

static bool is_surely_overwritten (const Graph *g, u32 loc, Ev w, const Clock *part) {
  const Location *l = graph_location (g, loc);
  for (u32 i = l->mo.size; i-- > 1;)
    if (l->mo.data[i] != w && clock_has (part, graph_event (g, l->mo.data[i])) &&
        is_surely_before (g, w, l->mo.data[i]))
      return true;
  return false;
}

static bool is_last_block (const Jam *j, const JamLocation *l, u32 block) {
  for (u32 b = 0; b < l->blocks; b++)
    if (bits_have (jam_older (j, l, b), block)) return false;
  return true;
}

/* The write at the end of a block. */
static Ev end_of_block (const Jam *j, const JamLocation *l, u32 block) {
  const JamWrite *end = NULL;
  for (u32 k = l->first; k < l->first + l->count; k++)
    if (j->write[k].block == block && (!end || j->write[k].place > end->place)) end = &j->write[k];
  return end->slot == JAM_NONE ? EV_INIT : j->event[end->slot];
}

static bool is_later_thread (const Graph *g, Ev a, Ev b) {
  if (b == EV_INIT || a == EV_INIT) return a != EV_INIT;
  const Event *x = graph_event (g, a), *y = graph_event (g, b);
  return x->tid != y->tid ? x->tid > y->tid : x->index > y->index;
}

/* Whether no write of the part comes after w, or its block. */
static Answer is_last (const Graph *g, u32 loc, Ev w, const Clock *part) {
  const Location *l = graph_location (g, loc);
  Answer answer = YES;
  for (u32 i = 1; i < l->mo.size; i++) {
    Ev v = l->mo.data[i];
    if (v == w || !clock_has (part, graph_event (g, v)) || is_behind_in_chain (g, v, w)) continue;
    if (is_behind_in_chain (g, w, v)) return NO;
    for (Ev u = w;; u = source_of (g, u)) {
      Answer a = u == EV_INIT ? YES : precedes (g, u, v, part);
      if (a == YES) return NO;
      if (a == OPEN) answer = OPEN;
      if (!(graph_event (g, u)->flags & EVENT_EXCLUSIVE)) break;
    }
  }
  return answer;
}

/* Whether w is the default; that it may be is known. */
static Answer is_latest (const Graph *g, u32 loc, Ev w, const Clock *part) {
  const Location *l = graph_location (g, loc);
  for (u32 i = 1; i < l->mo.size; i++) {
    Ev v = l->mo.data[i];
    if (v == w || !clock_has (part, graph_event (g, v)) || !is_later_thread (g, v, w)) continue;
    Answer a = is_last (g, loc, v, part);
    if (a != NO) return a == YES ? NO : OPEN;
  }
  return YES;
}

/* Without mo a read is added maximally if no write comes after what it reads; of several such
 * writes one is the default. */
bool model_is_default_source (const Model *m, const Graph *g, u32 loc, Ev w, const Clock *scope,
                              bool any) {
  if (model_is_chain (g, loc)) return is_last_of_chain (g, graph_location (g, loc), w, scope);
  if (is_surely_overwritten (g, loc, w, scope)) return false;
  if (is_surely_last (g, loc, w, scope)) return true;
  Answer answer = is_last (g, loc, w, scope);
  if (answer == YES && !any) answer = is_latest (g, loc, w, scope);
  if (answer != OPEN) return answer == YES;
  Jam j;
  bool found = false, ok = jam_init (&j, g, m->pushes, scope, false);
  j.focus = loc;
  ok = ok && jam_sweep (&j);
  Ev best = EV_INIT;
  for (u32 i = 0; i < j.locations && ok; i++) {
    const JamLocation *l = &j.location[i];
    if (l->loc != loc) continue;
    for (u32 b = 0; b < l->blocks; b++) {
      if (!is_last_block (&j, l, b)) continue;
      Ev end = end_of_block (&j, l, b);
      found |= end == w;
      if (is_later_thread (g, end, best)) best = end;
    }
  }
  jam_done (&j);
  return any ? found : best == w;
}

Ev model_default_of (const Model *m, const Graph *g, u32 loc) {
  if (model_is_chain (g, loc)) return graph_mo_last (g, loc);
  Clock all[g->nthreads + 1];
  jam_whole_scope (g, all);
  const Location *l = graph_location (g, loc);
  for (u32 i = l->mo.size; i-- > 1;)
    if (model_is_default_source (m, g, loc, l->mo.data[i], all, false)) return l->mo.data[i];
  return EV_INIT;
}

bool model_is_clearly_last (const Graph *g, u32 loc, Ev w) {
  if (model_is_chain (g, loc)) return graph_mo_last (g, loc) == w;
  const Location *l = graph_location (g, loc);
  for (u32 i = l->mo.size; i-- > 1;)
    if (l->mo.data[i] != w && !is_clearly_before (g, l->mo.data[i], w)) return false;
  return true;
}

u32 model_sure_last (const Graph *g, u32 loc) {
  const Location *l = graph_location (g, loc);
  u32 p = l->mo.size - 1;
  while (p && !is_surely_last (g, loc, l->mo.data[p], NULL)) p--;
  return p;
}

bool model_may_be_last (const Model *m, const Graph *g, u32 loc, Ev w) {
  if (model_is_chain (g, loc)) return graph_mo_last (g, loc) == w;
  Clock all[g->nthreads + 1];
  jam_whole_scope (g, all);
  return model_is_default_source (m, g, loc, w, all, true);
}

Ev model_only_last_visible (const Model *m, const Graph *g, u32 loc) {
  if (model_is_chain (g, loc)) return graph_mo_last (g, loc);
  const Location *l = graph_location (g, loc);
  Ev only = EV_NONE;
  for (u32 i = 0; i < l->mo.size; i++)
    if (model_may_be_last (m, g, loc, l->mo.data[i])) {
      if (only != EV_NONE) return EV_NONE;
      only = l->mo.data[i];
    }
  return only;
}
