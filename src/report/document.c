/* document.c - a Result as a tree of JSON, from which every format but the text is derived.
 *
 * docs/JSON.md describes it, docs/porf-result.schema.json defines it: the keys are stable, and what
 * changes their meaning changes VERSION. Every counter of stats.def is a key of its own.
 */
#include "report/explanation.h"

enum { VERSION = 1 };

/* ---- what occurs everywhere */

void report_put_thread (Json *to, const char *key, Tid t) {
  Str name = {0};
  say_tid (&name, t);
  json_put_text (to, key, name.text);
  str_free (&name);
}

void report_put_place (const Report *r, Json *to, u32 pos) {
  Position at = view_position_at (r->program, pos);
  json_put_text (to, "file", view_position_path (r->program, pos));
  json_put_int (to, "line", at.line);
  json_put_int (to, "column", at.column);
  u32 length;
  const char *line =
      source_line (r->sources, view_position_path (r->program, pos), at.line, &length);
  if (!line || !at.column || at.column > length) return;
  Span span = source_span (line, length, at.column);
  json_put_int (to, "start_column", span.start + 1);
  json_put_int (to, "end_column", span.end + 1);
}

static void put_text_if (Json *to, const char *key, const Str *text) {
  if (text->length) json_put_text (to, key, text->text);
}

/* ---- what the text says below the headline */

static void put_notes (const Report *r, Explanation *x, Json *to) {
  Json *notes = json_put_array (to, "notes");
  Str text = {0};
  for (u32 i = 0; i < x->notes.size; i++) {
    const Note *n = &x->notes.data[i];
    Json *note = json_add_object (notes);
    str_clear (&text);
    say_note (x, n, &text);
    report_put_thread (note, "thread", n->tid);
    report_put_place (r, note, n->pos);
    if (n->event >= 0) json_put_int (note, "event", n->event);
    if (n->is_primary) json_put_bool (note, "primary", true);
    json_put_text (note, "text", text.text);
  }
  str_free (&text);
}

static void put_steps (const Report *r, Explanation *x, Json *to) {
  Json *list = json_put_array (to, "steps");
  Steps steps = {0};
  Str text = {0};
  if (explain_is_told_in_steps (x)) steps_find (x, &steps);
  for (u32 i = 0; i < steps.size; i++) {
    const Step *s = &steps.data[i];
    Json *step = json_add_object (list);
    str_clear (&text);
    say_step (x, s, &text);
    report_put_thread (step, "thread", s->tid);
    report_put_place (r, step, s->pos);
    if (s->caller) report_put_place (r, json_put_object (step, "called_at"), s->caller);
    if (s->event >= 0) json_put_int (step, "event", s->event);
    json_put_text (step, "text", text.text);
  }
  vec_free (&steps);
  str_free (&text);
}

static void put_order (Json *to, const char *key, u8 order) {
  Str name = {0};
  str_add (&name, "memory_order_");
  say_order (&name, (Order)order);
  json_put_text (to, key, name.text);
  str_free (&name);
}

static void put_update (const Report *r, const Change *c, Json *to) {
  json_put_text (to, "update", view_update_name (c));
  put_order (to, "to", c->to);
  report_put_place (r, json_put_object (to, c->update == UPDATE_BOTH ? "load" : "read"), c->other);
}

static void put_change (const Report *r, const Change *c, Json *to) {
  report_put_place (r, to, c->pos);
  if (c->kind == CHANGE_UPDATE) {
    put_update (r, c, to);
    return;
  }
  if (c->kind == CHANGE_TEXT) {
    json_put_text (to, *c->old ? "by" : "insert", c->text);
    if (*c->old) json_put_text (to, "replace", c->old);
    return;
  }
  if (c->kind == CHANGE_SWAP) {
    report_put_place (r, json_put_object (to, "swap"), c->other);
    return;
  }
  if (c->kind != CHANGE_ORDER) {
    put_order (to, "fence", c->to);
    json_put_int (to, "after", c->after);
    json_put_int (to, "before", c->before);
    return;
  }
  put_order (to, "from", c->from);
  put_order (to, "to", c->to);
  if (c->from_fail != ORD_NA) {
    put_order (to, "from_failure", c->from_fail);
    put_order (to, "to_failure", c->to_fail);
  }
  if (c->is_given_order && c->called_at)
    report_put_place (r, json_put_object (to, "called_at"), c->called_at);
}

static void put_fix (const Report *r, const char *key, const Fix *f, Json *to) {
  Json *list = json_put_array (to, key);
  for (u32 i = 0; i < f->changes.size; i++)
    put_change (r, &f->changes.data[i], json_add_object (list));
}

/* Only if all changes can be made in the text of the program. */
static void put_edits (const Report *r, const Fix *f, Json *to) {
  Edits edits = {0};
  Str patch = {0};
  if (f->changes.size && report_find_edits (r, f, &edits)) {
    Json *list = json_put_array (to, "edits");
    for (u32 i = 0; i < edits.size; i++) {
      const Edit *e = &edits.data[i];
      Json *edit = json_add_object (list);
      json_put_text (edit, "file", e->path);
      json_put_int (edit, "line", e->line);
      json_put_int (edit, "column", e->start + 1);
      json_put_int (edit, "end_column", e->end + 1);
      json_put_text (edit, "text", e->text);
    }
    edits_patch (r->sources, &edits, &patch);
    json_put_text (to, "patch", patch.text);
  }
  edits_free (&edits);
  str_free (&patch);
}

static void put_elsewhere (const Finding *f, Json *to) {
  if (!f->elsewhere.size) return;
  Json *also = json_put_object (to, "also");
  for (int allowed = 0; allowed < 2; allowed++) {
    Json *list = json_put_array (also, allowed ? "allowed" : "forbidden");
    for (u32 i = 0; i < f->elsewhere.size; i++)
      if (f->elsewhere.data[i].is_allowed == allowed)
        json_add_text (list, f->elsewhere.data[i].model);
  }
}

static void put_explanation (const Report *r, const Finding *f, Json *to) {
  Explanation x = explain_finding (r, f);
  put_notes (r, &x, to);
  put_steps (r, &x, to);
  if (x.view.w->has_mo && relations_is_interleaving (&x.relations)) {
    Json *order = json_put_array (to, "interleaving");
    Events all = {0};
    steps_find_interleaving (&x, &all);
    for (u32 i = 0; i < all.size; i++) json_add_int (order, all.data[i]);
    vec_free (&all);
  }
  put_text_if (to, "why", &x.why);
  put_text_if (to, "help", &x.help);
  put_text_if (to, "or", &x.or_else);
  put_elsewhere (f, to);
  Json *blame = json_put_array (to, "blame");
  for (u32 i = 0; i < x.blamed.size; i++)
    report_put_place (r, json_add_object (blame), x.blamed.data[i].pos);
  put_fix (r, "fix", &f->repair.fix, to);
  put_fix (r, "or_fence", &f->repair.or_fence, to);
  put_edits (r, &f->repair.fix, to);
  explanation_free (&x);
}

static void put_finding (const Report *r, const Finding *f, Json *to) {
  Str message = {0};
  u32 pos = view_finding_position (r->program, f),
      other = view_finding_other_position (r->program, f);
  json_put_text (to, "kind", finding_kind_name (f->kind));
  say_message (r, f, &message);
  json_put_text (to, "message", message.text);
  str_free (&message);
  report_put_place (r, to, pos);
  report_put_thread (to, "thread", f->tid);
  json_put_text (to, "function",
                 view_function_name (r->program, view_position_at (r->program, pos).func));
  if (f->event >= 0) json_put_int (to, "event", f->event);
  if (f->location >= 0)
    json_put_text (to, "location", view_location_name (&f->witness, f->location));
  if (other) {
    Json *side = json_put_object (to, "other");
    report_put_place (r, side, other);
    report_put_thread (side, "thread", f->other_tid);
    if (f->other_event >= 0) json_put_int (side, "event", f->other_event);
  }
  put_explanation (r, f, to);
  json_put_u64 (to, "number", f->execution);
  report_put_execution (r, &f->witness, to);
}

/* ---- the whole */

static void put_remarks (const Report *r, const char *key, const char *text,
                         const NotCoveredList *list, Json *to) {
  Json *remarks = json_put_array (to, key);
  for (u32 i = 0; i < list->size; i++) {
    Json *remark = json_add_object (remarks);
    json_put_text (remark, text, list->data[i].what);
    report_put_place (r, remark, list->data[i].pos);
  }
}

void report_put_assumed (u32 assumed, Json *to) {
  Json *words = json_put_array (to, "assumed"), *rows = json_put_array (to, "assumptions");
  for (u32 a = 0; a < ASSUMPTION_COUNT; a++) {
    AssumptionInfo info = assumption_info ((Assumption)a);
    if (!(assumed & ASSUMPTION_BIT (a))) continue;
    json_add_text (words, info.word);
    Json *row = json_add_object (rows);
    json_put_text (row, "name", info.word);
    json_put_text (row, "text", info.text);
    if (info.option) json_put_text (row, "option", info.option);
  }
}

void report_say_assumed (const Json *document, Str *out) {
  const Json *rows = json_get (document, "assumptions");
  if (strcmp (json_text (document, "verdict"), verdict_name (VERDICT_PASS)) != 0) return;
  for (u32 i = 0; i < json_size (rows); i++) {
    const char *option = json_text (json_at (rows, i), "option");
    str_printf (out, "%s%s", i ? ", " : "assumed: ", json_text (json_at (rows, i), "text"));
    if (*option) str_printf (out, " (%s)", option);
  }
}

bool report_is_incomplete (const Json *document) {
  return !strcmp (json_text (document, "verdict"), verdict_name (VERDICT_INCOMPLETE));
}

bool report_say_mismatch (const Json *document, Str *out) {
  if (!json_get (document, "expected")) return false;
  str_printf (out, "expected %s, got %s", json_text (document, "expected"),
              json_text (document, "verdict"));
  return true;
}

static void put_estimate (const Estimate *e, Json *to) {
  if (!e->spread) return;
  Json *estimate = json_put_object (to, "estimate");
  json_put_real (estimate, "executions", e->executions);
  json_put_real (estimate, "blocked", e->blocked);
  json_put_real (estimate, "explored", e->explored);
  json_put_real (estimate, "nodes", e->nodes);
  json_put_real (estimate, "spread", e->spread);
  json_put_real (estimate, "seconds", e->seconds);
  json_put_u64 (estimate, "tours", e->tours);
  if (e->covered > 0) json_put_real (estimate, "covered", e->covered);
}

/* The lines around every place that is named below j, a member of the document. */
static void put_lines (const Report *r, const Json *j, Json *sources) {
  enum { AROUND = 3 };
  const char *path = json_text (j, "file");
  i64 line = json_int (j, "line");
  Json *lines = *path && line ? (Json *)(uintptr_t)json_get (sources, path) : NULL;
  if (*path && line && !lines) lines = json_put_object (sources, path);
  for (i64 n = line > AROUND ? line - AROUND : 1; lines && n <= line + AROUND; n++) {
    char key[24];
    u32 length;
    snprintf (key, sizeof key, "%lld", (long long)n);
    const char *text = source_line (r->sources, path, (u32)n, &length);
    if (!text || json_get (lines, key)) continue;
    Str line_text = {0};
    str_add_n (&line_text, text, length);
    json_put_text (lines, key, line_text.text);
    str_free (&line_text);
  }
  for (u32 i = 0; i < json_size (j); i++) put_lines (r, json_at (j, i), sources);
}

void report_put_tally (Json *j, const char *key, Tally n) {
  Str digits = {0};
  tally_print_digits (n, &digits);
  json_put_literal (j, key, digits.text);
  str_free (&digits);
}

static void put_executions (const Result *s, Json *j) {
  report_put_tally (j, "executions", result_executions (s));
  if (tally_is_rough (result_executions (s))) json_put_bool (j, "executions_rounded", true);
}

Json *report_document (const Report *r) {
  const Result *s = r->result;
  Json *j = json_object ();
  json_put_int (j, "version", VERSION);
  json_put_text (j, "tool", "porf " PORF_VERSION);
  json_put_text (j, "file", r->file);
  json_put_text (j, "verdict", verdict_name (s->verdict));
  json_put_text (j, "model", s->model);
  Json *checked = json_put_array (j, "checked");
  const char *name;
  for (u32 i = 0; (name = report_check (r, &i));) json_add_text (checked, name);
  json_put_bool (j, "explored_all", s->is_explored);
  json_put_text (j, "engine", s->engine ? s->engine : "explore");
  if (s->is_unbounded) json_put_bool (j, "unbounded", true);
  put_executions (s, j);
#define STAT(field, label)                                                                         \
  if (strcmp (#field, "executions")) json_put_u64 (j, #field, s->stats.field);
#include "core/stats.def"
#undef STAT
  json_put_real (j, "seconds", s->seconds);
  json_put_u64 (j, "peak_bytes", mem_peak_bytes ());
  put_estimate (&s->estimate, j);
  put_remarks (r, "not_covered", "what", &s->not_covered, j);
  put_remarks (r, "warnings", "message", &s->warnings, j);
  report_put_assumed (s->verdict == VERDICT_VIOLATION ? 0 : s->assumed, j);
  Json *findings = json_put_array (j, "findings");
  for (u32 i = 0; i < s->findings.size; i++)
    put_finding (r, &s->findings.data[i], json_add_object (findings));
  if (r->last && !s->findings.size) report_put_execution (r, r->last, json_put_object (j, "last"));
  Json *sources = json_object ();
  for (u32 i = 0; i < json_size (j); i++) put_lines (r, json_at (j, i), sources);
  json_put (j, "sources", sources);
  return j;
}
