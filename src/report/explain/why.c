/* why.c - why a finding is possible, and what removes it.
 *
 * The witness suggests a reason: the weak order on the way from one side of the finding to the
 * other, or from a write to a read that does not see it. What was verified (src/repair) decides: a
 * change that removes the finding is the help, and the reason is told about the places that it
 * changes. A finding that no change of orders removes is one of the program's logic.
 */
#include "report/explanation.h"

static void blame (Explanation *x, u32 pos, i32 event) {
  for (u32 i = 0; i < x->blamed.size; i++)
    if (x->blamed.data[i].pos == pos) return;
  if (pos) vec_push (&x->blamed, ((Blame){pos, event}));
}

static void add_place_of (Explanation *x, i32 e, const char *what, Str *out) {
  u32 pos = view_event_position (x->view.program, view_event (&x->view, e));
  str_printf (out, "%s at ", what);
  say_place (out, x->view.program, pos);
  blame (x, pos, e);
}

/* "the store at mp.c:12", "the acquire load at mp.c:13", "the load at mp.c:13 with the fence after
 * it" */
static void add_access (Explanation *x, i32 event, const char *kind, const char *strong, Str *out) {
  const WitnessEvent *e = view_event (&x->view, event);
  bool is_load = !strcmp (kind, "load");
  bool is_strong =
      is_load ? order_is_acquire ((Order)e->order) : order_is_release ((Order)e->order);
  str_printf (out, "the %s%s", is_strong ? strong : "", e->kind == WITNESS_RMW ? "update" : kind);
  add_place_of (x, event, "", out);
  if (!is_strong && *strong)
    str_add (out, is_load ? " with the fence after it" : " with the fence before it");
}

/* "is relaxed", or what else it is that is not enough. */
static void add_order (Explanation *x, i32 event, Str *out) {
  str_add (out, " is ");
  say_order (out, (Order)view_event (&x->view, event)->order);
}

static void say_unsynchronised (Explanation *x, i32 write, i32 read, i32 at, Str *why) {
  bool released = relations_is_released (x->view.w, write),
       acquired = relations_is_acquired (x->view.w, read, at);
  u32 from = view_event_position (x->view.program, view_event (&x->view, write)),
      to = view_event_position (x->view.program, view_event (&x->view, read));
  if (from == to) {
    i32 weak = released ? read : write;
    add_access (x, weak, "store", "", why);
    add_order (x, weak, why);
    str_add (why, released
                      ? " but not acquire, so what other threads did before theirs need not be "
                        "visible after it"
                      : ", so what one thread does before it need not be visible to the next");
  } else if (!released && !acquired) {
    add_access (x, write, "store", "", why);
    str_add (why, " and ");
    add_access (x, read, "load", "", why);
    str_add (why, " are relaxed, so they do not synchronise: a thread that reads the stored value "
                  "need not see writes made before the store");
  } else {
    add_access (x, released ? read : write, released ? "load" : "store", "", why);
    add_order (x, released ? read : write, why);
    str_add (why, ", so it does not synchronise with ");
    add_access (x, released ? write : read, released ? "store" : "load",
                released ? "release " : "acquire ", why);
  }
}

/* The stale read whose overwriting write came before it, if the orders on the way explain it. */
static bool why_stale (Explanation *x, Str *why) {
  for (u32 i = 0; i < x->notes.size; i++) {
    const Note *n = &x->notes.data[i];
    i32 write, read;
    if (!n->is_stale) continue;
    if (!relations_unsynchronised (&x->relations, relations_overwriting (&x->relations, n->event),
                                   n->event, &write, &read))
      continue;
    say_unsynchronised (x, write, read, n->event, why);
    return true;
  }
  return false;
}

/* The weak order on the way from one side of a finding to the other, if that is what is missing. */
static bool why_unordered (Explanation *x, Str *why) {
  i32 a = x->finding->event, b = x->finding->other_event, write, read;
  if (a < 0 || b < 0) return false;
  i32 first = relations_is_before (&x->relations, a, b) ? a : b, second = first == a ? b : a;
  if (!relations_is_before (&x->relations, first, second) ||
      !relations_unsynchronised (&x->relations, first, second, &write, &read))
    return false;
  say_unsynchronised (x, write, read, second, why);
  return true;
}

/* ---- what was verified */

/* What a place lacks, told by what it takes. */
static const char *lack_of_fence (Order to) {
  switch (to) {
  case ORD_REL:
    return ", so what is written after that point may become visible before what was written "
           "earlier";
  case ORD_ACQ:
    return ", so what is read after that point may be older than what was read earlier";
  case ORD_SC:
    return ", so loads after that point may take effect before earlier stores are visible to other "
           "threads";
  case ORD_NA:
  case ORD_RLX:
  case ORD_ACQ_REL:
    break;
  }
  return ", so what comes after that point may take effect before what comes earlier";
}

static const char *lack_of_order (Order to, bool is_store) {
  switch (to) {
  case ORD_REL:
    return ", so what its thread wrote before need not be visible to a thread that reads it";
  case ORD_ACQ:
    return ", so what was written before the value that it reads need not be visible to its thread";
  case ORD_SC:
    return is_store ? ", so loads after it may take effect before it is visible to other threads"
                    : ", which does not keep it from reading an old value while another thread "
                      "already acts on a newer one";
  case ORD_NA:
  case ORD_RLX:
  case ORD_ACQ_REL:
    break;
  }
  return ", so what the threads wrote before it need not be visible after it";
}

/* In the source: inlined functions have several positions there. */
static bool is_same_place (const Program *p, u32 pos, const WitnessEvent *e) {
  Position a = view_position_at (p, pos), b = view_position_at (p, view_event_position (p, e));
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/* A write at that place which a read above does not see, or NONE. */
static i32 unseen_at (const Explanation *x, u32 pos) {
  for (u32 i = 0; i < x->notes.size; i++) {
    const WitnessEvent *e = view_event (&x->view, x->notes.data[i].event);
    i32 unseen = e && e->kind == WITNESS_READ
                     ? relations_overwriting (&x->relations, x->notes.data[i].event)
                     : WITNESS_NONE;
    if (unseen >= 0 && is_same_place (x->view.program, pos, view_event (&x->view, unseen)))
      return unseen;
  }
  return WITNESS_NONE;
}

static void why_changed (const Explanation *x, const Change *c, Str *why) {
  const View *v = &x->view;
  Order to = (Order)(c->to != c->from ? c->to : c->to_fail);
  if (to == ORD_ACQ_REL && c->from == ORD_ACQ) to = ORD_REL;
  if (to == ORD_ACQ_REL && c->from == ORD_REL) to = ORD_ACQ;
  if (x->is_compiled && to == ORD_REL && c->access == WITNESS_WRITE && unseen_at (x, c->pos) >= 0)
    to = ORD_SC; /* processors order release stores before acquire loads */
  if (c->kind != CHANGE_ORDER) {
    str_printf (why, "there is no fence %s the %s at ",
                c->kind == CHANGE_FENCE_AFTER ? "after" : "before", view_access_name (c->access));
    say_place (why, v->program, c->pos);
    str_add (why, lack_of_fence (to));
    return;
  }
  str_printf (why, "the %s at ", view_access_name (c->access));
  say_place (why, v->program, c->pos);
  str_add (why, " is ");
  say_order (why, (Order)(c->to != c->from ? c->from : c->from_fail));
  if (c->to == c->from) str_add (why, " when it fails");
  str_add (why, lack_of_order (to, c->access == WITNESS_WRITE));
}

/* Whether the reason that the witness suggests is about a place that was changed. */
static bool is_blamed (const Explanation *x, const Fix *f) {
  for (u32 i = 0; i < f->changes.size; i++)
    for (u32 k = 0; k < x->blamed.size; k++)
      if (f->changes.data[i].pos == x->blamed.data[k].pos) return true;
  return false;
}

/* What was done at a place that is to be changed: the write that a read above does not see, or what
 * the failing thread did there at last. */
static i32 event_at (const Explanation *x, u32 pos) {
  i32 found = WITNESS_NONE;
  for (u32 i = 0; i < x->blamed.size; i++)
    if (x->blamed.data[i].pos == pos) return x->blamed.data[i].event;
  i32 unseen = unseen_at (x, pos);
  if (unseen >= 0) return unseen;
  for (u32 i = 0; i < x->view.w->events.size; i++) {
    const WitnessEvent *e = &x->view.w->events.data[i];
    if (!is_same_place (x->view.program, pos, e)) continue;
    if (found < 0 || e->tid == x->finding->tid ||
        x->view.w->events.data[found].tid != x->finding->tid)
      found = (i32)i;
  }
  return found;
}

static void blame_first (Explanation *x, const Fix *f) {
  VEC (Blame) first = {0};
  for (u32 i = 0; i < f->changes.size; i++) {
    u32 pos = f->changes.data[i].pos;
    vec_push (&first, ((Blame){pos, event_at (x, pos)}));
  }
  for (u32 i = 0; i < f->changes.size; i++)
    vec_push (&first, ((Blame){f->changes.data[i].called_at, WITNESS_NONE}));
  for (u32 i = 0; i < x->blamed.size; i++) vec_push (&first, x->blamed.data[i]);
  x->blamed.size = 0;
  for (u32 i = 0; i < first.size; i++) blame (x, first.data[i].pos, first.data[i].event);
  vec_free (&first);
}

static void use_fix (Explanation *x, Str *why) {
  const Repair *r = &x->finding->repair;
  say_fix (x, &r->fix, &x->help);
  if (r->or_fence.changes.size) say_fix (x, &r->or_fence, &x->or_else);
  if (!is_blamed (x, &r->fix)) {
    str_clear (why);
    x->blamed.size = 0;
    why_changed (x, &r->fix.changes.data[0], why);
    for (u32 i = 1; i < r->fix.changes.size; i++) {
      str_add (why, i == 1 ? "; likewise at " : ", ");
      say_place (why, x->view.program, r->fix.changes.data[i].pos);
    }
  }
  blame_first (x, &r->fix);
}

/* ---- the reason */

static bool is_plain_volatile_at (const Program *p, u32 pos) {
  for (u32 f = 0; pos && f < p->functions.size; f++) {
    const Function *fn = &p->functions.data[f];
    for (u32 k = 0; k < fn->code.size; k++)
      if (fn->code.data[k].pos == pos && insn_is_plain_volatile (&fn->code.data[k])) return true;
  }
  return false;
}

static bool races_by_volatile (const Explanation *x) {
  const Finding *f = x->finding;
  return is_plain_volatile_at (x->view.program, f->pos) ||
         is_plain_volatile_at (x->view.program, f->other_pos);
}

static void why_race (Explanation *x, Str *why) {
  if (why_unordered (x, why)) return;
  x->is_by_volatile = races_by_volatile (x);
  if (x->is_by_volatile) str_add (why, "`volatile` does not make accesses atomic, and ");
  str_add (why, "nothing orders these accesses: no lock, no join, no release store that an acquire "
                "load reads");
}

/* One thread frees what another one uses. */
static void why_freed (Explanation *x, Str *why) {
  if (why_unordered (x, why)) return;
  str_add (why, x->finding->kind == FINDING_DOUBLE_FREE
                    ? "nothing determines which thread frees it"
                    : "nothing makes the free wait until the other thread is done");
}

static bool is_freed_by_other (const Finding *f) {
  return (f->kind == FINDING_USE_AFTER_FREE || f->kind == FINDING_DOUBLE_FREE) && f->other_pos &&
         f->other_tid != f->tid;
}

static bool is_about_order (const Finding *f) {
  return f->kind == FINDING_RACE || is_freed_by_other (f);
}

/* Load buffering. */
static bool why_early (Explanation *x, Str *why) {
  i32 write, read;
  if (!relations_find_early_write (&x->relations, &write, &read)) return false;
  add_access (x, write, "store", "", why);
  str_add (why, " is made before ");
  add_access (x, read, "load", "", why);
  str_add (why, ", which comes first in its thread: nothing orders the two, and the load sees what "
                "came of the store");
  return true;
}

static void why_value (Explanation *x, Str *why) {
  if (!x->view.w->has_mo) return; /* what came first is not known */
  if (why_early (x, why)) return;
  if (relations_is_interleaving (&x->relations))
    str_add (why,
             "an ordinary interleaving of the threads leads here: no memory order and no fence "
             "can prevent it");
  else if ((!x->weak_orders || !why_stale (x, why)) && x->finding->kind != FINDING_LIVENESS)
    str_printf (
        why,
        "no interleaving of the threads leads here; under %s they may see writes late or in "
        "different orders",
        x->model);
}

/* Who waits for whom is said already; where an order is to blame, the order of events is not. */
bool explain_has_schedule (const Explanation *x) { return x->view.w->steps.size; }

bool explain_is_told_in_steps (const Explanation *x) {
  if (explain_has_schedule (x)) return true;
  const Finding *f = x->finding;
  return f->kind != FINDING_DEADLOCK && f->repair.status != REPAIR_FOUND &&
         x->view.w->threads.size > 1 && x->view.w->has_mo &&
         relations_is_interleaving (&x->relations) &&
         (!is_about_order (f) || f->repair.status == REPAIR_HOPELESS);
}

/* What remains if everything is as strong as can be. */
static void use_hopeless (Explanation *x, Str *why) {
  const Repair *r = &x->finding->repair;
  if (!r->is_same) {
    if (why->length) str_add (why, "; ");
    str_printf (why, "memory orders alone do not help: with all of them seq_cst, still %s (",
                finding_kind_meaning ((FindingKind)r->kind));
    say_place (why, x->view.program, r->pos);
    str_add (why, ")");
  } else if (is_about_order (x->finding)) {
    str_add (why, "; stronger memory orders would not change that");
  } else if (!x->view.w->has_mo || !relations_is_interleaving (&x->relations)) {
    str_clear (why);
    str_add (why,
             "it also happens in ordinary interleavings of the threads: no memory order and no "
             "fence can prevent it");
  }
}

/* What another kind of change than of orders tells about the reason. */
static void why_rewritten (Explanation *x, const Change *c, Str *why) {
  i32 store = event_at (x, c->pos);
  if (c->kind != CHANGE_UPDATE || store < 0) return;
  i32 location = view_event (&x->view, store)->location;
  Str operand = {0};
  bool is_told = !x->view.w->locations.data[location].is_variable &&
                 view_operand_of (&x->view, store, c->pos, &operand);
  str_clear (why);
  str_add (why, "the store at ");
  say_place (why, x->view.program, c->pos);
  str_printf (why,
              c->update == UPDATE_UNDO
                  ? " overwrites what other threads did to `%s`, and does not only undo what this "
                    "one did at "
                  : " overwrites what another thread wrote to `%s` after this one had read it at ",
              is_told ? operand.text : view_location (&x->view, location));
  say_place (why, x->view.program, c->other);
  str_add (why, "; memory orders do not change that");
  str_free (&operand);
}

static void use_other_change (Explanation *x, Str *why) {
  const Repair *r = &x->finding->repair;
  say_fix (x, &r->fix, &x->help);
  why_rewritten (x, &r->fix.changes.data[0], why);
  for (u32 i = 0; i < r->fix.changes.size; i++) {
    blame (x, r->fix.changes.data[i].pos, WITNESS_NONE);
    blame (x, r->fix.changes.data[i].other, WITNESS_NONE);
  }
}

/* What was tried without success. */
static void why_not_rewritten (Explanation *x, Str *why) {
  u32 n = x->finding->repair.others;
  if (!n) return;
  str_printf (why, "; %u other change%s (atomic updates, swapped lines) %s not help either", n,
              n == 1 ? "" : "s", n == 1 ? "does" : "do");
}

static void use_repair (Explanation *x) {
  const Repair *r = &x->finding->repair;
  if (r->status == REPAIR_FOUND) use_fix (x, &x->why);
  if (r->status != REPAIR_HOPELESS) return;
  use_hopeless (x, &x->why);
  if (r->fix.changes.size)
    use_other_change (x, &x->why);
  else
    why_not_rewritten (x, &x->why);
}

void explain_why (Explanation *x) {
  const Finding *f = x->finding;
  if (x->view.w->threads.size < 2) return;
  if (f->kind == FINDING_DEADLOCK) { /* who waits for whom is reason enough */
    if (f->repair.fix.changes.size) use_other_change (x, &x->why);
    return;
  }
  if (f->kind == FINDING_RACE)
    why_race (x, &x->why);
  else if (is_freed_by_other (f))
    why_freed (x, &x->why);
  else
    why_value (x, &x->why);
  use_repair (x);
}
