/* cyclic_core.c - whether a graph that was built by promises is the core of an execution of XMM:
 * everything in it is on a cycle of po and rf, or before one; some of its reads can be committed,
 * by some evidence, so that the rest meets the conditions; and there is a way to complete it.
 */
#include "explore/cyclic/xmm/xmm.h"
#include "witness/witness.h"

enum { MOST_CYCLES = 16 };

typedef struct Candidate {
  Guide *s;
  const Graph *g;
  Closure porf;
  VEC (Ev) reads;   /* that read from other threads */
  VEC (Ev) cycles;  /* the first event of each */
  bool *is_in;      /* the committed events, closed */
  bool is_doubtful; /* all but an execution was found */
} Candidate;

static bool is_whole_core (const Candidate *c) {
  for (Ev e = c->g->events.size; e-- > 1;)
    if (!xmm_is_in_core (&c->porf, c->g, e)) return false;
  return true;
}

static void list_reads_and_cycles (Candidate *c) {
  for (Ev e = 1; e < c->g->events.size; e++) {
    const Event *x = graph_event (c->g, e);
    if (x->kind == KIND_READ && guide_is_elsewhere (c->g, e, x->rf)) vec_push (&c->reads, e);
    bool is_first = is_on_cycle (&c->porf, e);
    for (Ev b = 1; b < e && is_first; b++) is_first = !are_on_cycle (&c->porf, b, e);
    if (is_first) vec_push (&c->cycles, e);
  }
}

static void close_candidate (Candidate *c) {
  memcpy (c->is_in, c->s->is_committed.data, c->g->events.size);
  xmm_close_commits (c->g, c->is_in);
}

/* Condition 4. */
static bool is_stable (Candidate *c) {
  Guide *s = c->s;
  memset (s->sources, 0, sizeof s->sources);
  for (u32 i = 0; i < c->reads.size; i++) {
    const Event *r = graph_event (c->g, c->reads.data[i]);
    if (!c->is_in[c->reads.data[i]]) s->sources[r->tid] |= 1ull << graph_event (c->g, r->rf)->tid;
  }
  for (Tid t = 0; t < c->g->nthreads; t++)
    if (guide_reads_in_circles (s, t)) return false;
  Closure order;
  closure_init_without (&order, c->g, c->is_in);
  bool is_acyclic = true;
  for (Ev e = 1; e < c->g->events.size && is_acyclic; e++) is_acyclic = !is_on_cycle (&order, e);
  closure_done (&order);
  return is_acyclic;
}

static bool is_committed_cycle (const Candidate *c, Ev first) {
  for (u32 i = 0; i < c->reads.size; i++)
    if (!c->is_in[c->reads.data[i]] && are_on_cycle (&c->porf, c->reads.data[i], first))
      return false;
  return true;
}

/* For condition 6': of each cycle with uncommitted reads from other threads, the threads on it. */
static u32 list_races (const Candidate *c, u64 *threads) {
  u32 count = 0;
  for (u32 i = 0; i < c->cycles.size; i++) {
    if (is_committed_cycle (c, c->cycles.data[i])) continue;
    threads[count] = 0;
    for (Ev e = 1; e < c->g->events.size; e++)
      if (are_on_cycle (&c->porf, e, c->cycles.data[i]))
        threads[count] |= 1ull << graph_event (c->g, e)->tid;
    count++;
  }
  return count;
}

static bool can_have (const Candidate *c, const u64 *threads, u32 count) {
  return evidence_is_given (c->s->x->cyclic.reexecution, c->g, c->is_in, c->s->promised.data,
                            c->g->events.size, threads, count);
}

/* Whether what is committed now will do. */
static bool is_enough (Candidate *c) {
  u64 threads[MOST_CYCLES];
  u32 count = list_races (c, threads);
  if (!is_stable (c) || (count && !can_have (c, threads, count))) return false;
  c->is_doubtful = true;
  c->s->cycles = threads;
  c->s->cycle_count = count;
  bool is_good = guide_completes (c->s);
  c->s->cycles = NULL;
  c->s->cycle_count = 0;
  return is_good;
}

/* Some of the reads from the i-th on are committed. Without evidence for some there is none for
 * more. */
static bool choose_reads (Candidate *c, u32 i) {
  close_candidate (c);
  if (!can_have (c, NULL, 0)) return false;
  if (is_enough (c)) return true;
  for (; i < c->reads.size && !guide_must_end (c->s); i++) {
    bool *is_committed = &c->s->is_committed.data[c->reads.data[i]];
    close_candidate (c);
    if (c->is_in[c->reads.data[i]]) continue;
    *is_committed = true;
    bool is_good = choose_reads (c, i + 1);
    c->s->is_committed.data[c->reads.data[i]] = false;
    if (is_good) return true;
  }
  return false;
}

/* Some of the cycles from the i-th on are kept: all reads on them that read from other threads are
 * committed. */
static bool choose_cycles (Candidate *c, u32 i) {
  if (i == c->cycles.size) return choose_reads (c, 0);
  if (choose_cycles (c, i + 1)) return true;
  u32 n = c->g->events.size;
  bool *before = mem_alloc (n), *now = c->s->is_committed.data;
  memcpy (before, now, n);
  for (u32 k = 0; k < c->reads.size; k++)
    if (are_on_cycle (&c->porf, c->reads.data[k], c->cycles.data[i])) now[c->reads.data[k]] = true;
  bool is_good = choose_cycles (c, i + 1);
  memcpy (c->s->is_committed.data, before, n);
  mem_free (before);
  return is_good;
}

static bool is_possible (Candidate *c) {
  Guide *s = c->s;
  u32 n = c->g->events.size;
  u64 sources[THREADS_MAX];
  bool *is_committed = mem_alloc (n);
  memcpy (is_committed, s->is_committed.data, n);
  memcpy (sources, s->sources, sizeof sources);
  memset (s->is_committed.data, 0, n);
  c->is_in = mem_alloc (n);
  list_reads_and_cycles (c);
  if (c->cycles.size > MOST_CYCLES) s->x->cyclic.reexecution->not_tried++;
  bool is_good = c->cycles.size <= MOST_CYCLES && choose_cycles (c, 0);
  memcpy (s->is_committed.data, is_committed, n);
  memcpy (s->sources, sources, sizeof sources);
  mem_free (is_committed);
  mem_free (c->is_in);
  vec_free (&c->reads);
  vec_free (&c->cycles);
  return is_good;
}

static void keep_core (Guide *s) {
  Graph *core = graph_new (s->x->known.stride);
  graph_copy_until (core, s->g, s->g->events.size - 1, EV_NONE, NULL);
  vec_push (&s->x->cyclic.reexecution->cores, core);
}

static void try_candidate (Candidate *c) {
  Guide *s = c->s;
  Reexecution *re = s->x->cyclic.reexecution;
  Execution now = explorer_execution (s->x);
  u64 key = execution_hash (&now, 1), value, state = 2ull * re->table.size + s->is_generous;
  if (map_get (&re->known, key, &value)) {
    s->x->result.stats.known_cores++;
    return;
  }
  if (map_get (&re->tried, key, &value) && value == state) return;
  bool is_good = is_possible (c);
  if (guide_must_end (s)) return;
  if (is_good) {
    map_put (&re->known, key, 1);
    keep_core (s);
    return;
  }
  map_put (&re->tried, key, state);
  re->has_doubts |= c->is_doubtful;
}

void xmm_try_core (Guide *s) {
  Candidate c = {.s = s, .g = s->g};
  closure_init (&c.porf, s->g);
  if (is_whole_core (&c)) try_candidate (&c);
  closure_done (&c.porf);
}
