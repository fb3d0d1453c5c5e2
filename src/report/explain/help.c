/* help.c - what is to be changed, in words. */
#include "report/explanation.h"

const char *view_access_name (u8 kind) {
  return kind == WITNESS_READ    ? "load"
         : kind == WITNESS_WRITE ? "store"
         : kind == WITNESS_RMW   ? "update"
                                 : "fence";
}

static const char *function_at (const Program *p, u32 pos) {
  return view_function_name (p, view_position_at (p, pos).func);
}

/* The order is what the caller gives. */
static void say_argument (Explanation *x, const Change *c, Str *out) {
  const Program *p = x->view.program;
  str_printf (out, "pass %smemory_order_", view_std (p));
  say_order (out, (Order)(c->to != c->from ? c->to : c->to_fail));
  str_printf (out, " instead of %smemory_order_", view_std (p));
  say_order (out, (Order)(c->to != c->from ? c->from : c->from_fail));
  str_printf (out, " to %s", function_at (p, c->pos));
  if (!c->called_at) return;
  str_add (out, ", as at ");
  say_place (out, p, c->called_at);
}

/* "one atomic_fetch_sub (1, memory_order_acq_rel)" and what it takes the place of. */
static void say_update (Explanation *x, const Change *c, Str *out) {
  const Program *p = x->view.program;
  const char *std = view_std (p);
  str_printf (out, "use one %s%s (%smemory_order_", std, view_update_name (c), std);
  say_order (out, (Order)c->to);
  str_add (out, ") in place of the ");
  if (c->update == UPDATE_BOTH) {
    str_add (out, "load at ");
    say_place (out, p, c->other);
    str_add (out, " and the ");
  }
  str_add (out, "store at ");
  say_place (out, p, c->pos);
  if (c->update == UPDATE_UNDO)
    str_printf (out, " to undo the change by %lld", (long long)c->value);
  if (c->update == UPDATE_BOTH || c->update == UPDATE_UNDO) return;
  str_add (out, ", expecting ");
  if (c->update == UPDATE_IF_VALUE)
    str_printf (out, "%llu", (unsigned long long)c->value);
  else
    str_add (out, "what was read at ");
  if (c->update != UPDATE_IF_VALUE) say_place (out, p, c->other);
  str_printf (out, ", and return whether it %s", c->is_negated ? "fails" : "succeeds");
}

static void say_swap (Explanation *x, const Change *c, Str *out) {
  const Program *p = x->view.program;
  str_add (out, "put the line at ");
  say_place (out, p, c->other);
  str_add (out, " before the one at ");
  say_place (out, p, c->pos);
}

static void say_text (Explanation *x, const Change *c, Str *out) {
  if (*c->old)
    str_printf (out, "write `%s` in place of `%s` at ", c->text, c->old);
  else
    str_printf (out, "put `%s` before ", c->text);
  say_place (out, x->view.program, c->pos);
}

static void say_order_change (const Explanation *x, u32 pos, Order from, Order to, Str *out) {
  str_printf (out, "%smemory_order_", view_std (x->view.program));
  say_order (out, to);
  if (!explain_is_order_hidden (x, pos, from)) return;
  str_add (out, " instead of ");
  say_order (out, from);
}

static void say_change (Explanation *x, const Change *c, Str *out) {
  if (c->kind == CHANGE_TEXT) {
    say_text (x, c, out);
    return;
  }
  if (c->is_given_order) {
    say_argument (x, c, out);
    return;
  }
  if (c->kind == CHANGE_UPDATE || c->kind == CHANGE_SWAP) {
    (c->kind == CHANGE_UPDATE ? say_update : say_swap) (x, c, out);
    return;
  }
  if (c->kind != CHANGE_ORDER) {
    const char *std = view_std (x->view.program);
    str_printf (out, "add %satomic_thread_fence (%smemory_order_", std, std);
    say_order (out, (Order)c->to);
    str_printf (out, ") %s the %s at ", c->kind == CHANGE_FENCE_AFTER ? "after" : "before",
                view_access_name (c->access));
  } else {
    str_add (out, "use ");
    if (c->to != c->from) say_order_change (x, c->pos, (Order)c->from, (Order)c->to, out);
    if (c->to_fail != c->from_fail) {
      if (c->to != c->from) str_add (out, ", and for failure ");
      say_order_change (x, c->pos, (Order)c->from_fail, (Order)c->to_fail, out);
      if (c->to == c->from) str_add (out, " for failure");
      if (c->to != c->from) str_add (out, ",");
    }
    str_add (out, " at ");
  }
  say_place (out, x->view.program, c->pos);
}

void say_fix (Explanation *x, const Fix *f, Str *help) {
  for (u32 i = 0; i < f->changes.size; i++) {
    bool is_long = f->changes.data[0].kind == CHANGE_UPDATE;
    if (i) str_add (help, i + 1 < f->changes.size ? ", " : is_long ? ", and " : " and ");
    say_change (x, &f->changes.data[i], help);
  }
  if (f->executions == 0)
    str_add (help, " (checked: no violation; no execution completes)");
  else if (f->executions == 1)
    str_add (help, " (checked: no violation in the only execution)");
  else
    str_printf (help, " (checked: no violation in all %llu executions)",
                (unsigned long long)f->executions);
}
