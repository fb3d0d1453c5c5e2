/* witness.c - witness for SV-COMP in YAML, format 2.2: a sequence of waypoints with the threads
 * that pass them. The two sides of a race are the targets of one segment. */
#include "report/formats/svcomp.h"

/* A JSON string is a string of YAML, too. */
static void field (Str *out, u32 indent, const char *key, const char *text) {
  str_printf (out, "%*s%s: ", (int)indent, "", key);
  json_string (out, text);
  str_add (out, "\n");
}

static void metadata (const Svcomp *s, Str *out) {
  str_add (out, "  metadata:\n");
  field (out, 4, "format_version", "2.2");
  field (out, 4, "uuid", s->uuid.text);
  field (out, 4, "creation_time", s->time.text);
  str_add (out, "    producer:\n");
  field (out, 6, "name", "porf");
  field (out, 6, "version", PORF_VERSION);
  str_add (out, "    task:\n      input_files:\n");
  for (u32 i = 0; i < s->files.size; i++) {
    str_add (out, "        - ");
    json_string (out, s->files.data[i]);
    str_add (out, "\n");
  }
  str_add (out, "      input_file_hashes:\n");
  for (u32 i = 0; i < s->files.size; i++) {
    str_add (out, "        ");
    json_string (out, s->files.data[i]);
    str_printf (out, ": \"%s\"\n", s->hashes.data[i]);
  }
  field (out, 6, "specification", s->specification);
  field (out, 6, "data_model", "LP64");
  field (out, 6, "language", "C");
}

static void waypoint (const Svcomp *s, const Json *at, const char *type, const char *value,
                      Str *out) {
  str_printf (
      out, "        - waypoint:\n            type: \"%s\"\n            action: \"follow\"\n", type);
  str_printf (out, "            thread_id: %u\n", svcomp_thread (s, json_text (at, "thread")));
  if (value) {
    str_add (out, "            constraint:\n");
    field (out, 14, "value", value);
    field (out, 14, "format",
           !strcmp (type, "function_return") ? "acsl_expression" : "c_expression");
  }
  str_add (out, "            location:\n");
  field (out, 14, "file_name", source_short_path (json_text (at, "file")));
  str_printf (out, "              line: %lld\n", (long long)json_int (at, "line"));
  if (json_int (at, "column"))
    str_printf (out, "              column: %lld\n", (long long)json_int (at, "column"));
  if (*json_text (at, "function")) field (out, 14, "function", json_text (at, "function"));
}

static void segment (const Svcomp *s, const Json *e, Str *out) {
  str_add (out, "    - segment:\n");
  if (strcmp (json_text (e, "kind"), "choice") != 0) {
    waypoint (s, e, "assumption", "1", out);
    return;
  }
  Str value = {0};
  str_printf (&value, "\\result == %lld", (long long)json_int (e, "read"));
  waypoint (s, e, "function_return", value.text, out);
  str_free (&value);
}

static bool is_race (const Svcomp *s) { return !strcmp (json_text (s->finding, "kind"), "race"); }

/* The accesses of a race are its targets, and no steps before them. */
static bool is_side (const Svcomp *s, const Json *e) {
  const Json *events = json_get (s->finding, "execution"), *other = json_get (s->finding, "other");
  return is_race (s) && (e == json_at (events, (u32)json_int (s->finding, "event")) ||
                         (other && e == json_at (events, (u32)json_int (other, "event"))));
}

void report_write_witness (const Json *documents, Str *out) {
  Svcomp s;
  if (!svcomp_open (documents, &s)) return;
  str_printf (out, "- entry_type: \"%s\"\n", s.finding ? "violation_sequence" : "invariant_set");
  metadata (&s, out);
  str_add (out, s.finding ? "  content:\n" : "  content: []\n");
  for (u32 i = 0; i < s.steps.size; i++)
    if (!is_side (&s, s.steps.data[i])) segment (&s, s.steps.data[i], out);
  if (s.finding) {
    const Json *other = json_get (s.finding, "other");
    str_add (out, "    - segment:\n");
    if (is_race (&s) && other) waypoint (&s, other, "target", NULL, out);
    waypoint (&s, s.finding, "target", NULL, out);
  }
  svcomp_close (&s);
}
