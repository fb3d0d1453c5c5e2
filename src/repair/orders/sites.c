/* sites.c - places of the source whose orders can be changed: those that a witness runs through,
 * the likeliest culprits first, or all of them.
 *
 * Under suspicion are, in this order: accesses that carry one side of the finding to the other, or
 * a write to a read that does not see it, without synchronising; then what lies before the finding,
 * the latest first; then the rest.
 */
#include <stdlib.h>

#include "repair/repair_int.h"

bool sites_same_place (const Program *p, u32 a, u32 b) {
  const Position *x = &p->positions.data[a], *y = &p->positions.data[b];
  return x->file == y->file && x->line == y->line && x->column == y->column;
}

static bool op_makes (Op op, WitnessKind kind) {
  switch (kind) {
  case WITNESS_READ:
    return op == OP_LOAD || op == OP_CAS;
  case WITNESS_WRITE:
    return op == OP_STORE;
  case WITNESS_RMW:
    return op == OP_RMW || op == OP_CAS;
  case WITNESS_FENCE:
    return op == OP_FENCE;
  case WITNESS_CREATE:
  case WITNESS_JOIN:
  case WITNESS_FREE:
  case WITNESS_CHOICE:
    return false;
  }
  return false;
}

/* A function that is given an order is compiled to one instruction for each order that it may be
 * given. */
static bool has_order (const Insn *i, const WitnessEvent *e) {
  bool fails = i->op == OP_CAS && e->kind == WITNESS_READ;
  return (fails ? i->order2 : i->order) == e->order;
}

static void find_refs (const Program *p, const WitnessEvent *e, Site *site) {
  for (u32 k = 0; k < p->functions.size; k++) {
    const Function *f = &p->functions.data[k];
    for (u32 n = 0; n < f->code.size; n++) {
      const Insn *i = &f->code.data[n];
      if (!op_makes ((Op)i->op, (WitnessKind)e->kind) || !sites_same_place (p, i->pos, site->pos))
        continue;
      if (!has_order (i, e)) {
        site->is_given_order = true;
        continue;
      }
      if (!site->refs.size) {
        site->op = i->op;
        site->order = i->order;
        site->order_fail = i->op == OP_CAS ? i->order2 : ORD_NA;
      } else if (i->op != site->op || i->order != site->order) {
        continue;
      }
      vec_push (&site->refs, ((Ref){k, n}));
    }
  }
}

/* A compare-exchange is one site, whether it fails or not. */
static bool is_known (const Search *s, const Site *site) {
  for (u32 i = 0; i < s->sites.size; i++) {
    const Site *other = &s->sites.data[i];
    if (sites_same_place (s->p, other->pos, site->pos) && other->op == site->op &&
        other->order == site->order)
      return true;
  }
  return false;
}

/* The same again, as in a loop. */
static bool is_repeated (const Search *s, i32 event) {
  const WitnessEvent *e = &s->f->witness.events.data[event];
  for (u32 i = 0; i < s->sites.size; i++) {
    const Site *site = &s->sites.data[i];
    if (site->pos == e->pos && site->access == e->kind && site->order == e->order) return true;
  }
  return false;
}

static void suspect (Search *s, i32 event) {
  const WitnessEvent *e = &s->f->witness.events.data[event];
  Site site = {.access = e->kind, .pos = e->pos};
  if (!position_is_own (s->p, e->pos) || is_repeated (s, event)) return;
  for (u32 i = 0; i < WITNESS_STACK && e->stack[i] && !site.called_at; i++)
    if (position_is_own (s->p, e->stack[i]) && !sites_same_place (s->p, e->stack[i], e->pos))
      site.called_at = e->stack[i];
  find_refs (s->p, e, &site);
  if (site.refs.size && !is_known (s, &site))
    vec_push (&s->sites, site);
  else
    vec_free (&site.refs);
}

/* The pair of accesses that carries a to b, if it does so without ordering them. */
static void suspect_way (Search *s, const Relations *r, i32 a, i32 b) {
  i32 write, read;
  if (a < 0 || b < 0 || !relations_is_before (r, a, b) ||
      !relations_unsynchronised (r, a, b, &write, &read))
    return;
  suspect (s, write);
  suspect (s, read);
}

void sites_collect (Search *s) {
  const Finding *f = s->f;
  const Witness *w = &f->witness;
  Relations r = relations_of (w);
  suspect_way (s, &r, f->event, f->other_event);
  suspect_way (s, &r, f->other_event, f->event);
  for (i32 i = (i32)w->events.size; i-- > 0 && w->has_mo;)
    if (w->events.data[i].kind == WITNESS_READ)
      suspect_way (s, &r, relations_overwriting (&r, i), i);
  for (i32 i = (i32)w->events.size; i-- > 0;)
    if ((f->event >= 0 && relations_is_before (&r, i, f->event)) ||
        (f->other_event >= 0 && relations_is_before (&r, i, f->other_event)))
      suspect (s, i);
  for (i32 i = (i32)w->events.size; i-- > 0;) suspect (s, i);
  relations_free (&r);
}

/* ---- all of them */

static WitnessKind access_of (Op op) {
  return op == OP_LOAD    ? WITNESS_READ
         : op == OP_STORE ? WITNESS_WRITE
         : op == OP_FENCE ? WITNESS_FENCE
                          : WITNESS_RMW;
}

static bool is_ordered (const Program *p, const Insn *i) {
  bool is_access = i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_RMW || i->op == OP_CAS;
  return (is_access || i->op == OP_FENCE) && i->order != ORD_NA && position_is_own (p, i->pos);
}

/* Equal instructions of one place are one site: it may be compiled several times, as in a template
 * or in an inline function. */
static Site *site_of (Search *s, const Insn *i) {
  for (u32 k = 0; k < s->sites.size; k++) {
    Site *site = &s->sites.data[k];
    if (site->op != i->op || !sites_same_place (s->p, site->pos, i->pos)) continue;
    if (site->order == i->order && (i->op != OP_CAS || site->order_fail == i->order2)) return site;
    site->is_given_order = true;
  }
  vec_push (&s->sites, ((Site){.op = i->op,
                               .access = (u8)access_of ((Op)i->op),
                               .order = i->order,
                               .order_fail = i->op == OP_CAS ? i->order2 : ORD_NA,
                               .pos = i->pos}));
  Site *site = &vec_last (&s->sites);
  for (u32 k = 0; k + 1 < s->sites.size; k++)
    site->is_given_order |=
        s->sites.data[k].op == i->op && sites_same_place (s->p, s->sites.data[k].pos, i->pos);
  return site;
}

static int by_place (const void *a, const void *b, void *program) {
  const Program *p = program;
  const Position *x = &p->positions.data[((const Site *)a)->pos];
  const Position *y = &p->positions.data[((const Site *)b)->pos];
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

void sites_collect_all (Search *s) {
  for (u32 k = 0; k < s->p->functions.size; k++) {
    const Function *f = &s->p->functions.data[k];
    for (u32 n = 0; n < f->code.size; n++)
      if (is_ordered (s->p, &f->code.data[n])) {
        Site *site = site_of (s, &f->code.data[n]);
        vec_push (&site->refs, ((Ref){k, n}));
      }
  }
  if (s->sites.size) qsort_r (s->sites.data, s->sites.size, sizeof (Site), by_place, s->p);
}

void sites_free (Sites *sites) {
  for (u32 i = 0; i < sites->size; i++) vec_free (&sites->data[i].refs);
  vec_free (sites);
}
