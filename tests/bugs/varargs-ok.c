// Functions of the program with a variable number of arguments: integers, pointers, floating point, structs by value,
// more of them than registers, lists that are copied and passed on, calls through pointers and from several threads.
// expect: rc11 2
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

struct small {
  int a, b;
};
struct mixed {
  long n;
  double x;
};
struct large {
  long n[5];
  char c;
};

static int sum (int n, ...) {
  va_list list;
  int total = 0;
  va_start (list, n);
  for (int i = 0; i < n; i++) total += va_arg (list, int);
  va_end (list);
  return total;
}

static double all_kinds (const char *kinds, ...) {
  va_list list;
  double total = 0;
  va_start (list, kinds);
  for (const char *k = kinds; *k; k++) switch (*k) {
    case 'i':
      total += va_arg (list, int);
      break;
    case 'l':
      total += (double)va_arg (list, long);
      break;
    case 'd':
      total += va_arg (list, double);
      break;
    case 'p':
      total += *va_arg (list, int *);
      break;
    case 's': {
      struct small s = va_arg (list, struct small);
      total += s.a + s.b;
      break;
    }
    case 'm': {
      struct mixed m = va_arg (list, struct mixed);
      total += (double)m.n + m.x;
      break;
    }
    case 'L': {
      struct large l = va_arg (list, struct large);
      total += (double)l.n[4] + l.c;
      break;
    }
    }
  va_end (list);
  return total;
}

static int first (va_list list) { return va_arg (list, int); }
static int twice (int dummy, ...) {
  va_list list, copy;
  va_start (list, dummy);
  va_copy (copy, list);
  int a = first (list), b = first (copy), c = first (copy);
  va_end (copy);
  va_end (list);
  return 100 * a + 10 * b + c;
}

static atomic_int shared;
static void *worker (void *unused) {
  (void)unused;
  atomic_fetch_add (&shared, sum (2, 1, 2));
  return 0;
}

int main (void) {
  pthread_t t;
  int five = 5, (*pointer) (int, ...) = sum;
  struct large large = {{1, 2, 3, 4, 100}, 7};
  assert (sum (0) == 0);
  assert (sum (9, 1, 2, 3, 4, 5, 6, 7, 8, sum (2, 4, 5)) == 45);
  for (int i = 0; i < 3; i++) assert (pointer (2, i, 40) == i + 40);
  assert (all_kinds ("ildpsmL", 1, 2l, 0.5, &five, (struct small){10, 20},
                     (struct mixed){1000, 0.25}, large) == 1145.75);
  assert (all_kinds ("ddddddddddi", .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, 1) == 6);
  assert (twice (0, 3, 4) == 334);
  pthread_create (&t, 0, worker, 0);
  atomic_fetch_add (&shared, sum (2, 10, 20));
  pthread_join (t, 0);
  assert (shared == 33);
  return 0;
}
