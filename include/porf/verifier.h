/* porf/verifier.h - functions that a checked program may call without declaring them.
 *
 * porf-cc includes this file in front of every C file. The nondet functions return any value of their type, every one
 * of which is explored; a failed assumption ends the execution without a finding. A program may declare or define any
 * of these names in its own way: porf-cc then compiles it once more with PORF_OWN_name defined, which leaves the
 * declaration out here.
 */
#ifndef PORF_VERIFIER_H
#define PORF_VERIFIER_H

#ifdef __cplusplus
extern "C" {
#define PORF_NORETURN [[noreturn]]
#define PORF_BOOL bool
#else
#define PORF_NORETURN _Noreturn
#define PORF_BOOL _Bool
#endif

/* PORF_OWN_name is not defined, or `~,`: then what is second is empty. */
#define PORF_SECOND_OF(a, b, ...) b
#define PORF_SECOND(...) PORF_SECOND_OF (__VA_ARGS__)
#define PORF_DECLARE(type, name, parameters) PORF_SECOND (PORF_OWN_##name, type name parameters;, ~)

PORF_DECLARE (void, __VERIFIER_assume, (int condition))
PORF_DECLARE (void, __VERIFIER_assert, (int condition))
PORF_DECLARE (PORF_NORETURN void, __VERIFIER_error, (void))
PORF_DECLARE (void, __VERIFIER_atomic_begin, (void))
PORF_DECLARE (void, __VERIFIER_atomic_end, (void))

PORF_BOOL __porf_edit (int number); /* not for programs: `help` tries out edits of them with it */

PORF_DECLARE (PORF_BOOL, __VERIFIER_nondet_bool, (void))
PORF_DECLARE (char, __VERIFIER_nondet_char, (void))
PORF_DECLARE (signed char, __VERIFIER_nondet_schar, (void))
PORF_DECLARE (unsigned char, __VERIFIER_nondet_uchar, (void))
PORF_DECLARE (short, __VERIFIER_nondet_short, (void))
PORF_DECLARE (unsigned short, __VERIFIER_nondet_ushort, (void))
PORF_DECLARE (int, __VERIFIER_nondet_int, (void))
PORF_DECLARE (unsigned int, __VERIFIER_nondet_uint, (void))
PORF_DECLARE (unsigned int, __VERIFIER_nondet_unsigned, (void))
PORF_DECLARE (long, __VERIFIER_nondet_long, (void))
PORF_DECLARE (unsigned long, __VERIFIER_nondet_ulong, (void))
PORF_DECLARE (long long, __VERIFIER_nondet_longlong, (void))
PORF_DECLARE (unsigned long long, __VERIFIER_nondet_ulonglong, (void))
PORF_DECLARE (unsigned char, __VERIFIER_nondet_u8, (void))
PORF_DECLARE (unsigned short, __VERIFIER_nondet_u16, (void))
PORF_DECLARE (unsigned int, __VERIFIER_nondet_u32, (void))
PORF_DECLARE (unsigned long, __VERIFIER_nondet_size_t, (void))
PORF_DECLARE (float, __VERIFIER_nondet_float, (void))
PORF_DECLARE (double, __VERIFIER_nondet_double, (void))
PORF_DECLARE (void *, __VERIFIER_nondet_pointer, (void))
PORF_DECLARE (void, __VERIFIER_nondet_memory, (void *memory, __SIZE_TYPE__ size))

/* Loops that wait, which porf finds on its own; and the number of the calling thread. */
PORF_DECLARE (void, __VERIFIER_loop_begin, (void))
PORF_DECLARE (void, __VERIFIER_loop_bound, (int bound))
PORF_DECLARE (void, __VERIFIER_spin_start, (void))
PORF_DECLARE (void, __VERIFIER_spin_end, (int success))
PORF_DECLARE (unsigned int, __VERIFIER_tid, (void))

PORF_DECLARE (void, __CPROVER_assume, (PORF_BOOL condition))
PORF_DECLARE (void, __CPROVER_assert, (PORF_BOOL condition, const char *description))
PORF_DECLARE (void, __CPROVER_atomic_begin, (void))
PORF_DECLARE (void, __CPROVER_atomic_end, (void))
PORF_DECLARE (void, __CPROVER_fence, (const char *kind, ...))
PORF_DECLARE (void, __ESBMC_assume, (PORF_BOOL condition))
PORF_DECLARE (void, __ESBMC_assert, (PORF_BOOL condition, const char *description))
PORF_DECLARE (void, __ESBMC_atomic_begin, (void))
PORF_DECLARE (void, __ESBMC_atomic_end, (void))
PORF_DECLARE (void, __ESBMC_yield, (void))

#ifdef __cplusplus
}
#else
PORF_DECLARE (PORF_BOOL, nondet_bool, (void))
PORF_DECLARE (char, nondet_char, (void))
PORF_DECLARE (unsigned char, nondet_uchar, (void))
PORF_DECLARE (short, nondet_short, (void))
PORF_DECLARE (unsigned short, nondet_ushort, (void))
PORF_DECLARE (int, nondet_int, (void))
PORF_DECLARE (unsigned int, nondet_uint, (void))
PORF_DECLARE (long, nondet_long, (void))
PORF_DECLARE (unsigned long, nondet_ulong, (void))
PORF_DECLARE (float, nondet_float, (void))
PORF_DECLARE (double, nondet_double, (void))
#if defined __clang__ && !defined PORF_OWN_assert
void assert (_Bool condition)
    __attribute__ ((diagnose_if (1, "`assert` without #include <assert.h>", "warning")));
#endif
#endif

/* `__CPROVER_ASYNC_1: f ();` is a thread: refused where it is reached, for it must not be taken for a label. */
#define __CPROVER_ASYNC_0 switch (__CPROVER_async (), 0) default
#define __CPROVER_ASYNC_1 __CPROVER_ASYNC_0
#define __CPROVER_ASYNC_2 __CPROVER_ASYNC_0
#define __CPROVER_ASYNC_3 __CPROVER_ASYNC_0
#define __CPROVER_ASYNC_4 __CPROVER_ASYNC_0
#define __CPROVER_ASYNC_5 __CPROVER_ASYNC_0
#define __CPROVER_ASYNC_6 __CPROVER_ASYNC_0
#define __CPROVER_ASYNC_7 __CPROVER_ASYNC_0
#define __CPROVER_ASYNC_8 __CPROVER_ASYNC_0
#define __CPROVER_ASYNC_9 __CPROVER_ASYNC_0
#ifdef __cplusplus
extern "C"
#endif
void __CPROVER_async (void);

#undef PORF_DECLARE
#undef PORF_SECOND
#undef PORF_SECOND_OF
#undef PORF_NORETURN
#undef PORF_BOOL
#endif
