/* stdlib.c - allocation, the end of the program, numbers. */
#include "runtime.h"
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

void porf_allocation_of_more_than_2_to_the_63_bytes (void);
void porf_more_than_32_exit_handlers (void);

void *malloc (size_t size) { return __porf_malloc (size); }
void free (void *address) { __porf_free (address); }
_Noreturn void abort (void) { __porf_abort (); }

void *calloc (size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes))
    porf_allocation_of_more_than_2_to_the_63_bytes ();
  return __porf_calloc (bytes);
}

void *realloc (void *old, size_t size) {
  if (!old) return __porf_malloc (size);
  if (!size) {
    __porf_free (old);
    return NULL;
  }
  size_t had = __porf_object_size (old);
  void *new = __porf_malloc (size);
  memcpy (new, old, had < size ? had : size);
  __porf_free (old);
  return new;
}

void *reallocarray (void *old, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes))
    porf_allocation_of_more_than_2_to_the_63_bytes ();
  return realloc (old, bytes);
}

/* An object that may start anywhere in a larger one could not be freed, so the VM's own alignment
 * must do. */
void porf_allocation_with_larger_alignment (void);
void *aligned_alloc (size_t align, size_t size) {
  void *p = __porf_malloc (size);
  if ((unsigned long)p & (align - 1)) porf_allocation_with_larger_alignment ();
  return p;
}

void *memalign (size_t align, size_t size) { return aligned_alloc (align, size); }

int posix_memalign (void **to, size_t align, size_t size) {
  *to = aligned_alloc (align, size);
  return 0;
}

/* Exit handlers run when main returns (porf-cc calls run_exit_handlers there) or exit is called. */
typedef struct ExitHandler {
  void (*plain) (void);
  void (*with_argument) (void *);
  void *argument;
} ExitHandler;
static ExitHandler exit_handlers[32];
static int exit_handler_count;

static int add_exit_handler (ExitHandler handler) {
  if (exit_handler_count == 32) porf_more_than_32_exit_handlers ();
  exit_handlers[exit_handler_count].plain = handler.plain;
  exit_handlers[exit_handler_count].with_argument = handler.with_argument;
  exit_handlers[exit_handler_count++].argument = handler.argument;
  return 0;
}

int atexit (void (*f) (void)) { return add_exit_handler ((ExitHandler){.plain = f}); }

int __cxa_atexit (void (*f) (void *), void *argument, void *object);
int __cxa_atexit (void (*f) (void *), void *argument, void *object) {
  (void)object;
  return add_exit_handler ((ExitHandler){.with_argument = f, .argument = argument});
}

void porf_run_exit_handlers (void);
void porf_run_exit_handlers (void) {
  while (exit_handler_count) {
    ExitHandler *h = &exit_handlers[--exit_handler_count];
    if (h->plain)
      h->plain ();
    else
      h->with_argument (h->argument);
  }
}

_Noreturn void exit (int status) {
  porf_run_exit_handlers ();
  __porf_exit (status);
}

int abs (int x) { return x < 0 ? -x : x; }
long labs (long x) { return x < 0 ? -x : x; }
long long llabs (long long x) { return x < 0 ? -x : x; }

int rand (void) {
  int r = (int)__porf_nondet (4, 1);
  __porf_assume (r >= 0);
  return r;
}
long random (void) { return rand (); }
int rand_r (unsigned *seed) {
  (void)seed;
  return rand ();
}

char *getenv (const char *name) {
  (void)name;
  return NULL;
}

/* Time stands still. */
int clock_gettime (clockid_t clock, struct timespec *to) {
  (void)clock;
  to->tv_sec = to->tv_nsec = 0;
  return 0;
}
int gettimeofday (struct timeval *restrict to, void *restrict zone) {
  (void)zone;
  to->tv_sec = to->tv_usec = 0;
  return 0;
}
/* Small pages, and as many processors as anybody needs. */
long sysconf (int name) { return name == _SC_PAGESIZE ? 4096 : 4; }
time_t time (time_t *to) {
  if (to) *to = 0;
  return 0;
}

long strtol (const char *restrict s, char **restrict end, int base) {
  long sign = 1, value = 0;
  const char *at = s;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) at++;
  if (*at == '-' || *at == '+') sign = *at++ == '-' ? -1 : 1;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] | 32) == 'x') {
    at += 2;
    base = 16;
  }
  if (!base) base = *at == '0' ? 8 : 10;
  for (;; at++) {
    int digit = *at >= '0' && *at <= '9' ? *at - '0'
                : (*at | 32) >= 'a'      ? (*at | 32) - 'a' + 10
                                         : 99;
    if (digit >= base) break;
    value = value * base + digit;
  }
  if (end) *end = (char *)at;
  return sign * value;
}

long atol (const char *s) { return strtol (s, NULL, 10); }
int atoi (const char *s) { return (int)strtol (s, NULL, 10); }

static void swap_bytes (char *a, char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char x = a[i];
    a[i] = b[i];
    b[i] = x;
  }
}

void qsort (void *base, size_t n, size_t size, int (*compare) (const void *, const void *)) {
  char *p = base;
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k && compare (p + (k - 1) * size, p + k * size) > 0; k--)
      swap_bytes (p + (k - 1) * size, p + k * size, size);
}

static _Thread_local int error_number;
int *__errno_location (void) { return &error_number; }
