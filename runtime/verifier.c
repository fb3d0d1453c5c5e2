/* verifier.c - the functions of include/porf/verifier.h. */
#include "runtime.h"

void __VERIFIER_assume (int condition) { __porf_assume (condition); }
void __VERIFIER_assert (int condition) {
  if (!condition) __porf_assert_fail ("`__VERIFIER_assert` can be called with a false condition");
}
_Noreturn void __VERIFIER_error (void) { __porf_assert_fail ("`__VERIFIER_error` can be reached"); }
_Noreturn void reach_error (void);
_Noreturn void reach_error (void) { __porf_assert_fail ("`reach_error` can be reached"); }

/* Atomic sections exclude each other. Code outside of them that touches the same data races with
 * them. */
static int atomic_section;
void __VERIFIER_atomic_begin (void) { __porf_mutex_lock (&atomic_section); }
void __VERIFIER_atomic_end (void) { __porf_mutex_unlock (&atomic_section); }

#define NONDET(type, name, is_signed)                                                              \
  type __VERIFIER_nondet_##name (void) { return (type)__porf_nondet (sizeof (type), is_signed); }

_Bool __VERIFIER_nondet_bool (void) { return any_bool (); }
NONDET (char, char, 1)
NONDET (signed char, schar, 1)
NONDET (unsigned char, uchar, 0)
NONDET (short, short, 1)
NONDET (unsigned short, ushort, 0)
NONDET (int, int, 1)
NONDET (unsigned int, uint, 0)
NONDET (unsigned int, unsigned, 0)
NONDET (long, long, 1)
NONDET (unsigned long, ulong, 0)
NONDET (long long, longlong, 1)
NONDET (unsigned long long, ulonglong, 0)
NONDET (unsigned char, u8, 0)
NONDET (unsigned short, u16, 0)
NONDET (unsigned int, u32, 0)
NONDET (unsigned long, size_t, 0)
#undef NONDET

bool __atomic_is_lock_free_c (size_t size, const void *at) __asm__ ("__atomic_is_lock_free");
bool __atomic_is_lock_free_c (size_t size, const void *at) {
  (void)at;
  return size <= 8;
}
