/* propose.c - edits that may be what is missing. See the table at the end for what there is. */
#include <ctype.h>
#include <stdlib.h>

#include "repair/edit.h"

typedef struct Use { /* of a global atomic in the witness, after other threads were there */
  bool is_read, is_written;
} Use;

typedef struct Proposer {
  const Search *search;
  const Source *s;
  Proposals *out;
  Use *uses; /* of s->atomics */
  Roles roles;
  u32 kind;      /* of what is proposed, and where: see Proposal */
  const Body *b; /* where something is being proposed */
} Proposer;

static void PRINTF (3, 4) propose (Proposer *x, Range at, const char *format, ...) {
  Str text = {0};
  char part[512];
  va_list list;
  if (memchr (x->s->text + at.start, '\n', at.end - at.start)) return;
  va_start (list, format);
  vsnprintf (part, sizeof part, format, list);
  va_end (list);
  str_add (&text, part);
  char last = text.text[text.length - 1];
  vec_push (x->out, ((Proposal){.at = at,
                                .text = text.text,
                                .is_statement = last == ';' || last == '}',
                                .kind = x->kind,
                                .partner = NO_PARTNER}));
}

static bool text_is (const Proposer *x, Range r, const char *text) {
  return r.end - r.start == strlen (text) && !strncmp (x->s->text + r.start, text, r.end - r.start);
}

static char *text_of (const Proposer *x, Range r) {
  Str s = {0};
  str_add_n (&s, x->s->text + r.start, r.end - r.start);
  return s.text;
}

static bool is_assertion (const Source *s, u32 at) {
  static const char *const names[] = {"assert", "__VERIFIER_assert", "__VERIFIER_assume", "abort"};
  for (u32 i = 0; i < ARRAY_SIZE (names); i++)
    if (word_at (s, at, names[i])) return true;
  return false;
}

/* ---- locks */

/* A mutex that is only tried, as a statement of its own. */
static void try_to_lock (Proposer *x) {
  const Source *s = x->s;
  static const char name[] = "pthread_mutex_trylock";
  for (u32 i = x->b->range.start; i < x->b->range.end; i++) {
    if (!word_at (s, i, name)) continue;
    u32 open = behind_blanks (s, i + (u32)strlen (name)), close = closing (s, open);
    u32 end = behind_blanks (s, close + 1);
    if (s->code[end] != ';') continue;
    propose (x, (Range){i, end + 1}, "pthread_mutex_lock %.*s;", (int)(close + 1 - open),
             s->text + open);
  }
}

/* One mutex of several, always the same. */
static void choose_lock (Proposer *x) {
  const Source *s = x->s;
  for (u32 i = x->b->range.start; i < x->b->range.end; i++)
    for (u32 k = 0; k < s->locks.size; k++) {
      u32 open = i + (u32)strlen (s->locks.data[k]);
      if (!word_at (s, i, s->locks.data[k]) || s->code[open] != '[') continue;
      Range index = trimmed (s, (Range){open + 1, closing (s, open)});
      if (!is_constant (s, index)) propose (x, index, "0");
    }
}

/* A statement that no lock protects, between a lock and its release. */
static void add_lock (Proposer *x) {
  const Ranges *places = &x->b->places;
  for (u32 k = 0; k < x->s->locks.size; k++)
    for (u32 i = 0; i + 1 < places->size; i++)
      for (u32 j = i + 1; j < places->size && j < i + 4; j++) {
        propose (x, places->data[j], "pthread_mutex_unlock (&%s);", x->s->locks.data[k]);
        propose (x, places->data[i], "pthread_mutex_lock (&%s);", x->s->locks.data[k]);
        vec_last (x->out).partner = x->out->size - 2;
      }
}

static bool is_global (const Proposer *x, const char *name) {
  for (u32 i = 0; i < x->s->atomics.size; i++)
    if (!strcmp (x->s->atomics.data[i].name, name)) return true;
  return false;
}

static bool is_parameter (const Proposer *x, const char *name) {
  for (u32 i = 0; i < x->b->params.size; i++) {
    Range r = x->b->params.data[i];
    u32 n = (u32)strlen (name);
    if (r.end - r.start > n && word_at (x->s, r.end - n, name)) return true;
  }
  return false;
}

/* Whether an assertion of the function looks at it. */
static bool is_asserted (const Proposer *x, const char *name) {
  for (u32 i = x->b->range.start; i < x->b->range.end; i++) {
    if (!is_assertion (x->s, i)) continue;
    while (x->s->code[i] != '(' && i < x->b->range.end) i++;
    for (u32 end = closing (x->s, i); i < end; i++)
      if (word_at (x->s, i, name)) return true;
  }
  return false;
}

static bool is_truth (const Proposer *x, const char *name) {
  Str declared = {0};
  str_printf (&declared, "bool %s", name);
  char *text = text_of (x, x->b->range);
  bool yes = strstr (text, declared.text);
  mem_free (text);
  str_free (&declared);
  return yes;
}

/* ---- waiting */

static bool is_space_before (const Source *s, u32 at) { return isspace ((u8)s->code[at - 1]); }

/* `if` around a wait for a condition variable. */
static void test_again (Proposer *x) {
  const Source *s = x->s;
  for (u32 i = x->b->range.start; i < x->b->range.end; i++) {
    if (!word_at (s, i, "if") || !is_space_before (s, i)) continue;
    u32 open = behind_blanks (s, i + 2), body = behind_blanks (s, closing (s, open) + 1);
    u32 inner = s->code[body] == '{' ? behind_blanks (s, body + 1) : body;
    if (!word_at (s, inner, "pthread_cond_wait")) continue;
    u32 end = inner;
    while (s->code[end] != ';') end++;
    Range call = {inner, end + 1};
    u32 last = s->code[body] == '{' ? closing (s, body) + 1 : end + 1;
    if (s->code[body] == '{' && behind_blanks (s, end + 1) != last - 1) continue;
    char *condition = text_of (x, (Range){open, closing (s, open) + 1}), *wait = text_of (x, call);
    propose (x, (Range){i, last}, "while %s %s", condition, wait);
    mem_free (condition);
    mem_free (wait);
  }
}

/* A compare-exchange whose outcome nobody looks at. */
static void retry (Proposer *x) {
  const Source *s = x->s;
  static const char name[] = "atomic_compare_exchange";
  for (u32 i = 0; i < x->b->places.size; i++) {
    u32 at = x->b->places.data[i].start, open = at;
    if (strncmp (s->code + at, name, strlen (name))) continue;
    while (is_name_char (s->code[open])) open++;
    u32 close = closing (s, behind_blanks (s, open));
    if (s->code[behind_blanks (s, close + 1)] != ';') continue;
    char *call = text_of (x, (Range){at, close + 1});
    propose (x, (Range){at, behind_blanks (s, close + 1) + 1}, "while (!%s) {}", call);
    mem_free (call);
  }
}

/* Who finds nothing leaves; it could look again until there is something:
 * `T *v = atomic_load (…); if (!v) { … return; }`. */
static void look_again (Proposer *x) {
  const Source *s = x->s;
  for (u32 c = 0; c < x->b->conditions.size; c++) {
    Range r = x->b->conditions.data[c];
    if (s->code[r.start] != '!' || !word_at (s, r.start - 4, "if")) continue;
    Range v = {r.start + 1, r.end};
    u32 load = 0;
    for (u32 i = x->b->range.start; i < r.start; i++) {
      u32 next = behind_blanks (s, i + v.end - v.start);
      if (strncmp (s->code + i, s->code + v.start, v.end - v.start) || s->code[next] != '=')
        continue;
      if (!strncmp (s->code + behind_blanks (s, next + 1), "atomic_load", 11))
        load = behind_blanks (s, next + 1);
    }
    u32 block = behind_blanks (s, r.end + 1);
    if (!load || s->code[block] != '{') continue;
    u32 open = load;
    while (is_name_char (s->code[open])) open++;
    char *name = text_of (x, v);
    char *call = text_of (x, (Range){load, closing (s, behind_blanks (s, open)) + 1});
    for (u32 i = block; i < closing (s, block); i++) {
      u32 end = behind_blanks (s, i + 6);
      if (!word_at (s, i, "return") || s->code[end] != ';') continue;
      propose (x, (Range){i, end + 1}, "while (!(%s = %s)) {}", name, call);
    }
    mem_free (name);
    mem_free (call);
  }
}

/* What atomic operations can be asked for here: what they are asked for in this function, global
 * ones, and elements of global arrays. */
static void locations_here (const Proposer *x, bool (*is_wanted) (Use u), Names *out) {
  const Body *b = x->b;
  Str name = {0};
  for (u32 i = 0; i < x->s->atomics.size; i++) {
    const Atomics *a = &x->s->atomics.data[i];
    if (!is_wanted (x->uses[i])) continue;
    str_clear (&name);
    str_printf (&name, "&%s", a->name);
    if (!a->sizes.size) name_add (out, name.text, (u32)name.length);
    for (u32 k = 0; a->sizes.size == 1 && k < b->indices.size + b->locals.size; k++) {
      const char *index =
          k < b->indices.size ? b->indices.data[k] : b->locals.data[k - b->indices.size];
      if (!strcmp (index, a->name)) continue;
      str_clear (&name);
      str_printf (&name, "&%s[%s]", a->name, index);
      name_add (out, name.text, (u32)name.length);
    }
  }
  str_free (&name);
}

static void names_free (Names *n) {
  for (u32 i = 0; i < n->size; i++) mem_free (n->data[i]);
  vec_free (n);
}

static bool is_unread (Use u) { return u.is_written && !u.is_read; }
static bool is_unwritten (Use u) { return !u.is_written; }
static bool is_any (Use u) {
  (void)u;
  return true;
}

static void propose_waits (Proposer *x, const char *location) {
  const Body *b = x->b;
  for (u32 p = 0; p < b->places.size; p++) {
    Range at = b->places.data[p];
    propose (x, at, "while (atomic_load (%s)) {}", location);
    propose (x, at, "while (!atomic_load (%s)) {}", location);
  }
  for (u32 p = 0; p < b->places.size; p++)
    for (u32 k = 0; k < b->locals.size; k++) {
      Range at = b->places.data[p];
      if (!roles_agree (&x->roles, location, b->locals.data[k]) || is_global (x, b->locals.data[k]))
        continue;
      propose (x, at, "while (atomic_load (%s) != %s) {}", location, b->locals.data[k]);
      propose (x, at, "while (atomic_load (%s) == %s) {}", location, b->locals.data[k]);
      for (u32 c = 0; c < b->constants.size; c++)
        propose (x, at, "while (%s - atomic_load (%s) >= %s) {}", b->locals.data[k], location,
                 b->constants.data[c]);
    }
}

static void wait_for (Proposer *x, bool (*is_wanted) (Use u)) {
  Names locations = {0};
  locations_here (x, is_wanted, &locations);
  for (u32 i = 0; i < locations.size; i++) propose_waits (x, locations.data[i]);
  names_free (&locations);
}

static bool is_dimension (const Source *s, const char *name) {
  for (u32 i = 0; i < s->atomics.size; i++)
    if (name_has (&s->atomics.data[i].sizes, name, (u32)strlen (name))) return true;
  return false;
}

static bool is_index (const Source *s, const char *name) {
  for (u32 i = 0; i < s->bodies.size; i++)
    if (name_has (&s->bodies.data[i].indices, name, (u32)strlen (name))) return true;
  return false;
}

/* Until no element of an array is something. */
static void propose_wait_for_all (Proposer *x, Range at, const Atomics *a) {
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
    if (bound && (a->sizes.size == 2 || !is_index (x->s, size))) continue;
    str_clear (&head);
    str_printf (&head, "for (int %s = 0; %s < %s; %s++)%s", i, i, size, i,
                part.text ? part.text : "");
    propose (x, at, "%s while (%s) {}", head.text, element.text);
    for (u32 v = 0; v < b->locals.size && !bound; v++)
      if (roles_agree (&x->roles, a->name, b->locals.data[v]) && !is_global (x, b->locals.data[v]))
        propose (x, at, "%s while (%s == %s) {}", head.text, element.text, b->locals.data[v]);
    for (u32 c = 0; c < b->constants.size; c++)
      if (!isdigit ((u8)*b->constants.data[c]) && !is_dimension (x->s, b->constants.data[c]))
        propose (x, at, "%s while (%s >= %s) {}", head.text, element.text, b->constants.data[c]);
  }
  str_free (&head);
  str_free (&element);
  str_free (&part);
}

static void wait_for_all (Proposer *x, bool (*is_wanted) (Use u)) {
  for (u32 i = 0; i < x->s->atomics.size; i++) {
    const Atomics *a = &x->s->atomics.data[i];
    if (!is_wanted (x->uses[i]) || !a->sizes.size || a->sizes.size > 2) continue;
    for (u32 p = 0; p < x->b->places.size; p++) propose_wait_for_all (x, x->b->places.data[p], a);
  }
}

static void wait_for_unread (Proposer *x) { wait_for (x, is_unread); }
static void wait_for_all_unread (Proposer *x) { wait_for_all (x, is_unread); }
static void wait_for_used (Proposer *x) { wait_for (x, is_any); }
static void wait_for_all_used (Proposer *x) { wait_for_all (x, is_any); }

/* ---- stores and assignments */

static void store_to (Proposer *x, bool (*is_wanted) (Use u)) {
  const Body *b = x->b;
  Names locations = {0}, values = {0};
  locations_here (x, is_wanted, &locations);
  for (u32 i = 0; i < b->locals.size; i++)
    name_add (&values, b->locals.data[i], (u32)strlen (b->locals.data[i]));
  for (u32 i = 0; i < b->indices.size; i++)
    name_add (&values, b->indices.data[i], (u32)strlen (b->indices.data[i]));
  for (u32 i = 0; i < b->locals.size; i++) {
    Str other = {0};
    str_printf (&other, "1 - %s", b->locals.data[i]);
    name_add (&values, other.text, (u32)other.length);
    str_free (&other);
  }
  name_add (&values, "0", 1);
  name_add (&values, "1", 1);
  for (u32 i = 0; i < locations.size; i++)
    for (u32 p = 0; p < b->places.size; p++)
      for (u32 v = 0; v < values.size; v++)
        if (roles_agree (&x->roles, locations.data[i], values.data[v]) ||
            !values.data[v][1]) /* 0 or 1 */
          propose (x, b->places.data[p], "atomic_store (%s, %s);", locations.data[i],
                   values.data[v]);
  names_free (&locations);
  names_free (&values);
}

static void store_to_unwritten (Proposer *x) { store_to (x, is_unwritten); }

/* Who waits only does so while a variable that nobody uses has a value, and gives it one before. */
static void take_turns (Proposer *x) {
  const Body *b = x->b;
  static const char *const values[] = {"%s", "1 - %s"};
  for (u32 k = 0; k < x->s->atomics.size; k++) {
    const Atomics *a = &x->s->atomics.data[k];
    if (x->uses[k].is_written || x->uses[k].is_read || a->sizes.size) continue;
    for (u32 c = 0; c < b->conditions.size; c++)
      for (u32 p = 0; p < b->places.size; p++)
        for (u32 v = 0; v < b->locals.size * 4; v++) {
          Range r = b->conditions.data[c], at = b->places.data[p];
          const char *name = b->locals.data[v / 4];
          u32 end = r.start; /* the first operand */
          while (end < r.end && strncmp (x->s->code + end, "&&", 2)) end++;
          r = trimmed (x->s, (Range){r.start, end});
          if (at.start > r.start || !is_parameter (x, name)) continue;
          Str store = {0}, wait = {0};
          str_printf (&store, values[v % 2], name);
          str_printf (&wait, values[v / 2 % 2], name);
          char *text = text_of (x, r);
          propose (x, at, "atomic_store (&%s, %s);", a->name, store.text);
          u32 partner = x->out->size - 1;
          propose (x, r, "%s && atomic_load (&%s) == %s", text, a->name, wait.text);
          if (x->out->size - 1 > partner) vec_last (x->out).partner = partner;
          mem_free (text);
          str_free (&store);
          str_free (&wait);
        }
  }
}

/* A variable gets the value of another one, or what the memory holds now. */
static void assign (Proposer *x) {
  const Body *b = x->b;
  Names locations = {0};
  locations_here (x, is_any, &locations);
  for (u32 i = 0; i < b->locations.size; i++)
    name_add (&locations, b->locations.data[i], (u32)strlen (b->locations.data[i]));
  for (u32 k = b->locals.size; k-- > 0;) /* the last ones are the most temporary */
    for (u32 p = 0; p < b->places.size; p++) {
      const char *to = b->locals.data[k];
      Range at = b->places.data[p];
      if (is_global (x, to) || is_parameter (x, to) || is_asserted (x, to)) continue;
      for (u32 i = 0; i < b->locals.size; i++)
        if (i != k && !is_global (x, b->locals.data[i]) &&
            roles_agree (&x->roles, to, b->locals.data[i]))
          propose (x, at, "%s = %s;", to, b->locals.data[i]);
      for (u32 i = 0; i < locations.size; i++)
        if (roles_agree (&x->roles, to, locations.data[i]))
          propose (x, at, "%s = atomic_load (%s);", to, locations.data[i]);
    }
  for (u32 p = 0; p < b->places.size; p++)
    for (u32 k = 0; k < b->locals.size; k++)
      for (u32 i = 0; i < locations.size; i++)
        for (u32 v = 0; v < b->locals.size; v++)
          if (v != k && !is_global (x, b->locals.data[v]) && is_truth (x, b->locals.data[k]) &&
              (roles_agree (&x->roles, locations.data[i], b->locals.data[v]) ||
               role_is_open (&x->roles, b->locals.data[v])))
            propose (x, b->places.data[p], "%s = atomic_load (%s) == %s;", b->locals.data[k],
                     locations.data[i], b->locals.data[v]);
  names_free (&locations);
}

/* Takes back what an update has changed: `v = atomic_fetch_or (p, m)`. */
static void undo (Proposer *x) {
  static const char *const updates[][2] = {{"atomic_fetch_or", "atomic_fetch_or_explicit"},
                                           {"atomic_fetch_add", "atomic_fetch_add_explicit"},
                                           {"atomic_fetch_sub", "atomic_fetch_sub_explicit"}};
  const Source *s = x->s;
  Ranges arguments = {0};
  for (u32 i = x->b->range.start; i < x->b->range.end; i++)
    for (u32 k = 0; k < ARRAY_SIZE (updates); k++) {
      if (!word_at (s, i, updates[k][0]) && !word_at (s, i, updates[k][1])) continue;
      u32 open = i, name = i;
      while (is_name_char (s->code[open])) open++;
      split_arguments (s, behind_blanks (s, open), &arguments);
      while (name && isspace ((u8)s->code[name - 1])) name--;
      bool is_assigned = s->code[name - 1] == '=';
      for (name--; name && isspace ((u8)s->code[name - 1]);) name--;
      u32 end = name;
      while (name && is_name_char (s->code[name - 1])) name--;
      if (arguments.size < 2 || (!k && !is_assigned)) continue;
      char *v = text_of (x, (Range){name, end}), *p = text_of (x, arguments.data[0]);
      char *m = text_of (x, arguments.data[1]);
      for (u32 n = 0; n < x->b->places.size; n++) {
        Range at = x->b->places.data[n];
        if (at.start < i) continue;
        if (k)
          propose (x, at, "atomic_fetch_%s (%s, %s);", k == 1 ? "sub" : "add", p, m);
        else
          propose (x, at, "if (!(%s & %s)) atomic_fetch_and (%s, ~%s);", v, m, p, m);
      }
      mem_free (v);
      mem_free (p);
      mem_free (m);
    }
  vec_free (&arguments);
}

/* ---- calls */

static bool fits (const Proposer *x, const Body *callee, const char *argument) {
  char *param = text_of (x, callee->params.data[0]);
  bool yes = roles_agree (&x->roles, param, argument);
  mem_free (param);
  return yes;
}

/* Of functions of the program that nobody calls, with what is at hand. */
static void call (Proposer *x) {
  const Body *b = x->b;
  for (u32 f = 0; f < x->s->bodies.size; f++) {
    const Body *callee = &x->s->bodies.data[f];
    u32 n = callee->params.size;
    bool is_void = n == 1 && text_is (x, callee->params.data[0], "void");
    if (callee->is_run || n > 1 || callee->range.start > b->range.start) continue;
    for (u32 p = b->places.size; p-- > 0;) {
      if (is_void) propose (x, b->places.data[p], "%s ();", callee->name);
      for (u32 v = 0; v < b->locals.size && !is_void && n == 1; v++)
        if (fits (x, callee, b->locals.data[v]))
          propose (x, b->places.data[p], "%s (%s);", callee->name, b->locals.data[v]);
    }
  }
}

/* A truth value is only true if a function that others ask says so, too. */
static void ask_too (Proposer *x) {
  const Body *b = x->b;
  for (u32 f = 0; f < x->s->bodies.size; f++) {
    const Body *callee = &x->s->bodies.data[f];
    if (callee->range.start >= b->range.start || callee->params.size != 1 || !callee->is_run)
      continue;
    for (u32 p = 0; p < b->places.size; p++)
      for (u32 k = 0; k < b->locals.size; k++)
        for (u32 v = 0; v < b->locals.size; v++)
          if (v != k && fits (x, callee, b->locals.data[v]) && is_truth (x, b->locals.data[k]))
            propose (x, b->places.data[p], "%s = %s && %s (%s);", b->locals.data[k],
                     b->locals.data[k], callee->name, b->locals.data[v]);
  }
}

/* ---- numbers and conditions */

static void off_by_one (Proposer *x, Range r, bool is_more) {
  char *text = text_of (x, r);
  bool is_number = true, is_simple = true;
  for (u32 i = r.start; i < r.end; i++) {
    is_number &= isdigit ((u8)x->s->text[i]) != 0;
    is_simple &= is_name_char (x->s->text[i]);
  }
  if (is_number && r.end - r.start < 9) {
    int old = atoi (text), new = old + (is_more ? 1 : -1);
    if (old && new) propose (x, r, "%d", new); /* 0 and 1 may be answers, not numbers */
  } else
    propose (x, r, is_simple || closing (x->s, r.start) == r.end - 1 ? "%s %c 1" : "(%s) %c 1",
             text, is_more ? '+' : '-');
  mem_free (text);
}

/* What functions of the program, and stores, are given. */
static void change_arguments (Proposer *x, bool constants) {
  const Source *s = x->s;
  Ranges arguments = {0};
  for (u32 i = x->b->range.start; i < x->b->range.end; i++) {
    if (!is_name_char (s->code[i]) || is_name_char (s->code[i - 1])) continue;
    u32 end = i;
    while (is_name_char (s->code[end])) end++;
    u32 open = behind_blanks (s, end);
    if (s->code[open] != '(') continue;
    if (is_assertion (s, i)) {
      i = closing (s, open);
      continue;
    }
    bool is_own = !strncmp (s->code + i, "atomic_store", 12) || word_at (s, i, "atomic_init");
    for (u32 k = 0; k < s->bodies.size; k++) is_own |= word_at (s, i, s->bodies.data[k].name);
    split_arguments (s, open, &arguments);
    for (u32 k = 0; k < arguments.size && is_own; k++) {
      Range r = arguments.data[k];
      if (s->code[r.start] == '&' || !strncmp (s->code + r.start, "memory_order", 12) ||
          is_constant (s, r) != constants)
        continue;
      off_by_one (x, r, true);
      off_by_one (x, r, false);
    }
  }
  vec_free (&arguments);
}

static void change_constants (Proposer *x) { change_arguments (x, true); }
static void change_values (Proposer *x) { change_arguments (x, false); }

/* A loop that goes round once more. */
static void one_more_round (Proposer *x) {
  const Source *s = x->s;
  for (u32 c = 0; c < x->b->conditions.size; c++) {
    Range r = x->b->conditions.data[c];
    u32 at = r.start;
    while (at < r.end && s->code[at] != '<') at++;
    if (at == r.end || is_constant (s, (Range){r.start, at})) continue;
    at += s->code[at + 1] == '=' ? 2 : 1;
    u32 end = at;
    while (end < r.end && !strchr ("&|", s->code[end])) end++;
    off_by_one (x, trimmed (s, (Range){at, end}), true);
  }
}

/* The operands of && or || on the outermost level. */
static void split_condition (const Source *s, Range r, const char *op, Ranges *out) {
  u32 start = r.start;
  out->size = 0;
  for (u32 i = r.start; i < r.end; i++) {
    if (strchr ("([{", s->code[i])) i = closing (s, i);
    if (s->code[i] != op[0] || s->code[i + 1] != op[0]) continue;
    vec_push (out, trimmed (s, ((Range){start, i})));
    start = i + 2;
    i++;
  }
  vec_push (out, trimmed (s, ((Range){start, r.end})));
}

/* Comparisons of what is at hand. */
static void atoms_here (const Proposer *x, Names *out) {
  static const char *const comparisons[] = {"==", "!=", "<", ">"};
  const Body *b = x->b;
  Str s = {0};
  for (u32 i = 0; i < b->locals.size; i++)
    for (u32 c = 0; c < ARRAY_SIZE (comparisons) && !is_global (x, b->locals.data[i]); c++) {
      for (u32 k = i + 1; k < b->locals.size; k++) {
        if (!roles_agree (&x->roles, b->locals.data[i], b->locals.data[k]) ||
            is_global (x, b->locals.data[k]))
          continue;
        str_clear (&s);
        str_printf (&s, "%s %s %s", b->locals.data[i], comparisons[c], b->locals.data[k]);
        name_add (out, s.text, (u32)s.length);
      }
      for (u32 k = 0; k < b->constants.size && c < 2; k++) {
        str_clear (&s);
        str_printf (&s, "%s %s %s", b->locals.data[i], comparisons[c], b->constants.data[k]);
        name_add (out, s.text, (u32)s.length);
      }
    }
  for (u32 i = 0; i < b->locals.size; i++) {
    if (is_global (x, b->locals.data[i])) continue;
    str_clear (&s);
    str_printf (&s, "%s %% 2", b->locals.data[i]);
    name_add (out, s.text, (u32)s.length);
  }
  str_free (&s);
}

static Range without_parentheses (const Source *s, Range r) {
  if (s->code[r.start] != '(' || closing (s, r.start) != r.end - 1) return r;
  return trimmed (s, (Range){r.start + 1, r.end - 1});
}

static void change_condition (Proposer *x, Range r, const Names *atoms) {
  const Source *s = x->s;
  static const char *const ops[] = {"&", "|"};
  Ranges operands = {0};
  char *text = text_of (x, r);
  if (memchr (text, '\n', strlen (text))) goto done;
  if (!is_constant (s, r)) {
    bool is_simple = !strpbrk (text, "&|?=");
    const char *format[] = {is_simple ? "%s && %s" : "(%s) && %s",
                            is_simple ? "%s || %s" : "(%s) || %s"};
    for (u32 o = 0; o < 2; o++)
      for (u32 i = 0; i < atoms->size; i++) propose (x, r, format[o], text, atoms->data[i]);
  }
  for (u32 o = 0; o < 2; o++) {
    split_condition (s, r, ops[o], &operands);
    for (u32 k = 0; k < operands.size && operands.size > 1; k++)
      change_condition (x, without_parentheses (s, operands.data[k]), atoms);
  }
done:
  mem_free (text);
  vec_free (&operands);
}

/* A condition that asks for less. */
static void drop_operand (Proposer *x, Range r) {
  const Source *s = x->s;
  static const char *const ops[] = {"&", "|"};
  Ranges operands = {0};
  for (u32 o = 0; o < 2; o++) {
    split_condition (s, r, ops[o], &operands);
    for (u32 k = 0; k < operands.size && operands.size > 1; k++) {
      if (is_constant (s, operands.data[k])) continue;
      u32 other = k ? operands.data[k - 1].end : operands.data[k].start;
      u32 end = k ? operands.data[k].end : operands.data[k + 1].start;
      char *before = text_of (x, (Range){r.start, other}),
           *behind = text_of (x, (Range){end, r.end});
      propose (x, r, "%s%s", before ? before : "", behind ? behind : "");
      mem_free (before);
      mem_free (behind);
    }
  }
  vec_free (&operands);
}

static void drop_operands (Proposer *x) {
  for (u32 c = 0; c < x->b->conditions.size; c++) drop_operand (x, x->b->conditions.data[c]);
}

static void change_conditions (Proposer *x) {
  Names atoms = {0};
  atoms_here (x, &atoms);
  for (u32 c = 0; c < x->b->conditions.size; c++)
    change_condition (x, x->b->conditions.data[c], &atoms);
  for (u32 c = 0; c < x->b->returns.size; c++) {
    Range r = x->b->returns.data[c];
    char *text = text_of (x, r);
    bool is_truth = strpbrk (text, "=<>!&|");
    mem_free (text);
    if (is_truth) change_condition (x, r, &atoms);
  }
  names_free (&atoms);
}

/* Another comparison, or with another constant. */
static void change_comparisons (Proposer *x) {
  static const char *const comparisons[] = {"==", "!=", "<=", ">=", "<", ">"};
  const Source *s = x->s;
  const Body *b = x->b;
  for (u32 i = b->range.start; i < b->range.end; i++) {
    u32 c = 0;
    if (s->code[i - 1] == '-' || s->code[i - 1] == '<' || s->code[i - 1] == '>') continue;
    while (c < ARRAY_SIZE (comparisons) &&
           strncmp (s->code + i, comparisons[c], strlen (comparisons[c])))
      c++;
    if (c == ARRAY_SIZE (comparisons) || s->code[i + 1] == s->code[i]) {
      if (c < ARRAY_SIZE (comparisons) && c > 1) continue;
      if (c == ARRAY_SIZE (comparisons)) continue;
    }
    u32 start = i, end = i + (u32)strlen (comparisons[c]);
    while (isspace ((u8)s->code[start - 1])) start--;
    u32 name = start;
    while (is_name_char (s->code[name - 1])) name--;
    end = behind_blanks (s, end);
    u32 last = end;
    while (is_name_char (s->code[last])) last++;
    Range left = {name, start}, right = {end, last}, all = {name, last};
    i = last;
    if (name == start || end == last || is_constant (s, left) || !is_constant (s, right)) continue;
    char *v = text_of (x, left), *w = text_of (x, right);
    for (u32 k = 0; k < ARRAY_SIZE (comparisons); k++)
      if (k != c) propose (x, all, "%s %s %s", v, comparisons[k], w);
    Names constants = {0};
    for (u32 f = 0; f < s->bodies.size; f++)
      for (u32 k = 0; k < s->bodies.data[f].constants.size; k++)
        name_add (&constants, s->bodies.data[f].constants.data[k],
                  (u32)strlen (s->bodies.data[f].constants.data[k]));
    for (u32 n = 0; n < constants.size; n++)
      for (u32 k = 0; k < 2; k++)
        if (strcmp (constants.data[n], w))
          propose (x, all, "%s %s %s", v, comparisons[k], constants.data[n]);
    names_free (&constants);
    mem_free (v);
    mem_free (w);
  }
}

/* ---- */

/* Statements that one expects, in this order. */
static void (*const kinds[]) (Proposer *x) = {
    try_to_lock,
    choose_lock,
    test_again,
    retry,
    take_turns,
    look_again,
    wait_for_unread,
    wait_for_all_unread,
    store_to_unwritten,
    call,
    one_more_round,
    change_constants,
    change_values,
    drop_operands,
    change_comparisons,
    undo,
    wait_for_used,
    assign,
    ask_too,
    wait_for_all_used,
    change_conditions,
    add_lock,
};

static void note_run (const Search *search, const Source *s, u32 pos) {
  const Program *p = search->p;
  u32 f = pos ? p->positions.data[pos].func : p->functions.size;
  for (u32 i = 0; i < s->bodies.size && f < p->functions.size; i++)
    if (!strcmp (s->bodies.data[i].name, p->functions.data[f].name))
      s->bodies.data[i].is_run = true;
}

static void note_witness (Proposer *x) {
  const Witness *w = &x->search->f->witness;
  note_run (x->search, x->s, x->search->f->pos);
  for (u32 i = 0; i < w->events.size; i++) {
    const WitnessEvent *e = &w->events.data[i];
    note_run (x->search, x->s, e->pos);
    for (u32 k = 0; k < WITNESS_STACK && e->stack[k]; k++) note_run (x->search, x->s, e->stack[k]);
    for (u32 k = 0; k < x->s->atomics.size && e->location >= 0; k++) {
      const char *name = x->s->atomics.data[k].name, *other = w->locations.data[e->location].name;
      size_t n = strlen (name);
      if (strncmp (name, other, n) || is_name_char (other[n])) continue;
      x->uses[k].is_read |= event_reads (e);
      x->uses[k].is_written |= event_writes (e) && !is_preparation (w, i);
    }
  }
}

/* A function that has no events is run if it is called; others have events if they are run. */
static bool is_called (const Proposer *x, const Body *b) {
  for (u32 i = b->range.start; i < b->range.end; i++)
    if (!strncmp (x->s->code + i, "atomic_", 7) || !strncmp (x->s->code + i, "pthread_", 8))
      return false;
  return true;
}

static void note_called (Proposer *x) {
  const Source *s = x->s;
  for (u32 round = 0; round < s->bodies.size; round++)
    for (u32 f = 0; f < s->bodies.size; f++) {
      const Body *b = &s->bodies.data[f];
      for (u32 i = b->range.start; i < b->range.end && b->is_run; i++)
        for (u32 k = 0; k < s->bodies.size; k++)
          if (is_called (x, &s->bodies.data[k]) && word_at (s, i, s->bodies.data[k].name))
            s->bodies.data[k].is_run = true;
    }
}

void propose_edits (const Search *search, const Source *source, Proposals *out) {
  Proposer x = {.search = search, .s = source, .out = out};
  x.uses = mem_zalloc ((source->atomics.size + 1) * sizeof *x.uses);
  roles_find (source, &x.roles);
  note_witness (&x);
  note_called (&x);
  for (u32 k = 0; k < ARRAY_SIZE (kinds); k++)
    for (u32 i = 0; i < source->bodies.size; i++) {
      x.b = &source->bodies.data[i];
      x.kind++;
      if (x.b->is_run) kinds[k](&x);
    }
  roles_free (&x.roles);
  mem_free (x.uses);
}

void proposals_free (Proposals *p) {
  for (u32 i = 0; i < p->size; i++) mem_free (p->data[i].text);
  vec_free (p);
}
