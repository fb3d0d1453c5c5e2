/* message.c - the sentence that a finding begins with.
 *
 * Who waits for whom is told from the threads of the witness. A block of memory or a local variable
 * has no name that the engine could know; the source line that accesses it has one.
 */
#include "report/report_int.h"

/* ---- waiting */

i32 explain_waiting_lock (const Witness *w, Tid t) {
  if (w->threads.data[t].status != THREAD_WAITS_LOCK) return WITNESS_NONE;
  for (u32 i = w->events.size; i-- > 0;) {
    const WitnessEvent *e = &w->events.data[i];
    if (e->tid == t && e->is_lock && event_reads (e)) return (i32)i;
  }
  return WITNESS_NONE;
}

/* The thread that t waits for; t itself if it waits for none. */
static Tid waits_for (const Witness *w, Tid t) {
  const WitnessThread *thread = &w->threads.data[t];
  if (thread->status == THREAD_WAITS_JOIN) return thread->other;
  i32 lock = explain_waiting_lock (w, t);
  i32 held = lock >= 0 ? w->events.data[lock].rf : WITNESS_NONE;
  return held >= 0 ? w->events.data[held].tid : t;
}

static bool is_waiting (const Witness *w, Tid t) {
  u8 status = w->threads.data[t].status;
  return status == THREAD_WAITS_LOCK || status == THREAD_WAITS_JOIN;
}

/* The number of threads of the circle that starts and ends at t, or 0. */
static u32 circle_of (const Witness *w, Tid t) {
  Tid at = t;
  for (u32 n = 1; n <= w->threads.size && is_waiting (w, at); n++) {
    at = waits_for (w, at);
    if (at >= w->threads.size) return 0;
    if (at == t) return n;
  }
  return 0;
}

static void say_circle (const Witness *w, Tid t, u32 n, Str *out) {
  Tid at = t;
  for (u32 i = 0; i < n; i++, at = waits_for (w, at)) {
    if (i) str_add (out, i + 1 < n ? ", " : " and ");
    say_tid (out, at);
  }
  str_add (out, " can wait for each other forever");
}

static bool say_deadlock (View *v, const Finding *f, Str *out) {
  const Witness *w = v->w;
  if (f->tid >= w->threads.size || !is_waiting (w, f->tid)) return false;
  u32 n = circle_of (w, f->tid);
  if (n > 1) {
    say_circle (w, f->tid, n, out);
    return true;
  }
  Tid other = waits_for (w, f->tid);
  i32 lock = explain_waiting_lock (w, f->tid);
  say_tid (out, f->tid);
  str_add (out, " can wait forever for ");
  if (lock < 0 || w->events.data[lock].rf < 0) {
    say_tid (out, other);
    str_add (out, " to end");
    return true;
  }
  str_printf (out, "`%s`, which ", view_location_name (w, w->events.data[lock].location));
  if (n == 1) {
    str_add (out, "it has locked itself");
    return true;
  }
  say_tid (out, other);
  str_add (out, w->threads.data[other].status == THREAD_ENDED ? " never unlocks" : " has locked");
  return true;
}

static bool say_liveness (View *v, const Finding *f, Str *out) {
  if (f->tid >= v->w->threads.size) return false;
  const WitnessThread *t = &v->w->threads.data[f->tid];
  say_tid (out, f->tid);
  str_add (out, " can wait forever");
  if (t->call) {
    str_printf (out, " in %s", view_library_function (v->program, t->call - 1));
    return true;
  }
  Str operand = {0};
  for (u32 i = 0; i < t->nawaited; i++)
    str_printf (out, "%s`%s`", i ? " or " : " for ", view_location (v, t->awaited[i].location));
  if (t->status == THREAD_SPINS && !t->nawaited && view_operand_at (v, t->pos, &operand))
    str_printf (out, " for `%s`", operand.text);
  if (t->nawaited || operand.length) str_add (out, " to change");
  str_free (&operand);
  return true;
}

/* ---- names */

static const char *const nameless[] = {"`malloc(", "`calloc(", "`local("};

/* Where in a message a nameless object is mentioned, from one back quote to after the other. */
static bool find_nameless (const char *message, Span *span) {
  for (u32 i = 0; i < ARRAY_SIZE (nameless); i++) {
    const char *at = strstr (message, nameless[i]);
    const char *end = at ? strchr (at + 1, '`') : NULL;
    if (!end) continue;
    *span = (Span){(u32)(at - message), (u32)(end + 1 - message)};
    return true;
  }
  return false;
}

static bool name_from_source (View *v, const Finding *f, Str *out) {
  const char *name = f->location >= 0 ? view_location (v, f->location) : "";
  bool is_told = f->location >= 0 && strcmp (name, view_location_name (v->w, f->location));
  if (is_told && name[0] != '(') { /* a local variable */
    str_add (out, name);
    return true;
  }
  if (view_operand_of (v, f->event, view_finding_position (v->program, f), out)) return true;
  if (is_told) str_add (out, name);
  return is_told;
}

void view_message (View *v, const Finding *f, Str *out) {
  Str name = {0};
  Span span;
  bool said = false;
  if (f->kind == FINDING_DEADLOCK) said = say_deadlock (v, f, out);
  if (f->kind == FINDING_LIVENESS) said = say_liveness (v, f, out);
  const char *message = f->message ? f->message : finding_kind_meaning (f->kind);
  if (said) {
    /* done */
  } else if (f->kind != FINDING_OUT_OF_BOUNDS && find_nameless (message, &span) &&
             name_from_source (v, f, &name)) {
    str_add_n (out, message, span.start);
    str_printf (out, "`%s`%s", name.text, message + span.end);
  } else {
    str_add (out, message);
  }
  str_free (&name);
}

void say_message (const Report *r, const Finding *f, Str *out) {
  View v = view_open (r, &f->witness);
  view_message (&v, f, out);
  view_close (&v);
}

void say_finding (const Report *r, const Finding *f, Str *out) {
  u32 pos = view_finding_position (r->program, f);
  say_message (r, f, out);
  if (!view_position_at (r->program, pos).line) return;
  str_add (out, " at ");
  say_place (out, r->program, pos);
}

void report_finding (const Report *r, const Finding *f, Str *message, Str *thread, Position *at) {
  say_message (r, f, message);
  say_tid (thread, f->tid);
  *at = view_position_at (r->program, view_finding_position (r->program, f));
}
