#include "base/plain.h"

#include <ctype.h>
#include <errno.h>
#include <strings.h>
#include <unistd.h>

#include "base/base.h"

typedef struct Plain {
  struct Plain *next;
  int fd;
  PlainKind kind;
  bool is_inside; /* of a line: there was more than blanks */
  char tail[16];  /* the last characters of the line */
  u8 held[8];     /* the beginning of something of which it is not clear what it is */
  u32 count;
  Str out;
} Plain;

typedef enum Judgement { PASSES, IS_CONTROL, IS_STRANGE, IS_OPEN } Judgement;

static Judgement judge_colour (const u8 *s, u32 n) {
  static const char *const colours[] = {"\033[0m",    "\033[1m",    "\033[2m",  "\033[1;31m",
                                        "\033[1;32m", "\033[1;33m", "\033[31m", "\033[32m",
                                        "\033[33m",   "\033[36m"};
  for (u32 i = 0; i < ARRAY_SIZE (colours); i++)
    if (!strncmp (colours[i], (const char *)s, n)) return colours[i][n] ? IS_OPEN : PASSES;
  return IS_CONTROL;
}

static bool is_between (u32 c, u32 low, u32 high) { return low <= c && c <= high; }

/* C1 controls, and what changes the direction of writing. */
static bool is_hidden (u32 c) {
  return is_between (c, 0x80, 0x9f) || is_between (c, 0x202a, 0x202e) ||
         is_between (c, 0x2066, 0x2069) || is_between (c, 0x200e, 0x200f) || c == 0x61c;
}

static Judgement judge_utf8 (const u8 *s, u32 n) {
  u32 length = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
  u32 c = s[0] & (0xffu >> (length + 1));
  if (!length) return IS_STRANGE;
  for (u32 i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) return IS_STRANGE;
    c = c << 6 | (s[i] & 0x3f);
  }
  return n < length ? IS_OPEN : is_hidden (c) ? IS_STRANGE : PASSES;
}

static Judgement judge (PlainKind kind, const u8 *s, u32 n) {
  if (s[0] >= 0x80) return judge_utf8 (s, n);
  if (s[0] == '\033' && kind == PLAIN_TEXT) return judge_colour (s, n);
  if (s[0] == '\r') return n == 1 ? IS_OPEN : s[1] == '\n' ? PASSES : IS_CONTROL;
  return (s[0] < 0x20 && s[0] != '\n' && s[0] != '\t') || s[0] == 0x7f ? IS_CONTROL : PASSES;
}

/* U+2400 and what follows are pictures of control characters; U+FFFD stands for what is none. */
static void show (Str *out, Judgement j, u8 c) {
  if (j == IS_CONTROL)
    str_printf (out, "\xe2\x90%c", c == 0x7f ? 0xa1 : 0x80 + c);
  else
    str_add (out, "\xef\xbf\xbd");
}

/* ---- commands: GitHub takes lines that begin with `::NAME::`, after blanks of any kind, and
 * `##[NAME]` anywhere; Azure `##vso[`, TeamCity `##teamcity[` */

static bool opens_command (const Plain *p, char c) {
  static const char *const heads[] = {"##", "##vso", "##teamcity"};
  size_t n = strlen (p->tail);
  if (c == ':') return !p->is_inside && n && p->tail[n - 1] == ':';
  for (u32 i = 0; c == '[' && i < ARRAY_SIZE (heads); i++) {
    size_t k = strlen (heads[i]);
    if (n >= k && !strcasecmp (p->tail + n - k, heads[i])) return true;
  }
  return false;
}

static void remember (Plain *p, char c) {
  size_t n = strlen (p->tail);
  if (c == '\n') {
    p->is_inside = false;
    p->tail[0] = 0;
    return;
  }
  bool is_blank = (u8)c <= ' ' || (u8)c >= 0x80;
  if (!is_blank && c != ':') p->is_inside = true;
  if (n + 1 == sizeof p->tail) memmove (p->tail, p->tail + 1, n--);
  p->tail[n] = c;
  p->tail[n + 1] = 0;
}

static void pass (Plain *p, const char *text, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (p->kind == PLAIN_TEXT && opens_command (p, text[i])) str_add (&p->out, " ");
    str_add_n (&p->out, text + i, 1);
    if (p->kind == PLAIN_TEXT) remember (p, text[i]);
  }
}

/* Decides about what is held, as far as that can be done. */
static void settle (Plain *p, bool is_end) {
  while (p->count) {
    Judgement j = judge (p->kind, p->held, p->count);
    u32 used = p->count;
    if (j == IS_OPEN && !is_end) return;
    if (j == PASSES) {
      pass (p, (const char *)p->held, p->count);
    } else { /* the first byte alone; the rest is looked at again */
      show (&p->out, p->held[0] < 0x80 ? IS_CONTROL : IS_STRANGE, p->held[0]);
      used = 1;
      while (used < p->count && p->held[0] >= 0x80 && (p->held[used] & 0xc0) == 0x80) used++;
    }
    p->count -= used;
    memmove (p->held, p->held + used, p->count);
    if (p->count > 1) { /* byte by byte, as if they came now */
      u8 rest[sizeof p->held];
      u32 n = p->count;
      memcpy (rest, p->held, n);
      p->count = 0;
      for (u32 i = 0; i < n; i++) {
        p->held[p->count++] = rest[i];
        settle (p, is_end && i + 1 == n);
      }
      return;
    }
  }
}

static Plain *streams; /* that are open: those of the process are never closed */

static bool write_out (Plain *p) {
  size_t done = 0;
  for (ssize_t n; done < p->out.length; done += n > 0 ? (size_t)n : 0)
    if ((n = write (p->fd, p->out.text + done, p->out.length - done)) < 0 && errno != EINTR) break;
  bool ok = done == p->out.length;
  str_clear (&p->out);
  return ok;
}

static ssize_t plain_write (void *cookie, const char *text, size_t size) {
  Plain *p = cookie;
  for (size_t i = 0; i < size; i++) {
    p->held[p->count++] = (u8)text[i];
    settle (p, false);
  }
  return write_out (p) ? (ssize_t)size : -1;
}

static int plain_close (void *cookie) {
  Plain *p = cookie;
  settle (p, true);
  bool ok = write_out (p);
  if (p->fd > STDERR_FILENO) ok = !close (p->fd) && ok;
  Plain **at = &streams;
  while (*at != p) at = &(*at)->next;
  *at = p->next;
  str_free (&p->out);
  mem_free (p);
  return ok ? 0 : -1;
}

FILE *plain_stream (int fd, PlainKind kind) {
  Plain *p = mem_zalloc (sizeof *p);
  p->fd = fd;
  p->kind = kind;
  p->next = streams;
  streams = p;
  return fopencookie (p, "w", (cookie_io_functions_t){.write = plain_write, .close = plain_close});
}

void plain_output (void) {
  FILE *out = plain_stream (STDOUT_FILENO, PLAIN_TEXT),
       *err = plain_stream (STDERR_FILENO, PLAIN_TEXT);
  if (!out || !err) return;
  setvbuf (out, NULL, isatty (STDOUT_FILENO) ? _IOLBF : _IOFBF, 1 << 16);
  setvbuf (err, NULL, _IONBF, 0);
  stdout = out;
  stderr = err;
}

/* ---- texts of others */

static void make_visible (char **text, const char *kept) {
  Str out = {0};
  bool is_strange = false;
  for (const char *c = *text ? *text : ""; *c; c++)
    is_strange |= iscntrl ((u8)*c) && !strchr (kept, *c);
  if (!is_strange) return;
  for (const char *c = *text; *c; c++)
    if (iscntrl ((u8)*c) && !strchr (kept, *c))
      show (&out, IS_CONTROL, (u8)*c);
    else
      str_add_n (&out, c, 1);
  mem_free (*text);
  *text = out.text;
}

void plain_line (char **text) { make_visible (text, ""); }
void plain_lines (char **text) { make_visible (text, "\n\t"); }

char *plain_copy (const char *text) {
  char *copy = mem_strdup (text);
  plain_line (&copy);
  return copy;
}

bool plain_opens_command (const Str *before) {
  size_t n = before->length;
  while (n && isalpha ((u8)before->text[n - 1])) n--;
  return n >= 2 && before->text[n - 1] == '#' && before->text[n - 2] == '#';
}
