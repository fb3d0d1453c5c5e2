#include "cli/shapes.h"
#include "witness/witness.h"

static const Shape shapes[] = {
#define SHAPE(name, threads, outcome, text) {name, threads, outcome, text},
#include "cli/shapes.def"
#undef SHAPE
};

const Shape *shape_at (u32 i) { return i < ARRAY_SIZE (shapes) ? &shapes[i] : NULL; }

/* ---- the program */

enum { MOST_GLOBALS = 16, NAME_SIZE = 8 };

typedef struct Writer {
  Str globals, functions;
  char names[MOST_GLOBALS][NAME_SIZE];
  u32 nglobals;
} Writer;

/* The number of the global, which is made if it is new. */
static u32 global_of (Writer *w, const char *name) {
  for (u32 i = 0; i < w->nglobals; i++)
    if (!strcmp (w->names[i], name)) return i;
  BUG_IF (w->nglobals == MOST_GLOBALS || strlen (name) >= NAME_SIZE);
  strcpy (w->names[w->nglobals], name);
  str_printf (&w->globals, "global %u \"%s\" size 4 align 4 type 0 = zero\n", w->nglobals, name);
  return w->nglobals++;
}

/* W x 1, or r0=R x */
static void write_statement (Writer *w, u32 thread, const char *text, Order load, Order store) {
  char location[2] = {0}, name[NAME_SIZE];
  u32 value, number;
  if (sscanf (text, " W %1[a-z] %u", location, &value) == 2) {
    str_printf (&w->functions, "  store.4 %s g%u, %u\n", order_name (store),
                global_of (w, location), value);
  } else {
    BUG_IF (sscanf (text, " r%u=R %1[a-z]", &number, location) != 2);
    snprintf (name, sizeof name, "%u:r%u", thread % 10, number % 10);
    str_printf (&w->functions, "  r1 = load.4 %s g%u\n  store.4 na g%u, r1\n", order_name (load),
                global_of (w, location), global_of (w, name));
  }
}

static void write_main (Writer *w, u32 threads) {
  str_printf (&w->functions, "func %u \"main\" params 0 regs %u {\nb0:\n", threads, threads);
  for (u32 t = 0; t < threads; t++)
    str_printf (&w->functions, "  r%u = builtin thread_create(f%u, 0)\n", t, t);
  for (u32 t = 0; t < threads; t++)
    str_printf (&w->functions, "  r%u = builtin thread_join(r%u)\n", t, t);
  str_add (&w->functions, "  ret 0\n}\n");
}

static Program *program_of (const Shape *s, Order load, Order store) {
  Writer w = {0};
  Str text = {0};
  IrError error;
  u32 threads = 0;
  for (const char *at = s->threads;; threads++) {
    str_printf (&w.functions, "func %u \"t%u\" params 1 regs 2 {\nb0:\n", threads, threads + 1);
    for (;; at++) {
      write_statement (&w, threads, at, load, store);
      at += strcspn (at, ";|");
      if (*at != ';') break;
    }
    str_add (&w.functions, "  ret 0\n}\n");
    if (!*at) break;
    at += 2;
  }
  write_main (&w, threads + 1);
  str_printf (&text, "porf-ir 1\n%s%s", w.globals.text, w.functions.text);
  Program *p = ir_parse (text.text, text.length, &error);
  if (!p) BUG (error.message);
  ir_prepare (p, (IrOptions){.find_spin_loops = true});
  str_free (&text);
  str_free (&w.globals);
  str_free (&w.functions);
  return p;
}

/* ---- its outcomes */

static void on_execution (void *arg, const Execution *e) { observer_see (arg, e); }

static const char *value_of (const Outcomes *o, const Outcome *row, const char *name, size_t n) {
  for (u32 c = 0; c < o->columns.size; c++) {
    const char *what = o->columns.data[c].what;
    if (o->columns.data[c].kind == COLUMN_GLOBAL && strlen (what) == n && !strncmp (what, name, n))
      return outcome_value (o, row, c);
  }
  BUG ("a shape observes something that is not there");
}

static Answer is_outcome (const Outcomes *o, const Outcome *row, const char *condition) {
  bool is_open = false;
  for (const char *at = condition; *at; at += strspn (at, " ")) {
    size_t n = strcspn (at, "=");
    const char *value = value_of (o, row, at, n);
    at += n + 1;
    size_t length = strcspn (at, " ");
    if (strchr (value, '|'))
      is_open = true;
    else if (strlen (value) != length || strncmp (value, at, length))
      return ANSWER_NO;
    at += length;
  }
  return is_open ? ANSWER_OPEN : ANSWER_YES;
}

Answer shape_is_allowed (const Shape *s, const Model *m, Order load, Order store) {
  Program *p = program_of (s, load, store);
  Outcomes o;
  outcomes_init (&o);
  ExploreOptions options = explore_default_options (m);
  Observer *observer = observer_new (p, &(ObserverOptions){.into = &o});
  options.keep_going = true;
  options.symmetry = options.commuting = false;
  options.on_execution = on_execution;
  options.arg = observer;
  Result result = explore_program (p, &options);
  Answer answer = result.verdict == VERDICT_PASS ? ANSWER_NO : ANSWER_OPEN;
  for (u32 i = 0; i < o.rows.size; i++) {
    Answer a = outcome_is_of (&o.rows.data[i], 0) ? is_outcome (&o, &o.rows.data[i], s->outcome)
                                                  : ANSWER_NO;
    if (a == ANSWER_YES || answer == ANSWER_NO) answer = a;
  }
  result_free (&result);
  observer_free (observer);
  outcomes_done (&o);
  program_free (p);
  return answer;
}
