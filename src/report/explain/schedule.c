/* schedule.c - an execution of the machine in its order: who did what, and when stores arrived
 * where.
 */
#include "report/explanation.h"

/* Another thread writes it, or reads what this one writes. */
static bool is_of_interest (const Explanation *x, u32 step) {
  const Witness *w = x->view.w;
  const WitnessEvent *e = &w->events.data[w->steps.data[step].event];
  if (w->steps.data[step].arrives_at) return true;
  if (e->kind == WITNESS_FENCE || e->kind == WITNESS_CHOICE) return e->kind == WITNESS_FENCE;
  if (e->location < 0 || !position_is_own (x->view.program, e->pos)) return false;
  return relations_is_contended (w, e);
}

static void say_arrival (Explanation *x, const WitnessStep *s, Str *out) {
  const WitnessEvent *e = &x->view.w->events.data[s->event];
  str_printf (out, "t%u's store of ", e->tid);
  say_value (out, x->view.w, e->written, e->size);
  str_printf (out, " to `%s` arrives", view_location (&x->view, e->location));
}

static void say_readers (u64 threads, Str *out) {
  const char *before = "  at ";
  for (Tid t = 0; t < 64; t++) {
    if (!(threads >> t & 1)) continue;
    str_add (out, before);
    say_tid (out, t);
    before = ", ";
  }
}

static bool is_again (const Witness *w, const WitnessStep *a, const WitnessStep *b) {
  const WitnessEvent *e = &w->events.data[a->event], *f = &w->events.data[b->event];
  return !a->arrives_at && !b->arrives_at && e->tid == f->tid && e->pos == f->pos &&
         e->kind == WITNESS_READ && f->kind == WITNESS_READ && e->location == f->location &&
         e->read == f->read;
}

static Row row_of (Explanation *x, const WitnessStep *s) {
  Row row = {0};
  Step step = steps_step_of (x, (u32)s->event);
  if (s->arrives_at) {
    say_readers (s->arrives_at, &row.where);
    say_arrival (x, s, &row.what);
    return row;
  }
  say_step_place (x, &step, 0, &row.where);
  if (x->view.w->events.data[s->event].kind == WITNESS_FENCE)
    str_add (&row.what, "fence");
  else
    say_step (x, &step, &row.what);
  return row;
}

void explain_schedule (const Report *r, Explanation *x, Str *out) {
  enum { MOST = 24 };
  const Witness *w = x->view.w;
  VEC (u32) chosen = {0}; /* places in w->steps */
  Rows rows = {0};
  Step last;
  for (u32 i = 0; i < w->steps.size; i++) {
    if (!is_of_interest (x, i)) continue;
    if (chosen.size && is_again (w, &w->steps.data[vec_last (&chosen)], &w->steps.data[i]))
      continue;
    vec_push (&chosen, i);
  }
  u32 first = chosen.size > MOST && !r->full ? chosen.size - MOST : 0;
  if (chosen.size) {
    snippet_paint (out, r->color, PAINT_BOLD, "steps:");
    str_add (out,
             first ? " the last ones in their order (--full shows all)\n" : " in this order\n");
  }
  for (u32 i = first; i < chosen.size; i++)
    vec_push (&rows, row_of (x, &w->steps.data[chosen.data[i]]));
  if (chosen.size && steps_find_last (x, &last)) {
    Row row = {0};
    say_step_place (x, &last, 0, &row.where);
    say_step (x, &last, &row.what);
    vec_push (&rows, row);
  }
  report_show_rows (&rows, out);
  vec_free (&chosen);
}
