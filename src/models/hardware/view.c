#include "models/hardware/view.h"

typedef struct Chunk {
  struct Chunk *next;
  u64 words[];
} Chunk;

static void *take (View *v, size_t bytes) {
  size_t n = (bytes + 7) / 8;
  if (n > (size_t)(v->space.end - v->space.at)) {
    size_t size = n < 60000 ? 60000 : n;
    Chunk *c = mem_alloc (sizeof *c + size * 8);
    c->next = v->space.chunks;
    v->space.chunks = c;
    v->space.at = c->words;
    v->space.end = c->words + size;
  }
  u64 *p = v->space.at;
  v->space.at += n;
  return p;
}

u64 *view_sets (View *v, u32 count) {
  size_t bytes = (size_t)count * v->words * sizeof (u64);
  return memset (take (v, bytes), 0, bytes);
}

static u32 *take_numbers (View *v, size_t n) { return take (v, n * sizeof (u32)); }

void view_done (View *v) {
  while (v->space.chunks) {
    Chunk *c = v->space.chunks;
    v->space.chunks = c->next;
    mem_free (c);
  }
}

/* ---- steps ---- */

static u32 append (MapStep *steps, u32 n, const MapStep *from, u32 count) {
  memcpy (steps + n, from, count * sizeof *from);
  return n + count;
}

static u32 write_of (const MapRow *row) {
  u32 i = 0;
  while (i < row->count && row->steps[i].kind != STEP_WRITE) i++;
  return i;
}

static u32 whole_row (const Mapping *m, MapOp op, u32 order, MapStep *steps) {
  return append (steps, 0, m->rows[op][order].steps, m->rows[op][order].count);
}

/* The part of an update that an event stands for. */
static u32 part_of_update (const Mapping *m, const Event *x, MapStep *steps) {
  const MapRow *row = &m->rows[x->is_compare ? MAP_CAS : MAP_RMW][x->joined];
  u32 middle = write_of (row);
  if (x->kind == KIND_WRITE) return append (steps, 0, row->steps + middle, row->count - middle);
  if ((x->flags & EVENT_EXCLUSIVE) || !x->is_compare) return append (steps, 0, row->steps, middle);
  const MapRow *fail = &m->rows[MAP_FAIL][x->order];
  bool is_all = false;
  for (u32 i = 0; i < fail->count; i++) is_all |= fail->steps[i].kind == STEP_READ;
  return append (steps, is_all ? 0 : append (steps, 0, row->steps, middle), fail->steps,
                 fail->count);
}

u32 view_steps (const Mapping *m, const Event *x, MapStep steps[VIEW_STEPS]) {
  switch ((EventKind)x->kind) {
  case KIND_READ:
    return x->flags & EVENT_LOCKED ? part_of_update (m, x, steps)
                                   : whole_row (m, MAP_LOAD, x->order, steps);
  case KIND_WRITE:
    return x->flags & EVENT_EXCLUSIVE ? part_of_update (m, x, steps)
                                      : whole_row (m, MAP_STORE, x->order, steps);
  case KIND_FENCE:
    return whole_row (m, MAP_FENCE, x->order, steps);
  case KIND_CREATE:
  case KIND_JOIN:
  case KIND_FREE:
    steps[0] = (MapStep){STEP_FENCE, HW_NONE};
    return 1;
  case KIND_INIT:
  case KIND_CHOICE:
    return 0;
  }
  BUG ("kind of event");
}

static bool is_isync (u8 hardware) {
  return hardware == HW_POWER_ISYNC || hardware == HW_ARMV8_ISB;
}

static void list_steps (View *v, const Mapping *m, bool with_fences) {
  const Graph *g = v->g;
  u32 capacity = g->events.size * 2 + 16, count = 0;
  ViewStep *list = take (v, capacity * sizeof *list);
  v->thread = take_numbers (v, g->nthreads + 1);
  v->node = take_numbers (v, g->events.size);
  MapStep steps[VIEW_STEPS];
  for (Tid t = 0; t < g->nthreads; t++) {
    v->thread[t] = count;
    for (u32 i = 0; i < graph_thread_size (g, t); i++) {
      Ev e = graph_thread_event (g, t, i);
      u32 n = view_steps (m, graph_event (g, e), steps);
      if (count + n > capacity) {
        ViewStep *more = take (v, 2 * (capacity + n) * sizeof *list);
        memcpy (more, list, count * sizeof *list);
        list = more;
        capacity = 2 * (capacity + n);
      }
      for (u32 k = 0; k < n; k++) {
        ViewStep s = {.event = e, .node = NODE_NONE, .kind = steps[k].kind};
        s.hardware = steps[k].hardware;
        bool is_access = s.kind == STEP_READ || s.kind == STEP_WRITE;
        if (is_access) v->node[e] = v->size;
        if (s.kind == STEP_FENCE && s.hardware == HW_NONE)
          s.number = v->handovers++;
        else if (is_isync (s.hardware))
          s.number = v->isyncs++;
        else if (is_access || (with_fences && s.kind == STEP_FENCE))
          s.node = v->size++;
        list[count++] = s;
      }
    }
  }
  v->thread[g->nthreads] = count;
  v->steps = list;
  v->words = v->size / 64 + 1;
}

/* ---- nodes ---- */

static void list_nodes (View *v) {
  v->event = take_numbers (v, v->size);
  v->tid = take_numbers (v, v->size);
  v->slot = take_numbers (v, v->size);
  v->place = take_numbers (v, v->size);
  v->rmw = take_numbers (v, v->size);
  v->hardware = take (v, v->size);
  v->mine = view_sets (v, v->g->nthreads);
  v->reads = view_sets (v, 1);
  v->writes = view_sets (v, 1);
  v->updates = view_sets (v, 1);
  v->po = view_relation (v);
  for (Tid t = 0; t < v->g->nthreads; t++) {
    u64 *mine = view_row (v, v->mine, t);
    for (u32 k = v->thread[t + 1]; k-- > v->thread[t];) {
      const ViewStep *s = &v->steps[k];
      u32 i = s->node;
      if (i == NODE_NONE) continue;
      v->event[i] = s->event;
      v->tid[i] = t;
      v->hardware[i] = s->hardware;
      v->slot[i] = v->rmw[i] = NODE_NONE;
      bits_copy (view_row (v, v->po, i), mine, v->words);
      bits_put (mine, i);
      if (s->kind == STEP_READ) bits_put (v->reads, i);
      if (s->kind == STEP_WRITE) bits_put (v->writes, i);
      if (s->kind == STEP_FENCE) continue;
      const Event *x = graph_event (v->g, s->event);
      if (x->flags & (EVENT_LOCKED | EVENT_EXCLUSIVE)) bits_put (v->updates, i);
    }
  }
}

static void relate_halves (View *v) {
  for (Tid t = 0; t < v->g->nthreads; t++)
    for (u32 k = 1; k < graph_thread_size (v->g, t); k++) {
      Ev r = graph_thread_event (v->g, t, k - 1), w = graph_thread_event (v->g, t, k);
      const Event *a = graph_event (v->g, r), *b = graph_event (v->g, w);
      if (a->kind != KIND_READ || b->kind != KIND_WRITE || a->loc != b->loc ||
          !(a->flags & b->flags & EVENT_EXCLUSIVE))
        continue;
      v->rmw[v->node[r]] = v->node[w];
      v->rmw[v->node[w]] = v->node[r];
    }
}

/* From the last write of mo to the first: co, and fr of those that read them. */
static void relate_location (View *v, const Location *l, u32 slot) {
  u64 *loc = view_row (v, v->locs, slot), *later = view_sets (v, 1);
  for (u32 p = l->mo.size; p-- > 1;) {
    u32 w = v->node[l->mo.data[p]];
    v->slot[w] = slot;
    v->place[w] = p;
    bits_copy (view_row (v, v->co, w), later, v->words);
    bits_put (later, w);
  }
  bits_copy (loc, later, v->words);
  for (u32 k = 0; k < l->reads.size; k++) {
    const Event *x = graph_event (v->g, l->reads.data[k]);
    u32 r = v->node[l->reads.data[k]];
    v->slot[r] = slot;
    bits_put (loc, r);
    v->place[r] = x->rf == EV_INIT || x->rf == EV_NONE ? 0 : graph_event (v->g, x->rf)->mopos;
    if (x->rf == EV_INIT) bits_copy (view_row (v, v->fr, r), later, v->words);
    if (x->rf == EV_INIT || x->rf == EV_NONE) continue;
    bits_copy (view_row (v, v->fr, r), view_row (v, v->co, v->node[x->rf]), v->words);
    bits_put (view_row (v, v->rf, v->node[x->rf]), r);
  }
}

static void relate_memory (View *v) {
  v->rf = view_relation (v);
  v->co = view_relation (v);
  v->fr = view_relation (v);
  v->slots = v->g->active.size;
  v->locs = view_sets (v, v->slots);
  for (u32 i = 0; i < v->slots; i++)
    relate_location (v, graph_location (v->g, v->g->active.data[i]), i);
}

/* ---- dependencies ---- */

/* Adds the reads that are elements of a set of places. */
static void put_sources (const View *v, Tid t, u32 set, u64 *to) {
  for (u32 place; deps_next (v->g->dep_sets, &set, &place);) {
    Ev e = graph_at_place (v->g, t, place);
    if (graph_event (v->g, e)->kind == KIND_READ) bits_put (to, v->node[e]);
  }
}

static void depend (const View *v, const u64 *sources, u64 *r, u32 target) {
  EACH_BIT (sources, v->words, i) bits_put (view_row (v, r, i), target);
}

/* A compare-exchange branches on what it compares with, so what follows depends on that as well. */
static void relate_thread_deps (View *v, Tid t) {
  u64 *always = view_sets (v, 1); /* by branches of the mapping */
  u64 *sources = view_sets (v, 1), *ctrl = view_sets (v, 1);
  for (u32 k = v->thread[t]; k < v->thread[t + 1]; k++) {
    const ViewStep *s = &v->steps[k];
    Ev e = s->event;
    if (s->kind == STEP_CTRL) {
      bits_put (always, v->node[e]);
      continue;
    }
    bool is_branched = s->kind == STEP_FENCE && is_isync (s->hardware);
    bool is_access = s->kind == STEP_READ || s->kind == STEP_WRITE;
    if (!is_access && !is_branched) continue;
    bits_copy (ctrl, always, v->words);
    put_sources (v, t, graph_deps (v->g, e, DEP_CTRL), ctrl);
    if (is_branched) {
      bits_copy (view_row (v, v->branches, s->number), ctrl, v->words);
      continue;
    }
    depend (v, ctrl, v->ctrl, s->node);
    static const DepKind kinds[] = {DEP_ADDR, DEP_DATA, DEP_CAS};
    for (u32 i = 0; i < ARRAY_SIZE (kinds); i++) {
      u32 set = graph_deps (v->g, e, kinds[i]);
      if (!set) continue;
      memset (sources, 0, v->words * sizeof *sources);
      put_sources (v, t, set, sources);
      if (kinds[i] == DEP_CAS)
        bits_add (always, sources, v->words);
      else
        depend (v, sources, kinds[i] == DEP_ADDR ? v->addr : v->data, s->node);
    }
  }
}

static void relate_deps (View *v) {
  v->addr = view_relation (v);
  v->data = view_relation (v);
  v->ctrl = view_relation (v);
  v->branches = view_sets (v, v->isyncs);
  for (Tid t = 0; t < v->g->nthreads; t++) relate_thread_deps (v, t);
}

/* ---- handovers ---- */

typedef struct Handovers {
  u64 *after; /* per handover: the nodes that come after it */
  u8 *is_known;
  u32 *step, *next; /* its step; the next one of its thread, or NODE_NONE */
  u32 *first;       /* per thread */
} Handovers;

static void find_after (View *v, Handovers *h, u32 i);

/* What comes after the end of a thread: after those who join it. */
static void after_end (View *v, Handovers *h, Tid t, u64 *to) {
  for (u32 j = 0; j < v->handovers; j++) {
    const Event *x = graph_event (v->g, v->steps[h->step[j]].event);
    if (x->kind != KIND_JOIN || x->value != t) continue;
    find_after (v, h, j);
    bits_add (to, view_row (v, h->after, j), v->words);
  }
}

static void after_or_end (View *v, Handovers *h, u32 i, Tid t, u64 *to) {
  if (i == NODE_NONE) {
    after_end (v, h, t, to);
    return;
  }
  find_after (v, h, i);
  bits_add (to, view_row (v, h->after, i), v->words);
}

static void find_after (View *v, Handovers *h, u32 i) {
  if (h->is_known[i]) return;
  h->is_known[i] = 1;
  u64 *to = view_row (v, h->after, i);
  const Event *x = graph_event (v->g, v->steps[h->step[i]].event);
  for (u32 k = h->step[i] + 1; k < v->thread[x->tid + 1u]; k++)
    if (v->steps[k].node != NODE_NONE) bits_put (to, v->steps[k].node);
  after_or_end (v, h, h->next[i], x->tid, to);
  if (x->kind != KIND_CREATE || x->value >= v->g->nthreads) return;
  bits_add (to, view_row (v, v->mine, (u32)x->value), v->words);
  after_or_end (v, h, h->first[x->value], (Tid)x->value, to);
}

static void relate_handovers (View *v) {
  v->full = view_relation (v);
  if (!v->handovers) return;
  Handovers h = {.after = view_sets (v, v->handovers),
                 .is_known = memset (take (v, v->handovers), 0, v->handovers),
                 .step = take_numbers (v, v->handovers),
                 .next = take_numbers (v, v->handovers),
                 .first = take_numbers (v, v->g->nthreads)};
  for (Tid t = 0; t < v->g->nthreads; t++) {
    h.first[t] = NODE_NONE;
    for (u32 k = v->thread[t + 1]; k-- > v->thread[t];) {
      const ViewStep *s = &v->steps[k];
      if (s->kind != STEP_FENCE || s->hardware != HW_NONE) continue;
      h.step[s->number] = k;
      h.next[s->number] = h.first[t];
      h.first[t] = s->number;
    }
  }
  for (Tid t = 0; t < v->g->nthreads; t++) {
    u64 *now = view_sets (v, 1);
    after_end (v, &h, t, now);
    for (u32 k = v->thread[t + 1]; k-- > v->thread[t];) {
      const ViewStep *s = &v->steps[k];
      if (s->node != NODE_NONE) bits_copy (view_row (v, v->full, s->node), now, v->words);
      if (s->kind != STEP_FENCE || s->hardware != HW_NONE) continue;
      find_after (v, &h, s->number);
      now = view_row (v, h.after, s->number);
    }
  }
}

/* ---- coherence ---- */

/* Along program order each access of a location looks at the same place in mo as the one before it,
 * or a later one; a write at a later one. */
static bool is_coherent (View *v) {
  u32 *last = take_numbers (v, v->slots);
  for (u32 i = 0; i < v->size; i++) {
    if (!i || v->tid[i] != v->tid[i - 1]) memset (last, 0, v->slots * sizeof *last);
    u32 slot = v->slot[i];
    if (slot == NODE_NONE) continue;
    if (v->place[i] < last[slot] + bits_have (v->writes, i)) return false;
    last[slot] = v->place[i];
  }
  return true;
}

static bool is_atomic (const View *v) {
  for (u32 r = 0; r < v->size; r++) {
    u32 w = v->rmw[r];
    if (w == NODE_NONE || !bits_have (v->reads, r)) continue;
    const u64 *fr = view_row (v, v->fr, r), *mine = view_row (v, v->mine, v->tid[r]);
    EACH_BIT (fr, v->words, i)
    if (!bits_have (mine, i) && bits_have (view_row (v, v->co, i), w)) return false;
  }
  return true;
}

bool view_init (View *v, const Graph *g, const Mapping *m, bool with_fences) {
  v->g = g;
  v->size = v->handovers = v->isyncs = 0;
  v->space.at = v->small;
  v->space.end = v->small + ARRAY_SIZE (v->small);
  v->space.chunks = NULL;
  list_steps (v, m, with_fences);
  list_nodes (v);
  relate_halves (v);
  relate_memory (v);
  if (!is_coherent (v) || !is_atomic (v)) {
    view_done (v);
    return false;
  }
  relate_deps (v);
  relate_handovers (v);
  return true;
}

/* ---- orders ---- */

bool view_is_acyclic (View *v, const u64 *r, u32 *order) {
  Relation m = view_matrix (v, r);
  u64 *room = take (v, relation_room (&m) * sizeof *room);
  return relation_find_cycle (&m, room, order) == BITS_NONE;
}

void view_star (View *v, const u64 *r, const u32 *order, u64 *to) {
  for (u32 k = 0; k < v->size; k++) {
    u32 i = order[k];
    u64 *row = view_row (v, to, i);
    bits_put (row, i);
    view_add_image (v, row, r + (size_t)i * v->words, to);
  }
}

void view_later_writes (const View *v, u32 i, u64 *to) {
  if (v->slot[i] == NODE_NONE) return;
  const u64 *po = view_row (v, v->po, i), *loc = view_row (v, v->locs, v->slot[i]);
  for (u32 k = 0; k < v->words; k++) to[k] |= po[k] & loc[k] & v->writes[k];
}

void view_fences (View *v, const FenceRule rules[HW_COUNT], u64 *to) {
  u64 *sets = view_sets (v, 3), *later = sets;
  u64 *after_read = sets + v->words, *after_write = sets + 2 * v->words;
  for (Tid t = 0; t < v->g->nthreads; t++) {
    memset (sets, 0, 3 * v->words * sizeof *sets);
    for (u32 k = v->thread[t + 1]; k-- > v->thread[t];) {
      const ViewStep *s = &v->steps[k];
      if (s->node != NODE_NONE) {
        bool is_read = s->kind == STEP_READ;
        bits_add (view_row (v, to, s->node), is_read ? after_read : after_write, v->words);
        bits_put (later, s->node);
      } else if (s->kind == STEP_FENCE) {
        const FenceRule *f = &rules[s->hardware];
        if (f->reads_reads) bits_add_both (after_read, later, v->reads, v->words);
        if (f->reads_writes) bits_add_both (after_read, later, v->writes, v->words);
        if (f->writes_reads) bits_add_both (after_write, later, v->reads, v->words);
        if (f->writes_writes) bits_add_both (after_write, later, v->writes, v->words);
      }
    }
  }
}

void view_isyncs (View *v, bool with_addr, u64 *to) {
  u64 *later = view_sets (v, 2), *before = later + v->words;
  for (Tid t = 0; v->isyncs && t < v->g->nthreads; t++) {
    memset (later, 0, v->words * sizeof *later);
    for (u32 k = v->thread[t + 1]; k-- > v->thread[t];) {
      const ViewStep *s = &v->steps[k];
      if (s->node != NODE_NONE) bits_put (later, s->node);
      if (s->kind != STEP_FENCE || !is_isync (s->hardware)) continue;
      const u64 *branches = view_row (v, v->branches, s->number);
      EACH_BIT (branches, v->words, i) bits_add (view_row (v, to, i), later, v->words);
      if (!with_addr) continue;
      memset (before, 0, v->words * sizeof *before);
      bits_add_minus (before, view_row (v, v->mine, t), later, v->words);
      EACH_BIT (before, v->words, i)
      if (bits_meet (view_row (v, v->addr, i), before, v->words))
        bits_add (view_row (v, to, i), later, v->words);
    }
  }
}
