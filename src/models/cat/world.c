#include "models/cat/world.h"

#include "models/hardware/expand.h"

enum { PLACED_NOT = UINT32_MAX, PLACED_SOON = UINT32_MAX - 1 };

static bool is_access (u8 kind) { return kind == KIND_READ || kind == KIND_WRITE; }
static bool is_needed (const World *w, BaseId base) { return w->needs >> base & 1; }

void world_init (World *w) { *w = (World){.is_ordered = true}; }

static void free_matrices (World *w) {
  for (u32 i = 0; i < BASE_UNMAPPED; i++) matrix_free (&w->base[i]);
}

void world_done (World *w) {
  free_matrices (w);
  vec_free (&w->events);
  vec_free (&w->index_of);
  vec_free (&w->initial_of);
  vec_free (&w->before_of);
}

/* Some are looked up in. */
static void need (World *w, BaseId base, u8 parts) {
  w->needs |= 1ull << base;
  w->parts[base] |= parts;
}

void world_plan (World *w, u64 needs, const u8 *parts, u32 stride) {
  free_matrices (w);
  w->needs = needs;
  w->stride = stride;
  w->size = 0;
  w->words = 1;
  memcpy (w->parts, parts, sizeof w->parts);
  need (w, BASE_LOC, MATRIX_ROWS);
  if (is_needed (w, BASE_PO)) need (w, BASE_PO, MATRIX_COLS);
  if (is_needed (w, BASE_EXT) || is_needed (w, BASE_INT)) need (w, BASE_INT, MATRIX_ROWS);
  for (u32 i = 0; i < BASE_UNMAPPED; i++)
    if (is_needed (w, (BaseId)i))
      w->base[i] = matrix_new (stride, !base_is_relation ((BaseId)i), w->parts[i]);
}

/* ---- sets ---- */

/* `is_mapped`: x is an instruction of a processor. */
static bool is_in (const WorldEvent *x, BaseId base, bool is_mapped) {
  bool is_write = x->kind == KIND_WRITE || x->kind == KIND_INIT;
  switch (base) {
  case BASE_R:
    return x->kind == KIND_READ;
  case BASE_W:
    return is_write;
  case BASE_M:
    return x->kind == KIND_READ || is_write;
  case BASE_F:
    return x->kind == KIND_FENCE;
  case BASE_IW:
    return x->kind == KIND_INIT;
  case BASE_RMW:
    return is_access (x->kind) && (x->flags & EVENT_EXCLUSIVE);
  case BASE_X:
    return is_access (x->kind) && (x->flags & (EVENT_EXCLUSIVE | EVENT_LOCKED));
  case BASE_A: /* of processors: acquires */
    if (is_mapped && (hardware_set ("A") >> x->hardware & 1)) return true;
    return !(is_mapped && x->hardware < HW_IMM_R_NA) && is_access (x->kind) && x->order != ORD_NA;
  case BASE_NA:
    return (x->kind == KIND_READ || is_write) && x->order == ORD_NA;
  case BASE_RLX:
    return x->order == ORD_RLX;
  case BASE_ACQ:
    return x->order == ORD_ACQ;
  case BASE_REL:
    return x->order == ORD_REL;
  case BASE_ACQ_REL:
    return x->order == ORD_ACQ_REL;
  case BASE_SC:
    return x->order == ORD_SC;
  case BASE_CREATE:
    return x->kind == KIND_CREATE;
  case BASE_JOIN:
    return x->kind == KIND_JOIN;
  case BASE_FREE:
    return x->kind == KIND_FREE;
  case BASE_FW: /* depends on other events */
  case BASE_UNMAPPED:
  case BASE_PO:
  case BASE_RF:
  case BASE_CO:
  case BASE_FR:
  case BASE_RMWS:
  case BASE_LOC:
  case BASE_INT:
  case BASE_EXT:
  case BASE_ADDR:
  case BASE_DATA:
  case BASE_CTRL:
  case BASE_RMW_DEP:
    break;
  }
  return false;
}

static u64 sets_of (World *w, const WorldEvent *x) {
  u32 flags = (x->flags & EVENT_EXCLUSIVE ? 1 : 0) | (x->flags & EVENT_LOCKED ? 2 : 0);
  BUG_IF (x->kind >= 8 || x->order >= 8);
  u64 *known = &w->sets_of[(u32)x->kind << 5 | (u32)x->order << 2 | flags];
  bool is_mapped = w->g->is_mapped && x->kind != KIND_INIT;
  if (*known && !is_mapped) return *known;
  u64 sets = 1ull << 63; /* known */
  for (u32 base = 0; base < BASE_PO; base++)
    if (is_in (x, (BaseId)base, is_mapped)) sets |= 1ull << base;
  if (!is_mapped) *known = sets;
  return sets;
}

/* ---- the events of a graph, in order ---- */

static Ev or_none (Ev e) { return e == EV_INIT ? EV_NONE : e; }

static bool has_holes (const Graph *g) {
  for (Tid t = 0; g->is_partial && t < g->nthreads; t++)
    if (g->threads[t].ahead.size) return true;
  return false;
}

/* Where threads have missing events, events do not know where they are. */
static void find_before (World *w) {
  const Graph *g = w->g;
  w->before_of.size = 0;
  if (!has_holes (g)) return;
  vec_reserve (&w->before_of, g->events.size);
  w->before_of.size = g->events.size;
  for (Tid t = 0; t < g->nthreads; t++)
    for (u32 i = 0; i < graph_thread_size (g, t); i++)
      w->before_of.data[graph_thread_event (g, t, i)] =
          i ? graph_thread_event (g, t, i - 1) : or_none (g->threads[t].created_by);
}

static Ev po_previous (const World *w, Ev e) {
  const Event *x = graph_event (w->g, e);
  const ThreadLine *line = &w->g->threads[x->tid];
  if (w->before_of.size) return w->before_of.data[e];
  return x->index ? line->events.data[x->index - 1] : or_none (line->created_by);
}

static Ev last_of_joined (const Graph *g, const Event *x) {
  return x->kind == KIND_JOIN ? or_none (graph_last_of_thread (g, (Tid)x->value)) : EV_NONE;
}

static u32 number_of (const World *w, Ev e) { return e == EV_NONE ? EV_NONE : w->index_of.data[e]; }

static u32 number_of_write (const World *w, u32 loc, Ev e) {
  return e == EV_NONE ? EV_NONE : e == EV_INIT ? w->initial_of.data[loc] : w->index_of.data[e];
}

/* The nearest write before x in co that is one of the first `listed` events. */
static u32 write_before (const World *w, const Event *x, u32 listed) {
  const Location *l = graph_location (w->g, x->loc);
  u32 p = x->mopos;
  while (p > 1 && w->index_of.data[l->mo.data[p - 1]] >= listed) p--;
  return number_of_write (w, x->loc, p ? l->mo.data[p - 1] : EV_INIT);
}

static u8 flags_of (const Event *x) { return x->flags & (EVENT_EXCLUSIVE | EVENT_LOCKED); }

/* What is compared at once. */
static u64 head_of (const World *w, const Event *x) {
  static const Event all = {
      .kind = 0xff, .order = 0xff, .flags = EVENT_EXCLUSIVE | EVENT_LOCKED, .tid = 0xffff};
  static const Event mapped = {.hardware = 0xff};
  u64 head, mask, more;
  memcpy (&head, x, sizeof head);
  memcpy (&mask, &all, sizeof mask);
  memcpy (&more, &mapped, sizeof more);
  return head & (w->g->is_mapped ? mask | more : mask);
}

static bool has_same_deps (const World *w, const WorldEvent *old) {
  if (graph_event (w->g, old->e)->place != old->place) return false;
  for (DepKind k = 0; k < DEP_KINDS; k++)
    if (graph_deps (w->g, old->e, k) != old->deps[k]) return false;
  return true;
}

/* Whether the listed event number i is still what it was, given that those before it are. What has
 * the number of one of these is that one. */
static bool is_same (const World *w, u32 i) {
  const WorldEvent *old = &w->events.data[i];
  if (old->e >= w->g->events.size) return false;
  const Event *x = graph_event (w->g, old->e);
  if (head_of (w, x) != old->head) return false;
  if (number_of (w, po_previous (w, old->e)) != old->previous) return false;
  if (w->g->dep_sets && !has_same_deps (w, old)) return false;
  if (x->kind == KIND_READ)
    return x->loc == old->loc && number_of_write (w, x->loc, x->rf) == old->source;
  if (x->kind == KIND_WRITE) return x->loc == old->loc && write_before (w, x, i) == old->before;
  if (x->kind == KIND_CREATE) return (u32)x->value == old->value;
  return x->kind != KIND_JOIN ||
         ((u32)x->value == old->value && number_of (w, last_of_joined (w->g, x)) == old->joined);
}

static void push (World *w, WorldEvent next) {
  next.sets = sets_of (w, &next);
  w->seen |= next.sets;
  if (w->g->is_mapped && next.kind != KIND_INIT) w->hardware |= 1ull << next.hardware;
  vec_push (&w->events, next);
}

static void list_initial_write (World *w, u32 loc) {
  if (w->initial_of.data[loc] != EV_NONE) return;
  w->initial_of.data[loc] = w->events.size;
  push (w, (WorldEvent){.e = EV_INIT,
                        .kind = KIND_INIT,
                        .order = graph_event (w->g, EV_INIT)->order,
                        .tid = TID_NONE,
                        .loc = loc,
                        .is_first = true,
                        .previous = EV_NONE,
                        .joined = EV_NONE,
                        .source = EV_NONE,
                        .before = EV_NONE});
}

static void list_event (World *w, Ev e) {
  const Event *x = graph_event (w->g, e);
  if (is_access (x->kind)) list_initial_write (w, x->loc);
  Ev previous = po_previous (w, e);
  bool is_first = previous == EV_NONE || graph_event (w->g, previous)->tid != x->tid;
  WorldEvent next = {
      .e = e,
      .head = head_of (w, x),
      .kind = x->kind,
      .order = x->order,
      .flags = flags_of (x),
      .tid = x->tid,
      .hardware = w->g->is_mapped ? x->hardware : 0,
      .is_first = is_first,
      .place = x->place,
      .loc = is_access (x->kind) ? x->loc : LOC_NONE,
      .value = x->kind == KIND_CREATE || x->kind == KIND_JOIN ? (u32)x->value : 0,
      .previous = number_of (w, previous),
      .joined = number_of (w, last_of_joined (w->g, x)),
      .source = x->kind == KIND_READ ? number_of_write (w, x->loc, x->rf) : EV_NONE,
      .before = x->kind == KIND_WRITE ? write_before (w, x, w->events.size) : EV_NONE,
  };
  for (DepKind k = 0; w->g->dep_sets && k < DEP_KINDS; k++) next.deps[k] = graph_deps (w->g, e, k);
  w->index_of.data[e] = w->events.size;
  push (w, next);
}

/* What e must come after, then e. False if that is a circle. */
static bool place (World *w, Ev e, bool after_source) {
  const Event *x = graph_event (w->g, e);
  bool has_source = after_source && x->kind == KIND_READ && x->rf != EV_INIT;
  Ev first[] = {po_previous (w, e), last_of_joined (w->g, x), has_source ? x->rf : EV_NONE};
  w->index_of.data[e] = PLACED_SOON;
  for (u32 i = 0; i < ARRAY_SIZE (first); i++) {
    if (first[i] == EV_NONE) continue;
    u32 at = w->index_of.data[first[i]];
    if (at == PLACED_SOON || (at == PLACED_NOT && !place (w, first[i], after_source))) return false;
  }
  list_event (w, e);
  return true;
}

/* Of all listed events but the first so many. */
static void forget_numbers (World *w, u32 left) {
  for (u32 i = left; i < w->events.size; i++) *world_number (w, &w->events.data[i]) = PLACED_NOT;
  w->events.size = left;
}

static void make_room (World *w) {
  while (w->index_of.size < w->g->events.size) vec_push (&w->index_of, PLACED_NOT);
  while (w->initial_of.size < w->g->locations.size) vec_push (&w->initial_of, EV_NONE);
}

static bool list_rest (World *w, bool after_sources) {
  for (Ev e = 1; e < w->g->events.size; e++)
    if (w->index_of.data[e] == PLACED_NOT && !place (w, e, after_sources)) return false;
  return true;
}

static u32 find_same (const World *w) {
  u32 same = 0;
  if (!w->is_ordered) return 0;
  for (; same < w->size; same++) {
    const WorldEvent *old = &w->events.data[same];
    if (old->kind == KIND_INIT ? old->loc >= w->g->locations.size : !is_same (w, same)) break;
  }
  /* an initial write is listed before what was there */
  return same && w->events.data[same - 1].kind == KIND_INIT ? same - 1 : same;
}

u32 world_list (World *w, const Graph *g) {
  w->g = g;
  make_room (w);
  find_before (w);
  u32 same = find_same (w);
  forget_numbers (w, same);
  w->is_ordered = list_rest (w, true);
  if (w->is_ordered) return same;
  forget_numbers (w, 0);
  memset (w->index_of.data, 0xff, w->index_of.size * sizeof (u32)); /* what was to be placed */
  BUG_IF (!list_rest (w, false));
  return 0;
}

void world_read_final_writes (const World *w, u64 *set) {
  for (u32 i = 0; i < w->size; i++)
    if (w->events.data[i].kind == KIND_INIT) {
      u32 loc = world_location (w, i);
      bits_put (set, number_of_write (w, loc, graph_mo_last (w->g, loc)));
    }
}

/* ---- relations: the row and the column of the newest event x ---- */

static u64 *row_of (const World *w, BaseId base, u32 i) {
  return w->base[base].rows + (size_t)i * w->stride;
}

static void follow_po (World *w, u32 x, u32 previous) {
  if (previous == EV_NONE) return;
  Matrix *po = &w->base[BASE_PO];
  bits_add (po->col, po->cols + (size_t)previous * w->stride, words_for (x));
  bits_put (po->col, previous);
}

/* All accesses of the location of x. */
static const u64 *others_of (const World *w, u32 x) {
  return row_of (w, BASE_LOC, w->initial_of.data[world_location (w, x)]);
}

static void add_rf (World *w, u32 x) {
  const WorldEvent *event = &w->events.data[x];
  if (event->kind == KIND_READ && event->source < x) bits_put (w->base[BASE_RF].col, event->source);
  if (w->is_ordered || event->kind != KIND_WRITE) return;
  EACH_BIT (others_of (w, x), words_for (x), y) {
    const WorldEvent *r = &w->events.data[y];
    if (r->kind == KIND_READ && graph_event (w->g, r->e)->rf == event->e)
      bits_put (w->base[BASE_RF].row, y);
  }
}

/* Place in mo: of a write, and of what a read reads. EV_NONE if it reads nothing. */
static u32 rank_of (const World *w, u32 i) {
  const WorldEvent *x = &w->events.data[i];
  if (x->kind == KIND_INIT) return 0;
  Ev write = x->kind == KIND_READ ? graph_event (w->g, x->e)->rf : x->e;
  return write == EV_NONE ? EV_NONE : write == EV_INIT ? 0 : graph_event (w->g, write)->mopos;
}

static bool is_write (const World *w, u32 i) { return w->events.data[i].kind != KIND_READ; }

static void add_co (World *w, u32 x) {
  Matrix *co = &w->base[BASE_CO];
  if (world_location (w, x) == LOC_NONE || !is_write (w, x)) return;
  u32 rank = rank_of (w, x);
  EACH_BIT (others_of (w, x), words_for (x), y)
  if (y != x && is_write (w, y)) bits_put (rank_of (w, y) < rank ? co->col : co->row, y);
}

static void add_fr (World *w, u32 x) {
  if (world_location (w, x) == LOC_NONE) return;
  u32 rank = rank_of (w, x);
  if (rank == EV_NONE) return;
  EACH_BIT (others_of (w, x), words_for (x), y) {
    if (is_write (w, y) == is_write (w, x)) continue;
    u32 other = rank_of (w, y);
    if (other == EV_NONE) continue;
    if (is_write (w, y) && rank < other) bits_put (w->base[BASE_FR].row, y);
    if (is_write (w, x) && other < rank) bits_put (w->base[BASE_FR].col, y);
  }
}

static void add_rmw (World *w, u32 x) {
  const WorldEvent *b = &w->events.data[x];
  if (b->kind != KIND_WRITE || b->previous == EV_NONE) return;
  const WorldEvent *a = &w->events.data[b->previous];
  if (a->kind == KIND_READ && a->loc == b->loc && a->tid == b->tid &&
      (a->flags & b->flags & EVENT_EXCLUSIVE))
    bits_put (w->base[BASE_RMWS].col, b->previous);
}

static void add_dependencies (World *w, u32 x, BaseId base, DepKind kind) {
  const WorldEvent *event = &w->events.data[x];
  u32 set = event->deps[kind];
  for (u32 k; deps_next (w->g->dep_sets, &set, &k);)
    bits_put (w->base[base].col, w->index_of.data[graph_at_place (w->g, (Tid)event->tid, k)]);
}

/* Symmetric relations: x is with itself and all that `other` is with. */
static void join_class (World *w, BaseId base, u32 x, u32 other) {
  Matrix *m = &w->base[base];
  if (other != x) bits_add (m->row, row_of (w, base, other), words_for (x));
  bits_put (m->row, x);
  bits_copy (m->col, m->row, words_for (x));
}

static void add_pairs (World *w, BaseId base, u32 x) {
  assert (base_is_relation (base));
  const WorldEvent *event = &w->events.data[x];
  Matrix *m = &w->base[base];
  u32 words = words_for (x);
  bits_clear (m->row, words);
  bits_clear (m->col, words);
  switch ((RelationId)base) {
  case RELATION_PO:
    follow_po (w, x, event->previous);
    follow_po (w, x, event->joined);
    break;
  case RELATION_RF:
    add_rf (w, x);
    break;
  case RELATION_CO:
    add_co (w, x);
    break;
  case RELATION_FR:
    add_fr (w, x);
    break;
  case RELATION_RMWS:
    add_rmw (w, x);
    break;
  case RELATION_LOC:
    if (event->loc != LOC_NONE) join_class (w, base, x, w->initial_of.data[event->loc]);
    break;
  case RELATION_INT: /* initial writes are threads of their own */
    join_class (w, base, x, event->is_first ? x : event->previous);
    break;
  case RELATION_EXT:
    for (u32 k = 0; k < words; k++)
      m->row[k] = m->col[k] = bits_first (x, k) & ~w->base[BASE_INT].row[k];
    break;
  case RELATION_ADDR:
    add_dependencies (w, x, base, DEP_ADDR);
    break;
  case RELATION_DATA:
    add_dependencies (w, x, base, DEP_DATA);
    break;
  case RELATION_CTRL:
    add_dependencies (w, x, base, DEP_CTRL);
    break;
  case RELATION_RMW_DEP:
    add_dependencies (w, x, base, DEP_CAS);
    break;
  }
  matrix_enter (m, w->stride, x);
}

bool world_add (World *w) {
  if (w->size == w->events.size) return false;
  u32 x = w->size++;
  w->words = words_for (x);
  add_pairs (w, BASE_LOC, x); /* others look up in it, and in int */
  if (is_needed (w, BASE_INT)) add_pairs (w, BASE_INT, x);
  u64 sets = (1ull << BASE_PO) - 1, done = 1ull << BASE_LOC | 1ull << BASE_INT;
  for (u64 left = w->needs & w->events.data[x].sets & sets; left; left &= left - 1)
    matrix_put (&w->base[__builtin_ctzll (left)], x);
  for (u64 left = w->needs & ~sets & ~done; left; left &= left - 1)
    add_pairs (w, (BaseId)__builtin_ctzll (left), x);
  return true;
}

void world_cut (World *w, u32 left) {
  if (left >= w->size) return;
  for (u64 bases = w->needs; bases; bases &= bases - 1) {
    u32 base = (u32)__builtin_ctzll (bases);
    matrix_cut (&w->base[base], !base_is_relation ((BaseId)base), w->stride, w->size, left);
  }
  w->size = left;
  w->words = left ? words_for (left - 1) : 1;
}
