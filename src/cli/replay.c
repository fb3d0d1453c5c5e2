/* replay.c - porf replay: walks through a counterexample that a JSON report holds, step by step. */
#include "cli/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"

static void show_help (Viewer *v) {
  fputs ("  n, Enter   next step            t   threads: where they stand, what they have read\n"
         "  p          previous step        l   all steps in one line each\n"
         "  NUMBER     that step            q   quit\n",
         v->out);
}

/* False: it is over. */
static bool obey (Viewer *v, const char *command) {
  u32 n = v->replay.events.size, number = (u32)strtoul (command, NULL, 10);
  if (*command == 'q') return false;
  if (*command == 't')
    show_threads (v);
  else if (*command == 'l')
    list_steps (v);
  else if (*command == 'h' || *command == '?')
    show_help (v);
  else if (strchr ("np\n", *command) || (number >= 1 && number <= n + 1)) {
    if (number)
      v->at = number - 1;
    else if (*command == 'p')
      v->at -= v->at > 0;
    else
      v->at += v->at < n;
    show_step (v);
  } else
    show_help (v);
  return true;
}

/* Commands come from standard input; if it has none and is no terminal, every step is shown. */
static void walk (Viewer *v) {
  char *line = NULL;
  size_t capacity = 0;
  bool asks = isatty (STDIN_FILENO), any = false;
  const Replay *r = &v->replay;
  fprintf (v->out, "%s under %s: %s; %u steps\n", r->program, r->model, replay_message (r),
           r->events.size);
  if (asks) show_help (v);
  show_step (v);
  do {
    if (asks) fputs ("(replay) ", v->out);
    fflush (v->out);
    if (getline (&line, &capacity, stdin) < 0) break;
    any = true;
  } while (obey (v, line));
  while (!any && !asks && v->at < r->events.size) obey (v, "n");
  free (line);
}

static void open_report (Replay *r, const char *path, u32 wanted) {
  size_t size;
  Str error = {0};
  char *text = file_read (path, &size);
  if (!text) die_input ("cannot read %s: %s", path, strerror (errno));
  if (!replay_read (r, text, size, wanted, &error)) die_input ("%s: %s", path, error.text);
  mem_free (text);
}

int command_replay (const Args *a) {
  Viewer v = {.out = stdout};
  if (a->files.size != 1) die_input ("`porf replay` needs one report: the JSON of `porf check`");
  open_report (&v.replay, a->files.data[0], a->finding);
  int code = EXIT_PASS;
  if (a->gdb || a->keep)
    code = replay_in_gdb (&v.replay, a->keep, a->cflags.data, a->cflags.size);
  else
    walk (&v);
  replay_close (&v.replay);
  mem_free (v.path);
  mem_free (v.text);
  return code;
}
