#include "report/formats/svcomp.h"

#include <stdlib.h>
#include <time.h>

#define REACH "CHECK( init(main()), LTL(G ! call(reach_error())) )"
#define RACE "CHECK( init(main()), LTL(G ! data-race) )"
#define DEREF "CHECK( init(main()), LTL(G valid-deref) )"
#define FREE "CHECK( init(main()), LTL(G valid-free) )"
#define TRACK "CHECK( init(main()), LTL(G valid-memtrack) )"
#define END "CHECK( init(main()), LTL(F end) )"
#define DEFINED "CHECK( init(main()), LTL(G def-behavior) )"
#define OVERFLOW "CHECK( init(main()), LTL(G ! overflow) )"

static const char *const specifications[] = {
    [FINDING_ASSERT] = REACH,
    [FINDING_RACE] = RACE,
    [FINDING_DEADLOCK] = END,
    [FINDING_LIVENESS] = END,
    [FINDING_USE_AFTER_FREE] = DEREF,
    [FINDING_DOUBLE_FREE] = FREE,
    [FINDING_INVALID_FREE] = FREE,
    [FINDING_OUT_OF_BOUNDS] = DEREF,
    [FINDING_NULL_DEREF] = DEREF,
    [FINDING_UNINITIALISED] = DEFINED,
    [FINDING_LEAK] = TRACK,
    [FINDING_LOCK_MISUSE] = DEFINED,
    [FINDING_DIVISION_BY_ZERO] = DEFINED,
    [FINDING_OVERFLOW] = OVERFLOW,
    [FINDING_MISALIGNED] = DEFINED,
    [FINDING_UNREACHABLE] = DEFINED,
    [FINDING_ABORT] = REACH,
};

static const char *specification_of (const Json *finding) {
  for (u32 i = 0; finding && i < ARRAY_SIZE (specifications); i++)
    if (!strcmp (finding_kind_name ((FindingKind)i), json_text (finding, "kind")))
      return specifications[i];
  return REACH;
}

/* "a.c + b.c" */
static void add_files (Svcomp *s) {
  char *all = mem_strdup (json_text (s->document, "file")), *at = all;
  for (char *next; at; at = next) {
    next = strstr (at, " + ");
    if (next) *next = 0;
    size_t size;
    char *text = file_read_regular (at, &size);
    Str hash = {0};
    sha256 (text ? text : "", text ? size : 0, &hash);
    vec_push (&s->files, mem_strdup (at));
    vec_push (&s->hashes, hash.text);
    mem_free (text);
    if (next) next += 3;
  }
  mem_free (all);
}

/* Builds that must be repeatable set the time. */
static void say_time (Str *out) {
  const char *fixed = getenv ("SOURCE_DATE_EPOCH");
  time_t now = fixed ? (time_t)strtoll (fixed, NULL, 10) : time (NULL);
  struct tm utc;
  char text[32];
  gmtime_r (&now, &utc);
  strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  str_add (out, text);
}

static void say_uuid (const Svcomp *s, Str *out) {
  Str content = {0}, hash = {0};
  json_write (s->document, &content);
  str_add (&content, s->time.text);
  sha256 (content.text, content.length, &hash);
  const char *h = hash.text;
  str_printf (out, "%.8s-%.4s-4%.3s-a%.3s-%.12s", h, h + 8, h + 12, h + 15, h + 18);
  str_free (&content);
  str_free (&hash);
}

static void add_steps (Svcomp *s) {
  const Json *events = json_get (s->finding, "execution"),
             *order = json_get (s->finding, "interleaving");
  for (u32 i = 0; i < json_size (events); i++) {
    u32 at = order ? (u32)json_value (json_at (order, i)) : i;
    vec_push (&s->steps, json_at (events, at));
  }
}

/* A task means all values of its inputs. */
static bool is_shown_in_full (const Json *document) {
  const Json *rows = json_get (document, "assumptions");
  const char *range = assumption_info (ASSUMPTION_NONDET_RANGE).word;
  for (u32 i = 0; i < json_size (rows); i++)
    if (!strcmp (json_text (json_at (rows, i), "name"), range)) return false;
  return !strcmp (json_text (document, "verdict"), "pass");
}

bool svcomp_open (const Json *documents, Svcomp *s) {
  *s = (Svcomp){0};
  s->document = report_first_violation (documents, &s->finding);
  if (!s->document) s->document = json_at (documents, 0);
  if (!s->finding && !is_shown_in_full (s->document)) return false;
  s->specification = specification_of (s->finding);
  add_files (s);
  add_steps (s);
  say_time (&s->time);
  say_uuid (s, &s->uuid);
  return true;
}

void svcomp_close (Svcomp *s) {
  for (u32 i = 0; i < s->files.size; i++) {
    mem_free (s->files.data[i]);
    mem_free (s->hashes.data[i]);
  }
  vec_free (&s->files);
  vec_free (&s->hashes);
  vec_free (&s->steps);
  str_free (&s->time);
  str_free (&s->uuid);
}

u32 svcomp_thread (const Svcomp *s, const char *name) {
  const Json *threads = json_get (s->finding, "threads");
  for (u32 i = 0; i < json_size (threads); i++)
    if (!strcmp (json_text (json_at (threads, i), "name"), name)) return i;
  return 0;
}
