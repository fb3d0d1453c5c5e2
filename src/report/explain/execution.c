/* execution.c - a whole execution, thread by thread: what each step did, where its value came from,
 * what followed. */
#include "report/report_int.h"

enum { WHAT_WIDTH = 44 };

static void event_number (Str *out, i32 e) { str_printf (out, "#%d", e + 1); }

/* "read   ready = 1" */
static void say_what (View *v, const WitnessEvent *e, Str *out) {
  const char *name = view_location (v, e->location);
  switch ((WitnessKind)e->kind) {
  case WITNESS_READ:
    if (e->is_lock && e->waits) {
      str_printf (out, "lock %s", name);
      break;
    }
    str_printf (out, "%s %s -> ", e->is_lock ? "trylock" : "read", name);
    say_value (out, v->w, e->read, e->size);
    break;
  case WITNESS_WRITE:
    str_printf (out, "%s %s", e->is_lock ? "unlock" : "write", name);
    if (e->is_lock) break;
    str_add (out, " = ");
    say_value (out, v->w, e->written, e->size);
    break;
  case WITNESS_RMW:
    str_printf (out, "%s %s", e->is_lock ? "lock" : "update", name);
    if (e->is_lock) break;
    str_add (out, ": ");
    say_value (out, v->w, e->read, e->size);
    str_add (out, " -> ");
    say_value (out, v->w, e->written, e->size);
    break;
  case WITNESS_FENCE:
    str_add (out, "fence");
    break;
  case WITNESS_CREATE:
    str_add (out, "create ");
    say_thread (v, out, e->other);
    break;
  case WITNESS_JOIN:
    str_add (out, "join ");
    say_thread (v, out, e->other);
    break;
  case WITNESS_FREE:
    str_printf (out, "free %s", name);
    break;
  case WITNESS_CHOICE:
    str_add (out, !e->allocates ? "choose " : e->read ? "allocate: fails" : "allocate");
    if (!e->allocates) say_value (out, v->w, e->read, e->size);
    break;
  }
}

/* Where a read got its value; what a write was overwritten by. */
static void say_links (View *v, const WitnessEvent *e, Str *out) {
  if (e->waits) str_add (out, " (waits)");
  if (event_reads (e)) {
    const WitnessEvent *w = view_event (v, e->rf);
    str_add (out, w ? "  from " : e->rf == WITNESS_INIT ? "  (initial value)" : "");
    if (w) {
      say_tid (out, w->tid);
      str_add (out, " ");
      event_number (out, e->rf);
    }
  }
  if (event_writes (e) && v->w->has_mo) {
    i32 next = relations_mo_next (v->w, e->location, e->mo);
    if (next < 0) return;
    str_add (out, "  then ");
    say_tid (out, v->w->events.data[next].tid);
    str_add (out, " ");
    event_number (out, next);
  }
}

void say_event (View *v, const WitnessEvent *e, Str *out) {
  say_what (v, e, out);
  if (!event_reads (e) && !event_writes (e) && e->kind != WITNESS_FENCE) return;
  str_add (out, ", ");
  say_order (out, (Order)e->order);
}

static void show_event (const Report *r, View *v, i32 i, Str *out) {
  const WitnessEvent *e = view_event (v, i);
  u32 pos = view_event_position (r->program, e), length;
  Str what = {0};
  say_event (v, e, &what);
  say_links (v, e, &what);
  str_printf (out, "   %*s#%-3d %-*s  ", i + 1 < 100 ? 1 : 0, "", i + 1, WHAT_WIDTH, what.text);
  say_place (out, r->program, pos);
  const char *line = source_line (r->sources, view_position_path (r->program, pos),
                                  view_position_at (r->program, pos).line, &length);
  if (line) {
    Span all = source_span (line, length, 0);
    str_clear (&what);
    source_show (&what, line + all.start, all.end - all.start, 0);
    str_add (out, "  ");
    snippet_paint (out, r->color, PAINT_DIM, what.text);
  }
  str_add (out, "\n");
  str_free (&what);
}

static void show_thread (const Report *r, View *v, Tid t, Str *out) {
  const WitnessThread *thread = &v->w->threads.data[t];
  Str name = {0};
  say_thread_in_full (v, &name, t);
  if (thread->status != THREAD_ENDED) {
    str_printf (&name, ", %s", view_thread_status_name ((ThreadStatus)thread->status));
    if (view_position_at (r->program, thread->pos).line) {
      str_add (&name, " at ");
      say_place (&name, r->program, thread->pos);
    }
  }
  str_add (out, "  ");
  snippet_paint (out, r->color, PAINT_BOLD, name.text);
  str_add (out, "\n");
  str_free (&name);
  for (u32 i = 0; i < v->w->events.size; i++)
    if (v->w->events.data[i].tid == t) show_event (r, v, (i32)i, out);
}

static bool is_lock (const Witness *w, i32 location) {
  for (u32 i = 0; i < w->events.size; i++)
    if (w->events.data[i].location == location && w->events.data[i].is_lock) return true;
  return false;
}

/* The values that a location takes, in order: "x: 0, 1 (#3), 2 (#5)". */
static void show_location (View *v, u32 l, Str *out) {
  const WitnessLocation *location = &v->w->locations.data[l];
  str_printf (out, "    %s: ", view_location (v, (i32)l));
  say_value (out, v->w, location->initial, location->size);
  for (i32 e = relations_mo_next (v->w, (i32)l, 0); e >= 0;
       e = relations_mo_next (v->w, (i32)l, view_event (v, e)->mo)) {
    str_add (out, ", ");
    say_value (out, v->w, view_event (v, e)->written, view_event (v, e)->size);
    str_printf (out, " (#%d)", e + 1);
  }
  str_add (out, "\n");
}

void report_execution (const Report *r, const Witness *w, Str *out) {
  View v = view_open (r, w);
  for (Tid t = 0; t < w->threads.size; t++)
    if (w->threads.data[t].exists) show_thread (r, &v, t, out);
  if (w->locations.size && w->has_mo) str_add (out, "  values of shared memory, in order\n");
  for (u32 l = 0; l < w->locations.size && w->has_mo; l++)
    if (!is_lock (w, (i32)l)) show_location (&v, l, out);
  view_close (&v);
}
