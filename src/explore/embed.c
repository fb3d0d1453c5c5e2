/* embed.c - condition 3 of re-execution, with 6' and 7: docs/XMM.md §3. */
#include "explore/reexecute.h"

enum { MOST_COMMITTED = 64 };

typedef struct Embedding {
  const Graph *g;
  const Evidence *v;
  const u32 *promised;
  u32 size;
  Ev list[MOST_COMMITTED]; /* the committed events of g, by thread, then in program order */
  u64 rpo[MOST_COMMITTED]; /* those before it, by place in the list */
  u32 image[MOST_COMMITTED];
} Embedding;

static bool list_committed (Embedding *m, const bool *is_in) {
  const Graph *g = m->g;
  for (Tid t = 0; t < g->nthreads; t++)
    for (u32 i = 0; i < g->threads[t].events.size; i++) {
      if (!is_in[g->threads[t].events.data[i]]) continue;
      if (m->size == MOST_COMMITTED) return false;
      m->list[m->size++] = g->threads[t].events.data[i];
    }
  bool *marks = mem_alloc (g->events.size);
  for (u32 i = 0; i < m->size; i++) {
    const Event *x = graph_event (g, m->list[i]);
    mark_rpo_before (g, m->list[i], marks);
    m->rpo[i] = 0;
    for (u32 k = 0; k < i; k++) {
      const Event *y = graph_event (g, m->list[k]);
      if (y->tid == x->tid && marks[y->index]) m->rpo[i] |= 1ull << k;
    }
  }
  mem_free (marks);
  return true;
}

/* The pieces of evidence that have all the pairs of committed reads. */
static bool find_pieces (const Reexecution *re, const Embedding *m, u64 *pieces, u32 words) {
  for (u32 w = 0; w < words; w++) pieces[w] = ~0ull;
  if (re->table.size % 64) pieces[words - 1] = (1ull << re->table.size % 64) - 1;
  for (u32 i = 0; i < m->size; i++) {
    const Event *x = graph_event (m->g, m->list[i]);
    if (x->kind != KIND_READ || x->rf == EV_INIT) continue;
    u32 number = m->promised[m->list[i]];
    if (x->rf != EV_NONE) {
      Label read = label_of (m->g, m->list[i]);
      const Event *source = graph_event (m->g, x->rf);
      number = find_pair (re, &read, source->tid, source->order);
    }
    if (number == NUMBER_NONE) return false;
    const Pair *p = &re->pairs.data[number];
    bool is_any = false;
    for (u32 w = 0; w < words; w++) {
      pieces[w] &= w < p->in.size ? p->in.data[w] : 0;
      is_any |= pieces[w] != 0;
    }
    if (!is_any) return false;
  }
  return true;
}

static bool keeps_source (const Embedding *m, u32 i) {
  const Event *x = graph_event (m->g, m->list[i]);
  if (x->kind != KIND_READ) return true;
  u32 source = m->v->kept[m->image[i]].source;
  if (x->rf == EV_INIT) return source == NUMBER_INIT;
  return source != NUMBER_INIT;
}

/* A read that has no source yet, but a pair. */
static bool keeps_promise (const Reexecution *re, const Embedding *m, u32 i) {
  const Event *x = graph_event (m->g, m->list[i]);
  if (x->kind != KIND_READ || x->rf != EV_NONE) return true;
  const Pair *p = &re->pairs.data[m->promised[m->list[i]]];
  const Label *source = &m->v->kept[m->v->kept[m->image[i]].source].label;
  return source->tid == p->source_tid && source->order == p->source_order;
}

/* Of two events, k before i in the list. */
static bool keeps_relations (const Embedding *m, u32 k, u32 i) {
  const Event *a = graph_event (m->g, m->list[k]), *b = graph_event (m->g, m->list[i]);
  const Kept *fa = &m->v->kept[m->image[k]], *fb = &m->v->kept[m->image[i]];
  if (m->image[k] == m->image[i]) return false;
  if (b->kind == KIND_READ && b->rf == m->list[k] && fb->source != m->image[k]) return false;
  if (a->kind == KIND_READ && a->rf == m->list[i] && fa->source != m->image[i]) return false;
  if (a->kind == KIND_WRITE && b->kind == KIND_WRITE && a->loc == b->loc &&
      (a->mopos < b->mopos) != (fa->rank < fb->rank))
    return false;
  if (a->tid != b->tid) return true;
  if ((m->rpo[i] >> k & 1) && !(fb->before >> fa->index & 1)) return false;
  if (a->kind != KIND_READ || b->kind != KIND_WRITE) return true;
  bool is_rmw = (a->flags & b->flags & EVENT_EXCLUSIVE) && a->index + 1 == b->index;
  return fa->index < fb->index && (!is_rmw || (fb->half && m->image[k] + 1 == m->image[i]));
}

static bool embed (const Reexecution *re, Embedding *m, u32 i) {
  if (i == m->size) return true;
  Label label = label_of (m->g, m->list[i]);
  for (u32 f = 0; f < m->v->count; f++) {
    if (memcmp (&m->v->kept[f].label, &label, sizeof label) != 0) continue;
    m->image[i] = f;
    bool fits = keeps_source (m, i) && keeps_promise (re, m, i);
    for (u32 k = 0; k < i && fits; k++) fits = keeps_relations (m, k, i);
    if (fits && embed (re, m, i + 1)) return true;
  }
  return false;
}

static bool has_raced (const Evidence *v, const u64 *cycles, u32 count) {
  for (u32 i = 0; i < count; i++)
    if (!(v->racy & cycles[i])) return false;
  return true;
}

bool has_evidence (Reexecution *re, const Graph *g, const bool *is_in, const u32 *promised,
                   const u64 *cycles, u32 count) {
  Embedding m = {.g = g, .promised = promised};
  if (!list_committed (&m, is_in)) {
    re->not_tried++;
    return false;
  }
  u32 words = (re->table.size + 63) / 64;
  u64 *pieces = mem_alloc ((words + 1) * sizeof *pieces);
  bool is_found = false;
  if (find_pieces (re, &m, pieces, words))
    for (u32 w = 0; w < words && !is_found; w++)
      for (u64 bits = pieces[w]; bits && !is_found; bits &= bits - 1) {
        m.v = re->table.data[64 * w + (u32)__builtin_ctzll (bits)];
        is_found = has_raced (m.v, cycles, count) && embed (re, &m, 0);
      }
  mem_free (pieces);
  return is_found;
}
