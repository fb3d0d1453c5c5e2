/* propose_locks.c - locks that are taken, and functions that are called. */
#include "repair/edits/propose.h"

static bool text_is (const Proposer *x, Span r, const char *text) {
  return r.end - r.start == strlen (text) && !strncmp (x->s->text + r.start, text, r.end - r.start);
}

/* A mutex that is only tried, as a statement of its own. */
void propose_try_to_lock (Proposer *x) {
  const Source *s = x->s;
  static const char name[] = "pthread_mutex_trylock";
  for (u32 i = x->b->range.start; i < x->b->range.end; i++) {
    if (!source_word_at (s, i, name)) continue;
    u32 open = source_after_blanks (s, i + (u32)strlen (name)), close = source_closing (s, open);
    u32 end = source_after_blanks (s, close + 1);
    if (s->code[end] != ';') continue;
    propose_text (x, (Span){i, end + 1}, "pthread_mutex_lock %.*s;", (int)(close + 1 - open),
                  s->text + open);
  }
}

/* One mutex of several, always the same. */
void propose_choose_lock (Proposer *x) {
  const Source *s = x->s;
  for (u32 i = x->b->range.start; i < x->b->range.end; i++)
    for (u32 k = 0; k < x->outline->locks.size; k++) {
      u32 open = i + (u32)strlen (x->outline->locks.data[k]);
      if (!source_word_at (s, i, x->outline->locks.data[k]) || s->code[open] != '[') continue;
      Span index = source_trimmed (s, (Span){open + 1, source_closing (s, open)});
      if (!outline_is_constant (s, index)) propose_text (x, index, "0");
    }
}

/* A statement that no lock protects, between a lock and its release. */
void propose_add_lock (Proposer *x) {
  const Spans *places = &x->b->places;
  for (u32 k = 0; k < x->outline->locks.size; k++)
    for (u32 i = 0; i + 1 < places->size; i++)
      for (u32 j = i + 1; j < places->size && j < i + 4; j++) {
        propose_text (x, places->data[j], "pthread_mutex_unlock (&%s);", x->outline->locks.data[k]);
        propose_text (x, places->data[i], "pthread_mutex_lock (&%s);", x->outline->locks.data[k]);
        vec_last (x->out).partner = x->out->size - 2;
      }
}

static bool fits (const Proposer *x, const Body *callee, const char *argument) {
  char *param = propose_text_of (x, callee->params.data[0]);
  bool yes = roles_agree (&x->roles, param, argument);
  mem_free (param);
  return yes;
}

/* Of functions of the program that are never called, with arguments at hand. */
void propose_call (Proposer *x) {
  const Body *b = x->b;
  for (u32 f = 0; f < x->outline->bodies.size; f++) {
    const Body *callee = &x->outline->bodies.data[f];
    u32 n = callee->params.size;
    bool is_void = n == 1 && text_is (x, callee->params.data[0], "void");
    if (callee->is_run || n > 1 || callee->range.start > b->range.start) continue;
    for (u32 p = b->places.size; p-- > 0;) {
      if (is_void) propose_text (x, b->places.data[p], "%s ();", callee->name);
      for (u32 v = 0; v < b->locals.size && !is_void && n == 1; v++)
        if (fits (x, callee, b->locals.data[v]))
          propose_text (x, b->places.data[p], "%s (%s);", callee->name, b->locals.data[v]);
    }
  }
}

/* A truth value is only true if a function that others ask says so, too. */
void propose_ask_too (Proposer *x) {
  const Body *b = x->b;
  for (u32 f = 0; f < x->outline->bodies.size; f++) {
    const Body *callee = &x->outline->bodies.data[f];
    if (callee->range.start >= b->range.start || callee->params.size != 1 || !callee->is_run)
      continue;
    for (u32 p = 0; p < b->places.size; p++)
      for (u32 k = 0; k < b->locals.size; k++)
        for (u32 v = 0; v < b->locals.size; v++)
          if (v != k && fits (x, callee, b->locals.data[v]) &&
              propose_is_truth (x, b->locals.data[k]))
            propose_text (x, b->places.data[p], "%s = %s && %s (%s);", b->locals.data[k],
                          b->locals.data[k], callee->name, b->locals.data[v]);
  }
}
