#include "session/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/plain.h"
#include "session/cache.h"

extern char **environ;

/* build/runtime.ir, put into the binary by the build */
extern const char porf_runtime_ir[];
extern const size_t porf_runtime_ir_size;
extern const char porf_runtime_cxx_ir[];
extern const size_t porf_runtime_cxx_ir_size;

static bool ends_with (const char *text, const char *tail) {
  size_t n = strlen (text), k = strlen (tail);
  return n >= k && !strcmp (text + n - k, tail);
}

/* `file` is porf or the library; porf-cc stands beside it, or in the bin of where it is
 * installed. */
static bool find_beside (const char *file, Str *out) {
  static const char *const places[] = {"", "../bin/", "../../bin/"};
  char *real = realpath (file, NULL);
  bool found = false;
  for (u32 i = 0; real && i < ARRAY_SIZE (places) && !found; i++) {
    str_clear (out);
    str_printf (out, "%.*s/%sporf-cc", (int)(strrchr (real, '/') - real), real, places[i]);
    found = !access (out->text, X_OK);
  }
  free (real);
  return found;
}

/* Else the first one in PATH. The caller frees the name. */
static char *find_compiler (void) {
  Dl_info library;
  Str s = {0};
  if (find_beside ("/proc/self/exe", &s)) return s.text;
  if (dladdr (porf_runtime_ir, &library) && find_beside (library.dli_fname, &s)) return s.text;
  for (const char *at = getenv ("PATH"); at && *at;) {
    size_t length = strcspn (at, ":");
    str_clear (&s);
    str_printf (&s, "%.*s/porf-cc", (int)length, at);
    if (!access (s.text, X_OK)) return s.text;
    at += length + (at[length] == ':');
  }
  str_free (&s);
  return NULL;
}

typedef VEC (char *) Args;

bool load_is_up (double deadline) { return deadline && seconds_now () > deadline; }

/* `way`: an option of porf-cc, or NULL. */
static pid_t spawn_compiler (const char *compiler, const char *path, const LoadOptions *o,
                             const char *way, int out, int said) {
  Args args = {0};
  Str input = {0};
  vec_push (&args, "porf-cc");
  if (way) vec_push (&args, (char *)(uintptr_t)way);
  if (*path == '-') str_add (&input, "./");
  str_add (&input, path);
  vec_push (&args, input.text);
  vec_push (&args, "--");
  for (int i = 0; i < o->ncflags; i++) vec_push (&args, o->cflags[i]);
  vec_push (&args, NULL);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, out, STDOUT_FILENO);
  if (said >= 0) posix_spawn_file_actions_adddup2 (&actions, said, STDERR_FILENO);
  posix_spawnattr_t attributes; /* what may have to be stopped gets a group, for what it starts */
  posix_spawnattr_init (&attributes);
  if (o->deadline) posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid;
  int error = posix_spawn (&pid, compiler, &actions, &attributes, args.data, environ);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  vec_free (&args);
  str_free (&input);
  if (error) die_input ("cannot run %s: %s", compiler, strerror (error));
  return pid;
}

/* Whether porf-cc itself has chosen how to end; a shell or the loader of programs has other
 * codes. */
static bool has_run (int status) {
  static const int codes[] = {EXIT_PASS, EXIT_INPUT, EXIT_INCOMPLETE, EXIT_BUG};
  for (u32 i = 0; i < ARRAY_SIZE (codes); i++)
    if (WEXITSTATUS (status) == codes[i]) return true;
  return WIFSIGNALED (status);
}

/* A failed compilation has been explained by clang or porf-cc already. */
static bool wait_for_compiler (pid_t pid, const char *compiler, const char *path,
                               const LoadOptions *o) {
  int status = 0;
  bool is_late = load_is_up (o->deadline);
  if (is_late) kill (-pid, SIGKILL);
  while (waitpid (pid, &status, 0) < 0)
    if (errno != EINTR) /* in a program that ignores SIGCHLD and uses the library */
      die_input ("cannot get the exit status of %s: %s", compiler, strerror (errno));
  if (is_late) return false;
  if (!has_run (status))
    die_input (
        "%s, which is needed to read %s, cannot be started: it ended with status %d; are the "
        "libraries of LLVM that it was built with installed?",
        compiler, path, WEXITSTATUS (status));
  if (WIFSIGNALED (status) && o->said) return false;
  if (WIFSIGNALED (status)) {
    tell_user ("porf-cc crashed on %s", path);
    die (EXIT_BUG, "");
  }
  if (WEXITSTATUS (status) && !o->may_fail) die (WEXITSTATUS (status), "");
  return !WEXITSTATUS (status);
}

/* Whether there is something to read, or the end, before the deadline. */
static bool comes_in_time (int fd, double deadline) {
  struct pollfd p = {.fd = fd, .events = POLLIN};
  while (deadline) {
    double left = deadline - seconds_now ();
    int n = left > 0 ? poll (&p, 1, left > 1e6 ? -1 : (int)(1000 * left) + 1) : 0;
    if (n > 0) break;
    if (n == 0) return false;
  }
  return true;
}

static void read_all (int fd, double deadline, Str *out) {
  char part[65536];
  ssize_t n;
  while (comes_in_time (fd, deadline) &&
         ((n = read (fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR)))
    if (n > 0) str_add_n (out, part, (size_t)n);
  close (fd);
}

enum { MOST_SAID = 1 << 20 };

/* Excessive messages are omitted; the compiler notices nothing. */
static void take_part (int *fd, Str *out, size_t most) {
  char part[65536];
  ssize_t n = read (*fd, part, sizeof part);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    close (*fd);
    *fd = -1;
    return;
  }
  if (out->length >= most) return;
  str_add_n (out, part, (size_t)n);
  if (out->length >= most) str_add (out, "\nporf: further compiler messages are omitted\n");
}

/* What the compiler prints and what it says, to their ends; `said` may be -1. */
static void read_two (int out, int said, double deadline, Str *ir, Str *messages) {
  while (out >= 0 || said >= 0) {
    struct pollfd p[] = {{.fd = out, .events = POLLIN}, {.fd = said, .events = POLLIN}};
    double left = deadline ? deadline - seconds_now () : 0;
    if (deadline && left <= 0) break;
    if (poll (p, 2, deadline && left < 1e6 ? (int)(1000 * left) + 1 : -1) <= 0) continue;
    if (p[0].revents) take_part (&out, ir, SIZE_MAX);
    if (p[1].revents) take_part (&said, messages, MOST_SAID);
  }
  if (out >= 0) close (out);
  if (said >= 0) close (said);
}

/* On a terminal, messages come as they are, in clang's colours; in a log they are text like other
 * text of strangers. */
static bool compile (const char *compiler, const char *path, const LoadOptions *o, Str *ir) {
  int ends[2], says[2] = {-1, -1};
  Str messages = {0};
  bool is_taken = o->said || !isatty (STDERR_FILENO);
  if (pipe2 (ends, O_CLOEXEC) || (is_taken && pipe2 (says, O_CLOEXEC)))
    die_input ("cannot make a pipe: %s", strerror (errno));
  pid_t pid = spawn_compiler (compiler, path, o, NULL, ends[1], says[1]);
  close (ends[1]);
  if (is_taken) close (says[1]);
  read_two (ends[0], says[0], o->deadline, ir, &messages);
  plain_lines (&messages.text);
  if (messages.length && o->said) str_add (o->said, messages.text);
  if (messages.length && !o->said) fputs (messages.text, stderr);
  str_free (&messages);
  return wait_for_compiler (pid, compiler, path, o);
}

/* ---- the key of what is kept */

static void add_text (Str *key, const char *text) {
  str_printf (key, "%zu ", text ? strlen (text) : 0);
  str_add (key, text ? text : "");
}

static bool add_file (Str *key, const char *path) {
  size_t size;
  char *text = file_read_regular (path, &size);
  str_printf (key, "%zu ", text ? size : 0);
  if (text) str_add_n (key, text, size);
  bool is_there = text != NULL;
  mem_free (text);
  return is_there;
}

/* The name in a line `# 12 "name"` of preprocessed text. A 3 after it marks a header of the system,
 * in which columns are not needed. */
static char *named_file (const char *line, const char *end) {
  Str name = {0};
  line += 2 + strspn (line + 2, "0123456789");
  if (end - line < 3 || line[0] != ' ' || line[1] != '"' || line[2] == '<') return NULL;
  for (line += 2; line < end && *line != '"'; line++) {
    if (*line == '\\' && line + 1 < end) line++;
    str_add_n (&name, line, 1);
  }
  while (line < end && *line != '3') line++;
  if (line < end) str_free (&name);
  return name.text;
}

/* The files as they are: the preprocessor drops blanks, and with them the columns of reports. */
static void add_files (Str *key, const Str *text) {
  Map seen = {0};
  const char *stop = text->text + text->length;
  for (const char *at = text->text, *end; at < stop; at = end + 1) {
    u64 once;
    if (!(end = memchr (at, '\n', (size_t)(stop - at)))) end = stop;
    char *name = end - at > 4 && at[0] == '#' && at[1] == ' ' ? named_file (at, end) : NULL;
    u64 hash = name ? hash_bytes (name, strlen (name), 1) : 0;
    if (name && !map_get (&seen, hash, &once)) {
      map_put (&seen, hash, 1);
      add_text (key, name);
      add_file (key, name);
    }
    mem_free (name);
  }
  map_free (&seen);
}

/* What clang compiles and how it does that, as it says itself: whatever was looked for, found or
 * not, in files, directories and variables of the environment, shows there. */
static bool preprocess (const char *compiler, const char *path, const LoadOptions *o, Str *text) {
  int ends[2], status = 0;
  if (pipe2 (ends, O_CLOEXEC)) return false;
  pid_t pid = spawn_compiler (compiler, path, o, "--preprocess", ends[1], ends[1]);
  close (ends[1]);
  read_all (ends[0], o->deadline, text);
  if (load_is_up (o->deadline)) kill (-pid, SIGKILL);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED (status) && !WEXITSTATUS (status) && text->length;
}

/* Everything that decides what porf-cc prints; false if that cannot be told. */
static bool cache_key (const char *compiler, const char *path, const LoadOptions *o, Str *key) {
  Str all = {0}, text = {0};
  struct stat st;
  char *here = getcwd (NULL, 0);
  bool ok = here && !stat (compiler, &st);
  if (ok)
    str_printf (&all, "%llu %llu %lld %lld %lld %lld ", (unsigned long long)st.st_ino,
                (unsigned long long)st.st_size, (long long)st.st_mtim.tv_sec,
                (long long)st.st_mtim.tv_nsec, (long long)st.st_ctim.tv_sec,
                (long long)st.st_ctim.tv_nsec);
  add_text (&all, compiler);
  add_text (&all, here);
  add_text (&all, path);
  for (int i = 0; i < o->ncflags; i++) add_text (&all, o->cflags[i]);
  ok = ok && add_file (&all, path); /* which the preprocessor may leave as it is, and not show */
  bool is_code = ends_with (path, ".bc") || ends_with (path, ".ll");
  if (ok && !is_code && (ok = preprocess (compiler, path, o, &text))) {
    add_files (&all, &text);
    str_add_n (&all, text.text, text.length);
  }
  if (ok) sha256 (all.text, all.length, key);
  str_free (&all);
  str_free (&text);
  free (here);
  return ok;
}

static bool obtain_ir (const char *path, const LoadOptions *o, Str *ir) {
  if (access (path, R_OK)) {
    if (o->may_fail) return false;
    die_input ("cannot read %s: %s", path, strerror (errno));
  }
  char *compiler = find_compiler ();
  if (!compiler) die_input ("porf-cc is needed to read %s and was not found", path);
  Str key = {0};
  bool has_key = !o->no_cache && cache_key (compiler, path, o, &key);
  char *entry = has_key ? cache_path (key.text, ".ir") : NULL;
  bool ok = entry && cache_read (entry, key.text, ir);
  if (!ok) {
    str_clear (ir);
    ok = compile (compiler, path, o, ir);
    if (ok && entry) cache_write (entry, key.text, ir);
  }
  str_free (&key);
  mem_free (entry);
  mem_free (compiler);
  return ok;
}

static Program *parse (const char *text, size_t size, const char *path, bool is_ours) {
  IrError e = {0};
  Program *p = ir_parse (text ? text : "", size, &e);
  if (p) return p;
  if (!is_ours) die_input ("%s:%u:%u: %s", path, e.line, e.column, e.message);
  tell_user ("%s: line %u: %s", path, e.line, e.message);
  BUG ("porf-cc printed invalid IR");
}

Program *load_file (const char *path, const LoadOptions *o) {
  Str text = {0};
  bool is_ir = ends_with (path, ".ir");
  if (is_ir) {
    size_t size;
    char *read = file_read (path, &size);
    if (!read) die_input ("cannot read %s: %s", path, strerror (errno));
    str_add_n (&text, read, size);
    mem_free (read);
  } else if (!obtain_ir (path, o, &text)) {
    str_free (&text);
    return NULL;
  }
  Program *p = parse (text.text, text.length, path, !is_ir);
  str_free (&text);
  return p;
}

bool load_is_source (const char *path) {
  static const char *const others[] = {".litmus", ".ir", ".ll", ".bc"};
  for (u32 i = 0; i < ARRAY_SIZE (others); i++)
    if (ends_with (path, others[i])) return false;
  return true;
}

/* ---- litmus tests: C programs that are kept in the cache, as if the user had written them
 * there */

bool load_is_litmus (const char *path) { return ends_with (path, ".litmus"); }

/* A file with that text; *is_temporary: it is to be removed. The caller frees the name. */
static char *file_with_text (const Str *text, const LoadOptions *o, bool *is_temporary) {
  Str key = {0}, draft = {0};
  sha256 (text->text, text->length, &key);
  char *path = o->no_cache ? NULL : cache_path (key.text, ".c");
  str_free (&key);
  *is_temporary = !path || !cache_keep_text (path, text);
  if (!*is_temporary) return path;
  mem_free (path);
  const char *place = getenv ("TMPDIR");
  str_printf (&draft, "%s/porf-XXXXXX.c", place && *place ? place : "/tmp");
  int fd = mkstemps (draft.text, 2);
  if (fd < 0 || write (fd, text->text, text->length) != (ssize_t)text->length || close (fd)) {
    if (fd >= 0) unlink (draft.text);
    die_input ("cannot write `%s`: %s", draft.text, strerror (errno));
  }
  return draft.text;
}

/* Also if it cannot be compiled. */
static bool obtain_and_remove (const char *file, bool is_temporary, const LoadOptions *o, Str *ir) {
  DieTrap trap, *before;
  if (!is_temporary) return obtain_ir (file, o, ir);
  before = die_set_trap (&trap);
  if (setjmp (trap.jump)) {
    die_set_trap (before);
    unlink (file);
    die (trap.code, trap.message);
  }
  bool ok = obtain_ir (file, o, ir);
  die_set_trap (before);
  unlink (file);
  return ok;
}

Program *load_litmus (const char *path, const LoadOptions *o, Litmus *l) {
  Str error = {0}, ir = {0};
  size_t size;
  bool is_temporary;
  char *text = file_read (path, &size);
  if (!text) die_input ("cannot read %s: %s", path, strerror (errno));
  bool ok = litmus_read (l, text, path, &error);
  mem_free (text);
  if (!ok) {
    plain_lines (&error.text);
    tell_user ("%s", error.text);
    str_free (&error);
    return NULL;
  }
  if (l->is_ir) return parse (l->program.text, l->program.length, path, true);
  char *file = file_with_text (&l->program, o, &is_temporary);
  ok = obtain_and_remove (file, is_temporary, o, &ir);
  Program *p = ok ? parse (ir.text, ir.length, path, true) : NULL;
  str_free (&ir);
  mem_free (file);
  return p;
}

static void link_library (Program *p, const char *text, size_t size,
                          void (*link) (Program *p, Program *library)) {
  IrError e = {0};
  Program *library = size ? ir_parse_library (text, size, &e) : program_new ();
  if (!library) BUG (e.message);
  link (p, library);
  program_free (library);
}

void load_library (Program *p, const char *name) {
  Str why = {0};
  if (program_is_cplusplus (p))
    link_library (p, porf_runtime_cxx_ir, porf_runtime_cxx_ir_size, ir_link_first);
  link_library (p, porf_runtime_ir, porf_runtime_ir_size, ir_link);
  if (!ir_check (p, &why)) die_input ("%s: %s", name, why.text);
  str_free (&why);
}
