/* evidence.c - what graphs with load-buffering races contribute to re-execution: docs/XMM.md §3. */
#include "explore/cyclic/xmm/xmm.h"

#include <stdlib.h>

/* ---- LB races ---- */

/* A write of the location of r, after r in (po | rf)+, that r does not read and that hb does not
 * order with it. */
static bool is_lb_race (const Graph *g, Ev r, Ev w) {
  return graph_event (g, r)->rf != w && graph_is_porf (g, r, w) && !graph_is_hb (g, r, w) &&
         !graph_is_hb (g, w, r);
}

/* What is before w in (po | rf)+ is so in hb: then no read races with it. Mostly it is so. */
static inline bool is_synchronised (const Graph *g, Ev w) {
  const Clock *porf = graph_porf (g, w), *hb = porf + g->stride;
  for (u32 i = 0; i < g->stride; i += 4) { /* a word has four */
    u64 a, b;
    memcpy (&a, porf + i, sizeof a);
    memcpy (&b, hb + i, sizeof b);
    if (a != b) return false;
  }
  return true;
}

static u64 races_with (const Graph *g, const Location *l, Ev w, u64 *count) {
  u64 racy = 0;
  for (u32 k = 0; k < l->reads.size; k++) {
    if (!is_lb_race (g, l->reads.data[k], w)) continue;
    racy |= 1ull << graph_event (g, l->reads.data[k])->tid % 64;
    ++*count;
  }
  return racy;
}

/* Of all LB races, or, with `is_any`, of some: the threads that read. */
static u64 racy_threads (const Graph *g, bool is_any, u64 *count) {
  u64 racy = 0;
  for (u32 i = 0; i < g->active.size; i++) {
    const Location *l = graph_location (g, g->active.data[i]);
    for (u32 p = 1; p < l->mo.size; p++) {
      if (LIKELY (is_synchronised (g, l->mo.data[p]))) continue;
      racy |= races_with (g, l, l->mo.data[p], count);
      if (racy && is_any) return racy;
    }
  }
  return racy;
}

/* What races with a write is before it in (po | rf)+, so it is there when the write is added. */
void evidence_note_lb_races (Explorer *x, Ev w) {
  u64 count = 0;
  if (LIKELY (is_synchronised (x->g, w))) return;
  x->cyclic.may_race =
      races_with (x->g, graph_location (x->g, graph_event (x->g, w)->loc), w, &count);
}

/* ---- weak writes ---- */

/* Whether some thread of the set reads a write of another that does not release. Without that there
 * is no new cycle: docs/XMM.md, "Whether there can be cycles". */
static bool has_weak_source (const Graph *g, u64 threads) {
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *r = graph_event (g, e);
    if (r->kind == KIND_READ && r->rf != EV_INIT && has_group (threads, r->tid) &&
        graph_event (g, r->rf)->tid != r->tid && !order_is_release (graph_event (g, r->rf)->order))
      return true;
  }
  return false;
}

/* ---- evidence ---- */

Label evidence_label_of (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  return (Label){
      .value = x->value, .loc = x->loc, .tid = x->tid, .kind = x->kind, .order = x->order};
}

bool xmm_has_waiting (const Graph *g, u64 threads) {
  for (Tid t = 0; t < g->nthreads; t++) {
    if (g->threads[t].created_by == EV_NONE || !has_group (threads, t)) continue;
    const Effect *e = thread_effect (g, t);
    if (g->threads[t].is_waiting || (e->kind < EFF_BLOCK && e->kind != EFF_JOIN) ||
        (e->kind == EFF_BLOCK && e->value == BLOCK_SPIN))
      return true;
  }
  return false;
}

static bool note_thread (u64 *set, Tid t) {
  bool is_new = !(*set >> t & 1);
  *set |= 1ull << t;
  return is_new;
}

void evidence_note_users (Reexecution *re, u32 loc, Users users) {
  while (re->users.size <= loc) vec_push (&re->users, (Users){0});
  Users *known = &re->users.data[loc];
  if (!(users.readers & ~known->readers) && !(users.writers & ~known->writers)) return;
  known->readers |= users.readers;
  known->writers |= users.writers;
  re->has_new_users = true;
  for (Tid t = 0; t < THREADS_MAX; t++)
    if (known->readers >> t & 1) re->feeds[t] |= known->writers & ~(1ull << t);
}

void evidence_note_user (Explorer *x, const Event *e) {
  Reexecution *re = x->cyclic.reexecution;
  u64 thread = 1ull << e->tid;
  if (e->kind == KIND_CREATE) re->has_new_users |= note_thread (&re->creators, e->tid);
  if (e->kind == KIND_JOIN && (x->cyclic.has_group >> e->tid & 1))
    re->has_new_users |= note_thread (&re->joined, (Tid)e->value);
  if (e->kind == KIND_READ) evidence_note_users (re, e->loc, (Users){.readers = thread});
  if (e->kind == KIND_WRITE) evidence_note_users (re, e->loc, (Users){.writers = thread});
}

/* ---- the table ---- */

void evidence_forget (Reexecution *re) {
  for (u32 i = 0; i < re->table.size; i++) mem_free (re->table.data[i]);
  for (u32 i = 0; i < re->pairs.size; i++) vec_free (&re->pairs.data[i].in);
  for (u32 i = 0; i < re->holders.size; i++) vec_free (&re->holders.data[i]);
  vec_free (&re->holders);
  map_free (&re->holder_of);
  vec_free (&re->table);
  vec_free (&re->pairs);
  map_free (&re->places);
  map_free (&re->pair_of);
  map_free (&re->first_pair);
  re->indexed = 0;
  map_free (&re->answers);
}

static u64 hash_of_pair (const Label *read, Tid source_tid, u8 source_order) {
  return hash_mix (hash_bytes (read, sizeof *read, 1), (u64)source_tid << 8 | source_order);
}

static u64 place_of_pairs (Tid t, u32 loc) { return (u64)loc << 8 | t; }

u32 evidence_find_pair (const Reexecution *re, const Label *read, Tid source_tid, u8 source_order) {
  u64 number;
  return map_get (&re->pair_of, hash_of_pair (read, source_tid, source_order), &number)
             ? (u32)number
             : NUMBER_NONE;
}

u32 evidence_first_pair (const Reexecution *re, Tid t, u32 loc) {
  u64 number;
  return map_get (&re->first_pair, place_of_pairs (t, loc), &number) ? (u32)number : NUMBER_NONE;
}

static u32 need_pair (Reexecution *re, const Label *read, const Label *source) {
  u32 number = evidence_find_pair (re, read, source->tid, source->order);
  if (number != NUMBER_NONE) return number;
  number = re->pairs.size;
  vec_push (&re->pairs, ((Pair){.read = *read,
                                .source_tid = source->tid,
                                .source_order = source->order,
                                .next = evidence_first_pair (re, read->tid, read->loc)}));
  map_put (&re->pair_of, hash_of_pair (read, source->tid, source->order), number);
  map_put (&re->first_pair, place_of_pairs (read->tid, read->loc), number);
  return number;
}

static void add_number (Bits *b, u32 number) {
  while (b->size < bits_words (number + 1)) vec_push (b, 0);
  bits_put (b->data, number);
}

static u64 hash_of_holders (const Label *label, u32 times) {
  return hash_mix (hash_bytes (label, sizeof *label, 3), times);
}

const Bits *evidence_find_holders (const Reexecution *re, const Label *label, u32 times) {
  u64 number;
  return map_get (&re->holder_of, hash_of_holders (label, times), &number)
             ? &re->holders.data[number]
             : NULL;
}

static void index_label (Reexecution *re, const Evidence *v, u32 i, u32 number) {
  const Label *label = &v->kept[i].label;
  u32 times = 1;
  for (u32 k = 0; k < i; k++) times += !memcmp (&v->kept[k].label, label, sizeof *label);
  u64 hash = hash_of_holders (label, times), holder;
  if (!map_get (&re->holder_of, hash, &holder)) {
    holder = re->holders.size;
    map_put (&re->holder_of, hash, holder);
    vec_push (&re->holders, (Bits){0});
  }
  add_number (&re->holders.data[holder], number);
}

static void index_one (Reexecution *re, u32 number) {
  const Evidence *v = re->table.data[number];
  for (u32 i = 0; i < v->count; i++) {
    const Kept *k = &v->kept[i];
    index_label (re, v, i, number);
    if (k->label.kind != KIND_READ || k->source == NUMBER_INIT) continue;
    u32 pair = need_pair (re, &k->label, &v->kept[k->source].label);
    add_number (&re->pairs.data[pair].in, number);
  }
}

static int compare_names (const void *a, const void *b) {
  u64 p = (*(Evidence *const *)a)->name, q = (*(Evidence *const *)b)->name;
  return p < q ? -1 : p > q;
}

void evidence_index (Reexecution *re) {
  u32 first = re->indexed;
  if (re->table.size > first)
    qsort (re->table.data + first, re->table.size - first, sizeof *re->table.data, compare_names);
  while (re->indexed < re->table.size) index_one (re, re->indexed++);
}

static u64 name_of (const Explorer *x, const Evidence *v) {
  u64 h = hash_mix (hash_mix (1, v->racy), v->count);
  for (u32 i = 0; i < v->count; i++) {
    const Kept *k = &v->kept[i];
    const Label *l = &k->label;
    h = hash_mix (h, l->loc == LOC_NONE ? 0 : x->addresses.data[l->loc]);
    h = hash_mix (h, l->value);
    h = hash_mix (h, (u64)l->tid << 16 | (u64)l->kind << 8 | l->order);
    h = hash_mix (h, k->before);
    h = hash_mix (h, (u64)k->index << 32 | k->source);
    h = hash_mix (h, (u64)k->rank << 32 | k->half);
  }
  return h;
}

bool evidence_add (Explorer *x, Evidence *v) {
  enum { MOST_EVIDENCE = 100000 };
  Reexecution *re = x->cyclic.reexecution;
  u64 place;
  v->name = name_of (x, v);
  bool is_new = !map_get (&re->places, v->name, &place);
  if (is_new && re->table.size == MOST_EVIDENCE) {
    re->not_tried++;
    is_new = false;
  }
  if (is_new) {
    map_put (&re->places, v->name, 1);
    vec_push (&re->table, v);
  } else
    mem_free (v);
  return is_new;
}

/* ---- evidence ---- */

/* The closed set, by thread, then in program order; `number` is set for each. */
static u32 list_events (const Graph *g, const bool *is_in, Ev *list, u32 *number) {
  u32 count = 0;
  for (Tid t = 0; t < g->nthreads; t++)
    for (u32 i = 0; i < g->threads[t].events.size; i++) {
      Ev e = g->threads[t].events.data[i];
      if (!is_in[e]) continue;
      number[e] = count;
      list[count++] = e;
    }
  return count;
}

static u32 rank_of (const Graph *g, const bool *is_in, const Event *w) {
  const Location *l = graph_location (g, w->loc);
  u32 rank = 0;
  for (u32 p = 1; p < w->mopos; p++) rank += is_in[l->mo.data[p]];
  return rank;
}

static void keep (const Graph *g, const bool *is_in, const u32 *number, Ev e, const bool *marks,
                  Kept *k) {
  const Event *x = graph_event (g, e);
  k->label = evidence_label_of (g, e);
  k->source = NUMBER_INIT;
  if (x->kind == KIND_READ && x->rf != EV_INIT) k->source = number[x->rf];
  if (x->kind == KIND_WRITE) k->rank = rank_of (g, is_in, x);
  k->half =
      x->kind == KIND_WRITE && (x->flags & EVENT_EXCLUSIVE) && is_in[graph_po_previous (g, e)];
  for (u32 i = 0; i < x->index; i++) {
    Ev before = g->threads[x->tid].events.data[i];
    if (!is_in[before]) continue;
    if (marks[i]) k->before |= 1ull << k->index;
    k->index++;
  }
}

static void file_evidence (Explorer *x, const bool *is_in, u64 racy) {
  enum { MOST_KEPT_OF_THREAD = 64 };
  const Graph *g = x->g;
  u32 n = g->events.size;
  Ev *list = mem_alloc (n * sizeof *list);
  u32 *number = mem_alloc (n * sizeof *number);
  bool *marks = mem_alloc (n);
  u32 count = list_events (g, is_in, list, number);
  size_t size = sizeof (Evidence) + count * sizeof (Kept);
  Evidence *v = mem_zalloc (size);
  v->racy = racy;
  v->count = count;
  bool fits = true;
  for (u32 i = 0; i < count && fits; i++) {
    fits = graph_event (g, list[i])->index < MOST_KEPT_OF_THREAD;
    if (!fits) break;
    xmm_mark_rpo_before (g, list[i], marks);
    keep (g, is_in, number, list[i], marks, &v->kept[i]);
  }
  if (fits)
    evidence_add (x, v);
  else {
    x->cyclic.reexecution->not_tried++;
    mem_free (v);
  }
  mem_free (list);
  mem_free (number);
  mem_free (marks);
}

/* What the threads of one group leave. */
static void collect_of_group (Explorer *x, u64 members, u64 racy, const Closure *porf) {
  const Graph *g = x->g;
  bool *is_in = mem_zalloc (g->events.size), has_cycle = false, is_any = false;
  for (Ev e = 1; e < g->events.size; e++)
    has_cycle |= has_group (members, graph_event (g, e)->tid) && is_on_cycle (porf, e);
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *r = graph_event (g, e);
    if (r->kind != KIND_READ || !has_group (members, r->tid)) continue;
    is_in[e] = has_cycle || (r->rf != EV_INIT && graph_event (g, r->rf)->tid != r->tid);
    is_any |= is_in[e];
  }
  if (is_any && (has_cycle || ((racy & members) && has_weak_source (g, members)))) {
    xmm_close_commits (g, is_in);
    file_evidence (x, is_in, racy & members);
  }
  mem_free (is_in);
}

static void collect (Explorer *x, u64 racy) {
  const Graph *g = x->g;
  Closure porf;
  closure_init (&porf, g);
  for (Ev e = 1; e < g->events.size; e++) evidence_note_user (x, graph_event (g, e));
  for (Tid t = 0; t < g->nthreads; t++)
    if (groups_members (x, t)) collect_of_group (x, groups_members (x, t), racy, &porf);
  closure_done (&porf);
}

/* Until there is an LB race, nothing else is done. Then the search begins anew, with values noted;
 * if there can be cycles of that, once more, with evidence. */
void evidence_collect (Explorer *x) {
  u64 races = 0;
  if (x->known.load_buffering == LB_NO_RACE) {
    if (LIKELY (!x->cyclic.may_race) || !racy_threads (x->g, true, &races)) return;
    learn (x, load_buffering, LB_RACES);
    learn (x, is_asymmetric, 0); /* threads have numbers */
    x->must_restart_now = true;
    return;
  }
  if (x->g->nthreads > THREADS_MAX) {
    explorer_not_covered (x, 0, "load buffering of programs with more than 64 threads");
    return;
  }
  u64 racy = racy_threads (x->g, false, &races);
  x->result.stats.lb_races += races;
  if (!x->model->promises) groups_note (x);
  if (x->must_restart) return;
  if (!x->model->promises || x->known.load_buffering == LB_RACES)
    xmm_note_values (x->cyclic.reexecution, x->g);
  if (x->known.load_buffering == LB_RACES) {
    x->cyclic.reexecution->has_weak_sources |= racy && has_weak_source (x->g, ~0ull);
  } else if ((racy || x->cyclic.core) && !xmm_has_waiting (x->g, ~0ull)) {
    if (x->model->promises)
      x->hooks->collect_promises (x);
    else
      collect (x, racy);
  }
}
