/* lb.h - what the programs of this folder share: accesses with short names, and a main that starts
 * threads and joins them. */
#ifndef XMM_LB_H
#define XMM_LB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define load(p) atomic_load_explicit (p, memory_order_relaxed)
#define load_acquire(p) atomic_load_explicit (p, memory_order_acquire)
#define load_sc(p) atomic_load_explicit (p, memory_order_seq_cst)
#define store(p, value) atomic_store_explicit (p, value, memory_order_relaxed)
#define store_release(p, value) atomic_store_explicit (p, value, memory_order_release)
#define store_sc(p, value) atomic_store_explicit (p, value, memory_order_seq_cst)
#define fetch_add(p, value) atomic_fetch_add_explicit (p, value, memory_order_relaxed)
#define compare_exchange(p, expected, value)                                                       \
  atomic_compare_exchange_strong_explicit (p, expected, value, memory_order_relaxed,               \
                                           memory_order_relaxed)

enum { MOST = 16 };

typedef void *Thread (void *);

static inline void run_threads (Thread **thread, size_t n) {
  pthread_t t[MOST];
  for (size_t i = 0; i < n; i++) pthread_create (&t[i], NULL, thread[i], NULL);
  for (size_t i = 0; i < n; i++) pthread_join (t[i], NULL);
}

#define RUN(...)                                                                                   \
  run_threads ((Thread *[]){__VA_ARGS__}, sizeof ((Thread *[]){__VA_ARGS__}) / sizeof (Thread *))

#endif
