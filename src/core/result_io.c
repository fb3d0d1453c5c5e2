/* result_io.c - results as bytes: of what a search has found and counted so far. What is only known
 * at the end (verdict, fixes, other models) is not written. */
#include "core/result.h"

/* ---- writing --------------------------------------------------------------------------------- */

static void put_signed (Bytes *b, i32 n) { bytes_put (b, (u32)n); }

static void put_witness_event (Bytes *b, const WitnessEvent *e) {
  bytes_put (b, e->kind);
  bytes_put (b, e->order);
  bytes_put (b, e->size);
  bytes_put (b, e->is_lock);
  bytes_put (b, e->allocates);
  bytes_put (b, e->waits);
  bytes_put (b, e->tid);
  bytes_put (b, e->index);
  put_signed (b, e->location);
  put_signed (b, e->rf);
  bytes_put (b, e->mo);
  bytes_put (b, e->read);
  bytes_put (b, e->written);
  bytes_put (b, e->other);
  bytes_put (b, e->pos);
  for (u32 i = 0; i < WITNESS_STACK; i++) bytes_put (b, e->stack[i]);
}

static void put_witness_thread (Bytes *b, const WitnessThread *t) {
  bytes_put (b, t->function);
  bytes_put (b, t->parent);
  bytes_put (b, t->exists);
  bytes_put (b, t->status);
  bytes_put (b, t->pos);
  bytes_put (b, t->call);
  bytes_put (b, t->other);
  bytes_put (b, t->nawaited);
  for (u32 i = 0; i < t->nawaited; i++) {
    put_signed (b, t->awaited[i].location);
    bytes_put (b, t->awaited[i].value);
  }
  bytes_put (b, t->nevents);
}

static void put_witness_location (Bytes *b, const WitnessLocation *l) {
  bytes_put_text (b, l->name);
  bytes_put (b, l->is_variable);
  bytes_put (b, l->addr);
  bytes_put (b, l->size);
  bytes_put (b, l->initial);
}

static void put_pointer (Bytes *b, const WitnessPointer *p) {
  bytes_put (b, p->value);
  bytes_put_text (b, p->name);
}

static void put_dep (Bytes *b, const WitnessDep *d) {
  bytes_put (b, d->kind);
  put_signed (b, d->from);
  put_signed (b, d->to);
}

static void put_pair (Bytes *b, const u64 *half) { bytes_put (b, *half); }

static void put_step (Bytes *b, const WitnessStep *s) {
  put_signed (b, s->event);
  bytes_put (b, s->arrives_at);
}

static void put_end (Bytes *b, const i32 *e) { put_signed (b, *e); }

static void put_edge (Bytes *b, const WitnessEdge *e) {
  put_signed (b, e->from);
  put_signed (b, e->to);
  bytes_put_text (b, e->name);
}

#define PUT_ALL(b, list, put)                                                                      \
  do {                                                                                             \
    bytes_put (b, (list)->size);                                                                   \
    for (u32 k_ = 0; k_ < (list)->size; k_++) put (b, &(list)->data[k_]);                          \
  } while (0)

static void put_relation (Bytes *b, const WitnessRelation *r) {
  bytes_put_text (b, r->name);
  PUT_ALL (b, &r->ends, put_end);
}

static void put_neighbour (Bytes *b, const WitnessNeighbour *n) {
  put_signed (b, n->read);
  put_signed (b, n->write);
  bytes_put_text (b, n->axiom);
  PUT_ALL (b, &n->cycle, put_edge);
}

static void put_witness (Bytes *b, const Witness *w) {
  PUT_ALL (b, &w->events, put_witness_event);
  PUT_ALL (b, &w->threads, put_witness_thread);
  PUT_ALL (b, &w->locations, put_witness_location);
  PUT_ALL (b, &w->pointers, put_pointer);
  PUT_ALL (b, &w->deps, put_dep);
  PUT_ALL (b, &w->pairs, put_pair);
  PUT_ALL (b, &w->steps, put_step);
  bytes_put (b, w->has_mo);
  PUT_ALL (b, &w->relations, put_relation);
  PUT_ALL (b, &w->neighbours, put_neighbour);
}

static void put_finding (Bytes *b, const Finding *f) {
  bytes_put (b, f->kind);
  bytes_put_text (b, f->message);
  bytes_put (b, f->tid);
  bytes_put (b, f->pos);
  put_signed (b, f->event);
  bytes_put (b, f->other_tid);
  bytes_put (b, f->other_pos);
  put_signed (b, f->other_event);
  put_signed (b, f->location);
  bytes_put (b, f->origin);
  bytes_put (b, f->origin_tid);
  bytes_put (b, f->execution);
  put_witness (b, &f->witness);
}

static void put_note (Bytes *b, const NotCovered *n) {
  bytes_put_text (b, n->what);
  bytes_put (b, n->pos);
}

void result_write (const Result *r, Bytes *b) {
#define STAT(field, label) bytes_put (b, r->stats.field);
#include "core/stats.def"
#undef STAT
  PUT_ALL (b, &r->findings, put_finding);
  PUT_ALL (b, &r->not_covered, put_note);
  PUT_ALL (b, &r->warnings, put_note);
}

/* ---- reading --------------------------------------------------------------------------------- */

static i32 get_signed (ByteReader *r) { return (i32)bytes_get_u32 (r); }

/* An index below n, or, if it is negative, one of the constants. */
static i32 get_index (ByteReader *r, u32 n) {
  i32 i = get_signed (r);
  if (i < WITNESS_NONE || i >= (i64)n) r->is_bad = true;
  return i;
}

/* A text that must be there. */
static char *get_name (ByteReader *r) {
  char *text = bytes_get_text (r);
  if (text) return text;
  r->is_bad = true;
  return mem_strdup ("");
}

/* One that others refer to and only the result frees. */
static const char *get_shared_text (ByteReader *r, Result *result) {
  char *text = bytes_get_text (r);
  if (text) vec_push (&result->texts, text);
  return text;
}

static WitnessEvent get_witness_event (ByteReader *r) {
  WitnessEvent e = {0};
  e.kind = (u8)bytes_get_below (r, WITNESS_CHOICE + 1);
  e.order = (u8)bytes_get_below (r, ORD_SC + 1);
  e.size = (u8)bytes_get_below (r, 17);
  e.is_lock = bytes_get_bool (r);
  e.allocates = bytes_get_bool (r);
  e.waits = bytes_get_bool (r);
  e.tid = bytes_get_u32 (r);
  e.index = bytes_get_u32 (r);
  e.location = get_signed (r);
  e.rf = get_signed (r);
  e.mo = bytes_get_u32 (r);
  e.read = bytes_get (r);
  e.written = bytes_get (r);
  e.other = bytes_get_u32 (r);
  e.pos = bytes_get_u32 (r);
  for (u32 i = 0; i < WITNESS_STACK; i++) e.stack[i] = bytes_get_u32 (r);
  return e;
}

static WitnessThread get_witness_thread (ByteReader *r) {
  WitnessThread t = {0};
  t.function = bytes_get_u32 (r);
  t.parent = bytes_get_u32 (r);
  t.exists = bytes_get_bool (r);
  t.status = (u8)bytes_get_below (r, THREAD_FAILED + 1);
  t.pos = bytes_get_u32 (r);
  t.call = bytes_get_u32 (r);
  t.other = bytes_get_u32 (r);
  t.nawaited = (u32)bytes_get_below (r, WITNESS_AWAITED + 1);
  for (u32 i = 0; i < t.nawaited; i++) {
    t.awaited[i].location = get_signed (r);
    t.awaited[i].value = bytes_get (r);
  }
  t.nevents = bytes_get_u32 (r);
  return t;
}

static WitnessLocation get_witness_location (ByteReader *r) {
  WitnessLocation x = {0};
  x.name = get_name (r);
  x.is_variable = bytes_get_bool (r);
  x.addr = bytes_get (r);
  x.size = bytes_get_u32 (r);
  x.initial = bytes_get (r);
  return x;
}

static WitnessPointer get_pointer (ByteReader *r) {
  WitnessPointer x = {0};
  x.value = bytes_get (r);
  x.name = get_name (r);
  return x;
}

static WitnessDep get_dep (ByteReader *r, u32 events) {
  WitnessDep x = {0};
  x.kind = (u8)bytes_get_below (r, DEP_KINDS);
  x.from = get_index (r, events);
  x.to = get_index (r, events);
  return x;
}

static WitnessStep get_step (ByteReader *r, u32 events) {
  WitnessStep x = {0};
  x.event = get_index (r, events);
  x.arrives_at = bytes_get (r);
  return x;
}

static WitnessEdge get_edge (ByteReader *r, Result *result, u32 events) {
  WitnessEdge x = {0};
  x.from = get_index (r, events);
  x.to = get_index (r, events);
  x.name = get_shared_text (r, result);
  return x;
}

#define GET_ALL(r, list, least, value)                                                             \
  for (u32 n_ = bytes_get_count (r, least); n_ > 0 && !(r)->is_bad; n_--) vec_push (list, value)

static WitnessRelation get_relation (ByteReader *r, Result *result, u32 events) {
  WitnessRelation x = {.name = get_shared_text (r, result)};
  GET_ALL (r, &x.ends, 1, get_index (r, events));
  if (!x.name || x.ends.size % 2) r->is_bad = true;
  return x;
}

static WitnessNeighbour get_neighbour (ByteReader *r, Result *result, u32 events) {
  WitnessNeighbour n = {0};
  n.read = get_index (r, events);
  n.write = get_index (r, events);
  n.axiom = get_shared_text (r, result);
  GET_ALL (r, &n.cycle, 3, get_edge (r, result, events));
  return n;
}

/* Indices into lists that were not yet known. */
static void check_witness (ByteReader *r, const Witness *w) {
  i64 events = w->events.size, locations = w->locations.size;
  for (u32 i = 0; i < w->events.size; i++) {
    const WitnessEvent *e = &w->events.data[i];
    if (e->rf < WITNESS_NONE || e->rf >= events || e->location < WITNESS_NONE ||
        e->location >= locations || e->tid >= w->threads.size)
      r->is_bad = true;
  }
  for (u32 i = 0; i < w->threads.size; i++)
    for (u32 k = 0; k < w->threads.data[i].nawaited; k++)
      if (w->threads.data[i].awaited[k].location < WITNESS_NONE ||
          w->threads.data[i].awaited[k].location >= locations)
        r->is_bad = true;
}

static void get_witness (ByteReader *r, Result *result, Witness *w) {
  GET_ALL (r, &w->events, 15 + WITNESS_STACK, get_witness_event (r));
  GET_ALL (r, &w->threads, 9, get_witness_thread (r));
  GET_ALL (r, &w->locations, 5, get_witness_location (r));
  GET_ALL (r, &w->pointers, 2, get_pointer (r));
  u32 events = w->events.size;
  GET_ALL (r, &w->deps, 3, get_dep (r, events));
  GET_ALL (r, &w->pairs, 1, bytes_get (r));
  GET_ALL (r, &w->steps, 2, get_step (r, events));
  w->has_mo = bytes_get_bool (r);
  GET_ALL (r, &w->relations, 2, get_relation (r, result, events));
  GET_ALL (r, &w->neighbours, 4, get_neighbour (r, result, events));
  check_witness (r, w);
}

static Finding get_finding (ByteReader *r, Result *result) {
  Finding f = {0};
  f.kind = (FindingKind)bytes_get_below (r, FINDING_KINDS);
  f.message = get_name (r);
  f.tid = bytes_get_u32 (r);
  f.pos = bytes_get_u32 (r);
  f.event = get_signed (r);
  f.other_tid = bytes_get_u32 (r);
  f.other_pos = bytes_get_u32 (r);
  f.other_event = get_signed (r);
  f.location = get_signed (r);
  f.origin = bytes_get_u32 (r);
  f.origin_tid = bytes_get_u32 (r);
  f.execution = bytes_get (r);
  get_witness (r, result, &f.witness);
  i64 events = f.witness.events.size, locations = f.witness.locations.size;
  if (f.event < WITNESS_NONE || f.event >= events || f.other_event < WITNESS_NONE ||
      f.other_event >= events || f.location < WITNESS_NONE || f.location >= locations)
    r->is_bad = true;
  return f;
}

static NotCovered get_note (ByteReader *r) {
  NotCovered x = {0};
  x.what = get_name (r);
  x.pos = bytes_get_u32 (r);
  return x;
}

Result result_read (ByteReader *r, const char *model) {
  Result x = {.model = model};
#define STAT(field, label) x.stats.field = bytes_get (r);
#include "core/stats.def"
#undef STAT
  GET_ALL (r, &x.findings, 20, get_finding (r, &x));
  GET_ALL (r, &x.not_covered, 2, get_note (r));
  GET_ALL (r, &x.warnings, 2, get_note (r));
  return x;
}
