/* force.c - linked with a program that clang has instrumented as for its thread sanitizer: makes it
 * run through one execution, access by access, in the order and with the values that `porf replay`
 * wrote down. No part of porf itself: it is kept as text, and compiled with the program.
 *
 * Every hook knows from where it was called; FORCE_PLAN says which line and column that is. A
 * thread whose next event is of that place and kind waits for its turn; every other access is of
 * memory that no other thread uses, and happens as it is. What a read sees is what the write that
 * it reads from has written in this run, so pointers are real ones. Reads of old values that are
 * not atomic find them in memory for a moment: no other thread may run meanwhile.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Calls of these come to __wrap_… instead, even from here. */
int __real_pthread_create (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_join (pthread_t, void **);
int __real_pthread_mutex_init (pthread_mutex_t *, const pthread_mutexattr_t *);
int __real_pthread_mutex_destroy (pthread_mutex_t *);
int __real_pthread_mutex_lock (pthread_mutex_t *);
int __real_pthread_mutex_trylock (pthread_mutex_t *);
int __real_pthread_mutex_unlock (pthread_mutex_t *);
void __real_free (void *);

enum { MOST_EVENTS = 100000, MOST_SITES = 100000, MOST_THREADS = 256, MOST_CELLS = 10000 };
enum { FROM_INIT = -1 };

typedef struct Event {
  char kind; /* r w u f c j F n: read write update fence create join free choice; L U m: of a
                mutex */
  int tid, line, column, size, from, other;
  long mo;
  bool waits;
  uint64_t value; /* of a choice */
  uint64_t native;
  char file[256];
} Event;

typedef struct Site {
  uintptr_t address;
  int line, column;
  char file[256];
} Site;

typedef struct Cell { /* memory that is accessed by events */
  void *address;
  uint64_t initial;
  long mo; /* of what is there now */
} Cell;

static Event *events;
static Site *sites;
static Cell cells[MOST_CELLS];
static int nevents, nsites, ncells, turn;
static char status[MOST_THREADS]; /* e ended, f failed, b blocked or running */
static bool somebody_fails;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static __thread int self;
static __thread struct {
  int event; /* that is not over, or -1 */
  void *address;
  uint64_t before; /* to be put back */
  bool puts_back;
} pending = {.event = -1};

/* ---- the plan */

static void give_up (const char *why) {
  fprintf (stderr, "replay: %s\n", why);
  _exit (3);
}

__attribute__ ((constructor)) static void read_plan (void) {
  char line[1000];
  FILE *f = fopen (FORCE_PLAN, "r");
  events = calloc (MOST_EVENTS, sizeof *events);
  sites = calloc (MOST_SITES, sizeof *sites);
  if (!f || !events || !sites) give_up ("there is no plan (" FORCE_PLAN ")");
  while (fgets (line, sizeof line, f)) {
    Event e = {0};
    Site s = {0};
    int tid, waits;
    char how;
    unsigned long address;
    unsigned long long value;
    if (sscanf (line, "site %lx %d %d %255[^\n]", &address, &s.line, &s.column, s.file) == 4) {
      s.address = address;
      if (nsites < MOST_SITES) sites[nsites++] = s;
    } else if (sscanf (line, "thread %d %c", &tid, &how) == 2) {
      if (tid >= 0 && tid < MOST_THREADS) status[tid] = how;
      somebody_fails |= how == 'f';
    } else if (sscanf (line, "event %c %d %d %d %d %d %d %ld %d %llu %255[^\n]", &e.kind, &e.tid,
                       &e.line, &e.column, &e.size, &e.from, &e.other, &e.mo, &waits, &value,
                       e.file) == 11) {
      if (e.size < 0 || e.size > 8 || e.from < -2 || e.from >= nevents || e.tid < 0 ||
          e.tid >= MOST_THREADS || e.other < 0 || e.other >= MOST_THREADS)
        give_up ("the plan is damaged");
      e.waits = waits;
      e.value = value;
      if (nevents < MOST_EVENTS) events[nevents++] = e;
    }
  }
  fclose (f);
}

static int next_event (void) {
  for (int i = turn; i < nevents; i++)
    if (events[i].tid == self && i != pending.event) return i;
  return -1;
}

static const Site *site_of (void *caller) {
  for (int i = 0; i < nsites; i++)
    if (sites[i].address == (uintptr_t)caller) return &sites[i];
  return NULL;
}

/* ---- memory */

static uint64_t peek (const void *at, int size) {
  uint64_t v = 0;
  memcpy (&v, at, (size_t)size);
  return v;
}

static void poke (void *at, int size, uint64_t v) { memcpy (at, &v, (size_t)size); }

static Cell *cell_of (void *address, int size) {
  for (int i = 0; i < ncells; i++)
    if (cells[i].address == address) return &cells[i];
  if (ncells == MOST_CELLS) give_up ("too much memory is accessed");
  cells[ncells] = (Cell){address, peek (address, size), 0};
  return &cells[ncells++];
}

static uint64_t seen_by (const Event *e, void *address, int size) {
  return e->from < 0 ? cell_of (address, size)->initial : events[e->from].native;
}

static void write_cell (Event *e, void *address, int size, uint64_t value) {
  Cell *c = cell_of (address, size);
  e->native = value;
  if (e->mo && e->mo < c->mo) return; /* something newer is there */
  c->mo = e->mo;
  poke (address, size, value);
}

/* ---- turns */

static void pass_on (void) {
  turn++;
  if (turn == nevents && !somebody_fails) {
    fprintf (stderr, "replay: this was the last step\n");
    raise (SIGTRAP);
  }
  pthread_cond_broadcast (&changed);
}

/* What a plain access has left to do when its thread comes to its next hook. */
static void finish_pending (void) {
  if (pending.event < 0) return;
  Event *e = &events[pending.event];
  if (e->kind == 'w') {
    uint64_t value = peek (pending.address, e->size);
    poke (pending.address, e->size, pending.before);
    write_cell (e, pending.address, e->size, value);
  } else if (pending.puts_back) {
    poke (pending.address, e->size, pending.before);
  }
  pending.event = -1;
  pass_on ();
}

static void wait_forever (void) {
  __real_pthread_mutex_unlock (&lock);
  for (;;) pause ();
}

/* Whether this access is the thread's next event, and its turn has come: then the lock is held.
 * `kinds` are those that it can be. */
static Event *begin (const char *kinds, void *caller) {
  __real_pthread_mutex_lock (&lock);
  finish_pending ();
  int k = next_event ();
  if (k < 0 && status[self] == 'b') wait_forever ();
  const Site *s = site_of (caller);
  Event *e = k < 0 ? NULL : &events[k];
  bool fits = e && s && strchr (kinds, e->kind) && s->line == e->line &&
              (!s->column || s->column == e->column) && !strcmp (s->file, e->file);
  if (!fits) {
    __real_pthread_mutex_unlock (&lock);
    return NULL;
  }
  while (turn != k) pthread_cond_wait (&changed, &lock);
  if (e->waits) wait_forever ();
  return e;
}

static void end (void) {
  pass_on ();
  __real_pthread_mutex_unlock (&lock);
}

/* ---- hooks: plain accesses */

static void plain (char kind, void *address, int size, void *caller) {
  char kinds[] = {kind, 0};
  Event *e = begin (kinds, caller);
  if (!e) return;
  pending.event = (int)(e - events);
  pending.address = address;
  pending.before = peek (address, size);
  pending.puts_back = false;
  cell_of (address, size);
  if (kind == 'r') {
    uint64_t wanted = seen_by (e, address, size);
    pending.puts_back = wanted != pending.before;
    poke (address, size, wanted);
  }
  __real_pthread_mutex_unlock (&lock);
}

#define CALLER __builtin_return_address (0)
#define PLAIN(bytes)                                                                               \
  void __tsan_read##bytes (void *a) { plain ('r', a, bytes, CALLER); }                             \
  void __tsan_write##bytes (void *a) { plain ('w', a, bytes, CALLER); }                            \
  void __tsan_unaligned_read##bytes (void *a) { plain ('r', a, bytes, CALLER); }                   \
  void __tsan_unaligned_write##bytes (void *a) { plain ('w', a, bytes, CALLER); }                  \
  void __tsan_read_write##bytes (void *a) { plain ('r', a, bytes, CALLER); }                       \
  void __tsan_unaligned_read_write##bytes (void *a) { plain ('r', a, bytes, CALLER); }
PLAIN (1)
PLAIN (2)
PLAIN (4)
PLAIN (8)
void __tsan_read16 (void *a) { (void)a; }
void __tsan_write16 (void *a) { (void)a; }
void __tsan_init (void) {}
void __tsan_func_entry (void *a) { (void)a; }
void __tsan_func_exit (void) {}
void __tsan_vptr_update (void **a, void *b) { (void)a, (void)b; }
void __tsan_vptr_read (void **a) { (void)a; }
void *__tsan_memcpy (void *to, const void *from, size_t n) { return memcpy (to, from, n); }
void *__tsan_memset (void *to, int c, size_t n) { return memset (to, c, n); }
void *__tsan_memmove (void *to, const void *from, size_t n) { return memmove (to, from, n); }

/* ---- hooks: atomic accesses */

#define UPDATE(bits, name, result)                                                                 \
  uint##bits##_t __tsan_atomic##bits##_##name (volatile uint##bits##_t *a, uint##bits##_t v,       \
                                               int order) {                                        \
    Event *e = begin ("u", CALLER);                                                                \
    if (!e) {                                                                                      \
      uint##bits##_t was = *a;                                                                     \
      *a = (uint##bits##_t) (result);                                                              \
      return was;                                                                                  \
    }                                                                                              \
    uint##bits##_t was = (uint##bits##_t)seen_by (e, (void *)a, bits / 8);                         \
    write_cell (e, (void *)a, bits / 8, (uint##bits##_t) (result));                                \
    end ();                                                                                        \
    (void)order;                                                                                   \
    return was;                                                                                    \
  }

#define ATOMIC(bits)                                                                               \
  uint##bits##_t __tsan_atomic##bits##_load (const volatile uint##bits##_t *a, int order) {        \
    Event *e = begin ("r", CALLER);                                                                \
    if (!e) return *a;                                                                             \
    uint##bits##_t v = (uint##bits##_t)seen_by (e, (void *)a, bits / 8);                           \
    end ();                                                                                        \
    (void)order;                                                                                   \
    return v;                                                                                      \
  }                                                                                                \
  void __tsan_atomic##bits##_store (volatile uint##bits##_t *a, uint##bits##_t v, int order) {     \
    Event *e = begin ("w", CALLER);                                                                \
    (void)order;                                                                                   \
    if (!e) {                                                                                      \
      *a = v;                                                                                      \
      return;                                                                                      \
    }                                                                                              \
    write_cell (e, (void *)a, bits / 8, v);                                                        \
    end ();                                                                                        \
  }                                                                                                \
  UPDATE (bits, exchange, v)                                                                       \
  UPDATE (bits, fetch_add, was + v)                                                                \
  UPDATE (bits, fetch_sub, was - v)                                                                \
  UPDATE (bits, fetch_and, was &v)                                                                 \
  UPDATE (bits, fetch_or, was | v)                                                                 \
  UPDATE (bits, fetch_xor, was ^ v)                                                                \
  UPDATE (bits, fetch_nand, ~(was & v))                                                            \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val (                                      \
      volatile uint##bits##_t *a, uint##bits##_t c, uint##bits##_t v, int order, int fail) {       \
    Event *e = begin ("ru", CALLER);                                                               \
    (void)order, (void)fail;                                                                       \
    if (!e) {                                                                                      \
      uint##bits##_t was = *a;                                                                     \
      if (was == c) *a = v;                                                                        \
      return was;                                                                                  \
    }                                                                                              \
    uint##bits##_t was = (uint##bits##_t)seen_by (e, (void *)a, bits / 8);                         \
    if (e->kind == 'u') write_cell (e, (void *)a, bits / 8, v);                                    \
    end ();                                                                                        \
    return was;                                                                                    \
  }
ATOMIC (8)
ATOMIC (16)
ATOMIC (32)
ATOMIC (64)

void __tsan_atomic_thread_fence (int order) {
  Event *e = begin ("f", CALLER);
  (void)order;
  if (e) end ();
}
void __tsan_atomic_signal_fence (int order) { (void)order; }

/* ---- threads, locks, memory */

typedef struct Start {
  void *(*run) (void *);
  void *arg;
  int tid;
} Start;

static void thread_is_over (void) {
  __real_pthread_mutex_lock (&lock);
  finish_pending ();
  if (next_event () >= 0) give_up ("a thread has ended before its part of the execution was over");
  __real_pthread_mutex_unlock (&lock);
}

static void *start_thread (void *arg) {
  Start s = *(Start *)arg;
  __real_free (arg);
  self = s.tid;
  void *result = s.run (s.arg);
  thread_is_over ();
  return result;
}

int __wrap_pthread_create (pthread_t *t, const pthread_attr_t *a, void *(*run) (void *),
                           void *arg) {
  Event *e = begin ("c", CALLER);
  if (!e) give_up ("a thread is created that the execution does not have");
  Start *s = malloc (sizeof *s);
  *s = (Start){run, arg, e->other};
  int failed = __real_pthread_create (t, a, start_thread, s);
  end ();
  return failed;
}

int __wrap_pthread_join (pthread_t t, void **result) {
  Event *e = begin ("j", CALLER);
  if (e) end ();
  return __real_pthread_join (t, result);
}

/* What a function does with a mutex besides locking it. */
static void pass_others (void *caller) {
  while (begin ("m", caller)) end ();
}

int __wrap_pthread_mutex_init (pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  pass_others (CALLER);
  return __real_pthread_mutex_init (m, a);
}

int __wrap_pthread_mutex_destroy (pthread_mutex_t *m) {
  pass_others (CALLER);
  return __real_pthread_mutex_destroy (m);
}

int __wrap_pthread_mutex_lock (pthread_mutex_t *m) {
  pass_others (CALLER);
  Event *e = begin ("L", CALLER);
  if (!e) return __real_pthread_mutex_lock (m);
  end ();
  return 0;
}

int __wrap_pthread_mutex_trylock (pthread_mutex_t *m) {
  pass_others (CALLER);
  Event *e = begin ("Lr", CALLER);
  if (!e) return __real_pthread_mutex_trylock (m);
  int busy = e->kind == 'r' ? 16 /* EBUSY */ : 0;
  end ();
  return busy;
}

int __wrap_pthread_mutex_unlock (pthread_mutex_t *m) {
  pass_others (CALLER);
  Event *e = begin ("U", CALLER);
  if (!e) return __real_pthread_mutex_unlock (m);
  end ();
  return 0;
}

/* Memory that others still look at stays. */
void __wrap_free (void *p) {
  Event *e = begin ("F", CALLER);
  if (!e) {
    __real_free (p);
    return;
  }
  end ();
}

/* ---- __VERIFIER */

static uint64_t choose (void *caller) {
  Event *e = begin ("n", caller);
  if (!e) give_up ("a value is asked for that the execution does not have");
  uint64_t value = e->value;
  end ();
  return value;
}

#define NONDET(type, name)                                                                         \
  type __VERIFIER_nondet_##name (void) { return (type)choose (CALLER); }
NONDET (int, int)
NONDET (unsigned, uint)
NONDET (long, long)
NONDET (unsigned long, ulong)
NONDET (char, char)
NONDET (unsigned char, uchar)
NONDET (short, short)
NONDET (unsigned short, ushort)
NONDET (_Bool, bool)
NONDET (signed char, schar)
NONDET (unsigned, unsigned)
NONDET (long long, longlong)
NONDET (unsigned long long, ulonglong)
NONDET (uint8_t, u8)
NONDET (uint16_t, u16)
NONDET (uint32_t, u32)
NONDET (size_t, size_t)
void __VERIFIER_assume (int x) {
  if (x) return;
  __real_pthread_mutex_lock (&lock);
  finish_pending ();
  wait_forever ();
}
void __VERIFIER_assert (int x) {
  if (!x) abort ();
}
void reach_error (void) { abort (); }
void __VERIFIER_error (void) { abort (); }
