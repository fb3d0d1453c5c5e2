#include "session/flags.h"

#include <stdlib.h>

typedef enum FlagForm { ALONE, JOINED, ARGUMENT } FlagForm;
typedef enum FlagUse { KEEP, PATH, LANGUAGE, TARGET, PROCESSOR, DROP, SKIP } FlagUse;

typedef struct Flag {
  const char *name;
  FlagForm form;
  FlagUse use;
} Flag;

static const Flag flags[] = {
#define FLAG(name, form, use) {name, form, use},
#include "session/flags.def"
#undef FLAG
};

char *path_absolute (const char *directory, const char *path) {
  Str s = {0};
  if (*path != '/') str_printf (&s, "%s/", directory);
  str_add (&s, path);
  char *real = realpath (s.text, NULL), *copy = mem_strdup (real ? real : s.text);
  free (real);
  str_free (&s);
  return copy;
}

static bool has_form (const Flag *f, const char *word) {
  size_t n = strlen (f->name);
  return f->form == ALONE ? !strcmp (word, f->name) : !strncmp (word, f->name, n);
}

/* The longest name wins, as for the compiler: -idirafter is not -I. */
static const Flag *find_flag (const char *word) {
  const Flag *best = NULL;
  for (u32 i = 0; i < ARRAY_SIZE (flags); i++)
    if (has_form (&flags[i], word) && (!best || strlen (flags[i].name) > strlen (best->name)))
      best = &flags[i];
  return best;
}

static bool is_listed (const char *value, size_t size, const char *const *list, u32 n) {
  for (u32 i = 0; i < n; i++)
    if (strlen (list[i]) == size && !memcmp (value, list[i], size)) return true;
  return false;
}

static bool is_language (const char *value) {
  static const char *const languages[] = {"c", "c++", "cpp-output", "c++-cpp-output"};
  return is_listed (value, strlen (value), languages, ARRAY_SIZE (languages));
}

/* Its name begins with that of its processor. */
static bool is_target (const char *value) {
  static const char *const processors[] = {
      "x86_64", "i386",    "i486",        "i586",    "i686",    "aarch64",     "arm64",
      "arm",    "armv7",   "armv7a",      "riscv32", "riscv64", "powerpc",     "powerpc64",
      "ppc64",  "ppc64le", "powerpc64le", "s390x",   "mips64",  "loongarch64", "sparcv9"};
  if (strspn (value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") !=
      strlen (value))
    return false;
  return is_listed (value, strcspn (value, "-"), processors, ARRAY_SIZE (processors));
}

/* -Wl, -Wa, and -Wp, hand words on to other tools. Without its value, a flag would take the next
 * word for it. The parts of clang hand values to each other as words of their own, and a word that
 * begins with `@` is a file of flags. */
static bool is_allowed (const Flag *f, const char *value) {
  if (f->use == DROP || (f->form == ARGUMENT && !*value)) return false;
  if (f->use == LANGUAGE) return is_language (value);
  if (f->use == TARGET) return is_target (value);
  if (f->use == PROCESSOR && !strcmp (value, "native")) return false;
  if (*value == '@' && f->use != PATH) return false;
  return f->use != SKIP || !strchr (value, ',');
}

static char *one_word (const Flag *f, const char *directory, const char *value) {
  Str s = {0};
  char *path = f->use == PATH && directory ? path_absolute (directory, value) : mem_strdup (value);
  str_add (&s, !strcmp (f->name, "-target") ? "--target=" : f->name);
  if (!strcmp (f->name, "--sysroot")) str_add (&s, "=");
  if (f->use == PATH && strchr ("-@", *path)) str_add (&s, "./");
  str_add (&s, path);
  mem_free (path);
  return s.text;
}

bool flag_take (const Words *words, u32 *at, const char *directory, Words *out) {
  const char *word = words->data[(*at)++];
  const Flag *f = find_flag (word);
  if (!f) return false;
  const char *value = word + strlen (f->name);
  if (f->form == ARGUMENT && !*value) value = *at < words->size ? words->data[(*at)++] : "";
  if (!is_allowed (f, value)) return false;
  if (f->use != SKIP) vec_push (out, one_word (f, directory, value));
  return true;
}
