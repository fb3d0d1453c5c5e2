/* dot.c - an execution for graphviz: a cluster per thread, edges po, rf, mo, fr, and dependencies.
 */
#include "report/report_int.h"

static void dot_text (Str *out, const char *text) {
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') str_add (out, "\\");
    if (*c == '\n')
      str_add (out, "\\n");
    else
      str_add_n (out, c, 1);
  }
}

static void dot_label (const Report *r, View *v, const WitnessEvent *e, Str *out) {
  static const char *const letters[] = {"R", "W", "U", "F", "create", "join", "free", "choose"};
  Str s = {0};
  str_add (&s, letters[e->kind]);
  if (event_reads (e) || event_writes (e) || e->kind == WITNESS_FENCE)
    str_printf (&s, " %s", order_name ((Order)e->order));
  if (e->location >= 0) str_printf (&s, " %s", view_location (v, e->location));
  if (event_reads (e) || e->kind == WITNESS_CHOICE) {
    str_add (&s, " = ");
    say_value (&s, v->w, e->read, e->size);
  }
  if (event_writes (e)) {
    str_add (&s, e->kind == WITNESS_RMW ? " -> " : " := ");
    say_value (&s, v->w, e->written, e->size);
  }
  if (e->kind == WITNESS_CREATE || e->kind == WITNESS_JOIN) {
    str_add (&s, " ");
    say_tid (&s, e->other);
  }
  str_add (&s, "\n");
  say_place (&s, r->program, event_position (r->program, e));
  dot_text (out, s.text);
  str_free (&s);
}

static void dot_thread (const Report *r, View *v, Tid t, Str *out) {
  Str name = {0};
  introduce_thread (v, &name, t);
  str_printf (out, "  subgraph cluster_%u {\n    label=\"", t);
  dot_text (out, name.text);
  str_add (out, "\"; color=gray;\n");
  str_free (&name);
  i32 previous = WITNESS_NONE;
  for (u32 i = 0; i < v->w->events.size; i++) {
    const WitnessEvent *e = &v->w->events.data[i];
    if (e->tid != t) continue;
    str_printf (out, "    e%u [label=\"", i);
    dot_label (r, v, e, out);
    str_add (out, "\"];\n");
    if (previous >= 0) str_printf (out, "    e%d -> e%u;\n", previous, i);
    previous = (i32)i;
  }
  str_add (out, "  }\n");
}

/* Initial values are nodes only where an edge needs them. */
static void dot_init (View *v, Str *out) {
  for (u32 l = 0; l < v->w->locations.size; l++) {
    str_printf (out, "  i%u [shape=plaintext, label=\"", l);
    dot_text (out, view_location (v, (i32)l));
    str_add (out, " := ");
    say_value (out, v->w, v->w->locations.data[l].initial, v->w->locations.data[l].size);
    str_add (out, "\"];\n");
  }
}

static void dot_edge (Str *out, i32 from, i32 location, i32 to, const char *name,
                      const char *color) {
  if (to < 0 || from == to) return;
  if (from >= 0)
    str_printf (out, "  e%d -> ", from);
  else
    str_printf (out, "  i%d -> ", location);
  str_printf (out, "e%d [label=\"%s\", color=%s, fontcolor=%s, constraint=false];\n", to, name,
              color, color);
}

static void dot_edges (View *v, Str *out) {
  const Witness *w = v->w;
  for (u32 l = 0; l < w->locations.size && w->has_mo; l++)
    dot_edge (out, WITNESS_INIT, (i32)l, mo_next (w, (i32)l, 0), "mo", "blue");
  for (u32 k = 0; k < w->events.size; k++) {
    const WitnessEvent *e = &w->events.data[k];
    i32 i = (i32)k;
    if (event_writes (e) && w->has_mo)
      dot_edge (out, i, e->location, mo_next (w, e->location, e->mo), "mo", "blue");
    if (event_reads (e) && e->rf != WITNESS_NONE) {
      const WitnessEvent *source = view_event (v, e->rf);
      dot_edge (out, e->rf, e->location, i, "rf", "darkgreen");
      if (w->has_mo)
        dot_edge (out, i, e->location, mo_next (w, e->location, source ? source->mo : 0), "fr",
                  "red");
    }
    for (u32 n = 0; e->kind == WITNESS_CREATE && n < w->events.size; n++)
      if (w->events.data[n].tid == e->other && w->events.data[n].index == 0)
        str_printf (out, "  e%d -> e%u [style=dashed];\n", i, n);
  }
}

/* Whatever comes behind a branch depends on it: only the first event is shown. */
static void dot_deps (const Witness *w, Str *out) {
  u8 *is_seen = mem_zalloc (w->events.size);
  for (u32 i = 0; i < w->deps.size; i++) {
    WitnessDep d = w->deps.data[i];
    if (d.kind == DEP_CTRL && is_seen[d.from]) continue;
    if (d.kind == DEP_CTRL) is_seen[d.from] = 1;
    dot_edge (out, d.from, WITNESS_NONE, d.to, dep_name ((DepKind)d.kind), "purple");
  }
  mem_free (is_seen);
}

void report_execution_dot (const Report *r, const Witness *w, const char *title, Str *out) {
  str_add (out, "digraph execution {\n  node [shape=box, fontname=monospace];\n  label=\"");
  dot_text (out, title);
  str_add (out, "\";\n");
  if (w) {
    View v = view_open (r, w);
    dot_init (&v, out);
    for (Tid t = 0; t < w->threads.size; t++)
      if (w->threads.data[t].exists) dot_thread (r, &v, t, out);
    dot_edges (&v, out);
    dot_deps (w, out);
    view_close (&v);
  }
  str_add (out, "}\n");
}

void report_dot (const Report *r, Str *out) {
  const Witness *w = r->result->findings.size ? &r->result->findings.data[0].witness : r->last;
  Str title = {0};
  str_printf (&title, "%s under %s", r->file, r->result->model);
  report_execution_dot (r, w, title.text, out);
  str_free (&title);
}
