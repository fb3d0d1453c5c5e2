#include "cli/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/cache.h"

extern char **environ;

/* build/runtime.ir, put into the binary by the build */
extern const char porf_runtime_ir[];
extern const size_t porf_runtime_ir_size;

static bool ends_with (const char *text, const char *tail) {
  size_t n = strlen (text), k = strlen (tail);
  return n >= k && !strcmp (text + n - k, tail);
}

/* `file` is porf or the library; porf-cc stands beside it, or in the bin of where it is installed.
 */
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

static u64 hash_text (u64 h, const char *text) {
  return text ? hash_bytes (text, strlen (text) + 1, h) : hash_mix (h, 0);
}

/* Everything but the contents of files that decides what porf-cc prints. */
static u64 cache_key (const char *compiler, const char *path, const LoadOptions *o) {
  static const char *const variables[] = {"PORF_CLANG", "CPATH", "C_INCLUDE_PATH",
                                          "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"};
  struct stat st = {0};
  char *here = getcwd (NULL, 0);
  u64 h = hash_text (3, compiler);
  if (!stat (compiler, &st)) {
    h = hash_mix (h, (u64)st.st_size);
    h = hash_mix (h, (u64)st.st_mtim.tv_sec * 1000000000 + (u64)st.st_mtim.tv_nsec);
  }
  h = hash_text (hash_text (h, here), path);
  for (int i = 0; i < o->ncflags; i++) h = hash_text (h, o->cflags[i]);
  for (u32 i = 0; i < ARRAY_SIZE (variables); i++) h = hash_text (h, getenv (variables[i]));
  free (here);
  return h;
}

typedef VEC (char *) Args;

static pid_t spawn_compiler (const char *compiler, const char *path, const LoadOptions *o, int deps,
                             int out, int said) {
  char place[40];
  Args args = {0};
  Str input = {0};
  vec_push (&args, "porf-cc");
  if (deps >= 0) {
    snprintf (place, sizeof place, "/dev/fd/%d", deps);
    vec_push (&args, "--deps");
    vec_push (&args, place);
  }
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
  pid_t pid;
  int error = posix_spawn (&pid, compiler, &actions, NULL, args.data, environ);
  posix_spawn_file_actions_destroy (&actions);
  vec_free (&args);
  str_free (&input);
  if (error) die_input ("cannot run %s: %s", compiler, strerror (error));
  return pid;
}

/* A failed compilation has been explained by clang or porf-cc already. */
static bool wait_for_compiler (pid_t pid, const char *path, const LoadOptions *o) {
  int status = 0;
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED (status) && o->said) return false;
  if (WIFSIGNALED (status)) {
    fprintf (stderr, "porf: porf-cc crashed on %s\n", path);
    die (EXIT_BUG, "");
  }
  if (WEXITSTATUS (status) && !o->may_fail) die (WEXITSTATUS (status), "");
  return !WEXITSTATUS (status);
}

static void read_all (int fd, Str *out) {
  char part[65536];
  ssize_t n;
  while ((n = read (fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0) str_add_n (out, part, (size_t)n);
  close (fd);
}

static void read_back (int memory, Str *out) {
  lseek (memory, 0, SEEK_SET);
  read_all (memory, out);
}

/* The list of dependencies comes through a file in memory: nothing to remove, whatever happens. */
static bool compile (const char *compiler, const char *path, const LoadOptions *o, bool want_deps,
                     Str *ir, Str *deps) {
  int ends[2], memory = want_deps && !access ("/dev/fd", X_OK) ? memfd_create ("porf-deps", 0) : -1;
  if (pipe2 (ends, O_CLOEXEC)) die_input ("cannot make a pipe: %s", strerror (errno));
  int said = o->said ? memfd_create ("porf-said", MFD_CLOEXEC) : -1;
  pid_t pid = spawn_compiler (compiler, path, o, memory, ends[1], said);
  close (ends[1]);
  read_all (ends[0], ir);
  bool ok = wait_for_compiler (pid, path, o);
  if (said >= 0) read_back (said, o->said);
  if (memory >= 0) read_back (memory, deps);
  return ok;
}

static bool obtain_ir (const char *path, const LoadOptions *o, Str *ir) {
  if (access (path, R_OK)) {
    if (o->may_fail) return false;
    die_input ("cannot read %s: %s", path, strerror (errno));
  }
  char *compiler = find_compiler ();
  if (!compiler) die_input ("porf-cc is needed to read %s and was not found", path);
  char *entry = o->no_cache ? NULL : cache_entry_path (cache_key (compiler, path, o));
  bool ok = true;
  if (!entry || !cache_read (entry, ir)) {
    Str deps = {0};
    str_clear (ir);
    ok = compile (compiler, path, o, entry != NULL, ir, &deps);
    if (ends_with (path, ".bc") || ends_with (path, ".ll")) str_printf (&deps, "x: %s", path);
    if (ok && entry && deps.length) cache_write (entry, deps.text, ir);
    str_free (&deps);
  }
  mem_free (entry);
  mem_free (compiler);
  return ok;
}

static Program *parse (const char *text, size_t size, const char *path, bool is_ours) {
  IrError e = {0};
  Program *p = ir_parse (text ? text : "", size, &e);
  if (p) return p;
  if (!is_ours) die_input ("%s:%u:%u: %s", path, e.line, e.column, e.message);
  fprintf (stderr, "porf: %s: line %u: %s\n", path, e.line, e.message);
  BUG ("porf-cc printed what cannot be read");
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

bool is_source (const char *path) {
  static const char *const others[] = {".litmus", ".ir", ".ll", ".bc"};
  for (u32 i = 0; i < ARRAY_SIZE (others); i++)
    if (ends_with (path, others[i])) return false;
  return true;
}

/* ---- litmus tests: C programs that are kept in the cache, as if somebody had written them there
 */

bool is_litmus (const char *path) { return ends_with (path, ".litmus"); }

/* A file with that text; *is_temporary: it is to be removed. The caller frees the name. */
static char *file_with_text (const Str *text, const LoadOptions *o, bool *is_temporary) {
  char *path = o->no_cache ? NULL : cache_entry_path (hash_bytes (text->text, text->length, 5));
  size_t size;
  char *old = NULL;
  *is_temporary = !path;
  if (path) strcpy (path + strlen (path) - 2, "c"); /* .ir becomes .c */
  if (path && (old = file_read (path, &size)) && size == text->length &&
      !memcmp (old, text->text, size)) {
    mem_free (old);
    return path;
  }
  mem_free (old);
  Str draft = {0};
  if (path) cache_make_directories (path);
  str_printf (&draft, "%s-XXXXXX.c", path ? path : "/tmp/porf");
  int fd = mkstemps (draft.text, 2);
  if (fd < 0 || write (fd, text->text, text->length) != (ssize_t)text->length || close (fd))
    die_input ("cannot write `%s`: %s", draft.text, strerror (errno));
  if (!path) return draft.text;
  if (rename (draft.text, path)) die_input ("cannot write `%s`: %s", path, strerror (errno));
  str_free (&draft);
  return path;
}

Program *load_litmus (const char *path, const LoadOptions *o, Litmus *l) {
  Str error = {0}, ir = {0};
  size_t size;
  bool is_temporary;
  char *text = file_read (path, &size);
  if (!text) die_input ("cannot read %s: %s", path, strerror (errno));
  if (!litmus_read (l, text, path, &error)) die_input ("%s", error.text);
  char *file = file_with_text (&l->program, o, &is_temporary);
  obtain_ir (file, o, &ir);
  if (is_temporary) unlink (file);
  Program *p = parse (ir.text, ir.length, path, true);
  str_free (&ir);
  mem_free (file);
  mem_free (text);
  return p;
}

void load_library (Program *p, const char *name) {
  Str why = {0};
  IrError e = {0};
  Program *runtime = porf_runtime_ir_size
                         ? ir_parse_library (porf_runtime_ir, porf_runtime_ir_size, &e)
                         : program_new ();
  if (!runtime) BUG (e.message);
  ir_link (p, runtime);
  program_free (runtime);
  if (!ir_check (p, &why)) die_input ("%s: %s", name, why.text);
  str_free (&why);
}
