/* learn.c - who reads and writes what.
 *
 * Departs from the paper, where these sets are those of the program's text: here they are learned.
 * A thread is believed to access only what it has accessed so far, in all executions. When it does
 * more (a local race, in the worst case), that is noted, the set grows permanently, and the search
 * starts over with another partition. In the end no state that was visited contradicts the sets,
 * and up to its first contradiction every execution of the real machine is one of those visited; so
 * there is none.
 *
 * During a run the sets do not change, so that workers need no lock to look at them.
 *
 * A thread that is created begins with the view of its parent, so what it reads counts for the
 * parent, too, if something was stored there before. */
#include "machine/learn.h"
#include "machine/step.h"

static bool overlaps_another (const Machine *x, u64 addr, u32 size, u32 *found) {
  *found = UINT32_MAX;
  for (u32 i = 0; i < size; i++) {
    u64 loc;
    if (!map_get (&x->location_of_byte, addr + i, &loc)) continue;
    if (x->locations.data[loc].addr != addr || x->locations.data[loc].size != size) return true;
    *found = (u32)loc;
  }
  return false;
}

static bool is_ever_freed (const Machine *x, u64 addr) {
  u64 base, size, unused;
  return vm_object_at (x->vm, addr, &base, &size) && map_get (&x->freed_objects, base, &unused);
}

static u32 new_location (Machine *x, u64 addr, u32 size) {
  assert (!(x->locations.size & LOC_TOKEN)); /* which tells tokens from locations */
  u32 loc = x->locations.size;
  Location l = {.addr = addr, .size = (u8)size};
  l.is_initialised = vm_initial_value (x->vm, addr, size, &l.initial);
  if (!l.is_initialised) l.initial = 0;
  l.can_be_freed = is_ever_freed (x, addr);
  vec_push (&x->locations, l);
  for (u32 i = 0; i < size; i++) map_put (&x->location_of_byte, addr + i, loc);
  return loc;
}

void machine_note (Machine *x, Lesson l) {
  team_hold_vm (x);
  vec_push (&x->team->lessons, l);
  team_let_go_vm (x);
  x->must_restart = true;
}

u32 machine_note_access (Machine *x, Tid t, const Effect *e) {
  assert (effect_is_access (e) && t < MACHINE_THREADS);
  u32 loc;
  if (overlaps_another (x, e->addr, e->size, &loc) || effect_is_mixed (e)) {
    machine_not_covered (x, e->pos, "accesses of different sizes to the same memory");
    x->team->order_matters = true; /* the first one says what is a location */
    return UINT32_MAX;
  }
  Lesson l = {.kind = LESSON_ACCESS, .addr = e->addr, .size = e->size};
  if (e->kind != EFF_WRITE && e->kind != EFF_UNLOCK) l.readers = bit_of (t);
  if (e->kind != EFF_READ) l.writers = bit_of (t);
  l.is_mutex = is_lock (e) || e->kind == EFF_UNLOCK;
  const Location *known = loc == UINT32_MAX ? NULL : &x->locations.data[loc];
  if (!known || (l.readers & ~known->readers) || (l.writers & ~known->writers) ||
      l.is_mutex > known->is_mutex)
    machine_note (x, l);
  return loc;
}

void machine_note_free (Machine *x, u64 addr) {
  u64 base, size;
  if (is_ever_freed (x, addr) || !vm_object_at (x->vm, addr, &base, &size)) return;
  machine_note (x, (Lesson){.kind = LESSON_FREE, .addr = base, .size = size});
}

void machine_note_value (Machine *x, u32 loc, u64 value) {
  const Location *l = &x->locations.data[loc];
  if (!x->options->window || (l->is_initialised && value == l->initial)) return;
  for (u32 i = 0; i < l->values.size; i++)
    if (l->values.data[i] == value) return;
  machine_note (x, (Lesson){.kind = LESSON_VALUE, .loc = loc, .value = value});
}

void machine_note_stored (Machine *x, const u32 *state, Tid t, u32 loc) {
  const Location *l = &x->locations.data[loc];
  bool is_alone = true;
  for (Tid o = 0; o < x->nthreads; o++)
    is_alone &= o == t || state[o] == THREAD_ABSENT || machine_has_ended (x, state, o);
  if (l->is_mutex && !l->is_stored && !is_alone)
    machine_note (x, (Lesson){.kind = LESSON_STORED, .loc = loc});
}

/* ---- learning */

static void learn_access (Machine *x, const Lesson *l) {
  u32 loc;
  if (overlaps_another (x, l->addr, (u32)l->size, &loc)) return; /* the next run notices it */
  if (loc == UINT32_MAX) loc = new_location (x, l->addr, (u32)l->size);
  x->locations.data[loc].read_by |= l->readers;
  x->locations.data[loc].written_by |= l->writers;
  x->locations.data[loc].is_mutex |= l->is_mutex;
}

static void learn_free (Machine *x, const Lesson *l) {
  map_put (&x->freed_objects, l->addr, 1);
  for (u32 i = 0; i < x->locations.size; i++) {
    Location *at = &x->locations.data[i];
    if (at->addr >= l->addr && at->addr < l->addr + l->size) at->can_be_freed = true;
  }
}

static void learn_value (Machine *x, const Lesson *l) {
  assert (x->options->window && l->loc < x->locations.size);
  Location *at = &x->locations.data[l->loc];
  for (u32 i = 0; i < at->values.size; i++)
    if (at->values.data[i] == l->value) return;
  vec_push (&at->values, l->value);
}

void machine_learn (Machine *x) {
  assert (!x->team->is_shared);
  for (u32 i = 0; i < x->team->lessons.size; i++) {
    const Lesson *l = &x->team->lessons.data[i];
    switch ((LessonKind)l->kind) {
    case LESSON_ACCESS:
      learn_access (x, l);
      break;
    case LESSON_FREE:
      learn_free (x, l);
      break;
    case LESSON_LATE:
      x->locations.data[l->loc].late |= l->readers;
      break;
    case LESSON_VALUE:
      learn_value (x, l);
      break;
    case LESSON_STORED:
      x->locations.data[l->loc].is_stored = true;
      break;
    case LESSON_START:
      machine_learn_start (x, l);
      break;
    case LESSON_ALONE:
      machine_learn_alone (x, l);
      break;
    }
  }
  x->team->lessons.size = 0;
}

u64 machine_count_facts (const Machine *x) {
  u64 n = x->freed_objects.size + (u64)__builtin_popcountll (x->alone);
  for (u32 i = 0; i < x->locations.size; i++) {
    const Location *l = &x->locations.data[i];
    n += 1 + l->is_stored + l->values.size + (u64)__builtin_popcountll (l->readers) +
         (u64)__builtin_popcountll (l->writers) + (u64)__builtin_popcountll (l->late);
  }
  return n;
}

/* ---- threads that begin with the view of another one */

/* Paths have 16 bits for the first level, then 8 for each. */
static bool is_ancestor (const Machine *x, Tid a, Tid t) {
  u64 path = vm_thread_path (x->vm, a);
  if (a == t || !path) return a != t;
  u32 shift = 0;
  while (!(path >> shift & 0xff)) shift += 8;
  if (shift == 56) shift = 48;
  return vm_thread_path (x->vm, t) >> shift == path >> shift;
}

/* Where a store comes after what its thread has seen, what writers have seen matters, too. */
static u64 lookers (const Machine *x, const Location *l) {
  bool is_ordered = x->options->coherent && (l->writers & (l->writers - 1));
  return is_ordered ? l->readers | l->writers : l->readers;
}

void machine_note_late (Machine *x, const u32 *state, u32 loc) {
  const Location *l = &x->locations.data[loc];
  u64 late = lookers (x, l) & ~l->late;
  for (Tid t = 0; t < x->nthreads && late; t++)
    if (state[t] != THREAD_ABSENT) late &= ~bit_of (t);
  if (late) machine_note (x, (Lesson){.kind = LESSON_LATE, .loc = loc, .readers = late});
}

/* What one of several symmetric threads does any of them can do. */
void machine_choose_sets (Machine *x) {
  u64 symmetric = x->symmetric.set;
  for (u32 i = 0; i < x->locations.size; i++) {
    Location *l = &x->locations.data[i];
    l->readers = l->read_by | (l->read_by & symmetric ? symmetric : 0);
    l->writers = l->written_by | (l->written_by & symmetric ? symmetric : 0);
    l->viewers = lookers (x, l);
    for (Tid a = 0; a < x->nthreads; a++)
      for (Tid t = 0; t < x->nthreads; t++)
        if ((l->late & bit_of (t)) && is_ancestor (x, a, t)) l->viewers |= bit_of (a);
  }
}
