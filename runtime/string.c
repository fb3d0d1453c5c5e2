/* string.c - memory and strings. Blocks are copied in the largest pieces that the alignment of both
 * sides allows, so that words that are elsewhere accessed as words are copied as words. */
#include "runtime.h"
#include <string.h>

typedef unsigned long Address;

#define COPY_FORWARD(type)                                                                         \
  do {                                                                                             \
    *(type *)d = *(const type *)s;                                                                 \
    d += sizeof (type);                                                                            \
    s += sizeof (type);                                                                            \
    n -= sizeof (type);                                                                            \
  } while (0)

static int fits (Address both, size_t n, size_t size) { return n >= size && !(both & (size - 1)); }

static bool overlap (const void *a, const void *b, size_t n) {
  return (Address)a - (Address)b < n || (Address)b - (Address)a < n;
}

static void *copy (void *to, const void *from, size_t n) {
  char *d = to;
  const char *s = from;
  while (n) {
    Address both = (Address)d | (Address)s;
    if (fits (both, n, 8))
      COPY_FORWARD (unsigned long);
    else if (fits (both, n, 4))
      COPY_FORWARD (unsigned int);
    else if (fits (both, n, 2))
      COPY_FORWARD (unsigned short);
    else
      COPY_FORWARD (char);
  }
  return to;
}

/* An assignment of a whole object to itself is a memcpy, too. */
void *memcpy (void *restrict to, const void *restrict from, size_t n) {
  if (to != from && overlap (to, from, n))
    __porf_assert_fail ("`memcpy` can be called with memory that overlaps: use memmove");
  return copy (to, from, n);
}

#define COPY_BACKWARD(type)                                                                        \
  do {                                                                                             \
    n -= sizeof (type);                                                                            \
    *(type *)(d + n) = *(const type *)(s + n);                                                     \
  } while (0)

void *memmove (void *to, const void *from, size_t n) {
  char *d = to;
  const char *s = from;
  if ((Address)d - (Address)s >= n) return copy (to, from, n);
  while (n) {
    Address both = ((Address)d + n) | ((Address)s + n);
    if (fits (both, n, 8))
      COPY_BACKWARD (unsigned long);
    else if (fits (both, n, 4))
      COPY_BACKWARD (unsigned int);
    else if (fits (both, n, 2))
      COPY_BACKWARD (unsigned short);
    else
      COPY_BACKWARD (char);
  }
  return to;
}

#define SET(type)                                                                                  \
  do {                                                                                             \
    *(type *)d = (type)pattern;                                                                    \
    d += sizeof (type);                                                                            \
    n -= sizeof (type);                                                                            \
  } while (0)

void *memset (void *to, int byte, size_t n) {
  char *d = to;
  unsigned long pattern = (unsigned char)byte * 0x0101010101010101ul;
  while (n) {
    Address a = (Address)d;
    if (fits (a, n, 8))
      SET (unsigned long);
    else if (fits (a, n, 4))
      SET (unsigned int);
    else if (fits (a, n, 2))
      SET (unsigned short);
    else
      SET (char);
  }
  return to;
}

void bzero (void *to, size_t n) { memset (to, 0, n); }

int memcmp (const void *a, const void *b, size_t n) {
  const unsigned char *p = a, *q = b;
  for (size_t i = 0; i < n; i++) {
    unsigned char x = p[i], y = q[i];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

void *memchr (const void *s, int c, size_t n) {
  const unsigned char *p = s;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (unsigned char)c) return (void *)(p + i);
  return NULL;
}

size_t strlen (const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t strnlen (const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

int strncmp (const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x != y) return x < y ? -1 : 1;
    if (!x) return 0;
  }
  return 0;
}

int strcmp (const char *a, const char *b) { return strncmp (a, b, (size_t)-1); }

static void strings_overlap (void) {
  __porf_assert_fail ("`strcpy`, `strcat` or the like can be called with strings that overlap");
}

char *stpcpy (char *restrict to, const char *restrict from) {
  const char *source = from;
  char *start = to;
  for (;; to++) {
    if (from == start) strings_overlap ();
    if (!(*to = *from++)) break;
  }
  if (overlap (start, source, (size_t)(to - start) + 1)) strings_overlap ();
  return to;
}

char *strcpy (char *restrict to, const char *restrict from) {
  stpcpy (to, from);
  return to;
}

char *strncpy (char *restrict to, const char *restrict from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  if (overlap (to, from, i < n ? i + 1 : n)) strings_overlap ();
  for (; i < n; i++) to[i] = 0;
  return to;
}

char *strcat (char *restrict to, const char *restrict from) {
  stpcpy (to + strlen (to), from);
  return to;
}

char *strncat (char *restrict to, const char *restrict from, size_t n) {
  char *end = to + strlen (to);
  size_t k = strnlen (from, n);
  memcpy (end, from, k);
  end[k] = 0;
  return to;
}

char *strchr (const char *s, int c) {
  for (;; s++) {
    char x = *s;
    if (x == (char)c) return (char *)s;
    if (!x) return NULL;
  }
}

char *strrchr (const char *s, int c) {
  const char *found = NULL;
  for (;; s++) {
    char x = *s;
    if (x == (char)c) found = s;
    if (!x) return (char *)found;
  }
}

char *strstr (const char *s, const char *what) {
  size_t n = strlen (what);
  for (;; s++) {
    if (!strncmp (s, what, n)) return (char *)s;
    if (!*s) return NULL;
  }
}

char *strndup (const char *s, size_t max) {
  size_t n = strnlen (s, max);
  char *copy = __porf_malloc (n + 1);
  if (!copy) return NULL;
  memcpy (copy, s, n);
  copy[n] = 0;
  return copy;
}

char *strdup (const char *s) { return strndup (s, (size_t)-1); }

static bool is_one_of (char c, const char *set) { return c && strchr (set, c); }

size_t strspn (const char *s, const char *set) {
  size_t n = 0;
  while (is_one_of (s[n], set)) n++;
  return n;
}
size_t strcspn (const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !is_one_of (s[n], set)) n++;
  return n;
}
char *strpbrk (const char *s, const char *set) {
  s += strcspn (s, set);
  return *s ? (char *)s : NULL;
}

char *strtok_r (char *restrict s, const char *restrict set, char **restrict rest) {
  if (!s) s = *rest;
  s += strspn (s, set);
  char *end = s + strcspn (s, set);
  *rest = *end ? end + 1 : end;
  if (s == end) return NULL;
  *end = 0;
  return s;
}
static char *strtok_rest; /* one for all threads: their calls race, as in other C libraries */
char *strtok (char *restrict s, const char *restrict set) {
  return strtok_r (s, set, &strtok_rest);
}
char *strsep (char **restrict rest, const char *restrict set);
char *strsep (char **restrict rest, const char *restrict set) {
  char *s = *rest;
  if (!s) return NULL;
  char *end = s + strcspn (s, set);
  *rest = *end ? end + 1 : NULL;
  *end = 0;
  return s;
}

static int lower (char c) { return c >= 'A' && c <= 'Z' ? c + 32 : (unsigned char)c; }
int strncasecmp (const char *a, const char *b, size_t n);
int strncasecmp (const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int x = lower (a[i]), y = lower (b[i]);
    if (x != y) return x < y ? -1 : 1;
    if (!x) return 0;
  }
  return 0;
}
int strcasecmp (const char *a, const char *b);
int strcasecmp (const char *a, const char *b) { return strncasecmp (a, b, (size_t)-1); }
int strcoll (const char *a, const char *b) { return strcmp (a, b); }

void *mempcpy (void *restrict to, const void *restrict from, size_t n);
void *mempcpy (void *restrict to, const void *restrict from, size_t n) {
  return (char *)memcpy (to, from, n) + n;
}
void *memrchr (const void *s, int c, size_t n);
void *memrchr (const void *s, int c, size_t n) {
  const unsigned char *p = s;
  while (n--)
    if (p[n] == (unsigned char)c) return (void *)(p + n);
  return NULL;
}
void *memmem (const void *s, size_t n, const void *what, size_t k);
void *memmem (const void *s, size_t n, const void *what, size_t k) {
  for (const char *p = s; n >= k; p++, n--)
    if (!memcmp (p, what, k)) return (void *)p;
  return NULL;
}
void *rawmemchr (const void *s, int c);
void *rawmemchr (const void *s, int c) { return memchr (s, c, (size_t)-1); }
void *memccpy (void *restrict to, const void *restrict from, int c, size_t n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  for (size_t i = 0; i < n; i++)
    if ((d[i] = s[i]) == (unsigned char)c) return d + i + 1;
  return NULL;
}
void explicit_bzero (void *to, size_t n);
void explicit_bzero (void *to, size_t n) { memset (to, 0, n); }
char *stpncpy (char *restrict to, const char *restrict from, size_t n) {
  return strncpy (to, from, n) + strnlen (from, n);
}
char *strcasestr (const char *s, const char *what);
char *strcasestr (const char *s, const char *what) {
  size_t n = strlen (what);
  for (;; s++) {
    if (!strncasecmp (s, what, n)) return (char *)s;
    if (!*s) return NULL;
  }
}
char *strchrnul (const char *s, int c);
char *strchrnul (const char *s, int c) {
  char *found = strchr (s, c);
  return found ? found : (char *)s + strlen (s);
}
size_t strlcpy (char *restrict to, const char *restrict from, size_t room);
size_t strlcpy (char *restrict to, const char *restrict from, size_t room) {
  size_t n = strlen (from), k = n < room ? n : room - 1;
  if (room) {
    memcpy (to, from, k);
    to[k] = 0;
  }
  return n;
}
size_t strlcat (char *restrict to, const char *restrict from, size_t room);
size_t strlcat (char *restrict to, const char *restrict from, size_t room) {
  size_t n = strnlen (to, room);
  return n + (n < room ? strlcpy (to + n, from, room - n) : strlen (from));
}

char *strerror (int number) {
  (void)number;
  return "error";
}
char *gnu_strerror_r (int number, char *text, size_t room) NAMED ("strerror_r");
char *gnu_strerror_r (int number, char *text, size_t room) {
  (void)text, (void)room;
  return strerror (number);
}
int __xpg_strerror_r (int number, char *text, size_t room);
int __xpg_strerror_r (int number, char *text, size_t room) {
  strlcpy (text, strerror (number), room);
  return 0;
}
