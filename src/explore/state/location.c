/* location.c - addresses to dense location numbers. A location is the bytes of one access; accesses
 * that overlap partly have no common location, and porf says so instead of guessing. */
#include "explore/state/explorer.h"

bool overlaps_another (const Explorer *x, u64 addr, u32 size, u32 *found) {
  *found = LOC_NONE;
  for (u32 i = 0; i < size; i++) {
    u64 loc;
    if (!map_get (&x->location_of_byte, addr + i, &loc)) continue;
    if (x->addresses.data[loc] != addr || x->locations.data[loc].size != size) return true;
    *found = (u32)loc;
  }
  return false;
}

/* Rounds of spin loops that were left out so far should have been events if an access to the
 * location can be a data race, a use after free or a read of nothing: then the exploration starts
 * again. */
static void show_rounds (Explorer *x, u32 loc) {
  LocationInfo *info = &x->locations.data[loc];
  if (info->must_show_rounds) return;
  info->must_show_rounds = true;
  note_fact (x, FACT_shows_rounds, x->addresses.data[loc]);
  x->known.has_risky_rounds |= info->in_long_rounds;
  if (x->known.has_left_out) x->must_restart = true;
}

void note_loose_writes (Explorer *x, u32 loc) {
  x->locations.data[loc].has_loose_writes = true;
  learn (x, loose_writes, x->addresses.data[loc]);
}

void show_rounds_of_object (Explorer *x, u64 addr) {
  u64 base, size;
  if (!vm_object_at (x->vm, addr, &base, &size)) return;
  for (u32 loc = 0; loc < x->addresses.size; loc++)
    if (x->addresses.data[loc] >= base && x->addresses.data[loc] < base + size)
      show_rounds (x, loc);
}

u32 new_location (Explorer *x, u64 addr, u32 size) {
  u32 loc = x->locations.size;
  LocationInfo info = {.size = (u8)size};
  info.is_initialised = vm_initial_value (x->vm, addr, size, &info.initial);
  info.may_be_undefined = !info.is_initialised;
  if (!info.is_initialised) info.initial = 0;
  u64 known;
  info.must_show_rounds = !info.is_initialised || map_get (&x->known.shows_rounds, addr, &known);
  info.has_loose_writes = map_get (&x->known.loose_writes, addr, &known);
  vec_push (&x->addresses, addr);
  vec_push (&x->locations, info);
  for (u32 i = 0; i < size; i++) map_put (&x->location_of_byte, addr + i, loc);
  return loc;
}

u32 location_of (Explorer *x, Snapshot *s) {
  const Effect *e = &s->effect;
  if (LIKELY (s->location)) return s->location - 1;
  u32 loc;
  if (overlaps_another (x, e->addr, e->size, &loc)) {
    not_covered (x, e->pos, "accesses of different sizes to the same memory");
    return LOC_NONE;
  }
  if (loc == LOC_NONE) loc = new_location (x, e->addr, e->size);
  bool is_lock = e->kind == EFF_LOCK || e->kind == EFF_TRYLOCK || e->kind == EFF_UNLOCK;
  if (e->order == ORD_NA || !x->locations.data[loc].is_initialised || is_lock)
    x->judge.has_risks = true;
  x->locations.data[loc].has_locks |= is_lock;
  x->locations.data[loc].has_stores |= !is_lock && e->kind != EFF_READ;
  if (e->order == ORD_NA) {
    x->locations.data[loc].has_na = true;
    if (looks_for_races (x)) show_rounds (x, loc);
  }
  if (effect_is_mixed (e)) x->locations.data[loc].has_mixed = x->judge.has_risks = true;
  if (e->undefined.bits) x->locations.data[loc].may_be_undefined = true;
  s->location = loc + 1;
  return loc;
}

u32 find_location (const Explorer *x, u64 addr) {
  u64 loc;
  return map_get (&x->location_of_byte, addr, &loc) ? (u32)loc : LOC_NONE;
}

/* The place in mo of the last write up to place p that is not blind. */
u32 place_of_base (const Graph *g, const Location *l, u32 p) {
  while (graph_event (g, l->mo.data[p])->flags & EVENT_BLIND) p--;
  return p;
}

/* Applies the updates up to w to what was written before them. */
static u64 value_of_blind (const Explorer *x, u32 loc, Ev w) {
  const Location *l = graph_location (x->g, loc);
  u32 last = graph_event (x->g, w)->mopos, p = place_of_base (x->g, l, last);
  u64 value = value_of_write (x, loc, l->mo.data[p]);
  while (p++ < last) {
    const Effect *e = event_effect (x->g, l->mo.data[p]);
    value = rmw_apply ((RmwOp)e->rmw, value, e->value, e->size);
  }
  return value;
}

u64 value_of_write (const Explorer *x, u32 loc, Ev w) {
  if (w == EV_INIT) return x->locations.data[loc].initial;
  const Event *write = graph_event (x->g, w);
  return UNLIKELY (write->flags & EVENT_BLIND) ? value_of_blind (x, loc, w) : write->value;
}

/* Read-modify-writes never write undefined bits. */
Undefined undefined_of_write (const Explorer *x, u32 loc, Ev w) {
  const LocationInfo *info = &x->locations.data[loc];
  if (w == EV_INIT) return (Undefined){.bits = info->is_initialised ? 0 : SIZE_MASK (info->size)};
  return event_is_exclusive (x->g, w) ? (Undefined){0} : event_effect (x->g, w)->undefined;
}
