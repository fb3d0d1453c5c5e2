/* dot.c - an execution for graphviz: a cluster per thread, edges po, rf, mo, fr, and dependencies.
 */
#include "base/plain.h"
#include "report/report_int.h"

static void dot_text (Str *out, const char *text) {
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') str_add (out, "\\");
    if (*c == '\n')
      str_add (out, "\\n");
    else if (*c == '[' && plain_opens_command (out))
      str_add (out, "&#91;");
    else
      str_add_n (out, c, 1);
  }
}

static void dot_node (const Json *e, u32 i, Str *out) {
  Str label = {0};
  str_printf (&label, "%s\n%s:%lld", json_text (e, "label"),
              source_short_path (json_text (e, "file")), (long long)json_int (e, "line"));
  str_printf (out, "    e%u [label=\"", i);
  dot_text (out, label.text);
  str_add (out, "\"];\n");
  str_free (&label);
}

static bool is_of (const Json *event, const Json *thread) {
  return !strcmp (json_text (event, "thread"), json_text (thread, "name"));
}

static void dot_thread (const Json *execution, const Json *thread, u32 number, Str *out) {
  i32 previous = -1;
  str_printf (out, "  subgraph cluster_%u {\n    label=\"", number);
  dot_text (out, json_text (thread, "title"));
  str_add (out, "\"; color=gray;\n");
  for (u32 i = 0; i < json_size (execution); i++) {
    if (!is_of (json_at (execution, i), thread)) continue;
    dot_node (json_at (execution, i), i, out);
    if (previous >= 0) str_printf (out, "    e%d -> e%u;\n", previous, i);
    previous = (i32)i;
  }
  str_add (out, "  }\n");
}

static void dot_locations (const Json *locations, Str *out) {
  for (u32 l = 0; l < json_size (locations); l++) {
    str_printf (out, "  i%u [shape=plaintext, label=\"", l);
    dot_text (out, json_text (json_at (locations, l), "name"));
    str_add (out, " := ");
    dot_text (out, json_text (json_at (locations, l), "initial"));
    str_add (out, "\"];\n");
  }
}

/* ---- edges */

typedef struct Picture {
  const Json *locations, *execution;
  Str *out;
} Picture;

static u32 location_of (const Picture *p, const Json *e) {
  u32 l = 0;
  while (strcmp (json_text (json_at (p->locations, l), "location"), json_text (e, "location"))) l++;
  return l;
}

static void dot_edge (const Picture *p, i64 from, i64 to, const char *name, const char *color) {
  const Json *e = json_at (p->execution, (u32)to);
  if (from == to) return;
  if (from >= 0)
    str_printf (p->out, "  e%lld -> ", (long long)from);
  else
    str_printf (p->out, "  i%u -> ", location_of (p, e));
  str_printf (p->out, "e%lld [label=\"%s\", color=%s, fontcolor=%s, constraint=false];\n",
              (long long)to, name, color, color);
}

/* The write that comes after place `mo` of the order of the writes of e's location, or -1. */
static i64 next_write (const Picture *p, const Json *e, i64 mo) {
  for (u32 i = 0; i < json_size (p->execution); i++) {
    const Json *w = json_at (p->execution, i);
    if (json_int (w, "mo") == mo + 1 &&
        !strcmp (json_text (w, "location"), json_text (e, "location")))
      return i;
  }
  return -1;
}

static void dot_edge_to_next (const Picture *p, i64 from, const Json *e, i64 mo, const char *name,
                              const char *color) {
  i64 next = next_write (p, e, mo);
  if (next >= 0) dot_edge (p, from, next, name, color);
}

static void dot_edges_of (const Picture *p, u32 i) {
  const Json *e = json_at (p->execution, i), *from = json_get (e, "from");
  bool is_init = from && from->kind == JSON_STRING;
  i64 mo = json_int (e, "mo"), source = is_init ? -1 : json_int (e, "from");
  if (mo == 1) dot_edge (p, -1, i, "mo", "blue");
  if (mo) dot_edge_to_next (p, i, e, mo, "mo", "blue");
  if (from) {
    dot_edge (p, source, i, "rf", "darkgreen");
    mo = is_init ? 0 : json_int (json_at (p->execution, (u32)source), "mo");
    if (is_init || mo) dot_edge_to_next (p, i, e, mo, "fr", "red");
  }
  for (u32 n = 0; !strcmp (json_text (e, "kind"), "create") && n < json_size (p->execution); n++) {
    const Json *first = json_at (p->execution, n);
    if (!strcmp (json_text (first, "thread"), json_text (e, "other")) && !json_int (first, "index"))
      str_printf (p->out, "  e%u -> e%u [style=dashed];\n", i, n);
  }
}

/* Whatever comes after a branch depends on it: only the first event is shown. */
static void dot_deps (const Picture *p) {
  u32 n = json_size (p->execution);
  u8 *is_seen = mem_zalloc (n + 1);
  for (u32 i = 0; i < n; i++)
    for (u32 kind = 0; kind < DEP_KINDS; kind++) {
      const Json *list = json_get (json_at (p->execution, i), dep_name ((DepKind)kind));
      for (u32 k = 0; k < json_size (list); k++) {
        i64 from = json_value (json_at (list, k));
        if (kind == DEP_CTRL && is_seen[from]) continue;
        if (kind == DEP_CTRL) is_seen[from] = 1;
        dot_edge (p, from, i, dep_name ((DepKind)kind), "purple");
      }
    }
  mem_free (is_seen);
}

static void write_picture (const Json *execution, const char *title, Str *out) {
  Picture p = {json_get (execution, "locations"), json_get (execution, "execution"), out};
  const Json *threads = json_get (execution, "threads");
  str_add (out, "digraph execution {\n  node [shape=box, fontname=monospace];\n  label=\"");
  dot_text (out, title);
  str_add (out, "\";\n");
  dot_locations (p.locations, out);
  for (u32 t = 0; t < json_size (threads); t++)
    dot_thread (p.execution, json_at (threads, t), t, out);
  for (u32 i = 0; i < json_size (p.execution); i++) dot_edges_of (&p, i);
  dot_deps (&p);
  str_add (out, "}\n");
}

void report_execution_dot (const Report *r, const Witness *w, const char *title, Str *out) {
  Json *execution = json_object ();
  report_put_execution (r, w, execution);
  write_picture (execution, title, out);
  json_free (execution);
}

const Json *report_first_violation (const Json *documents, const Json **finding) {
  for (u32 i = 0; i < json_size (documents); i++) {
    const Json *d = json_at (documents, i);
    *finding = json_at (json_get (d, "findings"), 0);
    if (*finding) return d;
  }
  return NULL;
}

void report_write_dot (const Json *documents, Str *out) {
  const Json *finding = NULL, *d = report_first_violation (documents, &finding);
  Str title = {0};
  if (!d) d = json_at (documents, 0);
  str_printf (&title, "%s under %s", json_text (d, "file"), json_text (d, "model"));
  write_picture (finding ? finding : json_get (d, "last"), title.text, out);
  str_free (&title);
}
