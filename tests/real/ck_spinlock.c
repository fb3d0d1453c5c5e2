// Concurrency Kit's spinlocks: each thread adds to a plain counter under the lock. The
// ticket lock accesses both halves of a word together and apart, which is refused. CK_MD_UMP is for one processor only:
// no instruction is locked. The port of MCS to GCC builtins relies on the order of dependent accesses.
// verdict: rc11 pass
// verdict: tso pass
// verdict[-DLOCK=CAS]: rc11 pass
// verdict[-DLOCK=CAS]: tso pass
// verdict[-DLOCK=DEC]: rc11 pass
// verdict[-DLOCK=DEC]: tso pass
// unsupported[-DLOCK=TICKET]: rc11 atomic accesses of different sizes
// unsupported[-DLOCK=TICKET]: tso atomic accesses of different sizes
// verdict[-DLOCK=MCS]: rc11 pass
// verdict[-DLOCK=MCS]: tso pass
// verdict[-DLOCK=CLH]: rc11 pass
// verdict[-DLOCK=CLH]: tso pass
// verdict[-DLOCK=ANDERSON]: rc11 pass
// verdict[-DLOCK=ANDERSON]: tso pass
// verdict[-DLOCK=FAS -DTHREADS=3]: rc11 pass
// verdict[-DLOCK=CAS -DTHREADS=3]: rc11 pass
// verdict[-DLOCK=DEC -DTHREADS=3]: rc11 pass
// verdict[-DLOCK=MCS -DTHREADS=3]: rc11 pass
// verdict[-DLOCK=CLH -DTHREADS=3]: rc11 pass
// verdict[-DLOCK=FAS --no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: rc11 pass
// finding[-DLOCK=MCS --no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: rc11 liveness
// verdict[-DLOCK=MCS --no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: tso pass
// verdict[-DLOCK=CLH --no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: rc11 pass
// verdict[-DLOCK=DEC -DCK_MD_UMP]: rc11 violation
// verdict[-DLOCK=DEC -DCK_MD_UMP]: tso violation
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef LOCK
#define LOCK FAS
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_ (a, b)

/* For each lock: its variables, how to initialise it, lock and unlock it in thread N. */
#define SIMPLE(name)                                                                               \
  static ck_spinlock_##name##_t the_lock;                                                          \
  static void init (void) { ck_spinlock_##name##_init (&the_lock); }                               \
  static void lock (int n) { (void)n, ck_spinlock_##name##_lock (&the_lock); }                     \
  static void unlock (int n) { (void)n, ck_spinlock_##name##_unlock (&the_lock); }

#define DEFINE_FAS SIMPLE (fas)
#define DEFINE_CAS SIMPLE (cas)
#define DEFINE_DEC SIMPLE (dec)
#define DEFINE_TICKET SIMPLE (ticket)

#define DEFINE_MCS                                                                                 \
  static ck_spinlock_mcs_t the_lock;                                                               \
  static ck_spinlock_mcs_context_t nodes[THREADS];                                                 \
  static void init (void) { ck_spinlock_mcs_init (&the_lock); }                                    \
  static void lock (int n) { ck_spinlock_mcs_lock (&the_lock, &nodes[n]); }                        \
  static void unlock (int n) { ck_spinlock_mcs_unlock (&the_lock, &nodes[n]); }

#define DEFINE_CLH                                                                                 \
  static ck_spinlock_clh_t *the_lock, nodes[THREADS + 1], *mine[THREADS];                          \
  static void init (void) {                                                                        \
    ck_spinlock_clh_init (&the_lock, &nodes[THREADS]);                                             \
    for (int i = 0; i < THREADS; i++) mine[i] = &nodes[i];                                         \
  }                                                                                                \
  static void lock (int n) { ck_spinlock_clh_lock (&the_lock, mine[n]); }                          \
  static void unlock (int n) { ck_spinlock_clh_unlock (&mine[n]); }

#define DEFINE_ANDERSON                                                                            \
  static ck_spinlock_anderson_t the_lock;                                                          \
  static ck_spinlock_anderson_thread_t slots[THREADS], *mine[THREADS];                             \
  static void init (void) { ck_spinlock_anderson_init (&the_lock, slots, THREADS); }               \
  static void lock (int n) { ck_spinlock_anderson_lock (&the_lock, &mine[n]); }                    \
  static void unlock (int n) { ck_spinlock_anderson_unlock (&the_lock, mine[n]); }

JOIN (DEFINE_, LOCK)

static int counter;

static void *add (void *arg) {
  int n = (int)(intptr_t)arg;
  for (int i = 0; i < ROUNDS; i++) {
    lock (n);
    counter++;
    unlock (n);
  }
  return NULL;
}

int main (void) {
  pthread_t t[THREADS];
  init ();
  for (int i = 0; i < THREADS; i++) pthread_create (&t[i], NULL, add, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++) pthread_join (t[i], NULL);
  assert (counter == THREADS * ROUNDS);
  return 0;
}
