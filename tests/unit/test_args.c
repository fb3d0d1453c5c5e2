/* test_args.c - the command line: what is understood, and what is said about the rest. */
#include "unit/test.h"

#include "cli/command_line.c"
#include "cli/help.c"

enum { MAX_WORDS = 12 };

static bool parse (const char *line, Args *a, Str *error, char *copy, char **argv) {
  int argc = 0;
  strcpy (copy, line);
  argv[argc++] = (char *)"porf";
  for (char *word = strtok (copy, " "); word; word = strtok (NULL, " ")) argv[argc++] = word;
  return args_parse (a, argc, argv, error);
}

#define PARSE(line)                                                                                \
  char copy[200], *argv[MAX_WORDS];                                                                \
  Args a;                                                                                          \
  Str error = {0};                                                                                 \
  bool fine = parse (line, &a, &error, copy, argv)
#define DONE                                                                                       \
  args_free (&a);                                                                                  \
  str_free (&error)

/* Files must exist: /dev/null stands for one. */
static void test_errors (void) {
  static const struct {
    const char *line, *message;
  } rows[] = {
      {"--modle sc /dev/null", "unknown option `--modle`; did you mean `--model`?"},
      {"--kep-going /dev/null", "did you mean `--keep-going`?"},
      {"--zzzzzzzzzzzz /dev/null", "unknown option `--zzzzzzzzzzzz`"},
      {"--unroll x /dev/null", "option `--unroll` needs a whole number, not `x`"},
      {"--unroll -1 /dev/null", "needs a whole number, not `-1`"},
      {"--seed -1 /dev/null", "option `--seed` needs a whole number, not `-1`"},
      {"--unroll=99999999999 /dev/null", "needs a whole number"},
      {"/dev/null --unroll", "option `--unroll` needs a whole number"},
      {"--timeout nan /dev/null", "option `--timeout` needs a number of seconds, not `nan`"},
      {"--nondet 3..1 /dev/null", "needs a range LO..HI or a list A,B,..., not `3..1`"},
      {"--nondet 3,x /dev/null", "not `3,x`"},
      {"--keep-going=1 /dev/null", "option `--keep-going` takes no value"},
      {"--format yaml /dev/null",
       "option `--format` needs text, json, html, dot, patch, sarif, junit, "
       "github, graphml or witness, not `yaml`"},
      {"--save x.pdf /dev/null", "option `--save`: the suffix of `x.pdf` is not one of .json"},
      {"--engine steam /dev/null", "option `--engine` needs"},
      {"--dump=ir,nothing /dev/null", "needs a list of ir, effects, graph"},
      {"--dump= /dev/null", "needs a list of ir, effects, graph"},
      {"-x /dev/null", "unknown option `-x`"},
      {"check", "no input file"},
      {"-", "a program cannot be read from standard input"},
      {"/tmp", "`/tmp` is a directory"},
      {"optimize", "no input file"},
      {"outcomes", "no input file"},
      {"chekc", "no such command or file `chekc`; did you mean `porf check`?"},
      {"no/such.c", "no such file `no/such.c`"},
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    PARSE (rows[i].line);
    bool same = !fine && error.text && strstr (error.text, rows[i].message);
    if (!same) fprintf (stderr, "%s: %s\n", rows[i].line, error.text ? error.text : "accepted");
    CHECK (same);
    DONE;
  }
}

static void test_defaults (void) {
  PARSE ("/dev/null");
  CHECK (fine && a.command == COMMAND_check && !strcmp (a.model, "rc11"));
  CHECK (a.races && !a.reduce.none && !a.reduce.off && a.cache && !a.keep_going && !a.nondet.given);
  CHECK (!strcmp (a.format->name, "text") && a.files.size == 1 && a.cflags.size == 0);
  DONE;
}

static void test_values (void) {
  PARSE ("check -m sc --unroll=7 --timeout 1.5 --nondet -2..5 --no-race --format=json /dev/null");
  CHECK (fine && !strcmp (a.model, "sc") && a.unroll == 7 && a.timeout > 1.4 && a.timeout < 1.6);
  CHECK (a.nondet.given && a.nondet.low == -2 && a.nondet.high == 5);
  CHECK (!a.races && !strcmp (a.format->name, "json"));
  DONE;
}

static void test_more_values (void) {
  PARSE ("-mtso --dump=ir,graph --color never -o out --reduce=none --max-executions 12345678901 "
         "/dev/null");
  CHECK (fine && !strcmp (a.model, "tso") && a.dump == (DUMP_IR | DUMP_GRAPH));
  CHECK (a.color == WHEN_NEVER && !strcmp (a.output, "out") && a.reduce.none);
  CHECK (a.max_executions == 12345678901ull);
  DONE;
}

static void test_compiler_flags (void) {
  PARSE ("-DN=3 -I include /dev/null -std=c17 -- -O2 --weird x.c");
  static const char *const given[] = {"-DN=3", "-I",      "include", "-std=c17",
                                      "-O2",   "--weird", "x.c"};
  CHECK (fine && a.files.size == 1 && a.cflags.size == ARRAY_SIZE (given));
  for (u32 i = 0; i < a.cflags.size; i++) CHECK (!strcmp (a.cflags.data[i], given[i]));
  DONE;
}

static void test_commands (void) {
  static const struct {
    const char *line;
    CommandId command;
  } rows[] = {{"models", COMMAND_models}, {"--version", COMMAND_version},
              {"-h", COMMAND_help},       {"check -h", COMMAND_help},
              {"", COMMAND_help},         {"version", COMMAND_version}};
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    PARSE (rows[i].line);
    CHECK (fine && a.command == rows[i].command);
    DONE;
  }
}

static void test_help_names_every_option (void) {
  Str out = {0};
  for (u32 i = 0; i < COMMAND_COUNT; i++) help_write ((CommandId)i, &out);
  for (u32 i = 0; option_info (i).name; i++) CHECK (strstr (out.text, option_info (i).name));
  str_free (&out);
}

int main (void) {
  test_errors ();
  test_defaults ();
  test_values ();
  test_more_values ();
  test_compiler_flags ();
  test_commands ();
  test_help_names_every_option ();
  return test_summary ();
}
