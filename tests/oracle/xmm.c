/* xmm.c - enumerates the executions under XMM: all candidates first, then the closure under
 * re-execution. */
#include "oracle/xmm.h"

#include <stdlib.h>
#include <string.h>

typedef struct Node {
  Cand g;
  Rel porf, porf_to; /* (sb | rf)+, and its inverse */
  Rel rpo, rpo_to;   /* and its inverse */
  Rel read_write;    /* [R];po;[W] */
  Set cyclic;        /* events on a cycle of sb and rf */
  Set racy;          /* reads in LB races */
  bool is_reachable;
  bool has_commits;
  Set *commits; /* the sets that meet conditions 2, 4 and 5 */
  size_t commit_count, commit_capacity;
} Node;

typedef struct Xmm {
  bool is_repaired;
  OracleOptions options;
  Node **nodes;
  size_t size, capacity;
  bool gave_up;
  uint64_t steps;
} Xmm;

enum { COMMIT_EVENTS = 20 }; /* at most so many events can be committed */

static bool count_step (Xmm *x) {
  if (++x->steps > 1000 * x->options.limit) x->gave_up = true;
  return !x->gave_up;
}

/* ---- candidates ---- */

/* Creating and joining threads acquires and releases, and orders what comes before it, in any
 * thread, before what comes behind. */
static Rel rel_rpo (const Cand *g) {
  Set acquires = g->Acq | g->Handover, releases = g->Rel | g->Handover;
  Rel by_acquire_fence = rel_between (g->R & g->Rlx, g->sb, g->F & g->Acq);
  Rel by_release_fence = rel_between (g->F & g->Rel, g->sb, g->W & g->Rlx);
  Rel after_acquire = rel_between (acquires, g->sb, ~(Set)0);
  Rel before_release = rel_between (~(Set)0, g->sb, releases);
  return rel_plus (
      rel_or (rel_or (by_acquire_fence, by_release_fence), rel_or (after_acquire, before_release)));
}

/* Reads in LB races; porf is (sb | rf)+. */
static Set racy_reads (const Cand *g, const Rel *porf) {
  Set racy = 0;
  for (int r = 0; r < g->n; r++) {
    if (!(g->R >> r & 1)) continue;
    for (Set s = porf->row[r] & g->W & g->loc.row[r]; s; s &= s - 1) {
      int w = __builtin_ctzll (s);
      if (w != g->source[r] && !rel_has (&g->hb, r, w) && !rel_has (&g->hb, w, r))
        racy |= (Set)1 << r;
    }
  }
  return racy;
}

static bool is_complete (const Cand *g) {
  for (int t = 0; t <= g->threads; t++) {
    Stop stop = g->trace[t]->stop;
    if (stop == STOP_AWAIT || stop == STOP_AWAIT_AGAIN || stop == STOP_LOCK) return false;
  }
  return true;
}

static bool collect (void *arg, const Cand *g) {
  Xmm *x = arg;
  if (!is_complete (g)) return true;
  if (x->size == x->options.limit) {
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
  n->porf = rel_plus (rel_or (g->sb, g->rf));
  n->porf_to = rel_inverse (n->porf);
  n->rpo = rel_rpo (g);
  n->rpo_to = rel_inverse (n->rpo);
  n->read_write = rel_between (g->R, g->po, g->W);
  for (int i = 0; i < g->n; i++) n->cyclic |= n->porf.row[i] & (Set)1 << i;
  n->racy = racy_reads (g, &n->porf);
  n->is_reachable = !n->cyclic;
  x->nodes[x->size++] = n;
  return true;
}

/* ---- commit sets: conditions 2, 4 and 5 ---- */

static bool reads_from_elsewhere (const Cand *g, int r) {
  int w = g->source[r], u = g->event[w].thread;
  return u >= 0 && u != g->event[r].thread && !rel_has (&g->sb, w, r);
}

static bool uncommitted_reads_are_stable (const Cand *g, Set committed) {
  Rel order = g->sb;
  uint8_t reads_from[PROG_THREADS] = {0}; /* bit masks of threads */
  for (Set s = g->R & ~committed; s; s &= s - 1) {
    int r = __builtin_ctzll (s), w = g->source[r];
    rel_add (&order, w, r);
    if (reads_from_elsewhere (g, r))
      reads_from[g->event[r].thread] |= (uint8_t)(1u << g->event[w].thread);
  }
  if (!rel_is_acyclic (order)) return false;
  for (int k = 0; k < PROG_THREADS; k++)
    for (int t = 0; t < PROG_THREADS; t++)
      if (reads_from[t] >> k & 1) reads_from[t] |= reads_from[k];
  for (int t = 0; t < PROG_THREADS; t++)
    if (reads_from[t] >> t & 1) return false;
  return true;
}

/* What must be committed with an event. */
static Set required (const Node *n, int e) {
  Set with = n->rpo_to.row[e];
  if (n->g.R >> e & 1) with |= (Set)1 << n->g.source[e];
  return with;
}

static Set close_commits (const Node *n, Set commits) {
  Set before;
  do {
    before = commits;
    for (Set s = before; s; s &= s - 1) commits |= required (n, __builtin_ctzll (s));
  } while (commits != before);
  return commits;
}

static void keep_commits (Node *n, Set commits) {
  if (!uncommitted_reads_are_stable (&n->g, commits)) return;
  if (n->commit_count == n->commit_capacity) {
    n->commit_capacity = n->commit_capacity ? 2 * n->commit_capacity : 16;
    n->commits = realloc (n->commits, n->commit_capacity * sizeof *n->commits);
    if (!n->commits) abort ();
  }
  n->commits[n->commit_count++] = commits;
}

static void list_commits (Xmm *x, Node *n) {
  Set choice = x->options.only_reads ? n->g.R : (((Set)1 << n->g.n) - 1) & ~n->g.Init;
  if (__builtin_popcountll (choice) > COMMIT_EVENTS) {
    x->gave_up = true;
    return;
  }
  n->has_commits = true;
  Set chosen = 0;
  do { /* all subsets of choice */
    Set commits = chosen | n->g.Init, closed = close_commits (n, commits);
    if (x->options.only_reads || closed == commits) keep_commits (n, closed);
    chosen = (chosen - choice) & choice;
  } while (chosen && count_step (x));
}

/* ---- condition 3 ---- */

typedef struct Embedding {
  const Node *from, *to; /* G and G' */
  bool is_repaired;      /* condition 7 */
  int event[REL_MAX];    /* committed events of G' */
  int image[REL_MAX];
  int size;
  Set used; /* images */
} Embedding;

static bool same_label (const CandEvent *a, const CandEvent *b) {
  return a->thread == b->thread && a->kind == b->kind && a->mode == b->mode && a->var == b->var &&
         a->value == b->value;
}

static bool implies (const Rel *now, int a, int b, const Rel *then, int fa, int fb) {
  return !rel_has (now, a, b) || rel_has (then, fa, fb);
}

static bool keeps_relations (const Embedding *m, int a, int b, int fa, int fb) {
  const Node *to = m->to, *from = m->from;
  return implies (&to->g.rf, a, b, &from->g.rf, fa, fb) &&
         implies (&to->g.mo, a, b, &from->g.mo, fa, fb) &&
         implies (&to->g.rmw, a, b, &from->g.rmw, fa, fb) &&
         implies (&to->rpo, a, b, &from->rpo, fa, fb) &&
         (!m->is_repaired || implies (&to->read_write, a, b, &from->read_write, fa, fb));
}

static bool embed (Embedding *m, Set left) {
  if (!left) return true;
  int e = __builtin_ctzll (left);
  const Cand *g = &m->from->g;
  for (int image = 0; image < g->n; image++) {
    if ((m->used >> image & 1) || !same_label (&m->to->g.event[e], &g->event[image])) continue;
    bool fits = true;
    for (int i = 0; i < m->size && fits; i++)
      fits = keeps_relations (m, m->event[i], e, m->image[i], image) &&
             keeps_relations (m, e, m->event[i], image, m->image[i]);
    if (!fits) continue;
    m->event[m->size] = e;
    m->image[m->size++] = image;
    m->used |= (Set)1 << image;
    if (embed (m, left & (left - 1))) return true;
    m->used &= ~((Set)1 << image);
    m->size--;
  }
  return false;
}

/* ---- condition 6 ---- */

/* An event by thread and place there. */
static bool same_event (const Cand *a, int e, const Cand *b, int f) {
  int t = a->event[e].thread;
  if (t != b->event[f].thread) return false;
  return t < 0 || e - a->first[t] == f - b->first[t];
}

/* Is the first event of the thread that differs a racy read in G? */
static bool differs_at_race (const Node *from, const Node *to, int t) {
  const Cand *g = &from->g, *h = &to->g;
  for (int i = 0; g->first[t] + i < g->first[t + 1]; i++) {
    int e = g->first[t] + i, f = h->first[t] + i;
    bool same = f < h->first[t + 1] && same_label (&g->event[e], &h->event[f]) &&
                (g->event[e].kind != 'R' || same_event (g, g->source[e], h, h->source[f]));
    if (!same) return from->racy >> e & 1;
  }
  return false;
}

/* Condition 6. */
static bool is_driven_by_race (const Node *from, const Node *to, Set committed) {
  Set reads = to->cyclic & to->g.R & ~committed;
  for (Set s = reads; s; s &= s - 1)
    if (differs_at_race (from, to, to->g.event[__builtin_ctzll (s)].thread)) return true;
  return !reads;
}

static bool has_race (const Node *from, int t) {
  Set thread = ((Set)1 << from->g.first[t + 1]) - ((Set)1 << from->g.first[t]);
  return from->racy & thread;
}

/* Condition 6': a thread on the cycle of a read. */
static bool has_race_on_cycle (const Node *from, const Node *to, int r) {
  for (Set s = to->porf.row[r] & to->porf_to.row[r]; s; s &= s - 1)
    if (has_race (from, to->g.event[__builtin_ctzll (s)].thread)) return true;
  return false;
}

static bool cycles_have_races (const Node *from, const Node *to, Set committed) {
  for (Set s = to->cyclic & to->g.R & ~committed; s; s &= s - 1) {
    int r = __builtin_ctzll (s);
    if (reads_from_elsewhere (&to->g, r) && !has_race_on_cycle (from, to, r)) return false;
  }
  return true;
}

/* ---- closure ---- */

static bool reexecutes (Xmm *x, const Node *from, Node *to) {
  if (!to->has_commits) list_commits (x, to);
  Set absent = 0; /* initial writes of variables that only G' accesses */
  for (int v = 0; v < PROG_VARS; v++)
    if (to->g.init[v] >= 0 && from->g.init[v] < 0) absent |= (Set)1 << to->g.init[v];
  for (size_t i = 0; i < to->commit_count && count_step (x); i++) {
    if (!(x->is_repaired ? cycles_have_races : is_driven_by_race) (from, to, to->commits[i]))
      continue;
    Embedding m = {.from = from, .to = to, .is_repaired = x->is_repaired};
    if (embed (&m, to->commits[i] & ~absent)) return true;
  }
  return false;
}

static void close_nodes (Xmm *x) {
  Node **queue = malloc ((x->size + 1) * sizeof (Node *)),
       **rest = malloc ((x->size + 1) * sizeof (Node *));
  if (!queue || !rest) abort ();
  size_t reached = 0, left = 0;
  for (size_t i = 0; i < x->size; i++)
    if (x->nodes[i]->is_reachable)
      queue[reached++] = x->nodes[i];
    else
      rest[left++] = x->nodes[i];
  for (size_t i = 0; i < reached && !x->gave_up; i++) {
    size_t kept = 0;
    for (size_t k = 0; k < left; k++) {
      if (!x->gave_up && reexecutes (x, queue[i], rest[k])) {
        rest[k]->is_reachable = true;
        queue[reached++] = rest[k];
      } else {
        rest[kept++] = rest[k];
      }
    }
    left = kept;
  }
  free (queue);
  free (rest);
}

static bool has_grown (const Cand *g) {
  for (int t = 0; t <= g->threads; t++)
    if (g->trace[t]->has_grown) return true;
  return false;
}

static bool each (const Prog *p, bool is_repaired, OracleOptions o, OracleVisit visit, void *arg) {
  Xmm x = {.options = o, .is_repaired = is_repaired};
  OracleOptions base = o;
  base.limit = 100 * o.limit;
  if (!oracle_each (p, &oracle_c20, base, collect, &x)) x.gave_up = true;
  if (!x.gave_up) close_nodes (&x);
  for (size_t i = 0; i < x.size && !x.gave_up; i++)
    if (x.nodes[i]->is_reachable && has_grown (&x.nodes[i]->g)) x.gave_up = true;
  bool more = !x.gave_up;
  for (size_t i = 0; i < x.size; i++) {
    Node *n = x.nodes[i];
    if (more && n->is_reachable) more = visit (arg, &n->g);
    free (n->commits);
    free (n);
  }
  free (x.nodes);
  return !x.gave_up;
}

bool xmm_each (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit, void *arg) {
  (void)m;
  return each (p, false, o, visit, arg);
}

bool xmm_repaired_each (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit,
                        void *arg) {
  (void)m;
  return each (p, true, o, visit, arg);
}

bool cand_is_cyclic (const Cand *g) { return !rel_is_acyclic (rel_or (g->sb, g->rf)); }

bool cand_has_lb_race (const Cand *g) {
  Rel porf = rel_plus (rel_or (g->sb, g->rf));
  return racy_reads (g, &porf);
}
