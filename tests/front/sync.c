// Condition variables, read-write locks, barriers, semaphores.
// run: pass
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static int ready, written, before, posted;

static void *work (void *argument) {
  pthread_mutex_lock (&m);
  ready = 1;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  pthread_rwlock_wrlock (&rw);
  written++;
  pthread_rwlock_unlock (&rw);
  before = 1;
  pthread_barrier_wait (&barrier);
  posted = 1;
  sem_post (&sem);
  return argument;
}

int main (void) {
  pthread_t t;
  pthread_barrier_init (&barrier, NULL, 2);
  sem_init (&sem, 0, 0);
  pthread_create (&t, NULL, work, NULL);
  pthread_mutex_lock (&m);
  while (!ready) pthread_cond_wait (&c, &m);
  pthread_mutex_unlock (&m);
  pthread_rwlock_rdlock (&rw);
  assert (written <= 1);
  pthread_rwlock_unlock (&rw);
  pthread_barrier_wait (&barrier);
  assert (before == 1);
  sem_wait (&sem);
  assert (posted == 1);
  pthread_join (t, NULL);
  return 0;
}
