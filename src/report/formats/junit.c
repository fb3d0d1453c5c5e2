/* junit.c - JUnit XML: a program is a suite, the search in it a test; every violation is a failed
 * test, and a search that was cut off is an error. A test that does not come out as it should is a
 * failed test, too. */
#include "base/plain.h"
#include "report/report_int.h"

/* Whether GitHub would take what follows for a command. */
static bool is_command (const Str *out, const char *text, size_t i) {
  return (text[i] == '[' && plain_opens_command (out)) || (text[i] == ':' && !i);
}

/* XML has no way to write most control characters. */
void xml_text (Str *out, const char *text) {
  static const char *const entities[128] = {
      ['&'] = "&amp;",  ['<'] = "&lt;",   ['>'] = "&gt;", ['"'] = "&quot;",
      ['\''] = "&#39;", ['\n'] = "&#10;", ['\t'] = "&#9;"};
  size_t size = strlen (text);
  for (size_t i = 0; i < size;) {
    u32 n = utf8_length (text + i, size - i);
    u8 c = (u8)text[i];
    if (n == 1 && entities[c])
      str_add (out, entities[c]);
    else if (!n || c < 0x20)
      str_add (out, "?");
    else if (is_command (out, text, i))
      str_printf (out, "&#%d;", c);
    else
      str_add_n (out, text + i, n);
    i += n ? n : 1;
  }
}

static void attribute (Str *out, const char *name, const char *text) {
  str_printf (out, " %s=\"", name);
  xml_text (out, text);
  str_add (out, "\"");
}

static void add_line (Str *out, const char *label, const char *text) {
  if (!*text) return;
  xml_text (out, label);
  xml_text (out, text);
  str_add (out, "\n");
}

static void say_at (Str *out, const Json *place) {
  str_printf (out, "%s:%lld", source_short_path (json_text (place, "file")),
              (long long)json_int (place, "line"));
}

static void add_details (const Json *f, Str *out) {
  const Json *notes = json_get (f, "notes"), *steps = json_get (f, "steps");
  for (u32 i = 0; i < json_size (notes) + json_size (steps); i++) {
    const Json *at =
        i < json_size (notes) ? json_at (notes, i) : json_at (steps, i - json_size (notes));
    Str line = {0};
    say_at (&line, at);
    str_printf (&line, ": %s: %s", json_text (at, "thread"), json_text (at, "text"));
    add_line (out, "", line.text);
    str_free (&line);
  }
  add_line (out, "why: ", json_text (f, "why"));
  add_line (out, "help: ", json_text (f, "help"));
  add_line (out, "or: ", json_text (f, "or"));
}

static void open_case (const Json *d, const char *name, double seconds, Str *out) {
  str_add (out, "    <testcase");
  attribute (out, "name", name);
  attribute (out, "classname", json_text (d, "file"));
  attribute (out, "file", json_text (d, "file"));
  str_printf (out, " time=\"%.6f\"", seconds);
}

static void write_finding (const Json *d, const Json *f, Str *out) {
  Str name = {0};
  str_printf (&name, "%s under %s at ", json_text (f, "kind"), json_text (d, "model"));
  say_at (&name, f);
  open_case (d, name.text, 0, out);
  str_add (out, ">\n      <failure");
  attribute (out, "message", json_text (f, "message"));
  attribute (out, "type", json_text (f, "kind"));
  str_add (out, ">");
  add_details (f, out);
  str_add (out, "</failure>\n    </testcase>\n");
  str_free (&name);
}

/* The search as a test: it passes if everything was covered. */
static void write_search (const Json *d, double seconds, Str *out) {
  const Json *missing = json_get (d, "not_covered");
  Str name = {0};
  str_printf (&name, "every execution under %s", json_text (d, "model"));
  open_case (d, name.text, seconds, out);
  Str assumed = {0};
  report_say_assumed (d, &assumed);
  if (assumed.length) {
    str_add (out, ">\n      <system-out>");
    xml_text (out, assumed.text);
    str_add (out, "</system-out>\n    </testcase>\n");
  } else if (!json_size (missing)) {
    str_add (out, "/>\n");
  } else {
    str_add (out, ">\n      <error");
    attribute (out, "message", json_text (json_at (missing, 0), "what"));
    attribute (out, "type", "incomplete");
    str_add (out, ">");
    for (u32 i = 0; i < json_size (missing); i++)
      add_line (out, "not covered: ", json_text (json_at (missing, i), "what"));
    str_add (out, "</error>\n    </testcase>\n");
  }
  str_free (&assumed);
  str_free (&name);
}

static void write_expectation (const Json *d, Str *out) {
  Str text = {0};
  if (!report_say_mismatch (d, &text)) return;
  open_case (d, "what its header expects", 0, out);
  str_add (out, ">\n      <failure");
  attribute (out, "message", text.text);
  attribute (out, "type", "expected");
  str_add (out, "/>\n    </testcase>\n");
  str_free (&text);
}

void report_write_junit (const Json *documents, Str *out) {
  str_add (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  for (u32 i = 0; i < json_size (documents); i++) {
    const Json *d = json_at (documents, i), *findings = json_get (d, "findings");
    double seconds = json_real (d, "seconds");
    u32 failed = json_size (findings) + (json_get (d, "expected") != NULL);
    str_add (out, "  <testsuite");
    attribute (out, "name", json_text (d, "file"));
    str_printf (out, " tests=\"%u\" failures=\"%u\" errors=\"%d\" skipped=\"0\" time=\"%.6f\">\n",
                failed + 1, failed, json_size (json_get (d, "not_covered")) != 0, seconds);
    write_search (d, seconds, out);
    for (u32 k = 0; k < json_size (findings); k++) write_finding (d, json_at (findings, k), out);
    write_expectation (d, out);
    str_add (out, "  </testsuite>\n");
  }
  str_add (out, "</testsuites>\n");
}
