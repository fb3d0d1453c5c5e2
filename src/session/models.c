#include "session/models.h"

#include <errno.h>
#include <strings.h>

#include "base/plain.h"
#include "models/files/file.h"
#include "session/scope.h"

void models_die (Str *error) {
  plain_lines (&error->text);
  if (!strstr (error->text, ": error: "))
    die_input ("%.*s", (int)strlen (error->text) - 1, error->text);
  die (EXIT_INPUT, error->text);
}

bool mapping_load (const char *name, Mapping *m) {
  size_t size;
  MapError error;
  if (mapping_find (name, m)) return true;
  char *text = file_read_regular (name, &size);
  if (!text) {
    const char *near = option_suggest (name, mapping_name);
    if (near) die_input ("no mapping or file `%s`; did you mean `%s`?", name, near);
    die_input ("cannot read `%s`: %s; `porf mappings` lists those that need no file", name,
               strerror (errno));
  }
  bool ok = mapping_read (m, text, size, &error);
  if (!ok) {
    Str out = {0};
    mapping_say_error (name, text, size, &error, &out);
    plain_lines (&out.text);
    fputs (out.text, stderr);
    str_free (&out);
  }
  mem_free (text);
  return ok;
}

static const char *model_name_at (u32 i) {
  const Model *m = model_at (i);
  return m ? m->name : NULL;
}

static const Model *model_of_file (const char *path, const Mapping *mapping) {
  Str error = {0};
  const Model *m = model_from_file (path, mapping, &error);
  if (!m) models_die (&error);
  return m;
}

/* Another mapping than its usual one, if it has one. */
static const Model *remapped (const Model *m, const Mapping *mapping, const char *file) {
  if (!mapping || !m->mapping) return m;
  if (mapping->target != m->mapping->target)
    die_input ("`%s` is for %s, the model `%s` is for %s", file, target_name (mapping->target),
               m->name, target_name (m->mapping->target));
  const char *base = strrchr (file, '/');
  return model_with_mapping (m, mapping, base ? base + 1 : file);
}

/* Of a processor or a language whose model has another name, or in other letters. */
static const char *model_meant (const char *name) {
  static const char *const others[][2] = {
      {"x86", "tso"},    {"x86-64", "tso"},    {"x86_64", "tso"},  {"amd64", "tso"},
      {"arm", "armv8"},  {"arm64", "armv8"},   {"armv9", "armv8"}, {"aarch64", "armv8"},
      {"ppc", "power"},  {"powerpc", "power"}, {"c11", "rc11"},    {"cpp11", "rc11"},
      {"c++11", "rc11"}, {"c++20", "rc20"},    {"cpp20", "rc20"},  {"c20", "rc20"},
      {"sparc", "pso"},  {"java", "jam21"},    {"jam", "jam21"},   {"rv64", "riscv"},
  };
  for (u32 i = 0; i < ARRAY_SIZE (others); i++)
    if (!strcasecmp (name, others[i][0])) return others[i][1];
  for (u32 i = 0; model_name_at (i); i++)
    if (!strcasecmp (name, model_name_at (i))) return model_name_at (i);
  return option_suggest (name, model_name_at);
}

static const Model *wanted_model (const char *name, const Mapping *mapping, const char *file) {
  const Model *m = model_find (name);
  if (m) return remapped (m, mapping, file);
  if (model_is_file (name)) return model_of_file (name, mapping);
  const char *near = model_meant (name);
  if (near) die_input ("unknown model `%s`; did you mean `%s`?", name, near);
  die_input (
      "unknown model `%s`; `porf models` lists them, and files of models end in .cat or .mcm",
      name);
}

static void announce_rules (const Model *m) {
  tell_user ("the rules of %s %s%s", m->name,
             m->has_partial_graphs ? "are checked while graphs grow; coherence is not assumed"
             : m->cuts
                 ? "are checked while graphs grow: graphs are given up as soon as they break a rule"
                 : "choose among all executions of coherent memory",
             m->has_undefined ? "" : "; data races are not checked");
}

void models_wanted (const Args *a, Models *out) {
  Mapping mapping;
  bool is_used = false;
  if (a->mapping && !mapping_load (a->mapping, &mapping)) die (EXIT_INPUT, "");
  if (a->own_model) vec_push (out, a->own_model);
  for (const char *at = a->own_model ? "" : a->model; *at;) {
    size_t n = strcspn (at, ",");
    char *name = mem_strdup (at);
    name[n] = 0;
    vec_push (out, wanted_model (name, a->mapping ? &mapping : NULL, a->mapping));
    is_used |= vec_last (out)->mapping != NULL;
    if (vec_last (out)->rules && a->edits)
      die_input ("`--edits` is not supported under %s: there are no fixes under models in files",
                 name);
    if (a->skip_retries && !explore_skips_retries (vec_last (out)))
      die_input ("option `--skip-retries` is not supported under %s", name);
    if (a->reuse_addresses && !explore_orders_frees (vec_last (out)))
      die_input ("option `--reuse-addresses` is not supported under %s", name);
    if (vec_last (out)->rules && !a->quiet) announce_rules (vec_last (out));
    mem_free (name);
    at += n + (at[n] == ',');
  }
  if (a->mapping && !is_used)
    die_input ("option `--mapping` needs a hardware model, which %s is not", a->model);
  bool compares = a->command == COMMAND_compare, optimizes = a->command == COMMAND_optimize;
  if (compares && (out->size < 2 || out->size > MOST_MODELS))
    die_input ("`porf compare` needs 2 to %d models, as in `-m sc,rc11`", MOST_MODELS);
  if (!compares && !optimizes && out->size != 1)
    die_input ("option `-m` needs one model; `porf compare` and `porf optimize` take several");
}

void models_free (Models *models) {
  for (u32 i = 0; i < models->size; i++)
    if (model_find (models->data[i]->name) != models->data[i])
      model_free_own ((Model *)(uintptr_t)models->data[i]);
  vec_free (models);
}

/* ---- tests in assembler */

/* Models without a mapping ask for C11's orders, which mean something else there, unless all orders
 * are the same to them, or the model is that of the processor. */
static const Model *model_of_test (const char *name, const Litmus *l, const Mapping *mapping,
                                   Str *error) {
  const Model *m = model_find (name);
  if (!m) return model_of_file (name, mapping);
  if (m->mapping && m->mapping->target == mapping->target)
    return model_with_mapping (m, mapping, NULL);
  if (!m->mapping && (m == model_strongest () || !strcmp (name, l->model))) return m;
  str_printf (error, "the model %s is not for %s", m->name, target_name (mapping->target));
  return NULL;
}

bool models_of_test (const Args *a, const Litmus *l, Models *out, Str *error) {
  Mapping mapping;
  MapError wrong;
  if (!mapping_read (&mapping, l->mapping.text, l->mapping.length, &wrong)) BUG (wrong.message);
  if (a->mapping || a->own_model)
    str_add (error, "a test in assembler needs a model by its name and no mapping");
  else if (a->command == COMMAND_optimize)
    str_add (error, "a test in assembler has no memory orders to optimize");
  else if (args_wants_machine (a))
    str_add (error, "tests in assembler are not supported by the engine machine");
  if (error->length) return false;
  bool compares = a->command == COMMAND_compare;
  for (const char *at = a->given[OPTION_model] || compares ? a->model : l->model; *at;) {
    size_t n = strcspn (at, ",");
    char *name = mem_strdup (at);
    name[n] = 0;
    const Model *m = model_of_test (name, l, &mapping, error);
    mem_free (name);
    if (!m) return false;
    vec_push (out, m);
    at += n + (at[n] == ',');
  }
  return true;
}
