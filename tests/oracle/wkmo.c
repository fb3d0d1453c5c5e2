/* wkmo.c - Weakestmo2 by promises: all candidates first, then the closure. */
#include "oracle/wkmo.h"

#include <stdlib.h>
#include <string.h>

typedef struct Node {
  Cand g;
  Set core;
  bool is_complete, is_reachable;
} Node;

typedef struct Wkmo {
  uint64_t limit;
  Node **nodes;
  size_t size, capacity;
  bool gave_up;
} Wkmo;

/* Does nobody wait, but for threads to end? */
static bool is_complete (const Cand *g) {
  for (int t = 0; t <= g->threads; t++) {
    Stop stop = g->trace[t]->stop;
    if (stop == STOP_AWAIT || stop == STOP_AWAIT_AGAIN || stop == STOP_LOCK) return false;
  }
  return true;
}

static bool collect (void *arg, const Cand *g) {
  Wkmo *x = arg;
  if (x->size == x->limit) {
    x->gave_up = true;
    return false;
  }
  if (x->size == x->capacity) {
    x->capacity = x->capacity ? 2 * x->capacity : 64;
    x->nodes = realloc (x->nodes, x->capacity * sizeof *x->nodes);
    if (!x->nodes) abort ();
  }
  Node *n = calloc (1, sizeof *n);
  if (!n) abort ();
  n->g = *g;
  Rel porf = rel_plus (rel_or (g->sb, g->rf));
  Set cyclic = 0;
  for (int i = 0; i < g->n; i++) cyclic |= porf.row[i] & (Set)1 << i;
  for (int i = 0; i < g->n; i++)
    if (porf.row[i] & cyclic) n->core |= (Set)1 << i;
  n->is_complete = is_complete (g);
  n->is_reachable = !n->core;
  x->nodes[x->size++] = n;
  return true;
}

/* ---- one step ---- */

static bool same_label (const CandEvent *a, const CandEvent *b) {
  return a->thread == b->thread && a->kind == b->kind && a->mode == b->mode && a->var == b->var &&
         a->value == b->value;
}

/* What was chosen before it counts, too. */
static bool same_place (const CandEvent *a, const CandEvent *b) {
  return same_label (a, b) && a->chosen == b->chosen;
}

static bool same_event (const Cand *a, int e, const Cand *b, int f) {
  int t = a->event[e].thread;
  if (t != b->event[f].thread) return false;
  return t < 0 ? a->event[e].var == b->event[f].var : e - a->first[t] == f - b->first[t];
}

/* What is before an event in its thread, or creates it; -1: nothing. */
static int event_before (const Cand *g, int e) {
  int t = g->event[e].thread;
  if (e > g->first[t]) return e - 1;
  for (int c = 0; c < g->n; c++)
    if (g->event[c].kind == 'C' && g->event[c].value == t) return c;
  return -1;
}

static bool is_known (const Cand *g, int e, int last) {
  return e == last || rel_has (&g->hb, e, last);
}

static bool reads_locally (const Cand *g, int r) {
  int w = g->source[r], last = event_before (g, r);
  if (g->event[w].thread < 0 || g->event[w].thread == g->event[r].thread) return true;
  if (last < 0) return false;
  if (is_known (g, w, last)) return true;
  for (Set s = g->rf.row[w]; s; s &= s - 1)
    if (is_known (g, __builtin_ctzll (s), last)) return true;
  return false;
}

typedef struct Promising {
  const Cand *g, *h; /* G and G' */
  int t;
  int r, q;             /* the read of t that changes, in G and in G' */
  Set in;               /* X */
  int promise[REL_MAX]; /* of a certifying write; -1: none */
} Promising;

/* The place where t first differs is a relaxed read of one location that becomes non-local. */
static bool find_issue (Promising *s) {
  const Cand *g = s->g, *h = s->h;
  for (int i = 0;; i++) {
    int e = g->first[s->t] + i, f = h->first[s->t] + i;
    if (e >= g->first[s->t + 1] || f >= h->first[s->t + 1]) return false;
    const CandEvent *a = &g->event[e], *b = &h->event[f];
    bool is_read = a->kind == 'R' && b->kind == 'R';
    if (same_place (a, b) && (!is_read || same_event (g, g->source[e], h, h->source[f]))) continue;
    s->r = e;
    s->q = f;
    return is_read && a->var == b->var && a->chosen == b->chosen && !(g->Acq >> e & 1) &&
           !(h->Acq >> f & 1) && reads_locally (g, e) && !reads_locally (h, f);
  }
}

/* Condition 4, for a promise w, or what certifies one, behind r. */
static bool is_relaxed_between (const Cand *g, int r, int w) {
  Set between = ((Set)1 << w) - ((Set)2 << r);
  return !(between & (g->F | g->Handover | (g->loc.row[w] & g->W & g->Rel))) && !(g->Rel >> w & 1);
}

/* Conditions 2 and 3: what is kept, and what certifies which promise. */
static bool match_kept (Promising *s) {
  const Cand *g = s->g, *h = s->h;
  for (int i = 0; i < REL_MAX; i++) s->promise[i] = -1;
  for (Set kept = s->in & ~h->Init; kept; kept &= kept - 1) {
    int f = __builtin_ctzll (kept), u = h->event[f].thread;
    if (u == s->t) continue;
    int e = g->first[u] + f - h->first[u];
    if (e >= g->first[u + 1] || !same_place (&g->event[e], &h->event[f])) return false;
    if (h->event[f].kind != 'R') continue;
    int now = h->source[f], then = g->source[e];
    bool is_promised = h->event[now].thread == s->t && now > s->q;
    if (is_promised != (g->event[then].thread == s->t && then > s->r)) return false;
    if (!is_promised) {
      if (!same_event (g, then, h, now)) return false;
      continue;
    }
    if (s->promise[now] >= 0 && s->promise[now] != then) return false;
    if (!same_label (&g->event[then], &h->event[now])) return false;
    s->promise[now] = then;
  }
  return true;
}

/* The reads of a location in t, behind `from` and before `to`, that do not read locally. */
static int list_external (const Cand *g, int from, int to, int var, int *list) {
  int n = 0;
  for (int e = from + 1; e < to; e++)
    if (g->event[e].kind == 'R' && g->event[e].var == var && !reads_locally (g, e)) list[n++] = e;
  return n;
}

/* Condition 5, for a promise and what certifies it. */
static bool reads_the_same (const Promising *s, int p, int w) {
  for (int v = 0; v < PROG_VARS; v++) {
    int then[REL_MAX], now[REL_MAX];
    int n = list_external (s->g, s->r, p, v, then), m = list_external (s->h, s->q, w, v, now);
    if (n != m) return false;
    for (int k = 0; k < n; k++)
      if (s->g->event[then[k]].mode != s->h->event[now[k]].mode ||
          !same_event (s->g, s->g->source[then[k]], s->h, s->h->source[now[k]]))
        return false;
  }
  return true;
}

static bool promises_are_certified (const Promising *s) {
  const Cand *g = s->g, *h = s->h;
  for (int a = s->q + 1; a < h->first[s->t + 1]; a++) {
    int p = s->promise[a];
    if (p < 0) continue;
    if (!is_relaxed_between (g, s->r, p) || !is_relaxed_between (h, s->q, a)) return false;
    if (!reads_the_same (s, p, a)) return false;
    for (int b = s->q + 1; b < a; b++)
      if (h->event[b].var == h->event[a].var && s->promise[b] >= p) return false;
  }
  return true;
}

/* Behind the last write that certifies something X has nothing of t: it creates nobody in X. */
static bool creates_nobody (const Promising *s) {
  for (int e = s->q + 1; e < s->h->first[s->t + 1]; e++)
    if ((s->in >> e & 1) && s->h->event[e].kind == 'C') return false;
  return true;
}

/* Nor does anybody in X know that it has ended. */
static bool is_joined_by_nobody (const Promising *s) {
  for (Set x = s->in; x; x &= x - 1) {
    const CandEvent *e = &s->h->event[__builtin_ctzll (x)];
    if (e->kind == 'J' && e->value == s->t) return false;
  }
  return true;
}

/* The event of G that stands for an event of X, or -1. */
static int old_event (const Promising *s, int f) {
  const Cand *g = s->g, *h = s->h;
  int u = h->event[f].thread;
  if (u < 0) return g->init[h->event[f].var];
  if (u == s->t && f > s->q) return s->promise[f];
  if (u != s->t && !(s->in >> f & 1)) return -1;
  return g->first[u] + f - h->first[u];
}

static bool keeps_mo (const Promising *s) {
  const Cand *g = s->g, *h = s->h;
  for (Set a = h->W; a; a &= a - 1)
    for (Set b = h->mo.row[__builtin_ctzll (a)]; b; b &= b - 1) {
      int p = old_event (s, __builtin_ctzll (a)), q = old_event (s, __builtin_ctzll (b));
      if (p >= 0 && q >= 0 && !rel_has (&g->mo, p, q)) return false;
    }
  return true;
}

static bool promises_lead (const Node *from, const Node *to) {
  Promising s = {.g = &from->g, .h = &to->g, .in = to->core};
  for (s.t = 0; s.t <= to->g.threads; s.t++)
    if (find_issue (&s) && (s.in >> s.q & 1) && match_kept (&s) && creates_nobody (&s) &&
        is_joined_by_nobody (&s) && promises_are_certified (&s) && keeps_mo (&s))
      return true;
  return false;
}

bool wkmo_each (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit, void *arg) {
  (void)m;
  Wkmo x = {.limit = o.limit};
  OracleOptions base = o;
  base.limit = 100 * o.limit;
  if (!oracle_each (p, &oracle_c11, base, collect, &x)) x.gave_up = true;
  for (bool changed = !x.gave_up; changed;) {
    changed = false;
    for (size_t i = 0; i < x.size; i++)
      for (size_t k = 0; k < x.size && !x.nodes[i]->is_reachable; k++)
        if (x.nodes[k]->is_reachable && x.nodes[k]->is_complete &&
            promises_lead (x.nodes[k], x.nodes[i]))
          changed = x.nodes[i]->is_reachable = true;
  }
  bool more = !x.gave_up;
  for (size_t i = 0; i < x.size; i++) {
    if (more && x.nodes[i]->is_reachable) more = visit (arg, &x.nodes[i]->g);
    free (x.nodes[i]);
  }
  free (x.nodes);
  return !x.gave_up;
}
