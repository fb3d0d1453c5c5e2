/* library.cpp - what libstdc++ keeps in its shared library and C++ can say best: exceptions, and
 * what std::future needs. It is compiled like runtime.c, and linked to programs in C++ only. */
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <variant>

extern "C" long __porf_timeout (); /* as in runtime.h */
extern "C" const char porf_this_is_the_runtime = 1; /* as in runtime.c */

namespace std {

/* ---- the classes: their first virtual function is defined here, and so their tables are */

#define DESCRIBED(name, text)                                                                      \
  name::~name () noexcept {}                                                                       \
  const char *name::what () const noexcept { return text; }
DESCRIBED (exception, "std::exception")
DESCRIBED (bad_exception, "std::bad_exception")
DESCRIBED (bad_alloc, "std::bad_alloc")
DESCRIBED (bad_array_new_length, "std::bad_array_new_length")
DESCRIBED (bad_cast, "std::bad_cast")
DESCRIBED (bad_typeid, "std::bad_typeid")
DESCRIBED (bad_function_call, "bad_function_call")
#undef DESCRIBED

/* The text of an exception, which copies share. */
struct Text {
  __atomic_base<long> owners;
  char letters[];
};

static const char *text_new (const char *letters) {
  size_t n = strlen (letters) + 1;
  Text *t = static_cast<Text *> (::operator new (sizeof (Text) + n));
  new (&t->owners) __atomic_base<long> (1);
  memcpy (t->letters, letters, n);
  return t->letters;
}
static Text *text_of (const char *letters) {
  return reinterpret_cast<Text *> (const_cast<char *> (letters) - offsetof (Text, letters));
}
static const char *text_share (const char *letters) {
  text_of (letters)->owners.fetch_add (1, memory_order_relaxed);
  return letters;
}
static void text_release (const char *letters) {
  if (text_of (letters)->owners.fetch_sub (1, memory_order_acq_rel) == 1)
    ::operator delete (text_of (letters));
}

__cow_string::__cow_string () : _M_p (text_new ("")) {}
__cow_string::__cow_string (const string &s) : _M_p (text_new (s.c_str ())) {}
__cow_string::__cow_string (const char *s, size_t) : _M_p (text_new (s)) {}
__cow_string::__cow_string (const __cow_string &s) noexcept : _M_p (text_share (s._M_p)) {}
__cow_string &__cow_string::operator= (const __cow_string &s) noexcept {
  const char *old = _M_p;
  _M_p = text_share (s._M_p);
  text_release (old);
  return *this;
}
__cow_string::~__cow_string () { text_release (_M_p); }

#define WITH_TEXT(name)                                                                            \
  name::name (const string &s) : _M_msg (s) {}                                                     \
  name::name (const char *s) : _M_msg (s, 0) {}                                                    \
  name::name (const name &other) noexcept : exception (other), _M_msg (other._M_msg) {}            \
  name &name::operator= (const name &other) noexcept {                                             \
    _M_msg = other._M_msg;                                                                         \
    return *this;                                                                                  \
  }                                                                                                \
  name::~name () noexcept {}                                                                       \
  const char *name::what () const noexcept { return _M_msg._M_p; }
WITH_TEXT (logic_error)
WITH_TEXT (runtime_error)
#undef WITH_TEXT

#define DERIVED(name, base)                                                                        \
  name::name (const string &s) : base (s) {}                                                       \
  name::name (const char *s) : base (s) {}                                                         \
  name::~name () noexcept {}
DERIVED (domain_error, logic_error)
DERIVED (invalid_argument, logic_error)
DERIVED (length_error, logic_error)
DERIVED (out_of_range, logic_error)
DERIVED (range_error, runtime_error)
DERIVED (overflow_error, runtime_error)
DERIVED (underflow_error, runtime_error)
#undef DERIVED

/* ---- error codes */

inline namespace _V2 {
error_category::~error_category () {}
error_condition error_category::default_error_condition (int code) const noexcept {
  return error_condition (code, *this);
}
bool error_category::equivalent (int code, const error_condition &condition) const noexcept {
  return default_error_condition (code) == condition;
}
bool error_category::equivalent (const error_code &code, int condition) const noexcept {
  return *this == code.category () && code.value () == condition;
}
__cow_string error_category::_M_message (int code) const { return __cow_string (message (code)); }

struct Category final : error_category {
  const char *title;
  explicit Category (const char *t) : title (t) {}
  const char *name () const noexcept override { return title; }
  string message (int code) const override { return string (title) + " " + to_string (code); }
};

const error_category &generic_category () noexcept {
  static const Category category ("generic");
  return category;
}
const error_category &system_category () noexcept {
  static const Category category ("system");
  return category;
}
} // namespace _V2

const error_category &future_category () noexcept {
  static const Category category ("future");
  return category;
}
error_condition error_code::default_error_condition () const noexcept {
  return category ().default_error_condition (value ());
}
system_error::~system_error () noexcept {}
future_error::~future_error () noexcept {}
const char *future_error::what () const noexcept { return logic_error::what (); }

/* ---- what headers throw */

void __throw_bad_exception () { throw bad_exception (); }
void __throw_bad_alloc () { throw bad_alloc (); }
void __throw_bad_array_new_length () { throw bad_array_new_length (); }
void __throw_bad_cast () { throw bad_cast (); }
void __throw_bad_typeid () { throw bad_typeid (); }
void __throw_bad_function_call () { throw bad_function_call (); }
void __throw_logic_error (const char *s) { throw logic_error (s); }
void __throw_domain_error (const char *s) { throw domain_error (s); }
void __throw_invalid_argument (const char *s) { throw invalid_argument (s); }
void __throw_length_error (const char *s) { throw length_error (s); }
void __throw_out_of_range (const char *s) { throw out_of_range (s); }
void __throw_out_of_range_fmt (const char *s, ...) { throw out_of_range (s); }
void __throw_runtime_error (const char *s) { throw runtime_error (s); }
void __throw_range_error (const char *s) { throw range_error (s); }
void __throw_overflow_error (const char *s) { throw overflow_error (s); }
void __throw_underflow_error (const char *s) { throw underflow_error (s); }
void __throw_system_error (int code) { throw system_error (code, generic_category ()); }
void __throw_future_error (int code) { throw future_error (make_error_code (future_errc (code))); }

/* ---- std::thread; what it starts is in cxx.c */

void thread::join () {
  int error = joinable () ? pthread_join (native_handle (), nullptr) : EINVAL;
  if (error) __throw_system_error (error);
  _M_id = id ();
}
void thread::detach () {
  int error = joinable () ? pthread_detach (native_handle ()) : EINVAL;
  if (error) __throw_system_error (error);
  _M_id = id ();
}

/* ---- std::future */

/* As in include/porf/libstdcxx, waiting is a loop that reads until the value has changed. */
static bool wait_for_change (const unsigned *word, unsigned old, bool has_timeout) {
  while (__atomic_load_n (word, __ATOMIC_RELAXED) == old)
    if (has_timeout && __porf_timeout ()) return false;
  return true;
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until (unsigned *word, unsigned old,
                                                        bool has_timeout, chrono::seconds,
                                                        chrono::nanoseconds) {
  return wait_for_change (word, old, has_timeout);
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady (unsigned *word, unsigned old,
                                                               bool has_timeout, chrono::seconds,
                                                               chrono::nanoseconds) {
  return wait_for_change (word, old, has_timeout);
}
void __atomic_futex_unsigned_base::_M_futex_notify_all (unsigned *) {}

__future_base::_Result_base::_Result_base () = default;
__future_base::_Result_base::~_Result_base () = default;

} // namespace std
