// Trying to lock a read-write lock, at once or for some time, succeeds or not.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// verdict: mca pass
// verdict: non-mca pass
// verdict: share pass
// finding[-DREAD]: rc11 assert A
// finding[-DREAD]: sc assert A
// finding[-DREAD]: tso assert A
// finding[-DWRITE]: rc11 assert B
// finding[-DWRITE]: sc assert B
// finding[-DWRITE]: tso assert B
// verdict[-DALONE]: rc11 pass
// verdict[-DALONE]: sc pass
// verdict[-DALONE]: tso pass
// verdict[-DALONE]: ra pass
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *writer (void *unused) {
  pthread_rwlock_wrlock (&l);
  x++;
  pthread_rwlock_unlock (&l);
  return NULL;
}

static void *reader (void *unused) {
  pthread_rwlock_rdlock (&l);
  int seen = x;
  pthread_rwlock_unlock (&l);
  return seen ? NULL : NULL;
}

int main (void) {
  struct timespec until = {1, 0};
  pthread_t t, u;
  pthread_create (&t, NULL, writer, NULL);
  pthread_create (&u, NULL, reader, NULL);
#ifdef ALONE
  pthread_join (t, NULL);
  pthread_join (u, NULL);
#endif
  int r = pthread_rwlock_tryrdlock (&l);
  assert (r == 0 || r == EBUSY);
#if defined READ || defined ALONE
  assert (r == 0); // @A
#endif
  if (!r) pthread_rwlock_unlock (&l);
  r = pthread_rwlock_timedrdlock (&l, &until);
  assert (r == 0 || r == ETIMEDOUT);
  if (!r) pthread_rwlock_unlock (&l);
  r = pthread_rwlock_trywrlock (&l);
  assert (r == 0 || r == EBUSY);
#if defined WRITE || defined ALONE
  assert (r == 0); // @B
#endif
  if (!r) {
    x++;
    pthread_rwlock_unlock (&l);
  }
  r = pthread_rwlock_clockwrlock (&l, CLOCK_MONOTONIC, &until);
  assert (r == 0 || r == ETIMEDOUT);
  if (!r) {
    x++;
    pthread_rwlock_unlock (&l);
  }
#ifndef ALONE
  pthread_join (t, NULL);
  pthread_join (u, NULL);
#endif
  return 0;
}
