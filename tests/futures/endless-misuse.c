// finding[--engine=futures -DCASE={TURNS,WEAK}]: sc lock-misuse again
// finding[--engine=futures -DCASE={TURNS,WEAK}]: tso lock-misuse again
// finding[--engine=futures -DCASE={TURNS,WEAK}]: rc11 lock-misuse again
// finding[--engine=futures -DCASE={TURNS,WEAK} --jobs=3]: rc11 lock-misuse again
// finding[--engine=futures -DCASE=FREED]: sc use-after-free freed
// finding[--engine=futures -DCASE=FREED]: rc11 use-after-free freed
// unsupported[--engine=futures --leaks -DCASE=LOST]: sc leaks
// unsupported[--engine=futures --leaks -DCASE=LOST]: rc11 leaks
//
// A thread waits, and what is wrong with that is seen although another one goes on forever: main returns, so that
// nobody has to end.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { TURNS, WEAK, FREED, LOST };

static atomic_int light, one, two;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, *block;

static void *blink (void *arg) {
  for (;;) atomic_store (&light, !atomic_load (&light));
  return arg;
}

static void *watch (void *arg) {
  for (;;) {
    atomic_load_explicit (&one, memory_order_relaxed);
    atomic_load_explicit (&two, memory_order_relaxed);
  }
  return arg;
}

static void *lock_twice (void *arg) {
  pthread_mutex_lock (&mutex);
  pthread_mutex_lock (&mutex); // @again
  return arg;
}

static void *lock_block (void *arg) {
  pthread_mutex_lock (block); // @freed
  return arg;
}

static void *lose (void *arg) {
  malloc (4);
  return arg;
}

int main (void) {
  static void *(*const threads[][2]) (void *) = {
      [TURNS] = {blink, lock_twice}, [WEAK] = {watch, lock_twice}, [FREED] = {blink, lock_block}, [LOST] = {blink, lose}};
  pthread_t t[2];
  block = malloc (sizeof *block);
  pthread_mutex_init (block, 0);
  if (CASE == FREED) pthread_mutex_lock (block);
  for (int i = 0; i < 2; i++) pthread_create (&t[i], 0, threads[CASE][i], 0);
  if (CASE == WEAK) {
    atomic_store_explicit (&one, 1, memory_order_relaxed);
    atomic_store_explicit (&two, 1, memory_order_relaxed);
  }
  if (CASE == FREED) free (block);
  return 0;
}
