/* propose_stores.c - stores and assignments that are missing. */
#include <ctype.h>

#include "repair/edits/propose.h"

static bool is_parameter (const Proposer *x, const char *name) {
  for (u32 i = 0; i < x->b->params.size; i++) {
    Span r = x->b->params.data[i];
    u32 n = (u32)strlen (name);
    if (r.end - r.start > n && source_word_at (x->s, r.end - n, name)) return true;
  }
  return false;
}

/* Whether an assertion of the function looks at it. */
static bool is_asserted (const Proposer *x, const char *name) {
  for (u32 k = 0; k < x->b->assertions.size; k++)
    for (u32 i = x->b->assertions.data[k].start; i < x->b->assertions.data[k].end; i++)
      if (source_word_at (x->s, i, name)) return true;
  return false;
}

static bool is_unwritten (Use u) { return !u.is_written; }

static void store_to (Proposer *x, bool (*is_wanted) (Use u)) {
  const Body *b = x->b;
  Names locations = {0}, values = {0};
  propose_locations_here (x, is_wanted, &locations);
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
          propose_text (x, b->places.data[p], "atomic_store (%s, %s);", locations.data[i],
                        values.data[v]);
  names_free (&locations);
  names_free (&values);
}

void propose_store_to_unwritten (Proposer *x) { store_to (x, is_unwritten); }

/* A wait only lasts while a variable that no thread uses has a value, and gives it one before. */
void propose_take_turns (Proposer *x) {
  const Body *b = x->b;
  static const char *const values[] = {"%s", "1 - %s"};
  for (u32 k = 0; k < x->outline->atomics.size; k++) {
    const Atomics *a = &x->outline->atomics.data[k];
    if (x->uses[k].is_written || x->uses[k].is_read || a->sizes.size) continue;
    for (u32 c = 0; c < b->conditions.size; c++)
      for (u32 p = 0; p < b->places.size; p++)
        for (u32 v = 0; v < b->locals.size * 4; v++) {
          Span r = b->conditions.data[c], at = b->places.data[p];
          const char *name = b->locals.data[v / 4];
          u32 end = r.start; /* the first operand */
          while (end < r.end && strncmp (x->s->code + end, "&&", 2)) end++;
          r = source_trimmed (x->s, (Span){r.start, end});
          if (at.start > r.start || !is_parameter (x, name)) continue;
          Str store = {0}, wait = {0};
          str_printf (&store, values[v % 2], name);
          str_printf (&wait, values[v / 2 % 2], name);
          char *text = propose_text_of (x, r);
          propose_text (x, at, "atomic_store (&%s, %s);", a->name, store.text);
          u32 partner = x->out->size - 1;
          propose_text (x, r, "%s && atomic_load (&%s) == %s", text, a->name, wait.text);
          if (x->out->size - 1 > partner) vec_last (x->out).partner = partner;
          mem_free (text);
          str_free (&store);
          str_free (&wait);
        }
  }
}

/* A variable gets the value of another one, or what the memory holds now. */
void propose_assign (Proposer *x) {
  const Body *b = x->b;
  Names locations = {0};
  propose_locations_here (x, propose_is_any, &locations);
  for (u32 i = 0; i < b->locations.size; i++)
    name_add (&locations, b->locations.data[i], (u32)strlen (b->locations.data[i]));
  for (u32 k = b->locals.size; k-- > 0;) /* the last ones are the most temporary */
    for (u32 p = 0; p < b->places.size; p++) {
      const char *to = b->locals.data[k];
      Span at = b->places.data[p];
      if (propose_is_global (x, to) || is_parameter (x, to) || is_asserted (x, to)) continue;
      for (u32 i = 0; i < b->locals.size; i++)
        if (i != k && !propose_is_global (x, b->locals.data[i]) &&
            roles_agree (&x->roles, to, b->locals.data[i]))
          propose_text (x, at, "%s = %s;", to, b->locals.data[i]);
      for (u32 i = 0; i < locations.size; i++)
        if (roles_agree (&x->roles, to, locations.data[i]))
          propose_text (x, at, "%s = atomic_load (%s);", to, locations.data[i]);
    }
  for (u32 p = 0; p < b->places.size; p++)
    for (u32 k = 0; k < b->locals.size; k++)
      for (u32 i = 0; i < locations.size; i++)
        for (u32 v = 0; v < b->locals.size; v++)
          if (v != k && !propose_is_global (x, b->locals.data[v]) &&
              propose_is_truth (x, b->locals.data[k]) &&
              (roles_agree (&x->roles, locations.data[i], b->locals.data[v]) ||
               role_is_open (&x->roles, b->locals.data[v])))
            propose_text (x, b->places.data[p], "%s = atomic_load (%s) == %s;", b->locals.data[k],
                          locations.data[i], b->locals.data[v]);
  names_free (&locations);
}

/* Takes back what an update has changed: `v = atomic_fetch_or (p, m)`. */
void propose_undo (Proposer *x) {
  static const char *const updates[][2] = {{"atomic_fetch_or", "atomic_fetch_or_explicit"},
                                           {"atomic_fetch_add", "atomic_fetch_add_explicit"},
                                           {"atomic_fetch_sub", "atomic_fetch_sub_explicit"}};
  const Source *s = x->s;
  Spans arguments = {0};
  for (u32 i = x->b->range.start; i < x->b->range.end; i++)
    for (u32 k = 0; k < ARRAY_SIZE (updates); k++) {
      if (!source_word_at (s, i, updates[k][0]) && !source_word_at (s, i, updates[k][1])) continue;
      u32 open = i, name = i;
      while (source_is_name_char (s->code[open])) open++;
      source_split_arguments (s, source_after_blanks (s, open), &arguments);
      while (name && isspace ((u8)s->code[name - 1])) name--;
      bool is_assigned = s->code[name - 1] == '=';
      for (name--; name && isspace ((u8)s->code[name - 1]);) name--;
      u32 end = name;
      while (name && source_is_name_char (s->code[name - 1])) name--;
      if (arguments.size < 2 || (!k && !is_assigned)) continue;
      char *v = propose_text_of (x, (Span){name, end}), *p = propose_text_of (x, arguments.data[0]);
      char *m = propose_text_of (x, arguments.data[1]);
      for (u32 n = 0; n < x->b->places.size; n++) {
        Span at = x->b->places.data[n];
        if (at.start < i) continue;
        if (k)
          propose_text (x, at, "atomic_fetch_%s (%s, %s);", k == 1 ? "sub" : "add", p, m);
        else
          propose_text (x, at, "if (!(%s & %s)) atomic_fetch_and (%s, ~%s);", v, m, p, m);
      }
      mem_free (v);
      mem_free (p);
      mem_free (m);
    }
  vec_free (&arguments);
}
