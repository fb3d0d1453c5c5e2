/* propose.c - edits that may be what is missing. See the table for what there is. */
#include <stdlib.h>

#include "repair/edits/propose.h"

/* What must hold is what the program is for. */
static bool changes_assertion (const Body *b, Span r) {
  for (u32 i = 0; i < b->assertions.size && r.start < r.end; i++)
    if (b->assertions.data[i].start < r.end && r.start < b->assertions.data[i].end) return true;
  return false;
}

void PRINTF (3, 4) propose_text (Proposer *x, Span at, const char *format, ...) {
  Str text = {0};
  char part[512];
  va_list list;
  if (memchr (x->s->text + at.start, '\n', at.end - at.start) || changes_assertion (x->b, at))
    return;
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

char *propose_text_of (const Proposer *x, Span r) {
  Str s = {0};
  str_add_n (&s, x->s->text + r.start, r.end - r.start);
  return s.text;
}

bool propose_is_global (const Proposer *x, const char *name) {
  for (u32 i = 0; i < x->outline->atomics.size; i++)
    if (!strcmp (x->outline->atomics.data[i].name, name)) return true;
  return false;
}

bool propose_is_truth (const Proposer *x, const char *name) {
  Str declared = {0};
  str_printf (&declared, "bool %s", name);
  char *text = propose_text_of (x, x->b->range);
  bool yes = strstr (text, declared.text);
  mem_free (text);
  str_free (&declared);
  return yes;
}

/* What atomic operations can be asked for here: what they are asked for in this function, global
 * ones, and elements of global arrays. */
void propose_locations_here (const Proposer *x, bool (*is_wanted) (Use u), Names *out) {
  const Body *b = x->b;
  Str name = {0};
  for (u32 i = 0; i < x->outline->atomics.size; i++) {
    const Atomics *a = &x->outline->atomics.data[i];
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

bool propose_is_any (Use u) {
  (void)u;
  return true;
}

/* Statements that one expects, in this order. */
static void (*const kinds[]) (Proposer *x) = {
    propose_try_to_lock,
    propose_choose_lock,
    propose_test_again,
    propose_retry,
    propose_take_turns,
    propose_look_again,
    propose_wait_for_unread,
    propose_wait_for_all_unread,
    propose_store_to_unwritten,
    propose_call,
    propose_one_more_round,
    propose_change_constants,
    propose_change_values,
    propose_drop_operands,
    propose_change_comparisons,
    propose_undo,
    propose_wait_for_used,
    propose_assign,
    propose_ask_too,
    propose_wait_for_all_used,
    propose_change_conditions,
    propose_add_lock,
};

static void note_run (const Search *search, const Outline *o, u32 pos) {
  const Program *p = search->p;
  u32 f = pos ? p->positions.data[pos].func : p->functions.size;
  for (u32 i = 0; i < o->bodies.size && f < p->functions.size; i++)
    if (!strcmp (o->bodies.data[i].name, p->functions.data[f].name))
      o->bodies.data[i].is_run = true;
}

static void note_witness (Proposer *x) {
  const Witness *w = &x->search->f->witness;
  note_run (x->search, x->outline, x->search->f->pos);
  for (u32 i = 0; i < w->events.size; i++) {
    const WitnessEvent *e = &w->events.data[i];
    note_run (x->search, x->outline, e->pos);
    for (u32 k = 0; k < WITNESS_STACK && e->stack[k]; k++)
      note_run (x->search, x->outline, e->stack[k]);
    for (u32 k = 0; k < x->outline->atomics.size && e->location >= 0; k++) {
      const char *name = x->outline->atomics.data[k].name,
                 *other = w->locations.data[e->location].name;
      size_t n = strlen (name);
      if (strncmp (name, other, n) || source_is_name_char (other[n])) continue;
      x->uses[k].is_read |= event_reads (e);
      x->uses[k].is_written |= event_writes (e) && !relations_is_preparation (w, i);
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
  for (u32 round = 0; round < x->outline->bodies.size; round++)
    for (u32 f = 0; f < x->outline->bodies.size; f++) {
      const Body *b = &x->outline->bodies.data[f];
      for (u32 i = b->range.start; i < b->range.end && b->is_run; i++)
        for (u32 k = 0; k < x->outline->bodies.size; k++)
          if (is_called (x, &x->outline->bodies.data[k]) &&
              source_word_at (s, i, x->outline->bodies.data[k].name))
            x->outline->bodies.data[k].is_run = true;
    }
}

void propose_edits (const Search *search, const Outline *outline, Proposals *out) {
  Proposer x = {.search = search, .outline = outline, .s = outline->s, .out = out};
  x.uses = mem_zalloc ((outline->atomics.size + 1) * sizeof *x.uses);
  roles_find (outline, &x.roles);
  note_witness (&x);
  note_called (&x);
  for (u32 k = 0; k < ARRAY_SIZE (kinds); k++)
    for (u32 i = 0; i < outline->bodies.size; i++) {
      x.b = &outline->bodies.data[i];
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
