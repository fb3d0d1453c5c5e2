/* porf/java.h - Java's access modes in C, under the names of java.lang.invoke.VarHandle, for `porf check -m jam21`.
 *
 *   static int ready, data;
 *   void writer (void) { setPlain (&data, 42); setRelease (&ready, 1); }
 *   void reader (void) { if (getAcquire (&ready)) assert (getPlain (&data) == 42); }
 *
 * Variables are of any integer or pointer type and need not be declared atomic. In C programs without this header a
 * non-atomic access is plain, memory_order_relaxed is opaque, acquire and release are themselves, and
 * memory_order_seq_cst is volatile. There is no plain read-modify-write: weakCompareAndSetPlain is opaque.
 * loadLoadFence and storeStoreFence are acquireFence and releaseFence, of which they are parts.
 */
#ifndef PORF_JAVA_H
#define PORF_JAVA_H

#include <stdbool.h>

#define getPlain(p) (*(p))
#define setPlain(p, v) ((void)(*(p) = (v)))
#define get(p) getPlain (p)
#define set(p, v) setPlain (p, v)
#define getOpaque(p) __atomic_load_n (p, __ATOMIC_RELAXED)
#define setOpaque(p, v) __atomic_store_n (p, v, __ATOMIC_RELAXED)
#define getAcquire(p) __atomic_load_n (p, __ATOMIC_ACQUIRE)
#define setRelease(p, v) __atomic_store_n (p, v, __ATOMIC_RELEASE)
#define getVolatile(p) __atomic_load_n (p, __ATOMIC_SEQ_CST)
#define setVolatile(p, v) __atomic_store_n (p, v, __ATOMIC_SEQ_CST)

/* The value that was there. */
#define porf_exchange_if(p, e, v, success, failure)                                                                    \
  ({                                                                                                                   \
    __typeof__ (((void)0, *(p))) porf_seen = (e);                                                                      \
    (void)__atomic_compare_exchange_n (p, &porf_seen, v, 0, success, failure);                                         \
    porf_seen;                                                                                                         \
  })
#define compareAndExchange(p, e, v) porf_exchange_if (p, e, v, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define compareAndExchangeAcquire(p, e, v) porf_exchange_if (p, e, v, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)
#define compareAndExchangeRelease(p, e, v) porf_exchange_if (p, e, v, __ATOMIC_RELEASE, __ATOMIC_RELAXED)

/* Whether it was the expected one; weak ones may fail for no reason (`porf --spurious`). */
#define porf_set_if(p, e, v, weak, success, failure)                                                                   \
  ({                                                                                                                   \
    __typeof__ (((void)0, *(p))) porf_expected = (e);                                                                  \
    (bool)__atomic_compare_exchange_n (p, &porf_expected, v, weak, success, failure);                                  \
  })
#define compareAndSet(p, e, v) porf_set_if (p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define weakCompareAndSet(p, e, v) porf_set_if (p, e, v, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define weakCompareAndSetPlain(p, e, v) porf_set_if (p, e, v, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define weakCompareAndSetAcquire(p, e, v) porf_set_if (p, e, v, 1, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)
#define weakCompareAndSetRelease(p, e, v) porf_set_if (p, e, v, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)

#define getAndSet(p, v) __atomic_exchange_n (p, v, __ATOMIC_SEQ_CST)
#define getAndSetAcquire(p, v) __atomic_exchange_n (p, v, __ATOMIC_ACQUIRE)
#define getAndSetRelease(p, v) __atomic_exchange_n (p, v, __ATOMIC_RELEASE)
#define getAndAdd(p, v) __atomic_fetch_add (p, v, __ATOMIC_SEQ_CST)
#define getAndAddAcquire(p, v) __atomic_fetch_add (p, v, __ATOMIC_ACQUIRE)
#define getAndAddRelease(p, v) __atomic_fetch_add (p, v, __ATOMIC_RELEASE)
#define getAndBitwiseOr(p, v) __atomic_fetch_or (p, v, __ATOMIC_SEQ_CST)
#define getAndBitwiseOrAcquire(p, v) __atomic_fetch_or (p, v, __ATOMIC_ACQUIRE)
#define getAndBitwiseOrRelease(p, v) __atomic_fetch_or (p, v, __ATOMIC_RELEASE)
#define getAndBitwiseAnd(p, v) __atomic_fetch_and (p, v, __ATOMIC_SEQ_CST)
#define getAndBitwiseAndAcquire(p, v) __atomic_fetch_and (p, v, __ATOMIC_ACQUIRE)
#define getAndBitwiseAndRelease(p, v) __atomic_fetch_and (p, v, __ATOMIC_RELEASE)
#define getAndBitwiseXor(p, v) __atomic_fetch_xor (p, v, __ATOMIC_SEQ_CST)
#define getAndBitwiseXorAcquire(p, v) __atomic_fetch_xor (p, v, __ATOMIC_ACQUIRE)
#define getAndBitwiseXorRelease(p, v) __atomic_fetch_xor (p, v, __ATOMIC_RELEASE)

#define fullFence() __atomic_thread_fence (__ATOMIC_SEQ_CST)
#define acquireFence() __atomic_thread_fence (__ATOMIC_ACQUIRE)
#define releaseFence() __atomic_thread_fence (__ATOMIC_RELEASE)
#define loadLoadFence() acquireFence ()
#define storeStoreFence() releaseFence ()

#endif
