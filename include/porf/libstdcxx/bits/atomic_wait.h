/* bits/atomic_wait.h - waiting and notifying of C++20 atomics, in place of libstdc++'s: a wait is a loop that reads
 * until the value has changed, which porf knows for what it is; a notification does nothing. */
#ifndef _GLIBCXX_ATOMIC_WAIT_H
#define _GLIBCXX_ATOMIC_WAIT_H 1

#include <bits/c++config.h>
#if _GLIBCXX_RELEASE > 14
#undef _GLIBCXX_ATOMIC_WAIT_H
#include_next <bits/atomic_wait.h>
#else

#include <bits/functional_hash.h>
#include <bits/gthr.h>
#include <ext/numeric_traits.h>

#define __cpp_lib_atomic_wait 201907L

namespace std {
namespace __detail {
using __platform_wait_t = int;
inline constexpr size_t __platform_wait_alignment = 4;

inline void __thread_yield () noexcept {}
inline void __thread_relax () noexcept {}
struct __default_spin_policy {
  bool operator() () const noexcept { return false; }
};
template <typename Predicate, typename Policy = __default_spin_policy>
bool __atomic_spin (Predicate &is_done, Policy = Policy{}) noexcept {
  return is_done ();
}

template <typename T> bool __porf_same (const T &a, const T &b) {
  return __builtin_memcmp (&a, &b, sizeof (T)) == 0;
}
} // namespace __detail

template <typename T, typename Read>
void __atomic_wait_address_v (const T *, T old, Read read) noexcept {
  for (;;) {
    T now = read ();
    if (!__detail::__porf_same (old, now)) return;
  }
}

template <typename T, typename Predicate>
void __atomic_wait_address (const T *, Predicate is_done) noexcept {
  while (!is_done ()) continue;
}

template <typename Predicate>
void __atomic_wait_address_bare (const __detail::__platform_wait_t *, Predicate is_done) noexcept {
  while (!is_done ()) continue;
}

template <typename T> void __atomic_notify_address (const T *, bool) noexcept {}
inline void __atomic_notify_address_bare (const __detail::__platform_wait_t *, bool) noexcept {}
} // namespace std

#endif
#endif
