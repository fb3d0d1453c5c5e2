/* json.c - for programs. The keys are stable; every counter of stats.def is a key of its own.
 *
 * Of a finding: `notes`, what the text says below source lines; `steps`, an interleaving that leads
 * to it; `why`, `help` and `or` as in the text; `blame`, the places that these name, what to change
 * first; `fix` and `or_fence`, the changes that help and or ask for. A change has `from` and `to`,
 * memory orders, or `fence`, the order of a fence to be added between the lines `after` and
 * `before`.
 */
#include "report/report_int.h"

/* Any bytes become valid UTF-8: what is none is replaced by U+FFFD. */
void json_string (Str *out, const char *text) {
  str_add (out, "\"");
  size_t size = text ? strlen (text) : 0;
  for (size_t i = 0; i < size;) {
    u32 n = utf8_length (text + i, size - i);
    u8 c = (u8)text[i];
    if (!n)
      str_add (out, "\\ufffd");
    else if (c == '"' || c == '\\')
      str_printf (out, "\\%c", c);
    else if (c == '\n')
      str_add (out, "\\n");
    else if (c == '\t')
      str_add (out, "\\t");
    else if (c < 0x20 || c == 0x7f)
      str_printf (out, "\\u%04x", c);
    else
      str_add_n (out, text + i, n);
    i += n ? n : 1;
  }
  str_add (out, "\"");
}

void json_field (Str *out, const char *key, const char *text) {
  str_printf (out, "\"%s\": ", key);
  json_string (out, text);
}

static void json_thread (Str *out, const char *key, Tid t) {
  Str name = {0};
  say_tid (&name, t);
  json_field (out, key, name.text);
  str_free (&name);
}

static void json_place (const Report *r, Str *out, u32 pos) {
  Position at = position_at (r->program, pos);
  json_field (out, "file", position_path (r->program, pos));
  str_printf (out, ", \"line\": %u, \"column\": %u", at.line, at.column);
}

/* Values are signed when they are small negative numbers of their size, as in the text. */
static void json_value (Str *out, const char *key, const WitnessEvent *e, u64 value) {
  u32 size = e->size && e->size <= 8 ? e->size : 8, shift = 64 - 8 * size;
  str_printf (out, ", \"%s\": %lld", key, (long long)((i64)(value << shift) >> shift));
}

/* Only what was tracked: "data": [0, 2], indices into the execution. */
static void json_deps (const Witness *w, u32 event, Str *out) {
  for (u32 kind = 0; kind < DEP_KINDS; kind++) {
    u32 n = 0;
    for (u32 i = 0; i < w->deps.size; i++) {
      WitnessDep d = w->deps.data[i];
      if (d.kind != kind || d.to != (i32)event) continue;
      if (!n++)
        str_printf (out, ", \"%s\": [%d", dep_name ((DepKind)kind), d.from);
      else
        str_printf (out, ", %d", d.from);
    }
    if (n) str_add (out, "]");
  }
}

static void json_event (const Report *r, const Witness *w, u32 index, Str *out) {
  const WitnessEvent *e = &w->events.data[index];
  str_add (out, "{");
  json_thread (out, "thread", e->tid);
  str_printf (out, ", \"index\": %u, ", e->index);
  json_field (out, "kind", witness_kind_name ((WitnessKind)e->kind));
  if (event_reads (e) || event_writes (e) || e->kind == WITNESS_FENCE) {
    str_add (out, ", ");
    json_field (out, "order", order_name ((Order)e->order));
  }
  if (e->location >= 0) {
    str_add (out, ", ");
    json_field (out, "location", location_name (w, e->location));
    str_printf (out, ", \"size\": %u", e->size);
  }
  if (event_reads (e) || e->kind == WITNESS_CHOICE) json_value (out, "read", e, e->read);
  if (event_reads (e) && e->rf != WITNESS_NONE) {
    if (e->rf == WITNESS_INIT)
      str_add (out, ", \"from\": \"init\"");
    else
      str_printf (out, ", \"from\": %d", e->rf);
  }
  if (event_writes (e)) {
    json_value (out, "written", e, e->written);
    if (w->has_mo) str_printf (out, ", \"mo\": %u", e->mo);
  }
  json_deps (w, index, out);
  if (e->is_lock) str_printf (out, ", \"lock\": true, \"waits\": %s", e->waits ? "true" : "false");
  if (e->kind == WITNESS_CREATE || e->kind == WITNESS_JOIN) {
    str_add (out, ", ");
    json_thread (out, "other", e->other);
  }
  str_add (out, ", ");
  json_place (r, out, event_position (r->program, e));
  str_add (out, "}");
}

static void json_execution (const Report *r, const Witness *w, Str *out) {
  str_add (out, ",\n     \"threads\": [");
  bool first = true;
  for (u32 t = 0; t < w->threads.size; t++) {
    const WitnessThread *thread = &w->threads.data[t];
    if (!thread->exists) continue;
    str_add (out, first ? "{" : ", {");
    first = false;
    json_thread (out, "name", t);
    str_add (out, ", ");
    json_field (out, "function", function_name (r->program, thread->function));
    str_add (out, ", ");
    json_field (out, "status", thread_status_name ((ThreadStatus)thread->status));
    str_add (out, "}");
  }
  str_add (out, "],\n     \"execution\": [");
  for (u32 i = 0; i < w->events.size; i++) {
    str_add (out, i ? ",\n       " : "\n       ");
    json_event (r, w, i, out);
  }
  str_add (out, "]");
}

static void json_text (Str *out, const char *key, const Str *text) {
  if (!text->length) return;
  str_add (out, ",\n     ");
  json_field (out, key, text->text);
}

static void json_order (Str *out, const char *key, u8 order) {
  Str name = {0};
  str_add (&name, "memory_order_");
  say_order (&name, (Order)order);
  json_field (out, key, name.text);
  str_free (&name);
}

static void json_change (const Report *r, const Change *c, Str *out) {
  str_add (out, "{");
  json_place (r, out, c->pos);
  str_add (out, ", ");
  if (c->kind != CHANGE_ORDER) {
    json_order (out, "fence", c->to);
    str_printf (out, ", \"after\": %u, \"before\": %u}", c->after, c->before);
    return;
  }
  json_order (out, "from", c->from);
  str_add (out, ", ");
  json_order (out, "to", c->to);
  if (c->from_fail != ORD_NA) {
    str_add (out, ", ");
    json_order (out, "from_failure", c->from_fail);
    str_add (out, ", ");
    json_order (out, "to_failure", c->to_fail);
  }
  if (c->is_given_order && c->called_at) {
    str_add (out, ", \"called_at\": {");
    json_place (r, out, c->called_at);
    str_add (out, "}");
  }
  str_add (out, "}");
}

static void json_fix (const Report *r, const char *key, const Fix *f, Str *out) {
  str_printf (out, ",\n     \"%s\": [", key);
  for (u32 i = 0; i < f->changes.size; i++) {
    if (i) str_add (out, ", ");
    json_change (r, &f->changes.data[i], out);
  }
  str_add (out, "]");
}

/* What the text says below the headline. */
static void json_explanation (const Report *r, const Finding *f, Str *out) {
  Explanation x = explain_finding (r, f);
  Str why = {0}, help = {0}, or_else = {0}, text = {0};
  str_add (out, ",\n     \"notes\": [");
  for (u32 i = 0; i < x.notes.size; i++) {
    const Note *n = &x.notes.data[i];
    str_clear (&text);
    n->say (&x, n, &text);
    str_add (out, i ? ",\n       {" : "\n       {");
    json_thread (out, "thread", n->tid);
    str_add (out, ", ");
    json_place (r, out, n->pos);
    str_add (out, ", ");
    json_field (out, "text", text.text);
    str_add (out, "}");
  }
  str_add (out, "]");
  Steps steps = {0};
  if (is_told_in_steps (&x)) find_steps (&x, &steps);
  str_add (out, ",\n     \"steps\": [");
  for (u32 i = 0; i < steps.size; i++) {
    const WitnessEvent *e = &x.view.w->events.data[steps.data[i]];
    str_clear (&text);
    say_step (&x, steps.data[i], &text);
    str_add (out, i ? ",\n       {" : "\n       {");
    json_thread (out, "thread", e->tid);
    str_add (out, ", ");
    json_place (r, out, event_position (r->program, e));
    if (step_caller (&x, steps.data[i])) {
      str_add (out, ", \"called_at\": {");
      json_place (r, out, step_caller (&x, steps.data[i]));
      str_add (out, "}");
    }
    str_add (out, ", ");
    json_field (out, "text", text.text);
    str_add (out, "}");
  }
  str_add (out, "]");
  vec_free (&steps);
  explain_why (&x, &why, &help, &or_else);
  json_text (out, "why", &why);
  json_text (out, "help", &help);
  json_text (out, "or", &or_else);
  str_add (out, ",\n     \"blame\": [");
  for (u32 i = 0; i < x.blamed.size; i++) {
    str_add (out, i ? ", {" : "{");
    json_place (r, out, x.blamed.data[i]);
    str_add (out, "}");
  }
  str_add (out, "]");
  json_fix (r, "fix", &f->repair.fix, out);
  json_fix (r, "or_fence", &f->repair.or_fence, out);
  str_free (&why);
  str_free (&help);
  str_free (&or_else);
  str_free (&text);
  explanation_free (&x);
}

static void json_finding (const Report *r, const Finding *f, Str *out) {
  str_add (out, "    {");
  json_field (out, "kind", finding_kind_name (f->kind));
  str_add (out, ", ");
  Str message = {0};
  say_message (r, f, &message);
  json_field (out, "message", message.text);
  str_free (&message);
  str_add (out, ",\n     ");
  json_place (r, out, finding_position (r->program, f));
  str_add (out, ", ");
  json_thread (out, "thread", f->tid);
  if (f->location >= 0) {
    str_add (out, ", ");
    json_field (out, "location", location_name (&f->witness, f->location));
  }
  u32 other = finding_other_position (r->program, f);
  if (other) {
    str_add (out, ",\n     \"other\": {");
    json_place (r, out, other);
    str_add (out, ", ");
    json_thread (out, "thread", f->other_tid);
    str_add (out, "}");
  }
  json_explanation (r, f, out);
  str_printf (out, ",\n     \"number\": %llu", (unsigned long long)f->execution);
  json_execution (r, &f->witness, out);
  str_add (out, "}");
}

static void json_warnings (const Report *r, Str *out) {
  const Result *s = r->result;
  str_add (out, "  \"warnings\": [");
  for (u32 i = 0; i < s->warnings.size; i++) {
    str_add (out, i ? ",\n    {" : "\n    {");
    json_field (out, "message", s->warnings.data[i].what);
    str_add (out, ", ");
    json_place (r, out, s->warnings.data[i].pos);
    str_add (out, "}");
  }
  str_add (out, "],\n");
}

static void json_not_covered (const Report *r, Str *out) {
  const Result *s = r->result;
  str_add (out, "  \"not_covered\": [");
  for (u32 i = 0; i < s->not_covered.size; i++) {
    Position at = position_at (r->program, s->not_covered.data[i].pos);
    str_add (out, i ? ",\n    {" : "\n    {");
    json_field (out, "what", s->not_covered.data[i].what);
    str_add (out, ", ");
    json_field (out, "file", position_path (r->program, s->not_covered.data[i].pos));
    str_printf (out, ", \"line\": %u}", at.line);
  }
  str_add (out, "],\n");
}

void report_json (const Report *r, Str *out) {
  const Result *s = r->result;
  str_add (out, "{\n  ");
  json_field (out, "file", r->file);
  str_add (out, ",\n  ");
  json_field (out, "verdict", verdict_name (s->verdict));
  str_add (out, ",\n  ");
  json_field (out, "model", s->model);
  str_add (out, ",\n");
#define STAT(field, label)                                                                         \
  str_printf (out, "  \"" #field "\": %llu,\n", (unsigned long long)s->stats.field);
#include "core/stats.def"
#undef STAT
  str_printf (out, "  \"seconds\": %.6f,\n", s->seconds);
  str_printf (out, "  \"peak_bytes\": %llu,\n", (unsigned long long)mem_peak_bytes ());
  json_not_covered (r, out);
  json_warnings (r, out);
  str_add (out, "  \"findings\": [");
  for (u32 i = 0; i < s->findings.size; i++) {
    str_add (out, i ? ",\n" : "\n");
    json_finding (r, &s->findings.data[i], out);
  }
  str_add (out, "]\n}\n");
}
