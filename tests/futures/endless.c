// verdict[--engine=futures -DCASE={LOCKS,WATCHES,STARVES}]: sc pass
// verdict[--engine=futures -DCASE={LOCKS,WATCHES,STARVES}]: rc11 pass
// finding[--engine=futures -DCASE=WAITS]: sc liveness waits
// finding[--engine=futures -DCASE=WAITS]: rc11 liveness waits
// finding[--engine=futures -DCASE=WAITS]: ra liveness waits
// finding[--engine=futures -DCASE=NEVER]: sc liveness never
// finding[--engine=futures -DCASE=NEVER]: rc11 liveness never
// finding[--engine=futures -DCASE=MISSED]: sc liveness missed|or|else
// finding[--engine=futures -DCASE=MISSED]: rc11 liveness missed|or|else
// finding[--engine=futures -DCASE=DEADLOCK]: sc deadlock
// finding[--engine=futures -DCASE=DEADLOCK]: rc11 deadlock
// finding[--engine=futures --no-liveness -DCASE=DEADLOCK]: sc deadlock
// finding[--engine=futures --no-liveness -DCASE=DEADLOCK]: rc11 deadlock
// finding[--engine=futures -DCASE=ASSUMES]: sc liveness waits
// finding[--engine=futures -DCASE=ASSUMES]: rc11 liveness waits
// finding[--engine=futures -DCASE=ASSUMES_AND_LOCKS]: sc deadlock
// finding[--engine=futures -DCASE=ASSUMES_AND_LOCKS]: rc11 deadlock
// verdict[--engine=futures -DCASE={REFUSES,ASSUMES_IN_TURN}]: sc pass
// verdict[--engine=futures -DCASE={REFUSES,ASSUMES_IN_TURN}]: rc11 pass
// assumed[--engine=futures -DCASE=HELD -DCUT_OFF]: sc threads-cut-off
// assumed[--engine=futures -DCASE=HELD -DCUT_OFF]: rc11 threads-cut-off
// finding[--engine=futures -DCASE=HELD -DCUT_OFF --join-all]: sc deadlock held
// finding[--engine=futures -DCASE=HELD]: sc deadlock held
// finding[--engine=futures -DCASE=HELD]: rc11 deadlock held
//
// Executions without an end: threads that serve others, and threads that wait forever beside them.
#include <porf/verifier.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
  LOCKS,
  WATCHES,
  STARVES,
  WAITS,
  NEVER,
  MISSED,
  DEADLOCK,
  HELD,
  ASSUMES,
  ASSUMES_AND_LOCKS,
  REFUSES,
  ASSUMES_IN_TURN
};

static atomic_int light, go;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *blink (void *arg) {
  for (;;) atomic_store (&light, !atomic_load (&light));
  return arg;
}

static void *lock_again_and_again (void *arg) {
  for (;;) {
    pthread_mutex_lock (&one);
    data = !data;
    pthread_mutex_unlock (&one);
  }
  return arg;
}

static void *hold (void *arg) {
  pthread_mutex_lock (&one);
  for (;;) atomic_store (&light, !atomic_load (&light));
  return arg;
}

static void *lock_once (void *arg) {
  pthread_mutex_lock (&one); // @held
  data = 2;
  pthread_mutex_unlock (&one);
  return arg;
}

static void *watch (void *arg) {
  for (;;) atomic_load (&light);
  return arg;
}

static void *wait (void *arg) {
  while (!atomic_load (&go)) // @waits
    ;
  return arg;
}

static void *wait_for_two (void *arg) {
  while (atomic_load (&light) != 2) // @never
    ;
  return arg;
}

static void *work_until_told (void *arg) {
  while (!atomic_load (&go)) { // @missed
    atomic_store (&light, 1);  // @or
    atomic_store (&light, 0);  // @else
  }
  return arg;
}

static void *tell_for_a_moment (void *arg) {
  atomic_store (&go, 1);
  atomic_store (&go, 0);
  return arg;
}

static void *lock_both (void *arg) {
  pthread_mutex_lock (arg ? &one : &two);
  pthread_mutex_lock (arg ? &two : &one);
  pthread_mutex_unlock (&one);
  pthread_mutex_unlock (&two);
  return NULL;
}

static void *assume (void *arg) {
  for (;;) {
    __VERIFIER_assume (__VERIFIER_nondet_bool ());
    atomic_store (&light, !atomic_load (&light));
  }
  return arg;
}

/* There is no execution in which this thread moves. */
static void *refuse (void *arg) {
  for (;;) __VERIFIER_assume (atomic_load (&light) == 2);
  return arg;
}

static void *take_turns (void *arg) {
  for (;;) {
    __VERIFIER_assume (atomic_load (&light) == !arg);
    atomic_store (&light, !!arg);
  }
  return arg;
}

typedef void *Run (void *arg);
static Run *const threads[][3] = {[LOCKS] = {lock_again_and_again, lock_again_and_again},
                                  [WATCHES] = {blink, watch},
                                  [STARVES] = {lock_again_and_again, lock_once},
                                  [WAITS] = {blink, wait},
                                  [NEVER] = {blink, wait_for_two},
                                  [MISSED] = {work_until_told, tell_for_a_moment},
                                  [DEADLOCK] = {blink, lock_both, lock_both},
                                  [HELD] = {hold, lock_once},
                                  [ASSUMES] = {assume, wait},
                                  [ASSUMES_AND_LOCKS] = {assume, lock_both, lock_both},
                                  [REFUSES] = {refuse, wait, blink},
                                  [ASSUMES_IN_TURN] = {take_turns, take_turns}};

int main (void) {
  pthread_t t[3];
  for (int i = 0; i < 3 && threads[CASE][i]; i++)
    pthread_create (&t[i], NULL, threads[CASE][i], i == 1 ? &data : NULL);
#ifndef CUT_OFF
  for (int i = 0; i < 3 && threads[CASE][i]; i++) pthread_join (t[i], NULL);
#endif
}
