// Exceptions: handlers by type and base class, unwinding, throwing again, and what ends the program.
// flags: -- -std=c++20
// verdict: rc11 pass
// verdict[--leaks]: rc11 pass
// verdict[-std=c++17]: rc11 pass
// finding[-DBUG=1]: rc11 abort bug1
// finding[-DBUG=2]: rc11 abort bug2
// finding[-DBUG=3]: rc11 abort
// finding[-DBUG=4]: rc11 race bug4
// finding[-DBUG=4]: rc11 assert
// finding[-DBUG=5]: rc11 deadlock
// finding[-DBUG=5]: rc11 assert
// finding[-DBUG=6]: rc11 abort bug6
#include <cassert>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#ifndef BUG
#define BUG 0
#endif

struct First {
  int first = 1;
  virtual ~First () {}
};
struct Second {
  int second = 2;
  virtual ~Second () {}
};
struct Both : First, Second {};
struct Virtual : virtual Second {};

static int left;
struct Leaves {
  ~Leaves () { left++; }
};

static void deep (int n) {
  Leaves l;
  if (!n) throw Both ();
  deep (n - 1);
}

static int by_base () {
  try {
    deep (2);
  } catch (int) {
    return 0;
  } catch (Second &s) {
    return s.second * 10 + left;
  }
  return 1;
}

static int again () {
  try {
    try {
      throw 5;
    } catch (int &n) {
      n++;
      throw;
    }
  } catch (int n) {
    return n;
  }
}

static int inside () {
  try {
    try {
      throw Virtual ();
    } catch (const Second &s) {
      throw std::runtime_error (std::string ("second ") + std::to_string (s.second));
    }
  } catch (const std::exception &e) {
    return !strcmp (e.what (), "second 2");
  }
}

static int by_pointer () {
  static Both both;
  try {
    throw &both;
  } catch (const Second *s) {
    return s->second;
  }
}

static bool uncaught () {
  static bool in_destructor;
  struct Looks {
    ~Looks () { in_destructor = std::uncaught_exceptions () == 1; }
  };
  try {
    Looks l;
    throw "text";
  } catch (const char *s) {
    return in_destructor && !std::uncaught_exceptions () && !strcmp (s, "text");
  }
}

static int range () {
  std::vector<int> v (3);
  try {
    return v.at (7);
  } catch (const std::out_of_range &) {
    return 7;
  }
}

static int tries;
struct Static {
  Static () {
    if (!tries++) throw 1;
  }
};
static void make () { static Static s; }
static int static_object () {
  try {
    make ();
  } catch (int) {
    make ();
  }
  return tries;
}

static void quiet () noexcept {
#if BUG == 2
  deep (0); // @bug2
#endif
}

std::mutex m, n;
int balance = 1, log_lines;

struct Log {
  ~Log () {
#if BUG != 4
    std::lock_guard<std::mutex> l (m);
#endif
    log_lines++; // @bug4
  }
};

static void withdraw () {
  Log log;
  std::lock_guard<std::mutex> l (n);
  if (!balance) throw std::logic_error ("empty");
  balance--;
}

static int failures[2];
static void customer (int k) {
  try {
#if BUG == 5
    m.lock ();
    if (k) throw 1;
    m.unlock ();
#endif
    withdraw ();
  } catch (const std::logic_error &e) {
    failures[k] = 1;
  } catch (int) { /* and m stays locked */
    failures[k] = 1;
  }
}

static std::exception_ptr kept;

int main () {
  assert (by_base () == 23 && again () == 6 && inside () && by_pointer () == 2 && uncaught ());
  assert (range () == 7 && static_object () == 2);
  quiet ();
  std::thread t ([] { customer (0); }), u ([] { customer (1); });
  t.join ();
  u.join ();
  assert (failures[0] + failures[1] == 1 && log_lines == 2);
  std::thread v ([] {
#if BUG == 1
    throw std::runtime_error ("lost"); // @bug1
#endif
    try {
      throw std::invalid_argument ("kept");
    } catch (...) {
      kept = std::current_exception ();
    }
  });
  v.join ();
  try {
    std::rethrow_exception (kept);
  } catch (const std::invalid_argument &e) {
    assert (!strcmp (e.what (), "kept"));
  }
  kept = nullptr;
#if BUG == 3
  try {
    throw 1;
  } catch (const char *) {
  }
#elif BUG == 6
  std::thread never;
  never.join (); // @bug6
#endif
}
