// What a failed iteration of a spin loop has read is freed, or written plainly, once the loop has ended.
// finding[-DWHAT={1,2,3} --engine={explore,futures}]: rc11 use-after-free A
// finding[-DWHAT={1,2,3} --engine={explore,futures}]: sc use-after-free A
// finding[-DWHAT={4,5,6,7} --engine={explore,futures}]: rc11 race A
// finding[-DWHAT={4,5,6,7} --engine={explore,futures}]: sc race A
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

#if WHAT == 1 // an atomic in a block
static atomic_int *p;
#define PREPARE p = calloc (1, sizeof *p)
#define READS atomic_load_explicit (p, memory_order_relaxed)
#define ENDS free (p)
#elif WHAT == 2 // not atomic
static int *p;
#define PREPARE p = calloc (1, sizeof *p)
#define READS *p
#define ENDS free (p)
#elif WHAT == 3 // of the stack of the other thread
static atomic_int *_Atomic p;
#define PREPARE (void)0
static int reads (void) {
  atomic_int *q = atomic_load_explicit (&p, memory_order_acquire);
  return q && atomic_load_explicit (q, memory_order_relaxed);
}
#define READS reads ()
#elif WHAT == 4 // a variable
static int y;
#define PREPARE (void)0
#define READS y
#define ENDS y = 1
#elif WHAT == 6 // after a fence
static int y;
#define PREPARE (void)0
#define READS (atomic_thread_fence (memory_order_acquire), y)
#define ENDS y = 1
#elif WHAT == 7 // after an exchange that fails
static int y;
static atomic_int z;
static int reads (void) {
  int expected = 1;
  return atomic_compare_exchange_strong_explicit (&z, &expected, 2, memory_order_relaxed, memory_order_relaxed) || y;
}
#define PREPARE (void)0
#define READS reads ()
#define ENDS y = 1
#else // under a lock
static int y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int reads (void) {
  pthread_mutex_lock (&m);
  int r = y;
  pthread_mutex_unlock (&m);
  return r;
}
#define PREPARE (void)0
#define READS reads ()
#define ENDS y = 1
#endif

static void *waiter (void *unused) {
  while (!atomic_load_explicit (&x, memory_order_relaxed) && !READS) {
  }
  atomic_store_explicit (&x, 4, memory_order_relaxed);
  return unused;
}

#if WHAT == 3
static void publish (void) {
  atomic_int own = 0;
  atomic_store_explicit (&p, &own, memory_order_release);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  while (atomic_load_explicit (&x, memory_order_relaxed) != 4) {
  }
} // @A
#endif

static void *other (void *unused) {
#if WHAT == 3
  publish ();
#else
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  if (atomic_load_explicit (&x, memory_order_relaxed) == 4) ENDS; // @A
#endif
  return unused;
}

int main (void) {
  pthread_t a, b;
  PREPARE;
  pthread_create (&a, NULL, waiter, NULL);
  pthread_create (&b, NULL, other, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
