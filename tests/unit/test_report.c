/* test_report.c - reports of hand-made results: what people and scripts are told. */
#include "unit/test.h"

#include <stdlib.h>
#include <unistd.h>

#include "report/report_int.h"

static const char source[] = "#include <stdatomic.h>\n"        /* 1 */
                             "int data;\n"                     /* 2 */
                             "atomic_int ready;\n"             /* 3 */
                             "void *writer (void *_) {\n"      /* 4 */
                             "  data = 42;\n"                  /* 5 */
                             "  atomic_store (&ready, 1);\n"   /* 6 */
                             "}\n"                             /* 7 */
                             "void *reader (void *_) {\n"      /* 8 */
                             "\tif (atomic_load (&ready)) {\n" /* 9 */
                             "    int d = data;\n"             /* 10 */
                             "    assert (d == 42);\n"         /* 11 */
                             "  }\n"                           /* 12 */
                             "}\n";                            /* 13 */

static char path[] = "/tmp/porf_report_XXXXXX";

static void add_function (Program *p, const char *name) {
  Function f = {.name = mem_strdup (name)};
  vec_push (&p->functions, f);
}

static Program *make_program (void) {
  Program *p = program_new ();
  add_function (p, "main");
  add_function (p, "writer");
  add_function (p, "reader");
  vec_push (&p->files, mem_strdup (path));
  return p;
}

static u32 at (Program *p, u32 line, u32 column) {
  return program_position (p, (Position){.file = 1, .line = line, .column = column});
}

static i32 add_event (Witness *w, WitnessEvent e) {
  WitnessThread *t = &w->threads.data[e.tid];
  e.index = t->nevents++;
  if (!e.size) e.size = 4;
  vec_push (&w->events, e);
  return (i32)w->events.size - 1;
}

static void add_location (Witness *w, const char *name) {
  WitnessLocation l = {
      .name = mem_strdup (name), .addr = 0x100000 + 16 * w->locations.size, .size = 4};
  l.is_variable = !strchr (name, '(');
  vec_push (&w->locations, l);
}

/* Message passing: t2 sees the flag, but not the data. */
static Witness make_witness (Program *p, Order store, Order load) {
  Witness w = {.has_mo = true};
  for (u32 t = 0; t < 3; t++)
    vec_push (&w.threads, ((WitnessThread){.function = t, .exists = true}));
  add_location (&w, "data");
  add_location (&w, "ready");
  i32 none = WITNESS_NONE;
  add_event (&w, (WitnessEvent){.kind = WITNESS_CREATE, .other = 1, .location = none, .rf = none});
  add_event (&w, (WitnessEvent){.kind = WITNESS_CREATE, .other = 2, .location = none, .rf = none});
  add_event (&w, (WitnessEvent){.kind = WITNESS_WRITE,
                                .tid = 1,
                                .order = ORD_RLX,
                                .location = 0,
                                .rf = none,
                                .mo = 1,
                                .written = 42,
                                .pos = at (p, 5, 8)});
  i32 flag = add_event (&w, (WitnessEvent){.kind = WITNESS_WRITE,
                                           .tid = 1,
                                           .order = (u8)store,
                                           .location = 1,
                                           .rf = none,
                                           .mo = 1,
                                           .written = 1,
                                           .pos = at (p, 6, 3)});
  add_event (&w, (WitnessEvent){.kind = WITNESS_READ,
                                .tid = 2,
                                .order = (u8)load,
                                .location = 1,
                                .rf = flag,
                                .read = 1,
                                .pos = at (p, 9, 6)});
  add_event (&w, (WitnessEvent){.kind = WITNESS_READ,
                                .tid = 2,
                                .order = ORD_RLX,
                                .location = 0,
                                .rf = WITNESS_INIT,
                                .read = 0,
                                .pos = at (p, 10, 13)});
  return w;
}

static Finding make_finding (FindingKind kind, const char *message) {
  return (Finding){.kind = kind,
                   .message = message ? mem_strdup (message) : NULL,
                   .tid = 2,
                   .event = WITNESS_NONE,
                   .other_event = WITNESS_NONE,
                   .execution = 2};
}

typedef struct Scene {
  Program *program;
  Result result;
  Report report;
  Str out;
} Scene;

static Scene open_scene (void) {
  Scene c = {.program = make_program ()};
  c.result = (Result){.verdict = VERDICT_VIOLATION, .model = "rc11", .seconds = 0.5};
  c.result.stats.executions = c.result.stats.explored = 3;
  c.report = (Report){.file = "mp.c",
                      .program = c.program,
                      .sources = sources_new (),
                      .races = true,
                      .weak_orders = true};
  return c;
}

/* JSON on one line, wherever it was broken. */
static void unbreak (Str *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->length; i++) {
    if (s->text[i] != '\n') {
      s->text[n++] = s->text[i];
      continue;
    }
    while (s->text[i + 1] == ' ') i++;
    if (n && s->text[n - 1] == ',') s->text[n++] = ' ';
  }
  s->text[s->length = n] = 0;
}

static const char *render (Scene *c, const char *format) {
  c->report.result = &c->result;
  str_clear (&c->out);
  if (!report_find (format)->write) {
    report_text (&c->report, &c->out);
    return c->out.text;
  }
  Json *documents = json_array ();
  json_add (documents, report_document (&c->report));
  report_find (format)->write (documents, &c->out);
  json_free (documents);
  if (!strcmp (format, "json")) unbreak (&c->out);
  return c->out.text;
}

static void close_scene (Scene *c) {
  result_free (&c->result);
  sources_free (c->report.sources);
  program_free (c->program);
  str_free (&c->out);
}

static bool has (const char *text, const char *part) {
  if (strstr (text, part)) return true;
  fprintf (stderr, "--- not found: %s\n--- in:\n%s\n", part, text);
  return false;
}

static Scene assert_scene (Order store, Order load) {
  Scene c = open_scene ();
  Finding f = make_finding (FINDING_ASSERT, "assertion `d == 42` can fail");
  f.pos = at (c.program, 11, 5);
  f.witness = make_witness (c.program, store, load);
  vec_push (&c.result.findings, f);
  return c;
}

static void test_assert (void) {
  Scene c = assert_scene (ORD_RLX, ORD_ACQ);
  const char *t = render (&c, "text");
  CHECK (has (t, "error[assert]: assertion `d == 42` can fail under rc11"));
  CHECK (has (t, ":11:5\n"));
  CHECK (has (t, "  in t2 (reader):\n"));
  CHECK (has (t, "     9 |         if (atomic_load (&ready)) {\n"));
  CHECK (has (
      t,
      "       |             -------------------- reads 1 (acquire), written by t1 (writer) at "));
  CHECK (has (t, "    10 |     int d = data;\n"));
  CHECK (has (
      t,
      "       |             ---- reads 0 (relaxed), the initial value, although t1 wrote 42 at "));
  CHECK (has (t, "       |     ^^^^^^^^^^^^^^^^ fails here\n"));
  CHECK (has (t, ":6 is relaxed, so it does not synchronise with the acquire load at "));
  CHECK (!strstr (t, "help:")); /* nothing was verified */
  CHECK (has (t, "seen: execution 2"));
  CHECK (has (t, "violation: mp.c: 1 error under rc11"));
  CHECK (has (t, "3 complete executions, 0.50 s"));
  CHECK (!strstr (t, "\033"));
  for (const char *s = t; *s; s++) CHECK ((unsigned char)*s < 0x80);
  c.report.full = true;
  CHECK (has (render (&c, "text"), "data: 0, 42 (#3)"));
  close_scene (&c);
}

static void test_why_names_what_is_relaxed (void) {
  Scene both = assert_scene (ORD_RLX, ORD_RLX), load = assert_scene (ORD_REL, ORD_RLX);
  CHECK (has (render (&both, "text"),
              " are relaxed, so they do not synchronise: a thread that reads"));
  CHECK (has (render (&load, "text"), "does not synchronise with the release store at "));
  close_scene (&both);
  close_scene (&load);
}

static void test_interleaving (void) {
  Scene c = assert_scene (ORD_RLX, ORD_ACQ);
  Witness *w = &c.result.findings.data[0].witness;
  w->events.data[4].rf = WITNESS_INIT; /* the flag is not seen: nothing weak about it */
  w->events.data[4].read = 0;
  const char *t = render (&c, "text");
  CHECK (has (t, "an ordinary interleaving of the threads leads here"));
  CHECK (has (t, "reads 0 (relaxed), the initial value, before t1 writes 42 at "));
  close_scene (&c);
}

static void test_race (void) {
  Scene c = open_scene ();
  Finding f = make_finding (FINDING_RACE, "data race on `data`");
  f.witness = make_witness (c.program, ORD_RLX, ORD_RLX);
  f.event = 5;
  f.pos = at (c.program, 10, 13);
  f.other_event = 2;
  f.other_tid = 1;
  f.other_pos = at (c.program, 5, 8);
  f.witness.events.data[2].order = f.witness.events.data[5].order = ORD_NA;
  vec_push (&c.result.findings, f);
  const char *t = render (&c, "text");
  CHECK (has (t, "^^^^ reads `data`, non-atomic"));
  CHECK (has (t, "  in t1 (writer):\n     5 |   data = 42;\n"));
  CHECK (has (t, "       |   --------- writes `data`, non-atomic"));
  CHECK (has (render (&c, "json"), "\"other\": {\"file\": \"/tmp/porf_report_"));
  close_scene (&c);
}

static void test_deadlock (void) {
  Scene c = open_scene ();
  Finding f = make_finding (FINDING_DEADLOCK, "threads wait for each other");
  Witness w = {.has_mo = true};
  for (u32 t = 0; t < 3; t++)
    vec_push (&w.threads, ((WitnessThread){.function = t,
                                           .exists = true,
                                           .other = 1,
                                           .status = t ? THREAD_WAITS_LOCK : THREAD_WAITS_JOIN}));
  w.threads.data[0].pos = at (c.program, 12, 3);
  add_location (&w, "a");
  add_location (&w, "b");
  for (u32 t = 1; t <= 2; t++)
    add_event (&w, (WitnessEvent){.kind = WITNESS_RMW,
                                  .is_lock = true,
                                  .tid = t,
                                  .location = (i32)t - 1,
                                  .rf = WITNESS_INIT,
                                  .mo = 1,
                                  .written = t + 1,
                                  .pos = at (c.program, 4 + t, 3)});
  for (u32 t = 1; t <= 2; t++)
    add_event (&w, (WitnessEvent){.kind = WITNESS_READ,
                                  .is_lock = true,
                                  .waits = true,
                                  .tid = t,
                                  .location = 2 - (i32)t,
                                  .rf = 2 - (i32)t,
                                  .pos = at (c.program, 8 + t, 3)});
  f.witness = w;
  f.pos = at (c.program, 10, 3);
  vec_push (&c.result.findings, f);
  const char *t = render (&c, "text");
  CHECK (has (t, "waits for `a`, held by t1 (writer) since "));
  CHECK (has (t, "waits for `b`, held by t2 since "));
  CHECK (has (t, "waits for t1 to end"));
  CHECK (has (t, "error[deadlock]: t2 and t1 can wait for each other forever under rc11"));
  Witness *now = &c.result.findings.data[0].witness;
  now->threads.data[1].status = THREAD_ENDED;
  CHECK (has (render (&c, "text"), ": t2 can wait forever for `a`, which t1 never unlocks under"));
  now->events.data[3].rf = 1;
  now->events.data[3].location = 1;
  CHECK (
      has (render (&c, "text"), ": t2 can wait forever for `b`, which it has locked itself under"));
  CHECK (has (c.out.text, "waits for `b`, held by itself since "));
  now->threads.data[2].status = THREAD_WAITS_JOIN;
  CHECK (has (render (&c, "text"), ": t2 can wait forever for t1 to end under"));
  close_scene (&c);
}

static void test_liveness (void) {
  Scene c = open_scene ();
  Finding f = make_finding (FINDING_LIVENESS, NULL);
  f.witness = make_witness (c.program, ORD_REL, ORD_ACQ);
  f.pos = f.witness.threads.data[2].pos = at (c.program, 9, 6);
  f.witness.threads.data[2].status = THREAD_SPINS;
  f.witness.threads.data[2].awaited[0].location = 1;
  f.witness.threads.data[2].awaited[0].value = 1;
  f.witness.threads.data[2].nawaited = 1;
  vec_push (&c.result.findings, f);
  const char *t = render (&c, "text");
  CHECK (has (t, "error[liveness]: t2 can wait forever for `ready` to change under rc11"));
  CHECK (has (t, "^^^^^^^^^^^^^^^^^^^^ waits here forever: `ready` stays 1, last written by t1 "));
  close_scene (&c);
}

/* Memory without a name is called what the source calls it; the allocation is shown. */
static void test_nameless (void) {
  Scene c = open_scene ();
  Finding f =
      make_finding (FINDING_USE_AFTER_FREE, "`malloc(4)#1 of main` can be used after it was freed");
  f.witness = make_witness (c.program, ORD_REL, ORD_ACQ);
  mem_free (f.witness.locations.data[0].name);
  f.witness.locations.data[0].name = mem_strdup ("malloc(4)#1 of main");
  f.witness.locations.data[0].is_variable = false;
  f.pos = at (c.program, 10, 13);
  f.origin = at (c.program, 4, 7);
  vec_push (&c.result.findings, f);
  const char *t = render (&c, "text");
  CHECK (has (t, "error[use-after-free]: `data` can be used after it was freed under rc11"));
  CHECK (has (t, "  in main:\n     4 | void *writer (void *_) {\n"));
  CHECK (has (t, "is allocated here\n"));
  CHECK (has (render (&c, "json"), "\"message\": \"`data` can be used after it was freed\""));
  close_scene (&c);
}

/* What an expression accesses: "" if that is not evident. */
static void test_operands (void) {
  static const struct {
    const char *line, *operand;
    u32 column;
  } rows[] = {
      {"  atomic_load_explicit (&n->next, o);", "n->next", 3},
      {"  atomic_store ((atomic_int *)arg, 1);", "*arg", 3},
      {"  free (q->head);", "q->head", 3},
      {"  free (p + 4);", "p + 4", 3},
      {"  int counter = 0;", "counter", 7},
      {"  *p += 1;", "*p", 6},
      {"  ++*p;", "*p", 3},
      {"  for (int i = 0; i < 3; i++) f (i);", "i", 27},
      {"  sum += n->value;", "n->value", 13},
      {"  table[i].x = i;", "table[i].x", 14},
      {"  WITH_LOCK (&l, n++);", "", 3},
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    Str s = {0};
    bool found = source_operand (rows[i].line, (u32)strlen (rows[i].line), rows[i].column, &s);
    bool same = *rows[i].operand ? found && !strcmp (s.text, rows[i].operand) : !found;
    if (!same) fprintf (stderr, "%s: %s\n", rows[i].line, found ? s.text : "-");
    CHECK (same);
    str_free (&s);
  }
}

static void test_json (void) {
  Scene c = assert_scene (ORD_RLX, ORD_ACQ);
  mem_free (c.result.findings.data[0].message);
  c.result.findings.data[0].message = mem_strdup ("a \"quote\" \\ \n \x01 \xff \xc3\xa9");
  vec_push (&c.result.not_covered,
            ((NotCovered){mem_strdup ("loop bound 3 reached"), at (c.program, 9, 6)}));
  const char *t = render (&c, "json");
  CHECK (has (t, "\"message\": \"a \\\"quote\\\" \\\\ \\n \\u0001 \\ufffd \xc3\xa9\""));
  CHECK (has (t, "\"verdict\": \"violation\""));
  CHECK (has (t, "\"model\": \"rc11\""));
  CHECK (has (t, "\"kind\": \"assert\""));
  CHECK (has (t, "\"thread\": \"t2\""));
  CHECK (has (t, "\"executions\": 3,"));
  CHECK (has (t, "\"revisits\": 0,"));
  CHECK (has (t, "\"from\": 3,"));
  CHECK (has (t, "\"from\": \"init\""));
  CHECK (has (t, "{\"what\": \"loop bound 3 reached\", \"file\": \"/tmp/porf_report_"));
  int depth = 0;
  for (const char *s = t; *s; s++) depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
  CHECK (depth == 0);
  close_scene (&c);
}

static void test_dot (void) {
  Scene c = assert_scene (ORD_RLX, ORD_ACQ);
  const char *t = render (&c, "dot");
  CHECK (has (t, "subgraph cluster_2"));
  CHECK (has (t, "e3 -> e4 [label=\"rf\""));
  CHECK (has (t, "e5 -> e2 [label=\"fr\""));
  CHECK (has (t, "i0 -> e2 [label=\"mo\""));
  close_scene (&c);
}

/* Names and messages with everything that some format has a meaning for. */
static void test_escapes (void) {
  Scene c = assert_scene (ORD_RLX, ORD_ACQ);
  const char *bad = "a<b>&\"'%,:\n\x01\xff";
  mem_free (c.result.findings.data[0].message);
  c.result.findings.data[0].message = mem_strdup (bad);
  CHECK (has (render (&c, "junit"), "message=\"a&lt;b&gt;&amp;&quot;&#39;%,:&#10;??\""));
  CHECK (has (render (&c, "html"), "a&lt;b&gt;&amp;&quot;&#39;%,:&#10;??"));
  CHECK (has (c.out.text, "\"a\\u003cb>&\\\"'%,:\\n\\u0001\\ufffd\""));
  CHECK (has (render (&c, "github"), "::a<b>&\"'%25,:%0A\x01\xff%0Awhy: "));
  CHECK (has (render (&c, "sarif"), "a<b>&\\\"'%,:\\n\\u0001\\ufffd under rc11."));
  close_scene (&c);
}

static void test_verdicts (void) {
  Scene c = open_scene ();
  c.result.verdict = VERDICT_PASS;
  c.result.stats.blocked = 2;
  c.result.stats.explored += 2;
  CHECK (
      has (render (&c, "text"), "ok: mp.c: no violation under rc11; every execution was explored"));
  CHECK (has (c.out.text, "  checked: assertions, data races, invalid memory accesses,"));
  CHECK (has (c.out.text, "2 blocked (cut short at a spin loop or a failed assumption)"));
  c.report.races = false;
  CHECK (has (render (&c, "text"), "  checked: assertions, invalid memory accesses,"));
  c.result.verdict = VERDICT_INCOMPLETE;
  vec_push (&c.result.not_covered, ((NotCovered){mem_strdup ("time is up"), 0}));
  CHECK (has (render (&c, "text"), "not covered: time is up\n"));
  close_scene (&c);
}

/* What a column points at: | marks the column, [ ] the expected span. */
static void test_spans (void) {
  static const struct {
    const char *line, *span;
    u32 column;
  } rows[] = {
      {"  x = y + f (1, 2);", "x = y + f (1, 2)", 5},
      {"  if (q->head.next[3] > 1)", "q->head.next[3]", 7},
      {"  foo (a, (b));", "foo (a, (b))", 3},
      {"  x++;", "x++", 4},
      {"  f (*p, 1);", "*p", 6},
      {"  return x;", "x", 10},
      {"  lock (&m, n", "lock (&m, n", 3},
      {"  a[i] = 3; b = 4;", "b = 4", 15},
      {"  whole line;  ", "whole line;", 0},
      {"  short", "short", 99},
      {"  sum += n->value;", "n->value", 13},
      {"  return a % b;", "a % b", 12},
      {"  int r = 10 / f (1);", "10 / f (1)", 14},
      {"  for (i = 0; i < 4; i++) t[i] = i;", "t[i] = i", 32},
      {"  if (x) y->a.b = i + 1;", "y->a.b = i + 1", 17},
      {"  return q->slots[i].value;", "q->slots[i].value", 22},
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    Span s = source_span (rows[i].line, (u32)strlen (rows[i].line), rows[i].column);
    bool same = s.end - s.start == strlen (rows[i].span) &&
                !strncmp (rows[i].line + s.start, rows[i].span, s.end - s.start);
    if (!same) fprintf (stderr, "%s: %u..%u\n", rows[i].line, s.start, s.end);
    CHECK (same);
  }
}

static void test_values (void) {
  static const struct {
    u64 value;
    u32 size;
    const char *text;
  } rows[] = {{42, 4, "42"},           {0xffffffff, 4, "-1"},
              {0xff, 1, "-1"},         {0xffffffff, 8, "4294967295"},
              {~0ull, 8, "-1"},        {0x7f0000000010, 8, "0x7f0000000010"},
              {0x100010, 8, "&ready"}, {0x80000000, 4, "2147483648"}};
  Scene c = assert_scene (ORD_RLX, ORD_RLX);
  vec_push (&c.result.findings.data[0].witness.pointers,
            ((WitnessPointer){0x100010, mem_strdup ("ready")}));
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    Str s = {0};
    say_value (&s, &c.result.findings.data[0].witness, rows[i].value, rows[i].size);
    CHECK (has (s.text, rows[i].text) && strlen (s.text) == strlen (rows[i].text));
    str_free (&s);
  }
  close_scene (&c);
}

static void test_text_survives_missing_source (void) {
  Scene c = assert_scene (ORD_RLX, ORD_ACQ);
  mem_free (c.program->files.data[1]);
  c.program->files.data[1] = mem_strdup ("gone.c");
  CHECK (has (render (&c, "text"), "gone.c:10: reads 0 from `data` (relaxed), the initial value"));
  close_scene (&c);
}

int main (void) {
  int fd = mkstemp (path);
  if (fd < 0 || write (fd, source, sizeof source - 1) < 0) return 1;
  close (fd);
  test_assert ();
  test_why_names_what_is_relaxed ();
  test_interleaving ();
  test_race ();
  test_deadlock ();
  test_liveness ();
  test_nameless ();
  test_operands ();
  test_json ();
  test_dot ();
  test_escapes ();
  test_verdicts ();
  test_spans ();
  test_values ();
  test_text_survives_missing_source ();
  unlink (path);
  return test_summary ();
}
