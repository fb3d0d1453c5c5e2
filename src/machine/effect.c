/* effect.c - the ways in which stores that are on their way to a memory can arrive.
 *
 * An arrival commutes with everything but reads of its location by threads of that memory, fences
 * that wait for it, and other arrivals at its location. So it may wait until one of these is about
 * to happen, and a step of a thread is made together with the arrivals that it can tell: those at
 * the location that it reads, or those that it waits for, and whatever they need. Without the
 * reduction `lazy`, arrivals are steps of their own (machine_step_arrivals) and there is one way: as it is.
 */
#include "machine/step.h"

typedef VEC (u32) Locs;

static void add_loc (Locs *l, u32 loc) {
  for (u32 i = 0; i < l->size; i++)
    if (l->data[i] == loc) return;
  vec_push (l, loc);
}

static bool has_loc (const Locs *l, u32 loc) {
  for (u32 i = 0; i < l->size; i++)
    if (l->data[i] == loc) return true;
  return false;
}

static bool has_more (const Memory *m, const Demand *d) {
  return memory_pending (m, d->writer, d->loc) > d->most;
}

bool machine_is_unmet (const Memory *m, const Demand *d) { return !d->is_open && has_more (m, d); }

static bool are_met (const Memory *m, const Demand *demands, u32 n) {
  for (u32 i = 0; i < n; i++)
    if (machine_is_unmet (m, &demands[i])) return false;
  return true;
}

/* Where arrivals matter. */
static void find_locations (const Memory *m, const Demand *demands, u32 n, u32 extra, Locs *out) {
  if (extra != UINT32_MAX) add_loc (out, extra);
  for (u32 i = 0; i < n; i++)
    if (has_more (m, &demands[i])) add_loc (out, demands[i].loc);
  for (u32 i = 0; i < out->size; i++)
    for (u32 k = 0; k < m->pending.size; k++) {
      const Pending *p = &m->pending.data[k];
      if (p->loc != out->data[i]) continue;
      for (u32 j = 0; j < p->nneeds; j++) add_loc (out, m->needs.data[p->needs + j].loc);
    }
}

static bool is_known (const Ways *ways, u32 memory) {
  for (u32 i = 0; i < ways->size; i++)
    if (ways->data[i].memory == memory) return true;
  return false;
}

void machine_find_ways (Machine *x, u32 memory, const Demand *demands, u32 n, u32 extra,
                        Ways *out) {
  assert (extra == UINT32_MAX || extra < x->locations.size);
  Memory m = memory_new (x);
  Locs locs = {0};
  out->size = 0;
  memory_load (x, memory, &m);
  vec_push (out, ((Way){.memory = memory, .is_met = are_met (&m, demands, n)}));
  if (x->options->lazy) find_locations (&m, demands, n, extra, &locs);
  for (u32 i = 0; i < out->size && locs.size; i++) {
    if (out->data[i].is_met && extra == UINT32_MAX) continue;
    memory_load (x, out->data[i].memory, &m);
    u32 npending = m.pending.size;
    for (u32 k = 0; k < npending; k++) {
      Pending p = m.pending.data[k];
      if (!has_loc (&locs, p.loc) || !memory_can_arrive (&m, k)) continue;
      memory_arrive (x, &m, k);
      u32 next = memory_save (x, &m);
      if (!is_known (out, next))
        vec_push (out, ((Way){next, are_met (&m, demands, n), i, p.writer, p.loc, p.value}));
      memory_load (x, out->data[i].memory, &m);
    }
  }
  vec_free (&locs);
  memory_done (x, &m);
}
