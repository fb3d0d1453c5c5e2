// An hour may pass at a look at the clock; another one only on request.
// assumed: rc11 time-stands-still
// assumed[-DTHREAD]: rc11 time-stands-still
// assumed[--time-passes -DONCE]: rc11 nothing
// finding[--time-passes]: rc11 assert TWICE
// finding[--time-passes]: sc assert TWICE
// finding[--time-passes]: mca assert TWICE
// finding[--time-passes -DTHREAD]: rc11 assert TWICE
// verdict[--time-passes -DLOOP -DONCE]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *look (void *unused) {
  time_t a = time (NULL), b = time (NULL), c = time (NULL);
  assert (a <= b && b <= c);
#ifndef ONCE
  assert (a == b || b == c); // @TWICE
#endif
#ifdef LOOP
  while (time (NULL) < a + 2 * 3600) {}
#endif
  return unused;
}

int main (void) {
#ifdef THREAD
  pthread_t t;
  pthread_create (&t, NULL, look, NULL);
  pthread_join (t, NULL);
#else
  look (NULL);
#endif
  return 0;
}
