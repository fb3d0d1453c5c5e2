/* location.c - addresses to dense location numbers. A location is the bytes of one access; accesses that overlap
 * partly have no common location, and porf says so instead of guessing. */
#include "explore/explore_int.h"

static bool overlaps_another (const Explorer *x, u64 addr, u32 size, u32 *found) {
  *found = LOC_NONE;
  for (u32 i = 0; i < size; i++) {
    u64 loc;
    if (!map_get (&x->location_of_byte, addr + i, &loc)) continue;
    if (x->addresses.data[loc] != addr || x->locations.data[loc].size != size) return true;
    *found = (u32)loc;
  }
  return false;
}

static u32 new_location (Explorer *x, u64 addr, u32 size) {
  u32 loc = x->locations.size;
  LocationInfo info = {.size = (u8)size};
  info.is_initialised = vm_initial_value (x->vm, addr, size, &info.initial);
  if (!info.is_initialised) info.initial = 0;
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
  if (e->order == ORD_NA) x->locations.data[loc].has_na = true;
  s->location = loc + 1;
  return loc;
}

u64 value_of_write (const Explorer *x, u32 loc, Ev w) {
  return w == EV_INIT ? x->locations.data[loc].initial : graph_event (x->g, w)->value;
}
