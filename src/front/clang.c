/* clang.c - runs clang and catches the bitcode that it writes to its standard output. No temporary
 * file is made. A program that declares functions of verifier.h in its own way is compiled again,
 * without those of verifier.h. */
#include <sys/prctl.h>
#include <signal.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "front/front.h"

static bool ends_with (const char *text, const char *tail) {
  size_t n = strlen (text), k = strlen (tail);
  return n >= k && !strcmp (text + n - k, tail);
}

static bool has_suffix_of (const char *path, const char *const *suffixes, u32 n) {
  for (u32 i = 0; i < n; i++)
    if (ends_with (path, suffixes[i])) return true;
  return false;
}

static const char *const c_suffixes[] = {".c", ".i"};
static const char *const cplusplus_suffixes[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".ii"};

static bool is_cplusplus (const char *path) {
  return has_suffix_of (path, cplusplus_suffixes, ARRAY_SIZE (cplusplus_suffixes));
}

bool path_is_source (const char *path) {
  if (ends_with (path, ".bc") || ends_with (path, ".ll")) return false;
  if (!is_cplusplus (path) && !has_suffix_of (path, c_suffixes, ARRAY_SIZE (c_suffixes)))
    die_input ("%s: not a kind of file that is known here (.c .i .cpp .cc .cxx .ll .bc)", path);
  return true;
}

/* Headers for checked programs stand beside the binary, in the source tree and when installed. */
static char *find_include (void) {
  static const char *const places[] = {"../include", "../../include", "../share/porf/include"};
  char self[4096];
  ssize_t n = readlink ("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return NULL;
  self[n] = 0;
  *strrchr (self, '/') = 0;
  for (u32 i = 0; i < ARRAY_SIZE (places); i++) {
    Str s = {0};
    str_printf (&s, "%s/%s/porf/verifier.h", self, places[i]);
    if (!access (s.text, R_OK)) {
      s.text[strlen (s.text) - strlen ("/porf/verifier.h")] = 0;
      return s.text;
    }
    str_free (&s);
  }
  return NULL;
}

typedef VEC (char *) Args;
static void push (Args *args, const char *text) { vec_push (args, mem_strdup (text)); }

static void push_joined (Args *args, const char *a, const char *b, const char *c) {
  Str s = {0};
  str_add (&s, a);
  str_add (&s, b);
  str_add (&s, c);
  vec_push (args, s.text);
}

/* own: names that the program declares in its own way, so that verifier.h must not. */
static void make_args (const FrontOptions *o, const Args *own, Args *args) {
  static const char *const how[2][3] = {{"-emit-llvm", "-c", "-g"}, {"-E", "-v", "-g"}};
  static const char *const fixed[] = {
      "--no-default-config", /* a file of flags, named by a target */
      "-O0",
      "-Xclang",
      "-disable-O0-optnone",
      "-Xclang", /* says where scopes begin and end */
      "-fsanitize-address-use-after-scope",
      "-o",
      "-",
      "-D__PORF__=1",
      "-Qunused-arguments",
      "-fno-crash-diagnostics",
      "-Wno-atomic-alignment"};
  push (args, "clang");
  for (u32 i = 0; i < ARRAY_SIZE (how[0]); i++) push (args, how[o->preprocesses][i]);
  for (u32 i = 0; i < ARRAY_SIZE (fixed); i++) push (args, fixed[i]);
  char *include = find_include ();
  if (include) {
    push_joined (args, "-I", include, "");
    push_joined (args, "-idirafter", include, "/porf/compat");
    if (is_cplusplus (o->input)) push_joined (args, "-I", include, "/porf/libstdcxx");
    push (args, "-include");
    push_joined (args, include, "/porf/verifier.h", "");
    for (u32 i = 0; i < own->size; i++) push_joined (args, "-DPORF_OWN_", own->data[i], "=~,");
  }
  if (o->deps) {
    push (args, "-MD");
    push (args, "-MF");
    push (args, o->deps);
  }
  for (int i = 0; i < o->ncflags; i++) push (args, o->cflags[i]);
  if (ends_with (o->input, ".i")) { /* verifier.h is for it, too */
    push (args, "-x");
    push (args, "c");
  }
  push_joined (args, *o->input == '-' ? "./" : "", o->input, "");
  vec_push (args, NULL);
  mem_free (include);
}

/* It ends with porf-cc, whatever happens to that. */
static int spawn (const char *program, char **argv, int out, int messages) {
  int ends[2], error = 0;
  if (pipe2 (ends, O_CLOEXEC)) return -errno;
  pid_t pid = fork ();
  if (!pid) {
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    dup2 (out, STDOUT_FILENO);
    dup2 (messages, STDERR_FILENO);
    execvp (program, argv);
    error = errno;
    _exit (write (ends[1], &error, sizeof error) == sizeof error ? 127 : 126);
  }
  if (pid < 0) error = errno;
  close (ends[1]);
  if (pid > 0 && read (ends[0], &error, sizeof error) == sizeof error) waitpid (pid, NULL, 0);
  close (ends[0]);
  return error ? -error : pid;
}

#ifndef PORF_CLANG
#define PORF_CLANG "clang-19"
#endif

/* $PORF_CLANG if set, else the clang of the build, else what PATH has. */
static int spawn_some_clang (const FrontOptions *o, Args *args, int out, int messages) {
  const char *tail = is_cplusplus (o->input) ? "++" : "", *chosen = getenv ("PORF_CLANG");
  static const char *const names[] = {PORF_CLANG, "clang%s-19", "clang%s-16", "clang%s"};
  int pid = -ENOENT;
  char name[4096];
  if (chosen && *chosen) {
    pid = spawn (chosen, args->data, out, messages);
    if (pid < 0) die_input ("cannot run %s ($PORF_CLANG): %s", chosen, strerror (-pid));
    return pid;
  }
  for (u32 i = 0; i < ARRAY_SIZE (names) && pid < 0; i++) {
    const char *mark = strstr (names[i], "%s");
    int head = mark ? (int)(mark - names[i]) : (int)strlen (names[i]);
    snprintf (name, sizeof name, "%.*s%s%s", head, names[i], tail, mark ? mark + 2 : "");
    mem_free (args->data[0]);
    args->data[0] = mem_strdup (name);
    pid = spawn (name, args->data, out, messages);
  }
  if (pid < 0) die_input ("clang is needed to read %s and was not found", o->input);
  return pid;
}

/* The parts of clang hand each other the name without its directory as a word. */
static void refuse_file_of_flags (const char *path) {
  const char *slash = strrchr (path, '/');
  if (*(slash ? slash + 1 : path) == '@' || *path == '@')
    die_input ("clang takes a name that begins with @ for a file of flags: rename %s", path);
}

static Clang start (const FrontOptions *o, const Args *own) {
  int ends[2];
  Args args = {0};
  if (pipe2 (ends, O_CLOEXEC)) die_input ("cannot make a pipe: %s", strerror (errno));
  fcntl (ends[0], F_SETPIPE_SZ, 1 << 20);
  int messages = memfd_create ("clang-messages", MFD_CLOEXEC);
  if (messages < 0) die_input ("cannot make a file in memory: %s", strerror (errno));
  make_args (o, own, &args);
  int pid = spawn_some_clang (o, &args, ends[1], messages);
  close (ends[1]);
  for (u32 i = 0; i < args.size; i++) mem_free (args.data[i]);
  vec_free (&args);
  return (Clang){.pid = pid, .fd = ends[0], .messages = messages};
}

Clang clang_start (const FrontOptions *o) {
  refuse_file_of_flags (o->input);
  if (access (o->input, R_OK)) die_input ("cannot read %s: %s", o->input, strerror (errno));
  return start (o, &(Args){0});
}

int clang_preprocess (const FrontOptions *o) {
  Args args = {0};
  int status = 0;
  refuse_file_of_flags (o->input);
  make_args (o, &(Args){0}, &args);
  dup2 (STDOUT_FILENO, STDERR_FILENO); /* -v says there which clang it is and how it was called */
  int pid = spawn_some_clang (o, &args, STDOUT_FILENO, STDERR_FILENO);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED (status) ? WEXITSTATUS (status) : EXIT_INPUT;
}

static Str read_all (int fd) {
  Str s = {0};
  char part[65536];
  ssize_t n;
  while ((n = read (fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0) str_add_n (&s, part, (size_t)n);
  close (fd);
  return s;
}

static bool may_be_own (const char *name) {
  static const char *const families[] = {"__VERIFIER_", "__CPROVER_", "__ESBMC_", "nondet_",
                                         "assert"};
  for (u32 i = 0; i < ARRAY_SIZE (families); i++)
    if (!strncmp (name, families[i], strlen (families[i]))) return true;
  return false;
}

/* The names of verifier.h among those that clang complains of: "error: conflicting types for 'f'". */
static void find_own (char *messages, Args *own) {
  char *next_line;
  for (char *line = strtok_r (messages, "\n", &next_line); line;
       line = strtok_r (NULL, "\n", &next_line)) {
    char *next, *at = strstr (line, "error: ");
    char *name = at && strtok_r (at, "'", &next) ? strtok_r (NULL, "'", &next) : NULL;
    if (name && may_be_own (name)) push (own, name);
  }
}

typedef struct Compiled {
  Str code, messages;
  int status;
} Compiled;

static Compiled wait_for_clang (Clang c) {
  Compiled done = {.code = read_all (c.fd)};
  while (waitpid (c.pid, &done.status, 0) < 0 && errno == EINTR) continue;
  lseek (c.messages, 0, SEEK_SET);
  done.messages = read_all (c.messages);
  return done;
}

/* Once more if that can help. */
static Compiled compile_again (const FrontOptions *o, Compiled first) {
  Args own = {0};
  Str messages = {0};
  str_add_n (&messages, first.messages.text, first.messages.length);
  find_own (messages.text, &own);
  str_free (&messages);
  if (!own.size) return first;
  Compiled second = wait_for_clang (start (o, &own));
  for (u32 i = 0; i < own.size; i++) mem_free (own.data[i]);
  vec_free (&own);
  return second;
}

Bytes clang_finish (Clang c, const FrontOptions *o) {
  Compiled done = wait_for_clang (c);
  if (done.messages.length && WIFEXITED (done.status) && WEXITSTATUS (done.status))
    done = compile_again (o, done);
  if (done.messages.length) fputs (done.messages.text, stderr);
  if (!WIFEXITED (done.status)) die_input ("%s: clang crashed", o->input);
  if (WEXITSTATUS (done.status)) exit (EXIT_INPUT); /* clang has said why */
  return (Bytes){done.code.text, done.code.length};
}
