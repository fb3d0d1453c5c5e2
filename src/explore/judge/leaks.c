/* leaks.c - at the end of an execution: memory that no thread can free any more. */
#include "explore/judge/judge.h"

static bool byte_at (void *arg, u64 addr, u8 *byte) {
  const Explorer *x = arg;
  u32 loc = location_find (x, addr);
  if (loc >= x->g->locations.size) return false;
  u64 value = location_value_of_write (x, loc, graph_mo_last (x->g, loc)), high = 0;
  u64 offset = addr - x->addresses.data[loc];
  if (x->locations.data[loc].size > 8) vm_pair (x->vm, value, &value, &high);
  *byte = (u8)(offset < 8 ? value >> (8 * offset) : high >> (8 * (offset - 8)));
  return true;
}

static bool is_freed (void *arg, u64 base) {
  const Explorer *x = arg;
  i64 frees = 0;
  for (Ev e = 1; e < x->g->events.size; e++) {
    const Event *event = graph_event (x->g, e);
    if (event->value != base) continue;
    frees += event->kind == KIND_FREE;
    frees -= event->kind == KIND_CHOICE && effect_may_reuse (event_effect (x->g, e));
  }
  return frees > 0;
}

static void on_leak (void *arg, u64 addr, Tid by, u32 pos) {
  Explorer *x = arg;
  Str name = {0}, message = {0};
  vm_describe_address (x->vm, addr, &name);
  str_printf (&message, "`%s` can be lost: it is neither freed nor reachable when the program ends",
              name.text);
  judge_report (x, FINDING_LEAK, message.text, by, pos, EV_NONE, EV_NONE);
  str_free (&name);
  str_free (&message);
}

/* The execution is complete. Main may stand at a join that need not be followed (schedule.c): where
 * it ends is what counts. */
void judge_find_leaks (Explorer *x) {
  const Graph *g = x->g;
  if (!x->options->vm.find_leaks) return;
  if (g->mo_is_list && !g->has_finals) {
    explorer_not_covered (x, 0,
                          "leaks (this model does not say which write to a location is the last)");
    return;
  }
  Snapshot **threads = mem_zalloc (g->nthreads * sizeof *threads);
  bool has_failed = false;
  for (Tid t = 0; t < g->nthreads; t++) {
    if (g->threads[t].created_by == EV_NONE) continue;
    threads[t] = thread_after_joins (x, thread_snapshot (g, t));
    has_failed |= threads[t]->effect.kind == EFF_ERROR;
  }
  VmEnd end = {.threads = threads,
               .thread_count = g->nthreads,
               .byte_at = byte_at,
               .is_freed = is_freed,
               .on_leak = on_leak,
               .arg = x};
  if (!has_failed) vm_find_leaks (x->vm, &end);
  for (Tid t = 0; t < g->nthreads; t++)
    if (threads[t]) snapshot_release (x->vm, threads[t]);
  mem_free (threads);
}
