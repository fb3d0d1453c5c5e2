/* steps.c - an execution that is an interleaving, told in its order: who did what after whom.
 *
 * Only steps through which threads influence each other: accesses to what another thread writes, or
 * of what another thread reads. A thread goes on as long as it can, so that there are few changes.
 */
#include "report/explanation.h"

typedef struct Line { /* the witness in an order without weak memory */
  const Relations *r;
  const Witness *w;
  bool *done;
  u32 *order;
  u32 count;
} Line;

static bool is_last_of_thread_done (const Line *l, Tid t) {
  for (u32 i = l->w->events.size; i-- > 0;)
    if (l->w->events.data[i].tid == t) return l->done[i];
  return true;
}

static u32 place_in_mo (const Witness *w, const WitnessEvent *e) {
  return e->kind != WITNESS_READ ? e->mo : e->rf >= 0 ? w->events.data[e->rf].mo : 0;
}

/* Whether all that comes before event e of its thread, and all that must precede it elsewhere, is
 * done. */
static bool is_ready (const Line *l, u32 e) {
  const WitnessEvent *x = &l->w->events.data[e];
  if (event_reads (x) && x->rf >= 0 && !l->done[x->rf]) return false;
  if (x->kind == WITNESS_JOIN) return is_last_of_thread_done (l, x->other);
  for (u32 i = 0; i < l->w->events.size; i++) {
    const WitnessEvent *y = &l->w->events.data[i];
    if (l->done[i] || i == e) continue;
    if (y->tid == x->tid && y->index < x->index) return false;
    if (y->kind == WITNESS_CREATE && y->other == x->tid) return false;
    if (!event_writes (x) || y->location != x->location) continue;
    if ((event_reads (y) || event_writes (y)) && place_in_mo (l->w, y) < x->mo) return false;
  }
  return true;
}

static bool take_next (Line *l, Tid t) {
  for (u32 i = 0; i < l->w->events.size; i++) {
    if (l->done[i] || l->w->events.data[i].tid != t) continue;
    if (!is_ready (l, i)) return false;
    l->done[i] = true;
    l->order[l->count++] = i;
    return true;
  }
  return false;
}

static void line_up (Line *l) {
  for (bool moved = true; moved;) {
    moved = false;
    for (Tid t = 0; t < l->w->threads.size; t++)
      while (take_next (l, t)) moved = true;
  }
}

/* ---- which steps matter */

static bool leads_to (const Explanation *x, u32 e, i32 to) {
  return to >= 0 && ((i32)e == to || relations_is_before (&x->relations, (i32)e, to));
}

/* Whether all other threads access the location only within libraries: it is their business. */
static bool is_shared_internally (const Explanation *x, const WitnessEvent *e) {
  bool is_shared = false;
  for (u32 i = 0; i < x->view.w->events.size; i++) {
    const WitnessEvent *y = &x->view.w->events.data[i];
    if (y->location != e->location || y->tid == e->tid) continue;
    if (!view_is_internal (x->view.program, y)) return false;
    is_shared = true;
  }
  return is_shared;
}

static bool matters (const Explanation *x, u32 e) {
  const Finding *f = x->finding;
  const Witness *w = x->view.w;
  const WitnessEvent *event = &w->events.data[e];
  if (f->kind != FINDING_LIVENESS && f->event >= 0 && !leads_to (x, e, f->event) &&
      !leads_to (x, e, f->other_event))
    return false;
  if (relations_is_preparation (w, e) ||
      !position_is_own (x->view.program, view_event_position (x->view.program, event)))
    return false;
  if (event->kind == WITNESS_FREE)
    return f->kind == FINDING_USE_AFTER_FREE || f->kind == FINDING_DOUBLE_FREE;
  if ((!event_reads (event) && !event_writes (event)) || event->location < 0) return false;
  return (i32)e == f->event || (i32)e == f->other_event ||
         (relations_is_contended (w, event) && !is_shared_internally (x, event));
}

const char *steps_library_call (const Program *p, const WitnessEvent *e) {
  u32 pos = 0;
  for (u32 i = 0; i < WITNESS_STACK && e->stack[i] && !position_is_own (p, e->stack[i]); i++)
    pos = e->stack[i];
  if (!pos || e->is_lock) return NULL;
  u32 func = view_position_at (p, pos).func;
  if (func >= p->functions.size) return NULL;
  return view_library_function (p, func);
}

/* The same again, as in a spin loop or in a library. */
static bool is_same_step (const Program *p, const WitnessEvent *a, const WitnessEvent *b) {
  if (steps_library_call (p, a) &&
      steps_library_call (p, b)) /* perhaps by another name: stacks are cut off */
    return a->tid == b->tid && view_event_position (p, a) == view_event_position (p, b);
  return a->tid == b->tid && a->pos == b->pos && a->kind == b->kind && a->location == b->location &&
         a->read == b->read && a->written == b->written;
}

/* ---- what goes wrong */

/* It is no event, which would be told anyhow. */
static bool is_beside_events (FindingKind kind) {
  static const FindingKind kinds[] = {
      FINDING_ASSERT,        FINDING_LIVENESS,    FINDING_NULL_DEREF,
      FINDING_OUT_OF_BOUNDS, FINDING_UNREACHABLE, FINDING_DIVISION_BY_ZERO,
      FINDING_OVERFLOW,      FINDING_MISALIGNED,  FINDING_ABORT};
  for (u32 i = 0; i < ARRAY_SIZE (kinds); i++)
    if (kinds[i] == kind) return true;
  return false;
}

/* The finding's sentence, of what has happened: what can fail fails, what can be used is used. */
static void say_end (Explanation *x, Str *out) {
  static const char can[] = " can ";
  Str message = {0}, who = {0};
  char *last = NULL;
  say_tid (&who, x->finding->tid);
  view_message (&x->view, x->finding, &message);
  for (char *at = message.text; (at = strstr (at, can)); at++) last = at;
  if (last) {
    const char *verb = last + sizeof can - 1;
    size_t n = strcspn (verb, " ");
    *last = 0;
    if (strcmp (message.text, who.text) != 0) str_printf (out, "%s ", message.text);
    if (n == 2 && !strncmp (verb, "be", n))
      str_add (out, "is");
    else
      str_printf (out, "%.*s%s", (int)n, verb, verb[n - 1] == 'h' ? "es" : "s");
    str_add (out, verb + n);
  } else {
    str_add (out, message.text);
  }
  str_free (&message);
  str_free (&who);
}

u32 steps_event_caller (const Explanation *x, u32 event) {
  const Program *p = x->view.program;
  const WitnessEvent *e = &x->view.w->events.data[event];
  Position at = view_position_at (p, view_event_position (p, e));
  for (u32 i = 0; i < WITNESS_STACK && e->stack[i]; i++)
    if (position_is_own (p, e->stack[i]) && view_position_at (p, e->stack[i]).func != at.func)
      return e->stack[i];
  return 0;
}

Step steps_step_of (const Explanation *x, u32 event) {
  const WitnessEvent *e = &x->view.w->events.data[event];
  return (Step){.tid = e->tid,
                .pos = view_event_position (x->view.program, e),
                .caller = steps_event_caller (x, event),
                .event = (i32)event};
}

/* Who has called is known if the thread has done something on that very line. */
bool steps_find_last (const Explanation *x, Step *out) {
  const Program *p = x->view.program;
  const Finding *f = x->finding;
  Position at = view_position_at (p, view_finding_position (p, f));
  if (!is_beside_events (f->kind) || !at.line) return false;
  *out = (Step){.tid = f->tid, .pos = view_finding_position (p, f), .event = WITNESS_NONE};
  for (u32 i = x->view.w->events.size; i-- > 0;) {
    if (x->view.w->events.data[i].tid != f->tid) continue;
    Step last = steps_step_of (x, i);
    Position there = view_position_at (p, last.pos);
    if (there.file == at.file && there.line == at.line) out->caller = last.caller;
    break;
  }
  return true;
}

/* ---- all of it */

/* The two sides of a finding are told anyhow. */
static void drop_if_known (const Finding *f, Steps *steps) {
  for (u32 i = 0; i < steps->size; i++)
    if (steps->data[i].event != f->event && steps->data[i].event != f->other_event) return;
  steps->size = 0;
}

void steps_find_interleaving (const Explanation *x, Events *out) {
  const Witness *w = x->view.w;
  if (explain_has_schedule (x)) return;
  Line l = {.r = &x->relations, .w = w};
  l.done = mem_zalloc (w->events.size * sizeof *l.done);
  l.order = mem_alloc (w->events.size * sizeof *l.order);
  line_up (&l);
  for (u32 i = 0; i < l.count; i++) vec_push (out, l.order[i]);
  mem_free (l.done);
  mem_free (l.order);
}

void steps_find (const Explanation *x, Steps *out) {
  const WitnessEvent *events = x->view.w->events.data;
  Events all = {0};
  Step last;
  steps_find_interleaving (x, &all);
  for (u32 i = 0; i < all.size; i++) {
    u32 e = all.data[i];
    if (!matters (x, e)) continue;
    if (out->size && is_same_step (x->view.program, &events[vec_last (out).event], &events[e]))
      out->size--;
    vec_push (out, steps_step_of (x, e));
  }
  vec_free (&all);
  drop_if_known (x->finding, out);
  if (out->size > 1 && steps_find_last (x, &last)) vec_push (out, last);
}

/* The object of a library call is what the program names; a block of the library's own is not. */
static void say_call (const char *call, const char *name, Str *out) {
  size_t n = strcspn (name, "+(");
  bool is_block = !strncmp (name, "malloc(", 7) || !strncmp (name, "calloc(", 7);
  if (name[n] == '(') /* the text of the call itself: p.set_value (3) */
    while (n && name[n] != '.' && name[n] != '-') n--;
  while (n && name[n - 1] == ' ') n--;
  str_add (out, call);
  if (n && !is_block) str_printf (out, " on `%.*s`", (int)n, name);
}

static void say_what (Explanation *x, const WitnessEvent *e, const char *name, Str *out) {
  const char *call = steps_library_call (x->view.program, e);
  if (call) {
    say_call (call, name, out);
  } else if (e->kind == WITNESS_FREE) {
    str_add (out, "frees it");
  } else if (e->is_lock) {
    str_printf (out, "%s `%s`",
                e->kind == WITNESS_WRITE ? "unlocks"
                : e->kind == WITNESS_RMW ? "locks"
                                         : "finds locked",
                name);
  } else if (e->kind == WITNESS_WRITE) {
    str_add (out, "writes ");
    say_value (out, x->view.w, e->written, e->size);
    str_printf (out, " to `%s`", name);
  } else {
    str_add (out, "reads ");
    say_value (out, x->view.w, e->read, e->size);
    str_printf (out, " from `%s`", name);
    if (e->kind == WITNESS_RMW) {
      str_add (out, " and writes ");
      say_value (out, x->view.w, e->written, e->size);
    }
  }
}

void say_step (Explanation *x, const Step *s, Str *out) {
  const WitnessEvent *e = view_event (&x->view, s->event);
  if (!e) {
    say_end (x, out);
    return;
  }
  const char *name = view_location (&x->view, e->location);
  Str operand = {0};
  if (e->location >= 0 && !x->view.w->locations.data[e->location].is_variable &&
      view_operand_of (&x->view, s->event, s->pos, &operand))
    name = operand.text;
  say_what (x, e, name, out);
  str_free (&operand);
}

u32 steps_file (const Explanation *x, const Steps *steps) {
  const Program *p = x->view.program;
  u32 file = steps->size ? view_position_at (p, steps->data[0].pos).file : 0;
  for (u32 i = 0; i < steps->size; i++) {
    const Step *s = &steps->data[i];
    if (view_position_at (p, s->pos).file != file) return 0;
    if (s->caller && view_position_at (p, s->caller).file != file) return 0;
  }
  return file;
}

static void say_line (Str *out, const Program *p, u32 pos, u32 file) {
  if (view_position_at (p, pos).file == file)
    str_printf (out, "%u", view_position_at (p, pos).line);
  else
    say_place (out, p, pos);
}

void say_step_place (const Explanation *x, const Step *s, u32 file, Str *out) {
  const Program *p = x->view.program;
  say_tid (out, s->tid);
  str_add (out, file ? " line " : " at ");
  say_line (out, p, s->pos, file);
  if (!s->caller) return;
  str_add (out, ", called at ");
  say_line (out, p, s->caller, view_position_at (p, s->pos).file);
}
