/* format.c - the printf family. printf itself is a builtin (src/front/externs.def); what writes
 * into memory is here, so that its accesses are seen, and so is what printf reads. */
#include "runtime.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called, and never defined: see runtime.h. */
void porf_formatted_output_of_a_long_double (void);
void porf_a_conversion_of_printf_that_is_not_known (void);

enum { MOST_TEXTS = 8 }; /* of which it is looked at whether they overlap with the result */

typedef struct Sink {
  char *to;
  size_t room, length; /* length: of the whole text, whether it fits or not */
  const char *text[MOST_TEXTS];
  size_t size[MOST_TEXTS];
  int texts;
} Sink;

static void refuse_overlap (const char *to, size_t room, const char *from, size_t n) {
  if ((uintptr_t)from - (uintptr_t)to < room || (room && (uintptr_t)to - (uintptr_t)from < n))
    __porf_assert_fail ("`sprintf` or the like can be called with strings that overlap");
}

/* A text that it reads. It must not overlap with what was written, else there might be no end, nor
 * with what is going to be. */
static void note_text (Sink *s, const char *text, size_t n) {
  refuse_overlap (s->to, s->length < s->room ? s->length : s->room, text, n);
  if (s->texts == MOST_TEXTS) return;
  s->text[s->texts] = text;
  s->size[s->texts++] = n;
}

static void refuse_overlaps (const Sink *s) {
  size_t written = s->length < s->room ? s->length + 1 : s->room;
  for (int i = 0; i < s->texts; i++) refuse_overlap (s->to, written, s->text[i], s->size[i]);
}

static void put (Sink *s, char c) {
  if (s->length + 1 < s->room) s->to[s->length] = c;
  s->length++;
}
static void put_many (Sink *s, char c, int n) {
  while (n-- > 0) put (s, c);
}

typedef struct Spec { /* one conversion: %-08.3ld */
  bool left, plus, space, hash, zero;
  int width, precision; /* precision -1: none given */
  int size;             /* of an integer argument: bytes */
  bool is_long_double;
} Spec;

/* Sign or 0x, digits with leading zeros up to the precision, all of it padded to the width. */
static void put_number (Sink *s, const Spec *f, const char *prefix, const char *digits, int n,
                        bool may_fill) {
  int prefix_length = (int)strlen (prefix), zeros = f->precision > n ? f->precision - n : 0;
  if (may_fill && f->zero && !f->left && f->width > prefix_length + n + zeros)
    zeros = f->width - prefix_length - n;
  int pad = f->width - prefix_length - zeros - n;
  if (!f->left) put_many (s, ' ', pad);
  while (*prefix) put (s, *prefix++);
  put_many (s, '0', zeros);
  for (int i = 0; i < n; i++) put (s, digits[i]);
  if (f->left) put_many (s, ' ', pad);
}

static const char *sign_of (const Spec *f, bool is_negative) {
  return is_negative ? "-" : f->plus ? "+" : f->space ? " " : "";
}

static void put_integer (Sink *s, const Spec *f, char letter, uintmax_t value, const char *sign) {
  char digits[24];
  int n = 0;
  unsigned base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' || letter == 'p' ? 16 : 10;
  const char *set = letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  const char *prefix = sign;
  if (base == 16 && ((f->hash && value) || letter == 'p')) prefix = letter == 'X' ? "0X" : "0x";
  for (uintmax_t v = value; v; v /= base) digits[23 - n++] = set[v % base];
  if (!n && f->precision) digits[23 - n++] = '0';
  if (base == 8 && f->hash && (!n || digits[24 - n] != '0')) digits[23 - n++] = '0';
  put_number (s, f, prefix, digits + 24 - n, n, f->precision < 0);
}

static void put_float (Sink *s, Spec *f, char letter, double value) {
  char text[1400];
  long spec = letter + 256l * (f->precision < 0 ? 6 : f->precision);
  int n = 0;
  for (long part = 0;; part++) {
    long eight = __porf_float_text (value, spec, part);
    for (int k = 0; k < 8 && (eight & 0xff) && n < (int)sizeof text; k++, eight >>= 8)
      text[n++] = (char)(eight & 0xff);
    if (n < 8 * (part + 1)) break;
  }
  bool is_negative = n && text[0] == '-';
  const char *digits = text + is_negative;
  f->precision = -1;
  put_number (s, f, sign_of (f, is_negative), digits, n - is_negative,
              *digits >= '0' && *digits <= '9');
}

static void put_text (Sink *s, const Spec *f, const char *text, size_t length) {
  int n = (int)length;
  if (!f->left) put_many (s, ' ', f->width - n);
  for (int i = 0; i < n; i++) put (s, text[i]);
  if (f->left) put_many (s, ' ', f->width - n);
}

static const char *read_number (const char *at, int *to) {
  for (*to = 0; *at >= '0' && *at <= '9'; at++) *to = *to * 10 + (*at - '0');
  return at;
}

static const char *read_flags (const char *at, Spec *f) {
  for (;; at++) {
    f->left |= *at == '-';
    f->plus |= *at == '+';
    f->space |= *at == ' ';
    f->hash |= *at == '#';
    f->zero |= *at == '0';
    if (!*at || !strchr ("-+ #0", *at)) return at;
  }
}

static const char *read_size (const char *at, Spec *f) {
  f->size = sizeof (int);
  for (;; at++) {
    if (*at == 'h')
      f->size /= 2;
    else if (*at == 'L')
      f->is_long_double = true;
    else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't')
      f->size = sizeof (long);
    else
      return at;
  }
}

static uintmax_t narrow_unsigned (uintmax_t v, int size) {
  return size == 8 ? v : v & ((1ul << (8 * size)) - 1);
}
static intmax_t narrow_signed (intmax_t v, int size) {
  return size == 1 ? (signed char)v : size == 2 ? (short)v : size == 4 ? (int)v : v;
}

/* From the character after % to the letter of a conversion; a width or precision `*` is taken from
 * the list. */
static const char *read_spec (const char *at, Spec *f, va_list list) {
  at = read_flags (at, f);
  if (*at == '*') {
    f->width = va_arg (list, int);
    f->left |= f->width < 0;
    if (f->width < 0) f->width = -f->width;
    at++;
  } else {
    at = read_number (at, &f->width);
  }
  if (*at == '.' && at[1] == '*') {
    f->precision = va_arg (list, int);
    if (f->precision < 0) f->precision = -1;
    at += 2;
  } else if (*at == '.') {
    at = read_number (at + 1, &f->precision);
  }
  return read_size (at, f);
}

/* Called before printf and its like where they read strings (src/front/output.c): does that, and
 * prints nothing. */
void porf_output_accesses (const char *format, ...);
void porf_output_accesses (const char *format, ...) {
  va_list list, all;
  va_start (list, format);
  va_start (all, format);
  for (const char *at = format; *at; at++) {
    if (*at != '%') continue;
    Spec f = {.precision = -1};
    at = read_spec (at + 1, &f, list);
    if (*at == '%') continue;
    if (*at == 's' && f.size == sizeof (int))
      (void)strnlen (va_arg (list, const char *),
                     f.precision < 0 ? (size_t)-1 : (size_t)f.precision);
    else if (*at == 'n') { /* which needs to know how much comes before */
      (void)vsnprintf (NULL, 0, format, all);
      break;
    } else if (f.is_long_double)
      (void)va_arg (list, long double);
    else if (strchr ("fFeEgGaA", *at))
      (void)va_arg (list, double);
    else if (f.size == sizeof (long) || *at == 'p' || *at == 's')
      (void)va_arg (list, long);
    else
      (void)va_arg (list, int);
    if (!*at) break;
  }
  va_end (all);
  va_end (list);
}

static void store_length (void *to, size_t length, int size) {
  if (size == sizeof (long))
    *(long *)to = (long)length;
  else if (size == sizeof (int))
    *(int *)to = (int)length;
  else if (size == sizeof (short))
    *(short *)to = (short)length;
  else
    *(signed char *)to = (signed char)length;
}

int vsnprintf (char *restrict to, size_t room, const char *restrict at, va_list list) {
  Sink s = {.to = to, .room = room};
  const char *format = at;
  for (; *at; at++) {
    if (*at != '%') {
      put (&s, *at);
      continue;
    }
    Spec f = {.precision = -1};
    at = read_spec (at + 1, &f, list);
    switch (*at) {
    case 'd':
    case 'i': {
      intmax_t v = f.size == sizeof (long) ? va_arg (list, long) : va_arg (list, int);
      v = narrow_signed (v, f.size);
      put_integer (&s, &f, 'd', v < 0 ? -(uintmax_t)v : (uintmax_t)v, sign_of (&f, v < 0));
      break;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
      uintmax_t v =
          f.size == sizeof (long) ? va_arg (list, unsigned long) : va_arg (list, unsigned);
      put_integer (&s, &f, *at, narrow_unsigned (v, f.size), "");
      break;
    }
    case 'p': {
      void *p = va_arg (list, void *);
      if (p)
        put_integer (&s, &f, 'p', (uintmax_t)p, "");
      else
        put_text (&s, &f, "(nil)", 5);
      break;
    }
    case 'c': {
      char c[2] = {(char)va_arg (list, int), 0};
      if (c[0])
        put_text (&s, &f, c, 1);
      else
        put (&s, 0);
      break;
    }
    case 's': {
      const char *text = va_arg (list, const char *);
      size_t max = f.precision < 0 ? (size_t)-1 : (size_t)f.precision, n = strnlen (text, max);
      note_text (&s, text, n < max ? n + 1 : n);
      put_text (&s, &f, text, n);
      break;
    }
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      if (f.is_long_double) porf_formatted_output_of_a_long_double ();
      put_float (&s, &f, *at, va_arg (list, double));
      break;
    case 'n':
      store_length (va_arg (list, void *), s.length, f.size);
      break;
    case '%':
      put (&s, '%');
      break;
    default:
      porf_a_conversion_of_printf_that_is_not_known ();
    }
  }
  if (room) to[s.length < room ? s.length : room - 1] = 0;
  refuse_overlap (to, s.length < room ? s.length + 1 : room, format, (size_t)(at - format) + 1);
  refuse_overlaps (&s);
  return (int)s.length;
}

int vsprintf (char *restrict to, const char *restrict format, va_list list) {
  return vsnprintf (to, (size_t)-1 >> 1, format, list);
}

int vasprintf (char **restrict to, const char *restrict format, va_list list) {
  va_list copy;
  va_copy (copy, list);
  size_t room = (size_t)vsnprintf (NULL, 0, format, copy) + 1;
  va_end (copy);
  *to = malloc (room);
  return vsnprintf (*to, room, format, list);
}

int vprintf (const char *restrict format, va_list list) {
  char text[500];
  int n = vsnprintf (text, sizeof text, format, list);
  __porf_output ("%s", text);
  return n;
}
int vfprintf (FILE *restrict to, const char *restrict format, va_list list) {
  (void)to;
  return vprintf (format, list);
}
int vdprintf (int to, const char *restrict format, va_list list) {
  (void)to;
  return vprintf (format, list);
}

#define WITH_LIST(call)                                                                            \
  va_list list;                                                                                    \
  va_start (list, format);                                                                         \
  int n = call;                                                                                    \
  va_end (list);                                                                                   \
  return n;
int snprintf (char *restrict to, size_t room, const char *restrict format, ...) {
  WITH_LIST (vsnprintf (to, room, format, list))
}
int sprintf (char *restrict to, const char *restrict format, ...) {
  WITH_LIST (vsprintf (to, format, list))
}
int asprintf (char **restrict to, const char *restrict format, ...) {
  WITH_LIST (vasprintf (to, format, list))
}
/* Called before printf and its like where the result is used: returns it, and prints nothing. */
int porf_output_length (const char *format, ...);
int porf_output_length (const char *format, ...) { WITH_LIST (vsnprintf (NULL, 0, format, list)) }
#undef WITH_LIST
