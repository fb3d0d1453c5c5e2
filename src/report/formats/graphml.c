/* graphml.c - witness for SV-COMP in format 1.0: an automaton that is one path, a state between any
 * two events. */
#include "report/formats/svcomp.h"

static const struct Key {
  const char *id, *type, *of;
} keys[] = {{"witness-type", "string", "graph"}, {"sourcecodelang", "string", "graph"},
            {"producer", "string", "graph"},     {"specification", "string", "graph"},
            {"programfile", "string", "graph"},  {"programhash", "string", "graph"},
            {"architecture", "string", "graph"}, {"creationtime", "string", "graph"},
            {"entry", "boolean", "node"},        {"violation", "boolean", "node"},
            {"startline", "int", "edge"},        {"threadId", "string", "edge"},
            {"createThread", "string", "edge"},  {"enterFunction", "string", "edge"},
            {"assumption", "string", "edge"},    {"assumption.resultfunction", "string", "edge"}};

static void data (Str *out, const char *key, const char *text) {
  str_printf (out, "      <data key=\"%s\">", key);
  xml_text (out, text);
  str_add (out, "</data>\n");
}

static void data_int (Str *out, const char *key, i64 value) {
  str_printf (out, "      <data key=\"%s\">%lld</data>\n", key, (long long)value);
}

static void head (const Svcomp *s, Str *out) {
  str_add (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
                "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
  for (u32 i = 0; i < ARRAY_SIZE (keys); i++) {
    str_printf (out, "  <key id=\"%s\" attr.name=\"%s\" attr.type=\"%s\" for=\"%s\"", keys[i].id,
                keys[i].id, keys[i].type, keys[i].of);
    str_add (out, strcmp (keys[i].type, "boolean") ? "/>\n" : "><default>false</default></key>\n");
  }
  str_add (out, "  <graph edgedefault=\"directed\">\n");
  data (out, "witness-type", s->finding ? "violation_witness" : "correctness_witness");
  data (out, "sourcecodelang", "C");
  data (out, "producer", json_text (s->document, "tool"));
  data (out, "specification", s->specification);
  data (out, "programfile", s->files.data[0]);
  data (out, "programhash", s->hashes.data[0]);
  data (out, "architecture", "64bit");
  data (out, "creationtime", s->time.text);
}

static void node (Str *out, u32 n, const char *mark) {
  str_printf (out, "    <node id=\"N%u\"%s>", n, mark ? "" : "/");
  if (mark) str_printf (out, "<data key=\"%s\">true</data></node>", mark);
  str_add (out, "\n");
}

static void open_edge (Str *out, u32 from) {
  str_printf (out, "    <edge source=\"N%u\" target=\"N%u\">\n", from, from + 1);
}

static void edge (const Svcomp *s, u32 from, const Json *e, Str *out) {
  const char *kind = json_text (e, "kind");
  open_edge (out, from);
  data_int (out, "startline", json_int (e, "line"));
  data_int (out, "threadId", svcomp_thread (s, json_text (e, "thread")));
  if (!strcmp (kind, "create"))
    data_int (out, "createThread", svcomp_thread (s, json_text (e, "other")));
  if (!strcmp (kind, "choice")) {
    Str value = {0};
    str_printf (&value, "\\result == %lld", (long long)json_int (e, "read"));
    data (out, "assumption", value.text);
    data (out, "assumption.resultfunction", "__VERIFIER_nondet_int");
    str_free (&value);
  }
  str_add (out, "    </edge>\n");
}

/* A thread begins with the function it was created with. */
static const char *first_function (const Svcomp *s, const Json *create) {
  u32 t = svcomp_thread (s, json_text (create, "other"));
  return json_text (json_at (json_get (s->finding, "threads"), t), "function");
}

static void path (const Svcomp *s, Str *out) {
  u32 n = 0;
  node (out, 0, "entry");
  for (u32 i = 0; i < s->steps.size; i++) {
    const Json *e = s->steps.data[i];
    node (out, n + 1, NULL);
    edge (s, n++, e, out);
    if (strcmp (json_text (e, "kind"), "create") != 0) continue;
    node (out, n + 1, NULL);
    open_edge (out, n++);
    data_int (out, "threadId", svcomp_thread (s, json_text (e, "other")));
    data (out, "enterFunction", first_function (s, e));
    str_add (out, "    </edge>\n");
  }
  node (out, n + 1, "violation");
  open_edge (out, n);
  data_int (out, "startline", json_int (s->finding, "line"));
  data_int (out, "threadId", svcomp_thread (s, json_text (s->finding, "thread")));
  str_add (out, "    </edge>\n");
}

void report_write_graphml (const Json *documents, Str *out) {
  Svcomp s;
  if (!svcomp_open (documents, &s)) return;
  head (&s, out);
  if (s.finding)
    path (&s, out);
  else
    node (out, 0, "entry");
  str_add (out, "  </graph>\n</graphml>\n");
  svcomp_close (&s);
}
