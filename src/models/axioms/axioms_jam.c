/* axioms_jam.c - coherence of JAM19, JAM21 and jam21t as it is written: for some linearisation of
 * the pushes, the coherence order that follows from visibility has no cycle. Linearisations are
 * tried one after another, from the front; one that has a cycle already is not carried on.
 *
 * The choices of docs/MODELS.md: the pushes follow (po | rf)+; a read-modify-write is one event;
 * the initial writes are opaque; creating and joining a thread order everything; the end of a
 * thread counts as an event after its last fence, and a full fence with no access before it as
 * one. */
#include "models/axioms/axioms.h"

typedef struct Jam {
  const Relations *r;
  Rel into, push; /* within threads */
  Rel whole;      /* from the read half of an RMW to its write half, where they are one event */
  Rel domain;     /* what pushes, as a set */
  Rel follows;    /* what linearisations follow */
  Rel finals;     /* the final writes as a set: where they are known, the last in mo */
  bool is_printed;
} Jam;

static Rel or3 (Rel a, Rel b, Rel c) { return rel_or (rel_or (a, b), c); }
static Rel seq3 (Rel a, Rel b, Rel c) { return rel_seq (rel_seq (a, b), c); }

/* The identity on the events that a relation starts from. */
static Rel domain_of (const Relations *r, Rel a) {
  return rel_and (rel_seq (a, rel_inverse (a)), r->id);
}

/* po within threads: the initial writes take no part in what orders the accesses of a thread. */
static Rel own_po (const Relations *r) { return rel_seq (rel_minus (r->id, r->init), r->po); }

/* Creating and joining: all that is before is before all that is after. */
static Rel handed_over (const Relations *r) {
  Rel live = rel_seq (rel_minus (r->id, r->init), r->sb);
  return rel_or (rel_seq (live, r->handovers), rel_seq (r->handovers, live));
}

/* Not frees and choices. */
static Rel memory_events (const Relations *r) { return or3 (r->accesses, r->fences, r->handovers); }

/* Both halves of a read-modify-write count as a read and as a write. */
static Rel half_reads (const Relations *r) {
  return rel_or (r->reads, rel_and (r->writes, r->exclusive));
}
static Rel half_writes (const Relations *r) {
  return rel_or (rel_minus (r->writes, r->init), rel_and (r->reads, r->exclusive));
}

/* Full fences with no access before them since their thread began, or created or joined another. */
static Rel bare_fences (const Relations *r, Rel po, Rel sc_fences) {
  Rel near = rel_minus (rel_seq (r->accesses, po), seq3 (po, r->handovers, po));
  return rel_minus (sc_fences, domain_of (r, rel_inverse (rel_seq (near, sc_fences))));
}

static void set_domain (Jam *j, Rel spush_start, Rel pairs) {
  const Relations *r = j->r;
  Rel starts = rel_or (rel_and (domain_of (r, spush_start), r->accesses), domain_of (r, pairs));
  j->domain = rel_minus (starts, domain_of (r, j->whole));
}

/* svo = po;[F & REL];po;[W] | [R];po;[F & ACQ];po    spush = (po;[F & V] | [bare]);po
 * ra = po;[rel] | [acq];po    volint = [V];po;[V], or in JAM19 po;[R & V] | [W & V];po */
static Jam published (const Relations *r, bool is_hotspot) {
  Jam j = {.r = r, .whole = r->rmw};
  Rel po = own_po (r), reads = half_reads (r), writes = half_writes (r);
  Rel sc_fences = rel_and (r->fences, r->sc), vol = rel_and (r->accesses, r->sc);
  Rel svo = rel_or (rel_seq (seq3 (po, rel_and (r->fences, r->release), po), writes),
                    rel_seq (reads, seq3 (po, rel_and (r->fences, r->acquire), po)));
  Rel bare = bare_fences (r, po, sc_fences);
  Rel spush = seq3 (rel_or (rel_seq (po, sc_fences), bare), po, memory_events (r));
  Rel ra = rel_or (rel_seq (po, rel_and (writes, r->release)),
                   rel_seq (rel_and (reads, r->acquire), po));
  Rel vol_reads = rel_and (reads, r->sc), vol_writes = rel_and (writes, r->sc);
  Rel volint =
      is_hotspot ? rel_or (rel_seq (po, vol_reads), rel_seq (vol_writes, po)) : seq3 (vol, po, vol);
  volint = rel_minus (seq3 (r->accesses, volint, memory_events (r)), r->rmw);
  j.into = rel_or (or3 (svo, spush, ra), or3 (volint, handed_over (r), r->rmw));
  j.push = rel_or (spush, volint);
  Rel targets = rel_or (r->accesses, r->fences); /* not what only main's joins are after */
  set_domain (&j, rel_seq (po, sc_fences), rel_minus (rel_seq (volint, targets), r->rmw));
  j.domain = rel_or (j.domain, bare);
  return j;
}

/* ra = po;[SC | REL | ACQ accesses];po    svo = po;[F rel];po;[W | R];po;[F acq];po */
static Jam printed (const Relations *r) {
  Jam j = {.r = r, .whole = rel_new (r->id.space), .is_printed = true};
  Rel po = own_po (r), sc_fences = rel_and (r->fences, r->sc), vol = rel_and (r->accesses, r->sc);
  Rel ra = seq3 (po, rel_and (r->accesses, rel_or (r->acquire, r->release)), po);
  Rel before = rel_seq (seq3 (po, rel_and (r->fences, r->release), po), r->accesses);
  Rel svo = rel_seq (before, seq3 (po, rel_and (r->fences, r->acquire), po));
  Rel spush = rel_seq (seq3 (po, sc_fences, po), memory_events (r));
  Rel volint = seq3 (vol, po, vol);
  j.into = or3 (rel_or (ra, svo), rel_or (spush, volint), handed_over (r));
  j.push = rel_or (spush, volint);
  set_domain (&j, rel_seq (po, sc_fences), volint);
  return j;
}

/* [W];a;[W] & loc \ id */
static Rel between_writes (const Relations *r, Rel a) {
  return rel_minus (rel_and (seq3 (r->writes, a, r->writes), r->loc), r->id);
}

/* What an RMW reads and what the RMW writes have nothing between them. */
static Rel with_atomicity (const Jam *j, Rel co) {
  Rel back = rel_inverse (rel_seq (j->r->rf, j->whole));
  for (;;) {
    Rel more = rel_or (between_writes (j->r, rel_seq (back, co)),
                       between_writes (j->r, rel_seq (co, back)));
    if (rel_is_within (more, co)) return co;
    co = rel_plus (rel_or (co, more));
  }
}

/* coww | cowr | corw | corr, and the initial writes first */
static Rel coherence (const Jam *j, Rel pushto) {
  const Relations *r = j->r;
  Rel vvo = or3 (j->into, r->rf, rel_seq (pushto, j->push)), back = rel_inverse (r->rf);
  Rel vo = rel_or (rel_plus (vvo), rel_and (r->sb, r->loc));
  Rel opaque = j->is_printed ? r->id : rel_or (r->atomic, r->init);
  Rel corr = between_writes (r, seq3 (r->rf, rel_and (own_po (r), r->loc), back));
  Rel co = or3 (between_writes (r, vo), between_writes (r, rel_seq (rel_and (vo, r->loc), back)),
                between_writes (r, rel_seq (vo, r->sb)));
  co = or3 (co, seq3 (opaque, corr, opaque), between_writes (r, rel_cross (r->writes, j->finals)));
  return with_atomicity (j, rel_plus (co));
}

typedef struct Linear {
  Ev *events; /* those of the domain, the first `placed` of them in order */
  u32 count, placed;
} Linear;

/* Who is placed comes before all who are placed later or not yet. */
static Rel as_relation (const Jam *j, const Linear *o) {
  Rel pushto = rel_new (j->into.space);
  for (u32 i = 0; i < o->placed; i++)
    for (u32 k = i + 1; k < o->count; k++) rel_add (pushto, o->events[i], o->events[k]);
  return pushto;
}

static bool may_be_next (const Jam *j, const Linear *o, u32 i) {
  for (u32 k = o->placed; k < o->count; k++)
    if (k != i && rel_has (j->follows, o->events[k], o->events[i])) return false;
  return true;
}

static void swap_events (Linear *o, u32 i, u32 k) {
  Ev e = o->events[i];
  o->events[i] = o->events[k];
  o->events[k] = e;
}

static bool has_linearisation (const Jam *j, Linear *o) {
  RelSpace *space = j->into.space;
  u32 kept = space->matrices.size;
  bool ok = rel_is_acyclic (coherence (j, as_relation (j, o)));
  rel_space_trim (space, kept);
  if (!ok || o->placed == o->count) return ok;
  for (u32 i = o->placed; i < o->count; i++) {
    if (!may_be_next (j, o, i)) continue;
    swap_events (o, o->placed, i);
    o->placed++;
    ok = has_linearisation (j, o);
    o->placed--;
    swap_events (o, o->placed, i);
    if (ok) return true;
  }
  return false;
}

static bool is_coherent (Jam j) {
  const Relations *r = j.r;
  bool is_known = !j.is_printed && (!r->g->mo_is_list || r->g->has_finals);
  j.finals = is_known ? rel_minus (rel_minus (r->writes, r->init), domain_of (r, r->mo))
                      : rel_new (r->id.space);
  Rel to_finals = between_writes (r, rel_cross (r->writes, j.finals));
  j.follows = rel_or (rel_plus (rel_or (r->sb, r->rf)), to_finals);
  Linear o = {.events = mem_alloc (r->space.events * sizeof (Ev))};
  for (Ev e = 1; e < r->space.events; e++)
    if (rel_has (j.domain, e, e)) o.events[o.count++] = e;
  bool ok = has_linearisation (&j, &o);
  mem_free (o.events);
  return ok;
}

bool jam19_is_coherent (const Relations *r) { return is_coherent (published (r, true)); }
bool jam21_is_coherent (const Relations *r) { return is_coherent (published (r, false)); }
bool jam21t_is_coherent (const Relations *r) { return is_coherent (printed (r)); }
