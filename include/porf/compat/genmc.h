/* genmc.h - what programs written for GenMC include; porf/verifier.h is always there. */
#ifndef PORF_COMPAT_GENMC_H
#define PORF_COMPAT_GENMC_H

#include <stdbool.h>
#include <stddef.h>
#include "porf/verifier.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef long __VERIFIER_thread_t;
__VERIFIER_thread_t __VERIFIER_spawn (void *(*function) (void *), void *argument);
__VERIFIER_thread_t __VERIFIER_spawn_symmetric (void *(*function) (void *), void *argument,
                                                __VERIFIER_thread_t other);
void *__VERIFIER_join (__VERIFIER_thread_t thread);
void __VERIFIER_join_symmetric (__VERIFIER_thread_t thread);

typedef struct {
  void *porf;
} __VERIFIER_hp_t;
__VERIFIER_hp_t __VERIFIER_hp_alloc (void);
void *__VERIFIER_hp_protect (__VERIFIER_hp_t *pointer, void *at);
void __VERIFIER_hp_clear (__VERIFIER_hp_t *pointer);
void __VERIFIER_hp_free (__VERIFIER_hp_t *pointer);
void __VERIFIER_hp_retire (void *memory);

#ifdef __cplusplus
}
#endif

/* Hints for reductions that porf does not need. */
#define __VERIFIER_local_write(e) (e)
#define __VERIFIER_final_write(e) (e)
#define __VERIFIER_speculative_read(e) (e)
#define __VERIFIER_confirming_read(e) (e)
#define __VERIFIER_confirming_CAS(e) (e)
#define __VERIFIER_helping_CAS(e) (e)
#define __VERIFIER_helped_CAS(e) (e)
/* Around a compare-exchange; or before it, with the values it is called with. */
#define PORF_SAME(e) (e)
#define PORF_NOTHING(expected, value) ((void)0)
#define PORF_THIRD(a, b, c, ...) c
#define __VERIFIER_final_CAS(...)                                                                  \
  PORF_THIRD (__VA_ARGS__, PORF_NOTHING, PORF_SAME, ~) (__VA_ARGS__)
/* What only looks for violations: the thread does it and stops, or goes on without. */
#define __VERIFIER_optional(statement)                                                             \
  do {                                                                                             \
    if (__VERIFIER_nondet_bool ()) {                                                               \
      statement;                                                                                   \
      __VERIFIER_assume (0);                                                                       \
    }                                                                                              \
  } while (0)

#endif
