/* notes.c - what is said about a place: what was read there and who wrote that, who waits for what.
 */
#include "report/explanation.h"

static bool is_underlined (const Explanation *x, u32 pos, const char *word) {
  u32 length;
  const Program *p = x->view.program;
  Position at = view_position_at (p, pos);
  const char *line = source_line (x->view.sources, view_position_path (p, pos), at.line, &length);
  if (!line) return false;
  Span span = source_span (line, length, at.column);
  return memmem (line + span.start, span.end - span.start, word, strlen (word));
}

/* Whether the underlined text says which variable is meant: it names it, and nothing else is said
 * about it. */
static bool is_named (const Explanation *x, const Note *n, const char *name) {
  for (u32 i = 0; i < x->notes.size; i++) {
    const Note *other = &x->notes.data[i];
    if (other == n || other->pos != n->pos || other->event < 0 || other->is_primary) continue;
    if (x->view.w->events.data[other->event].location != x->view.w->events.data[n->event].location)
      return false;
  }
  return is_underlined (x, n->pos, name);
}

bool explain_is_order_hidden (const Explanation *x, u32 pos, Order order) {
  Str name = {0};
  if (order == ORD_NA || order == ORD_SC) return false;
  say_order (&name, order);
  bool is_hidden = !is_underlined (x, pos, name.text);
  str_free (&name);
  return is_hidden;
}

static void say_hidden_order (const Explanation *x, const Note *n, const WitnessEvent *e,
                              Str *out) {
  if (!explain_is_order_hidden (x, n->pos, (Order)e->order)) return;
  str_add (out, " (");
  say_order (out, (Order)e->order);
  str_add (out, ")");
}

static void say_written_by (Explanation *x, const WitnessEvent *w, Str *out) {
  say_thread (&x->view, out, w->tid);
  str_add (out, " at ");
  say_place (out, x->view.program, view_event_position (x->view.program, w));
}

/* ", although t1 wrote 42 at mp.c:12" when the write came before; else what it does not see, or
 * just comes before. */
static void say_overwritten (Explanation *x, i32 read, Str *out) {
  i32 i = relations_overwriting (&x->relations, read);
  const WitnessEvent *w = view_event (&x->view, i), *e = view_event (&x->view, read);
  if (!w || e->kind == WITNESS_RMW) return;
  if (relations_is_before (&x->relations, i, read)) {
    str_add (out, ", although ");
    say_thread (&x->view, out, w->tid);
    str_add (out, " wrote ");
    say_value (out, x->view.w, w->written, w->size);
  } else if (w->tid != e->tid && explain_is_told_in_steps (x)) {
    str_add (out, ", before ");
    say_thread (&x->view, out, w->tid);
    str_add (out, " writes ");
    say_value (out, x->view.w, w->written, w->size);
  } else if (w->tid != e->tid) {
    str_add (out, "; does not see the ");
    say_value (out, x->view.w, w->written, w->size);
    str_add (out, " that ");
    say_thread (&x->view, out, w->tid);
    str_add (out, " writes");
  } else {
    return;
  }
  str_add (out, " at ");
  say_place (out, x->view.program, view_event_position (x->view.program, w));
}

/* What is read, unless the underlined text says so. A block of memory has no name: the text must
 * do. */
static void say_source_name (Explanation *x, const Note *n, const WitnessEvent *e, Str *out) {
  const char *name = view_location (&x->view, e->location);
  Str operand = {0};
  if (is_named (x, n, name)) return;
  bool is_told = e->location >= 0 && !x->view.w->locations.data[e->location].is_variable &&
                 view_operand_of (&x->view, n->event, n->pos, &operand);
  str_printf (out, " from `%s`", is_told ? operand.text : name);
  str_free (&operand);
}

/* Of a read before any write: who writes, or has nothing to say. */
static void say_unseen (Explanation *x, i32 read, Str *out) {
  const WitnessEvent *w = view_event (&x->view, relations_overwriting (&x->relations, read));
  if (!w) {
    str_add (out, "no thread writes it");
    return;
  }
  str_add (out, "does not see what ");
  say_thread (&x->view, out, w->tid);
  str_add (out,
           relations_is_before (&x->relations, relations_overwriting (&x->relations, read), read)
               ? " wrote at "
               : " writes at ");
  say_place (out, x->view.program, view_event_position (x->view.program, w));
}

void say_read (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event), *w = view_event (&x->view, e->rf);
  if (x->finding->kind == FINDING_UNINITIALISED && n->event == x->finding->event) {
    say_unseen (x, n->event, out);
    return;
  }
  str_add (out, "reads ");
  say_value (out, x->view.w, e->read, e->size);
  say_source_name (x, n, e, out);
  say_hidden_order (x, n, e, out);
  if (w) {
    str_add (out, ", written by ");
    say_written_by (x, w, out);
    if (e->rf > n->event) str_add (out, ", which follows from what this thread does later");
  } else if (e->rf == WITNESS_INIT) {
    str_add (out, ", the initial value");
  }
  if (e->kind == WITNESS_RMW) {
    str_add (out, ", and writes ");
    say_value (out, x->view.w, e->written, e->size);
  }
  say_overwritten (x, n->event, out);
}

/* What happened at the place of a finding and at its other side, where the headline needs a
 * complement. */
static const struct {
  const char *here, *there;
} phrases[] = {
    [FINDING_ASSERT] = {"fails here", "is set here"},
    [FINDING_USE_AFTER_FREE] = {"is used here", "was freed here"},
    [FINDING_DOUBLE_FREE] = {"is freed again here", "was freed here first"},
    [FINDING_INVALID_FREE] = {"is freed here", "was allocated here"},
    [FINDING_OUT_OF_BOUNDS] = {"is out of bounds here", "the object is created here"},
    [FINDING_NULL_DEREF] = {"the pointer is null here", "was set here"},
    [FINDING_UNINITIALISED] = {"is read here before any write", "is written here"},
    [FINDING_LEAK] = {"is allocated here and never freed", "the last pointer is lost here"},
    [FINDING_LOCK_MISUSE] = {"then this", "first this"},
    [FINDING_DIVISION_BY_ZERO] = {"divides by zero here", NULL},
    [FINDING_OVERFLOW] = {"has no defined result here", NULL},
    [FINDING_MISALIGNED] = {"is misaligned here", NULL},
    [FINDING_UNREACHABLE] = {"is reached here", NULL},
    [FINDING_ABORT] = {"aborts here", NULL},
};

static const char *phrase (FindingKind kind, bool here) {
  const char *text = NULL;
  if ((u32)kind < ARRAY_SIZE (phrases)) text = here ? phrases[kind].here : phrases[kind].there;
  return text ? text : "here";
}

/* A use after free is found at the use or at the free, whichever comes second. */
static bool is_found_at_free (const Explanation *x) {
  const WitnessEvent *e = view_event (&x->view, x->finding->event);
  return x->finding->kind == FINDING_USE_AFTER_FREE && e && e->kind == WITNESS_FREE &&
         view_event_position (x->view.program, e) ==
             view_finding_position (x->view.program, x->finding);
}

void say_here (Explanation *x, const Note *n, Str *out) {
  str_add (out, is_found_at_free (x) ? "is freed here" : phrase (x->finding->kind, true));
  (void)n;
}

void say_there (Explanation *x, const Note *n, Str *out) {
  str_add (out, is_found_at_free (x) ? "is used here" : phrase (x->finding->kind, false));
  (void)n;
}

/* By the name that pointers to it have above. */
void say_origin (Explanation *x, const Note *n, Str *out) {
  if (x->finding->location >= 0) {
    const char *name = view_location_name (x->view.w, x->finding->location),
               *plus = strstr (name, " + ");
    str_printf (out, "%.*s ", plus ? (int)(plus - name) : (int)strlen (name), name);
  }
  str_add (out, "is allocated here");
  (void)n;
}

void say_access (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event);
  i32 location = e ? e->location : x->finding->location;
  const char *name = view_location (&x->view, location);
  Str operand = {0};
  if (location >= 0 && !x->view.w->locations.data[location].is_variable &&
      (name == view_location_name (x->view.w, location) || name[0] == '(') &&
      view_operand_of (&x->view, n->event, n->pos, &operand))
    name = operand.text;
  static const char *const verbs[] = {[WITNESS_READ] = "reads",
                                      [WITNESS_WRITE] = "writes",
                                      [WITNESS_RMW] = "reads and writes",
                                      [WITNESS_FREE] = "frees"};
  const char *verb = e && e->kind < ARRAY_SIZE (verbs) ? verbs[e->kind] : NULL;
  str_printf (out, "%s `%s`", verb ? verb : "accesses", name);
  str_free (&operand);
  if (!e || e->kind == WITNESS_FREE) return;
  str_add (out, ", ");
  say_order (out, (Order)e->order);
}

void say_failed_allocation (Explanation *x, const Note *n, Str *out) {
  (void)x, (void)n;
  str_add (out, "fails: returns a null pointer");
}

void say_lock_wait (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event), *holder = view_event (&x->view, e->rf);
  str_printf (out, "waits for `%s`", view_location_name (x->view.w, e->location));
  if (!holder) return;
  str_add (out, ", held by ");
  if (holder->tid == n->tid)
    str_add (out, "itself");
  else
    say_thread (&x->view, out, holder->tid);
  str_add (out, " since ");
  say_place (out, x->view.program, view_event_position (x->view.program, holder));
}

void say_join_wait (Explanation *x, const Note *n, Str *out) {
  str_add (out, "waits for ");
  say_thread (&x->view, out, x->view.w->threads.data[n->tid].other);
  str_add (out, " to end");
}

/* The write that a thread which reads the newest value sees. */
static i32 last_write (const Witness *w, i32 location) {
  i32 last = WITNESS_NONE;
  for (u32 i = 0; i < w->events.size; i++) {
    const WitnessEvent *e = &w->events.data[i];
    if (event_writes (e) && e->location == location &&
        (last < 0 || e->mo > w->events.data[last].mo))
      last = (i32)i;
  }
  return last;
}

void say_spin (Explanation *x, const Note *n, Str *out) {
  const WitnessThread *t = &x->view.w->threads.data[n->tid];
  Str operand = {0};
  str_add (out, "waits here forever");
  if (t->call) return;
  if (!t->nawaited && view_operand_at (&x->view, n->pos, &operand))
    str_printf (out, ": no other thread writes `%s`", operand.text);
  str_free (&operand);
  for (u32 i = 0; i < t->nawaited; i++) {
    i32 location = t->awaited[i].location;
    const WitnessEvent *w = view_event (&x->view, last_write (x->view.w, location));
    str_printf (out, "%s `%s` stays ", i ? ";" : ":", view_location (&x->view, location));
    say_value (out, x->view.w, t->awaited[i].value, x->view.w->locations.data[location].size);
    if (w) {
      str_add (out, ", last written by ");
      say_written_by (x, w, out);
    } else {
      str_add (out, ", the initial value");
    }
  }
}

/* What is done at a place that is to blame. */
void say_blamed (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event);
  if (event_reads (e)) {
    say_read (x, n, out);
    return;
  }
  const char *name = view_location (&x->view, e->location);
  Str operand = {0};
  str_add (out, "writes ");
  say_value (out, x->view.w, e->written, e->size);
  if (!is_named (x, n, name)) {
    bool is_told = !x->view.w->locations.data[e->location].is_variable &&
                   view_operand_of (&x->view, n->event, n->pos, &operand);
    str_printf (out, " to `%s`", is_told ? operand.text : name);
  }
  str_free (&operand);
  str_add (out, ", ");
  say_order (out, (Order)e->order);
}

void say_only_here (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event);
  str_add (out, e && e->is_lock && e->kind == WITNESS_WRITE ? "is unlocked here" : "here");
}

void say_held (Explanation *x, const Note *n, Str *out) {
  say_tid (out, n->tid);
  str_add (out, " has locked it here");
  (void)x;
}

u32 explain_note_caller (const Explanation *x, const Note *n) {
  u32 caller = n->event >= 0 && !n->is_primary ? steps_event_caller (x, (u32)n->event) : 0;
  for (u32 i = 0; caller && i < x->notes.size; i++) {
    const Note *other = &x->notes.data[i];
    if (other->tid == n->tid && other->pos == n->pos && other->event >= 0 &&
        steps_event_caller (x, (u32)other->event) != caller)
      return caller;
  }
  return 0;
}

void say_note (Explanation *x, const Note *n, Str *out) {
  u32 caller = explain_note_caller (x, n);
  if (caller) {
    str_add (out, "called at ");
    say_place (out, x->view.program, caller);
    str_add (out, ": ");
  }
  n->say (x, n, out);
}
