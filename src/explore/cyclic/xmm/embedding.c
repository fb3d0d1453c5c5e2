/* embedding.c - condition 3 of re-execution, with 6' and 7: docs/XMM.md §2.
 *
 * What is asked is written down without the graph that it comes from. The same is asked of many
 * graphs, so that answers are kept, with how much evidence there was.
 */
#include "explore/cyclic/xmm/xmm.h"

enum { MOST_COMMITTED = 64 };

/* A committed event. */
typedef struct Wanted {
  Label label;
  u64 rpo;    /* those before it, by place in the list */
  u64 later;  /* of reads of what is to come: those before that */
  u64 reads;  /* the same: reads of the source's thread */
  u32 source; /* of reads: its place in the list, or NUMBER_INIT, or NUMBER_NONE: it is to come */
  u32 pair;   /* of reads of what is to come */
  u32 rank;   /* of writes: among those of the location in the list, by mo */
  u32 half;   /* 1: the write half of an update, whose read half is the one before */
} Wanted;

typedef struct Embedding {
  const Reexecution *re;
  const Evidence *v;
  Ev decided; /* promised reads before that wait for what is to come */
  u32 size;
  Wanted list[MOST_COMMITTED]; /* by thread, then in program order */
  u32 image[MOST_COMMITTED];
} Embedding;

/* ---- what is asked ---- */

static u32 rank_among (const Graph *g, const bool *is_in, const Event *w) {
  const Location *l = graph_location (g, w->loc);
  u32 rank = 0;
  for (u32 p = 1; p < w->mopos; p++) rank += is_in[l->mo.data[p]];
  return rank;
}

/* What comes before a source that is not there yet. */
static void describe_source (Embedding *m, const Graph *g, Wanted *w, const bool *is_in,
                             const u32 *place, bool *marks) {
  const Pair *p = &m->re->pairs.data[w->pair];
  if (p->source_tid >= g->nthreads) return;
  const ThreadLine *line = &g->threads[p->source_tid];
  xmm_mark_rpo_before_next (g, p->source_tid, p->source_order, marks);
  for (u32 i = 0; i < line->events.size; i++) {
    Ev e = line->events.data[i];
    if (!is_in[e]) continue;
    if (marks[i]) w->later |= 1ull << place[e];
    if (graph_event (g, e)->kind == KIND_READ) w->reads |= 1ull << place[e];
  }
}

static void describe (Embedding *m, const Graph *g, Ev e, const bool *is_in, const u32 *place,
                      const u32 *promised, bool *marks) {
  const Event *x = graph_event (g, e);
  Wanted *w = &m->list[place[e]];
  *w = (Wanted){.label = evidence_label_of (g, e), .source = NUMBER_NONE, .pair = NUMBER_NONE};
  if (x->kind == KIND_READ && x->rf == EV_NONE) {
    w->pair = promised[e];
    if (e < m->decided) describe_source (m, g, w, is_in, place, marks);
  }
  if (x->kind == KIND_READ && x->rf != EV_NONE)
    w->source = x->rf == EV_INIT ? NUMBER_INIT : place[x->rf];
  if (x->kind == KIND_WRITE) {
    w->rank = rank_among (g, is_in, x);
    w->half = (x->flags & EVENT_EXCLUSIVE) && is_in[graph_po_previous (g, e)];
  }
  xmm_mark_rpo_before (g, e, marks);
  for (u32 i = 0; i < x->index; i++) {
    Ev before = g->threads[x->tid].events.data[i];
    if (marks[i] && is_in[before]) w->rpo |= 1ull << place[before];
  }
}

/* False if there is too much of it. */
static bool list_committed (Embedding *m, const Graph *g, const bool *is_in, const u32 *promised) {
  u32 n = g->events.size;
  Ev list[MOST_COMMITTED];
  u32 *place = mem_alloc (n * sizeof *place);
  bool *marks = mem_alloc (n), fits = true;
  for (Tid t = 0; t < g->nthreads; t++)
    for (u32 i = 0; i < g->threads[t].events.size && fits; i++) {
      Ev e = g->threads[t].events.data[i];
      if (!is_in[e]) continue;
      fits = m->size < MOST_COMMITTED;
      if (!fits) break;
      place[e] = m->size;
      list[m->size++] = e;
    }
  for (u32 i = 0; i < m->size && fits; i++) describe (m, g, list[i], is_in, place, promised, marks);
  mem_free (place);
  mem_free (marks);
  return fits;
}

/* ---- where it may be found ---- */

static u32 pair_of (const Embedding *m, const Wanted *w) {
  if (w->source == NUMBER_NONE) return w->pair;
  const Label *source = &m->list[w->source].label;
  return evidence_find_pair (m->re, &w->label, source->tid, source->order);
}

static bool intersect (u64 *pieces, u32 words, const Bits *with) {
  bool is_any = false;
  for (u32 w = 0; w < words; w++) {
    pieces[w] &= w < with->size ? with->data[w] : 0;
    is_any |= pieces[w] != 0;
  }
  return is_any;
}

static const Bits *holders_of (const Embedding *m, u32 i) {
  u32 times = 1;
  for (u32 k = 0; k < i; k++)
    times += !memcmp (&m->list[k].label, &m->list[i].label, sizeof (Label));
  return evidence_find_holders (m->re, &m->list[i].label, times);
}

/* The pieces of evidence that have all the labels, and the pairs of committed reads. */
static bool find_pieces (const Embedding *m, u64 *pieces, u32 words) {
  const Reexecution *re = m->re;
  for (u32 w = 0; w < words; w++) pieces[w] = bits_first (re->table.size, w);
  for (u32 i = 0; i < m->size; i++) {
    const Bits *holders = holders_of (m, i);
    if (!holders || !intersect (pieces, words, holders)) return false;
    if (m->list[i].label.kind != KIND_READ || m->list[i].source == NUMBER_INIT) continue;
    u32 number = pair_of (m, &m->list[i]);
    if (number == NUMBER_NONE || !intersect (pieces, words, &re->pairs.data[number].in))
      return false;
  }
  return true;
}

/* ---- embedding it ---- */

static bool keeps_source (const Embedding *m, u32 i) {
  const Wanted *w = &m->list[i];
  if (w->label.kind != KIND_READ) return true;
  u32 source = m->v->kept[m->image[i]].source;
  if (w->source == NUMBER_INIT || source == NUMBER_INIT) return w->source == source;
  if (w->source != NUMBER_NONE) return true;
  const Pair *p = &m->re->pairs.data[w->pair];
  const Label *label = &m->v->kept[source].label;
  return label->tid == p->source_tid && label->order == p->source_order;
}

/* The i-th event may come before a source that is to come, of the k-th. */
static bool keeps_later (const Embedding *m, u32 k, u32 i) {
  const Wanted *r = &m->list[k];
  if (!((r->later | r->reads) >> i & 1)) return true;
  const Kept *w = &m->v->kept[m->v->kept[m->image[k]].source], *e = &m->v->kept[m->image[i]];
  return (!(r->later >> i & 1) || (w->before >> e->index & 1)) && e->index < w->index;
}

/* Of two events, k before i in the list. */
static bool keeps_relations (const Embedding *m, u32 k, u32 i) {
  const Wanted *a = &m->list[k], *b = &m->list[i];
  const Kept *fa = &m->v->kept[m->image[k]], *fb = &m->v->kept[m->image[i]];
  if (m->image[k] == m->image[i] || !keeps_later (m, k, i) || !keeps_later (m, i, k)) return false;
  bool is_read = b->label.kind == KIND_READ, is_write = b->label.kind == KIND_WRITE;
  if (is_read && b->source == k && fb->source != m->image[k]) return false;
  if (a->label.kind == KIND_READ && a->source == i && fa->source != m->image[i]) return false;
  if (a->label.kind == KIND_WRITE && is_write && a->label.loc == b->label.loc &&
      (a->rank < b->rank) != (fa->rank < fb->rank))
    return false;
  if (a->label.tid != b->label.tid) return true;
  if ((b->rpo >> k & 1) && !(fb->before >> fa->index & 1)) return false;
  if (a->label.kind != KIND_READ || !is_write) return true;
  bool is_rmw = b->half && k + 1 == i;
  return fa->index < fb->index && (!is_rmw || (fb->half && m->image[k] + 1 == m->image[i]));
}

static bool embed (Embedding *m, u32 i) {
  if (i == m->size) return true;
  u64 rpo = m->list[i].rpo; /* the last of these is the last before it, also in the evidence */
  u32 first = rpo ? m->image[63 - __builtin_clzll (rpo)] + 1 : 0;
  for (u32 f = first; f < m->v->count; f++) {
    if (memcmp (&m->v->kept[f].label, &m->list[i].label, sizeof (Label)) != 0) continue;
    m->image[i] = f;
    bool fits = keeps_source (m, i);
    for (u32 k = 0; k < i && fits; k++) fits = keeps_relations (m, k, i);
    if (fits && embed (m, i + 1)) return true;
  }
  return false;
}

static bool has_raced (const Evidence *v, const u64 *cycles, u32 count) {
  for (u32 i = 0; i < count; i++)
    if (!(v->racy & cycles[i])) return false;
  return true;
}

/* Whether one of the pieces from `from` on has it. */
static bool look_up (Embedding *m, u32 from, const u64 *cycles, u32 count) {
  u32 words = bits_words (m->re->table.size);
  u64 *pieces = mem_alloc ((words + 1) * sizeof *pieces);
  bool is_found = false;
  if (find_pieces (m, pieces, words))
    for (u32 piece = bits_next (pieces, words, from); piece != BITS_NONE && !is_found;
         piece = bits_next (pieces, words, piece + 1)) {
      m->v = m->re->table.data[piece];
      is_found = has_raced (m->v, cycles, count) && embed (m, 0);
    }
  mem_free (pieces);
  return is_found;
}

/* ---- answers ---- */

/* In one word: 1 bit whether it was found, 31 bits of how many pieces were asked, and 32 of another
 * hash, so that questions with the same key are told apart. */
enum { ANSWER_SHIFT = 32, ANSWER_MASK = 0x7fffffff };

bool evidence_is_given (Reexecution *re, const Graph *g, const bool *is_in, const u32 *promised,
                        Ev decided, const u64 *cycles, u32 count) {
  Embedding m = {.re = re, .decided = decided};
  if (!list_committed (&m, g, is_in, promised)) {
    re->not_tried++;
    return false;
  }
  u64 key = hash_bytes (m.list, m.size * sizeof *m.list, 1), answer = 0;
  u64 check = hash_bytes (m.list, m.size * sizeof *m.list, 2);
  key = hash_bytes (cycles, count * sizeof *cycles, key);
  check = (u32)hash_bytes (cycles, count * sizeof *cycles, check);
  bool is_known = map_get (&re->answers, key, &answer) && (u32)answer == check;
  u32 asked = is_known ? answer >> ANSWER_SHIFT & ANSWER_MASK : 0;
  if (is_known && answer >> 63) return true;
  if (asked == re->table.size) return false;
  bool is_found = look_up (&m, asked, cycles, count);
  map_put (&re->answers, key, (u64)is_found << 63 | (u64)re->table.size << ANSWER_SHIFT | check);
  return is_found;
}
