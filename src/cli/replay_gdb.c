/* replay_gdb.c - porf replay --gdb: builds the program natively, with runtime/native/force.c, which
 * lets it do nothing but what the counterexample does, and starts gdb.
 *
 * The program is instrumented by clang as for its thread sanitizer. Where each instrumented access
 * stands in the source is asked of the debug information once it is linked, and written into the
 * plan that force.c reads. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/replay.h"
#include "session/words.h"

extern char **environ;
extern const char porf_force_c[]; /* runtime/native/force.c */
extern const size_t porf_force_c_size;

#ifndef PORF_CLANG
#define PORF_CLANG "clang-19"
#endif

typedef struct Build {
  const Replay *replay;
  char *directory; /* of temporary files */
  char *program, *plan, *force;
} Build;

/* ---- running other programs */

static void add (Words *w, const char *text) { vec_push (w, mem_strdup (text)); }

static void add_all (Words *w, const char *const *list) {
  for (; *list; list++) add (w, *list);
}

/* Its exit code; what it prints goes to *out, if that is wanted. */
static int run (Words *command, Str *out) {
  int ends[2] = {-1, -1}, status = 0;
  pid_t pid;
  posix_spawn_file_actions_t actions;
  vec_push (command, NULL);
  if (out && pipe2 (ends, O_CLOEXEC)) die_input ("cannot make a pipe: %s", strerror (errno));
  posix_spawn_file_actions_init (&actions);
  if (out) posix_spawn_file_actions_adddup2 (&actions, ends[1], STDOUT_FILENO);
  int error = posix_spawnp (&pid, command->data[0], &actions, NULL, command->data, environ);
  posix_spawn_file_actions_destroy (&actions);
  if (error) die_input ("cannot run %s: %s", command->data[0], strerror (error));
  if (out) {
    char part[65536];
    ssize_t n;
    close (ends[1]);
    while ((n = read (ends[0], part, sizeof part)) > 0) str_add_n (out, part, (size_t)n);
    close (ends[0]);
  }
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR) continue;
  words_free (command);
  return WIFEXITED (status) ? WEXITSTATUS (status) : EXIT_BUG;
}

/* A tool of LLVM stands beside the clang of the build, or in PATH. */
static char *tool (const char *name) {
  Str s = {0};
  const char *slash = strrchr (PORF_CLANG, '/');
  if (slash) str_printf (&s, "%.*s/%s", (int)(slash - PORF_CLANG), PORF_CLANG, name);
  if (slash && !access (s.text, X_OK)) return s.text;
  str_clear (&s);
  str_add (&s, name);
  return s.text;
}

static const char *clang (void) {
  const char *chosen = getenv ("PORF_CLANG");
  return chosen && *chosen ? chosen : PORF_CLANG;
}

static char *in_directory (const Build *b, const char *name) {
  Str s = {0};
  str_printf (&s, "%s/%s", b->directory, name);
  return s.text;
}

/* ---- compiling */

static void add_verifier_header (Words *w) {
  static const char *const places[] = {"../include", "../../include", "../share/porf/include"};
  char *self = realpath ("/proc/self/exe", NULL);
  for (u32 i = 0; self && i < ARRAY_SIZE (places); i++) {
    Str s = {0};
    str_printf (&s, "%.*s/%s/porf/verifier.h", (int)(strrchr (self, '/') - self), self, places[i]);
    if (!access (s.text, R_OK)) {
      add (w, "-include");
      add (w, s.text);
      i = ARRAY_SIZE (places);
    }
    str_free (&s);
  }
  free (self);
}

static void compile_force (Build *b, const char *object) {
  Words w = {0};
  Str define = {0};
  FILE *f = open_file (b->force);
  fwrite (porf_force_c, 1, porf_force_c_size, f);
  close_output (f, b->force);
  str_printf (&define, "-DFORCE_PLAN=\"%s\"", b->plan);
  add (&w, clang ());
  add_all (&w, (const char *const[]){"-O1", "-c", "-o", object, define.text, b->force, NULL});
  if (run (&w, NULL)) die_input ("the runtime of the replay cannot be compiled");
  str_free (&define);
}

/* The name comes from the report. Clang must take it for the name of a source and nothing else, and
 * the plan has a name in a line. */
static void refuse_strange_name (const char *name) {
  static const char *const ends[] = {".c", ".i", ".cpp", ".cc", ".cxx", ".c++", ".C", ".ii"};
  const char *slash = strrchr (name, '/'), *base = slash ? slash + 1 : name;
  bool is_source = false;
  for (u32 i = 0; i < ARRAY_SIZE (ends); i++) {
    size_t n = strlen (name), k = strlen (ends[i]);
    is_source |= n > k && !strcmp (name + n - k, ends[i]);
  }
  bool is_strange = strstr (name, "\xe2\x90"); /* a control character, made visible */
  if (!is_source || is_strange || strpbrk (name, "\n\r") || *base == '@' || *name == '@' ||
      *name == '-')
    die_input ("the report names `%s`, which is not a C or C++ source file", name);
}

static void compile_file (const char *source, const char *object, char **cflags, u32 ncflags) {
  Words w = {0};
  refuse_strange_name (source);
  add (&w, clang ());
  add_all (&w, (const char *const[]){"-fno-crash-diagnostics", "-g", "-O0", "-fsanitize=thread",
                                     "-fno-pie", "-mllvm", "-tsan-instrument-func-entry-exit=0",
                                     "-mllvm", "-tsan-instrument-read-before-write=1",
                                     "-D__PORF__=1", "-w", NULL});
  add_verifier_header (&w);
  for (u32 i = 0; i < ncflags; i++) add (&w, cflags[i]);
  add_all (&w, (const char *const[]){"-c", "-o", object, source, NULL});
  if (run (&w, NULL)) die_input ("%s cannot be compiled natively", source);
}

static void link_program (const Build *b, const Words *objects) {
  static const char *const wrapped[] = {"pthread_create",       "pthread_join",
                                        "pthread_mutex_init",   "pthread_mutex_destroy",
                                        "pthread_mutex_lock",   "pthread_mutex_trylock",
                                        "pthread_mutex_unlock", "free"};
  Words w = {0};
  add (&w, clang ());
  add_all (&w, (const char *const[]){"-no-pie", "-pthread", "-o", b->program, NULL});
  for (u32 i = 0; i < objects->size; i++) add (&w, objects->data[i]);
  for (u32 i = 0; i < ARRAY_SIZE (wrapped); i++) {
    Str s = {0};
    str_printf (&s, "-Wl,--wrap=%s", wrapped[i]);
    add (&w, s.text);
    str_free (&s);
  }
  add (&w, "-lm");
  if (run (&w, NULL)) die_input ("the program cannot be linked natively");
}

/* ---- the plan: places */

typedef struct Site {
  u64 address;
  u32 line, column;
  char *file;
} Site;
typedef VEC (Site) Sites;

/* Return addresses of calls of hooks, from a disassembly. */
static void find_calls (const Build *b, Sites *out) {
  Words w = {0};
  Str text = {0};
  char *objdump = tool ("llvm-objdump");
  add (&w, objdump);
  add_all (&w, (const char *const[]){"-d", "--no-show-raw-insn", b->program, NULL});
  if (run (&w, &text)) die_input ("%s failed", objdump);
  bool is_call = false;
  for (char *line = strtok (text.text, "\n"); line; line = strtok (NULL, "\n")) {
    char *end;
    u64 address = strtoull (line, &end, 16);
    if (end == line || *end != ':') continue;
    if (is_call) vec_push (out, ((Site){.address = address}));
    is_call =
        (strstr (line, "call") || strstr (line, "bl\t")) &&
        (strstr (line, "<__tsan_") || strstr (line, "<__wrap_") || strstr (line, "<__VERIFIER_"));
  }
  str_free (&text);
  mem_free (objdump);
}

static char *canonical (const char *path) {
  char *real = realpath (path, NULL), *copy = mem_strdup (real ? real : path);
  free (real);
  return copy;
}

static void find_places (const Build *b, Sites *sites) {
  Words w = {0};
  Str text = {0};
  char *symbolizer = tool ("llvm-symbolizer");
  add (&w, symbolizer);
  add_all (&w, (const char *const[]){"--output-style=LLVM", "--no-inlines", "--functions=none",
                                     "-e", b->program, NULL});
  for (u32 i = 0; i < sites->size; i++) {
    char address[32];
    snprintf (address, sizeof address, "0x%llx", (unsigned long long)sites->data[i].address - 1);
    add (&w, address);
  }
  if (run (&w, &text)) die_input ("%s failed", symbolizer);
  u32 i = 0;
  for (char *line = strtok (text.text, "\n"); line && i < sites->size; line = strtok (NULL, "\n")) {
    char *column = strrchr (line, ':');
    if (!column) continue;
    Site *s = &sites->data[i++];
    s->column = (u32)strtoul (column + 1, NULL, 10);
    *column = 0;
    char *number = strrchr (line, ':');
    if (!number) continue;
    s->line = (u32)strtoul (number + 1, NULL, 10);
    *number = 0;
    s->file = canonical (line);
  }
  str_free (&text);
  mem_free (symbolizer);
}

/* ---- the plan: events */

static u32 number_of (const Replay *r, const char *thread) {
  for (u32 i = 0; i < r->threads.size; i++)
    if (!strcmp (r->threads.data[i].name, thread)) return i;
  return 0;
}

/* Whether an event is about a mutex, but does not lock or unlock it. */
static bool is_aside (const Replay *r, const ReplayEvent *e) {
  for (u32 i = 0; i < r->events.size && e->location && !e->is_lock; i++) {
    const ReplayEvent *other = &r->events.data[i];
    if (other->is_lock && other->location && !strcmp (other->location, e->location)) return true;
  }
  return false;
}

static char letter_of (const Replay *r, const ReplayEvent *e) {
  static const char *const kinds[] = {"read",   "write", "rmw",  "fence",
                                      "create", "join",  "free", "choice"};
  if (is_aside (r, e)) return 'm';
  if (e->is_lock && e->writes) return e->reads ? 'L' : 'U';
  for (u32 i = 0; i < ARRAY_SIZE (kinds); i++)
    if (!strcmp (e->kind, kinds[i])) return "rwufcjFn"[i];
  die_input ("`--gdb` does not support events of kind `%s`", e->kind);
}

static void refuse_foreign_event (const Sites *sites, const ReplayEvent *e, const char *file,
                                  u32 number) {
  for (u32 i = 0; i < sites->size; i++) {
    const Site *s = &sites->data[i];
    if (s->file && s->line == e->line && s->column == e->column && !strcmp (s->file, file)) return;
  }
  die_input ("`--gdb` cannot follow step %u, %s:%u: it happens inside a library function",
             number + 1, e->file, e->line);
}

static void write_plan (const Build *b, const Sites *sites) {
  const Replay *r = b->replay;
  FILE *f = open_file (b->plan);
  for (u32 i = 0; i < sites->size; i++)
    if (sites->data[i].file)
      fprintf (f, "site %llx %u %u %s\n", (unsigned long long)sites->data[i].address,
               sites->data[i].line, sites->data[i].column, sites->data[i].file);
  for (u32 i = 0; i < r->threads.size; i++) {
    const char *status = r->threads.data[i].status;
    fprintf (f, "thread %u %c\n", i,
             !strcmp (status, "failed")  ? 'f'
             : !strcmp (status, "ended") ? 'e'
                                         : 'b');
  }
  for (u32 i = 0; i < r->events.size; i++) {
    const ReplayEvent *e = &r->events.data[i];
    if (strpbrk (e->file, "\n\r"))
      die_input ("step %u is in a file whose name has unexpected characters", i + 1);
    char *file = canonical (e->file);
    refuse_foreign_event (sites, e, file, i);
    if (e->from >= (i32)i)
      die_input ("`--gdb` cannot follow step %u, which reads from a later one", i + 1);
    if (e->size > 8)
      die_input ("`--gdb` cannot follow step %u: it accesses %u bytes", i + 1, e->size);
    fprintf (f, "event %c %u %u %u %u %d %u %llu %d %llu %s\n", letter_of (r, e),
             number_of (r, e->thread), e->line, e->column, e->size, e->from,
             e->other ? number_of (r, e->other) : 0, (unsigned long long)e->mo, e->waits,
             (unsigned long long)e->read, file);
    mem_free (file);
  }
  close_output (f, b->plan);
}

/* ---- around it */

/* "main.c + queue.c" */
static void compile_program (Build *b, char **cflags, u32 ncflags) {
  Words objects = {0};
  char *files = mem_strdup (b->replay->program);
  vec_push (&objects, in_directory (b, "force.o"));
  compile_force (b, objects.data[0]);
  for (char *at = files, *next; at; at = next) {
    char name[32];
    next = strstr (at, " + ");
    if (next) {
      *next = 0;
      next += 3;
    }
    snprintf (name, sizeof name, "%u.o", objects.size);
    vec_push (&objects, in_directory (b, name));
    compile_file (at, vec_last (&objects), cflags, ncflags);
  }
  link_program (b, &objects);
  words_free (&objects);
  mem_free (files);
}

static int run_gdb (const Build *b) {
  Words w = {0};
  add_all (&w, (const char *const[]){"gdb", "-q", "-ex", "break __assert_fail", "-ex", "run", "-ex",
                                     "up", "-ex", "backtrace 20", NULL});
  if (!isatty (STDIN_FILENO)) add (&w, "-batch");
  add (&w, b->program);
  return run (&w, NULL);
}

static void build (Build *b, char **cflags, u32 ncflags) {
  Sites sites = {0};
  compile_program (b, cflags, ncflags);
  find_calls (b, &sites);
  find_places (b, &sites);
  write_plan (b, &sites);
  for (u32 i = 0; i < sites.size; i++) mem_free (sites.data[i].file);
  vec_free (&sites);
}

/* Whatever is in it, if something went wrong half way. */
static void remove_directory (const char *path) {
  Words w = {0};
  add_all (&w, (const char *const[]){"rm", "-rf", "--", path, NULL});
  run (&w, NULL);
}

static char *absolute (const char *path) {
  Str s = {0};
  char *here = getcwd (NULL, 0);
  if (*path != '/') str_printf (&s, "%s/", here ? here : ".");
  str_add (&s, path);
  free (here);
  return s.text;
}

/* The linker would write through a link, or replace it. */
static void refuse_link (const char *path) {
  struct stat at;
  if (!lstat (path, &at) && S_ISLNK (at.st_mode))
    die_input ("cannot write `%s`: it is a link", path);
}

int replay_in_gdb (const Replay *r, const char *keep, char **cflags, u32 ncflags) {
  char directory[] = "/tmp/porf-replay-XXXXXX";
  Build b = {.replay = r, .directory = directory};
  Str plan = {0};
  DieTrap trap, *before;
  if (keep) refuse_link (keep);
  if (!mkdtemp (directory)) die_input ("cannot make a directory: %s", strerror (errno));
  b.program = keep ? absolute (keep) : in_directory (&b, "program");
  b.force = in_directory (&b, "force.c");
  str_printf (&plan, "%s.plan", b.program);
  b.plan = plan.text;
  before = die_set_trap (&trap);
  if (setjmp (trap.jump)) {
    die_set_trap (before);
    remove_directory (directory);
    die (trap.code, trap.message);
  }
  build (&b, cflags, ncflags);
  die_set_trap (before);
  int code = keep ? EXIT_PASS : run_gdb (&b);
  remove_directory (directory);
  mem_free (b.program);
  mem_free (b.plan);
  mem_free (b.force);
  return code;
}
