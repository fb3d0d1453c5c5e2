/* litmus.c - reads a test and writes it as a C program. */
#include <ctype.h>

#include "litmus/litmus_int.h"

/* ---- words */

u32 litmus_line_of (const Input *in, const char *at) {
  u32 line = 1;
  for (const char *c = in->start; c < at; c++) line += *c == '\n';
  return line;
}

bool litmus_fail (Input *in, const char *format, ...) {
  char text[300];
  va_list args;
  if (in->error->length) return false;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  str_printf (in->error, "%s:%u: %s", in->path, litmus_line_of (in, in->at), text);
  return false;
}

static bool skip_comment (Input *in, const char *open, const char *close) {
  if (strncmp (in->at, open, strlen (open))) return false;
  const char *end = strstr (in->at + strlen (open), close);
  in->at = end ? end + strlen (close) : in->at + strlen (in->at);
  return true;
}

void litmus_skip_blanks (Input *in) {
  do in->at += strspn (in->at, " \t\r\n");
  while (skip_comment (in, "(*", "*)") || skip_comment (in, "/*", "*/") ||
         skip_comment (in, "//", "\n"));
}

size_t litmus_word_length (const char *text) {
  size_t n = 0;
  while (isalnum ((u8)text[n]) || text[n] == '_') n++;
  return n;
}

bool litmus_take (Input *in, const char *text) {
  litmus_skip_blanks (in);
  if (strncmp (in->at, text, strlen (text))) return false;
  in->at += strlen (text);
  return true;
}

bool litmus_take_word (Input *in, const char *word) {
  litmus_skip_blanks (in);
  size_t n = strlen (word);
  if (strncmp (in->at, word, n) || litmus_word_length (in->at) != n) return false;
  in->at += n;
  return true;
}

char *litmus_copy (const char *text, size_t length) {
  char *s = mem_alloc (length + 1);
  memcpy (s, text, length);
  s[length] = 0;
  return s;
}

/* Where the bracket that `at` stands at is closed, or NULL. */
static const char *closing (const char *at) {
  u32 depth = 0;
  for (; *at; at++) {
    depth += strchr ("({[", *at) != NULL;
    if (strchr (")}]", *at) && !--depth) return at;
  }
  return NULL;
}

/* ---- what is observed */

u32 litmus_observe (Litmus *l, const char *name, const char *variable) {
  for (u32 i = 0; i < l->observed.size; i++)
    if (!strcmp (l->observed.data[i].name, name)) return i;
  vec_push (&l->observed, ((Observed){mem_strdup (name), mem_strdup (variable), 0}));
  return l->observed.size - 1;
}

/* 0:EAX or P0:EAX */
bool litmus_begins_register (const char *at) {
  at += *at == 'P';
  size_t n = strspn (at, "0123456789");
  return n && at[n + strspn (at + n, " \t")] == ':';
}

bool litmus_read_observed (Input *in, u32 *out) {
  Str name = {0}, variable = {0};
  bool in_brackets = litmus_take (in, "[");
  litmus_skip_blanks (in);
  if (litmus_begins_register (in->at)) in->at += *in->at == 'P';
  const char *first = in->at;
  size_t n = litmus_word_length (first);
  in->at += n;
  if (!n) return litmus_fail (in, "expected the name of a register or of a location");
  if (isdigit ((u8)*first)) {
    bool is_register = litmus_take (in, ":");
    litmus_take (in, "%");
    litmus_skip_blanks (in);
    size_t k = litmus_word_length (in->at);
    if (!is_register || !k) return litmus_fail (in, "expected a register such as 0:r0");
    str_printf (&name, "%.*s:%.*s", (int)n, first, (int)k, in->at);
    str_printf (&variable, "porf_runtime_out_%.*s_%.*s", (int)n, first, (int)k, in->at);
    in->at += k;
  } else {
    str_add_n (&name, first, n);
    str_add_n (&variable, first, n);
  }
  *out = litmus_observe (in->l, name.text, variable.text);
  str_free (&name);
  str_free (&variable);
  return !in_brackets || litmus_take (in, "]") ||
         litmus_fail (in, "expected `]`; arrays are not supported");
}

/* ---- the parts of a test */

typedef struct Variable { /* a location */
  char *name, *type, *initial;
  u32 line;
} Variable;

typedef struct Thread {
  char *parameters, *body;
  char *arguments;
  u32 line; /* of the body */
} Thread;

typedef struct Test {
  bool is_java;
  Handles handles;
  VEC (Variable) variables;
  VEC (Thread) threads;
} Test;

static Variable *variable_of (Test *t, const char *name, size_t n, u32 line) {
  for (u32 i = 0; i < t->variables.size; i++)
    if (strlen (t->variables.data[i].name) == n && !strncmp (t->variables.data[i].name, name, n))
      return &t->variables.data[i];
  vec_push (&t->variables, ((Variable){.name = litmus_copy (name, n), .line = line}));
  return &vec_last (&t->variables);
}

/* The last word before `end`. */
static const char *last_word (const char *start, const char *end, size_t *n) {
  while (end > start && !(isalnum ((u8)end[-1]) || end[-1] == '_')) end--;
  const char *begin = end;
  while (begin > start && (isalnum ((u8)begin[-1]) || begin[-1] == '_')) begin--;
  *n = (size_t)(end - begin);
  return begin;
}

/* 0:X = x */
static bool read_handle (Input *in, Test *t, const char *stop) {
  Handle h = {0};
  size_t n = litmus_word_length (in->at), k;
  if (!n || sscanf (in->at, "%u", &h.thread) != 1)
    return litmus_fail (in, "expected a handle: `0:X = x`");
  in->at += n;
  if (!litmus_take (in, ":")) return litmus_fail (in, "expected a handle: `0:X = x`");
  litmus_skip_blanks (in);
  n = litmus_word_length (in->at);
  h.name = litmus_copy (in->at, n);
  const char *location = last_word (in->at + n, stop, &k);
  h.location = litmus_copy (location, k);
  vec_push (&t->handles, h);
  if (!n || !k || isdigit ((u8)*location)) return litmus_fail (in, "expected a handle: `0:X = x`");
  variable_of (t, location, k, litmus_line_of (in, location));
  return true;
}

/* x = 1;  [x] = 1;  int x = 1;  x; */
static bool read_initial (Input *in, Test *t, const char *end) {
  const char *stop = in->at + strcspn (in->at, ";}"), *equals = in->at + strcspn (in->at, "=;}");
  size_t n;
  if (stop > end) stop = end;
  if (equals > stop) equals = stop;
  bool has_colon = memchr (in->at, ':', (size_t)(equals - in->at));
  if (has_colon && t->is_java) {
    bool fine = read_handle (in, t, stop);
    in->at = stop < end ? stop + 1 : stop;
    return fine;
  }
  if (has_colon) return litmus_fail (in, "initial values of registers are not supported");
  const char *name = last_word (in->at, equals, &n);
  if (!n || isdigit ((u8)*name))
    return litmus_fail (in, "expected the initial value of a location");
  if (strpbrk (equals, "{[") && strpbrk (equals, "{[") < stop)
    return litmus_fail (in, "arrays are not supported");
  Variable *v = variable_of (t, name, n, litmus_line_of (in, name));
  if (equals < stop && !v->initial)
    v->initial = litmus_copy (equals + 1, (size_t)(stop - equals - 1));
  in->at = stop < end ? stop + 1 : stop;
  return true;
}

static bool read_init (Input *in, Test *t) {
  litmus_skip_blanks (in);
  if (*in->at != '{') return litmus_fail (in, "expected `{` and the initial state");
  const char *end = closing (in->at);
  if (!end) return litmus_fail (in, "`{` without `}`");
  in->at++;
  for (litmus_skip_blanks (in); in->at < end; litmus_skip_blanks (in)) {
    if (*in->at == ';')
      in->at++;
    else if (!read_initial (in, t, end))
      return false;
  }
  in->at = end + 1;
  return true;
}

/* atomic_int *x: a location of what it points to. */
static bool read_parameter (Input *in, Test *t, const char *end, Str *arguments) {
  size_t n;
  const char *name = last_word (in->at, end, &n), *star = name;
  while (star > in->at && star[-1] != '*') star--;
  if (!n || star == in->at) return litmus_fail (in, "expected a parameter such as `atomic_int *x`");
  Variable *v = variable_of (t, name, n, litmus_line_of (in, in->at));
  char *type = litmus_copy (in->at, (size_t)(star - 1 - in->at));
  if (!v->type || (strstr (type, "atomic") && !strstr (v->type, "atomic"))) {
    mem_free (v->type);
    v->type = type;
  } else {
    mem_free (type);
  }
  str_printf (arguments, "%s(void *)&%s", arguments->length ? ", " : "", v->name);
  return true;
}

static bool read_parameters (Input *in, Test *t, Thread *thread) {
  const char *end = closing (in->at);
  Str arguments = {0};
  if (!end) return litmus_fail (in, "`(` without `)`");
  in->at++;
  thread->parameters = litmus_copy (in->at, (size_t)(end - in->at));
  while (in->at < end) {
    litmus_skip_blanks (in);
    const char *stop = in->at + strcspn (in->at, ",)");
    if (in->at < end && stop > in->at && !read_parameter (in, t, stop, &arguments)) break;
    in->at = stop + 1;
  }
  thread->arguments = arguments.text ? arguments.text : mem_strdup ("");
  if (in->error->length) return false;
  in->at = end + 1;
  return true;
}

static bool read_thread (Input *in, Test *t) {
  Thread thread = {0};
  u32 number = t->threads.size;
  char name[16];
  snprintf (name, sizeof name, "P%u", number);
  char java_name[24];
  snprintf (java_name, sizeof java_name, "Thread%u", number);
  while (litmus_take_word (in, "static") || litmus_take_word (in, "void")) continue;
  if (!litmus_take_word (in, name) && !(t->is_java && litmus_take_word (in, java_name)))
    return litmus_fail (in, "expected thread %s", t->is_java ? java_name : name);
  litmus_skip_blanks (in);
  bool fine = true;
  if (t->is_java && *in->at == '{') {
    thread.parameters = mem_strdup ("");
    thread.arguments = mem_strdup ("");
  } else if (*in->at != '(')
    return litmus_fail (in, "expected `(` and the parameters of %s", name);
  else
    fine = read_parameters (in, t, &thread);
  if (fine) litmus_skip_blanks (in);
  const char *end = fine && *in->at == '{' ? closing (in->at) : NULL;
  if (end) {
    thread.line = litmus_line_of (in, in->at);
    thread.body = litmus_copy (in->at + 1, (size_t)(end - in->at - 1));
    if (t->is_java) {
      char *java = thread.body;
      thread.body = litmus_java_body (&t->handles, number, java);
      mem_free (java);
    }
    in->at = end + 1;
  } else if (fine) {
    fine = litmus_fail (in, "expected the body of %s in braces", name);
  }
  vec_push (&t->threads, thread);
  return fine;
}

static bool begins_thread (Input *in) {
  litmus_skip_blanks (in);
  const char *at = in->at;
  bool is_thread = litmus_take_word (in, "static") || litmus_take_word (in, "void") ||
                   (*at == 'P' && isdigit ((u8)at[1])) ||
                   (!strncmp (at, "Thread", 6) && isdigit ((u8)at[6]));
  in->at = at;
  return is_thread;
}

static bool read_locations (Input *in) {
  u32 unused;
  if (!litmus_take (in, "[")) return litmus_fail (in, "expected `[`");
  while (!litmus_take (in, "]")) {
    if (litmus_take (in, ";")) continue;
    if (!litmus_read_observed (in, &unused)) return false;
  }
  return true;
}

/* After a condition, `;` or `<<` ends the test, as for herd: what follows is for other tools. */
static bool is_over (Input *in) {
  litmus_skip_blanks (in);
  return !*in->at || *in->at == ';' || !strncmp (in->at, "<<", 2);
}

static bool read_condition (Input *in) {
  Litmus *l = in->l;
  litmus_skip_blanks (in);
  const char *start = in->at;
  if (litmus_take (in, "~") ? litmus_take_word (in, "exists") : false)
    l->quantifier = LITMUS_NOT_EXISTS;
  else if (litmus_take_word (in, "exists"))
    l->quantifier = LITMUS_EXISTS;
  else if (litmus_take_word (in, "forall"))
    l->quantifier = LITMUS_FORALL;
  else
    return litmus_fail (in, "expected `exists`, `~exists` or `forall`");
  if (!litmus_read_term (in, &l->condition)) return false;
  const char *end = in->at;
  while (isspace ((u8)end[-1])) end--;
  l->text = litmus_copy (start, (size_t)(end - start));
  for (char *c = l->text; *c; c++)
    if (isspace ((u8)*c)) *c = ' ';
  return is_over (in) || litmus_fail (in, "unexpected text after the condition");
}

static bool read_name (Input *in) {
  in->at += strspn (in->at, " \t");
  size_t n = strcspn (in->at, " \t\r\n{");
  if (!n) return litmus_fail (in, "the test has no name");
  in->l->name = litmus_copy (in->at, n);
  in->at += n;
  const char *brace = strchr (in->at, '{'); /* between: comments, strings, key=value */
  if (!brace) return litmus_fail (in, "the initial state `{ ... }` is missing");
  in->at = brace;
  return true;
}

static bool read_language (Input *in, Test *t) {
  litmus_skip_blanks (in);
  size_t n = litmus_word_length (in->at);
  t->is_java = litmus_take_word (in, "Java");
  return t->is_java || litmus_take_word (in, "C") ||
         litmus_fail (
             in,
             "a litmus test begins with its language, such as `C`, `Java` or `AArch64`, and "
             "its name; `%.*s` is not known",
             (int)n, in->at);
}

bool litmus_read_question (Input *in) {
  if (litmus_take_word (in, "locations") && !read_locations (in)) return false;
  if (litmus_take_word (in, "filter") && !litmus_read_term (in, &in->l->filter)) return false;
  litmus_skip_blanks (in);
  if (*in->at) return read_condition (in);
  in->l->quantifier = LITMUS_FORALL;
  in->l->condition = (i32)in->l->terms.size;
  in->l->text = mem_strdup ("forall (true)");
  vec_push (&in->l->terms, ((Term){.kind = TERM_TRUE}));
  return true;
}

static bool read_test (Input *in, Test *t) {
  if (!read_init (in, t)) return false;
  while (begins_thread (in))
    if (!read_thread (in, t)) return false;
  if (!t->threads.size) return litmus_fail (in, "expected thread P0");
  if (!litmus_read_question (in)) return false;
  if (in->l->observed.size) return true;
  for (u32 i = 0; i < t->variables.size; i++) /* all that can be seen */
    litmus_observe (in->l, t->variables.data[i].name, t->variables.data[i].name);
  return true;
}

/* ---- the program */

static bool has_word (const char *text, const char *word, const char **at) {
  size_t n = strlen (word);
  for (const char *c = text; (c = strstr (c, word)); c++)
    if (litmus_word_length (c) == n && (c == text || !(isalnum ((u8)c[-1]) || c[-1] == '_'))) {
      *at = c;
      return true;
    }
  return false;
}

/* Whether a register is declared inside of a block: then it is not there at the end. */
static bool is_declared_inside (const char *body, const char *at) {
  i32 depth = 0;
  for (const char *c = body; c < at; c++) depth += (*c == '{') - (*c == '}');
  return depth > 0;
}

static bool write_observations (Input *in, const Thread *t, u32 number, Str *out) {
  const char *at;
  for (u32 i = 0; i < in->l->observed.size; i++) {
    const Observed *o = &in->l->observed.data[i];
    const char *reg = strchr (o->name, ':');
    char prefix[16];
    snprintf (prefix, sizeof prefix, "%u:", number);
    if (!reg || strncmp (o->name, prefix, strlen (prefix))) continue;
    if (!has_word (t->body, reg + 1, &at))
      return litmus_fail (in, "thread P%u has no register `%s`", number, reg + 1);
    if (is_declared_inside (t->body, at))
      return litmus_fail (in, "`%s` of P%u is declared inside of a block; declare it before",
                          reg + 1, number);
    str_printf (out, "%s = (long long)%s;\n", o->variable, reg + 1);
  }
  return true;
}

static void begin_lines (Str *out, u32 line, const char *path) {
  str_printf (out, "#line %u \"", line);
  for (; *path; path++) str_printf (out, "%s%c", strchr ("\"\\", *path) ? "\\" : "", *path);
  str_add (out, "\"\n");
}

static void write_variables (const Input *in, const Test *t, Str *out) {
  for (u32 i = 0; i < in->l->observed.size; i++) {
    const Observed *o = &in->l->observed.data[i];
    if (!strchr (o->name, ':')) continue;
    begin_lines (out, 1, in->path);
    str_printf (out, "static long long %s __attribute__ ((used));\n", o->variable);
  }
  for (u32 i = 0; i < t->variables.size; i++) {
    const Variable *v = &t->variables.data[i];
    begin_lines (out, v->line, in->path);
    str_printf (out, "static %s %s __attribute__ ((used)) = %s;\n", v->type ? v->type : "int",
                v->name, v->initial ? v->initial : "0");
  }
}

static bool knows (const Test *t, const Observed *o) {
  for (u32 i = 0; i < t->variables.size; i++)
    if (!strcmp (t->variables.data[i].name, o->name)) return true;
  const char *colon = strchr (o->name, ':');
  u32 number;
  return colon && sscanf (o->name, "%u", &number) == 1 && number < t->threads.size;
}

static bool write_thread (Input *in, const Thread *t, u32 number, Str *out) {
  const char *at;
  if (has_word (t->body, "return", &at))
    return litmus_fail (in, "`return` in P%u is not supported", number);
  begin_lines (out, t->line, in->path);
  str_printf (out, "static void body_%u (%s) {%s\n", number,
              *t->parameters ? t->parameters : "void", t->body);
  begin_lines (out, 1, "<porf>/litmus.c");
  if (!write_observations (in, t, number, out)) return false;
  str_printf (out, "}\nstatic void *P%u (void *u) { body_%u (%s); return u; }\n", number, number,
              t->arguments);
  return true;
}

static bool write_program (Input *in, const Test *t) {
  Str *out = &in->l->program;
  u32 n = t->threads.size;
  for (u32 i = 0; i < in->l->observed.size; i++)
    if (!knows (t, &in->l->observed.data[i]))
      return litmus_fail (in, "there is no `%s`", in->l->observed.data[i].name);
#define LINE(text) str_add (out, text "\n");
#include "litmus/prelude.def"
#undef LINE
  if (t->is_java) str_add (out, "#include <porf/java.h>\n#define boolean bool\n");
  write_variables (in, t, out);
  for (u32 i = 0; i < n; i++)
    if (!write_thread (in, &t->threads.data[i], i, out)) return false;
  str_printf (out, "int main (void) {\npthread_t t[%u];\n", n);
  for (u32 i = 0; i < n; i++) str_printf (out, "pthread_create (&t[%u], 0, P%u, 0);\n", i, i);
  for (u32 i = 0; i < n; i++) str_printf (out, "pthread_join (t[%u], 0);\n", i);
  str_add (out, "return 0;\n}\n");
  return true;
}

static void test_free (Test *t) {
  for (u32 i = 0; i < t->variables.size; i++) {
    mem_free (t->variables.data[i].name);
    mem_free (t->variables.data[i].type);
    mem_free (t->variables.data[i].initial);
  }
  for (u32 i = 0; i < t->threads.size; i++) {
    mem_free (t->threads.data[i].parameters);
    mem_free (t->threads.data[i].arguments);
    mem_free (t->threads.data[i].body);
  }
  litmus_free_handles (&t->handles);
  vec_free (&t->variables);
  vec_free (&t->threads);
}

bool litmus_read (Litmus *l, const char *text, const char *path, Str *error) {
  Test t = {0};
  *l = (Litmus){.filter = -1};
  Input in = {.start = text, .at = text, .path = path, .error = error, .l = l};
  const struct AsmDialect *d = litmus_find_dialect (&in);
  bool fine = (d || read_language (&in, &t)) && read_name (&in);
  if (fine) fine = d ? litmus_read_asm (&in, d) : read_test (&in, &t) && write_program (&in, &t);
  test_free (&t);
  return fine;
}

void litmus_free (Litmus *l) {
  for (u32 i = 0; i < l->observed.size; i++) {
    mem_free (l->observed.data[i].name);
    mem_free (l->observed.data[i].variable);
  }
  for (u32 i = 0; i < l->terms.size; i++) mem_free (l->terms.data[i].address);
  vec_free (&l->observed);
  vec_free (&l->terms);
  str_free (&l->mapping);
  str_free (&l->program);
  mem_free (l->name);
  mem_free (l->text);
}
