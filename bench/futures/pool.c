// A pool of WORKERS threads that take JOBS jobs from a queue with a condition variable.
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS 2
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int jobs, is_closed, done;

static void *work (void *arg) {
  for (;;) {
    pthread_mutex_lock (&m);
    while (!jobs && !is_closed) pthread_cond_wait (&c, &m);
    if (!jobs) {
      pthread_mutex_unlock (&m);
      return arg;
    }
    jobs--;
    done++;
    pthread_mutex_unlock (&m);
  }
}

int main (void) {
  pthread_t t[WORKERS];
  for (int i = 0; i < WORKERS; i++) pthread_create (&t[i], NULL, work, NULL);
  for (int i = 0; i < JOBS; i++) {
    pthread_mutex_lock (&m);
    jobs++;
    pthread_cond_signal (&c);
    pthread_mutex_unlock (&m);
  }
  pthread_mutex_lock (&m);
  is_closed = 1;
  pthread_cond_broadcast (&c);
  pthread_mutex_unlock (&m);
  for (int i = 0; i < WORKERS; i++) pthread_join (t[i], NULL);
  assert (done == JOBS);
}
