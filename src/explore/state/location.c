/* location.c - addresses to dense location numbers. A location is the bytes of one access; accesses
 * that overlap partly have no common location, and porf says so instead of guessing. */
#include "explore/state/explorer.h"

bool location_overlaps_another (const Explorer *x, u64 addr, u32 size, u32 *found) {
  *found = LOC_NONE;
  for (u32 i = 0; i < size; i++) {
    u64 loc;
    if (!map_get (&x->location_of_byte, addr + i, &loc)) continue;
    if (x->addresses.data[loc] != addr || x->locations.data[loc].size != size) return true;
    *found = (u32)loc;
  }
  return false;
}

/* Iterations of spin loops that were left out so far should have been events if an access to the
 * location can be a data race, a use after free or a read of nothing: then the exploration starts
 * again. */
static void show_iterations (Explorer *x, u32 loc) {
  LocationInfo *info = &x->locations.data[loc];
  if (info->must_show_iterations) return;
  info->must_show_iterations = true;
  knowledge_note (x, FACT_shows_iterations, x->addresses.data[loc]);
  x->known.has_risky_iterations |= info->in_long_iterations;
  if (x->known.has_left_out) x->must_restart = true;
}

void location_note_unordered_writes (Explorer *x, u32 loc) {
  x->locations.data[loc].has_unordered_writes = true;
  learn (x, unordered_writes, x->addresses.data[loc]);
}

void location_show_iterations (Explorer *x, u64 addr) {
  u64 base, size;
  if (!vm_object_at (x->vm, addr, &base, &size)) return;
  for (u32 loc = 0; loc < x->addresses.size; loc++)
    if (x->addresses.data[loc] >= base && x->addresses.data[loc] < base + size)
      show_iterations (x, loc);
}

u32 location_new (Explorer *x, u64 addr, u32 size) {
  u32 loc = x->locations.size;
  assert (x->addresses.size == loc && location_find (x, addr) == LOC_NONE);
  LocationInfo info = {.size = (u8)size};
  info.is_initialised = vm_initial_value (x->vm, addr, size, &info.initial);
  info.may_be_undefined = !info.is_initialised;
  if (!info.is_initialised) info.initial = 0;
  u64 known;
  info.must_show_iterations =
      !info.is_initialised || map_get (&x->known.shows_iterations, addr, &known);
  info.has_unordered_writes = map_get (&x->known.unordered_writes, addr, &known);
  vec_push (&x->addresses, addr);
  vec_push (&x->locations, info);
  for (u32 i = 0; i < size; i++) map_put (&x->location_of_byte, addr + i, loc);
  return loc;
}

u32 location_of (Explorer *x, Snapshot *s) {
  const Effect *e = &s->effect;
  assert (effect_is_access (e) && s->location <= x->locations.size);
  if (LIKELY (s->location)) return s->location - 1;
  u32 loc;
  if (location_overlaps_another (x, e->addr, e->size, &loc)) {
    explorer_not_covered (x, e->pos, "accesses of different sizes to the same memory");
    return LOC_NONE;
  }
  if (loc == LOC_NONE) loc = location_new (x, e->addr, e->size);
  assert (x->addresses.data[loc] == e->addr && x->locations.data[loc].size == e->size);
  bool is_lock = e->kind == EFF_LOCK || e->kind == EFF_TRYLOCK || e->kind == EFF_UNLOCK;
  if (e->order == ORD_NA || !x->locations.data[loc].is_initialised || is_lock)
    x->judge.has_risks = true;
  x->locations.data[loc].has_locks |= is_lock;
  x->locations.data[loc].has_stores |= !is_lock && e->kind != EFF_READ;
  if (e->order == ORD_NA) {
    x->locations.data[loc].has_na = true;
    if (looks_for_races (x)) show_iterations (x, loc);
  }
  if (effect_is_mixed (e)) x->locations.data[loc].has_mixed = x->judge.has_risks = true;
  if (e->undefined.bits) x->locations.data[loc].may_be_undefined = true;
  s->location = loc + 1;
  return loc;
}

u32 location_find (const Explorer *x, u64 addr) {
  u64 loc;
  return map_get (&x->location_of_byte, addr, &loc) ? (u32)loc : LOC_NONE;
}

/* The place in mo of the last write up to place p that is not blind. */
u32 location_place_of_base (const Graph *g, const Location *l, u32 p) {
  assert (p < l->mo.size && !(graph_event (g, l->mo.data[0])->flags & EVENT_BLIND));
  while (graph_event (g, l->mo.data[p])->flags & EVENT_BLIND) p--;
  return p;
}

/* Applies the updates up to w to what was written before them. */
static u64 value_of_blind (const Explorer *x, u32 loc, Ev w) {
  assert (x->addresses.data[loc] == x->reduce.counter);
  const Location *l = graph_location (x->g, loc);
  u32 last = graph_event (x->g, w)->mopos, p = location_place_of_base (x->g, l, last);
  u64 value = location_value_of_write (x, loc, l->mo.data[p]);
  while (p++ < last) {
    const Effect *e = event_effect (x->g, l->mo.data[p]);
    value = rmw_apply ((RmwOp)e->rmw, value, e->value, e->size);
  }
  return value;
}

u64 location_value_of_write (const Explorer *x, u32 loc, Ev w) {
  if (w == EV_INIT) return x->locations.data[loc].initial;
  const Event *write = graph_event (x->g, w);
  return UNLIKELY (write->flags & EVENT_BLIND) ? value_of_blind (x, loc, w) : write->value;
  assert (write->kind == KIND_WRITE && write->loc == loc);
}

/* Read-modify-writes never write undefined bits. */
Undefined location_undefined_of_write (const Explorer *x, u32 loc, Ev w) {
  const LocationInfo *info = &x->locations.data[loc];
  if (w == EV_INIT) return (Undefined){.bits = info->is_initialised ? 0 : SIZE_MASK (info->size)};
  return event_is_exclusive (x->g, w) ? (Undefined){0} : event_effect (x->g, w)->undefined;
}
