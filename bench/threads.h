/* threads.h - start and join the threads of a benchmark.
 *
 * With NO_JOIN main just ends, as in some collections of benchmarks: fewer events, other rates.
 */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

typedef void *Thread (void *);

/* The threads get small numbers as arguments, not addresses, so that passing them costs no memory
 * access. */
static inline void start (pthread_t *t, Thread *run, int number) {
  if (pthread_create (t, NULL, run, (void *)(intptr_t)number)) abort ();
}

static inline int number (void *arg) { return (int)(intptr_t)arg; }

static inline void join (pthread_t *t, int n) {
#ifdef NO_JOIN
  (void)t, (void)n;
#else
  for (int i = 0; i < n; i++) pthread_join (t[i], NULL);
#endif
}

#endif
