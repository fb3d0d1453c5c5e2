/* jam.c - JAM19, JAM21 and jam21t, each in two ways that share nothing but the formulas of
 * docs/MODELS.md: by relations, and by clocks that are raised until nothing changes. Both try every
 * linearisation of the pushes.
 *
 * The choices of porf: pushes follow (po | rf)+, initial writes are opaque, a read-modify-write is
 * one event (but in jam21t), creating and joining a thread orders everything, the end of a
 * thread counts as an event behind its last fence, and (but in jam21t) a full fence with no access
 * before it since the thread began, created or joined another, as an access. */
#include "oracle/jam.h"

#include <string.h>

enum { LINEARISATIONS = 3000, TOO_MUCH = 1 << 30 }; /* if there are more, the program is skipped */

typedef struct Linear {
  const Cand *g;
  JamKind kind;
  Rel must; /* what linearisations follow */
  bool (*is_coherent) (const struct Linear *l);
  int order[REL_MAX], size; /* the pushes in order */
  long tried;
  /* by relations: */
  Rel into, push;
  Set bare; /* fences that push */
  /* by clocks: what each event sees whatever the linearisation, and what pushes to it */
  Set sees[REL_MAX], gates[REL_MAX];
} Linear;

static Rel seq3 (Rel a, Rel b, Rel c) { return rel_seq (rel_seq (a, b), c); }
static Rel or3 (Rel a, Rel b, Rel c) { return rel_or (rel_or (a, b), c); }
static Set domain_of (Rel r) {
  Set s = 0;
  REL_EACH (i, r) if (r.row[i]) s |= (Set)1 << i;
  return s;
}

/* ---- linearisations ---- */

static bool try_from (Linear *l, Set left) {
  if (!left) return ++l->tried, l->is_coherent (l);
  for (Set s = left; s && l->tried < LINEARISATIONS; s &= s - 1) {
    int e = __builtin_ctzll (s);
    bool is_next = true;
    for (Set o = left; o; o &= o - 1) is_next &= !rel_has (&l->must, __builtin_ctzll (o), e);
    if (!is_next) continue;
    l->order[l->size++] = e;
    bool ok = try_from (l, left & ~((Set)1 << e));
    l->size--;
    if (ok) return true;
  }
  return false;
}

/* ((W * FW) & loc \ id) | (po | rf)+ */
static Rel constraint (const Cand *g) {
  Rel must = rel_plus (rel_or (g->sb, g->rf));
  for (int v = 0; v < PROG_VARS; v++) {
    if (g->last[v] < 0) continue;
    for (Set s = g->loc.row[g->last[v]] & g->W; s; s &= s - 1) {
      int w = __builtin_ctzll (s);
      if (w != g->last[v]) rel_add (&must, w, g->last[v]);
    }
  }
  return must;
}

/* ---- by relations ---- */

static Set sources_of_rmws (const Cand *g) { return domain_of (g->rmw); } /* their read halves */

static void relate (Linear *l) {
  const Cand *g = l->g;
  bool printed = l->kind == JAM21T;
  Rel po = rel_between (~g->Init, g->po, ~(Set)0), sb = rel_between (~g->Init, g->sb, ~(Set)0);
  Rel fence_rel = rel_id (g->n, g->F & g->Rel), fence_acq = rel_id (g->n, g->F & g->Acq);
  Set V = g->M & g->Sc & ~g->Init, R = g->R | g->AT, W = (g->W & ~g->Init) | g->AT;
  Rel full = rel_id (g->n, g->F & g->Sc), ra, svo, volint;
  Rel near = rel_minus (rel_between (g->M & ~g->Init, po, g->F & g->Sc),
                        seq3 (po, rel_id (g->n, g->Handover), po));
  l->bare = printed ? 0 : g->F & g->Sc & ~domain_of (rel_inverse (near));
  Rel spush = rel_seq (rel_or (rel_seq (po, full), rel_id (g->n, l->bare)), po);
  if (printed) {
    ra = seq3 (po, rel_id (g->n, g->M & ~g->Init & (g->Acq | g->Rel)), po);
    svo = rel_seq (seq3 (po, fence_rel, po), rel_id (g->n, g->M));
    svo = rel_seq (svo, seq3 (po, fence_acq, po));
  } else {
    ra = rel_or (rel_between (~(Set)0, po, W & g->Rel), rel_between (R & g->Acq, po, ~(Set)0));
    svo = rel_or (rel_between (~(Set)0, seq3 (po, fence_rel, po), W),
                  rel_between (R, seq3 (po, fence_acq, po), ~(Set)0));
  }
  if (l->kind == JAM19)
    volint = rel_or (rel_between (g->M, po, R & V), rel_between (W & V, po, ~(Set)0));
  else
    volint = rel_between (V, po, V);
  if (!printed) volint = rel_minus (volint, g->rmw);
  Rel handed =
      rel_or (rel_between (~(Set)0, sb, g->Handover), rel_between (g->Handover, sb, ~(Set)0));
  l->into = rel_or (or3 (ra, svo, spush), rel_or (volint, handed));
  if (!printed) l->into = rel_or (l->into, g->rmw);
  l->push = rel_or (spush, volint);
}

static Rel writes_only (const Cand *g, Rel r) {
  r = rel_and (rel_between (g->W, r, g->W), g->loc);
  return rel_minus (r, rel_id (g->n, ~(Set)0));
}

static bool coherent_by_relations (const Linear *l) {
  const Cand *g = l->g;
  Rel pushto = rel_empty (g->n), back = rel_inverse (g->rf);
  for (int i = 0; i < l->size; i++)
    for (int k = i + 1; k < l->size; k++) rel_add (&pushto, l->order[i], l->order[k]);
  Rel vvo = or3 (l->into, g->rf, rel_seq (pushto, l->push));
  Rel vo = rel_or (rel_plus (vvo), rel_and (g->sb, g->loc));
  Rel corr = writes_only (g, seq3 (g->rf, rel_between (~g->Init, g->po, ~(Set)0), back));
  if (l->kind != JAM21T) corr = rel_between (~g->Na | g->Init, corr, ~g->Na | g->Init);
  Rel co = or3 (writes_only (g, vo), writes_only (g, rel_seq (vo, back)),
                writes_only (g, rel_seq (vo, g->sb)));
  co = rel_or (co, corr);
  for (int v = 0; v < PROG_VARS; v++)
    if (g->last[v] >= 0)
      for (Set s = g->loc.row[g->last[v]] & g->W & ~((Set)1 << g->last[v]); s; s &= s - 1)
        rel_add (&co, __builtin_ctzll (s), g->last[v]);
  if (l->kind == JAM21T) return rel_is_acyclic (co);
  /* nothing between an RMW and what it reads, on either side */
  Rel update = rel_seq (g->rf, g->rmw), undo = rel_inverse (update);
  for (Rel more;; co = rel_plus (rel_or (co, more))) {
    more = rel_or (writes_only (g, rel_seq (undo, co)), writes_only (g, rel_seq (co, undo)));
    if (rel_is_empty (rel_minus (more, co))) break;
  }
  return rel_is_acyclic (co);
}

bool jam_by_relations (const Cand *g, JamKind kind, bool *is_sure) {
  Linear l = {.g = g, .kind = kind, .must = constraint (g), .is_coherent = coherent_by_relations};
  relate (&l);
  Rel po = rel_between (~g->Init, g->po, ~(Set)0);
  Rel volint = rel_between (~(Set)0, l.push, g->M | g->F);
  Set domain = domain_of (volint) | domain_of (rel_between (g->M, po, g->F & g->Sc));
  domain &= kind == JAM21T ? g->M : g->M & ~sources_of_rmws (g);
  domain |= l.bare;
  bool ok = try_from (&l, domain);
  *g->effort += l.tried < LINEARISATIONS ? (uint64_t)l.tried / 8 : TOO_MUCH;
  *is_sure &= l.tried < LINEARISATIONS;
  return ok;
}

/* ---- by clocks ---- */

/* Is there an event of the set between a and b in their thread? */
static bool has_between (int a, int b, Set s) {
  Set later = ~(((Set)2 << a) - 1), earlier = ((Set)1 << b) - 1;
  return s & later & earlier;
}

static bool in (Set s, int e) { return s >> e & 1; }
static bool same_rmw (const Cand *g, int a, int b) { return b == a + 1 && rel_has (&g->rmw, a, b); }

static bool is_bare_fence (const Cand *g, JamKind kind, int f) {
  if (kind == JAM21T || !in (g->F & g->Sc, f)) return false;
  int e = f;
  while (e > g->first[g->event[f].thread] && !in (g->M | g->Handover, e - 1)) e--;
  return e == g->first[g->event[f].thread] || in (g->Handover, e - 1);
}

/* Does a, earlier in the thread of b, push to b? */
static bool pushes (const Cand *g, JamKind kind, int a, int b) {
  if (is_bare_fence (g, kind, a)) return true;
  if (has_between (a, b, g->F & g->Sc)) return true;
  if (!in (g->M, a) || (kind != JAM21T && same_rmw (g, a, b))) return false;
  bool va = in (g->Sc & g->M, a), vb = in (g->Sc & g->M, b);
  if (kind != JAM19) return va && vb;
  return (vb && (in (g->R, b) || in (g->AT, b))) || (va && (in (g->W, a) || in (g->AT, a)));
}

/* Is a, earlier in the thread of b, visible to b for reasons of their thread alone? */
static bool is_visible (const Cand *g, JamKind kind, int a, int b) {
  bool reads = in (g->R, a) || in (g->AT, a), writes = in (g->W, b) || in (g->AT, b);
  if (pushes (g, kind, a, b) || in (g->Handover, a) || in (g->Handover, b)) return true;
  if (kind == JAM21T) {
    if (has_between (a, b, g->M & (g->Acq | g->Rel))) return true;
    for (int f = a + 1; f < b; f++)
      for (int h = f + 1; h < b && in (g->F & g->Rel, f); h++)
        if (in (g->F & g->Acq, h) && has_between (f, h, g->M)) return true;
    return false;
  }
  if (same_rmw (g, a, b)) return true;
  if (writes && (in (g->Rel, b) || has_between (a, b, g->F & g->Rel))) return true;
  return reads && (in (g->Acq, a) || has_between (a, b, g->F & g->Acq));
}

static bool is_threads (const Cand *g, int t, int e) {
  return e >= g->first[t] && e < g->first[t + 1];
}

static void look_at_events (Linear *l) {
  const Cand *g = l->g;
  for (int b = 0; b < g->n; b++)
    for (int a = 0; a < g->n; a++) {
      bool own = g->event[a].thread >= 0 && g->event[a].thread == g->event[b].thread && a < b;
      bool sees = own && is_visible (g, l->kind, a, b);
      if (g->event[b].kind == 'R' && g->source[b] == a) sees = true;
      if (g->event[a].kind == 'C' && is_threads (g, g->event[a].value, b)) sees = true;
      if (g->event[b].kind == 'J' && is_threads (g, g->event[b].value, a)) sees = true;
      if (sees) l->sees[b] |= (Set)1 << a;
      if (own && pushes (g, l->kind, a, b)) l->gates[b] |= (Set)1 << a;
    }
}

/* What is visible to each event: a clock has one bit an event. */
static void raise_clocks (const Linear *l, Set *clock) {
  const Cand *g = l->g;
  Set direct[REL_MAX], placed = 0;
  for (int b = 0; b < g->n; b++) direct[b] = l->sees[b];
  for (int i = 0; i < l->size; i++) { /* what comes before a push reaches what it pushes to */
    for (int b = 0; b < g->n; b++)
      if (in (l->gates[b], l->order[i])) direct[b] |= placed;
    placed |= (Set)1 << l->order[i];
  }
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (int b = 0; b < g->n; b++) {
      Set now = clock[b] | direct[b];
      for (Set s = direct[b]; s; s &= s - 1) now |= clock[__builtin_ctzll (s)];
      is_new |= now != clock[b];
      clock[b] = now;
    }
  }
}

/* Which writes of a variable must come before write v, for all that is seen? */
static void find_earlier (const Linear *l, const Set *clock, int var, Set *earlier) {
  const Cand *g = l->g;
  Set writes = g->loc.row[g->init[var]] & g->W;
  for (int e = 0; e < g->n; e++) {
    if (g->event[e].var != var || g->event[e].thread < 0) continue;
    bool is_read = g->event[e].kind == 'R';
    int v = is_read ? g->source[e] : e;
    Set seen = clock[e];
    for (int z = 0; z < g->n; z++) {
      if (!rel_has (&g->sb, z, e)) continue;
      if (in (g->W, z)) seen |= (Set)1 << z;
      if (!is_read) seen |= clock[z];
      if (!is_read || g->event[z].kind != 'R' || g->event[z].var != var) continue;
      int w = g->source[z]; /* reads of one thread */
      bool opaque = !in (g->Na & ~g->Init, w) && !in (g->Na & ~g->Init, v);
      if (opaque || l->kind == JAM21T) seen |= (Set)1 << w;
    }
    earlier[v] |= seen & writes & ~((Set)1 << v);
  }
}

/* Can the writes that are left follow in some order, the last one so far being `last`? */
static bool has_order (const Linear *l, const Set *earlier, int var, Set left, int last) {
  const Cand *g = l->g;
  if (!left) return true;
  for (Set s = left; s; s &= s - 1) {
    int w = __builtin_ctzll (s);
    Set rest = left & ~((Set)1 << w);
    if ((earlier[w] & rest) || (w == g->last[var] && rest)) continue;
    bool is_update = l->kind != JAM21T && g->event[w].is_rmw, splits = false;
    if (is_update && g->source[w - 1] != last) continue;
    for (Set o = rest; o && l->kind != JAM21T; o &= o - 1) {
      int u = __builtin_ctzll (o);
      splits |= g->event[u].is_rmw && g->source[u - 1] == last;
    }
    if (!splits && has_order (l, earlier, var, rest, w)) return true;
  }
  return false;
}

static bool coherent_by_clocks (const Linear *l) {
  const Cand *g = l->g;
  Set clock[REL_MAX] = {0};
  raise_clocks (l, clock);
  for (int v = 0; v < PROG_VARS; v++) {
    if (g->init[v] < 0) continue;
    Set earlier[REL_MAX] = {0};
    find_earlier (l, clock, v, earlier);
    if (earlier[g->init[v]] ||
        !has_order (l, earlier, v, g->loc.row[g->init[v]] & g->W & ~g->Init, g->init[v]))
      return false;
  }
  return true;
}

bool jam_by_clocks (const Cand *g, JamKind kind, bool *is_sure) {
  Linear l = {.g = g, .kind = kind, .must = constraint (g), .is_coherent = coherent_by_clocks};
  Set domain = 0;
  look_at_events (&l);
  for (int t = 0; t <= g->threads; t++)
    for (int a = g->first[t]; a < g->first[t + 1]; a++) {
      if (is_bare_fence (g, kind, a)) domain |= (Set)1 << a;
      if (!in (g->M, a) || (kind != JAM21T && g->event[a].is_rmw && g->event[a].kind == 'R'))
        continue;
      bool is_push = has_between (a, g->first[t + 1], g->F & g->Sc);
      for (int b = a + 1; b < g->first[t + 1]; b++)
        is_push |= in (g->M | g->F, b) && pushes (g, kind, a, b);
      if (is_push) domain |= (Set)1 << a;
    }
  bool ok = try_from (&l, domain);
  *g->effort += l.tried < LINEARISATIONS ? (uint64_t)l.tried / 8 : TOO_MUCH;
  *is_sure &= l.tried < LINEARISATIONS;
  return ok;
}
