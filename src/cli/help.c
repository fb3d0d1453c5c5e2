/* help.c - what --help prints, from the tables of commands and options. At most 80 columns. */
#include "cli/help.h"

#include "session/scope.h"

enum { WIDTH = 80, COMMAND_COLUMN = 13, OPTION_COLUMN = 26 };

/* `left`, and from `column` on the text, broken between words. */
static void add_row (Str *out, const char *left, const char *text, u32 column) {
  u32 at = 2 + (u32)strlen (left);
  str_printf (out, "  %s", left);
  if (at + 1 > column) at = WIDTH;
  for (bool is_first = true; *text; is_first = false) {
    u32 n = (u32)strcspn (text, " ");
    if (at + !is_first + n > WIDTH) {
      str_printf (out, "\n%*s", (int)column, "");
      at = column;
    } else if (is_first) {
      str_printf (out, "%*s", (int)(column - at), "");
      at = column;
    } else {
      str_add (out, " ");
      at++;
    }
    str_add_n (out, text, n);
    at += n;
    text += n + (text[n] == ' ');
  }
  str_add (out, "\n");
}

static void add_option (Str *out, OptionInfo o) {
  Str left = {0};
  if (o.letter) str_printf (&left, "-%c, ", o.letter);
  str_printf (&left, "--%s%s%s", o.name, o.argument ? " " : "", o.argument ? o.argument : "");
  add_row (out, left.text, o.help, OPTION_COLUMN);
  str_free (&left);
}

static void add_options (Str *out, CommandId topic) {
  const char *group = NULL;
  bool is_long = topic == COMMAND_help || option_is_for (OPTION_model, topic);
  if (!is_long) str_add (out, "\nOptions:\n");
  for (u32 i = 0; option_info (i).name; i++) {
    OptionInfo o = option_info (i);
    if (topic == COMMAND_help ? group && o.group != group : !option_is_for ((OptionId)i, topic))
      continue;
    if (is_long && o.group != group) str_printf (out, "\n%s:\n", o.group);
    group = o.group;
    add_option (out, o);
  }
}

static void add_commands (Str *out) {
  str_add (out, "porf checks every execution of a concurrent C or C++ program that a memory model\n"
                "allows.\n\n"
                "  porf [COMMAND] [OPTIONS] FILE... [-- CFLAGS]\n\n"
                "Commands:\n");
  for (u32 i = 0; command_name (i); i++)
    add_row (out, command_name (i), command_meaning (i), COMMAND_COLUMN);
  str_add (out, "\n`porf file.c` means `porf check -m rc11 file.c`. A file with a\n"
                "`main` is a program, together with the given files that have none.\n"
                "-D, -I, -U and -std= are passed to the compiler, as is everything after `--`.\n"
                "`porf COMMAND --help` lists all options of a command.\n");
}

static void add_command (Str *out, CommandId id) {
  const char *const parts[] = {"porf ", command_name (id),    " ", command_arguments (id),
                               "\n  ",  command_meaning (id), "\n"};
  for (u32 i = 0; i < ARRAY_SIZE (parts); i++) str_add (out, parts[i]);
}

static void add_exit_codes (Str *out, CommandId topic) {
  str_add (out,
           "\nExit code: 0 every execution explored, no violation; 42 violation; 3 incomplete;\n"
           "2 wrong input or command line; 70 a bug in porf");
  if (topic == COMMAND_compare) str_add (out, "; 1 outcomes differ");
  if (topic == COMMAND_test || topic == COMMAND_svcomp)
    str_add (out, ";\n1 an expected violation did not occur");
  str_add (out, ".\n");
}

void help_write (CommandId topic, Str *out) {
  if (topic == COMMAND_help)
    add_commands (out);
  else
    add_command (out, topic);
  add_options (out, topic);
  add_exit_codes (out, topic);
}
