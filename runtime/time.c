/* time.c - clocks. They stand still but for one hour, or with --time-passes four of them, each of
 * which may pass at any look at a clock: a thread that looks sees that it has passed or not, and
 * the second time that it looks without success it has. So both sides of a time-out are explored
 * and loops that wait for one end. The main thread's first look only tells what time it is. */
#include "runtime.h"
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { START = 1000000000, HOUR = 3600, MOST_HOURS = 4 };
static _Atomic int hours_passed;
static _Thread_local int looks;

static long seconds (void) {
  int hours = atomic_load_explicit (&hours_passed, memory_order_relaxed);
  int most = __porf_lifted (TIME_STANDS_STILL) ? MOST_HOURS : 1;
  if (hours >= most) return START + hours * HOUR;
  looks++;
  if (looks == 1 && __porf_thread_self () == 1) return START + hours * HOUR;
  if (looks < 3 && !any_bool ()) return START + hours * HOUR;
  if (most == 1) {
    atomic_store_explicit (&hours_passed, 1, memory_order_relaxed);
    return START + HOUR;
  }
  looks = 1;
  return START + HOUR * (1 + atomic_fetch_add_explicit (&hours_passed, 1, memory_order_relaxed));
}

int clock_gettime (clockid_t clock, struct timespec *to) {
  (void)clock;
  to->tv_sec = seconds ();
  to->tv_nsec = 0;
  return 0;
}
int clock_getres (clockid_t clock, struct timespec *to) {
  (void)clock;
  if (to) *to = (struct timespec){.tv_nsec = 1};
  return 0;
}
int timespec_get (struct timespec *to, int base) {
  clock_gettime (CLOCK_REALTIME, to);
  return base;
}
int gettimeofday (struct timeval *restrict to, void *restrict zone) {
  (void)zone;
  to->tv_sec = seconds ();
  to->tv_usec = 0;
  return 0;
}
time_t time (time_t *to) {
  time_t now = seconds ();
  if (to) *to = now;
  return now;
}
clock_t clock (void) { return (seconds () - START) * CLOCKS_PER_SEC; }
double difftime (time_t a, time_t b) { return (double)(a - b); }
