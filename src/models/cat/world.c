#include "models/cat/world.h"

#include "models/expand.h"

static bool is_access (const Event *x) { return x->kind == KIND_READ || x->kind == KIND_WRITE; }

void world_init (World *w, const Graph *g) {
  *w = (World){.g = g};
  u32 locations = g->locations.size;
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *x = graph_event (g, e);
    if (is_access (x) && x->loc >= locations) locations = x->loc + 1;
  }
  w->initial_of = mem_alloc ((locations + 1) * sizeof *w->initial_of);
  w->locations = mem_alloc ((locations + 1) * sizeof *w->locations);
  for (u32 i = 0; i < locations; i++) w->initial_of[i] = EV_NONE;
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *x = graph_event (g, e);
    if (!is_access (x) || w->initial_of[x->loc] != EV_NONE) continue;
    w->locations[w->initial] = x->loc;
    w->initial_of[x->loc] = w->initial++;
  }
  w->size = w->initial + g->events.size - 1;
  w->words = w->size / 64 + 1;
}

void world_done (World *w) {
  mem_free (w->initial_of);
  mem_free (w->locations);
}

static const Event *event_at (const World *w, u32 i) {
  return graph_event (w->g, world_event (w, i));
}

u32 world_location (const World *w, u32 i) {
  if (i < w->initial) return w->locations[i];
  const Event *x = event_at (w, i);
  return is_access (x) ? x->loc : LOC_NONE;
}

u32 world_thread (const World *w, u32 i) {
  return i < w->initial ? TID_NONE : event_at (w, i)->tid;
}

static u64 *row (const World *w, u64 *bits, u32 i) { return bits + (size_t)i * w->words; }

/* ---- sets ---- */

static void read_set (const World *w, BaseId base, u64 *set) {
  for (u32 i = 0; i < w->size; i++) {
    const Event *x = event_at (w, i);
    bool is_read = x->kind == KIND_READ;
    bool is_write = x->kind == KIND_WRITE || i < w->initial;
    bool is_in = false;
    switch (base) {
    case BASE_R:
      is_in = is_read;
      break;
    case BASE_W:
      is_in = is_write;
      break;
    case BASE_M:
      is_in = is_read || is_write;
      break;
    case BASE_F:
      is_in = x->kind == KIND_FENCE;
      break;
    case BASE_IW:
      is_in = i < w->initial;
      break;
    case BASE_RMW:
      is_in = is_access (x) && (x->flags & EVENT_EXCLUSIVE);
      break;
    case BASE_X:
      is_in = is_access (x) && (x->flags & (EVENT_EXCLUSIVE | EVENT_LOCKED));
      break;
    case BASE_A: /* of processors: acquires */
      is_in = w->g->is_mapped && hardware_set ("A") >> x->hardware & 1;
      is_in |= !(w->g->is_mapped && x->hardware < HW_IMM_R_NA) &&
               (is_access (x) || x->kind == KIND_FENCE) && x->order != ORD_NA;
      break;
    case BASE_NA:
      is_in = (is_read || is_write) && x->order == ORD_NA;
      break;
    case BASE_RLX:
      is_in = x->order == ORD_RLX;
      break;
    case BASE_ACQ:
      is_in = x->order == ORD_ACQ;
      break;
    case BASE_REL:
      is_in = x->order == ORD_REL;
      break;
    case BASE_ACQ_REL:
      is_in = x->order == ORD_ACQ_REL;
      break;
    case BASE_SC:
      is_in = x->order == ORD_SC;
      break;
    case BASE_CREATE:
      is_in = x->kind == KIND_CREATE;
      break;
    case BASE_JOIN:
      is_in = x->kind == KIND_JOIN;
      break;
    case BASE_FREE:
      is_in = x->kind == KIND_FREE;
      break;
    case BASE_FW: /* below */
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
      break;
    }
    if (is_in) bits_put (set, i);
  }
}

/* Place of a write of location loc; event 0 is that location's initial write. */
static u32 index_of_write (const World *w, u32 loc, Ev e) {
  return e == EV_INIT ? w->initial_of[loc] : world_index (w, e);
}

static void read_final_writes (const World *w, u64 *set) {
  for (u32 i = 0; i < w->initial; i++) {
    const Location *l = graph_location (w->g, w->locations[i]);
    bits_put (set, index_of_write (w, w->locations[i], vec_last (&l->mo)));
  }
}

/* ---- relations ---- */

static void close (const World *w, u64 *bits) {
  for (u32 via = 0; via < w->size; via++)
    for (u32 i = 0; i < w->size; i++)
      if (bits_have (row (w, bits, i), via))
        for (u32 k = 0; k < w->words; k++) row (w, bits, i)[k] |= row (w, bits, via)[k];
}

/* The next events of e: in its thread, of the thread it creates, and what waits for its thread. */
static void read_po (const World *w, u64 *bits) {
  for (Tid t = 0; t < w->g->nthreads; t++) {
    const ThreadLine *line = &w->g->threads[t];
    u32 size = graph_thread_size (w->g, t);
    for (u32 i = 0; i < size; i++) {
      Ev e = graph_thread_event (w->g, t, i);
      u32 at = world_index (w, e);
      if (i) bits_put (row (w, bits, world_index (w, graph_thread_event (w->g, t, i - 1))), at);
      const Event *x = graph_event (w->g, e);
      if (x->kind != KIND_JOIN) continue;
      const ThreadLine *joined = &w->g->threads[x->value];
      Ev last = joined->events.size ? vec_last (&joined->events) : joined->created_by;
      if (last != EV_NONE && last != EV_INIT) bits_put (row (w, bits, world_index (w, last)), at);
    }
    if (size && line->created_by != EV_NONE && line->created_by != EV_INIT)
      bits_put (row (w, bits, world_index (w, line->created_by)),
                world_index (w, graph_thread_event (w->g, t, 0)));
  }
  bool is_sorted = true; /* then one pass from the end does */
  for (u32 i = w->size; i-- > w->initial;) {
    u64 *x = row (w, bits, i);
    for (u32 k = 0; k < w->words; k++)
      for (u64 left = x[k]; left; left &= left - 1) {
        u32 next = k * 64 + (u32)__builtin_ctzll (left);
        if (next < i) is_sorted = false;
        for (u32 j = 0; j < w->words; j++) x[j] |= row (w, bits, next)[j];
      }
  }
  if (!is_sorted) close (w, bits);
}

static void read_rf (const World *w, u64 *bits) {
  for (u32 i = w->initial; i < w->size; i++) {
    const Event *x = event_at (w, i);
    if (x->kind != KIND_READ || x->rf == EV_NONE) continue;
    bits_put (row (w, bits, index_of_write (w, x->loc, x->rf)), i);
  }
}

static void read_co (const World *w, u64 *bits) {
  for (u32 i = 0; i < w->initial; i++) {
    u32 loc = w->locations[i];
    const Location *l = graph_location (w->g, loc);
    for (u32 a = 0; a < l->mo.size; a++)
      for (u32 b = a + 1; b < l->mo.size; b++)
        bits_put (row (w, bits, index_of_write (w, loc, l->mo.data[a])),
                  index_of_write (w, loc, l->mo.data[b]));
  }
}

static void read_fr (const World *w, u64 *bits) {
  for (u32 i = w->initial; i < w->size; i++) {
    const Event *x = event_at (w, i);
    if (x->kind != KIND_READ || x->rf == EV_NONE) continue;
    const Location *l = graph_location (w->g, x->loc);
    u32 k = 0;
    while (k < l->mo.size && l->mo.data[k] != x->rf) k++;
    for (k++; k < l->mo.size; k++)
      bits_put (row (w, bits, i), index_of_write (w, x->loc, l->mo.data[k]));
  }
}

static bool is_rmw (const Event *r, const Event *x) {
  return r->kind == KIND_READ && x->kind == KIND_WRITE && r->loc == x->loc && r->tid == x->tid &&
         (r->flags & x->flags & EVENT_EXCLUSIVE);
}

static void read_rmw (const World *w, u64 *bits) {
  for (Tid t = 0; t < w->g->nthreads; t++) {
    for (u32 i = 1; i < graph_thread_size (w->g, t); i++) {
      Ev a = graph_thread_event (w->g, t, i - 1), b = graph_thread_event (w->g, t, i);
      if (is_rmw (graph_event (w->g, a), graph_event (w->g, b)))
        bits_put (row (w, bits, world_index (w, a)), world_index (w, b));
    }
  }
}

static void read_deps (const World *w, u64 *bits, DepKind kind) {
  for (u32 i = w->initial; i < w->size && w->g->dep_sets; i++) {
    Tid t = event_at (w, i)->tid;
    u32 set = graph_deps (w->g, world_event (w, i), kind);
    for (u32 k; deps_next (w->g->dep_sets, &set, &k);)
      bits_put (row (w, bits, world_index (w, graph_at_place (w->g, t, k))), i);
  }
}

void world_read_mapped (const World *w, const char *name, u64 *set) {
  u64 hardware = w->g->is_mapped ? hardware_set (name) : 0;
  for (u32 i = w->initial; hardware && i < w->size; i++)
    if (hardware >> event_at (w, i)->hardware & 1) bits_put (set, i);
}

/* Pairs of events that agree in something, or (if not `same`) that do not. */
static void read_pairs (const World *w, u64 *bits, u32 (*of) (const World *w, u32 i), u32 nothing,
                        bool same) {
  for (u32 a = 0; a < w->size; a++)
    for (u32 b = 0; b < w->size; b++) {
      u32 x = of (w, a), y = of (w, b);
      if ((x == y && x != nothing) == same) bits_put (row (w, bits, a), b);
    }
}

/* Initial writes are threads of their own. */
static u32 thread_or_self (const World *w, u32 i) {
  return i < w->initial ? w->g->nthreads + i : world_thread (w, i);
}

void world_read (const World *w, BaseId base, u64 *bits) {
  switch (base) {
  case BASE_PO:
    read_po (w, bits);
    break;
  case BASE_RF:
    read_rf (w, bits);
    break;
  case BASE_CO:
    read_co (w, bits);
    break;
  case BASE_FR:
    read_fr (w, bits);
    break;
  case BASE_RMWS:
    read_rmw (w, bits);
    break;
  case BASE_LOC:
    read_pairs (w, bits, world_location, LOC_NONE, true);
    break;
  case BASE_INT:
    read_pairs (w, bits, thread_or_self, EV_NONE, true);
    break;
  case BASE_EXT:
    read_pairs (w, bits, thread_or_self, EV_NONE, false);
    break;
  case BASE_FW:
    read_final_writes (w, bits);
    break;
  case BASE_ADDR:
    read_deps (w, bits, DEP_ADDR);
    break;
  case BASE_DATA:
    read_deps (w, bits, DEP_DATA);
    break;
  case BASE_CTRL:
    read_deps (w, bits, DEP_CTRL);
    break;
  case BASE_UNMAPPED:
    break;
  case BASE_R:
  case BASE_W:
  case BASE_M:
  case BASE_F:
  case BASE_IW:
  case BASE_RMW:
  case BASE_X:
  case BASE_A:
  case BASE_NA:
  case BASE_RLX:
  case BASE_ACQ:
  case BASE_REL:
  case BASE_ACQ_REL:
  case BASE_SC:
  case BASE_CREATE:
  case BASE_JOIN:
  case BASE_FREE:
    read_set (w, base, bits);
    break;
  }
}
