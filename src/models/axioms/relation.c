/* relation.c - the algebra, by the definitions. Composition and closure take n^3/64 steps for n
 * events. */
#include "models/axioms/relation.h"

void rel_space_init (RelSpace *s, u32 events) {
  *s = (RelSpace){.events = events, .words = bits_words (events)};
}

void rel_space_trim (RelSpace *s, u32 matrices) {
  while (s->matrices.size > matrices) mem_free (vec_pop (&s->matrices));
}

void rel_space_done (RelSpace *s) {
  rel_space_trim (s, 0);
  vec_free (&s->matrices);
}

static size_t size_of (const RelSpace *s) { return (size_t)s->events * s->words; }
static Relation matrix (Rel r) { return relation_of (r.bits, r.space->events, r.space->words); }

Rel rel_new (RelSpace *s) {
  u64 *bits = mem_zalloc (size_of (s) * sizeof *bits);
  vec_push (&s->matrices, bits);
  return (Rel){s, bits};
}

static Rel copy (Rel a) {
  Rel r = rel_new (a.space);
  memcpy (r.bits, a.bits, size_of (a.space) * sizeof *a.bits);
  return r;
}

void rel_add (Rel r, Ev a, Ev b) {
  Relation m = matrix (r);
  relation_put (&m, a, b);
}

bool rel_has (Rel r, Ev a, Ev b) {
  Relation m = matrix (r);
  return relation_has (&m, a, b);
}

Rel rel_id (RelSpace *s) {
  Rel r = rel_new (s);
  for (Ev e = 0; e < s->events; e++) rel_add (r, e, e);
  return r;
}

Rel rel_or (Rel a, Rel b) {
  Rel r = copy (a);
  for (size_t i = 0; i < size_of (a.space); i++) r.bits[i] |= b.bits[i];
  return r;
}

Rel rel_and (Rel a, Rel b) {
  Rel r = copy (a);
  for (size_t i = 0; i < size_of (a.space); i++) r.bits[i] &= b.bits[i];
  return r;
}

Rel rel_minus (Rel a, Rel b) {
  Rel r = copy (a);
  for (size_t i = 0; i < size_of (a.space); i++) r.bits[i] &= ~b.bits[i];
  return r;
}

Rel rel_seq (Rel a, Rel b) {
  Rel r = rel_new (a.space);
  Relation to = matrix (r), first = matrix (a), second = matrix (b);
  relation_add_composition (&to, &first, &second);
  return r;
}

Rel rel_inverse (Rel a) {
  Rel r = rel_new (a.space);
  for (Ev x = 0; x < a.space->events; x++)
    for (Ev y = 0; y < a.space->events; y++)
      if (rel_has (a, x, y)) rel_add (r, y, x);
  return r;
}

Rel rel_opt (Rel a) { return rel_or (a, rel_id (a.space)); }

Rel rel_plus (Rel a) {
  Rel r = copy (a);
  Relation m = matrix (r);
  relation_close (&m);
  return r;
}

Rel rel_star (Rel a) { return rel_opt (rel_plus (a)); }

Rel rel_cross (Rel a, Rel b) {
  Rel r = rel_new (a.space);
  for (Ev x = 0; x < a.space->events; x++)
    for (Ev y = 0; rel_has (a, x, x) && y < a.space->events; y++)
      if (rel_has (b, y, y)) rel_add (r, x, y);
  return r;
}

bool rel_is_empty (Rel a) {
  for (size_t i = 0; i < size_of (a.space); i++)
    if (a.bits[i]) return false;
  return true;
}

bool rel_is_within (Rel a, Rel b) {
  for (size_t i = 0; i < size_of (a.space); i++)
    if (a.bits[i] & ~b.bits[i]) return false;
  return true;
}

bool rel_is_irreflexive (Rel a) {
  Relation m = matrix (a);
  return relation_is_irreflexive (&m);
}

bool rel_is_acyclic (Rel a) { return rel_is_irreflexive (rel_plus (a)); }
