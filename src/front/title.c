/* title.c - what reports call a function of C++: Stack<int>::push for _ZN5StackIiLi4EE4pushEi.
 *
 * Of the demangled name the result, the parameters and inline namespaces go, and so do the arguments
 * of function templates, of templates of the library, and those that are long or have a default
 * there. A lambda is named after the function that it is in.
 */
#include <ctype.h>
#include <stdlib.h>

#include "front/lower.h"

/* Of the C++ run-time library, by the ABI that mangles names. */
char *__cxa_demangle (const char *name, char *buffer, size_t *size, int *status);

enum { LONGEST_ARGUMENTS = 16 };

typedef struct Reader {
  const char *at;
  Str out, part; /* the components before, and the current one */
  Str arguments; /* of the current one, in brackets */
} Reader;

static bool begins (const char *text, const char *with) {
  return !strncmp (text, with, strlen (with));
}

/* Behind the bracket that closes the one at `at`. */
static const char *skip_brackets (const char *at) {
  u32 depth = 0;
  for (; *at; at++) {
    if (strchr ("(<[{", *at)) depth++;
    bool is_arrow = *at == '>' && at[-1] == '-';
    if (strchr (")>]}", *at) && !is_arrow && !--depth) return at + 1;
  }
  return at;
}

static bool is_default_argument (const char *text) {
  static const char *const templates[] = {"std::allocator<", "std::char_traits<",
                                          "std::less<",      "std::hash<",
                                          "std::equal_to<",  "std::default_delete<"};
  for (u32 i = 0; i < ARRAY_SIZE (templates); i++)
    if (begins (text, templates[i])) return true;
  return false;
}

/* <int, std::allocator<int> > without the arguments that nobody wrote. */
static void read_arguments (Reader *r) {
  const char *end = skip_brackets (r->at), *at = r->at + 1;
  str_clear (&r->arguments);
  while (at < end - 1 && !is_default_argument (at)) {
    const char *start = at;
    while (at < end - 1 && *at != ',') at = strchr ("(<[{", *at) ? skip_brackets (at) : at + 1;
    if (r->arguments.length) str_add (&r->arguments, ", ");
    str_add_n (&r->arguments, start, (size_t)(at - start));
    at += strspn (at, ", ");
  }
  while (r->arguments.length && r->arguments.text[r->arguments.length - 1] == ' ')
    r->arguments.text[--r->arguments.length] = 0;
  r->at = end;
}

static bool is_inline_namespace (const char *part) {
  static const char *const names[] = {"__1", "__cxx11", "_V2", "__ndk1", "__8"};
  for (u32 i = 0; i < ARRAY_SIZE (names); i++)
    if (!strcmp (part, names[i])) return true;
  return false;
}

static bool is_lambda (const char *part) {
  return begins (part, "$_") || begins (part, "{lambda") || begins (part, "'lambda");
}

static bool is_in_library (const Str *out) { return out->length && begins (out->text, "std::"); }

/* The component ends: with its arguments if it is a class that the program has written. */
static void end_part (Reader *r, bool is_last) {
  const char *part = r->part.length ? r->part.text : "";
  if (is_lambda (part)) {
    Str named = {0};
    size_t n = r->out.length > 2 ? r->out.length - 2 : 0;
    str_printf (&named, "lambda%s%.*s", n ? " in " : "", (int)n, n ? r->out.text : "");
    str_free (&r->out);
    r->out = named;
    r->at = "";
  } else if (*part && !is_inline_namespace (part)) {
    str_add (&r->out, part);
    bool is_shown = !is_last && !is_in_library (&r->out) && r->arguments.length &&
                    r->arguments.length <= LONGEST_ARGUMENTS;
    if (is_shown) str_printf (&r->out, "<%s>", r->arguments.text);
    if (!is_last) str_add (&r->out, "::");
  }
  str_clear (&r->part);
  str_clear (&r->arguments);
}

/* operator<<, operator(), operator new: the name goes up to the parameters, or the arguments. */
static void read_operator (Reader *r) {
  static const char *const symbols[] = {"()", "<=>", "<<=", ">>=", "->*", "<<", ">>",
                                        "<=", ">=",  "->",  "[]",  "<",   ">"};
  str_add (&r->part, "operator");
  r->at += strlen ("operator");
  for (u32 i = 0; i < ARRAY_SIZE (symbols); i++)
    if (begins (r->at, symbols[i])) {
      str_add (&r->part, symbols[i]);
      r->at += strlen (symbols[i]) + (r->at[strlen (symbols[i])] == ' ');
      return;
    }
  size_t n = strcspn (r->at, "(<");
  str_add_n (&r->part, r->at, n);
  r->at += n;
}

static bool is_at_operator (const Reader *r) {
  return !r->part.length && begins (r->at, "operator") && !isalnum ((u8)r->at[8]) &&
         r->at[8] != '_';
}

/* One character or bracket of the name; false at its end. */
static bool read_step (Reader *r) {
  static const char anonymous[] = "(anonymous namespace)";
  if (begins (r->at, anonymous)) {
    r->at += sizeof anonymous - 1;
  } else if (is_at_operator (r)) {
    read_operator (r);
  } else if (begins (r->at, "::")) {
    r->at += 2;
    end_part (r, false);
  } else if (*r->at == '<') {
    read_arguments (r);
  } else if (*r->at == '(') {
    r->at = skip_brackets (r->at);
    str_clear (&r->arguments);
    if (begins (r->at, " const")) r->at += strlen (" const");
    return begins (r->at, "::");
  } else if (*r->at == '[' || *r->at == '{') {
    const char *end = skip_brackets (r->at);
    if (*r->at == '{') str_add_n (&r->part, r->at, (size_t)(end - r->at));
    r->at = end;
  } else if (*r->at == ' ') { /* before it was the type of the result */
    r->at++;
    str_clear (&r->out);
    str_clear (&r->part);
    str_clear (&r->arguments);
  } else {
    str_add_n (&r->part, r->at++, 1);
  }
  return *r->at;
}

char *lower_title (const char *symbol) {
  if (!begins (symbol, "_Z")) return NULL;
  int status = 0;
  char *full = __cxa_demangle (symbol, NULL, NULL, &status);
  if (!full) return NULL;
  Reader r = {.at = full};
  while (read_step (&r)) continue;
  end_part (&r, true);
  free (full);
  str_free (&r.part);
  str_free (&r.arguments);
  return r.out.text;
}
