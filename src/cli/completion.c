/* completion.c - porf completion: what shells and man want to know, from the tables of commands and
 * options. */
#include <ctype.h>

#include "cli/commands.h"
#include "cli/explain.h"
#include "models/model.h"

/* ---- words */

static void add_models (Str *out) {
  for (u32 i = 0; model_at (i); i++) str_printf (out, "%s%s", i ? " " : "", model_at (i)->name);
}

static void add_formats (Str *out) {
  for (u32 i = 0; report_at (i); i++) str_printf (out, "%s%s", i ? " " : "", report_at (i)->name);
}

static void add_reductions (Str *out) {
  str_add (out, "all none");
  for (u32 i = 0; reduction_name (i); i++) str_printf (out, " -%s", reduction_name (i));
}

/* The values of an argument that are worth listing. */
static void add_values (const char *argument, Str *out) {
  if (!strcmp (argument, "MODEL")) add_models (out);
  if (!strcmp (argument, "FORMAT")) add_formats (out);
  if (!strcmp (argument, "ENGINE")) str_add (out, "explore futures machine");
  if (!strcmp (argument, "PARTS")) add_reductions (out);
  if (!strcmp (argument, "WHEN")) str_add (out, "auto always never");
  if (!strcmp (argument, "WHAT")) str_add (out, "ir effects graph tree");
}

static bool is_path (const char *argument) {
  return !strcmp (argument, "FILE") || !strcmp (argument, "DIR");
}

static void add_quoted (Str *out, const char *text, const char *special) {
  for (; *text; text++) {
    if (strchr (special, *text)) str_add (out, "\\");
    str_add_n (out, text, 1);
  }
}

/* ---- shells */

/* What `porf explain` knows; names of several words are quoted by none of the shells, and left out. */
static void add_topics (Str *out) {
  const char *between = "";
  for (u32 i = 0; explain_topic (i); i++) {
    if (strchr (explain_topic (i), ' ')) continue;
    str_printf (out, "%s%s", between, explain_topic (i));
    between = " ";
  }
}

static void bash_option (OptionInfo o, Str *out) {
  Str values = {0};
  if (!o.argument) return;
  str_add (out, "    ");
  if (o.letter) str_printf (out, "-%c|", o.letter);
  add_values (o.argument, &values);
  str_printf (out, "--%s) ", o.name);
  if (values.length) str_printf (out, "COMPREPLY=($(compgen -W '%s' -- \"$cur\"))", values.text);
  if (!strcmp (o.argument, "MODEL"))
    str_add (out, "; COMPREPLY+=($(compgen -f -X '!*.@(cat|mcm)' -- \"$cur\"))");
  if (is_path (o.argument)) str_add (out, "COMPREPLY=($(compgen -f -- \"$cur\"))");
  str_add (out, values.length || is_path (o.argument) ? "; return ;;\n" : "return ;;\n");
  str_free (&values);
}

static void write_bash (Str *out) {
  str_add (out, "# bash completion for porf\n"
                "_porf () {\n"
                "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                "  case $prev in\n");
  for (u32 i = 0; option_info (i).name; i++) bash_option (option_info (i), out);
  str_add (out, "  esac\n  if [[ $cur == -* ]]; then\n    COMPREPLY=($(compgen -W '");
  for (u32 i = 0; option_info (i).name; i++) {
    if (option_info (i).letter) str_printf (out, "-%c ", option_info (i).letter);
    str_printf (out, "--%s ", option_info (i).name);
  }
  str_add (out, "' -- \"$cur\"))\n    return\n  fi\n"
                "  if [ \"${COMP_WORDS[1]}\" = explain ]; then\n    COMPREPLY=($(compgen -W '");
  add_topics (out);
  str_add (out, "' -- \"$cur\"))\n    return\n  fi\n  COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY+=($(compgen -W '");
  for (u32 i = 0; command_name (i); i++) str_printf (out, "%s ", command_name (i));
  str_add (out, "' -- \"$cur\"))\n  fi\n}\ncomplete -o filenames -F _porf porf\n");
}

static void zsh_option (OptionInfo o, Str *out) {
  Str values = {0};
  str_add (out, "    ");
  if (o.letter)
    str_printf (out, "'(-%c --%s)'{-%c,--%s}'[", o.letter, o.name, o.letter, o.name);
  else
    str_printf (out, "'--%s[", o.name);
  for (const char *s = o.help; *s; s++) {
    if (strchr ("[]:\\", *s)) str_add (out, "\\");
    if (*s == '\'')
      str_add (out, "'\\''");
    else
      str_add_n (out, s, 1);
  }
  str_add (out, "]");
  if (o.argument) {
    str_add (out, ":");
    add_quoted (out, o.argument, "[]:\\");
    add_values (o.argument, &values);
    if (values.length) str_printf (out, ":(%s)", values.text);
    if (is_path (o.argument)) str_add (out, ":_files");
  }
  str_add (out, "' \\\n");
  str_free (&values);
}

static void write_zsh (Str *out) {
  str_add (out, "#compdef porf\n_porf () {\n  local -a commands\n  commands=(\n");
  for (u32 i = 0; command_name (i); i++) {
    str_printf (out, "    '%s:", command_name (i));
    add_quoted (out, command_meaning (i), ":");
    str_add (out, "'\n");
  }
  str_add (out, "  )\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
                "    _describe command commands\n    _files\n    return\n  fi\n"
                "  if [[ $words[2] == explain ]]; then\n    compadd -- ");
  add_topics (out);
  str_add (out, "\n    return\n  fi\n  _arguments -s \\\n");
  for (u32 i = 0; option_info (i).name; i++) zsh_option (option_info (i), out);
  str_add (out, "    '*:file:_files'\n}\n_porf \"$@\"\n");
}

static void fish_help (Str *out, const char *help) {
  str_add (out, " -d '");
  add_quoted (out, help, "'\\");
  str_add (out, "'\n");
}

static void write_fish (Str *out) {
  str_add (out, "# fish completion for porf\n");
  for (u32 i = 0; command_name (i); i++) {
    str_printf (out, "complete -c porf -n __fish_use_subcommand -a %s", command_name (i));
    fish_help (out, command_meaning (i));
  }
  str_add (out, "complete -c porf -f -n '__fish_seen_subcommand_from explain' -a '");
  add_topics (out);
  str_add (out, "'\n");
  for (u32 i = 0; option_info (i).name; i++) {
    OptionInfo o = option_info (i);
    Str values = {0};
    str_printf (out, "complete -c porf -l %s", o.name);
    if (o.letter) str_printf (out, " -s %c", o.letter);
    if (o.argument) add_values (o.argument, &values);
    if (o.argument) str_add (out, is_path (o.argument) ? " -r -F" : " -x");
    if (values.length) str_printf (out, " -a '%s'", values.text);
    fish_help (out, o.help);
    str_free (&values);
  }
}

/* ---- man */

static void roff (Str *out, const char *text) {
  if (*text == '.' || *text == '\'') str_add (out, "\\&");
  for (; *text; text++) {
    if (*text == '-' || *text == '\\')
      str_add (out, *text == '-' ? "\\-" : "\\e");
    else
      str_add_n (out, text, 1);
  }
}

static void roff_section (Str *out, const char *title) {
  str_add (out, ".SH ");
  for (; *title; title++) {
    char upper = (char)toupper ((u8)*title);
    str_add_n (out, &upper, 1);
  }
  str_add (out, "\n");
}

static void man_commands (Str *out) {
  for (u32 i = 0; command_name (i); i++) {
    str_printf (out, ".TP\n\\fBporf %s\\fR \\fI", command_name (i));
    roff (out, command_arguments (i));
    str_add (out, "\\fR\n");
    roff (out, command_meaning (i));
    str_add (out, "\n");
  }
}

static void man_options (Str *out) {
  const char *group = NULL;
  for (u32 i = 0; option_info (i).name; i++) {
    OptionInfo o = option_info (i);
    if (o.group != group) {
      str_add (out, ".SS ");
      roff (out, o.group);
      str_add (out, "\n");
    }
    group = o.group;
    str_add (out, ".TP\n.B ");
    if (o.letter) str_printf (out, "\\-%c, ", o.letter);
    str_add (out, "\\-\\-");
    roff (out, o.name);
    if (o.argument) {
      str_add (out, " \\fI");
      roff (out, o.argument);
      str_add (out, "\\fR");
    }
    str_add (out, "\n");
    roff (out, o.help);
    str_add (out, "\n");
  }
}

static void man_examples (Str *out) {
  static const struct {
    const char *command, *meaning;
  } rows[] = {
      {"porf queue.c", "check a program under rc11"},
      {"porf check -m armv8 --keep-going main.c queue.c -- -O2 -DN=3",
       "a program of two files as compiled for ARMv8; report every violation"},
      {"porf check --save report.html --patch fix.patch queue.c",
       "also write a page to step through, and the verified fix as a patch"},
      {"porf check --unroll 3 --timeout 60 queue.c", "bound loops and time"},
      {"porf check --format json -o r.json queue.c && porf replay r.json",
       "step through the counterexample"},
      {"porf compare -m sc,rc11 mp.c", "outcomes that rc11 allows and sc forbids"},
      {"porf optimize -m rc11,armv8 --patch weaker.patch lock.c",
       "the weakest memory orders that are still correct under both models"},
      {"porf test -j 4 --format junit -o report.xml tests",
       "every file below tests that has a `// porf:` header"},
      {"porf explain race", "what a finding means, with an example"},
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    str_add (out, ".TP\n.B ");
    roff (out, rows[i].command);
    str_add (out, "\n");
    roff (out, rows[i].meaning);
    str_add (out, "\n");
  }
}

static void write_man (Str *out) {
  str_add (out, ".TH PORF 1 \"\" \"porf " PORF_VERSION "\" \"User Commands\"\n.SH NAME\n"
                "porf \\- check concurrent C and C++ programs under weak memory models\n");
  roff_section (out, "synopsis");
  str_add (out, ".B porf\n[\\fIcommand\\fR] [\\fIoptions\\fR] \\fIfile\\fR ... [\\fB\\-\\-\\fR "
                "\\fIcflags\\fR]\n");
  roff_section (out, "description");
  str_add (out,
           "porf explores every execution of a program with threads and atomics that a memory "
           "model allows, each one once, and reports those that violate an assertion, race, misuse "
           "memory or locks, or wait forever. Without a command it checks: \\fBporf file.c\\fR is "
           "\\fBporf check \\-m rc11 file.c\\fR. The compiler flags \\-D, \\-I, \\-U and \\-std= "
           "are passed on, as is everything after \\-\\-.\n");
  roff_section (out, "commands");
  man_commands (out);
  roff_section (out, "options");
  man_options (out);
  roff_section (out, "examples");
  man_examples (out);
  roff_section (out, "exit status");
  str_add (out,
           ".TP\n.B 0\nevery execution was explored, and none has a violation\n.TP\n.B 42\n"
           "violation\n.TP\n.B 3\nincomplete: the report says what was not covered\n.TP\n.B 2\n"
           "wrong input or command line\n.TP\n.B 1\ncompare: the outcomes differ; test: a "
           "violation that was expected did not occur\n.TP\n.B 70\na bug in porf\n");
  roff_section (out, "environment");
  str_add (out, ".TP\n.B PORF_CACHE\nwhere compiled programs are kept (default "
                "~/.cache/porf)\n.TP\n.B PORF_CLANG\nthe clang to compile with\n.TP\n.B NO_COLOR\n"
                "no colours on terminals\n");
  roff_section (out, "see also");
  str_add (out, ".BR porf\\-cc (1),\n.BR libporf (3)\n");
}

/* ---- the command */

static const struct {
  const char *name;
  void (*write) (Str *out);
} kinds[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}, {"man", write_man}};

int command_completion (const Args *a) {
  Str out = {0};
  for (u32 i = 0; i < ARRAY_SIZE (kinds) && a->files.size == 1; i++)
    if (!strcmp (a->files.data[0], kinds[i].name)) kinds[i].write (&out);
  if (!out.length) die_input ("`porf completion` needs one of bash, zsh, fish and man");
  fputs (out.text, stdout);
  str_free (&out);
  return EXIT_PASS;
}
