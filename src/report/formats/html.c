/* html.c - one page that needs nothing else: what the text says as HTML, and the documents as data
 * for the script of page.html, which draws the executions. */
#include "report/explanation.h"

extern const char porf_page[]; /* page.html */

static void element (Str *out, const char *tag, const char *kind, const char *text) {
  if (!*text) return;
  str_printf (out, "<%s", tag);
  if (kind) str_printf (out, " class=\"%s\"", kind);
  str_add (out, ">");
  xml_text (out, text);
  str_printf (out, "</%s>\n", tag);
}

static void say_at (Str *out, const Json *place) {
  if (!*json_text (place, "file")) return;
  str_printf (out, "%s:%lld", source_short_path (json_text (place, "file")),
              (long long)json_int (place, "line"));
}

static void place (Str *out, const char *tag, const Json *at) {
  Str text = {0};
  say_at (&text, at);
  element (out, tag, "place", text.text ? text.text : "");
  str_free (&text);
}

/* ---- source lines */

static void add_part (Str *out, const char *line, size_t start, size_t end) {
  Str part = {0};
  str_add_n (&part, line + start, end - start);
  xml_text (out, part.text);
  str_free (&part);
}

static void source (const Json *d, const Json *at, Str *out) {
  char number[24];
  snprintf (number, sizeof number, "%lld", (long long)json_int (at, "line"));
  const Json *lines = json_get (json_get (d, "sources"), json_text (at, "file"));
  const char *line = json_text (lines, number);
  size_t size = strlen (line), start = (size_t)json_int (at, "start_column"),
         end = (size_t)json_int (at, "end_column");
  if (!json_get (lines, number)) return;
  start = start && start <= size ? start - 1 : 0;
  end = end > start + 1 && end <= size + 1 ? end - 1 : size;
  str_printf (out, "<pre><span class=\"number\">%s</span> ", number);
  add_part (out, line, 0, start);
  str_add (out, "<mark>");
  add_part (out, line, start, end);
  str_add (out, "</mark>");
  add_part (out, line, end, size);
  str_add (out, "</pre>\n");
}

static const char *title_of (const Json *f, const char *thread) {
  const Json *threads = json_get (f, "threads");
  for (u32 i = 0; i < json_size (threads); i++)
    if (!strcmp (json_text (json_at (threads, i), "name"), thread))
      return json_text (json_at (threads, i), "title");
  return thread;
}

/* What the script shows when it is clicked at. */
static void name_event (const Json *x, Str *out) {
  if (json_get (x, "event"))
    str_printf (out, " data-event=\"%lld\"", (long long)json_int (x, "event"));
}

static void notes (const Json *d, const Json *f, Str *out) {
  const Json *list = json_get (f, "notes");
  const char *thread = "";
  for (u32 i = 0; i < json_size (list); i++) {
    const Json *n = json_at (list, i);
    if (strcmp (thread, json_text (n, "thread")) && json_size (json_get (f, "threads")) > 1)
      element (out, "h4", "thread", title_of (f, json_text (n, "thread")));
    thread = json_text (n, "thread");
    str_printf (out, "<div class=\"note%s\"", json_get (n, "primary") ? " primary" : "");
    name_event (n, out);
    str_add (out, ">\n");
    place (out, "span", n);
    source (d, n, out);
    element (out, "p", NULL, json_text (n, "text"));
    str_add (out, "</div>\n");
  }
}

/* ---- remarks */

static void remark (Str *out, const char *label, const char *text) {
  if (!*text) return;
  element (out, "dt", NULL, label);
  element (out, "dd", NULL, text);
}

static void list_names (Str *out, const char *before, const Json *names) {
  if (!json_size (names)) return;
  str_printf (out, "%s%s", out->length ? "; " : "", before);
  for (u32 i = 0; i < json_size (names); i++)
    str_printf (out, "%s%s", i ? ", " : " ", json_at (names, i)->text);
}

static void remarks (const Json *f, Str *out) {
  const Json *models = json_get (f, "also");
  Str also = {0};
  list_names (&also, "impossible under", json_get (models, "forbidden"));
  list_names (&also, "possible under", json_get (models, "allowed"));
  str_add (out, "<dl>\n");
  remark (out, "why", json_text (f, "why"));
  remark (out, "help", json_text (f, "help"));
  remark (out, "or", json_text (f, "or"));
  remark (out, "also", also.text ? also.text : "");
  str_add (out, "</dl>\n");
  str_free (&also);
  if (!json_get (f, "patch")) return;
  str_add (out, "<details class=\"patch\"><summary>The fix as a patch</summary>\n<pre>");
  xml_text (out, json_text (f, "patch"));
  str_add (out, "</pre></details>\n");
}

static void steps (const Json *f, Str *out) {
  const Json *list = json_get (f, "steps");
  if (!json_size (list)) return;
  str_add (out, "<h4>Step by step</h4>\n<ol class=\"steps\">\n");
  for (u32 i = 0; i < json_size (list); i++) {
    const Json *s = json_at (list, i);
    str_add (out, "<li");
    name_event (s, out);
    str_add (out, ">");
    element (out, "b", NULL, json_text (s, "thread"));
    xml_text (out, json_text (s, "text"));
    str_add (out, " ");
    place (out, "span", s);
    str_add (out, "</li>\n");
  }
  str_add (out, "</ol>\n");
}

/* ---- the execution: a table for those who have no script, a place for the picture for the
 * others */

static void execution (const Json *x, u32 program, i32 finding, Str *out) {
  const Json *events = json_get (x, "execution");
  if (!json_size (events)) return;
  str_printf (out, "<figure class=\"picture\" data-program=\"%u\" data-finding=\"%d\"></figure>\n",
              program, finding);
  str_printf (out, "<details class=\"events\"><summary>All %u events</summary>\n<table>\n",
              json_size (events));
  str_add (out, "<tr><th>#</th><th>thread</th><th>what</th><th>from</th><th>where</th></tr>\n");
  for (u32 i = 0; i < json_size (events); i++) {
    const Json *e = json_at (events, i), *from = json_get (e, "from");
    str_printf (out, "<tr><td>%u</td><td>", i + 1);
    xml_text (out, json_text (e, "thread"));
    str_add (out, "</td><td>");
    xml_text (out, json_text (e, "text"));
    str_add (out, "</td><td>");
    if (from && from->kind == JSON_STRING) str_add (out, "initial value");
    if (from && from->kind == JSON_LITERAL)
      str_printf (out, "#%lld", (long long)json_value (from) + 1);
    str_add (out, "</td>");
    place (out, "td", e);
    str_add (out, "</tr>\n");
  }
  str_add (out, "</table></details>\n");
}

static void write_finding (const Json *d, u32 program, u32 number, Str *out) {
  const Json *f = json_at (json_get (d, "findings"), number);
  str_printf (out, "<article class=\"finding\" id=\"finding-%u-%u\">\n<h3><span class=\"kind\">",
              program, number);
  xml_text (out, json_text (f, "kind"));
  str_add (out, "</span> ");
  xml_text (out, json_text (f, "message"));
  str_add (out, " under ");
  xml_text (out, json_text (d, "model"));
  str_add (out, "</h3>\n");
  place (out, "p", f);
  notes (d, f, out);
  steps (f, out);
  remarks (f, out);
  execution (f, program, (i32)number, out);
  str_add (out, "</article>\n");
}

static void write_program (const Json *d, u32 program, Str *out) {
  const Json *findings = json_get (d, "findings"), *missing = json_get (d, "not_covered"),
             *warnings = json_get (d, "warnings");
  const char *verdict = json_text (d, "verdict");
  str_printf (out, "<section class=\"program %s\">\n<h2><span class=\"verdict\">%s</span> ",
              verdict, verdict);
  xml_text (out, json_text (d, "file"));
  str_add (out, "</h2>\n");
  str_printf (out, "<p class=\"counts\">%lld complete execution%s",
              (long long)json_int (d, "executions"), json_int (d, "executions") == 1 ? "" : "s");
  if (json_int (d, "blocked"))
    str_printf (out, ", %lld blocked", (long long)json_int (d, "blocked"));
  str_add (out, " under ");
  xml_text (out, json_text (d, "model"));
  str_printf (out, ", %.2f s</p>\n", json_real (d, "seconds"));
  Str assumed = {0}, expected = {0};
  report_say_assumed (d, &assumed);
  if (assumed.length) element (out, "p", "assumed", assumed.text);
  if (report_say_mismatch (d, &expected)) element (out, "p", "missing", expected.text);
  str_free (&assumed);
  str_free (&expected);
  for (u32 i = 0; i < json_size (missing); i++) {
    str_add (out, "<p class=\"missing\">not covered: ");
    xml_text (out, json_text (json_at (missing, i), "what"));
    str_add (out, " ");
    place (out, "span", json_at (missing, i));
    str_add (out, "</p>\n");
  }
  for (u32 i = 0; i < json_size (warnings); i++)
    element (out, "p", "missing", json_text (json_at (warnings, i), "message"));
  for (u32 i = 0; i < json_size (findings); i++) write_finding (d, program, i, out);
  if (json_get (d, "last")) {
    str_add (out, "<article>\n<h3>The last execution</h3>\n");
    execution (json_get (d, "last"), program, -1, out);
    str_add (out, "</article>\n");
  }
  str_add (out, "</section>\n");
}

/* Inside of a script element nothing may look like its end. */
static void write_data (const Json *documents, Str *out) {
  Str text = {0};
  json_write (documents, &text);
  str_add (out, "<script type=\"application/json\" id=\"data\">\n");
  for (const char *c = text.text; *c; c++)
    if (*c == '<')
      str_add (out, "\\u003c");
    else
      str_add_n (out, c, 1);
  str_add (out, "</script>\n");
  str_free (&text);
}

void report_write_html (const Json *documents, Str *out) {
  static const char marker[] = "<!-- results -->\n";
  const char *rest = strstr (porf_page, marker);
  BUG_IF (!rest);
  str_add_n (out, porf_page, (size_t)(rest - porf_page));
  str_add (out, "<main>\n");
  for (u32 i = 0; i < json_size (documents); i++) write_program (json_at (documents, i), i, out);
  str_add (out, "</main>\n");
  write_data (documents, out);
  str_add (out, rest + strlen (marker));
}
