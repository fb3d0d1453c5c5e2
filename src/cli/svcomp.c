/* svcomp.c - porf svcomp: tasks of SV-COMP, one run for each property of a task definition, as
 * `porf test` runs its tests; with the scores of the competition. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/yaml.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/tests.h"

typedef struct Property {
  const char *name, *text, *options;
  u32 kinds;
  bool proves;
} Property;

static const Property properties[] = {
#define KIND(name) (1u << FINDING_##name)
#define PROPERTY(name, text, options, kinds, proves) {name, text, options, kinds, proves},
#include "cli/properties.def"
#undef PROPERTY
#undef KIND
};

/* ---- task definitions */

static Json *read_task (const char *path) {
  Str error = {0};
  size_t size;
  char *text = file_read_regular (path, &size);
  if (!text) die_input ("cannot read %s: %s", path, strerror (errno));
  Json *task = yaml_read (text, size, &error);
  if (!task) die_input ("%s: %s", path, error.text);
  mem_free (text);
  return task;
}

/* By what the file says; NULL if porf has no answer to that. */
static const Property *find_property (const char *path) {
  size_t size;
  const Property *found = NULL;
  char *text = file_read_regular (path, &size);
  if (!text) die_input ("cannot read %s: %s", path, strerror (errno));
  for (u32 i = 0; i < ARRAY_SIZE (properties) && !found; i++)
    if (memmem (text, size, properties[i].text, strlen (properties[i].text)))
      found = &properties[i];
  mem_free (text);
  return found;
}

static u32 count_inputs (const Json *task) {
  const Json *inputs = json_get (task, "input_files");
  return inputs && inputs->kind == JSON_ARRAY ? json_size (inputs) : inputs != NULL;
}

static const char *input_at (const Json *task, u32 i) {
  const Json *inputs = json_get (task, "input_files");
  const char *name = inputs->kind == JSON_ARRAY ? json_at (inputs, i)->text : inputs->text;
  return name ? name : "";
}

/* A task means all inputs: a pass under part of them is no answer, nor is one for other types. */
static const u32 doubts =
    ASSUMPTION_BIT (ASSUMPTION_NONDET_RANGE) | ASSUMPTION_BIT (ASSUMPTION_ARGC_ONE) |
    ASSUMPTION_BIT (ASSUMPTION_ENVIRONMENT_EMPTY) | ASSUMPTION_BIT (ASSUMPTION_TIME_STANDS_STILL);

static void add_run (const Args *a, const char *path, const Json *task, const Property *p,
                     bool expected, TestRuns *out) {
  Str line = {0};
  bool is_32 = !strcmp (json_text (json_get (task, "options"), "data_model"), "ILP32");
  str_printf (&line, "%s%s", p->name, is_32 ? " (ILP32 checked as LP64)" : "");
  TestRun run = {.path = mem_strdup (path), .line = line.text, .kind = -1};
  run.verdict = expected ? VERDICT_PASS : VERDICT_VIOLATION;
  run.expected = mem_strdup (verdict_name ((Verdict)run.verdict));
  run.decisive = p->kinds;
  run.doubts = doubts;
  run.is_open =
      is_32 || !p->proves || a->nondet.given || a->words.is_given || a->environment.is_given;
  run.program = test_file_beside (path, input_at (task, 0));
  words_split (p->options, &run.words);
  words_split ("--no-abort --help-time=0", &run.words);
  if (!a->given[OPTION_model]) vec_push (&run.words, mem_strdup ("--model=sc"));
  for (u32 i = 1; i < count_inputs (task); i++)
    vec_push (&run.words, test_file_beside (path, input_at (task, i)));
  vec_push (out, run);
}

/* Properties without a verdict are not asked for. */
static void add_task (const Args *a, const char *path, TestRuns *out) {
  Json *task = read_task (path);
  const Json *list = json_get (task, "properties");
  for (u32 i = 0; i < json_size (list) && count_inputs (task); i++) {
    const Json *row = json_at (list, i);
    const char *verdict = json_text (row, "expected_verdict");
    char *file = test_file_beside (path, json_text (row, "property_file"));
    bool is_true = !strcmp (verdict, "true");
    const Property *p = is_true || !strcmp (verdict, "false") ? find_property (file) : NULL;
    if (p) add_run (a, path, task, p, is_true, out);
    mem_free (file);
  }
  json_free (task);
}

/* ---- directories */

static bool is_task (const char *name) {
  size_t n = strlen (name);
  return n > 4 && !strcmp (name + n - 4, ".yml");
}

static int is_wanted (const struct dirent *d) { return d->d_name[0] != '.'; }

static void add_below (const Args *a, const char *path, TestRuns *out) {
  struct dirent **entries;
  int n = scandir (path, &entries, is_wanted, alphasort);
  if (n < 0) die_input ("cannot read %s: %s", path, strerror (errno));
  for (int i = 0; i < n; i++) {
    Str child = {0};
    struct stat st;
    str_printf (&child, "%s/%s", path, entries[i]->d_name);
    if (!lstat (child.text, &st) && S_ISDIR (st.st_mode))
      add_below (a, child.text, out);
    else if (is_task (child.text))
      add_task (a, child.text, out);
    str_free (&child);
    free (entries[i]);
  }
  free (entries);
}

/* ---- scores */

static int score (Verdict answer, Verdict expected) {
  if (answer == VERDICT_INCOMPLETE) return 0;
  if (answer == expected) return expected == VERDICT_PASS ? 2 : 1;
  return answer == VERDICT_PASS ? -32 : -16;
}

static void note_scores (const Summary *s, const TestRuns *runs, FILE *out) {
  int points = 0;
  u32 wrong = 0, unknown = 0;
  for (u32 i = 0; i < s->rows.size; i++) {
    const SummaryRow *row = &s->rows.data[i];
    Verdict answer = row->was_checked ? (Verdict)row->verdict : VERDICT_INCOMPLETE;
    int add = score (answer, (Verdict)runs->data[i].verdict);
    points += add;
    wrong += add < 0;
    unknown += !add;
  }
  fprintf (out, "score %d: %u right, %u wrong, %u unknown\n", points,
           s->rows.size - wrong - unknown, wrong, unknown);
}

int command_svcomp (const Args *a) {
  TestRuns runs = {0};
  try_to_save (a);
  for (u32 i = 0; i < a->files.size; i++) {
    struct stat st;
    const char *path = a->files.data[i];
    if (stat (path, &st)) die_input ("cannot read %s: %s", path, strerror (errno));
    if (S_ISDIR (st.st_mode))
      add_below (a, path, &runs);
    else
      add_task (a, path, &runs);
  }
  if (!runs.size) die_input ("no task with a property that porf can check and a verdict");
  return tests_run (a, &runs, note_scores);
}
