// Threads, mutexes, trylock, once, keys, spinlocks, results of threads.
// run: pass
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int shared, made;

static void make (void) { made++; }

static void *work (void *argument) {
  pthread_once (&once, make);
  assert (made == 1);
  pthread_mutex_lock (&m);
  shared += *(int *)argument;
  pthread_mutex_unlock (&m);
  if (!pthread_mutex_trylock (&other)) pthread_mutex_unlock (&other);
  pthread_setspecific (key, argument);
  assert (pthread_getspecific (key) == argument);
  if (*(int *)argument == 2) pthread_exit ((void *)7);
  return argument;
}

int main (void) {
  pthread_t t[2];
  int one = 1, two = 2;
  void *r;
  pthread_mutex_init (&other, NULL);
  pthread_spin_init (&spin, 0);
  pthread_key_create (&key, NULL);
  assert (!pthread_create (&t[0], NULL, work, &one));
  assert (!pthread_create (&t[1], NULL, work, &two));
  pthread_spin_lock (&spin);
  pthread_spin_unlock (&spin);
  pthread_join (t[0], &r);
  assert (r == &one);
  pthread_join (t[1], &r);
  assert (r == (void *)7);
  assert (shared == 3 && !pthread_equal (t[0], t[1]));
  return 0;
}
