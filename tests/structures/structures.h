/* structures.h - what the programs of this folder share.
 *
 * N is the number of threads. BUG chooses a broken twin: 0 is the structure as it was published,
 * 1, 2, ... break one thing each.
 */
#ifndef STRUCTURES_H
#define STRUCTURES_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

#ifndef BUG
#define BUG 0
#endif

/* Every order seq_cst: what `porf optimize` starts from, to find back to the published orders */
#ifdef SEQ_CST
#define memory_order_relaxed memory_order_seq_cst
#define memory_order_acquire memory_order_seq_cst
#define memory_order_release memory_order_seq_cst
#define memory_order_acq_rel memory_order_seq_cst
#endif

/* memory_order_release, say, but relaxed in the twin that weakens this one */
#define ORDER(order, twin) (BUG == (twin) ? memory_order_relaxed : memory_order_##order)

typedef void *Thread (void *);

/* A thread learns its number from its argument. */
static inline int number (void *arg) { return (int)(intptr_t)arg; }

static inline void start (pthread_t *t, Thread *run, int number) {
  if (pthread_create (t, NULL, run, (void *)(intptr_t)number)) abort ();
}

static inline void join (pthread_t *t, int n) {
  for (int i = 0; i < n; i++) pthread_join (t[i], NULL);
}

#endif
