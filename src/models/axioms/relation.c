/* relation.c - the algebra, by the definitions. Composition and closure take n^3/64 steps for n
 * events. */
#include "models/axioms/relation.h"

void rel_space_init (RelSpace *s, u32 events) {
  *s = (RelSpace){.events = events, .words = (events + 63) / 64};
}

void rel_space_trim (RelSpace *s, u32 matrices) {
  while (s->matrices.size > matrices) mem_free (vec_pop (&s->matrices));
}

void rel_space_done (RelSpace *s) {
  rel_space_trim (s, 0);
  vec_free (&s->matrices);
}

static size_t size_of (const RelSpace *s) { return (size_t)s->events * s->words; }
static u64 *row (Rel r, Ev a) { return r.bits + (size_t)a * r.space->words; }

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

void rel_add (Rel r, Ev a, Ev b) { row (r, a)[b / 64] |= 1ull << (b % 64); }
bool rel_has (Rel r, Ev a, Ev b) { return row (r, a)[b / 64] >> (b % 64) & 1; }

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

static void add_row (Rel to, Ev a, Rel from, Ev b) {
  u64 *x = row (to, a);
  const u64 *y = row (from, b);
  for (u32 i = 0; i < to.space->words; i++) x[i] |= y[i];
}

Rel rel_seq (Rel a, Rel b) {
  Rel r = rel_new (a.space);
  for (Ev x = 0; x < a.space->events; x++)
    for (u32 i = 0; i < a.space->words; i++)
      for (u64 left = row (a, x)[i]; left; left &= left - 1)
        add_row (r, x, b, i * 64 + (u32)__builtin_ctzll (left));
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
  for (Ev via = 0; via < a.space->events; via++)
    for (Ev x = 0; x < a.space->events; x++)
      if (rel_has (r, x, via)) add_row (r, x, r, via);
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
  for (Ev x = 0; x < a.space->events; x++)
    if (rel_has (a, x, x)) return false;
  return true;
}

bool rel_is_acyclic (Rel a) { return rel_is_irreflexive (rel_plus (a)); }
