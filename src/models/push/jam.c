/* jam.c - Java's access modes: JAM21 [JAM21-ECOOP'22], JAM19 [JAM19-OOPSLA'19], and JAM21 as the
 * formulas of a thesis have it, jam21t (docs/MODELS.md).
 *
 * An execution is consistent if its pushes can be put into some order so that coherence, which
 * follows from visibility, has no cycle. Orders are not tried one after another: where v comes
 * before w, no observer of v may see w, so every push that leads to an observer of v comes
 * before every push to which w is visible. That is applied until nothing changes (saturation), and
 * if it leaves writes unordered whose order matters, both orders of them are tried. Why this is
 * right, and when saturation alone decides: docs/ALGORITHM.md.
 */
#include "models/push/jam_int.h"

const PushRules jam21_rules = {0};
const PushRules jam19_rules = {.is_hotspot = true};
const PushRules jam21t_rules = {.is_printed = true};

/* ---- saturation ---- */

/* For every write: the first push of each thread to which it is visible; the order of pushes has
 * the later ones after it. */
static void find_carriers (const Jam *j) {
  Bits carried[j->g->nthreads * j->words];
  memset (carried, 0, sizeof carried);
  for (u32 p = 0; p < j->pushes; p++) { /* numbers follow program order */
    u32 s = j->push[p];
    const Bits *seen = bits_row (j->seen, s, j->width);
    Bits *old = carried + graph_event (j->g, j->event[s])->tid * j->words;
    if (j->write_of[s] != JAM_NONE) {
      bits_put (bits_row (j->carriers, j->write_of[s], j->push_words), p);
      bits_put (old, s);
    }
    for (u32 k = 0; k < j->words; k++) {
      for (u64 rest = seen[k] & j->is_write[k] & ~old[k]; rest; rest &= rest - 1) {
        u32 w = j->write_of[k * 64 + (u32)__builtin_ctzll (rest)];
        bits_put (bits_row (j->carriers, w, j->push_words), p);
      }
      old[k] |= seen[k];
    }
  }
}

/* For every write: the pushes that lead to its observers, and those to which it is visible. */
static void find_sides (const Jam *j) {
  size_t bytes = (size_t)j->writes * j->push_words * sizeof (Bits);
  memset (j->gates, 0, bytes);
  memset (j->carriers, 0, bytes);
  memset (j->block_gates, 0, bytes);
  for (u32 s = 0; s < j->n; s++) {
    const Event *x = graph_event (j->g, j->event[s]);
    if (x->kind == KIND_WRITE)
      bits_add (bits_row (j->gates, j->write_of[s], j->push_words),
                bits_row (j->known, s, j->width) + j->words, j->push_words);
    if (x->kind != KIND_READ || x->rf == EV_NONE) continue;
    u32 w = x->rf == EV_INIT ? j->location[j->location_of[s]].first : j->write_of[j->slot[x->rf]];
    bits_add (bits_row (j->gates, w, j->push_words), bits_row (j->seen, s, j->width) + j->words,
              j->push_words);
  }
  find_carriers (j);
  for (u32 i = 0; i < j->locations; i++) {
    const JamLocation *l = &j->location[i];
    for (u32 k = l->first; k < l->first + l->count; k++)
      bits_add (bits_row (j->block_gates, l->first_row + j->write[k].block, j->push_words),
                bits_row (j->gates, k, j->push_words), j->push_words);
  }
}

/* All of `gates` come before all of `carriers`; whether that is news. */
static bool put_pushes (const Jam *j, const Bits *gates, const Bits *carriers) {
  bool is_new = false;
  EACH_BIT (carriers, j->push_words, p)
  is_new |= bits_grow (bits_row (j->before, p, j->push_words), gates, j->push_words);
  return is_new;
}

static bool force_pushes (const Jam *j) {
  bool is_new = false;
  Bits want[j->push_words];
  for (u32 i = 0; i < j->locations; i++) {
    const JamLocation *l = &j->location[i];
    for (u32 k = l->first + 1; k < l->first + l->count; k++) {
      const JamWrite *w = &j->write[k];
      const Bits *carriers = bits_row (j->carriers, k, j->push_words);
      if (!bits_any (carriers, j->push_words)) continue;
      memset (want, 0, sizeof want);
      EACH_BIT (jam_older (j, l, w->block), j->row_words, b)
      bits_add (want, bits_row (j->block_gates, l->first_row + b, j->push_words), j->push_words);
      for (u32 v = l->first; v < l->first + l->count && w->place; v++)
        if (j->write[v].block == w->block && j->write[v].place < w->place)
          bits_add (want, bits_row (j->gates, v, j->push_words), j->push_words);
      is_new |= put_pushes (j, want, carriers);
    }
  }
  return is_new;
}

static bool close_pushes (const Jam *j) {
  Relation before = relation_of (j->before, j->pushes, j->push_words);
  relation_close (&before);
  return relation_is_irreflexive (&before);
}

static bool saturate (Jam *j, PushWork *work) {
  for (;;) {
    work->passes++;
    if (!jam_sweep (j)) return false;
    if (j->pushes < 2) return true;
    find_sides (j);
    if (!force_pushes (j)) return true;
    if (!close_pushes (j)) return false;
  }
}

/* ---- what saturation leaves open ---- */

/* Whether it would say something new about pushes if block a came before block b. */
static bool matters (const Jam *j, const JamLocation *l, u32 a, u32 b) {
  const Bits *gates = bits_row (j->block_gates, l->first_row + a, j->push_words);
  if (!bits_any (gates, j->push_words)) return false;
  for (u32 k = l->first; k < l->first + l->count; k++) {
    if (j->write[k].block != b) continue;
    EACH_BIT (bits_row (j->carriers, k, j->push_words), j->push_words, p)
    for (u32 i = 0; i < j->push_words; i++)
      if (gates[i] & ~bits_row (j->before, p, j->push_words)[i]) return true;
  }
  return false;
}

/* Two blocks of one location whose order is open and matters; *a first costs nothing if one order
 * does. */
static const JamLocation *find_open (const Jam *j, u32 *a, u32 *b) {
  for (u32 i = 0; i < j->locations; i++) {
    const JamLocation *l = &j->location[i];
    for (*b = 2; *b < l->blocks; ++*b)
      for (*a = 1; *a < *b; ++*a) {
        if (bits_have (jam_older (j, l, *a), *b) || bits_have (jam_older (j, l, *b), *a)) continue;
        bool forth = matters (j, l, *a, *b), back = matters (j, l, *b, *a);
        if (!forth && !back) continue;
        if (forth && !back) {
          u32 c = *a;
          *a = *b;
          *b = c;
        }
        return l;
      }
  }
  return NULL;
}

static bool has_order (Jam *j, PushWork *work) {
  if (!saturate (j, work)) return false;
  if (j->pushes < 2) return true;
  u32 a, b;
  const JamLocation *l = find_open (j, &a, &b);
  if (!l) return true;
  work->choices++;
  size_t words = (size_t)(j->gates - j->before); /* both orders: of pushes and of blocks */
  Bits *kept = mem_alloc (words * sizeof (Bits));
  memcpy (kept, j->before, words * sizeof (Bits));
  bits_put (jam_older (j, l, b), a);
  bool ok = has_order (j, work);
  if (!ok) {
    work->retries++;
    memcpy (j->before, kept, words * sizeof (Bits));
    bits_put (jam_older (j, l, a), b);
    ok = has_order (j, work);
  }
  mem_free (kept);
  return ok;
}

/* ---- final writes ---- */

/* The write at the end of each list stays: it comes after all others, also as a push. */
static bool fix_finals (const Jam *j) {
  for (u32 i = 0; i < j->locations; i++) {
    const JamLocation *l = &j->location[i];
    Ev last = graph_mo_last (j->g, l->loc);
    if (last == EV_INIT) continue;
    u32 f = j->write_of[j->slot[last]];
    const JamWrite *final = &j->write[f];
    u32 push = j->push_of[final->slot];
    for (u32 k = l->first; k < l->first + l->count; k++) {
      const JamWrite *w = &j->write[k];
      if (k == f) continue;
      if (w->block != final->block)
        bits_put (jam_older (j, l, final->block), w->block);
      else if (w->place > final->place)
        return false;
      if (push != JAM_NONE && w->slot != JAM_NONE && j->push_of[w->slot] != JAM_NONE)
        bits_put (bits_row (j->before, push, j->push_words), j->push_of[w->slot]);
    }
  }
  return close_pushes (j);
}

/* ---- what the explorer asks ---- */

void jam_whole_scope (const Graph *g, Clock *scope) {
  for (Tid t = 0; t < g->nthreads; t++) scope[t] = (Clock)g->threads[t].events.size;
}

static bool holds (const Graph *g, const PushRules *rules, const Clock *scope, bool with_finals,
                   PushWork *work) {
  if (jam_interleaves (g, scope, with_finals)) return true;
  Jam j;
  bool ok = jam_init (&j, g, rules, scope, g->sc_events > 1);
  ok = ok && (!with_finals || fix_finals (&j));
  ok = ok && has_order (&j, work);
  jam_done (&j);
  return ok;
}

bool model_allows_pushes (const Model *m, const Graph *g, const Clock *part, bool is_complete,
                          PushWork *work) {
  Clock all[g->nthreads + 1];
  if (!part) jam_whole_scope (g, all);
  return holds (g, m->pushes, part ? part : all, is_complete && !m->has_mo, work);
}

#define JAM(NAME, TITLE, PAPER, HAS_MO, SC, SEES)                                                  \
  const Model model_##NAME = {                                                                     \
      .name = #NAME,                                                                               \
      .title = TITLE,                                                                              \
      .paper = PAPER,                                                                              \
      .coherence = COHERENT_BY_HB,                                                                 \
      .has_mo = HAS_MO,                                                                            \
      .synchronises = true,                                                                        \
      .has_c11_release_sequences = HAS_MO,                                                         \
      .old_reads = OLD_READS_CONSTRAIN,                                                            \
      .volatile_is_sc = SC,                                                                        \
      .sees_private = SEES,                                                                        \
      .pushes = &NAME##_rules,                                                                     \
      .axioms = &axioms_##NAME,                                                                    \
  };

JAM (jam19, "Java's access modes as of 2019", "JAM19-OOPSLA'19", false, false, true)
JAM (jam21, "Java's access modes", "JAM21-ECOOP'22", false, true, false)
JAM (jam21t, "JAM21 as a thesis prints it, with RC11's coherence", "JAM21-Raczkiewicz'25", true,
     false, true)
