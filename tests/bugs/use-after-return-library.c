// A thread uses something of the library, or memory by way of the library, that lies on the stack of a function that has
// returned.
// finding[-DK={0..23}]: rc11 use-after-free use
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
static pthread_t t;
#if K == 0
typedef sem_t T;
#define INIT(x) sem_init (&x, 0, 1)
#define USE(x) sem_wait (x)
#elif K == 1
typedef sem_t T;
#define INIT(x) sem_init (&x, 0, 1)
#define USE(x) sem_post (x)
#elif K == 2
typedef pthread_rwlock_t T;
#define INIT(x) pthread_rwlock_init (&x, 0)
#define USE(x) (pthread_rwlock_rdlock (x), pthread_rwlock_unlock (x))
#elif K == 3
typedef pthread_rwlock_t T;
#define INIT(x) pthread_rwlock_init (&x, 0)
#define USE(x) (pthread_rwlock_wrlock (x), pthread_rwlock_unlock (x))
#elif K == 4
typedef pthread_cond_t T;
#define INIT(x) pthread_cond_init (&x, 0)
#define USE(x) pthread_cond_signal (x)
#elif K == 5
typedef pthread_barrier_t T;
#define INIT(x) pthread_barrier_init (&x, 0, 1)
#define USE(x) pthread_barrier_wait (x)
#elif K == 6
typedef pthread_spinlock_t T;
#define INIT(x) pthread_spin_init (&x, 0)
#define USE(x) (pthread_spin_lock (x), pthread_spin_unlock (x))
#elif K == 7
typedef pthread_once_t T;
static void nop (void) {}
#define INIT(x) x = PTHREAD_ONCE_INIT
#define USE(x) pthread_once (x, nop)
#elif K == 8
typedef pthread_mutex_t T;
#define INIT(x) pthread_mutex_init (&x, 0)
#define USE(x) pthread_mutex_destroy (x)
#elif K == 9
typedef pthread_mutex_t T;
#define INIT(x) pthread_mutex_init (&x, 0)
#define USE(x) (void)pthread_mutex_trylock (x)
#elif K == 10
typedef pthread_cond_t T;
#define INIT(x) pthread_cond_init (&x, 0)
#define USE(x) pthread_cond_broadcast (x)
#elif K == 11
typedef pthread_cond_t T;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int go;
#define INIT(x) pthread_cond_init (&x, 0)
#define USE(x) pthread_mutex_lock (&mu); { struct timespec ts = {0}; pthread_cond_timedwait (x, &mu, &ts); } pthread_mutex_unlock (&mu)
#elif K == 12
typedef pthread_rwlock_t T;
#define INIT(x) pthread_rwlock_init (&x, 0)
#define USE(x) pthread_rwlock_destroy (x)
#elif K == 13
typedef pthread_cond_t T;
#define INIT(x) pthread_cond_init (&x, 0)
#define USE(x) pthread_cond_destroy (x)
#elif K == 14
typedef sem_t T;
#define INIT(x) sem_init (&x, 0, 1)
#define USE(x) sem_destroy (x)
#elif K == 15
typedef pthread_mutex_t T;
#define INIT(x)
#define USE(x) pthread_mutex_init (x, 0)
#elif K == 16
typedef sem_t T;
#define INIT(x)
#define USE(x) sem_init (x, 0, 1)
#elif K == 17
typedef pthread_cond_t T;
#define INIT(x)
#define USE(x) pthread_cond_init (x, 0)
#elif K == 18
typedef pthread_rwlock_t T;
#define INIT(x)
#define USE(x) pthread_rwlock_init (x, 0)
#elif K == 19
typedef pthread_barrier_t T;
#define INIT(x)
#define USE(x) pthread_barrier_init (x, 0, 1)
#elif K == 20
typedef int T;
#define INIT(x)
#define USE(x) __builtin_memset (x, 0, 4)
#elif K == 21
typedef struct { char c[40]; } T;
static T from;
#define INIT(x)
#define USE(x) *(x) = from
#elif K == 22
typedef pthread_t T;
static void *nop (void *p) { return p; }
#define INIT(x)
#define USE(x) pthread_create (x, 0, nop, 0)
#elif K == 23
typedef void *T;
static void *nop (void *p) { return p; }
#define INIT(x)
#define USE(x) pthread_t u; pthread_create (&u, 0, nop, 0); pthread_join (u, x)
#endif

static void *g (void *p) {
  T *x = p;
  USE (x); // @use
  return NULL;
}
static void h (void) {
  T x;
  INIT (x);
  pthread_create (&t, NULL, g, (void *)&x);
}
int main (void) {
  h ();
  pthread_join (t, NULL);
  return 0;
}
