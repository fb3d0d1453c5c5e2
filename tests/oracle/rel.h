/* rel.h - relations on the events of one candidate graph as bit matrices; sets of events are bit
 * masks.
 *
 * Everything is by value and as plain as the algebra in the definitions of the models: the formulas
 * in axioms.c are meant to be compared with the written ones line by line.
 */
#ifndef ORACLE_REL_H
#define ORACLE_REL_H

#include <stdbool.h>
#include <stdint.h>

enum { REL_MAX = 56 };

typedef uint64_t Set;
typedef struct Rel {
  int n; /* number of events */
  Set row[REL_MAX];
} Rel;

#define REL_EACH(i, r) for (int i = 0; i < (r).n; i++)

static inline Rel rel_empty (int n) {
  Rel r;
  r.n = n;
  REL_EACH (i, r) r.row[i] = 0;
  return r;
}

static inline void rel_add (Rel *r, int a, int b) { r->row[a] |= (Set)1 << b; }
static inline bool rel_has (const Rel *r, int a, int b) { return r->row[a] >> b & 1; }

static inline Rel rel_or (Rel a, Rel b) {
  REL_EACH (i, a) a.row[i] |= b.row[i];
  return a;
}

static inline Rel rel_and (Rel a, Rel b) {
  REL_EACH (i, a) a.row[i] &= b.row[i];
  return a;
}

static inline Rel rel_minus (Rel a, Rel b) {
  REL_EACH (i, a) a.row[i] &= ~b.row[i];
  return a;
}

/* [s] */
static inline Rel rel_id (int n, Set s) {
  Rel r = rel_empty (n);
  REL_EACH (i, r) r.row[i] = s & (Set)1 << i;
  return r;
}

/* a * b, all pairs */
static inline Rel rel_cross (int n, Set a, Set b) {
  Rel r = rel_empty (n);
  REL_EACH (i, r) r.row[i] = a >> i & 1 ? b : 0;
  return r;
}

/* a;b */
static inline Rel rel_seq (Rel a, Rel b) {
  REL_EACH (i, a) {
    Set from = a.row[i], to = 0;
    for (; from; from &= from - 1) to |= b.row[__builtin_ctzll (from)];
    a.row[i] = to;
  }
  return a;
}

/* [a];r;[b] */
static inline Rel rel_between (Set a, Rel r, Set b) {
  REL_EACH (i, r) r.row[i] = a >> i & 1 ? r.row[i] & b : 0;
  return r;
}

static inline Rel rel_inverse (Rel r) {
  Rel s = rel_empty (r.n);
  REL_EACH (i, r) {
    for (Set to = r.row[i]; to; to &= to - 1) rel_add (&s, __builtin_ctzll (to), i);
  }
  return s;
}

/* r? */
static inline Rel rel_opt (Rel r) {
  REL_EACH (i, r) r.row[i] |= (Set)1 << i;
  return r;
}

/* r+ */
static inline Rel rel_plus (Rel r) {
  REL_EACH (k, r) {
    REL_EACH (i, r) {
      if (r.row[i] >> k & 1) r.row[i] |= r.row[k];
    }
  }
  return r;
}

/* r* */
static inline Rel rel_star (Rel r) { return rel_opt (rel_plus (r)); }

static inline bool rel_is_irreflexive (Rel r) {
  REL_EACH (i, r) {
    if (r.row[i] >> i & 1) return false;
  }
  return true;
}

static inline bool rel_is_empty (Rel r) {
  REL_EACH (i, r) {
    if (r.row[i]) return false;
  }
  return true;
}

/* Takes out what leads nowhere until nothing is left, or only cycles and what leads to them. */
static inline bool rel_is_acyclic (Rel r) {
  Set left = ((Set)1 << r.n) - 1, before;
  do {
    before = left;
    for (int i = r.n - 1; i >= 0; i--)
      if (!(r.row[i] & left)) left &= ~((Set)1 << i);
  } while (left && left != before);
  return !left;
}

#endif
