#include "cli/states.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"

typedef struct State {
  u64 number;
  u32 row;
} State;

struct States {
  const char *directory;
  u64 last;
  VEC (State) list;  /* what counts */
  VEC (u64) written; /* numbers of all files */
};

States *states_new (const char *directory) {
  if (mkdir (directory, 0777) && errno != EEXIST)
    die_input ("cannot make the directory `%s`: %s", directory, strerror (errno));
  States *s = mem_zalloc (sizeof *s);
  s->directory = directory;
  return s;
}

static void path_of (const States *s, u64 number, Str *out) {
  str_printf (out, "%s/%06llu.dot", s->directory, (unsigned long long)number);
}

static void write_file (const char *path, const Str *text) {
  FILE *f = open_file (path);
  fwrite (text->text, 1, text->length, f);
  close_output (f, path);
}

void states_add (States *s, const Report *r, const Model *m, u64 number, u32 row) {
  Str path = {0}, title = {0}, dot = {0};
  if (number <= s->last) s->list.size = 0;
  s->last = number;
  vec_push (&s->list, ((State){number, row}));
  vec_push (&s->written, number);
  path_of (s, number, &path);
  str_printf (&title, "%s under %s: execution %llu", r->file, m->name, (unsigned long long)number);
  report_execution_dot (r, r->last, title.text, &dot);
  write_file (path.text, &dot);
  str_free (&path);
  str_free (&title);
  str_free (&dot);
}

static bool counts (const States *s, u64 number) {
  u32 low = 0, high = s->list.size;
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (s->list.data[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->list.size && s->list.data[low].number == number;
}

static void write_index (const States *s, const Outcomes *o) {
  Str text = {0}, path = {0};
  for (u32 i = 0; i < s->list.size; i++) {
    const Outcome *row = &o->rows.data[s->list.data[i].row];
    str_printf (&text, "%06llu.dot ", (unsigned long long)s->list.data[i].number);
    for (u32 c = 0; c < o->columns.size; c++)
      if (outcomes_shows (o, c))
        str_printf (&text, " %s=%s;", o->columns.data[c].name, outcome_value (o, row, c));
    str_add (&text, "\n");
  }
  str_printf (&path, "%s/index.txt", s->directory);
  write_file (path.text, &text);
  str_free (&text);
  str_free (&path);
}

void states_close (States *s, const Outcomes *o) {
  for (u32 i = 0; i < s->written.size; i++) {
    Str path = {0};
    path_of (s, s->written.data[i], &path);
    if (!counts (s, s->written.data[i])) unlink (path.text);
    str_free (&path);
  }
  write_index (s, o);
  vec_free (&s->list);
  vec_free (&s->written);
  mem_free (s);
}
