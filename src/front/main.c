/* porf-cc - C files and LLVM modules to porf IR. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/plain.h"
#include "front/front.h"

static const char usage[] =
    "usage: porf-cc [-o OUT.ir] [--deps FILE] FILE.c|.cpp|.ll|.bc [-- CFLAGS]\n"
    "Compiles one file with clang and writes it as porf IR, to standard output unless -o is "
    "given.\n"
    "  --deps FILE   also write the list of files that were read, as make rules\n"
    "  --preprocess  only print what clang would compile, and how: the same text gives the same "
    "IR\n"
    "  $PORF_CLANG   the clang to use\n";

static const char *next_argument (int argc, char **argv, int *i) {
  if (*i + 1 >= argc) die_input ("%s needs an argument", argv[*i]);
  return argv[++*i];
}

static FrontOptions read_arguments (int argc, char **argv) {
  FrontOptions o = {0};
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    if (!strcmp (a, "--help") || !strcmp (a, "-h")) {
      fputs (usage, stdout);
      exit (EXIT_PASS);
    } else if (!strcmp (a, "--")) {
      o.cflags = argv + i + 1;
      o.ncflags = argc - i - 1;
      break;
    } else if (!strcmp (a, "-o")) {
      o.output = next_argument (argc, argv, &i);
    } else if (!strcmp (a, "--deps")) {
      o.deps = next_argument (argc, argv, &i);
    } else if (!strcmp (a, "--preprocess")) {
      o.preprocesses = true;
    } else if (a[0] == '-' && a[1]) {
      die_input ("unknown option %s (compiler flags come after --)", a);
    } else if (o.input) {
      die_input ("one file at a time: %s and %s", o.input, a);
    } else {
      o.input = a;
    }
  }
  if (!o.input) die_input ("no file to compile; see porf-cc --help");
  return o;
}

static Bytes read_module_file (const char *path) {
  Bytes b = {0};
  b.data = file_read (path, &b.size);
  if (!b.data) die_input ("cannot read %s: %s", path, strerror (errno));
  return b;
}

static void write_output (const FrontOptions *o, const Str *text) {
  bool is_file = o->output && strcmp (o->output, "-");
  FILE *f = is_file ? fopen (o->output, "w") : stdout;
  if (!f) die_input ("cannot write %s: %s", o->output, strerror (errno));
  bool ok = fwrite (text->text, 1, text->length, f) == text->length;
  if (fflush (f) || !ok || (is_file && fclose (f))) {
    if (is_file) unlink (o->output);
    die_input ("cannot write %s: %s", is_file ? o->output : "standard output", strerror (errno));
  }
}

int main (int argc, char **argv) {
  struct rlimit data;
  signals_reset ();
  prctl (PR_SET_PDEATHSIG, SIGKILL);     /* what is not waited for is not compiled */
  if (!getrlimit (RLIMIT_DATA, &data)) { /* porf's --memory is not for compilers */
    data.rlim_cur = data.rlim_max;
    setrlimit (RLIMIT_DATA, &data);
  }
  stderr = plain_stream (STDERR_FILENO, PLAIN_TEXT);
  setvbuf (stderr, NULL, _IONBF, 0);
  FrontOptions o = read_arguments (argc, argv);
  Str text = {0}, why = {0};
  bool is_source = path_is_source (o.input);
  if (o.preprocesses && is_source) return clang_preprocess (&o);
  Clang clang = is_source ? clang_start (&o) : (Clang){0};
  LLVMContextRef context = LLVMContextCreate ();
  Bytes bytes = is_source ? clang_finish (clang, &o) : read_module_file (o.input);
  LLVMModuleRef m = module_read (context, bytes, o.input);
  output_add_accesses (m);
  module_tidy (m, o.input);
  Program *p = lower_module (m, is_source);
  if (!ir_check (p, &why)) {
    fprintf (stderr, "porf-cc: the lowered program breaks an invariant: %s\n", why.text);
    BUG ("lowering");
  }
  ir_print (p, &text);
  write_output (&o, &text);
  fflush (stdout);
  _exit (EXIT_PASS); /* tearing LLVM down takes longer than the lowering */
}
