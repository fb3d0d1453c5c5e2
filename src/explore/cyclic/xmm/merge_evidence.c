/* merge_evidence.c - what several workers have found for re-execution is put together: docs/XMM.md §3.
 *
 * Every worker collects evidence, values and cores of the graphs that it visits, with locations
 * numbered as it has met them. When all have come to their end the first one takes over what the
 * others have, and each thing once. Evidence and cores are put in an order that does not depend on
 * who has found them.
 */
#include "explore/cyclic/xmm/xmm.h"
#include "witness/witness.h"

#include <stdlib.h>

static u32 same_location (Explorer *x, const Explorer *w, u32 loc) {
  if (loc == LOC_NONE) return loc;
  u32 found = location_find (x, w->addresses.data[loc]);
  return found != LOC_NONE ? found
                           : location_new (x, w->addresses.data[loc], w->locations.data[loc].size);
}

static u64 name_of_core (const Explorer *x, Graph *core) {
  Execution now = explorer_execution (x);
  now.graph = core;
  return execution_hash (&now, 1);
}

static void gather_values (Explorer *x, const Explorer *w) {
  const Reexecution *from = w->cyclic.reexecution;
  for (u32 loc = 0; loc < from->values.size; loc++)
    for (u32 i = 0; i < from->values.data[loc].size; i++) {
      Value v = from->values.data[loc].data[i];
      xmm_note_written (x->cyclic.reexecution, same_location (x, w, loc), v.value, v.writers);
    }
}

static void gather_users (Explorer *x, const Explorer *w) {
  Reexecution *re = x->cyclic.reexecution, *from = w->cyclic.reexecution;
  for (u32 loc = 0; loc < from->users.size; loc++)
    evidence_note_users (re, same_location (x, w, loc), from->users.data[loc]);
  re->has_new_users |= (from->creators & ~re->creators) != 0;
  re->creators |= from->creators;
  re->has_new_users |= (from->joined & ~re->joined) != 0;
  re->joined |= from->joined;
  re->has_weak_sources |= from->has_weak_sources;
}

static void gather_evidence (Explorer *x, const Explorer *w) {
  Reexecution *from = w->cyclic.reexecution;
  for (u32 i = 0; i < from->table.size; i++) {
    Evidence *v = from->table.data[i];
    for (u32 k = 0; k < v->count; k++)
      v->kept[k].label.loc = same_location (x, w, v->kept[k].label.loc);
    evidence_add (x, v);
  }
  from->table.size = 0;
}

/* As a task, which is the same for everybody. */
static Graph *move_core (Explorer *x, const Explorer *w, Graph *core) {
  Task t = xmm_core_task (w, core, 0), copy = {0};
  Bytes b = {0};
  task_write (w, &t, &b);
  ByteReader r = {b.data, b.data + b.size, false};
  BUG_IF (!task_read (x, &r, &copy));
  Graph *g = copy.graph;
  copy.graph = NULL;
  vec_free (&b);
  task_done (&t);
  task_done (&copy);
  return g;
}

static void gather_cores (Explorer *x, Explorer *w) {
  Reexecution *re = x->cyclic.reexecution, *from = w->cyclic.reexecution;
  for (u32 i = 0; i < from->cores.size; i++) {
    u64 name = name_of_core (w, from->cores.data[i]), known;
    Graph *core = move_core (x, w, from->cores.data[i]);
    if (map_get (&re->known, name, &known)) {
      x->result.stats.known_cores++;
      graph_free (core);
      continue;
    }
    map_put (&re->known, name, 1);
    vec_push (&re->cores, core);
  }
  from->cores.size = 0;
  if (!x->model->promises) return; /* names of evidence are there */
  for (u32 i = 0; i < from->places.capacity; i++)
    if (from->places.used[i]) map_put (&re->places, from->places.keys[i], 1);
}

void xmm_merge_found (Explorer *x, Explorer *w) {
  Reexecution *re = x->cyclic.reexecution, *from = w->cyclic.reexecution;
  groups_join (x, w);
  if (!re || !from || x->must_restart) return;
  gather_values (x, w);
  gather_users (x, w);
  gather_evidence (x, w);
  gather_cores (x, w);
  re->steps += from->steps;
  re->not_tried += from->not_tried;
  re->has_given_up |= from->has_given_up;
  re->has_doubts |= from->has_doubts;
  re->is_over |= from->is_over;
}

void xmm_count_found (Explorer *x) {
  x->result.stats.evidence = x->cyclic.reexecution->places.size;
  x->result.stats.cores = x->cyclic.reexecution->known.size;
}

typedef struct Named {
  u64 name;
  Graph *core;
} Named;

static int compare_names (const void *a, const void *b) {
  u64 p = ((const Named *)a)->name, q = ((const Named *)b)->name;
  return p < q ? -1 : p > q;
}

void xmm_sort_cores (const Explorer *x, Graphs *cores) {
  Named *all = mem_alloc ((cores->size + 1) * sizeof *all);
  for (u32 i = 0; i < cores->size; i++)
    all[i] = (Named){name_of_core (x, cores->data[i]), cores->data[i]};
  qsort (all, cores->size, sizeof *all, compare_names);
  for (u32 i = 0; i < cores->size; i++) cores->data[i] = all[i].core;
  mem_free (all);
}
