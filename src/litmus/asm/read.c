/* read.c - the initial state, and the columns of threads. */
#include <ctype.h>
#include <stdlib.h>

#include "litmus/asm/asm.h"

u32 asm_location (Asm *a, const char *name, size_t n) {
  for (u32 i = 0; i < a->locations.size; i++)
    if (strlen (a->locations.data[i].name) == n && !strncmp (a->locations.data[i].name, name, n))
      return i;
  vec_push (&a->locations, ((AsmLocation){.name = litmus_copy (name, n), .points_to = -1}));
  return a->locations.size - 1;
}

static AsmThread *thread_at (Asm *a, u32 number) {
  while (a->threads.size <= number) vec_push (&a->threads, ((AsmThread){.a = a}));
  return &a->threads.data[number];
}

/* ---- initial state ---- */

static const AsmType types[] = {
    {"int", 4, true},       {"int32_t", 4, true}, {"uint32_t", 4, false}, {"int64_t", 8, true},
    {"uint64_t", 8, false}, {"int16_t", 2, true}, {"uint16_t", 2, false}, {"int8_t", 1, true},
    {"uint8_t", 1, false},  {"long", 8, true},    {"intptr_t", 8, true},  {"uintptr_t", 8, false},
    {"unsigned", 4, false}, {"char", 1, true},    {"short", 2, true},
};

static const AsmType *read_type (Input *in) {
  const char *before = in->at;
  for (u32 i = 0; i < ARRAY_SIZE (types); i++) {
    if (!litmus_take_word (in, types[i].name)) continue;
    litmus_skip_blanks (in);
    if (litmus_word_length (in->at) || *in->at == '*' || *in->at == '[') {
      bool is_pointer = litmus_take (in, "*");
      return is_pointer ? &types[4] : &types[i];
    }
    in->at = before; /* it is a name */
  }
  return NULL;
}

typedef struct Value {
  u64 number;
  i32 points_to;
} Value;

/* 5   -1   0x10   x   &x   x+4 */
static bool read_value (Asm *a, Value *v) {
  Input *in = a->in;
  char *end;
  *v = (Value){.points_to = -1};
  litmus_take (in, "&");
  litmus_skip_blanks (in);
  size_t n = litmus_word_length (in->at);
  if (n && !isdigit ((u8)*in->at)) {
    v->points_to = (i32)asm_location (a, in->at, n);
    in->at += n;
    if (litmus_take (in, ":")) return litmus_fail (in, "addresses of code are not supported");
    if (!litmus_take (in, "+")) return true;
    litmus_skip_blanks (in);
  }
  v->number = *in->at == '-' ? (u64)strtoll (in->at, &end, 0) : strtoull (in->at, &end, 0);
  if (end == in->at) return litmus_fail (in, "expected a number or the name of a location");
  in->at = end;
  return true;
}

/* 0:X1=x   uint64_t 0:X1 */
static bool read_preset (Asm *a, const AsmType *type) {
  Input *in = a->in;
  AsmPreset p = {.type = type, .points_to = -1};
  enum { MOST_THREADS = 64 };
  Value v;
  in->at += *in->at == 'P';
  u32 number = (u32)strtoul (in->at, NULL, 10);
  if (number >= MOST_THREADS) return litmus_fail (in, "more than %d threads", MOST_THREADS);
  in->at += litmus_word_length (in->at);
  if (!litmus_take (in, ":")) return litmus_fail (in, "expected `:` and a register");
  litmus_take (in, "%");
  litmus_skip_blanks (in);
  size_t n = litmus_word_length (in->at);
  if (!n || !a->dialect->find_register (in->at, n, &p.reg))
    return litmus_fail (in, "`%.*s` is not a register of %s", (int)n, in->at, a->dialect->name);
  in->at += n;
  if (litmus_take (in, "=")) {
    if (!read_value (a, &v)) return false;
    p.value = v.number;
    p.points_to = v.points_to;
  }
  vec_push (&thread_at (a, number)->presets, p);
  return true;
}

static bool read_initial_location (Asm *a, const AsmType *type) {
  Input *in = a->in;
  Value v;
  bool in_brackets = litmus_take (in, "[");
  litmus_skip_blanks (in);
  size_t n = litmus_word_length (in->at);
  if (!n) return litmus_fail (in, "expected the initial value of a register or a location");
  u32 l = asm_location (a, in->at, n);
  in->at += n;
  if (in_brackets && !litmus_take (in, "]")) return litmus_fail (in, "expected `]`");
  litmus_skip_blanks (in);
  if (*in->at == '[') return litmus_fail (in, "arrays are not supported");
  if (type) a->locations.data[l].type = type;
  if (!litmus_take (in, "=")) return true;
  if (!read_value (a, &v)) return false;
  a->locations.data[l].value = v.number;
  a->locations.data[l].points_to = v.points_to;
  return true;
}

bool asm_read_init (Asm *a) {
  Input *in = a->in;
  if (!litmus_take (in, "{")) return litmus_fail (in, "expected `{` and the initial state");
  while (!litmus_take (in, "}")) {
    if (litmus_take (in, ";")) continue;
    if (!*in->at) return litmus_fail (in, "`{` without `}`");
    const AsmType *type = read_type (in);
    litmus_skip_blanks (in);
    if (!(litmus_begins_register (in->at) ? read_preset (a, type)
                                          : read_initial_location (a, type)))
      return false;
    litmus_skip_blanks (in);
    if (*in->at != ';' && *in->at != '}')
      return litmus_fail (in, "`%.*s` is not supported in the initial state",
                          (int)strcspn (in->at, ";}\n"), in->at);
  }
  return true;
}

/* ---- threads ---- */

/* Where the cell that begins here ends: at `|`, `;` or the end of the text. */
static const char *end_of_cell (const char *at) { return at + strcspn (at, "|;"); }

static bool read_header (Asm *a) {
  Input *in = a->in;
  for (u32 i = 0;; i++) {
    char name[16];
    snprintf (name, sizeof name, "P%u", i);
    if (!litmus_take_word (in, name)) return litmus_fail (in, "expected thread %s", name);
    thread_at (a, i);
    litmus_skip_blanks (in);
    if (*in->at == ':') return litmus_fail (in, "`:` after a thread is not supported");
    if (litmus_take (in, "|")) continue;
    if (!litmus_take (in, ";")) return litmus_fail (in, "expected `|` or `;`");
    return i + 1 == a->threads.size ||
           litmus_fail (in, "there are registers of thread P%u, but no P%u", i + 1, i + 1);
  }
}

static bool is_over (Input *in) {
  static const char *const words[] = {"exists", "forall", "filter", "locations", "not", "observed"};
  litmus_skip_blanks (in);
  size_t n = litmus_word_length (in->at);
  for (u32 i = 0; i < ARRAY_SIZE (words); i++)
    if (strlen (words[i]) == n && !strncmp (in->at, words[i], n)) return true;
  return !*in->at || *in->at == '~';
}

static bool read_row (Asm *a) {
  Input *in = a->in;
  for (u32 i = 0;; i++) {
    const char *end = end_of_cell (in->at);
    if (!*end) return litmus_fail (in, "expected `;` after the instructions of a line");
    if (i >= a->threads.size) return litmus_fail (in, "more columns than threads");
    if (!asm_read_line (&a->threads.data[i], in->at, end)) return false;
    in->at = end + 1;
    if (*end == ';') return true;
  }
}

bool asm_read_threads (Asm *a) {
  litmus_take (a->in, ";");
  if (!read_header (a)) return false;
  while (!is_over (a->in))
    if (!read_row (a)) return false;
  return true;
}
