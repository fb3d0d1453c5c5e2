/* replay_show.c - a counterexample that a JSON report holds: read, and shown step by step. */
#include <stdlib.h>

#include "base/plain.h"
#include "cli/replay.h"

/* ---- reading */

static bool is_kind (const ReplayEvent *e, const char *kind) { return !strcmp (e->kind, kind); }

static const char *text_or (const Json *j, const char *key, const char *otherwise) {
  const char *text = json_text (j, key);
  return *text ? text : otherwise;
}

static bool is_true (const Json *j, const char *key) {
  const Json *value = json_get (j, key);
  return value && value->kind == JSON_LITERAL && !strcmp (value->text, "true");
}

static ReplayEvent read_event (const Json *j) {
  const Json *from = json_get (j, "from");
  ReplayEvent e = {.thread = text_or (j, "thread", "?"),
                   .kind = text_or (j, "kind", "?"),
                   .order = text_or (j, "order", NULL),
                   .location = text_or (j, "location", NULL),
                   .file = text_or (j, "file", ""),
                   .other = text_or (j, "other", NULL),
                   .line = (u32)json_int (j, "line"),
                   .column = (u32)json_int (j, "column"),
                   .size = (u32)json_int (j, "size"),
                   .read = (u64)json_int (j, "read"),
                   .written = (u64)json_int (j, "written"),
                   .mo = (u64)json_int (j, "mo"),
                   .from = FROM_NONE};
  e.reads = is_kind (&e, "read") || is_kind (&e, "rmw");
  e.writes = is_kind (&e, "write") || is_kind (&e, "rmw");
  if (!e.other) e.other = "?";
  e.is_lock = is_true (j, "lock");
  e.waits = is_true (j, "waits");
  if (from && from->kind == JSON_STRING) e.from = FROM_INIT;
  i64 number = json_int (j, "from");
  if (from && from->kind == JSON_LITERAL)
    e.from = number >= 0 && number < INT32_MAX ? (i32)number : INT32_MIN;
  return e;
}

/* The finding number *wanted of a report, or NULL with those that were counted taken off. */
static const Json *find_finding (const Json *report, u32 *wanted) {
  const Json *findings = json_get (report, "findings");
  u32 n = json_size (findings);
  if (*wanted && *wanted <= n) return json_at (findings, *wanted - 1);
  *wanted -= n;
  return NULL;
}

/* What an event lacks, or NULL. */
static const char *lacks (const ReplayEvent *e) {
  static const char *const kinds[] = {"read",   "write", "rmw",  "fence",
                                      "create", "join",  "free", "choice"};
  bool is_known = false;
  for (u32 i = 0; i < ARRAY_SIZE (kinds); i++) is_known |= is_kind (e, kinds[i]);
  if (!is_known) return "`kind` that replay knows";
  if (!strcmp (e->thread, "?")) return "`thread`";
  return (e->reads || e->writes) && !e->location ? "`location`" : NULL;
}

static bool is_whole (const Replay *r, Str *error) {
  for (u32 i = 0; i < r->events.size && !error->length; i++) {
    const ReplayEvent *e = &r->events.data[i];
    if (lacks (e)) str_printf (error, "event %u of `execution` has no %s", i, lacks (e));
    if (e->from >= (i32)r->events.size || e->from < FROM_NONE)
      str_printf (error, "event %u reads from one that is not there", i);
  }
  if (!r->events.size) str_add (error, "the finding has no execution to replay");
  return !error->length;
}

/* Those that are kept in 32 bits. */
static void check_numbers (const Json *place, const char *whose, u32 i, Str *error) {
  static const char *const keys[] = {"line", "column", "size"};
  for (u32 k = 0; k < ARRAY_SIZE (keys) && !error->length; k++) {
    i64 n = json_int (place, keys[k]);
    if (n < 0 || n > UINT32_MAX)
      str_printf (error, "`%s` of %s %u is not from 0 to %u", keys[k], whose, i, UINT32_MAX);
  }
}

static bool read_finding (Replay *r, u32 wanted, Str *error) {
  const Json *events = json_get (r->finding, "execution");
  const Json *threads = json_get (r->finding, "threads");
  check_numbers (r->finding, "finding", wanted, error);
  for (u32 i = 0; i < json_size (events); i++)
    check_numbers (json_at (events, i), "event", i, error);
  for (u32 i = 0; i < json_size (events); i++)
    vec_push (&r->events, read_event (json_at (events, i)));
  for (u32 i = 0; i < json_size (threads); i++) {
    const Json *t = json_at (threads, i);
    vec_push (&r->threads, ((ReplayThread){text_or (t, "name", "?"), text_or (t, "function", "?"),
                                           text_or (t, "status", "?")}));
  }
  return is_whole (r, error);
}

/* Whoever wrote the report chose its texts. */
static void make_plain (Json *j) {
  if (j->kind == JSON_STRING) plain_line (&j->text);
  for (u32 i = 0; i < json_size (j); i++) make_plain (j->items.data[i]);
}

bool replay_read (Replay *r, const char *text, size_t size, u32 wanted, Str *error) {
  *r = (Replay){.json = json_read (text, size, error)};
  if (!r->json) return false;
  make_plain (r->json);
  bool is_list = r->json->kind == JSON_ARRAY;
  u32 left = wanted;
  for (u32 i = 0; i < (is_list ? json_size (r->json) : 1) && !r->finding; i++) {
    const Json *report = is_list ? json_at (r->json, i) : r->json;
    r->finding = find_finding (report, &left);
    r->program = text_or (report, "file", "?");
    r->model = text_or (report, "model", "?");
  }
  if (r->finding) return read_finding (r, wanted, error);
  str_printf (
      error,
      "there is no violation%s to replay; make the file with `porf check --format json -o FILE`",
      wanted > 1 ? " of that number" : "");
  return false;
}

void replay_close (Replay *r) {
  vec_free (&r->events);
  vec_free (&r->threads);
  json_free (r->json);
}

/* ---- what a step says */

/* 42, -1, 0x40000000 */
static void say_replay_value (Str *out, u64 value, u32 size) {
  u32 shift = size && size < 8 ? 64 - 8 * size : 0;
  i64 v = (i64)(value << shift) >> shift;
  if (v > -100000 && v < 100000000)
    str_printf (out, "%lld", (long long)v);
  else
    str_printf (out, "0x%llx", (unsigned long long)value);
}

static void say_order_of (const ReplayEvent *e, Str *out) {
  static const char *const words[][2] = {{"na", "non-atomic"},   {"rlx", "relaxed"},
                                         {"acq", "acquire"},     {"rel", "release"},
                                         {"acq_rel", "acq_rel"}, {"sc", "seq_cst"}};
  for (u32 i = 0; e->order && i < ARRAY_SIZE (words); i++)
    if (!strcmp (e->order, words[i][0])) str_add (out, words[i][1]);
}

/* The newest write of the location among the steps so far; the one that e does not see, if so. */
static i32 newest_write (const Replay *r, u32 step, const char *location) {
  i32 newest = FROM_INIT;
  for (u32 i = 0; i < step; i++) {
    const ReplayEvent *e = &r->events.data[i];
    if (!e->writes || !e->location || strcmp (e->location, location)) continue;
    if (newest < 0 || e->mo >= r->events.data[newest].mo) newest = (i32)i;
  }
  return newest;
}

static void say_source (const Replay *r, u32 step, const ReplayEvent *e, Str *out) {
  if (e->from == FROM_INIT)
    str_add (out, ", the initial value");
  else if (e->from >= 0)
    str_printf (out, ", written in step %d by %s", e->from + 1, r->events.data[e->from].thread);
  i32 newest = e->location ? newest_write (r, step, e->location) : FROM_INIT;
  if (newest >= 0 && newest != e->from) {
    str_printf (out, "; not the ");
    say_replay_value (out, r->events.data[newest].written, e->size);
    str_printf (out, " of step %d", newest + 1);
  }
}

static void say_event (const Replay *r, u32 step, Str *out) {
  const ReplayEvent *e = &r->events.data[step];
  if (e->is_lock) {
    str_printf (out, "%s %s",
                e->waits               ? "waits for"
                : is_kind (e, "write") ? "unlocks"
                                       : "locks",
                e->location ? e->location : "a mutex");
    return;
  }
  if (e->reads) {
    str_printf (out, "reads %s = ", e->location);
    say_replay_value (out, e->read, e->size);
    say_source (r, step, e, out);
    if (e->writes) str_add (out, ", and ");
  }
  if (e->writes) {
    str_printf (out, "writes %s = ", e->location);
    say_replay_value (out, e->written, e->size);
  }
  if (is_kind (e, "fence")) str_add (out, "fence");
  if (is_kind (e, "create")) str_printf (out, "creates %s", e->other);
  if (is_kind (e, "join")) str_printf (out, "joins %s, which has ended", e->other);
  if (is_kind (e, "free")) str_add (out, "frees memory");
  if (is_kind (e, "choice")) {
    str_add (out, "chooses ");
    say_replay_value (out, e->read, 8);
  }
  if (e->order) {
    str_add (out, " (");
    say_order_of (e, out);
    str_add (out, ")");
  }
}

/* ---- source */

static const char *line_of (Viewer *v, const char *path, u64 line, int *length) {
  size_t size;
  if (!v->path || strcmp (v->path, path)) {
    mem_free (v->path);
    mem_free (v->text);
    v->path = mem_strdup (path);
    v->text = file_read_regular (path, &size);
  }
  const char *at = v->text;
  while (at && --line) {
    at = strchr (at, '\n');
    at = at ? at + 1 : NULL;
  }
  if (at && *at) *length = (int)strcspn (at, "\r\n");
  return at && *at ? at : NULL;
}

static void show_source (Viewer *v, const char *file, u32 line) {
  enum { AROUND = 2 };
  if (!line) return;
  for (u64 i = line > AROUND ? line - AROUND : 1; i <= (u64)line + AROUND; i++) {
    int length = 0;
    const char *text = line_of (v, file, i, &length);
    if (!text) continue;
    char *shown = strndup (text, (size_t)length);
    plain_lines (&shown);
    fprintf (v->out, "  %s %5u | %s\n", i == line ? "->" : "  ", (u32)i, shown ? shown : "");
    mem_free (shown);
  }
}

/* ---- memory and threads */

static void show_memory (Viewer *v) {
  const Replay *r = &v->replay;
  u32 done = v->at < r->events.size ? v->at + 1 : r->events.size;
  fprintf (v->out, "  memory:");
  bool any = false;
  for (u32 i = 0; i < done; i++) {
    const ReplayEvent *e = &r->events.data[i];
    bool is_first = e->location && !e->is_lock;
    for (u32 k = 0; k < i && is_first; k++)
      is_first = !r->events.data[k].location || strcmp (r->events.data[k].location, e->location);
    if (!is_first) continue;
    i32 newest = newest_write (r, done, e->location);
    Str value = {0};
    if (newest >= 0)
      say_replay_value (&value, r->events.data[newest].written, e->size);
    else
      say_replay_value (&value, e->read, e->size);
    fprintf (v->out, "%s %s = %s", any ? "," : "", e->location, value.text);
    any = true;
    str_free (&value);
  }
  fprintf (v->out, "%s\n", any ? "" : " nothing was accessed yet");
}

/* Where each thread stands, and what it has read: its registers, as far as others decide them. */
void show_threads (Viewer *v) {
  const Replay *r = &v->replay;
  for (u32 t = 0; t < r->threads.size; t++) {
    const ReplayThread *thread = &r->threads.data[t];
    const ReplayEvent *last = NULL;
    Str reads = {0};
    u32 left = 0;
    for (u32 i = 0; i < r->events.size; i++) {
      const ReplayEvent *e = &r->events.data[i];
      if (strcmp (e->thread, thread->name)) continue;
      if (i > v->at) {
        left++;
        continue;
      }
      last = e;
      if (!e->reads || e->is_lock) continue;
      str_printf (&reads, "%s%s = ", reads.length ? ", " : "; has read ", e->location);
      say_replay_value (&reads, e->read, e->size);
    }
    fprintf (v->out, "  %s (%s): ", thread->name, thread->function);
    if (!left)
      fprintf (v->out, "%s", thread->status);
    else if (last)
      fprintf (v->out, "at %s:%u", last->file, last->line);
    else
      fprintf (v->out, "has done nothing yet");
    fprintf (v->out, "%s\n", reads.length ? reads.text : "");
    str_free (&reads);
  }
}

const char *replay_message (const Replay *r) {
  return text_or (r->finding, "message", "violation");
}

static void show_end (Viewer *v) {
  const Replay *r = &v->replay;
  const char *why = json_text (r->finding, "why"), *help = json_text (r->finding, "help");
  fprintf (v->out, "end: %s in %s: %s:%u\n", replay_message (r),
           text_or (r->finding, "thread", "?"), text_or (r->finding, "file", ""),
           (u32)json_int (r->finding, "line"));
  show_source (v, text_or (r->finding, "file", ""), (u32)json_int (r->finding, "line"));
  if (*why) fprintf (v->out, "  why: %s\n", why);
  if (*help) fprintf (v->out, " help: %s\n", help);
}

void show_step (Viewer *v) {
  const Replay *r = &v->replay;
  if (v->at >= r->events.size) {
    show_end (v);
    return;
  }
  const ReplayEvent *e = &r->events.data[v->at];
  Str what = {0};
  say_event (r, v->at, &what);
  fprintf (v->out, "step %u of %u, %s: %s\n", v->at + 1, r->events.size, e->thread, what.text);
  show_source (v, e->file, e->line);
  show_memory (v);
  str_free (&what);
}

void list_steps (Viewer *v) {
  const Replay *r = &v->replay;
  for (u32 i = 0; i < r->events.size; i++) {
    Str what = {0};
    say_event (r, i, &what);
    fprintf (v->out, "%s %3u  %-6s %s:%u  %s\n", i == v->at ? "->" : "  ", i + 1,
             r->events.data[i].thread, r->events.data[i].file, r->events.data[i].line, what.text);
    str_free (&what);
  }
}
