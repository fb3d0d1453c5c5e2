/* search.c - visits every state once, and starts over when it learns what threads access. */
#include "machine/machine_int.h"

ThreadState thread_state (const Machine *x, u32 number) {
  const u32 *w = table_at (&x->threads, number, NULL);
  ThreadState t = {.waits = w[2], .history = w[3], .window = w[4]};
  t.at = (Snapshot *)(uintptr_t)(w[0] | (u64)w[1] << 32);
  return t;
}

const Effect *effect_at (const Machine *x, const u32 *state, Tid t) {
  static const Effect nothing = {.kind = EFF_FENCE};
  ThreadState s = thread_state (x, state[t]);
  return s.window && s.at->effect.kind >= EFF_BLOCK ? &nothing : &s.at->effect;
}

u32 thread_number (Machine *x, ThreadState t) {
  u64 at = (uintptr_t)t.at;
  u32 words[] = {(u32)at, (u32)(at >> 32), t.waits, t.history, t.window};
  bool is_new;
  u32 number = table_put (&x->threads, words, ARRAY_SIZE (words), &is_new);
  if (!is_new) {
    snapshot_release (x->vm, t.at);
  } else if (t.at->effect.kind == EFF_FREE) {
    note_free (x, t.at->effect.addr);
  } else if (effect_is_access (&t.at->effect) && !t.at->location) {
    u32 loc = note_access (x, t.at->tid, &t.at->effect);
    t.at->location = loc == UINT32_MAX ? 0 : loc + 1;
  }
  return number;
}

/* ---- states */

static bool mark_bits (Machine *x, const u32 *state) {
  u64 h = words_hash (state, x->nwords), nbits = x->options->bit_state * 8;
  bool is_new = false;
  for (u32 k = 0; k < 3; k++, h = hash_mix (h, k + 7)) {
    u64 at = h % nbits;
    is_new |= !(x->bits[at / 8] >> (at % 8) & 1);
    x->bits[at / 8] |= (u8)(1u << (at % 8));
  }
  return is_new;
}

static void put_bit_state (Machine *x, const u32 *state) {
  if (!mark_bits (x, state)) return;
  x->result.stats.states++;
  for (u32 i = 0; i < x->nwords; i++) vec_push (&x->loose, state[i]);
}

static void put_state (Machine *x, const u32 *state) {
  bool is_new;
  u32 number = table_put (&x->states, state, x->nwords, &is_new);
  if (!is_new) return;
  x->result.stats.states++;
  vec_push (&x->parents, x->at);
  if (!x->options->breadth_first) vec_push (&x->waiting, number);
}

void add_state (Machine *x, const u32 *state) {
  u32 *settled = mem_alloc (x->nwords * sizeof (u32));
  memcpy (settled, state, x->nwords * sizeof (u32));
  settle (x, settled);
  x->result.stats.transitions++;
  if (!x->must_restart && !x->must_stop) judge_state (x, settled);
  if (!x->must_restart && !x->must_stop) {
    if (x->options->bit_state)
      put_bit_state (x, settled);
    else
      put_state (x, settled);
  }
  mem_free (settled);
}

void visit (Machine *x, const u32 *state) {
  Tid t;
  if (judge_end (x, state)) return;
  if (is_choosing (x, state, &t)) {
    step_thread (x, state, t);
    return;
  }
  step_arrivals (x, state);
  for (t = 0; t < x->nthreads && !x->must_restart && !x->must_stop; t++) step_thread (x, state, t);
}

/* ---- limits */

static u64 bytes_in_use (const Machine *x) {
  return table_bytes (&x->states) + table_bytes (&x->memories) + table_bytes (&x->threads) +
         x->parents.capacity * sizeof (u32) + x->waiting.capacity * sizeof (u32) +
         vm_stats (x->vm).snapshot_bytes;
}

static void give_up (Machine *x, const char *why) {
  Str what = {0};
  str_printf (&what, "the states that were left %s", why);
  machine_not_covered (x, 0, what.text);
  str_free (&what);
  x->must_stop = true;
}

void check_limits (Machine *x) {
  const MachineOptions *o = x->options;
  const Stats *s = &x->result.stats;
  double seconds = seconds_now () - x->started;
  if (x->wanted) return;
  if (o->stop && *o->stop) give_up (x, "when the search was interrupted");
  if (o->timeout && seconds > o->timeout) give_up (x, "when time was up (--timeout)");
  if (bytes_in_use (x) > (o->memory ? o->memory : 8ull << 30))
    give_up (x, "when memory was full (--memory)");
  if (s->states > UINT32_MAX - 1024) give_up (x, "after 4 thousand million");
  if (!o->on_progress) return;
  u64 waiting = o->breadth_first ? x->states.size - x->next : x->waiting.size;
  MachineProgress p = {s->states, s->transitions, waiting, seconds};
  o->on_progress (o->arg, &p);
}

/* ---- the search */

/* The next state to be expanded; false if there is none. */
static bool take_state (Machine *x, u32 *words) {
  if (x->options->bit_state) {
    if (!x->loose.size) return false;
    x->loose.size -= x->nwords;
    memcpy (words, x->loose.data + x->loose.size, x->nwords * sizeof (u32));
    return true;
  }
  if (x->options->breadth_first) {
    if (x->next == x->states.size) return false;
    x->at = x->next++;
  } else {
    if (!x->waiting.size) return false;
    x->at = vec_pop (&x->waiting);
  }
  memcpy (words, table_at (&x->states, x->at, NULL), x->nwords * sizeof (u32));
  return true;
}

static void search (Machine *x) {
  u32 *words = mem_alloc (x->nwords * sizeof (u32));
  x->emit = add_state;
  emit_first_state (x);
  for (u32 n = 1; !x->must_restart && !x->must_stop && take_state (x, words); n++) {
    visit (x, words);
    if (n % 256 == 0) check_limits (x);
  }
  mem_free (words);
}

void emit_first_state (Machine *x) {
  u32 *state = mem_zalloc (x->nwords * sizeof (u32));
  u32 main = (u32)program_find_function (x->program, "main");
  x->at = UINT32_MAX;
  Snapshot *s = vm_start (x->vm, 0, main, 0);
  if (vm_sharing_changed (x->vm)) x->must_restart = true;
  state[0] = thread_number (x, (ThreadState){.at = s});
  if (!x->must_restart) x->emit (x, state);
  mem_free (state);
}

/* ---- a run, from the beginning */

static void begin (Machine *x) {
  static const u32 nothing[5] = {0};
  x->must_restart = false;
  x->nthreads = vm_thread_count (x->vm);
  if (x->nthreads > MACHINE_THREADS) {
    machine_not_covered (x, 0, "programs with more than 64 threads");
    x->must_stop = true;
    x->nthreads = MACHINE_THREADS;
  }
  find_viewers (x);
  choose_segments (x);
  x->nwords = x->nthreads + x->nsegments + 1;
  table_init (&x->states, x->nwords);
  table_init (&x->memories, 0);
  table_init (&x->threads, 5);
  table_init (&x->freed, 0);
  table_init (&x->histories, 4);
  table_put (&x->threads, nothing, 5, NULL); /* THREAD_ABSENT */
  table_init (&x->windows, 0);
  table_put (&x->windows, nothing, 0, NULL);
  table_put (&x->memories, nothing, 2, NULL);
  table_put (&x->freed, nothing, 0, NULL);
  table_put (&x->histories, nothing, 4, NULL);
  if (x->options->bit_state) x->bits = mem_zalloc (x->options->bit_state);
  x->next = 0;
}

static void forget (Machine *x) {
  for (u32 i = 1; i < x->threads.size; i++) snapshot_release (x->vm, thread_state (x, i).at);
  table_done (&x->states);
  table_done (&x->memories);
  table_done (&x->threads);
  table_done (&x->freed);
  table_done (&x->histories);
  table_done (&x->windows);
  vec_free (&x->parents);
  x->waiting.size = x->loose.size = x->trace.size = 0;
  mem_free (x->bits);
  x->bits = NULL;
}

static void discard_results (Machine *x) {
  u64 restarts = x->result.stats.restarts;
  result_free (&x->result);
  x->result = (Result){.model = machine_name (x->options)};
  x->result.stats.restarts = restarts + 1;
  if (x->watch) watch_forget (x);
}

static void search_until_settled (Machine *x) {
  begin (x);
  if (!x->must_stop) search (x);
  while (x->must_restart && !x->must_stop) {
    forget (x);
    if (vm_sharing_changed (x->vm)) vm_restart (x->vm);
    discard_results (x);
    begin (x);
    if (!x->must_stop) search (x);
  }
}

static void tell_memories (Machine *x) {
  Str text = {0};
  if (!x->options->on_memories) return;
  str_add (&text, "memories: ");
  say_memories (x, &text);
  x->options->on_memories (x->options->arg, text.text);
  str_clear (&text);
  for (Tid a = 0, b = 0; say_next_race (x, &a, &b, &text); str_clear (&text))
    x->options->on_memories (x->options->arg, text.text);
  str_free (&text);
}

MachineOptions machine_default_options (void) {
  return (MachineOptions){
      .coherent = true,
      .lazy = true,
      .eager = true,
      .dead = true,
      .vm = {.nondet_low = 0, .nondet_high = 9},
  };
}

const char *machine_name (const MachineOptions *o) {
  static const char *const names[] = {
      [SHARING_NONE] = "machine (non-mca)",
      [SHARING_ALL] = "machine (mca)",
      [SHARING_LOCAL] = "machine (share)",
      [SHARING_GIVEN] = "machine (partition)",
  };
  return names[o->sharing];
}

static Verdict verdict_of (const Result *r) {
  if (r->findings.size) return VERDICT_VIOLATION;
  return r->not_covered.size ? VERDICT_INCOMPLETE : VERDICT_PASS;
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
}

Result machine_program (const Program *program, const MachineOptions *options) {
  Machine x = {.program = program, .options = options, .started = seconds_now ()};
  VmOptions vm = options->vm;
  vm.keep_releases = true;
  vm.dependencies = options->window;
  vm.memo_bytes = SIZE_MAX / 2; /* equal states are one snapshot only as long as it is remembered */
  x.vm = vm_new (program, vm);
  x.spare = spare_new ();
  x.result.model = machine_name (options);
  if (options->outcomes) watch_init (&x);
  search_until_settled (&x);
  if (options->bit_state)
    machine_not_covered (&x, 0, "states whose bits others have set (--bit-state)");
  tell_memories (&x);
  fill_stats (&x);
  x.result.seconds = seconds_now () - x.started;
  x.result.verdict = verdict_of (&x.result);
  forget (&x);
  watch_done (&x);
  spare_free (x.spare);
  vm_free (x.vm);
  for (u32 i = 0; i < x.locations.size; i++) vec_free (&x.locations.data[i].values);
  vec_free (&x.locations);
  vec_free (&x.waiting);
  vec_free (&x.loose);
  vec_free (&x.trace);
  map_free (&x.location_of_byte);
  map_free (&x.freed_objects);
  return x.result;
}
