/* sarif.c - SARIF 2.1.0: one run with the results of all programs, as code scanning wants it.
 *
 * A violation is a result: both sides as locations, every thread as a thread flow whose steps are
 * numbered across threads, the execution as a graph, the verified fix as replacements. What was not
 * covered is a notification, and the run is no success. A test that does not come out as its header
 * expects is a result.
 */
#include "report/report_int.h"

static bool is_uri_char (u8 c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         strchr ("-._~/", c);
}

/* Paths below the current directory are relative to the root of the sources. */
static void put_artifact (Json *to, const char *path) {
  Str uri = {0};
  const char *shown = source_short_path (path);
  if (*shown == '/') str_add (&uri, "file://");
  for (const char *c = shown; *c; c++)
    if (is_uri_char ((u8)*c))
      str_add_n (&uri, c, 1);
    else
      str_printf (&uri, "%%%02X", (u8)*c);
  Json *artifact = json_put_object (to, "artifactLocation");
  json_put_text (artifact, "uri", uri.text);
  if (*shown != '/') json_put_text (artifact, "uriBaseId", "%SRCROOT%");
  str_free (&uri);
}

static const char *line_text (const Json *document, const Json *place) {
  char key[24];
  snprintf (key, sizeof key, "%lld", (long long)json_int (place, "line"));
  return json_text (json_get (json_get (document, "sources"), json_text (place, "file")), key);
}

/* A column of our documents, in bytes, in UTF-16 code units; both from 1. */
static i64 utf16_column (const char *line, i64 column) {
  size_t size = strlen (line), end = column > 0 ? (size_t)column - 1 : 0;
  i64 units = 0;
  for (size_t i = 0; i < size && i < end;) {
    u32 n = utf8_length (line + i, size - i);
    units += n == 4 ? 2 : 1;
    i += n ? n : 1;
  }
  return units + 1 + (end > size ? (i64)(end - size) : 0);
}

static void put_message (Json *to, const char *text) {
  json_put_text (json_put_object (to, "message"), "text", text);
}

static void put_location (const Json *document, const Json *place, const char *message, Json *to) {
  const char *line = line_text (document, place);
  if (*json_text (place, "file")) {
    Json *physical = json_put_object (to, "physicalLocation");
    put_artifact (physical, json_text (place, "file"));
    if (json_int (place, "line")) {
      Json *region = json_put_object (physical, "region");
      json_put_int (region, "startLine", json_int (place, "line"));
      i64 start = json_int (place, "start_column"), end = json_int (place, "end_column");
      if (!start) start = json_int (place, "column");
      if (start) json_put_int (region, "startColumn", utf16_column (line, start));
      if (start && end > start) json_put_int (region, "endColumn", utf16_column (line, end));
      if (*line) json_put_text (json_put_object (region, "snippet"), "text", line);
    }
  }
  if (*json_text (place, "function")) {
    Json *logical = json_add_object (json_put_array (to, "logicalLocations"));
    json_put_text (logical, "name", json_text (place, "function"));
    json_put_text (logical, "kind", "function");
  }
  if (message) put_message (to, message);
}

/* ---- the parts of a result */

static void put_related (const Json *d, const Json *f, Json *to) {
  const Json *notes = json_get (f, "notes");
  Json *related = json_put_array (to, "relatedLocations");
  for (u32 i = 0; i < json_size (notes); i++) {
    const Json *note = json_at (notes, i);
    Str text = {0};
    str_printf (&text, "%s: %s", json_text (note, "thread"), json_text (note, "text"));
    Json *location = json_add_object (related);
    json_put_int (location, "id", i);
    put_location (d, note, text.text, location);
    str_free (&text);
  }
}

static bool is_noted (const Json *f, u32 event) {
  const Json *notes = json_get (f, "notes");
  for (u32 i = 0; i < json_size (notes); i++)
    if (json_get (json_at (notes, i), "event") && json_int (json_at (notes, i), "event") == event)
      return true;
  return false;
}

static void put_flow (const Json *d, const Json *f, const Json *thread, Json *to) {
  const Json *events = json_get (f, "execution");
  Json *locations = json_put_array (to, "locations");
  json_put_text (to, "id", json_text (thread, "name"));
  put_message (to, json_text (thread, "title"));
  for (u32 i = 0; i < json_size (events); i++) {
    const Json *e = json_at (events, i);
    if (strcmp (json_text (e, "thread"), json_text (thread, "name"))) continue;
    Json *step = json_add_object (locations);
    put_location (d, e, json_text (e, "text"), json_put_object (step, "location"));
    json_put_int (step, "executionOrder", i + 1);
    json_put_text (step, "importance", is_noted (f, i) ? "essential" : "important");
  }
}

static bool has_events (const Json *f, const Json *thread) {
  const Json *events = json_get (f, "execution");
  for (u32 i = 0; i < json_size (events); i++)
    if (!strcmp (json_text (json_at (events, i), "thread"), json_text (thread, "name")))
      return true;
  return false;
}

static void put_flows (const Json *d, const Json *f, Json *to) {
  const Json *threads = json_get (f, "threads");
  Json *list = json_array ();
  for (u32 i = 0; i < json_size (threads); i++)
    if (has_events (f, json_at (threads, i)))
      put_flow (d, f, json_at (threads, i), json_add_object (list));
  if (!list->items.size) {
    json_free (list);
    return;
  }
  Json *flow = json_add_object (json_put_array (to, "codeFlows"));
  put_message (flow, "the execution, thread by thread");
  json_put (flow, "threadFlows", list);
}

static void put_edge (Json *edges, const char *name, i64 from, i64 to) {
  char text[64];
  Json *edge = json_add_object (edges);
  snprintf (text, sizeof text, "%s-%lld-%lld", name, (long long)from, (long long)to);
  json_put_text (edge, "id", text);
  json_put_text (json_put_object (edge, "label"), "text", name);
  snprintf (text, sizeof text, "e%lld", (long long)from);
  json_put_text (edge, "sourceNodeId", text);
  snprintf (text, sizeof text, "e%lld", (long long)to);
  json_put_text (edge, "targetNodeId", text);
}

static void put_edges_of (const Json *events, u32 i, Json *edges) {
  const Json *e = json_at (events, i), *from = json_get (e, "from");
  if (from && from->kind == JSON_LITERAL) put_edge (edges, "rf", json_value (from), i);
  bool is_po_done = false;
  for (u32 k = 0; k < json_size (events); k++) {
    const Json *next = json_at (events, k);
    bool is_next = !strcmp (json_text (next, "thread"), json_text (e, "thread")) &&
                   json_int (next, "index") > json_int (e, "index");
    if (is_next && !is_po_done) put_edge (edges, "po", i, k);
    is_po_done |= is_next;
    if (json_int (e, "mo") && json_int (next, "mo") == json_int (e, "mo") + 1 &&
        !strcmp (json_text (next, "location"), json_text (e, "location")))
      put_edge (edges, "mo", i, k);
  }
}

static void put_graph (const Json *d, const Json *f, Json *to) {
  const Json *events = json_get (f, "execution");
  if (!json_size (events)) return;
  Json *graph = json_add_object (json_put_array (to, "graphs"));
  json_put_text (json_put_object (graph, "description"), "text",
                 "the execution: program order (po), reads-from (rf), modification order (mo)");
  Json *nodes = json_put_array (graph, "nodes"), *edges = json_put_array (graph, "edges");
  for (u32 i = 0; i < json_size (events); i++) {
    const Json *e = json_at (events, i);
    char id[16];
    Json *node = json_add_object (nodes);
    snprintf (id, sizeof id, "e%u", i);
    json_put_text (node, "id", id);
    json_put_text (json_put_object (node, "label"), "text", json_text (e, "label"));
    put_location (d, e, NULL, json_put_object (node, "location"));
    put_edges_of (events, i, edges);
  }
}

static void put_replacement (const Json *d, const Json *edit, Json *to) {
  const char *line = line_text (d, edit);
  Json *region = json_put_object (to, "deletedRegion");
  json_put_int (region, "startLine", json_int (edit, "line"));
  json_put_int (region, "startColumn", utf16_column (line, json_int (edit, "column")));
  json_put_int (region, "endColumn", utf16_column (line, json_int (edit, "end_column")));
  json_put_text (json_put_object (to, "insertedContent"), "text", json_text (edit, "text"));
}

/* Edits are sorted by file. */
static void put_fixes (const Json *d, const Json *f, Json *to) {
  const Json *edits = json_get (f, "edits");
  if (!json_size (edits)) return;
  Json *fix = json_add_object (json_put_array (to, "fixes")), *replacements = NULL;
  json_put_text (json_put_object (fix, "description"), "text", json_text (f, "help"));
  Json *changes = json_put_array (fix, "artifactChanges");
  const char *path = "";
  for (u32 i = 0; i < json_size (edits); i++) {
    const Json *edit = json_at (edits, i);
    if (strcmp (path, json_text (edit, "file"))) {
      path = json_text (edit, "file");
      Json *change = json_add_object (changes);
      put_artifact (change, path);
      replacements = json_put_array (change, "replacements");
    }
    put_replacement (d, edit, json_add_object (replacements));
  }
}

static void put_hash (const Str *text, Json *to) {
  char hash[24];
  snprintf (hash, sizeof hash, "%016llx",
            (unsigned long long)hash_bytes (text->text, text->length, 1));
  json_put_text (json_put_object (to, "partialFingerprints"), "porfFinding/v1", hash);
}

/* The same when lines move, so that a violation is recognised in the next run. */
static void put_fingerprint (const Json *d, const Json *f, Json *to) {
  Str text = {0};
  const char *line = line_text (d, f);
  while (*line == ' ') line++;
  str_printf (&text, "%s|%s|%s|%s", json_text (f, "kind"),
              source_short_path (json_text (f, "file")), json_text (f, "function"), line);
  put_hash (&text, to);
  str_free (&text);
}

static void put_properties (const Json *d, Json *to) {
  Json *properties = json_put_object (to, "properties");
  json_put_text (properties, "program", json_text (d, "file"));
  json_put_text (properties, "model", json_text (d, "model"));
}

static u32 rule_of (const char *kind) {
  u32 i = 0;
  while (strcmp (finding_kind_name ((FindingKind)i), kind)) i++;
  return i;
}

static void put_result (const Json *d, const Json *f, Json *to) {
  Str text = {0};
  json_put_text (to, "ruleId", json_text (f, "kind"));
  json_put_int (to, "ruleIndex", rule_of (json_text (f, "kind")));
  json_put_text (to, "level", "error");
  str_printf (&text, "%s under %s.", json_text (f, "message"), json_text (d, "model"));
  if (json_get (f, "why")) str_printf (&text, "\nWhy: %s.", json_text (f, "why"));
  if (json_get (f, "help")) str_printf (&text, "\nHelp: %s.", json_text (f, "help"));
  put_message (to, text.text);
  put_location (d, f, NULL, json_add_object (json_put_array (to, "locations")));
  put_related (d, f, to);
  put_flows (d, f, to);
  put_graph (d, f, to);
  put_fixes (d, f, to);
  put_fingerprint (d, f, to);
  put_properties (d, to);
  str_free (&text);
}

/* After the kinds of findings. */
#define RULE_EXPECTED "expected"

static void put_unexpected (const Json *d, Json *results) {
  Str text = {0}, key = {0}, place = {0};
  if (!report_say_mismatch (d, &text)) return;
  Json *to = json_add_object (results), *at = json_object ();
  json_put_text (to, "ruleId", RULE_EXPECTED);
  json_put_int (to, "ruleIndex", FINDING_COUNT);
  json_put_text (to, "level", "error");
  put_message (to, text.text);
  str_add_n (&place, json_text (d, "file"), strcspn (json_text (d, "file"), "+"));
  while (place.length && place.text[place.length - 1] == ' ') place.text[--place.length] = 0;
  json_put_text (at, "file", place.text);
  json_put_int (at, "line", 1);
  put_location (d, at, NULL, json_add_object (json_put_array (to, "locations")));
  str_printf (&key, "expected|%s|%s", json_text (d, "file"), text.text);
  put_hash (&key, to);
  put_properties (d, to);
  json_free (at);
  str_free (&text);
  str_free (&key);
  str_free (&place);
}

/* ---- the run */

static void put_rule (Json *rules, const char *id, const char *meaning, const char *help) {
  Json *rule = json_add_object (rules);
  json_put_text (rule, "id", id);
  json_put_text (json_put_object (rule, "shortDescription"), "text", meaning);
  json_put_text (json_put_object (rule, "help"), "text", help);
  json_put_text (json_put_object (rule, "defaultConfiguration"), "level", "error");
  Json *properties = json_put_object (rule, "properties"),
       *tags = json_put_array (properties, "tags");
  json_add_text (tags, "correctness");
  json_add_text (tags, "concurrency");
  json_put_text (properties, "precision", "very-high");
  json_put_text (properties, "problem.severity", "error");
}

static void put_rules (Json *driver) {
  Json *rules = json_put_array (driver, "rules");
  for (u32 kind = 0; kind < FINDING_COUNT; kind++) {
    const char *name = finding_kind_name ((FindingKind)kind);
    Str help = {0};
    str_printf (&help, "`porf explain %s` says what it means and shows an example.", name);
    put_rule (rules, name, finding_kind_meaning ((FindingKind)kind), help.text);
    str_free (&help);
  }
  put_rule (rules, RULE_EXPECTED, "the result of a test is not what its header expects",
            "`porf test` compares the result with what the header of the test expects.");
}

static void put_notifications (const Json *d, const char *list, const char *key, const char *level,
                               Json *to) {
  const Json *remarks = json_get (d, list);
  for (u32 i = 0; i < json_size (remarks); i++) {
    const Json *remark = json_at (remarks, i);
    Json *note = json_add_object (to);
    put_message (note, json_text (remark, key));
    json_put_text (note, "level", level);
    if (*json_text (remark, "file"))
      put_location (d, remark, NULL, json_add_object (json_put_array (note, "locations")));
  }
}

static void put_assumption_note (const Json *d, Json *notes) {
  Str text = {0};
  report_say_assumed (d, &text);
  if (text.length) {
    Json *note = json_add_object (notes);
    put_message (note, text.text);
    json_put_text (note, "level", "note");
  }
  str_free (&text);
}

void report_write_sarif (const Json *documents, Str *out) {
  Json *log = json_object ();
  json_put_text (log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json_put_text (log, "version", "2.1.0");
  Json *run = json_add_object (json_put_array (log, "runs"));
  Json *driver = json_put_object (json_put_object (run, "tool"), "driver");
  json_put_text (driver, "name", "porf");
  json_put_text (driver, "semanticVersion", PORF_VERSION);
  put_rules (driver);
  Json *invocation = json_add_object (json_put_array (run, "invocations"));
  bool is_whole = true;
  for (u32 i = 0; i < json_size (documents); i++)
    is_whole &= !report_is_incomplete (json_at (documents, i));
  json_put_bool (invocation, "executionSuccessful", is_whole);
  Json *notes = json_put_array (invocation, "toolExecutionNotifications");
  json_put_text (run, "columnKind", "utf16CodeUnits");
  Json *results = json_put_array (run, "results");
  for (u32 i = 0; i < json_size (documents); i++) {
    const Json *d = json_at (documents, i), *findings = json_get (d, "findings");
    put_notifications (d, "not_covered", "what", report_is_incomplete (d) ? "error" : "warning",
                       notes);
    put_notifications (d, "warnings", "message", "warning", notes);
    put_assumption_note (d, notes);
    for (u32 k = 0; k < json_size (findings); k++)
      put_result (d, json_at (findings, k), json_add_object (results));
    put_unexpected (d, results);
  }
  json_write (log, out);
  json_free (log);
}
