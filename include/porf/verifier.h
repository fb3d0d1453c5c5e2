/* porf/verifier.h - functions that a checked program may call without declaring them.
 *
 * porf-cc includes this file in front of every C file. The nondet functions return any value of their type, every one
 * of which is explored; a failed assumption ends the execution without a finding.
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

void __VERIFIER_assume (int condition);
void __VERIFIER_assert (int condition);
PORF_NORETURN void __VERIFIER_error (void);
void __VERIFIER_atomic_begin (void);
void __VERIFIER_atomic_end (void);

PORF_BOOL __porf_edit (int number); /* not for programs: `help` tries out edits of them with it */

PORF_BOOL __VERIFIER_nondet_bool (void);
char __VERIFIER_nondet_char (void);
signed char __VERIFIER_nondet_schar (void);
unsigned char __VERIFIER_nondet_uchar (void);
short __VERIFIER_nondet_short (void);
unsigned short __VERIFIER_nondet_ushort (void);
int __VERIFIER_nondet_int (void);
unsigned int __VERIFIER_nondet_uint (void);
unsigned int __VERIFIER_nondet_unsigned (void);
long __VERIFIER_nondet_long (void);
unsigned long __VERIFIER_nondet_ulong (void);
long long __VERIFIER_nondet_longlong (void);
unsigned long long __VERIFIER_nondet_ulonglong (void);
unsigned char __VERIFIER_nondet_u8 (void);
unsigned short __VERIFIER_nondet_u16 (void);
unsigned int __VERIFIER_nondet_u32 (void);
unsigned long __VERIFIER_nondet_size_t (void);

#ifdef __cplusplus
}
#endif

/* Annotations that other checkers need for loops; porf finds them on its own. */
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(success) ((void)(success))
#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_loop_bound(n) ((void)(n))
#define __VERIFIER_optional(x) ((void)(x))
#define __VERIFIER_final_CAS(expected, value) ((void)0)
#define __VERIFIER_local_write(e) (e)
#define __VERIFIER_final_write(e) (e)
#define __VERIFIER_speculative_read(e) (e)
#define __VERIFIER_confirming_read(e) (e)
#define __VERIFIER_confirming_CAS(e) (e)
#define __VERIFIER_helping_CAS(e) (e)
#define __VERIFIER_helped_CAS(e) (e)

#undef PORF_NORETURN
#undef PORF_BOOL
#endif
