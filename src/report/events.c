/* events.c - an execution as JSON: threads, locations, events, and relations between events. */
#include "report/report_int.h"

/* "R acq ready = 1": what is put into the nodes of pictures. */
static void say_label (View *v, const WitnessEvent *e, Str *out) {
  static const char *const letters[] = {"R", "W", "U", "F", "create", "join", "free", "choose"};
  if (e->allocates) {
    str_add (out, e->read ? "allocate: fails" : "allocate");
    return;
  }
  str_add (out, letters[e->kind]);
  if (event_reads (e) || event_writes (e) || e->kind == WITNESS_FENCE)
    str_printf (out, " %s", order_name ((Order)e->order));
  if (e->location >= 0) str_printf (out, " %s", view_location (v, e->location));
  if (event_reads (e) || e->kind == WITNESS_CHOICE) {
    str_add (out, " = ");
    say_value (out, v->w, e->read, e->size);
  }
  if (event_writes (e)) {
    str_add (out, e->kind == WITNESS_RMW ? " -> " : " := ");
    say_value (out, v->w, e->written, e->size);
  }
  if (e->kind == WITNESS_CREATE || e->kind == WITNESS_JOIN) {
    str_add (out, " ");
    say_tid (out, e->other);
  }
}

/* Values are signed when they are small negative numbers of their size, as in the text. */
static void put_value (Json *to, const char *key, u64 value, u32 bytes) {
  u32 size = bytes && bytes <= 8 ? bytes : 8, shift = 64 - 8 * size;
  json_put_int (to, key, (i64)(value << shift) >> shift);
}

/* Only what was tracked: "data": [0, 2], indices into the execution. */
static void put_deps (const Witness *w, u32 event, Json *to) {
  for (u32 kind = 0; kind < DEP_KINDS; kind++) {
    Json *list = NULL;
    for (u32 i = 0; i < w->deps.size; i++) {
      WitnessDep d = w->deps.data[i];
      if (d.kind != kind || d.to != (i32)event) continue;
      if (!list) list = json_put_array (to, dep_name ((DepKind)kind));
      json_add_int (list, d.from);
    }
  }
}

static void put_calls (const Report *r, const WitnessEvent *e, Json *to) {
  const Program *p = r->program;
  u32 pos = view_event_position (p, e);
  Json *calls = NULL;
  json_put_text (to, "function", view_function_name (p, view_position_at (p, pos).func));
  for (u32 i = 0; i < WITNESS_STACK && e->stack[i]; i++) {
    if (e->stack[i] == pos || !position_is_own (p, e->stack[i])) continue;
    if (!calls) calls = json_put_array (to, "calls");
    Json *call = json_add_object (calls);
    report_put_place (r, call, e->stack[i]);
    json_put_text (call, "function",
                   view_function_name (p, view_position_at (p, e->stack[i]).func));
  }
}

static void put_access (View *v, const WitnessEvent *e, Json *to) {
  const Witness *w = v->w;
  if (event_reads (e) || event_writes (e) || e->kind == WITNESS_FENCE)
    json_put_text (to, "order", order_name ((Order)e->order));
  if (e->location >= 0) {
    json_put_text (to, "location", view_location_name (w, e->location));
    json_put_int (to, "size", e->size);
  }
  if (event_reads (e) || e->kind == WITNESS_CHOICE) put_value (to, "read", e->read, e->size);
  if (event_reads (e) && e->rf == WITNESS_INIT) json_put_text (to, "from", "init");
  if (event_reads (e) && e->rf >= 0) json_put_int (to, "from", e->rf);
  if (event_writes (e)) put_value (to, "written", e->written, e->size);
  if (event_writes (e) && w->has_mo) json_put_int (to, "mo", e->mo);
}

static void put_event (const Report *r, View *v, u32 index, Json *to) {
  const WitnessEvent *e = &v->w->events.data[index];
  Str text = {0};
  report_put_thread (to, "thread", e->tid);
  json_put_int (to, "index", e->index);
  json_put_text (to, "kind", view_witness_kind_name ((WitnessKind)e->kind));
  put_access (v, e, to);
  put_deps (v->w, index, to);
  if (e->is_lock) {
    json_put_bool (to, "lock", true);
    json_put_bool (to, "waits", e->waits);
  }
  if (e->kind == WITNESS_CREATE || e->kind == WITNESS_JOIN)
    report_put_thread (to, "other", e->other);
  say_label (v, e, &text);
  json_put_text (to, "label", text.text);
  str_clear (&text);
  say_event (v, e, &text);
  json_put_text (to, "text", text.text);
  report_put_place (r, to, view_event_position (r->program, e));
  put_calls (r, e, to);
  str_free (&text);
}

static void put_threads (const Report *r, View *v, Json *to) {
  Json *threads = json_put_array (to, "threads");
  for (Tid t = 0; t < v->w->threads.size; t++) {
    const WitnessThread *thread = &v->w->threads.data[t];
    if (!thread->exists) continue;
    Json *one = json_add_object (threads);
    Str title = {0};
    report_put_thread (one, "name", t);
    say_thread_in_full (v, &title, t);
    json_put_text (one, "title", title.text);
    str_free (&title);
    json_put_text (one, "function", view_function_name (r->program, thread->function));
    json_put_text (one, "status", view_thread_status_name ((ThreadStatus)thread->status));
    if (thread->status != THREAD_ENDED && view_position_at (r->program, thread->pos).line)
      report_put_place (r, one, thread->pos);
  }
}

static void put_locations (View *v, Json *to) {
  Json *locations = json_put_array (to, "locations");
  for (u32 l = 0; l < v->w->locations.size; l++) {
    const WitnessLocation *location = &v->w->locations.data[l];
    Json *one = json_add_object (locations);
    Str initial = {0};
    json_put_text (one, "location", view_location_name (v->w, (i32)l));
    json_put_text (one, "name", view_location (v, (i32)l));
    json_put_int (one, "size", location->size);
    say_value (&initial, v->w, location->initial, location->size);
    json_put_text (one, "initial", initial.text);
    str_free (&initial);
  }
}

static void put_relations (const Witness *w, Json *to) {
  Json *relations = json_put_object (to, "relations");
  for (u32 i = 0; i < w->relations.size; i++) {
    const WitnessRelation *relation = &w->relations.data[i];
    Json *pairs = json_put_array (relations, relation->name);
    for (u32 k = 0; k + 1 < relation->ends.size; k += 2) {
      Json *pair = json_add (pairs, json_array ());
      json_add_int (pair, relation->ends.data[k]);
      json_add_int (pair, relation->ends.data[k + 1]);
    }
  }
}

static void put_event_or_init (Json *to, const char *key, i32 event) {
  if (event >= 0)
    json_put_int (to, key, event);
  else
    json_put_text (to, key, "init");
}

static void put_neighbours (const Witness *w, Json *to) {
  if (!w->neighbours.size) return;
  Json *list = json_put_array (to, "neighbours");
  for (u32 i = 0; i < w->neighbours.size; i++) {
    const WitnessNeighbour *n = &w->neighbours.data[i];
    Json *one = json_add_object (list);
    json_put_int (one, "read", n->read);
    put_event_or_init (one, "from", n->write);
    if (!n->axiom) continue;
    json_put_text (one, "axiom", n->axiom);
    Json *cycle = json_put_array (one, "cycle");
    for (u32 k = 0; k < n->cycle.size; k++) {
      Json *edge = json_add_object (cycle);
      put_event_or_init (edge, "from", n->cycle.data[k].from);
      put_event_or_init (edge, "to", n->cycle.data[k].to);
      json_put_text (edge, "relation", n->cycle.data[k].name);
    }
  }
}

void report_put_execution (const Report *r, const Witness *w, Json *to) {
  View v = view_open (r, w);
  put_threads (r, &v, to);
  put_locations (&v, to);
  Json *events = json_put_array (to, "execution");
  for (u32 i = 0; i < w->events.size; i++) put_event (r, &v, i, json_add_object (events));
  put_relations (w, to);
  put_neighbours (w, to);
  view_close (&v);
}
