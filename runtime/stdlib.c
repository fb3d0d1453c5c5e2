/* stdlib.c - allocation, the end of the program, numbers. */
#include "runtime.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void porf_more_than_32_exit_handlers (void);

void *malloc (size_t size) { return __porf_malloc (size); }
void free (void *address) { __porf_free (address); }
_Noreturn void abort (void) { __porf_abort (); }

void *calloc (size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes)) return NULL;
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
  if (!new) return NULL;
  memcpy (new, old, had < size ? had : size);
  __porf_free (old);
  return new;
}

void *reallocarray (void *old, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes)) return NULL;
  return realloc (old, bytes);
}

static int is_power_of_two (size_t n) { return n && !(n & (n - 1)); }

void *aligned_alloc (size_t align, size_t size) {
  return is_power_of_two (align) ? __porf_aligned_alloc (align, size) : NULL;
}

void *memalign (size_t align, size_t size) { return aligned_alloc (align, size); }

int posix_memalign (void **to, size_t align, size_t size) {
  if (!is_power_of_two (align) || align % sizeof (void *)) return EINVAL;
  void *new = __porf_aligned_alloc (align, size);
  if (!new) return ENOMEM;
  *to = new;
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
long lrand48 (void) { return rand (); }
int rand_r (unsigned *seed) {
  (void)seed;
  return rand ();
}

char *porf_environment[1]; /* --env changes it */
char **environ = porf_environment;

char *getenv (const char *name) {
  size_t length = strlen (name);
  __porf_lifted (ENVIRONMENT_EMPTY);
  for (char **e = environ; *e; e++)
    if (!strncmp (*e, name, length) && (*e)[length] == '=') return *e + length + 1;
  return NULL;
}
char *secure_getenv (const char *name);
char *secure_getenv (const char *name) { return getenv (name); }
size_t malloc_usable_size (void *address);
size_t malloc_usable_size (void *address) { return address ? __porf_object_size (address) : 0; }

/* Small pages, and as many processors as anybody needs. */
long sysconf (int name) { return name == _SC_PAGESIZE ? 4096 : 4; }
int getpagesize (void) { return 4096; }
int get_nprocs (void);
int get_nprocs (void) { return 4; }

/* One process, without a user at the terminal. */
pid_t getpid (void) { return 1000; }
pid_t getppid (void) { return 1; }
pid_t gettid (void);
pid_t gettid (void) { return (pid_t)(999 + __porf_thread_self ()); }
int isatty (int file) {
  (void)file;
  return 0;
}
int sched_getcpu (void);
int sched_getcpu (void) { return (int)__porf_nondet (0, 0); }

static _Thread_local int error_number;
int *__errno_location (void) { return &error_number; }

/* The number that starts at `at`, without its sign; *end is left alone if there is none. */
static unsigned long read_digits (const char *at, const char **end, int base, bool *overflows) {
  unsigned long value = 0;
  *overflows = false;
  bool has_prefix =
      at[0] == '0' && (at[1] | 32) == 'x' &&
      ((at[2] >= '0' && at[2] <= '9') || ((at[2] | 32) >= 'a' && (at[2] | 32) <= 'f'));
  if ((base == 0 || base == 16) && has_prefix) {
    at += 2;
    base = 16;
  }
  if (!base) base = *at == '0' ? 8 : 10;
  for (;; at++) {
    int digit = *at >= '0' && *at <= '9'                 ? *at - '0'
                : (*at | 32) >= 'a' && (*at | 32) <= 'z' ? (*at | 32) - 'a' + 10
                                                         : 99;
    if (digit >= base) return value;
    *overflows |= __builtin_mul_overflow (value, (unsigned long)base, &value) ||
                  __builtin_add_overflow (value, (unsigned long)digit, &value);
    *end = at + 1;
  }
}

static const char *read_sign (const char *at, bool *is_negative) {
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) at++;
  *is_negative = *at == '-';
  return at + (*at == '-' || *at == '+');
}

unsigned long strtoul (const char *restrict s, char **restrict end, int base) {
  bool is_negative, overflows;
  const char *stop = s, *at = read_sign (s, &is_negative);
  unsigned long value = read_digits (at, &stop, base, &overflows);
  if (end) *end = (char *)stop;
  if (overflows) errno = ERANGE;
  return overflows ? (unsigned long)-1 : is_negative ? -value : value;
}

long strtol (const char *restrict s, char **restrict end, int base) {
  bool is_negative, overflows;
  const char *stop = s, *at = read_sign (s, &is_negative);
  unsigned long value = read_digits (at, &stop, base, &overflows), most = (unsigned long)-1 >> 1;
  if (end) *end = (char *)stop;
  if (overflows || value > most + is_negative) {
    errno = ERANGE;
    value = most + is_negative;
  }
  return (long)(is_negative ? -value : value);
}

/* What fits into the 53 bits of a double and needs no power of ten beyond 10^22 is exact. */
void porf_strtod_of_a_number_of_more_than_15_digits (void);
double strtod (const char *restrict s, char **restrict end) {
  bool is_negative, has_digits = false, is_exponent_negative;
  const char *at = read_sign (s, &is_negative), *stop = s;
  double value = 0, power = 1;
  int digits = 0, places = 0, exponent = 0;
  bool in_fraction = false;
  for (; (*at >= '0' && *at <= '9') || (*at == '.' && !in_fraction); at++) {
    if (*at == '.') {
      in_fraction = true;
      continue;
    }
    has_digits = true;
    value = value * 10 + (*at - '0');
    digits += value > 0;
    places += in_fraction;
  }
  if (has_digits) stop = at;
  if (has_digits && (*at | 32) == 'e') {
    const char *e = read_sign (at + 1, &is_exponent_negative);
    for (; *e >= '0' && *e <= '9'; e++) {
      if (exponent < 1000) exponent = exponent * 10 + (*e - '0');
      stop = e + 1;
    }
    if (is_exponent_negative) exponent = -exponent;
  }
  exponent -= places;
  if (digits > 15 || exponent > 22 || exponent < -22 || (!has_digits && (*at | 32) >= 'a'))
    porf_strtod_of_a_number_of_more_than_15_digits ();
  if (end) *end = (char *)stop;
  for (int i = 0; i < exponent || i < -exponent; i++) power *= 10;
  value = exponent < 0 ? value / power : value * power;
  return is_negative ? -value : value;
}
float strtof (const char *restrict s, char **restrict end) { return (float)strtod (s, end); }
double atof (const char *s) { return strtod (s, NULL); }

/* long and long long are the same here; __isoc23_ is how newer headers call some of these. */
#define SAME_AS(type, name, of)                                                                    \
  type name (const char *restrict s, char **restrict end, int base);                               \
  type name (const char *restrict s, char **restrict end, int base) { return of (s, end, base); }
SAME_AS (long long, strtoll, strtol)
SAME_AS (unsigned long long, strtoull, strtoul)
SAME_AS (long, __isoc23_strtol, strtol)
SAME_AS (long long, __isoc23_strtoll, strtol)
SAME_AS (unsigned long, __isoc23_strtoul, strtoul)
SAME_AS (unsigned long long, __isoc23_strtoull, strtoul)
#undef SAME_AS

long atol (const char *s) { return strtol (s, NULL, 10); }
long long atoll (const char *s) { return strtol (s, NULL, 10); }
int atoi (const char *s) { return (int)strtol (s, NULL, 10); }

#define DIVIDE(type, result, name)                                                                 \
  result name (type a, type b) { return (result){a / b, a % b}; }
DIVIDE (int, div_t, div)
DIVIDE (long, ldiv_t, ldiv)
DIVIDE (long long, lldiv_t, lldiv)
#undef DIVIDE

void *bsearch (const void *key, const void *base, size_t n, size_t size,
               int (*compare) (const void *, const void *)) {
  const char *low = base;
  while (n) {
    const char *middle = low + n / 2 * size;
    int c = compare (key, middle);
    if (!c) return (void *)middle;
    if (c > 0) low = middle + size;
    n = c > 0 ? n - n / 2 - 1 : n / 2;
  }
  return NULL;
}

static void swap_bytes (char *a, char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char x = a[i];
    a[i] = b[i];
    b[i] = x;
  }
}

void qsort_r (void *base, size_t n, size_t size,
              int (*compare) (const void *, const void *, void *), void *argument);
void qsort_r (void *base, size_t n, size_t size,
              int (*compare) (const void *, const void *, void *), void *argument) {
  char *p = base;
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k && compare (p + (k - 1) * size, p + k * size, argument) > 0; k--)
      swap_bytes (p + (k - 1) * size, p + k * size, size);
}

static int compare_two (const void *a, const void *b, void *compare) {
  return ((int (*) (const void *, const void *))compare) (a, b);
}
void qsort (void *base, size_t n, size_t size, int (*compare) (const void *, const void *)) {
  qsort_r (base, n, size, compare_two, (void *)compare);
}
