/* run.c - the life of an exploration: beginning, beginning again when more turns out to be shared,
 * the second look for threads that wait forever, the end. The algorithm itself is explore.c. */
#include "explore/explore_int.h"

#include <math.h>

Frame *push_frame (Explorer *x, FrameKind kind, Ev e) {
  vec_push (&x->stack, ((Frame){.kind = (u8)kind, .g = x->g, .e = e, .clash = EV_NONE}));
  return &vec_last (&x->stack);
}

void undo_choice (Explorer *x, Frame *f) {
  switch ((FrameKind)f->kind) {
  case FRAME_START:
  case FRAME_TASK:
  case FRAME_TURN:
    break;
  case FRAME_READ:
    undo_source (x, f);
    break;
  case FRAME_WRITE:
    undo_place (x, f);
    break;
  case FRAME_REVISIT:
    undo_revisit_place (x, f);
    break;
  case FRAME_FREEZE:
    undo_freeze (x, f);
    break;
  case FRAME_VALUE:
  case FRAME_OTHER:
    undo_other (x, f);
    break;
  case FRAME_MEET:
    undo_meeting (x, f);
    break;
  }
}

/* Removes what a frame stands for, once no choice of it is in force. */
void close_frame (Explorer *x, Frame *f) {
  switch ((FrameKind)f->kind) {
  case FRAME_START:
    snapshot_release (x->vm, f->g->threads[0].state);
    graph_free (f->g);
    x->g = NULL;
    break;
  case FRAME_TASK:
    for (u32 i = 0; i < x->held.size; i++) snapshot_release (x->vm, x->held.data[i]);
    x->held.size = 0;
    graph_free (f->g);
    x->g = NULL;
    break;
  case FRAME_WRITE:
    if (f->has_revisits) x->revisits.size = f->revisits;
    if (!event_is_exclusive (x->g, f->e)) retreat_thread (x, f->e);
    graph_pop (x->g);
    break;
  case FRAME_REVISIT:
    give_back_graph (x, f->g);
    x->g = x->stack.data[x->stack.size - 2].g;
    x->graph_bytes -= graph_bytes (x->g);
    break;
  case FRAME_FREEZE:
  case FRAME_MEET:
  case FRAME_TURN:
    break;
  case FRAME_READ:
  case FRAME_VALUE:
  case FRAME_OTHER:
    graph_pop (x->g);
    break;
  }
}

void unwind (Explorer *x) {
  for (; x->stack.size; x->stack.size--) {
    Frame *f = &vec_last (&x->stack);
    if (f->is_applied) undo_choice (x, f);
    close_frame (x, f);
  }
}

/* Drops everything but what the VM has learned about sharing. Locations are numbered anew, so the
 * VM has to be restarted with it: its snapshots carry the old numbers. */
void forget_search (Explorer *x) {
  unwind (x);
  for (Graph *g = x->free_graphs, *next; g; g = next) {
    next = g->next_free;
    graph_free (g);
  }
  x->free_graphs = NULL;
  map_clear (&x->location_of_byte);
  map_clear (&x->hashes);
  x->addresses.size = x->locations.size = 0;
}

static bool is_sc (const Program *p, const Insn *i) {
  (void)p;
  return i->order == ORD_SC || i->order2 == ORD_SC;
}

static bool is_fence (const Program *p, const Insn *i) {
  (void)p;
  return i->op == OP_FENCE;
}

static bool can_leave_out_waits (const Explorer *x) {
  if (!x->options->reductions || !x->model->has_mo || x->looks_into_rounds) return false;
  return x->model->old_reads == OLD_READS_HARMLESS ||
         (x->model->old_reads == OLD_READS_HARMLESS_WITHOUT_SC &&
          !program_has_insn (x->program, is_sc));
}

static bool can_commute (const Explorer *x) {
  return x->options->commuting && x->model->relaxed_updates_commute &&
         !program_has_insn (x->program, is_fence) && !vm_dep_sets (x->vm);
}

Frame *push_start (Explorer *x) {
  x->g = graph_new (x->stride);
  if (vm_dep_sets (x->vm)) graph_track_deps (x->g, vm_dep_sets (x->vm));
  x->g->mo_is_list = !x->model->has_mo;
  x->g->doubt = EV_NONE;
  x->g->is_loose = x->model->is_loose;
  x->g->splits_rmws = x->model->splits_rmws || x->splits_rmws;
  Frame *f = push_frame (x, FRAME_START, EV_INIT);
  graph_start_thread (x->g, 0, EV_INIT);
  x->g->threads[0].state = first_state (x, 0, (u32)program_find_function (x->program, "main"), 0);
  return f;
}

void get_ready (Explorer *x) {
  x->must_restart = x->must_restart_now = x->has_frees = x->has_risks = false;
  x->can_leave_out_waits = can_leave_out_waits (x);
  vm_set_patience (x->vm, x->looks_into_rounds);
  x->has_twins = false;
  x->counter = 0;
  x->can_commute = can_commute (x);
  x->skips_retries = can_skip_retries (x);
  map_clear (&x->retry_facts);
  map_clear (&x->retry_doubts);
  x->only_volatile = may_be_volatile (x);
  x->represented = x->represented_blocked = 0;
  x->prefix = mem_resize (x->prefix, x->stride * sizeof (Clock));
  x->other_prefix = mem_resize (x->other_prefix, x->stride * sizeof (Clock));
  reset_estimate (x);
}

static void start_over (Explorer *x) { push_start (x); }

/* The search was cut off. What was found so far counts, also if the estimate learns that more is
 * shared. */
static void estimate_rest (Explorer *x) {
  enum { TRIES = 20 };
  double represented = x->represented, represented_blocked = x->represented_blocked;
  estimate_covered (x);
  for (u32 i = 0; x->must_restart && i < TRIES; i++) {
    forget_search (x);
    vm_restart (x->vm);
    get_ready (x);
    start_over (x);
    estimate_covered (x);
  }
  x->must_restart = x->must_restart_now = false;
  x->represented = represented;
  x->represented_blocked = represented_blocked;
}

/* From what a checkpoint has left to do, which is void if its workers, taken together, had to start
 * over. */
static void search_on (Explorer *x) {
  bool is_void = x->must_restart, has_frees = x->has_frees;
  get_ready (x);
  x->has_frees = has_frees;
  x->must_restart = is_void;
  if (is_void) {
    doubt (x);
    free_frontier (x);
  } else
    resume_sharing (x);
}

static void search_once (Explorer *x) {
  x->result = (Result){.model = x->model->name};
  x->round_started = seconds_now ();
  start_reexecution (x);
  if (x->frontier)
    search_on (x);
  else {
    get_ready (x);
    if (x->options->checkpoint && x->has_checkpoint) save_beginning (x);
    start_over (x);
    if (x->options->sample)
      sample_instead (x);
    else
      search (x);
  }
  if (x->pool) finish_sharing (x);
  if (x->reexecution) {
    reexecute (x);
    count_found (x);
  }
  if (x->options->estimate && !x->must_restart)
    estimate_instead (x);
  else if (x->must_stop && !x->must_restart && !x->result.findings.size &&
           !x->options->checkpoint && !name_of_pass (x) && !x->has_grown && !x->is_shortened)
    estimate_rest (x);
}

void doubt (Explorer *x) {
  x->is_doubtful = true;
  x->doubted = seconds_now () - x->begun;
}

/* When more is shared than was known, or there are more threads, what was counted and found so far
 * does not count. */
void search_until_settled (Explorer *x) {
  x->earlier = x->result;
  search_once (x);
  while (x->must_restart && !x->must_stop && !(x->is_repeated && x->is_doubtful)) {
    u64 restarts = x->earlier.stats.restarts;
    forget_search (x);
    vm_restart (x->vm);
    vm_forget_assumed (x->vm);
    result_free (&x->earlier);
    result_free (&x->result);
    x->earlier = (Result){.model = x->model->name, .stats.restarts = restarts + 1};
    x->attempt++;
    x->looks_for_waits = x->looks_into_rounds = false;
    x->windows.size = 0;
    search_once (x);
  }
  x->result.stats.executions += (u64)llround (x->represented);
  x->result.stats.blocked += (u64)llround (x->represented_blocked);
  result_move (&x->earlier, &x->result);
  x->result = x->earlier;
  x->earlier = (Result){.model = x->model->name};
}

/* Executions are counted by the first look. A second one lets threads miss what they wait for
 * (liveness.c). A third one follows a round in vain of spin loops that read several locations, when
 * such a read can be a data race or worse with something that only happens once the loop has ended
 * (docs/ALGORITHM.md). */
static bool look_again (Explorer *x) {
  bool for_waits =
      x->options->liveness && x->windows.size && !x->looks_for_waits && !x->looks_into_rounds;
  bool into_rounds = !for_waits && x->has_risky_rounds && !x->looks_into_rounds;
  if (into_rounds && x->options->vm.unroll) { /* both would count in the same place */
    not_covered (
        x, 0,
        "races in failed iterations of a spin loop over several locations (because of --unroll)");
    return false;
  }
  if (!for_waits && !into_rounds) return false;
  forget_search (x);
  vm_restart (x->vm);
  x->looks_for_waits = for_waits;
  x->looks_into_rounds = into_rounds;
  x->has_checkpoint = true; /* what is done is worth keeping */
  return true;
}

static Verdict verdict_of (const Explorer *x) {
  if (x->result.findings.size) return VERDICT_VIOLATION;
  return x->result.not_covered.size ? VERDICT_INCOMPLETE : VERDICT_PASS;
}

/* Only if all executions were seen: the join may be in the others. */
static void warn_of_leaked_threads (Explorer *x) {
  for (Tid t = 1; t < vm_thread_count (x->vm); t++) {
    u32 pos = vm_leaked_thread (x->vm, t);
    if (pos) explorer_warn (x, pos, "the thread that is started here is never joined or detached");
  }
}

ExploreOptions explore_default_options (const Model *model) {
  return (ExploreOptions){
      .model = model,
      .detect_races = true,
      .liveness = true,
      .reductions = true,
      .symmetry = true,
      .commuting = true,
      .barriers = true,
      .vm = {.nondet_low = 0, .nondet_high = 9},
  };
}

void explore_silently (ExploreOptions *o) {
  o->on_execution = NULL;
  o->on_progress = NULL;
  o->on_effect = NULL;
  o->on_growth = NULL;
  o->checkpoint = o->resume = NULL;
  o->deadline = 0;
  o->cluster = NULL;
  o->neighbours = o->vm.show_output = o->estimates = false;
  o->bound_kind = BOUND_NONE;
  o->sample = 0;
  o->estimate = 0;
}

/* What is true of every native model is not known of one in a file: nothing is left out or merged
 * then, and whether memory is freed too early is not judged. */
static bool is_plain (const Model *m) { return m->rules || m->is_loose; }

bool model_shows_private (const Model *m) { return is_plain (m) || m->sees_private; }

static ExploreOptions plain_options (const ExploreOptions *options) {
  ExploreOptions plain = *options;
  plain.reductions = plain.symmetry = plain.commuting = plain.barriers = false;
  return plain;
}

static void free_set (EventSet *s) {
  vec_free (&s->bits);
  vec_free (&s->todo);
}

void add_vm_stats (Stats *s, const Vm *vm) {
  VmStats v = vm_stats (vm);
  s->instructions += v.instructions;
  s->resumes += v.resumes;
  s->memo_hits += v.memo_hits;
}

void free_explorer (Explorer *x) {
  forget_search (x);
  end_reexecution (x);
  vm_free (x->vm);
  model_free_eval (x->rules);
  model_free_eval (x->rules_of_part);
  mem_free (x->prefix);
  mem_free (x->other_prefix);
  vec_free (&x->stack);
  vec_free (&x->revisits);
  vec_free (&x->addresses);
  vec_free (&x->locations);
  vec_free (&x->windows);
  vec_free (&x->base_path);
  vec_free (&x->start);
  vec_free (&x->held);
  map_free (&x->estimator.weights);
  free_set (&x->loose_prefix);
  free_set (&x->loose_kept);
  map_free (&x->location_of_byte);
  map_free (&x->shows_rounds);
  map_free (&x->loose_writes);
  map_free (&x->observed);
  map_free (&x->feeds);
  map_free (&x->touched);
  map_free (&x->hashes);
  map_free (&x->retry_facts);
  map_free (&x->retry_doubts);
}

/* Rounds of a loop that leave everything as it is can be left out, together with stores in them
 * that no other thread sees. Elsewhere that is not shown: what depends on what would change with
 * them. */
bool forgets_rounds (const Model *m) {
  return !is_plain (m) && !m->sees_private && !m->reexecutes && !m->promises && !m->pushes;
}

void init_explorer (Explorer *x, const Program *program, const ExploreOptions *options) {
  const Model *m = options->model;
  VmOptions vm = options->vm;
  vm.share_everything |= !options->reductions || m->sees_private;
  vm.in_turn = options->barriers;
  vm.keep_releases |= m->releases_fence;
  vm.keep_acquires |= m->acquires_fence;
  vm.dependencies |= m->asks_dependencies;
  vm.dependencies |= m->is_loose && !(m->keeps & KEEPS_PO);
  vm.quiet_stores = options->reductions && !vm.dependencies && forgets_rounds (m);
  *x = (Explorer){.program = program,
                  .options = options,
                  .model = m,
                  .vm = vm_new (program, vm),
                  .rules = model_new_eval (m),
                  .rules_of_part = m->is_loose ? model_new_eval (m) : NULL,
                  .stride = 8,
                  .started = seconds_now (),
                  .begun = seconds_now (),
                  .result.model = m->name};
  set_length (x);
}

/* While a later pass runs, every execution has been explored. */
const char *name_of_pass (const Explorer *x) {
  return x->looks_for_waits     ? "threads that can wait forever"
         : x->looks_into_rounds ? "races of spin iterations"
                                : NULL;
}

/* A later pass that had to start over has begun with the first one again. */
static bool has_explored_all (const Explorer *x) {
  const ExploreOptions *o = x->options;
  if (o->bound_kind || o->sample || o->estimate || x->must_restart) return false;
  return x->has_explored && (!x->must_stop || name_of_pass (x));
}

void look (Explorer *x) {
  search_until_settled (x);
  x->has_explored = !x->must_stop && !x->result.not_covered.size;
  while (!x->must_stop && !x->must_restart && look_again (x)) search_until_settled (x);
}

/* The first finding has to be that of one worker alone. Workers look ahead of it, and what they
 * learn there about memory, or tours of an estimate do, changes the order of the search when it
 * starts over. So a search that has started over because of them, and has found something, is done
 * again from the beginning: alone for longer than it took to learn that, then shared, and once more
 * if others learn something again. */
static void look_for_first (Explorer *x) {
  Result found = x->result;
  do {
    Explorer y;
    init_explorer (&y, x->program, x->options);
    y.started = x->started;
    y.attempt = x->attempt + 1;
    y.has_told_growth = x->has_told_growth;
    y.has_checkpoint = x->has_checkpoint;
    y.is_repeated = true;
    y.share_after = fmax (2 * x->doubted, 2 * x->share_after);
    if (x->is_repeated) result_free (&x->result);
    free_explorer (x);
    *x = y;
    look (x);
  } while (x->is_doubtful && (!x->must_stop || x->result.findings.size));
  if (x->result.findings.size)
    result_free (&found);
  else { /* there was no time for it */
    result_free (&x->result);
    x->result = found;
  }
}

void finish_result (Explorer *x) {
  Stats *s = &x->result.stats;
  add_vm_stats (s, x->vm);
  s->threads = vm_thread_count (x->vm);
  s->locations = x->locations.size;
  x->result.seconds = seconds_now () - x->started;
  x->result.verdict = verdict_of (x);
  x->result.is_explored = has_explored_all (x);
  x->result.assumed = vm_assumed (x->vm);
}

Result explore_program (const Program *program, const ExploreOptions *options) {
  ExploreOptions plain = plain_options (options);
  if (is_plain (options->model)) options = &plain;
  if (options->cluster && options->cluster->rank) {
    serve_ranks (program, options);
    return (Result){.model = options->model->name};
  }
  if (options->cluster) cluster_say_hello (options->cluster);
  Explorer x;
  init_explorer (&x, program, options);
  if (options->resume) load_checkpoint (&x);
  look (&x);
  if (x.has_grown) look_alone (&x);
  if (x.is_doubtful && x.result.findings.size && !options->keep_going) look_for_first (&x);
  if (is_plain (x.model) && x.has_frees)
    not_covered (
        &x, 0,
        "memory that is freed while another thread uses it: the model does not say what is "
        "before a free");
  if (!x.must_stop && !x.result.findings.size && !x.result.not_covered.size) {
    result_note_no_execution (&x.result);
    warn_of_leaked_threads (&x);
  }
  own_up_to_bound (&x);
  if (options->cluster) cluster_say_over (options->cluster);
  finish_result (&x);
  Result result = x.result;
  free_explorer (&x);
  return result;
}
