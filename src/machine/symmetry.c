/* symmetry.c - threads that cannot be told apart.
 *
 * A thread creates several others with the same function and the same argument. Exchanging them
 * turns a state into one from which the same happens, but for the names; of all these states one is
 * visited: the one whose words come first. For that, threads and memories have to be known under
 * the names of others. What a thread becomes is a function of the answers that it gets, so the
 * image of a snapshot is what another one becomes by the same answers. In a memory, writers and the
 * holders of mutexes are exchanged.
 *
 * That is right as long as nothing depends on who is who. The parent joins symmetric threads in a
 * certain order. So it joins the first of them only when all have ended, and then all of them in
 * one step; it must join them in a row, and not mind who returns what. What else can tell them (see
 * watch_symmetric) makes the search start over without symmetry.
 *
 * There is one class of symmetric threads, the largest. */
#include "machine/learn.h"
#include "machine/step.h"

enum { MOST_SYMMETRIC = MACHINE_SYMMETRIC };

/* ---- who they are */

/* What threads owe is not exchanged. */
static bool uses_symmetry (const Machine *x) {
  const MachineOptions *o = x->options;
  return o->symmetry && (!x->watch || o->exchanges_outcomes) && !o->window;
}

static bool start_alike (const Start *a, const Start *b) {
  return a->is_known && b->is_known && a->parent == b->parent && a->function == b->function &&
         a->argument == b->argument;
}

/* Whether the search must start over because of it. */
static bool changes_twins (const Machine *x, Tid t, const Start *s) {
  if (x->starts[t].is_known) return true;
  for (Tid o = 1; o < x->nthreads; o++)
    if (o != t && start_alike (&x->starts[o], s)) return true;
  for (u32 i = 0; i < x->team->lessons.size; i++) {
    const Lesson *l = &x->team->lessons.data[i];
    if (l->kind == LESSON_START && l->tid != t && start_alike (&l->start, s)) return true;
  }
  return false;
}

void machine_note_start (Machine *x, Tid parent, Tid child, u32 function, u64 argument) {
  Start s = {.is_known = true, .parent = parent, .function = function, .argument = argument};
  if (!uses_symmetry (x) || (x->alone & bit_of (child)) || start_alike (&x->starts[child], &s))
    return;
  team_hold_vm (x);
  bool is_new = true;
  for (u32 i = 0; i < x->team->lessons.size; i++) {
    const Lesson *l = &x->team->lessons.data[i];
    is_new &= l->kind != LESSON_START || l->tid != child || !start_alike (&l->start, &s);
  }
  if (is_new) {
    if (changes_twins (x, child, &s)) x->must_restart = true;
    vec_push (&x->team->lessons, ((Lesson){.kind = LESSON_START, .tid = child, .start = s}));
  }
  team_let_go_vm (x);
}

void machine_learn_start (Machine *x, const Lesson *l) {
  assert (l->kind == LESSON_START && l->start.is_known);
  Start *s = &x->starts[l->tid];
  if (s->is_known && !start_alike (s, &l->start)) x->alone |= bit_of (l->tid); /* it varies */
  *s = l->start;
}

/* What was seen while they were taken for symmetric may not be so. */
void machine_learn_alone (Machine *x, const Lesson *l) {
  x->alone |= l->readers;
  for (u32 i = 0; i < x->locations.size; i++) {
    Location *at = &x->locations.data[i];
    at->read_by = at->written_by = at->late = 0;
  }
}

static bool are_alike (const Machine *x, Tid a, Tid b) {
  return start_alike (&x->starts[a], &x->starts[b]) && !(x->alone & (bit_of (a) | bit_of (b)));
}

static void find_class (const Machine *x, Tid first, Symmetric *c) {
  for (Tid t = first; t < x->nthreads && c->size < MOST_SYMMETRIC; t++) {
    if (!are_alike (x, first, t)) continue;
    c->set |= bit_of (t);
    c->member[c->size++] = t;
  }
}

void machine_find_symmetric (Machine *x) {
  x->symmetric = (Symmetric){0};
  for (Tid t = 1; t < x->nthreads && uses_symmetry (x); t++) {
    Symmetric c = {0};
    find_class (x, t, &c);
    if (c.size > 1 && c.size > x->symmetric.size) x->symmetric = c;
  }
  if (x->symmetric.size) x->symmetric.parent = x->starts[x->symmetric.member[0]].parent;
}

/* All in one memory, or each in one of its own. */
bool machine_symmetric_fit_memories (const Machine *x) {
  const Symmetric *c = &x->symmetric;
  assert (c->size > 1 && c->size <= MOST_SYMMETRIC);
  u64 first = x->members[x->segment_of[c->member[0]]];
  bool together = (first & c->set) == c->set, apart = true;
  for (u32 i = 0; i < c->size; i++)
    apart &= x->members[x->segment_of[c->member[i]]] == bit_of (c->member[i]);
  return together || apart;
}

/* ---- who can tell them apart */

static void tell_apart (Machine *x) {
  assert (x->symmetric.size);
  machine_note (x, (Lesson){.kind = LESSON_ALONE, .readers = x->symmetric.set});
}

/* Something that is another thing for each of them. */
static bool is_of_symmetric (const Machine *x, u64 addr) {
  Tid owner;
  return vm_owner_of (x->vm, addr, &owner) && is_symmetric (x, owner);
}

static bool holds_symmetric (const Machine *x, u64 value, u32 size) {
  u64 low = value, high = 0;
  if (size > 8) vm_pair (x->vm, value, &low, &high);
  return is_of_symmetric (x, low) || is_of_symmetric (x, high);
}

/* The thread that holds a mutex is known as such only to those who lock it. */
static bool looks_at_mutex (const Machine *x, const Effect *e, u32 loc) {
  if (!x->locations.data[loc].is_mutex || is_lock (e) || e->kind == EFF_UNLOCK) return false;
  return e->kind != EFF_WRITE || (e->value && e->value != LOCK_DESTROYED);
}

void watch_symmetric (Machine *x, const Snapshot *s) {
  const Effect *e = &s->effect;
  if (!x->symmetric.size) return;
  bool joins = e->kind == EFF_JOIN && is_symmetric (x, e->child) && s->tid != x->symmetric.parent;
  bool is_special =
      is_symmetric (x, s->tid) && (e->kind == EFF_CREATE || vm_knows_itself (x->vm, s->tid));
  bool is_touched =
      (effect_is_access (e) || e->kind == EFF_FREE) &&
      (is_of_symmetric (x, e->addr) || (s->location && looks_at_mutex (x, e, s->location - 1)));
  bool is_told =
      effect_is_access (e) && !is_lock (e) && e->kind != EFF_UNLOCK &&
      (holds_symmetric (x, e->value, e->size) || holds_symmetric (x, e->expected, e->size));
  if (joins || is_special || is_touched || is_told) tell_apart (x);
}

/* ---- joins */

bool machine_joins_more_symmetric (const Machine *x, const u32 *state, Tid t) {
  return x->symmetric.size && t == x->symmetric.parent && !x->must_restart &&
         (machine_thread_state (x, state[t]).waits & HAS_JOINED_SYMMETRIC);
}

u64 machine_joined_at_once (const Machine *x, Tid t, Tid child) {
  return is_symmetric (x, child) && t == x->symmetric.parent ? x->symmetric.set : bit_of (child);
}

void machine_note_joined_symmetric (Machine *x, u32 *state, Tid t, Tid child) {
  ThreadState s = machine_thread_state (x, state[t]);
  const Effect *e = &s.at->effect;
  if (t != x->symmetric.parent || !is_symmetric (x, child)) return;
  s.waits &= ~(u32)HAS_JOINED_SYMMETRIC;
  if (e->kind == EFF_JOIN && is_symmetric (x, e->child)) s.waits |= HAS_JOINED_SYMMETRIC;
  state[t] = machine_thread_number (x, s);
}

/* From s on, with team_hold_vm. */
static bool joins_from (Machine *x, Snapshot *s, u64 value, u64 other) {
  u64 joined = 0;
  for (u32 i = 0; i < x->symmetric.size; i++) {
    if (s->effect.kind != EFF_JOIN || !is_symmetric (x, s->effect.child)) return false;
    joined |= bit_of (s->effect.child);
    if (joined == x->symmetric.set && value == other) return true;
    Snapshot *next = vm_resume (x->vm, s, value);
    machine_keep_snapshot (x, next);
    if (value != other) {
      Snapshot *else_next = vm_resume (x->vm, s, other);
      machine_keep_snapshot (x, else_next);
      if (else_next != next) return false;
    }
    s = next;
  }
  return joined == x->symmetric.set;
}

/* Whether the parent, which joins one of them next, joins all of them in a row, and does not mind
 * which of them returns which of two values. */
static bool joins_all (Machine *x, u32 parent, u64 value, u64 other) {
  assert (machine_thread_state (x, parent).at->tid == x->symmetric.parent);
  u32 words[] = {parent, (u32)value, (u32)(value >> 32), (u32)other, (u32)(other >> 32)}, number;
  if (table_find (&x->symmetric.joins, words, ARRAY_SIZE (words), &number))
    return table_note (&x->symmetric.joins, number);
  team_hold_vm (x);
  bool all = joins_from (x, machine_thread_state (x, parent).at, value, other);
  if (vm_sharing_changed (x->vm)) x->must_restart = true;
  table_put (&x->symmetric.joins, words, ARRAY_SIZE (words), all, NULL);
  team_let_go_vm (x);
  return all;
}

bool machine_can_join (Machine *x, const u32 *state, Tid t) {
  assert (machine_effect_at (x, state, t)->kind == EFF_JOIN);
  Tid child = machine_effect_at (x, state, t)->child;
  if (!is_symmetric (x, child) || t != x->symmetric.parent ||
      machine_joins_more_symmetric (x, state, t))
    return machine_has_ended (x, state, child);
  const Effect *first = NULL;
  u32 ended = 0;
  for (u32 i = 0; i < x->symmetric.size; i++) {
    if (!machine_has_ended (x, state, x->symmetric.member[i])) continue;
    const Effect *e = machine_effect_at (x, state, x->symmetric.member[i]);
    if (!first) first = e;
    ended++;
    if (!e->undefined.bits && joins_all (x, state[t], first->value, e->value)) continue;
    tell_apart (x);
    return false;
  }
  return ended == x->symmetric.size;
}

/* ---- under other names */

void machine_note_origin (Machine *x, const Snapshot *s, const u32 *way, u32 n) {
  u64 at = (uintptr_t)s;
  u32 words[] = {(u32)at, (u32)(at >> 32)};
  if (!is_symmetric (x, s->tid)) return;
  table_put (&x->symmetric.origins, words, 2, table_put (&x->symmetric.ways, way, n, 0, NULL),
             NULL);
}

/* What t becomes by the answers by which another one became s. */
static Snapshot *as_symmetric (Machine *x, const Snapshot *s, Tid t) {
  assert (is_symmetric (x, s->tid) && is_symmetric (x, t));
  u64 at = (uintptr_t)s;
  u32 words[] = {(u32)at, (u32)(at >> 32), t}, number, n;
  if (s->tid == t) return (Snapshot *)(uintptr_t)s;
  if (table_find (&x->symmetric.snapshots, words, ARRAY_SIZE (words), &number))
    return machine_thread_state (x, table_note (&x->symmetric.snapshots, number)).at;
  team_hold_vm (x);
  BUG_IF (!table_find (&x->symmetric.origins, words, 2, &number));
  const u32 *way = table_at (&x->symmetric.ways, table_note (&x->symmetric.origins, number), &n);
  Snapshot *other;
  if (n == START_WORDS) {
    other = machine_run_start (x, t, way);
  } else {
    const Snapshot *before = (const Snapshot *)(uintptr_t)(way[0] | (u64)way[1] << 32);
    other = machine_run_answer (x, as_symmetric (x, before, t), way + 2, n - 2);
  }
  number = machine_thread_number (x, (ThreadState){.at = other});
  number = table_put (&x->symmetric.snapshots, words, ARRAY_SIZE (words), number, NULL);
  team_let_go_vm (x);
  return machine_thread_state (x, table_note (&x->symmetric.snapshots, number)).at;
}

static u32 thread_as (Machine *x, u32 thread, Tid t) {
  ThreadState s = machine_thread_state (x, thread);
  if (s.at->tid == t) return thread;
  s.at = as_symmetric (x, s.at, t);
  return machine_thread_number (x, s);
}

/* names[i]: the new name of member i, as the number of a member. */
static Tid rename_thread (const Machine *x, const u8 *names, Tid t) {
  for (u32 i = 0; i < x->symmetric.size; i++)
    if (x->symmetric.member[i] == t) return x->symmetric.member[names[i]];
  return t;
}

static u64 rename_value (const Machine *x, const u8 *names, u32 loc, u64 value) {
  bool is_thread = value && value <= x->nthreads && x->locations.data[base_of (loc)].is_mutex;
  return is_thread ? rename_thread (x, names, (Tid)(value - 1)) + 1 : value;
}

static u32 rename_location (const Machine *x, const u8 *names, u32 loc) {
  if (!is_token (loc) || is_note (loc) || x->options->sharing != SHARING_LOCAL) return loc;
  return token_of (base_of (loc), rename_thread (x, names, token_owner (loc)));
}

static u32 rename_memory (Machine *x, const u8 *names, u32 memory) {
  u32 words[2] = {memory, 0}, number;
  bool is_same = true;
  for (u32 i = 0; i < x->symmetric.size; i++) {
    words[1] |= (u32)names[i] << 3 * i;
    is_same &= names[i] == i;
  }
  if (is_same || !memory) return memory;
  if (table_find (&x->symmetric.memories, words, 2, &number))
    return table_note (&x->symmetric.memories, number);
  Memory m = memory_new (x);
  memory_load (x, memory, &m);
  for (u32 i = 0; i < m.held.size; i++)
    m.held.data[i].value = rename_value (x, names, m.held.data[i].loc, m.held.data[i].value);
  for (u32 i = 0; i < m.pending.size; i++) {
    Pending *p = &m.pending.data[i];
    if (!is_note (p->loc)) p->value = rename_value (x, names, p->loc, p->value);
    p->loc = rename_location (x, names, p->loc);
    p->writer = rename_thread (x, names, p->writer);
  }
  for (u32 i = 0; i < m.needs.size; i++) {
    m.needs.data[i].loc = rename_location (x, names, m.needs.data[i].loc);
    m.needs.data[i].writer = rename_thread (x, names, m.needs.data[i].writer);
  }
  memory_sort (&m);
  number = memory_save (x, &m);
  memory_done (x, &m);
  table_put (&x->symmetric.memories, words, 2, number, NULL);
  return number;
}

/* ---- the one that is visited */

typedef struct Choice {
  Machine *x;
  const u32 *state;
  u32 role[MOST_SYMMETRIC]; /* what each of them is, under the name of the first */
  u8 order[MOST_SYMMETRIC]; /* who takes which name, by role */
  u32 *best, *words;
  bool has_best;
} Choice;

static void try_names (Choice *c) {
  Machine *x = c->x;
  const Symmetric *w = &x->symmetric;
  u8 names[MOST_SYMMETRIC];
  for (u32 k = 0; k < w->size; k++) names[c->order[k]] = (u8)k;
  memcpy (c->words, c->state, x->nwords * sizeof (u32));
  for (u32 s = 0; s < x->nsegments; s++) {
    u32 to = s; /* which is that of a symmetric thread, if it is one's own */
    Tid t = (Tid)__builtin_ctzll (x->members[s]);
    if (x->members[s] == bit_of (t)) to = x->segment_of[rename_thread (x, names, t)];
    c->words[segment_word (x, to)] = rename_memory (x, names, c->state[segment_word (x, s)]);
  }
  for (u32 k = 0; k < w->size; k++)
    c->words[w->member[k]] = thread_as (x, c->state[w->member[c->order[k]]], w->member[k]);
  assert (c->words[w->member[0]] != THREAD_ABSENT);
  if (c->has_best && memcmp (c->words, c->best, x->nwords * sizeof (u32)) >= 0) return;
  memcpy (c->best, c->words, x->nwords * sizeof (u32));
  c->has_best = true;
}

/* All orders in which roles ascend; from the k-th name on. */
static void try_orders (Choice *c, u32 k) {
  u32 n = c->x->symmetric.size;
  assert (k <= n);
  if (k == n) {
    try_names (c);
    return;
  }
  u32 least = k;
  for (u32 i = k; i < n; i++)
    if (c->role[c->order[i]] < c->role[c->order[least]]) least = i;
  u32 role = c->role[c->order[least]];
  for (u32 i = k; i < n; i++) {
    if (c->role[c->order[i]] != role) continue;
    u8 chosen = c->order[i];
    c->order[i] = c->order[k];
    c->order[k] = chosen;
    try_orders (c, k + 1);
    c->order[k] = c->order[i];
    c->order[i] = chosen;
  }
}

void machine_choose_names (Machine *x, u32 *state) {
  const Symmetric *w = &x->symmetric;
  if (!w->size || x->must_restart) return;
  Choice c = {.x = x, .state = state};
  for (u32 k = 0; k < w->size; k++) {
    if (state[w->member[k]] == THREAD_ABSENT) return;
    c.role[k] = thread_as (x, state[w->member[k]], w->member[0]);
    c.order[k] = (u8)k;
  }
  c.best = mem_alloc (2 * x->nwords * sizeof (u32));
  c.words = c.best + x->nwords;
  if (!x->must_restart) try_orders (&c, 0);
  if (!x->must_restart) memcpy (state, c.best, x->nwords * sizeof (u32));
  mem_free (c.best);
}
