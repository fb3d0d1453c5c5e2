/* bits/atomic_timed_wait.h - the same with a time-out, which may always be over. */
#ifndef _GLIBCXX_ATOMIC_TIMED_WAIT_H
#define _GLIBCXX_ATOMIC_TIMED_WAIT_H 1

#include <bits/atomic_wait.h>
#if _GLIBCXX_RELEASE > 14
#undef _GLIBCXX_ATOMIC_TIMED_WAIT_H
#include_next <bits/atomic_timed_wait.h>
#else

#include <bits/chrono.h>

namespace std {
template <typename Predicate, typename Clock, typename Duration>
bool __atomic_wait_address_until_bare (const __detail::__platform_wait_t *, Predicate is_done,
                                       const chrono::time_point<Clock, Duration> &) noexcept {
  if (__VERIFIER_nondet_bool ()) return is_done ();
  while (!is_done ()) continue;
  return true;
}

template <typename Predicate, typename Rep, typename Period>
bool __atomic_wait_address_for_bare (const __detail::__platform_wait_t *, Predicate is_done,
                                     const chrono::duration<Rep, Period> &) noexcept {
  if (__VERIFIER_nondet_bool ()) return is_done ();
  while (!is_done ()) continue;
  return true;
}
} // namespace std

#endif
#endif
