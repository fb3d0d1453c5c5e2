/* search.c - visits every state once, and starts over when it learns what threads access. */
#include "machine/learn.h"
#include "machine/step.h"

#include <stdlib.h>

/* ---- states */

static bool mark_bits (Machine *x, const u32 *state) {
  u64 h = table_hash (state, x->nwords), nbits = x->options->bit_state * 8;
  bool is_new = false;
  for (u32 k = 0; k < 3; k++, h = hash_mix (h, k + 7)) {
    u64 at = h % nbits;
    is_new |= !(x->bits[at / 8] >> (at % 8) & 1);
    x->bits[at / 8] |= (u8)(1u << (at % 8));
  }
  return is_new;
}

static void put_bit_state (Machine *x, const u32 *state) {
  assert (x->options->bit_state && x->bits);
  if (!mark_bits (x, state)) return;
  x->result.stats.states++;
  for (u32 i = 0; i < x->nwords; i++) vec_push (&x->whole_states, state[i]);
}

static void put_state (Machine *x, const u32 *state) {
  bool is_new;
  u32 number = table_put (&x->states, state, x->nwords, x->at, &is_new);
  if (!is_new) return;
  x->result.stats.states++;
  vec_push (&x->waiting, number);
}

void machine_add_state (Machine *x, const u32 *state) {
  u32 *settled = mem_alloc (x->nwords * sizeof (u32));
  memcpy (settled, state, x->nwords * sizeof (u32));
  machine_settle (x, settled);
  x->result.stats.transitions++;
  if (!x->must_restart && !x->must_stop) machine_judge_state (x, settled);
  if (!x->must_restart && !x->must_stop) machine_choose_names (x, settled);
  if (!x->must_restart && !x->must_stop) {
    if (x->options->bit_state)
      put_bit_state (x, settled);
    else
      put_state (x, settled);
  }
  mem_free (settled);
}

void machine_visit (Machine *x, const u32 *state) {
  if (machine_judge_end (x, state)) return;
  u64 threads = machine_choosing_threads (x, state);
  if (!threads) {
    machine_step_arrivals (x, state);
    threads = UINT64_MAX;
  }
  for (Tid t = 0; t < x->nthreads && !x->must_restart && !x->must_stop; t++)
    if (threads >> t & 1) machine_step_thread (x, state, t);
}

/* ---- limits */

static u64 bytes_in_use (const Machine *x) {
  team_hold_vm (x);
  u64 snapshots = vm_stats (x->vm).snapshot_bytes;
  team_let_go_vm (x);
  return table_bytes (&x->states) + table_bytes (&x->memories) + table_bytes (&x->threads) +
         table_bytes (&x->steps) + x->waiting.capacity * sizeof (u32) + snapshots;
}

/* What this worker has done since it last told the others. */
static MachineProgress tell_progress (Machine *x) {
  Team *t = x->team;
  MachineProgress now = {.states = x->result.stats.states,
                         .transitions = x->result.stats.transitions,
                         .waiting = x->waiting.size - x->next};
  MachineProgress all = {
      .states = t->states += now.states - x->told.states,
      .transitions = t->transitions += now.transitions - x->told.transitions,
      .waiting = t->waiting += now.waiting - x->told.waiting,
      .seconds = seconds_now () - x->started,
  };
  x->told = now;
  return all;
}

static void give_up (Machine *x, const char *why) {
  Str what = {0};
  str_printf (&what, "stopped %s before exploring everything", why);
  machine_not_covered (x, 0, what.text);
  str_free (&what);
  x->must_stop = x->has_given_up = true;
}

static bool is_late (const Machine *x) {
  const MachineOptions *o = x->options;
  return o->timeout && seconds_now () > (o->deadline ? o->deadline : x->started + o->timeout);
}

void machine_check_limits (Machine *x) {
  const MachineOptions *o = x->options;
  if (x->wanted) return;
  MachineProgress p = tell_progress (x);
  if (o->stop && *o->stop) give_up (x, "when it was interrupted");
  if (is_late (x)) give_up (x, "when the time limit was reached (--timeout)");
  if (bytes_in_use (x) > (o->memory ? o->memory : 8ull << 30))
    give_up (x, "when its memory was full (--memory)");
  if (p.states > 4000000000) give_up (x, "after 4,000,000,000 states");
  if (o->on_progress && !x->is_helper) o->on_progress (o->arg, &p);
}

/* ---- the search */

bool machine_take_state (Machine *x, u32 *words) {
  if (x->options->bit_state) {
    if (!x->whole_states.size) return false;
    x->whole_states.size -= x->nwords;
    memcpy (words, x->whole_states.data + x->whole_states.size, x->nwords * sizeof (u32));
    return true;
  }
  if (x->waiting.size == x->next) return false;
  assert (x->next < x->waiting.size);
  x->at = x->options->breadth_first ? x->waiting.data[x->next++] : vec_pop (&x->waiting);
  memcpy (words, table_at (&x->states, x->at, NULL), x->nwords * sizeof (u32));
  return true;
}

/* Which of several symmetric threads makes an eager step first depends on the order of states, and
 * on that how many there are. */
static bool can_be_shared (const Machine *x) { return x->team->workers > 1 && !x->symmetric.size; }

/* Small searches are not worth it, and nearly everything that is learned is learned soon. */
static bool is_time_to_share (const Machine *x, u32 visited) {
  enum { ALONE = 1000 };
  return can_be_shared (x) && (visited == ALONE || x->options->share_at_once);
}

static void search (Machine *x) {
  assert (x->nwords == freed_word (x) + 1u);
  u32 *words = mem_alloc (x->nwords * sizeof (u32));
  x->emit = machine_add_state;
  machine_emit_first_state (x);
  for (u32 n = 1; !x->must_restart && !x->must_stop && machine_take_state (x, words); n++) {
    machine_visit (x, words);
    if (n % 256 == 0) machine_check_limits (x);
    if (is_time_to_share (x, n) && !x->must_restart && !x->must_stop) team_work (x);
  }
  mem_free (words);
}

void machine_emit_first_state (Machine *x) {
  u32 *state = mem_zalloc (x->nwords * sizeof (u32));
  u32 main = (u32)program_find_function (x->program, "main");
  x->at = UINT32_MAX;
  state[0] = machine_start_thread (x, 0, main, 0);
  x->is_first = true;
  if (!x->must_restart) x->emit (x, state);
  x->is_first = false;
  mem_free (state);
}

/* ---- a run, from the beginning */

static void new_table (const Machine *x, Table *t, u32 width) {
  enum { SHARD_BITS = 6 };
  table_init (t, width, can_be_shared (x) ? SHARD_BITS : 0);
}

/* One whose number 0 is so many words of 0. */
static void new_table_with (const Machine *x, Table *t, u32 width, u32 n) {
  static const u32 nothing[5] = {0};
  new_table (x, t, width);
  table_put_first (t, nothing, n);
}

static void begin (Machine *x) {
  x->must_restart = false;
  x->nthreads = vm_thread_count (x->vm);
  if (x->nthreads > MACHINE_THREADS) {
    machine_not_covered (x, 0, "programs with more than 64 threads");
    x->must_stop = true;
    x->nthreads = MACHINE_THREADS;
  }
  machine_find_symmetric (x);
  machine_choose_sets (x);
  machine_choose_segments (x);
  if (x->symmetric.size && !machine_symmetric_fit_memories (x)) {
    x->symmetric = (Symmetric){0};
    machine_choose_sets (x);
    machine_choose_segments (x);
  }
  x->facts = machine_count_facts (x);
  x->nwords = x->nthreads + x->nsegments + 1;
  new_table (x, &x->states, x->nwords);
  new_table (x, &x->steps, 0);
  if (x->symmetric.size) {
    new_table (x, &x->symmetric.origins, 2);
    new_table (x, &x->symmetric.ways, 0);
    new_table (x, &x->symmetric.snapshots, 3);
    new_table (x, &x->symmetric.memories, 2);
    new_table (x, &x->symmetric.joins, 5);
  }
  new_table_with (x, &x->threads, 5, 5); /* THREAD_ABSENT */
  new_table_with (x, &x->memories, 0, 2);
  new_table_with (x, &x->freed, 0, 0);
  new_table_with (x, &x->histories, 4, 4);
  new_table_with (x, &x->windows, 0, 0);
  if (x->options->bit_state) x->bits = mem_zalloc (x->options->bit_state);
  x->next = 0;
}

static void forget (Machine *x) {
  machine_forget_threads (x);
  table_done (&x->states);
  table_done (&x->steps);
  table_done (&x->memories);
  table_done (&x->threads);
  table_done (&x->freed);
  table_done (&x->histories);
  table_done (&x->windows);
  table_done (&x->symmetric.origins);
  table_done (&x->symmetric.ways);
  table_done (&x->symmetric.snapshots);
  table_done (&x->symmetric.memories);
  table_done (&x->symmetric.joins);
  x->waiting.size = x->whole_states.size = x->trace.size = 0;
  mem_free (x->bits);
  x->bits = NULL;
}

const char *machine_name (Sharing sharing) {
  static const char *const names[] = {
      [SHARING_NONE] = "machine (non-mca)",
      [SHARING_ALL] = "machine (mca)",
      [SHARING_LOCAL] = "machine (share)",
      [SHARING_GIVEN] = "machine (partition)",
  };
  return names[sharing];
}

static void discard_results (Machine *x) {
  u64 restarts = x->result.stats.restarts;
  result_free (&x->result);
  x->result = (Result){.model = machine_name (x->options->sharing)};
  x->result.stats.restarts = restarts + 1;
  x->told = (MachineProgress){0};
  x->team->states = x->team->transitions = x->team->waiting = 0;
  x->team->started.size = 0;
  if (x->watch) watch_forget (x);
}

static void search_until_settled (Machine *x) {
  begin (x);
  if (!x->must_stop) search (x);
  while (x->must_restart && !x->must_stop) {
    forget (x);
    if (vm_sharing_changed (x->vm)) {
      vm_restart (x->vm);
      vm_forget_assumed (x->vm);
    }
    machine_learn (x);
    discard_results (x);
    begin (x);
    if (!x->must_stop) search (x);
  }
}

/* Threads that the user has named; who exists in some execution exists. */
static void warn_of_missing_threads (const Machine *x) {
  const MachineOptions *o = x->options;
  Str text = {0};
  for (u32 k = 0; k < o->partition_size; k++)
    for (Tid t = x->nthreads; t < MACHINE_THREADS; t++)
      if (o->partition[k] & bit_of (t)) str_printf (&text, "%s%u", text.length ? ", " : "", t);
  if (text.length && o->on_warning) {
    Str line = {0};
    str_printf (
        &line,
        "warning: --partition names threads that no execution has: %s; main is 0, there are %u",
        text.text, x->nthreads);
    o->on_warning (o->arg, line.text);
    str_free (&line);
  }
  str_free (&text);
}

static void tell_memories (Machine *x) {
  Str text = {0};
  if (!x->options->on_memories) return;
  str_add (&text, "memories: ");
  machine_say_memories (x, &text);
  x->options->on_memories (x->options->arg, text.text);
  str_clear (&text);
  for (Tid a = 0, b = 0; machine_say_next_race (x, &a, &b, &text); str_clear (&text))
    x->options->on_memories (x->options->arg, text.text);
  str_free (&text);
}

MachineOptions machine_default_options (void) {
  return (MachineOptions){
      .coherent = true,
      .liveness = true,
      .lazy = true,
      .eager = true,
      .dead = true,
      .own = true,
      .symmetry = true,
      .vm = {.nondet_low = 0, .nondet_high = 9},
  };
}

static Verdict verdict_of (const Result *r) {
  if (r->findings.size) return VERDICT_VIOLATION;
  return r->not_covered.size ? VERDICT_INCOMPLETE : VERDICT_PASS;
}

static int compare_notes (const void *a, const void *b) {
  const NotCovered *m = a, *n = b;
  return m->pos != n->pos ? (m->pos > n->pos) - (m->pos < n->pos) : strcmp (m->what, n->what);
}

static void fill_stats (Machine *x) {
  Stats *s = &x->result.stats;
  VmStats v = vm_stats (x->vm);
  s->instructions = v.instructions;
  s->resumes = v.resumes;
  s->memo_hits = v.memo_hits;
  s->threads = vm_thread_count (x->vm);
  s->locations = x->locations.size;
  s->memories = x->nsegments;
  s->explored = s->executions + s->blocked;
  x->result.assumed = vm_assumed (x->vm);
}

static u32 workers_of (const MachineOptions *o) {
  return o->bit_state ? 1 : o->jobs; /* which bits are set depends on the order */
}

/* *enough: when to stop; then what there was. *order_matters: of the states that several workers
 * have visited. */
static Result run_machine (const Program *program, const MachineOptions *options, Enough *enough,
                           bool *order_matters) {
  Machine x = {
      .program = program, .options = options, .enough = *enough, .started = seconds_now ()};
  VmOptions vm = options->vm;
  vm.keep_releases = true;
  vm.numbers_tell = true; /* symmetry.c renames holders of mutexes, but no other thread numbers */
  vm.dependencies = options->window;
  vm.memo_bytes = SIZE_MAX / 2; /* equal states are one snapshot only as long as it is remembered */
  x.vm = vm_new (program, vm);
  x.spare = spare_new ();
  x.team = team_new (workers_of (options));
  x.result.model = machine_name (options->sharing);
  x.result.engine = "machine";
  if (options->outcomes) watch_init (&x);
  search_until_settled (&x);
  if (options->bit_state)
    machine_not_covered (&x, 0, "states with the hash of another state (--bit-state)");
  if (x.result.not_covered.size)
    qsort (x.result.not_covered.data, x.result.not_covered.size, sizeof *x.result.not_covered.data,
           compare_notes);
  bool counts_stand = !x.team->order_matters && !x.symmetric.size && options->keep_going;
  *order_matters =
      x.team->was_shared && (x.result.findings.size || x.team->order_matters || x.symmetric.size);
  *enough = (Enough){counts_stand ? x.result.findings.size : 0, x.facts};
  if (!*order_matters) {
    tell_memories (&x);
    warn_of_missing_threads (&x);
  }
  if (!*order_matters) machine_tell_text (&x);
  fill_stats (&x);
  result_note_no_execution (&x.result);
  x.result.seconds = seconds_now () - x.started;
  x.result.verdict = verdict_of (&x.result);
  x.result.is_explored = !x.has_given_up && !x.result.not_covered.size &&
                         (options->keep_going || !x.result.findings.size);
  forget (&x);
  watch_done (&x);
  spare_free (x.spare);
  team_free (x.team);
  vm_free (x.vm);
  for (u32 i = 0; i < x.locations.size; i++) vec_free (&x.locations.data[i].values);
  vec_free (&x.locations);
  vec_free (&x.waiting);
  vec_free (&x.whole_states);
  vec_free (&x.trace);
  vec_free (&x.found_at);
  map_free (&x.location_of_byte);
  map_free (&x.freed_objects);
  return x.result;
}

/* What several workers have found, as one of them alone finds it; unless there is no time left.
 * What they have counted stands if they have visited everything. */
static Result find_alone (const Program *program, const MachineOptions *options, Enough enough,
                          Result r) {
  MachineOptions alone = *options;
  Outcomes outcomes;
  bool unused, is_counted = enough.findings;
  if ((options->stop && *options->stop) || (options->timeout && r.seconds > options->timeout) ||
      (options->deadline && seconds_now () > options->deadline))
    return r;
  alone.jobs = 1;
  if (alone.timeout) alone.timeout -= r.seconds;
  outcomes_init (&outcomes);
  if (is_counted && options->outcomes) alone.outcomes = &outcomes;
  if (!is_counted && options->outcomes)
    outcomes_forget (options->outcomes, options->outcomes_model);
  Result found = run_machine (program, &alone, &enough, &unused);
  outcomes_done (&outcomes);
  double seconds = r.seconds + found.seconds;
  if (is_counted || (r.findings.size && !found.findings.size)) {
    found.stats = (Stats){0};
    result_move (&found, &r);
  } else {
    result_free (&r);
  }
  found.seconds = seconds;
  found.verdict = verdict_of (&found);
  return found;
}

Result machine_program (const Program *program, const MachineOptions *options) {
  bool order_matters;
  Enough enough = {0};
  Result r = run_machine (program, options, &enough, &order_matters);
  return order_matters ? find_alone (program, options, enough, r) : r;
}
