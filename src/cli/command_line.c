/* command_line.c - reads words: commands, options, files, and flags for the compiler. */
#include "cli/command_line.h"
#include "session/flags.h"

typedef struct Reader {
  Args *args;
  char **argv;
  int argc, at;
  Str *error;
  bool is_header; /* of a test: not everything is allowed */
} Reader;

/* Whether the value of an option names a file that is not below this directory. */
static bool leads_outside (const char *argument, const char *value) {
  if (strcmp (argument, "FILE") && strcmp (argument, "MODEL")) return false;
  return *value == '/' || strstr (value, ",/") || strstr (value, "..");
}

static bool refuse (Reader *r, const char *what, const char *shown) {
  str_printf (r->error, "%s `%s` in the header of a test needs `porf test --trust`", what, shown);
  return false;
}

static bool take (Reader *r, const Option *o, const char *shown, const char *value) {
  const char *argument = option_argument (o);
  if (r->is_header && !option_is_safe (o)) return refuse (r, "option", shown);
  if (argument && !value && r->at < r->argc) value = r->argv[r->at++];
  if (r->is_header && argument && value && leads_outside (argument, value))
    return refuse (r, "file", value);
  return option_set (r->args, o, shown, value, r->error);
}

/* --name, --name=value, --name value */
static bool read_long (Reader *r, const char *arg) {
  size_t n = strcspn (arg + 2, "=");
  Str shown = {0};
  str_add_n (&shown, arg, n + 2);
  const Option *o = option_find (shown.text + 2, r->error);
  bool fine = o && take (r, o, shown.text, arg[2 + n] ? arg + 3 + n : NULL);
  str_free (&shown);
  return fine;
}

/* -m rc11, -mrc11, -q */
static bool read_short (Reader *r, const char *arg) {
  const Option *o = option_by_letter (arg[1]);
  char shown[] = {'-', arg[1], 0};
  if (o && (!arg[2] || option_argument (o))) return take (r, o, shown, arg[2] ? arg + 2 : NULL);
  str_printf (r->error, "unknown option `%s`; flags for the compiler go after `--`", arg);
  return false;
}

/* The flags that nearly every program needs are passed on to the compiler also without `--`. */
static bool is_compiler_flag (const char *arg) {
  return (arg[1] && strchr ("DIU", arg[1])) || !strncmp (arg, "-std=", 5);
}

static bool read_compiler_flag (Reader *r, char *arg) {
  vec_push (&r->args->cflags, arg);
  if (arg[2]) return true;
  if (r->at >= r->argc) {
    str_printf (r->error, "option `%s` needs a value", arg);
    return false;
  }
  vec_push (&r->args->cflags, r->argv[r->at++]);
  return true;
}

static bool read_one (Reader *r) {
  char *arg = r->argv[r->at++];
  if (!strcmp (arg, "--")) {
    while (r->at < r->argc) vec_push (&r->args->cflags, r->argv[r->at++]);
    return true;
  }
  if (arg[0] != '-' || !arg[1]) {
    vec_push (&r->args->files, arg);
    return true;
  }
  if (is_compiler_flag (arg)) return read_compiler_flag (r, arg);
  return arg[1] == '-' ? read_long (r, arg) : read_short (r, arg);
}

/* A first word that names a command is one; every other is a file. */
static void read_command (Reader *r) {
  if (r->at >= r->argc) return;
  for (u32 i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp (r->argv[r->at], command_name (i))) continue;
    r->args->command = r->args->topic = (CommandId)i;
    r->at++;
    return;
  }
}

/* porf help COMMAND */
static bool read_topic (Args *a, Str *error) {
  const char *word = a->files.size ? a->files.data[0] : NULL;
  if (a->command != COMMAND_help || a->help || !word) return true;
  for (u32 i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp (word, command_name (i))) continue;
    a->topic = (CommandId)i;
    return true;
  }
  str_printf (error, "no such command `%s`", word);
  option_did_you_mean (error, "porf help ", option_suggest (word, command_name));
  return false;
}

bool args_parse (Args *a, int argc, char **argv, Str *error) {
  *a = args_default ();
  Reader r = {.args = a, .argv = argv, .argc = argc, .at = 1, .error = error};
  read_command (&r);
  while (r.at < argc)
    if (!read_one (&r)) return false;
  if (a->version) a->command = COMMAND_version;
  if (!read_topic (a, error)) return false;
  if (a->help || argc < 2) a->command = COMMAND_help;
  bool takes_files = a->command == COMMAND_check || a->command == COMMAND_outcomes ||
                     a->command == COMMAND_compare || a->command == COMMAND_optimize;
  if (a->command == COMMAND_test && !a->files.size) vec_push (&a->files, ".");
  if ((takes_files || a->command == COMMAND_svcomp) && !a->files.size) {
    str_add (error, "no input file; `porf --help` shows how to use it");
    return false;
  }
  return !takes_files || args_files_exist (a, error);
}

bool args_parse_more (Args *a, int argc, char **argv, Str *error) {
  Reader r = {.args = a, .argv = argv, .argc = argc, .error = error};
  while (r.at < argc)
    if (!read_one (&r)) return false;
  return args_files_exist (a, error);
}

/* Puts flags that are allowed into the place of those after the first `given`. */
static bool keep_allowed_flags (Reader *r, u32 given) {
  Args *a = r->args;
  Words words = {0}, allowed = {0};
  bool fine = true;
  for (u32 i = given; i < a->cflags.size; i++) vec_push (&words, a->cflags.data[i]);
  for (u32 at = 0, flag; at < words.size && fine;) {
    flag = at;
    fine = flag_take (&words, &at, NULL, &allowed) || refuse (r, "flag", words.data[flag]);
  }
  a->cflags.size = given;
  for (u32 i = 0; i < allowed.size; i++) vec_push (&a->cflags, allowed.data[i]);
  vec_free (&words);
  vec_free (&allowed);
  return fine;
}

bool args_parse_header (Args *a, int argc, char **argv, Str *error) {
  Reader r = {.args = a, .argv = argv, .argc = argc, .error = error, .is_header = true};
  u32 given = a->cflags.size;
  while (r.at < argc)
    if (!read_one (&r)) return false;
  return keep_allowed_flags (&r, given) && args_files_exist (a, error);
}
