/* wkmo.c - Weakestmo2 by promises: all candidates first, then the closure. */
#include "oracle/wkmo.h"

#include <stdlib.h>
#include <string.h>

typedef struct Node {
  Cand g;
  Rel before; /* (sb | rf)*, inverse: row e has what is before e */
  Set cyclic;
  bool is_reachable;
} Node;

typedef struct Wkmo {
  uint64_t limit;
  Node **nodes;
  size_t size, capacity;
  bool gave_up;
} Wkmo;

static bool is_complete (const Cand *g) {
  for (int t = 0; t <= g->threads; t++) {
    Stop stop = g->trace[t]->stop;
    if (stop != STOP_END && stop != STOP_ASSUME && stop != STOP_ABSENT) return false;
  }
  return true;
}

static bool collect (void *arg, const Cand *g) {
  Wkmo *x = arg;
  if (!is_complete (g)) return true;
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
  for (int i = 0; i < g->n; i++) n->cyclic |= porf.row[i] & (Set)1 << i;
  n->before = rel_opt (rel_inverse (porf));
  n->is_reachable = !n->cyclic;
  x->nodes[x->size++] = n;
  return true;
}

/* ---- one step ---- */

static bool same_label (const CandEvent *a, const CandEvent *b) {
  return a->thread == b->thread && a->kind == b->kind && a->mode == b->mode && a->var == b->var &&
         a->value == b->value;
}

static bool same_event (const Cand *a, int e, const Cand *b, int f) {
  int t = a->event[e].thread;
  if (t != b->event[f].thread) return false;
  return t < 0 ? a->event[e].var == b->event[f].var : e - a->first[t] == f - b->first[t];
}

static bool is_known (const Cand *g, int w, int last) {
  return w == last || rel_has (&g->hb, w, last);
}

static bool reads_locally (const Cand *g, int r) {
  int w = g->source[r], t = g->event[r].thread;
  if (g->event[w].thread < 0 || g->event[w].thread == t) return true;
  if (r == g->first[t]) return false;
  if (is_known (g, w, r - 1)) return true;
  for (Set s = g->rf.row[w]; s; s &= s - 1)
    if (is_known (g, __builtin_ctzll (s), r - 1)) return true;
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
    if (same_label (a, b) && (!is_read || same_event (g, g->source[e], h, h->source[f]))) continue;
    s->r = e;
    s->q = f;
    return is_read && a->var == b->var && !(g->Acq >> e & 1) && !(h->Acq >> f & 1) &&
           reads_locally (g, e) && !reads_locally (h, f);
  }
}

/* Between the issue and w. */
static bool is_relaxed_between (const Cand *g, int r, int w) {
  Set between = ((Set)1 << w) - ((Set)2 << r);
  Set same_place = g->loc.row[r] & g->R & g->Acq;
  return !(between & (g->F | same_place | (g->loc.row[w] & g->W & g->Rel))) && !(g->Rel >> w & 1);
}

/* Conditions 3 and 4: what is kept, and which write was promised by which. */
static bool match_kept (Promising *s) {
  const Cand *g = s->g, *h = s->h;
  for (int i = 0; i < REL_MAX; i++) s->promise[i] = -1;
  for (Set kept = s->in & ~h->Init; kept; kept &= kept - 1) {
    int f = __builtin_ctzll (kept), u = h->event[f].thread;
    if (u == s->t) continue;
    int e = g->first[u] + f - h->first[u];
    if (e >= g->first[u + 1] || !same_label (&g->event[e], &h->event[f])) return false;
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

/* The writes of a location that t reads, not locally, after `from` and before `to`. */
static int list_external (const Cand *g, int from, int to, int var, int *list) {
  int n = 0;
  for (int e = from + 1; e < to; e++)
    if (g->event[e].kind == 'R' && (var < 0 || g->event[e].var == var) && !reads_locally (g, e))
      list[n++] = g->source[e];
  return n;
}

static bool reads_the_same (const Promising *s, int p, int w) {
  for (int v = 0; v < PROG_VARS; v++) {
    int then[REL_MAX], now[REL_MAX];
    int n = list_external (s->g, s->r, p, v, then), m = list_external (s->h, s->q, w, v, now);
    if (n != m) return false;
    for (int k = 0; k < n; k++)
      if (!same_event (s->g, then[k], s->h, now[k])) return false;
  }
  return true;
}

/* Can w in G' stand for p in G? */
static bool certifies (const Promising *s, int p, int w) {
  return same_label (&s->g->event[p], &s->h->event[w]) && is_relaxed_between (s->g, s->r, p) &&
         is_relaxed_between (s->h, s->q, w) && reads_the_same (s, p, w);
}

static bool promises_are_fine (const Promising *s) {
  const Cand *g = s->g, *h = s->h;
  int source = -1; /* of q, in G */
  const CandEvent *w = &h->event[h->source[s->q]];
  if (w->thread >= 0 && w->thread != s->t && (s->in >> h->source[s->q] & 1))
    source = g->first[w->thread] + h->source[s->q] - h->first[w->thread];
  for (int a = s->q + 1; a < h->first[s->t + 1]; a++) {
    int p = s->promise[a];
    if (p < 0) continue;
    if (!certifies (s, p, a)) return false;
    if (source >= 0 && rel_has (&g->mo, p, source)) return false;
    bool is_next = true; /* no promise of the location between b and a */
    for (int b = a - 1; b > s->q; b--) {
      if (h->event[b].var != h->event[a].var || h->event[b].kind != 'W') continue;
      if (s->promise[b] >= p) return false;
      if (is_next && s->promise[b] < 0 && certifies (s, p, b)) return false;
      is_next &= s->promise[b] < 0;
    }
  }
  return true;
}

static bool is_local_certification (const Promising *s) {
  const Cand *g = s->g, *h = s->h;
  int last = -1, last_promise = -1;
  for (int a = s->q + 1; a < h->first[s->t + 1]; a++) {
    if (s->promise[a] < 0) continue;
    last = a;
    if (s->promise[a] > last_promise) last_promise = s->promise[a];
  }
  int allowed[REL_MAX], n = list_external (g, s->r, last_promise, -1, allowed);
  for (int e = s->q + 1; e < last; e++) {
    if (h->event[e].kind != 'R' || reads_locally (h, e)) continue;
    bool found = false;
    for (int k = 0; k < n; k++) found |= same_event (g, allowed[k], h, h->source[e]);
    if (!found) return false;
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
  Promising s = {.g = &from->g, .h = &to->g};
  for (s.t = 0; s.t <= to->g.threads; s.t++) {
    if (!find_issue (&s)) continue;
    for (int k = s.q; k < to->g.first[s.t + 1]; k++) {
      s.in = to->before.row[k];
      for (Set c = to->cyclic & ~s.in; c; c &= c - 1) s.in |= to->before.row[__builtin_ctzll (c)];
      if (!match_kept (&s)) continue;
      if (promises_are_fine (&s) && is_local_certification (&s) && keeps_mo (&s)) return true;
    }
  }
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
        if (x.nodes[k]->is_reachable && promises_lead (x.nodes[k], x.nodes[i]))
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
