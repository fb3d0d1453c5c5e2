// Semaphores: trywait, timedwait, getvalue, and the largest value.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DSURE]: rc11 assert A
// finding[-DSURE]: sc assert A
// finding[-DSURE]: tso assert A
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s, full;

static void *poster (void *unused) {
  sem_post (&s);
  return NULL;
}

int main (void) {
  struct timespec until = {1, 0};
  pthread_t t;
  int value;
  assert (sem_init (&s, 0, 0) == 0);
  pthread_create (&t, NULL, poster, NULL);
  int r = sem_trywait (&s);
#ifdef SURE
  assert (r == 0); // @A
#endif
  if (r) {
    assert (errno == EAGAIN);
    r = sem_timedwait (&s, &until);
    if (r) assert (errno == ETIMEDOUT);
  }
  if (r) sem_wait (&s);
  pthread_join (t, NULL);
  sem_getvalue (&s, &value);
  assert (value == 0);
  sem_destroy (&s);

  sem_init (&full, 0, SEM_VALUE_MAX);
  assert (sem_post (&full) == -1 && errno == EOVERFLOW);
  sem_getvalue (&full, &value);
  assert (value == SEM_VALUE_MAX);
  assert (sem_init (&full, 0, SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
  return 0;
}
