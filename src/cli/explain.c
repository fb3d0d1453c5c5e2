/* explain.c - porf models and porf explain: what there is, and what it means. */
#include <stdlib.h>

#include "base/plain.h"
#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/shapes.h"
#include "models/files/file.h"
#include "session/models.h"

static const struct Entry {
  const char *name, *text, *example;
} entries[] = {
#define EXPLAIN(name, text, example) {name, text, example},
#include "cli/explain.def"
#undef EXPLAIN
};

const char *explain_topic (u32 i) {
  if (i < ARRAY_SIZE (entries)) return entries[i].name;
  const Shape *s = shape_at (i - (u32)ARRAY_SIZE (entries));
  return s ? s->name : NULL;
}

/* ---- which behaviours a model allows */

static const struct Strength {
  const char *name;
  Order load, store;
} strengths[] = {{"relaxed", ORD_RLX, ORD_RLX}, {"release/acquire", ORD_ACQ, ORD_REL}};

static const char *answer (const Shape *s, const Model *m, const struct Strength *with) {
  static const char *const words[] = {[ANSWER_NO] = "-", [ANSWER_YES] = "yes", [ANSWER_OPEN] = "?"};
  return words[shape_is_allowed (s, m, with->load, with->store)];
}

static void print_cell (u32 shape, const char *text) { printf (" %*s", shape ? 4 : 5, text); }

static void print_head (void) {
  u32 n = 0;
  while (shape_at (n)) n++;
  printf ("%-8s", "");
  for (u32 k = 0; k < ARRAY_SIZE (strengths); k++)
    printf ("   %-*s", (int)(5 * n), strengths[k].name);
  printf ("\n%-8s", "");
  for (u32 k = 0; k < ARRAY_SIZE (strengths); k++)
    for (u32 i = 0; i < n; i++) print_cell (i, shape_at (i)->name);
  printf ("\n");
}

static void print_allowed (const Model *m) {
  for (u32 k = 0; k < ARRAY_SIZE (strengths); k++) {
    printf ("allows with %s accesses:", strengths[k].name);
    bool any = false;
    for (u32 s = 0; shape_at (s); s++)
      if (shape_is_allowed (shape_at (s), m, strengths[k].load, strengths[k].store) == ANSWER_YES) {
        printf (" %s", shape_at (s)->name);
        any = true;
      }
    printf ("%s\n", any ? "" : " nothing that is not sequentially consistent");
  }
}

/* What is known of program order where cycles of po and rf are allowed. */
static void print_kept (const Model *m) {
  if (!m->has_partial_graphs || (m->keeps & KEEPS_PO)) return;
  bool has_order = m->keeps & KEEPS_LOC_WR;
  printf ("%-20s  %s%s%s%s%s\n", "program order",
          has_order ? "is kept from writes to later reads of the location"
                    : "not proved to be kept anywhere, which is slow",
          m->keeps & KEEPS_ACQUIRE ? ", after acquire reads" : "",
          m->keeps & KEEPS_RELEASE ? ", before release stores" : "",
          m->keeps & KEEPS_FENCES ? ", and around fences" : "",
          m->keeps_back ? ", until a thread reads what it has updated" : "");
}

/* Reads a model file and says what was found in it. */
static int check_model (const char *path) {
  Str text = {0};
  CatModel *rules = model_read_rules (path, false, &text);
  if (!rules) models_die (&text);
  cat_describe (rules, &text);
  cat_free (rules);
  plain_lines (&text.text);
  fputs (text.text, stdout);
  str_free (&text);
  Model *m = model_from_file (path, NULL, &text);
  if (m) print_kept (m);
  plain_lines (&text.text);
  printf ("\n%s", m ? "" : text.text);
  if (m) print_allowed (m);
  model_free_own (m);
  str_free (&text);
  return EXIT_PASS;
}

int command_models (const Args *a) {
  if (a->check_model) return check_model (a->check_model);
  for (u32 i = 0; model_at (i); i++) {
    const Model *m = model_at (i);
    printf ("%-8s %-50s %s\n", m->name, m->title, m->paper ? m->paper : "");
  }
  printf ("\nWhich weak behaviours they allow (`porf explain SB`; ? = not "
          "decided):\n");
  print_head ();
  for (u32 i = 0; model_at (i); i++) {
    printf ("%-8s", model_at (i)->name);
    for (u32 k = 0; k < ARRAY_SIZE (strengths); k++)
      for (u32 s = 0; shape_at (s); s++)
        print_cell (s, answer (shape_at (s), model_at (i), &strengths[k]));
    printf ("\n");
  }
  printf ("\nThe papers are listed in docs/papers.md, the formulas in docs/MODELS.md.\n");
  return EXIT_PASS;
}

/* ---- explanations */

static void print_wrapped (const char *text) {
  enum { WIDTH = 100 };
  u32 column = 0;
  while (*text) {
    size_t n = strcspn (text, " ");
    if (column && column + 1 + n > WIDTH) {
      printf ("\n");
      column = 0;
    }
    printf ("%s%.*s", column ? " " : "", (int)n, text);
    column += (u32)n + (column > 0);
    text += n + (text[n] == ' ');
  }
  printf ("\n");
}

static bool has_axiom (const Model *m, const char *name) {
  for (u32 i = 0; model_axiom_at (m, i); i++)
    if (!strcmp (model_axiom_at (m, i), name)) return true;
  return false;
}

static void explain_axiom (const char *name) {
  const char *before = "axiom of";
  for (u32 i = 0; model_at (i); i++) {
    if (!has_axiom (model_at (i), name)) continue;
    printf ("%s %s", before, model_at (i)->name);
    before = ",";
  }
  if (*before == ',') printf ("\n\n");
}

static void print_axioms (const Model *m) {
  for (u32 i = 0; model_axiom_at (m, i); i++) {
    bool is_repeated = false;
    for (u32 k = 0; k < i; k++)
      is_repeated |= !strcmp (model_axiom_at (m, k), model_axiom_at (m, i));
    if (!is_repeated) printf ("%s%s", i ? ", " : "axioms: ", model_axiom_at (m, i));
  }
  if (model_axiom_at (m, 0)) printf (" (porf explain NAME)\n");
}

static void explain_model (const Model *m) {
  print_axioms (m);
  print_allowed (m);
  if (m->paper) printf ("paper: %s (docs/papers.md)\n", m->paper);
}

static void print_models (const Shape *s, const struct Strength *with, Answer wanted,
                          const char *before) {
  for (u32 i = 0; model_at (i); i++) {
    if (shape_is_allowed (s, model_at (i), with->load, with->store) != wanted) continue;
    printf ("%s %s", before, model_at (i)->name);
    before = ",";
  }
}

static void explain_shape (const Shape *s) {
  printf ("%s\n\n", s->name);
  print_wrapped (s->text);
  printf ("\n  %s\n  can it end with %s ?\n\n", s->threads, s->outcome);
  for (u32 k = 0; k < ARRAY_SIZE (strengths); k++) {
    printf ("%s accesses:", strengths[k].name);
    print_models (s, &strengths[k], ANSWER_YES, "\n  allowed under");
    print_models (s, &strengths[k], ANSWER_NO, "\n  forbidden under");
    print_models (s, &strengths[k], ANSWER_OPEN, "\n  not known under");
    printf ("\n");
  }
}

static const char *example_text (const char *name) {
  for (const Example *e = explain_examples; e->name; e++) {
    size_t i = 0;
    while (name[i] && (name[i] == e->name[i] || (name[i] == ' ' && e->name[i] == '-'))) i++;
    if (!name[i] && !e->name[i]) return e->text;
  }
  return NULL;
}

static void explain_entry (const struct Entry *e, bool only_example) {
  const Model *m = model_find (e->name);
  const char *program = example_text (e->name);
  if (only_example) {
    fputs (program ? program : "", stdout);
    return;
  }
  printf ("%s%s%s\n\n", e->name, m ? ": " : "", m ? m->title : "");
  print_wrapped (e->text);
  printf ("\n%s\n", e->example);
  if (m) explain_model (m);
  explain_axiom (e->name);
  if (program)
    printf ("%sA program that shows it (`porf explain --example '%s'` prints just that):\n\n%s",
            m ? "\n" : "", e->name, program);
}

int command_explain (const Args *a) {
  if (a->files.size != 1)
    die_input ("`porf explain` needs the name of one finding, model, axiom or behaviour");
  const char *name = a->files.data[0];
  if (model_is_file (name)) return check_model (name);
  for (u32 i = 0; i < ARRAY_SIZE (entries); i++) {
    if (strcmp (entries[i].name, name)) continue;
    explain_entry (&entries[i], a->example);
    return EXIT_PASS;
  }
  for (u32 i = 0; shape_at (i); i++) {
    if (strcmp (shape_at (i)->name, name)) continue;
    explain_shape (shape_at (i));
    return EXIT_PASS;
  }
  const char *near = option_suggest (name, explain_topic);
  Str names = {0};
  for (u32 i = 0; explain_topic (i); i++)
    str_printf (&names, "%s%s", i ? ", " : "", explain_topic (i));
  if (near) die_input ("unknown name `%s`; did you mean `%s`?", name, near);
  die_input ("unknown name `%s`; choose from: %s", name, names.text);
}
