/* github.c - annotations in the log of a GitHub workflow: one line each, shown beside the source.
 */
#include "report/report_int.h"

/* Properties end at commas and colons, messages at line ends. */
static void escape (Str *out, const char *text, const char *special) {
  for (; *text; text++)
    if (strchr (special, *text))
      str_printf (out, "%%%02X", (u8)*text);
    else
      str_add_n (out, text, 1);
}

static void annotate (Str *out, const char *level, const Json *place, const char *title,
                      const char *text) {
  const char *path = json_text (place, "file");
  str_printf (out, "::%s ", level);
  if (*path) {
    str_add (out, "file=");
    escape (out, source_short_path (path), "%\r\n:,");
    str_printf (out, ",line=%lld", (long long)json_int (place, "line"));
    if (json_int (place, "column"))
      str_printf (out, ",col=%lld", (long long)json_int (place, "column"));
    str_add (out, ",");
  }
  str_add (out, "title=");
  escape (out, title, "%\r\n:,");
  str_add (out, "::");
  escape (out, text, "%\r\n");
  str_add (out, "\n");
}

static void annotate_finding (const Json *document, const Json *f, Str *out) {
  Str text = {0}, title = {0};
  str_printf (&title, "%s under %s", json_text (f, "kind"), json_text (document, "model"));
  str_add (&text, json_text (f, "message"));
  if (json_get (f, "why")) str_printf (&text, "\nwhy: %s", json_text (f, "why"));
  if (json_get (f, "help")) str_printf (&text, "\nhelp: %s", json_text (f, "help"));
  annotate (out, "error", f, title.text, text.text);
  const Json *other = json_get (f, "other");
  if (other) annotate (out, "notice", other, title.text, "the other side of the violation");
  str_free (&text);
  str_free (&title);
}

static void annotate_all (const Json *list, const char *level, const char *title, const char *key,
                          Str *out) {
  for (u32 i = 0; i < json_size (list); i++)
    annotate (out, level, json_at (list, i), title, json_text (json_at (list, i), key));
}

/* The last line about a program: an error if it is what makes porf fail. */
static void annotate_verdict (const Json *d, Str *out) {
  Str text = {0}, assumed = {0};
  report_say_assumed (d, &assumed);
  str_printf (&text, "%s: ", json_text (d, "file"));
  bool is_wrong = report_say_mismatch (d, &text);
  str_printf (&text, "%s%s under %s, %lld executions%s%s", is_wrong ? ": " : "",
              json_text (d, "verdict"), json_text (d, "model"),
              (long long)json_int (d, "executions"), assumed.length ? "; " : "",
              assumed.length ? assumed.text : "");
  annotate (out, is_wrong || report_is_incomplete (d) ? "error" : "notice", NULL, "porf",
            text.text);
  str_free (&text);
  str_free (&assumed);
}

void report_write_github (const Json *documents, Str *out) {
  for (u32 i = 0; i < json_size (documents); i++) {
    const Json *d = json_at (documents, i), *findings = json_get (d, "findings");
    for (u32 k = 0; k < json_size (findings); k++) annotate_finding (d, json_at (findings, k), out);
    annotate_all (json_get (d, "not_covered"), report_is_incomplete (d) ? "error" : "warning",
                  "not covered", "what", out);
    annotate_all (json_get (d, "warnings"), "warning", "porf", "message", out);
    annotate_verdict (d, out);
  }
}
