/* propose_waits.c - threads that wait, or look again. */
#include <ctype.h>

#include "repair/edits/propose.h"

static bool is_unread (Use u) { return u.is_written && !u.is_read; }

static bool is_space_before (const Source *s, u32 at) { return isspace ((u8)s->code[at - 1]); }

/* `if` around a wait for a condition variable. */
void propose_test_again (Proposer *x) {
  const Source *s = x->s;
  for (u32 i = x->b->range.start; i < x->b->range.end; i++) {
    if (!source_word_at (s, i, "if") || !is_space_before (s, i)) continue;
    u32 open = source_after_blanks (s, i + 2),
        body = source_after_blanks (s, source_closing (s, open) + 1);
    u32 inner = s->code[body] == '{' ? source_after_blanks (s, body + 1) : body;
    if (!source_word_at (s, inner, "pthread_cond_wait")) continue;
    u32 end = inner;
    while (s->code[end] != ';') end++;
    Span call = {inner, end + 1};
    u32 last = s->code[body] == '{' ? source_closing (s, body) + 1 : end + 1;
    if (s->code[body] == '{' && source_after_blanks (s, end + 1) != last - 1) continue;
    char *condition = propose_text_of (x, (Span){open, source_closing (s, open) + 1}),
         *wait = propose_text_of (x, call);
    propose_text (x, (Span){i, last}, "while %s %s", condition, wait);
    mem_free (condition);
    mem_free (wait);
  }
}

/* A compare-exchange whose outcome no thread looks at. */
void propose_retry (Proposer *x) {
  const Source *s = x->s;
  static const char name[] = "atomic_compare_exchange";
  for (u32 i = 0; i < x->b->places.size; i++) {
    u32 at = x->b->places.data[i].start, open = at;
    if (strncmp (s->code + at, name, strlen (name))) continue;
    while (source_is_name_char (s->code[open])) open++;
    u32 close = source_closing (s, source_after_blanks (s, open));
    if (s->code[source_after_blanks (s, close + 1)] != ';') continue;
    char *call = propose_text_of (x, (Span){at, close + 1});
    propose_text (x, (Span){at, source_after_blanks (s, close + 1) + 1}, "while (!%s) {}", call);
    mem_free (call);
  }
}

/* Who finds nothing leaves; it could look again until there is something:
 * `T *v = atomic_load (…); if (!v) { … return; }`. */
void propose_look_again (Proposer *x) {
  const Source *s = x->s;
  for (u32 c = 0; c < x->b->conditions.size; c++) {
    Span r = x->b->conditions.data[c];
    if (s->code[r.start] != '!' || !source_word_at (s, r.start - 4, "if")) continue;
    Span v = {r.start + 1, r.end};
    u32 load = 0;
    for (u32 i = x->b->range.start; i < r.start; i++) {
      u32 next = source_after_blanks (s, i + v.end - v.start);
      if (strncmp (s->code + i, s->code + v.start, v.end - v.start) || s->code[next] != '=')
        continue;
      if (!strncmp (s->code + source_after_blanks (s, next + 1), "atomic_load", 11))
        load = source_after_blanks (s, next + 1);
    }
    u32 block = source_after_blanks (s, r.end + 1);
    if (!load || s->code[block] != '{') continue;
    u32 open = load;
    while (source_is_name_char (s->code[open])) open++;
    char *name = propose_text_of (x, v);
    char *call =
        propose_text_of (x, (Span){load, source_closing (s, source_after_blanks (s, open)) + 1});
    for (u32 i = block; i < source_closing (s, block); i++) {
      u32 end = source_after_blanks (s, i + 6);
      if (!source_word_at (s, i, "return") || s->code[end] != ';') continue;
      propose_text (x, (Span){i, end + 1}, "while (!(%s = %s)) {}", name, call);
    }
    mem_free (name);
    mem_free (call);
  }
}

static void propose_waits (Proposer *x, const char *location) {
  const Body *b = x->b;
  for (u32 p = 0; p < b->places.size; p++) {
    Span at = b->places.data[p];
    propose_text (x, at, "while (atomic_load (%s)) {}", location);
    propose_text (x, at, "while (!atomic_load (%s)) {}", location);
  }
  for (u32 p = 0; p < b->places.size; p++)
    for (u32 k = 0; k < b->locals.size; k++) {
      Span at = b->places.data[p];
      if (!roles_agree (&x->roles, location, b->locals.data[k]) ||
          propose_is_global (x, b->locals.data[k]))
        continue;
      propose_text (x, at, "while (atomic_load (%s) != %s) {}", location, b->locals.data[k]);
      propose_text (x, at, "while (atomic_load (%s) == %s) {}", location, b->locals.data[k]);
      for (u32 c = 0; c < b->constants.size; c++)
        propose_text (x, at, "while (%s - atomic_load (%s) >= %s) {}", b->locals.data[k], location,
                      b->constants.data[c]);
    }
}

static void wait_for (Proposer *x, bool (*is_wanted) (Use u)) {
  Names locations = {0};
  propose_locations_here (x, is_wanted, &locations);
  for (u32 i = 0; i < locations.size; i++) propose_waits (x, locations.data[i]);
  names_free (&locations);
}

static bool is_dimension (const Outline *o, const char *name) {
  for (u32 i = 0; i < o->atomics.size; i++)
    if (name_has (&o->atomics.data[i].sizes, name, (u32)strlen (name))) return true;
  return false;
}

static bool is_index (const Outline *o, const char *name) {
  for (u32 i = 0; i < o->bodies.size; i++)
    if (name_has (&o->bodies.data[i].indices, name, (u32)strlen (name))) return true;
  return false;
}

/* Until no element of an array is something. */
static void propose_wait_for_all (Proposer *x, Span at, const Atomics *a) {
  const Body *b = x->b;
  static const char *const counters[] = {"j", "k", "m", "n", "jj", "kk"};
  const char *free_names[2] = {"j_", "k_"};
  u32 found = 0;
  for (u32 i = 0; i < ARRAY_SIZE (counters) && found < 2; i++)
    if (!name_has (&b->locals, counters[i], (u32)strlen (counters[i])))
      free_names[found++] = counters[i];
  const char *i = free_names[0], *k = free_names[1];
  Str head = {0}, element = {0}, part = {0};
  str_printf (&element, "atomic_load (&%s[%s]", a->name, i);
  if (a->sizes.size == 2) {
    str_printf (&element, "[%s]", k);
    str_printf (&part, " for (int %s = 0; %s < %s; %s++)", k, k, a->sizes.data[1], k);
  }
  str_add (&element, ")");
  for (u32 bound = 0; bound <= b->locals.size; bound++) {
    const char *size = bound ? b->locals.data[bound - 1] : a->sizes.data[0];
    if (bound && (a->sizes.size == 2 || !is_index (x->outline, size))) continue;
    str_clear (&head);
    str_printf (&head, "for (int %s = 0; %s < %s; %s++)%s", i, i, size, i,
                part.text ? part.text : "");
    propose_text (x, at, "%s while (%s) {}", head.text, element.text);
    for (u32 v = 0; v < b->locals.size && !bound; v++)
      if (roles_agree (&x->roles, a->name, b->locals.data[v]) &&
          !propose_is_global (x, b->locals.data[v]))
        propose_text (x, at, "%s while (%s == %s) {}", head.text, element.text, b->locals.data[v]);
    for (u32 c = 0; c < b->constants.size; c++)
      if (!isdigit ((u8)*b->constants.data[c]) && !is_dimension (x->outline, b->constants.data[c]))
        propose_text (x, at, "%s while (%s >= %s) {}", head.text, element.text,
                      b->constants.data[c]);
  }
  str_free (&head);
  str_free (&element);
  str_free (&part);
}

static void wait_for_all (Proposer *x, bool (*is_wanted) (Use u)) {
  for (u32 i = 0; i < x->outline->atomics.size; i++) {
    const Atomics *a = &x->outline->atomics.data[i];
    if (!is_wanted (x->uses[i]) || !a->sizes.size || a->sizes.size > 2) continue;
    for (u32 p = 0; p < x->b->places.size; p++) propose_wait_for_all (x, x->b->places.data[p], a);
  }
}

void propose_wait_for_unread (Proposer *x) { wait_for (x, is_unread); }
void propose_wait_for_all_unread (Proposer *x) { wait_for_all (x, is_unread); }
void propose_wait_for_used (Proposer *x) { wait_for (x, propose_is_any); }
void propose_wait_for_all_used (Proposer *x) { wait_for_all (x, propose_is_any); }
