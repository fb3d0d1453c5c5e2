/* args.c - options by their names and values, from the tables options.def and commands.def. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "session/args.h"

/* Stores what `text` means; false if it means nothing. Reports why only if that is not obvious. */
typedef bool Parser (const Option *o, void *field, const char *text, Str *error);

struct Option {
  const char *name;
  char letter;
  Parser *parse;
  const char *argument;
  size_t offset;
  OptionId id;
  bool is_safe;    /* in the header of a test */
  const char *now; /* what to write instead of a former spelling, or NULL */
};

/* ---- values */

static bool parse_on (const Option *o, void *field, const char *text, Str *error) {
  *(bool *)field = true;
  (void)o, (void)text, (void)error;
  return true;
}

static bool parse_off (const Option *o, void *field, const char *text, Str *error) {
  *(bool *)field = false;
  (void)o, (void)text, (void)error;
  return true;
}

static bool parse_text (const Option *o, void *field, const char *text, Str *error) {
  *(const char **)field = text;
  (void)o, (void)error;
  return *text;
}

static bool parse_save (const Option *o, void *field, const char *text, Str *error) {
  Save save = {text, report_for_file (text)};
  if (!save.format) {
    str_printf (error, "option `--%s`: the suffix of `%s` is not one of", o->name, text);
    for (u32 i = 0; report_at (i); i++)
      if (report_at (i)->write && report_at (i)->ending)
        str_printf (error, " .%s", report_at (i)->ending);
    return false;
  }
  vec_push ((Saves *)field, save);
  return true;
}

static bool parse_dot (const Option *o, void *field, const char *text, Str *error) {
  (void)o, (void)error;
  vec_push ((Saves *)field, ((Save){text, report_find ("dot")}));
  return *text;
}

static bool parse_words (const Option *o, void *field, const char *text, Str *error) {
  GivenWords *words = field;
  (void)o, (void)error;
  words_free (&words->list);
  *words = (GivenWords){.is_given = true};
  words_split (text, &words->list);
  return true;
}

static bool parse_u64 (const Option *o, void *field, const char *text, Str *error) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull (text, &end, 10);
  (void)o, (void)error;
  if (!isdigit ((u8)*text) || *end || errno) return false;
  *(u64 *)field = value;
  return true;
}

static bool parse_u32 (const Option *o, void *field, const char *text, Str *error) {
  u64 value;
  if (!parse_u64 (o, &value, text, error) || value > UINT32_MAX) return false;
  *(u32 *)field = (u32)value;
  return true;
}

static bool parse_workers (const Option *o, void *field, const char *text, Str *error) {
  enum { MOST_WORKERS = 1024 };
  if (!parse_u32 (o, field, text, error)) return false;
  if (*(u32 *)field <= MOST_WORKERS) return true;
  str_printf (error, "option `--%s`: at most %u workers", o->name, MOST_WORKERS);
  return false;
}

static bool parse_seconds (const Option *o, void *field, const char *text, Str *error) {
  char *end;
  double value = strtod (text, &end);
  (void)o, (void)error;
  if (!(isdigit ((u8)*text) || *text == '.') || *end || !isfinite (value)) return false;
  *(double *)field = value;
  return true;
}

static bool parse_i64 (const char *text, const char *stop, i64 *value) {
  char *end;
  errno = 0;
  *value = strtoll (text, &end, 10);
  return end != text && !errno && end == stop;
}

static bool parse_set (const char *text, Values *v) {
  for (const char *comma;; text = comma + 1) {
    comma = strchrnul (text, ',');
    if (v->set_size == ARRAY_SIZE (v->set) || !parse_i64 (text, comma, &v->set[v->set_size++]))
      return false;
    if (!*comma) return true;
  }
}

static bool parse_values (const Option *o, void *field, const char *text, Str *error) {
  Values v = {.given = true};
  const char *dots = strstr (text, "..");
  (void)o, (void)error;
  if (dots) {
    if (!parse_i64 (text, dots, &v.low)) return false;
    if (!parse_i64 (dots + 2, dots + strlen (dots), &v.high) || v.low > v.high) return false;
  } else if (!parse_set (text, &v))
    return false;
  *(Values *)field = v;
  return true;
}

static bool parse_bound (const Option *o, void *field, const char *text, Str *error) {
  const char *equals = strchrnul (text, '=');
  for (u32 k = BOUND_PREEMPTIONS; k <= BOUND_CONTEXT; k++) {
    const char *name = bound_name ((BoundKind)k);
    if (strlen (name) != (size_t)(equals - text) || strncmp (text, name, strlen (name))) continue;
    Bound b = {.kind = (BoundKind)k};
    if (!*equals || !parse_u32 (o, &b.most, equals + 1, error)) return false;
    *(Bound *)field = b;
    return true;
  }
  return false;
}

static bool is_one_of (const char *text, const char *const *list) {
  for (; *list; list++)
    if (!strcmp (text, *list)) return true;
  return false;
}

static bool parse_engine (const Option *o, void *field, const char *text, Str *error) {
  static const char *const engines[] = {"auto", "explore", "futures", "machine", NULL};
  return is_one_of (text, engines) && parse_text (o, field, text, error);
}

static bool parse_format (const Option *o, void *field, const char *text, Str *error) {
  const ReportFormat *format = report_find (text);
  *(const ReportFormat **)field = format;
  (void)o, (void)error;
  return format;
}

static bool parse_when (const Option *o, void *field, const char *text, Str *error) {
  static const char *const words[] = {"auto", "always", "never"};
  (void)o, (void)error;
  for (u32 i = 0; i < ARRAY_SIZE (words); i++) {
    if (strcmp (text, words[i])) continue;
    *(When *)field = (When)i;
    return true;
  }
  return false;
}

static bool parse_dump (const Option *o, void *field, const char *text, Str *error) {
  static const char *const words[] = {"ir", "effects", "graph", "tree"};
  (void)o, (void)error;
  while (*text) {
    size_t n = strcspn (text, ",");
    u32 i = 0;
    while (i < ARRAY_SIZE (words) && (strlen (words[i]) != n || strncmp (text, words[i], n))) i++;
    if (i == ARRAY_SIZE (words)) return false;
    *(u32 *)field |= 1u << i;
    text += n + (text[n] == ',');
  }
  return *(u32 *)field != 0;
}

/* ---- reductions */

const char *reduction_name (u32 i) {
  static const char *const names[] = {
#define REDUCTION(name, engine) #name,
#include "session/reductions.def"
#undef REDUCTION
  };
  return i < REDUCTION_COUNT ? names[i] : NULL;
}

static const char *reduction_word (u32 i) {
  return i < REDUCTION_COUNT        ? reduction_name (i)
         : i == REDUCTION_COUNT     ? "all"
         : i == REDUCTION_COUNT + 1 ? "none"
                                    : NULL;
}

bool args_reduce (const Args *a, Reduction r) {
  return !a->reduce.none && !(a->reduce.off >> r & 1);
}

static void unknown_reduction (const char *word, const char *name, Str *error) {
  const char *near = option_suggest (name, reduction_word);
  str_printf (error, "option `--reduce`: there is no reduction `%s`", word);
  if (near)
    str_printf (error, "; did you mean `%s`?", near);
  else
    for (u32 i = 0; reduction_word (i); i++)
      str_printf (error, "%s %s", i ? "," : "; choose from", reduction_word (i));
}

enum { EVERY_REDUCTION = (1u << REDUCTION_COUNT) - 1 };

/* One word of the list: all, none, -NAME, +NAME, or NAME. */
static bool take_part (Reduce *r, const char *word, bool is_first, Str *error) {
  bool turns_off = *word == '-', turns_on = *word == '+';
  const char *name = word + (turns_off || turns_on);
  u32 part = 0;
  while (reduction_word (part) && strcmp (reduction_word (part), name)) part++;
  bool is_all = part == REDUCTION_COUNT, is_none = part == REDUCTION_COUNT + 1;
  if (!reduction_word (part) || ((is_all || is_none) && name != word)) {
    unknown_reduction (word, name, error);
    return false;
  }
  if (is_all || is_none) {
    *r = (Reduce){.off = is_none ? EVERY_REDUCTION : 0, .named = r->named, .none = is_none};
    return true;
  }
  if (is_first && name == word) *r = (Reduce){.off = EVERY_REDUCTION, .named = r->named}; /* only */
  if (r->none && !turns_off) {
    str_printf (error,
                "option `--reduce`: `none` cannot be combined with `%s`; `--reduce=%s` turns off "
                "the others",
                word, name);
    return false;
  }
  r->named |= 1u << part;
  r->off = turns_off ? r->off | 1u << part : r->off & ~(1u << part);
  return true;
}

static bool parse_reduce (const Option *o, void *field, const char *text, Str *error) {
  Reduce r = *(Reduce *)field;
  Str word = {0};
  bool fine = *text;
  (void)o;
  for (const char *at = text; fine;) {
    size_t n = strcspn (at, ",");
    str_clear (&word);
    str_add_n (&word, at, n);
    fine = take_part (&r, word.text, at == text, error);
    if (!at[n]) break;
    at += n + 1;
  }
  if (fine) *(Reduce *)field = r;
  str_free (&word);
  return fine;
}

static bool parse_part (const Option *o, void *field, const char *text, Str *error) {
  (void)text;
  return parse_reduce (o, field, strchr (o->now, '=') + 1, error);
}

static bool parse_none (const Option *o, void *field, const char *text, Str *error) {
  (void)text;
  return parse_reduce (o, field, "none", error);
}

/* ---- tables */

static const Option options[] = {
#define GROUP(title)
#define OPTION(type, field, initial, name, letter, parse, argument, help)                          \
  {name, letter, parse, argument, offsetof (Args, field), OPTION_##field, false, NULL},
#define SAFE_OPTION(type, field, initial, name, letter, parse, argument, help)                     \
  {name, letter, parse, argument, offsetof (Args, field), OPTION_##field, true, NULL},
#include "session/options.def"
#undef OPTION
#undef GROUP
};

static const Option renamed[] = {
#define RENAMED(old, field, parse, argument, now)                                                  \
  {old, 0, parse, argument, offsetof (Args, field), OPTION_##field, false, now},
#include "session/renamed.def"
#undef RENAMED
};

void args_tell_renamed (u32 used) {
  for (u32 i = 0; i < ARRAY_SIZE (renamed); i++)
    if (used >> i & 1)
      tell_user ("--%s%s%s is now %s", renamed[i].name, renamed[i].argument ? " " : "",
                 renamed[i].argument ? renamed[i].argument : "", renamed[i].now);
}

Args args_default (void) {
  Args a = {
#define GROUP(title)
#define OPTION(type, field, initial, name, letter, parse, argument, help) .field = initial,
#include "session/options.def"
#undef OPTION
#undef GROUP
  };
  a.format = report_at (0);
  a.topic = COMMAND_help;
  return a;
}

static const char *option_name_at (u32 i) {
  return i < ARRAY_SIZE (options) ? options[i].name : NULL;
}

static const struct {
  const char *name, *arguments, *help;
} commands[] = {
#define COMMAND(name, arguments, help) {#name, arguments, help},
#include "session/commands.def"
#undef COMMAND
};

const char *command_name (u32 id) { return id < COMMAND_COUNT ? commands[id].name : NULL; }
const char *command_arguments (u32 id) { return commands[id].arguments; }
const char *command_meaning (u32 id) { return commands[id].help; }

/* Rows without a name are groups. */
static const OptionInfo infos[] = {
#define GROUP(title) {title, NULL, 0, NULL, NULL},
#define OPTION(type, field, initial, name, letter, parse, argument, help)                          \
  {NULL, name, letter, argument, help},
#include "session/options.def"
#undef OPTION
#undef GROUP
};

OptionInfo option_info (u32 i) {
  OptionInfo o = {0};
  const char *group = NULL;
  for (u32 k = 0; k < ARRAY_SIZE (infos); k++) {
    if (infos[k].group) group = infos[k].group;
    if (infos[k].group || i--) continue;
    o = infos[k];
    o.group = group;
    break;
  }
  return o;
}

/* ---- one option */

void option_did_you_mean (Str *error, const char *before, const char *near) {
  if (near) str_printf (error, "; did you mean `%s%s`?", before, near);
}

/* What the name of an argument stands for. */
static const char *expected (const char *argument) {
  static const struct {
    const char *name, *meaning;
  } rows[] = {{"N", "a whole number"},
              {"S", "a number of seconds"},
              {"FORMAT", "text, json, html, dot, patch, sarif, junit, github, graphml or witness"},
              {"WHEN", "auto, always or never"},
              {"WHAT", "a list of ir, effects, graph, tree"},
              {"LO..HI|A,B,...", "a range LO..HI or a list A,B,..."},
              {"MODEL", "the name of a model"},
              {"ENGINE", "explore, futures or machine"},
              {"PARTS", "all, none, or a list such as -symmetry,-commuting"},
              {"MB", "a number of megabytes"},
              {"0,3/1/2", "sets of threads"},
              {"LIST", "a list of names"},
              {"DIR", "the name of a directory"},
              {"FILE", "the name of a file"}};
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (!strcmp (rows[i].name, argument)) return rows[i].meaning;
  return argument;
}

const Option *option_find (const char *name, Str *error) {
  for (u32 i = 0; i < ARRAY_SIZE (options); i++)
    if (!strcmp (options[i].name, name)) return &options[i];
  for (u32 i = 0; i < ARRAY_SIZE (renamed); i++)
    if (!strcmp (renamed[i].name, name)) return &renamed[i];
  str_printf (error, "unknown option `--%s`", name);
  option_did_you_mean (error, "--", option_suggest (name, option_name_at));
  return NULL;
}

const Option *option_by_letter (char letter) {
  for (u32 i = 0; i < ARRAY_SIZE (options); i++)
    if (options[i].letter && options[i].letter == letter) return &options[i];
  return NULL;
}

const char *option_argument (const Option *o) { return o->argument; }

bool option_is_safe (const Option *o) { return options[o->id].is_safe; }

bool option_set (Args *a, const Option *o, const char *shown, const char *value, Str *error) {
  if (value && !o->argument) {
    str_printf (error, "option `%s` takes no value", shown);
    return false;
  }
  if (!value && o->argument) {
    str_printf (error, "option `%s` needs %s", shown, expected (o->argument));
    return false;
  }
  a->given[o->id] = true;
  if (o->now) a->renamed |= 1u << (o - renamed);
  if (o->parse (o, (char *)a + o->offset, value, error)) return true;
  if (!error->length)
    str_printf (error, "option `%s` needs %s, not `%s`", shown, expected (o->argument), value);
  return false;
}

bool args_set (Args *a, const char *name, const char *value, Str *error) {
  Str shown = {0};
  const Option *o = option_find (name, error);
  str_printf (&shown, "--%s", name);
  bool fine = o && option_set (a, o, shown.text, value, error);
  str_free (&shown);
  return fine;
}

/* ---- all of them */

/* Before a file is reported as missing: `porf chekc x.c` is no file but a misspelt command. */
bool args_files_exist (const Args *a, Str *error) {
  for (u32 i = 0; i < a->files.size; i++) {
    const char *file = a->files.data[i];
    struct stat st;
    if (!strcmp (file, "-")) {
      str_add (error, "a program cannot be read from standard input; name a file");
      return false;
    }
    if (!stat (file, &st)) {
      if (!S_ISDIR (st.st_mode)) continue;
      str_printf (error, "`%s` is a directory", file);
      return false;
    }
    bool is_word = i == 0 && !strpbrk (file, "./");
    str_printf (error, "%s `%s`", is_word ? "no such command or file" : "no such file", file);
    if (is_word) option_did_you_mean (error, "porf ", option_suggest (file, command_name));
    return false;
  }
  return true;
}

static Words copy_words (const Words *from) {
  Words copy = {0};
  for (u32 i = 0; i < from->size; i++) vec_push (&copy, mem_strdup (from->data[i]));
  return copy;
}

Args args_copy (const Args *a) {
  Args copy = *a;
  memset (&copy.files, 0, sizeof copy.files);
  memset (&copy.cflags, 0, sizeof copy.cflags);
  memset (&copy.saves, 0, sizeof copy.saves);
  for (u32 i = 0; i < a->saves.size; i++) vec_push (&copy.saves, a->saves.data[i]);
  copy.words.list = copy_words (&a->words.list);
  copy.environment.list = copy_words (&a->environment.list);
  for (u32 i = 0; i < a->files.size; i++) vec_push (&copy.files, a->files.data[i]);
  for (u32 i = 0; i < a->cflags.size; i++) vec_push (&copy.cflags, a->cflags.data[i]);
  return copy;
}

void args_free (Args *a) {
  vec_free (&a->files);
  vec_free (&a->cflags);
  words_free (&a->words.list);
  words_free (&a->environment.list);
  vec_free (&a->saves);
}

/* ---- what follows from them */

bool args_is_helper (const Args *a) { return a->cluster && a->cluster->rank; }

bool args_wants_document (const Args *a) { return a->format->write || a->saves.size || a->patch; }

static bool shows_last (const ReportFormat *format) {
  return format == report_find ("dot") || format == report_find ("html");
}

bool args_wants_last (const Args *a) {
  bool wants = shows_last (a->format);
  for (u32 i = 0; i < a->saves.size; i++) wants |= shows_last (a->saves.data[i].format);
  return wants;
}
