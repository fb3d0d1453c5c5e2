/* java.c - litmus tests in Java as herd reads them: methods of VarHandles become the macros of
 * porf/java.h.
 *
 *   Java SB
 *   { 0:X = x; 0:Y = y; 1:X = x; 1:Y = y; }
 *   Thread0 { X.setOpaque (1); int r0 = Y.getOpaque (); }
 *   Thread1 { Y.setOpaque (1); int r0 = X.getOpaque (); }
 *   exists (0:r0=0 /\ 1:r0=0)
 */
#include <ctype.h>

#include "litmus/litmus_int.h"

static bool is_letter (char c) { return isalnum ((u8)c) || c == '_'; }

/* What thread `number` calls a location, or NULL. */
static const char *meaning_of (const Handles *h, u32 number, const char *name, size_t n) {
  for (u32 i = 0; i < h->size; i++) {
    const Handle *k = &h->data[i];
    if (k->thread == number && strlen (k->name) == n && !strncmp (k->name, name, n))
      return k->location;
  }
  return NULL;
}

/* Behind `at`, a name: the method that is called on it, or NULL. */
static const char *method_behind (const char *at, size_t *n) {
  at += strspn (at, " \t\r\n");
  if (*at != '.') return NULL;
  at++;
  at += strspn (at, " \t\r\n");
  *n = litmus_word_length (at);
  return *n && at[*n + strspn (at + *n, " \t\r\n")] == '(' ? at : NULL;
}

/* x.set (1) as set (&x, 1), VarHandle.fullFence () as fullFence (). */
static const char *write_call (const Handles *h, u32 number, const char *name, size_t n,
                               const char *method, size_t length, Str *out) {
  const char *open = method + length + strspn (method + length, " \t\r\n") + 1;
  const char *location = meaning_of (h, number, name, n);
  bool is_static = n == 9 && !strncmp (name, "VarHandle", 9);
  str_printf (out, "%.*s (", (int)length, method);
  if (is_static) return open;
  str_printf (out, "&%.*s", location ? (int)strlen (location) : (int)n, location ? location : name);
  if (open[strspn (open, " \t\r\n")] != ')') str_add (out, ", ");
  return open;
}

char *litmus_java_body (const Handles *h, u32 number, const char *body) {
  Str out = {0};
  for (const char *at = body; *at;) {
    size_t n = litmus_word_length (at), length = 0;
    bool is_word = n && (at == body || !is_letter (at[-1]));
    const char *method = is_word ? method_behind (at + n, &length) : NULL;
    if (method) {
      at = write_call (h, number, at, n, method, length, &out);
    } else {
      size_t step = n ? n : 1;
      str_add_n (&out, at, step);
      at += step;
    }
  }
  return out.text ? out.text : mem_strdup ("");
}

void litmus_free_handles (Handles *h) {
  for (u32 i = 0; i < h->size; i++) {
    mem_free (h->data[i].name);
    mem_free (h->data[i].location);
  }
  vec_free (h);
}
