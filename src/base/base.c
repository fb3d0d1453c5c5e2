#include "base/base.h"

#include <errno.h>
#include <float.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "base/plain.h"

static _Thread_local DieTrap *trap;

DieTrap *die_set_trap (DieTrap *t) {
  DieTrap *old = trap;
  trap = t;
  return old;
}

void die (int code, const char *message) {
  DieTrap *t = trap;
  if (!t) {
    fputs (message, stderr);
    exit (code);
  }
  t->code = code;
  snprintf (t->message, sizeof t->message, "%s", message);
  longjmp (t->jump, 1);
}

/* "porf: …" on a line of its own. What is in it may be the name of a stranger's file. */
static char *message (const char *format, va_list ap) {
  char text[4000];
  int n = snprintf (text, sizeof text, "porf: ");
  vsnprintf (text + n, sizeof text - (size_t)n - 1, format, ap);
  strcat (text, "\n");
  char *copy = mem_strdup (text);
  plain_lines (&copy);
  return copy;
}

void die_input (const char *format, ...) {
  va_list ap;
  va_start (ap, format);
  char *text = message (format, ap);
  va_end (ap);
  die (EXIT_INPUT, text);
}

void tell_user (const char *format, ...) {
  va_list ap;
  va_start (ap, format);
  char *text = message (format, ap);
  va_end (ap);
  fputs (text, stderr);
  mem_free (text);
}

void die_bug (const char *file, int line, const char *what) {
  char text[1000];
  snprintf (text, sizeof text, "porf: internal error at %s:%d: %s\n", file, line, what);
  die (EXIT_BUG, text);
}

static void *checked (void *p) {
  if (UNLIKELY (!p)) die (EXIT_INCOMPLETE, "porf: incomplete: out of memory\n");
  return p;
}

void *mem_alloc (size_t size) { return checked (malloc (size ? size : 1)); }
void *mem_zalloc (size_t size) { return checked (calloc (1, size ? size : 1)); }
void *mem_resize (void *old, size_t size) { return checked (realloc (old, size ? size : 1)); }
char *mem_strdup (const char *s) { return checked (strdup (s)); }
void mem_free (void *p) { free (p); }

/* What the system says of this process, or 0. */
static size_t status_bytes (const char *name) {
  size_t size, kilobytes = 0;
  char *status = file_read ("/proc/self/status", &size);
  const char *line = status ? strstr (status, name) : NULL;
  if (line) kilobytes = strtoul (line + strlen (name), NULL, 10);
  mem_free (status);
  return kilobytes * 1024;
}

void mem_limit (size_t bytes) {
  struct rlimit data;
  size_t taken = status_bytes ("VmData:");
  if (!taken || getrlimit (RLIMIT_DATA, &data) || taken + bytes >= data.rlim_cur) return;
  data.rlim_cur = taken + bytes;
  setrlimit (RLIMIT_DATA, &data);
}

/* Linux keeps the high-water mark of the parent in ru_maxrss across exec, so its own file is asked
 * first. */
size_t mem_peak_bytes (void) {
  size_t peak = status_bytes ("VmHWM:");
  if (peak) return peak;
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return (size_t)usage.ru_maxrss * 1024;
}

void *vec_grow_ (void *data, u32 *capacity, u32 needed, size_t item) {
  u32 n = *capacity ? *capacity : 8;
  while (n < needed) n *= 2;
  *capacity = n;
  return mem_resize (data, n * item);
}

static void str_reserve (Str *s, size_t extra) {
  if (s->length + extra + 1 <= s->capacity) return;
  size_t n = s->capacity ? s->capacity : 64;
  while (n < s->length + extra + 1) n *= 2;
  s->text = mem_resize (s->text, n);
  s->capacity = n;
}

void str_add_n (Str *s, const char *text, size_t n) {
  str_reserve (s, n);
  memcpy (s->text + s->length, text, n);
  s->length += n;
  s->text[s->length] = 0;
}

void str_add (Str *s, const char *text) { str_add_n (s, text, strlen (text)); }

void str_printf (Str *s, const char *format, ...) {
  va_list ap, again;
  va_start (ap, format);
  va_copy (again, ap);
  int n = vsnprintf (NULL, 0, format, ap);
  va_end (ap);
  BUG_IF (n < 0);
  str_reserve (s, (size_t)n);
  vsnprintf (s->text + s->length, (size_t)n + 1, format, again);
  va_end (again);
  s->length += (size_t)n;
}

void signals_reset (void) {
  static const int numbers[] = {SIGCHLD, SIGPIPE, SIGTERM, SIGALRM, SIGABRT,
                                SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};
  sigset_t none;
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  for (u32 i = 0; i < ARRAY_SIZE (numbers); i++) signal (numbers[i], SIG_DFL);
}

void str_add_amount (Str *s, double n) {
  int exponent = 0;
  if (n > DBL_MAX) n = DBL_MAX;
  if (n < 99999.5) {
    str_printf (s, "%.0f", n);
    return;
  }
  for (; n >= 9.95 && exponent < 400; exponent++) n /= 10;
  str_printf (s, "%.1fe%d", n, exponent);
}

void str_add_duration (Str *s, double seconds) {
  static const struct {
    double seconds;
    const char *name;
  } units[] = {{60, "min"}, {3600, "h"}, {86400, "days"}, {365.25 * 86400, "years"}};
  if (seconds < 90) {
    str_printf (s, seconds < 9.5 ? "%.2g s" : "%.0f s", seconds);
    return;
  }
  u32 i = 0;
  while (i + 1 < ARRAY_SIZE (units) && seconds >= 2 * units[i + 1].seconds) i++;
  str_add_amount (s, seconds / units[i].seconds);
  str_printf (s, " %s", units[i].name);
}

void str_clear (Str *s) {
  s->length = 0;
  if (s->text) s->text[0] = 0;
}

void str_free (Str *s) {
  mem_free (s->text);
  *s = (Str){0};
}

enum { LONGEST = 32 };

static u32 least (u32 a, u32 b) { return a < b ? a : b; }

u32 str_distance (const char *a, const char *b) {
  u32 n = (u32)strlen (a), m = (u32)strlen (b);
  u32 d[LONGEST + 1][LONGEST + 1];
  if (n > LONGEST || m > LONGEST) return LONGEST;
  for (u32 i = 0; i <= n; i++) {
    for (u32 k = 0; k <= m; k++) {
      if (!i || !k) {
        d[i][k] = i + k;
        continue;
      }
      u32 best = least (d[i - 1][k], d[i][k - 1]) + 1;
      best = least (best, d[i - 1][k - 1] + (a[i - 1] != b[k - 1]));
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        best = least (best, d[i - 2][k - 2] + 1);
      d[i][k] = best;
    }
  }
  return d[n][m];
}

/* At most so many bytes of it. */
static char *file_read_head (const char *path, size_t most, size_t *size) {
  FILE *f = fopen (path, "rb");
  if (!f) return NULL;
  Str s = {0};
  char buffer[65536];
  size_t n;
  while (s.length < most && (n = fread (buffer, 1, sizeof buffer, f)) > 0)
    str_add_n (&s, buffer, n < most - s.length ? n : most - s.length);
  bool failed = ferror (f);
  fclose (f);
  if (failed) {
    str_free (&s);
    errno = EIO;
    return NULL;
  }
  str_reserve (&s, 0);
  s.text[s.length] = 0;
  *size = s.length;
  return s.text;
}

char *file_read (const char *path, size_t *size) { return file_read_head (path, SIZE_MAX, size); }

/* Files of the kernel's say that they are empty, and may have no end. */
char *file_read_regular (const char *path, size_t *size) {
  struct stat st;
  if (stat (path, &st)) return NULL;
  char *text = S_ISREG (st.st_mode) && st.st_size >= 0
                   ? file_read_head (path, (size_t)st.st_size, size)
                   : NULL;
  if (!text) errno = EINVAL;
  return text;
}

static u32 map_slot (const Map *m, u64 key) {
  u32 mask = m->capacity - 1, i = (u32)(hash_mix (0x51, key) >> 7) & mask;
  while (m->used[i] && m->keys[i] != key) i = (i + 1) & mask;
  return i;
}

bool map_get (const Map *m, u64 key, u64 *value) {
  if (!m->size) return false;
  u32 i = map_slot (m, key);
  if (!m->used[i]) return false;
  *value = m->values[i];
  return true;
}

static void map_grow (Map *m) {
  Map old = *m;
  m->capacity = old.capacity ? old.capacity * 2 : 64;
  m->keys = mem_alloc (m->capacity * sizeof *m->keys);
  m->values = mem_alloc (m->capacity * sizeof *m->values);
  m->used = mem_zalloc (m->capacity);
  m->size = 0;
  for (u32 i = 0; i < old.capacity; i++)
    if (old.used[i]) map_put (m, old.keys[i], old.values[i]);
  map_free (&old);
}

void map_put (Map *m, u64 key, u64 value) {
  if ((m->size + 1) * 4 > m->capacity * 3) map_grow (m);
  u32 i = map_slot (m, key);
  if (!m->used[i]) {
    m->used[i] = 1;
    m->keys[i] = key;
    m->size++;
  }
  m->values[i] = value;
}

void map_clear (Map *m) {
  if (m->capacity) memset (m->used, 0, m->capacity);
  m->size = 0;
}

void map_free (Map *m) {
  mem_free (m->keys);
  mem_free (m->values);
  mem_free (m->used);
  *m = (Map){0};
}

u64 hash_bytes (const void *data, size_t size, u64 seed) {
  const u8 *p = data;
  u64 h = seed ^ 0xcbf29ce484222325ull;
  for (; size >= 8; p += 8, size -= 8) {
    u64 x;
    memcpy (&x, p, 8);
    h = hash_mix (h, x);
  }
  u64 tail = 0;
  memcpy (&tail, p, size);
  return hash_mix (hash_mix (h, tail), size);
}

double seconds_now (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
