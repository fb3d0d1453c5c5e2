// Every function of the C library that porf has, threads apart. The same file passes when it is compiled and run.
// expect: rc11 1
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <malloc.h>
#include <unistd.h>

extern char **environ;

static int compare (const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int print (const char *format, ...) {
  va_list list;
  va_start (list, format);
  int n = vprintf (format, list);
  va_end (list);
  va_start (list, format);
  assert (vfprintf (stderr, format, list) == n);
  va_end (list);
  return n;
}

static char *text (const char *format, ...) {
  char *s;
  va_list list;
  va_start (list, format);
  assert (vasprintf (&s, format, list) == (int)strlen (s));
  va_end (list);
  return s;
}

static void formats (void) {
  char b[100], *s = text ("%d-%s", 7, "x");
#define IS(expected, ...)                                                                          \
  (assert (snprintf (b, sizeof b, __VA_ARGS__) == sizeof expected - 1), assert (!strcmp (b, expected)))
  IS ("-5|00042|   7|7   |+3| 3", "%d|%05d|%4d|%-4d|%+d|% d", -5, 42, 7, 7, 3, 3);
  IS ("ff|FF|0xff|017|4294967295", "%x|%X|%#x|%#o|%u", 255, 255, 255, 15, -1);
  IS ("1.500000|1.5|2.5e+00|-0003.25|100000|1e+06|   inf", "%f|%.1f|%.1e|%08.2f|%g|%g|%06f", 1.5,
      1.5, 2.5, -3.25, 1e5, 1e6, HUGE_VAL);
  IS ("[ab][  abc][abc  ][x]%", "[%.2s][%5s][%-5s][%c]%%", "abc", "abc", "abc", 'x');
  IS ("-1 18446744073709551615 255 -1", "%ld %lu %hhu %hd", -1l, -1l, 255 + 256, 0xffff);
  IS ("  7|7  |abc|007||(nil)", "%*d|%*d|%.*s|%.3d|%.0d|%p", 3, 7, -3, 7, 3, "abcdef", 7, 0, NULL);
  assert (snprintf (b, 4, "%s", "abcdef") == 6 && !strcmp (b, "abc"));
  assert (snprintf (NULL, 0, "%d", 12345) == 5);
  assert (sprintf (b, "%i", INT_MIN) == 11 && !strcmp (b, "-2147483648"));
  assert (!strcmp (s, "7-x"));
  free (s);
  assert (asprintf (&s, "%c", 'q') == 1 && !strcmp (s, "q"));
  free (s);
}

static void output (void) {
  char word[] = "write\n";
  assert (print ("%s %d\n", "vprintf", 1) == 10);
  printf ("printf\n");
  fprintf (stdout, "fprintf\n");
  assert (puts ("puts") >= 0 && fputs ("fputs\n", stdout) >= 0);
  assert (putchar ('a') == 'a' && putc ('b', stdout) == 'b' && fputc ('\n', stdout) == '\n');
  flockfile (stdout);
  assert (putc_unlocked ('x', stdout) == 'x' && fputs_unlocked ("\n", stdout) >= 0 && fileno (stderr) == 2);
  funlockfile (stdout);
  fflush (stdout);
  assert (fwrite (word, 1, 6, stdout) == 6 && write (1, word, 6) == 6);
  errno = 0;
  perror ("perror");
}

static void strings (void) {
  char b[40] = "one two,three", *rest, *at, hay[] = "needle in hay";
  assert (strlen (b) == 13 && strnlen (b, 3) == 3 && strchr (b, 't') == b + 4);
  assert (strrchr (b, 't') == b + 8 && strstr (b, "two") == b + 4 && !strstr (b, "four"));
  assert (strspn (b, "eno") == 3 && strcspn (b, ", ") == 3 && strpbrk (b, ",") == b + 7);
  assert (!strcmp (strtok_r (b, " ,", &rest), "one") && !strcmp (strtok_r (0, " ,", &rest), "two"));
  assert (!strcmp (strtok_r (0, " ,", &rest), "three") && !strtok_r (0, " ,", &rest));
  strcpy (b, "a:b");
  assert (!strcmp (strtok (b, ":"), "a") && !strcmp (strtok (0, ":"), "b") && !strtok (0, ":"));
  strcpy (at = b, "a::b");
  assert (!strcmp (strsep (&at, ":"), "a") && !strcmp (strsep (&at, ":"), ""));
  assert (!strcmp (strsep (&at, ":"), "b") && !at);
  assert (stpcpy (b, "ab") == b + 2 && !strcmp (strcat (b, "cd"), "abcd"));
  assert (!strcmp (strncat (b, "efgh", 2), "abcdef") && !strncmp (b, "abcxyz", 3));
  assert (strcmp ("a", "b") < 0 && strcasecmp ("HeLLo", "hEllO") == 0 && strcoll ("b", "a") > 0);
  assert (strncasecmp ("ABx", "aby", 2) == 0 && strchrnul ("abc", 'z')[0] == 0);
  strncpy (b, "xy", 4);
  assert (b[2] == 0 && b[3] == 0 && memcmp (b, "xy\0\0e", 5) == 0);
  assert (memmem (hay, 13, "in", 2) == hay + 7 && memrchr (hay, 'n', 13) == hay + 8);
  assert (memchr (hay, 'd', 13) == hay + 3 && mempcpy (b, "pq", 2) == b + 2);
  assert (rawmemchr (hay, 'i') == hay + 7 && memccpy (b, "one", 'n', 9) == b + 2);
  assert (stpncpy (b, "pq", 9) == b + 2 && strcasestr ("some Text", "tEXT") && !strcasestr ("a", "b"));
  memmove (hay + 1, hay, 5);
  assert (!memcmp (hay, "nneedl", 6));
  memset (b, '-', 3);
  explicit_bzero (b + 1, 1);
  bzero (b + 1, 1);
  assert (b[0] == '-' && !b[1] && b[2] == '-');
  at = strdup ("dup");
  rest = strndup ("duplicate", 3);
  assert (!strcmp (at, rest) && strerror (EINVAL) && strerror_r (EINVAL, b, sizeof b));
  free (at);
  free (rest);
}

static int compare_by (const void *a, const void *b, void *sign) {
  return *(int *)sign * compare (a, b);
}

static void numbers (void) {
  char *end;
  assert (atoi (" -12x") == -12 && atol ("77") == 77 && atoll ("9") == 9);
  assert (strtol ("0x1fz", &end, 0) == 31 && *end == 'z' && strtol ("077", 0, 0) == 63);
  assert (strtol ("0xg", &end, 16) == 0 && *end == 'x' && strtol ("zz", 0, 36) == 1295);
  assert (strtol ("nothing", &end, 10) == 0 && *end == 'n');
  errno = 0;
  assert (strtol ("-99999999999999999999", 0, 10) == LONG_MIN && errno == ERANGE);
  assert (strtoul ("18446744073709551615", 0, 10) == ULONG_MAX && strtoull ("-1", 0, 10) == ULLONG_MAX);
  assert (strtoll ("-5", 0, 10) == -5 && strtod ("-2.5e2x", &end) == -250 && *end == 'x');
  assert (atof ("0.1") == 0.1 && strtof ("1.5", 0) == 1.5f);
  assert (abs (-3) == 3 && labs (-4l) == 4 && llabs (-5ll) == 5);
  assert (div (7, 2).rem == 1 && ldiv (-7, 2).quot == -3 && lldiv (9, 4).rem == 1);
  int a[] = {5, 1, 4, 2}, four = 4, six = 6, down = -1;
  qsort_r (a, 4, sizeof *a, compare_by, &down);
  assert (a[0] == 5 && a[3] == 1);
  qsort (a, 4, sizeof *a, compare);
  assert (a[0] == 1 && a[1] == 2 && a[2] == 4 && a[3] == 5);
  assert (bsearch (&four, a, 4, sizeof *a, compare) == a + 2 && !bsearch (&six, a, 4, sizeof *a, compare));
}

static volatile double two = 2, half = .5, minus = -2.5; /* not folded by compilers */
static volatile float three = 3;
static void mathematics (void) {
  assert (sqrt (two * two) == 2 && pow (two, 10) == 1024 && fabs (minus) == 2.5);
  assert (floor (minus) == -3 && ceil (minus) == -2 && trunc (minus) == -2 && round (minus) == -3);
  assert (rint (minus) == -2 && nearbyint (minus) == -2 && fmin (two, half) == .5 && fmax (two, half) == 2);
  assert (fmod (minus, two) == -.5 && copysign (two, minus) == -2 && hypot (3, two * 2) == 5);
  assert (exp (two - 2) == 1 && log (half * 2) == 0 && exp2 (two) == 4 && log2 (two) == 1 && log10 (two * 50) == 2);
  assert (sin (two - 2) == 0 && cos (two - 2) == 1 && tan (two - 2) == 0 && atan2 (two - 2, 1) == 0);
  assert (cbrt (two * 4) == 2 && fdim (two, half) == 1.5 && lround (minus) == -3 && lrint (minus) == -2);
  assert (sqrtf (three * three) == 3 && floorf (three / 2) == 1 && fabsf (-three) == 3 && fmaxf (three, 1) == 3);
  assert (powf (three, 2) == 9 && isnan (sqrt (-two)) && !isnan (two) && isinf (two / (two - 2)) &&
          isfinite (minus) && isnormal (half) && !isnormal (two - 2) && signbit (minus) && llround (two) == 2);
}

static void characters (void) {
  assert (isalpha ('x') && !isalpha ('1') && isdigit ('7') && isspace ('\t') && isupper ('A'));
  assert (islower ('a') && isalnum ('_') == 0 && ispunct ('_') && isxdigit ('f') && isprint (' '));
  assert (!isgraph (' ') && iscntrl ('\n') && isblank (' ') && tolower ('Q') == 'q' && toupper ('q') == 'Q');
  assert ((isalpha) ('x') && (isdigit) ('7') && !(isspace) ('x'));
}

static void memory (void) {
  int *p = calloc (4, sizeof *p);
  assert (p[3] == 0);
  p = realloc (p, 8 * sizeof *p);
  p[7] = 1;
  p = reallocarray (p, 16, sizeof *p);
  assert (p[3] == 0 && p[7] == 1 && malloc_usable_size (p) >= 64);
  free (p);
  void *q;
  assert (!posix_memalign (&q, 16, 16) && !((unsigned long)q & 15));
  free (q);
  q = aligned_alloc (256, 512);
  assert (!((unsigned long)q & 255) && posix_memalign (&q, 3, 8) == EINVAL);
  free (q);
}

static void process (void) {
  assert (!getenv ("PORF_NO_SUCH_VARIABLE") && getpid () > 0 && getppid () >= 0 && gettid () > 0);
  (void)environ;
  (void)isatty (0);
  assert (sysconf (_SC_PAGESIZE) == getpagesize ());
  srand (1);
  sched_yield ();
  usleep (1);
}

int main (void) {
  formats ();
  output ();
  strings ();
  numbers ();
  mathematics ();
  characters ();
  memory ();
  process ();
  return 0;
}
