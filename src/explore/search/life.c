/* life.c - an explorer from its making to its end, and what is made ready for each search. */
#include "explore/order/order.h"
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"

static bool is_sc (const Program *p, const Insn *i) {
  (void)p;
  return i->order == ORD_SC || i->order2 == ORD_SC;
}

static bool can_leave_out_waits (const Explorer *x) {
  if (!x->options->reductions || x->run.follows_iterations) return false;
  return x->model->old_reads == OLD_READS_HARMLESS ||
         (x->model->old_reads == OLD_READS_HARMLESS_WITHOUT_SC &&
          !program_has_insn (x->program, is_sc));
}

static bool can_commute (const Explorer *x) {
  return x->options->commuting && x->model->relaxed_updates_commute &&
         !program_has_fences (x->program) && !vm_dep_sets (x->vm);
}

/* Drops everything but what the VM has learned about sharing. Locations are numbered anew, so the
 * VM has to be restarted with it: its snapshots carry the old numbers. */
void search_forget (Explorer *x) {
  search_unwind (x);
  for (Graph *g = x->free_graphs, *next; g; g = next) {
    next = g->next_free;
    graph_free (g);
  }
  x->free_graphs = NULL;
  map_clear (&x->location_of_byte);
  map_clear (&x->hashes);
  x->addresses.size = x->locations.size = 0;
}

static void reset_estimate (Explorer *x) {
  Estimator *s = &x->run.estimator;
  map_free (&s->weights);
  *s = (Estimator){0};
  x->run.random = x->options->seed;
}

void search_get_ready (Explorer *x) {
  x->must_restart = x->must_restart_now = x->known.has_frees = x->judge.has_risks = false;
  x->reduce.can_leave_out_waits = can_leave_out_waits (x);
  vm_set_patience (x->vm, x->run.follows_iterations);
  x->reduce.has_symmetric_threads = false;
  x->reduce.counter = 0;
  x->reduce.can_commute = can_commute (x);
  rounds_get_ready (x);
  x->reduce.only_volatile = volatile_is_possible (x);
  x->reduce.represented = x->reduce.represented_blocked = 0;
  x->order.prefix = mem_resize (x->order.prefix, x->known.stride * sizeof (Clock));
  x->order.other_prefix = mem_resize (x->order.other_prefix, x->known.stride * sizeof (Clock));
  reset_estimate (x);
}

void search_add_vm_stats (Stats *s, const Vm *vm) {
  VmStats v = vm_stats (vm);
  s->instructions += v.instructions;
  s->resumes += v.resumes;
  s->memo_hits += v.memo_hits;
}

void explorer_free (Explorer *x) {
  search_forget (x);
  x->hooks->end_cyclic (x);
  vm_free (x->vm);
  order_free (x);
  vec_free (&x->stack);
  vec_free (&x->revisits);
  vec_free (&x->addresses);
  vec_free (&x->locations);
  knowledge_free (&x->known);
  vec_free (&x->worker.base_path);
  vec_free (&x->worker.start);
  vec_free (&x->worker.held);
  map_free (&x->run.estimator.weights);
  map_free (&x->location_of_byte);
  map_free (&x->cyclic.touched);
  map_free (&x->hashes);
  map_free (&x->reduce.retry_facts);
  map_free (&x->reduce.retry_doubts);
}

void explorer_init (Explorer *x, const Program *program, const ExploreOptions *options,
                    const Hooks *hooks) {
  const Model *m = options->model;
  VmOptions vm = options->vm;
  vm.share_everything |= !options->reductions || m->sees_private;
  vm.in_turn = options->barriers;
  vm.keep_releases |= m->releases_fence;
  vm.keep_acquires |= m->acquires_fence;
  vm.dependencies |= order_asks_dependencies (m);
  vm.quiet_stores = options->reductions && !vm.dependencies && rounds_are_forgotten (m);
  *x = (Explorer){.program = program,
                  .hooks = hooks,
                  .options = options,
                  .model = m,
                  .vm = vm_new (program, vm),
                  .known.stride = 8,
                  .run.started = seconds_now (),
                  .run.begun = seconds_now (),
                  .result.model = m->name};
  order_init (x);
  explorer_set_length (x);
}
