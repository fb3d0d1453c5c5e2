/* file.c - a model that was read from a file as the explorer sees it: it builds the executions that
 * every coherent memory allows, without values out of thin air and with atomic read-modify-writes,
 * and the rules of the model choose among them. So the rules must imply that much. */
#include "models/files/file.h"

#include "base/plain.h"

#include "models/hardware/expand.h"
#include "models/mcm/mcm.h"
#include "models/model.h"
#include "models/hardware/view.h"
#include "base/mutant.h"

typedef struct OwnModel {
  Model model; /* first: it is what others hold */
  char *name;
  CatModel *rules; /* may be NULL */
  Mapping mapping;
} OwnModel;

static bool has_end (const char *path, const char *end) {
  size_t n = strlen (path), k = strlen (end);
  return n > k && !strcmp (path + n - k, end);
}

bool model_is_file (const char *path) { return has_end (path, ".cat") || has_end (path, ".mcm"); }

CatModel *model_read_rules (const char *path, bool is_mapped, Str *error) {
  return has_end (path, ".mcm") ? mcm_load (path, error) : cat_load (path, is_mapped, error);
}

/* The processor whose instructions a model mentions: the first target that has some in each of the
 * sets, or TARGET_COUNT. */
static Target target_of (const CatModel *rules) {
  for (u32 t = 0; t < TARGET_COUNT; t++) {
    bool fits = true;
    u64 here = hardware_of_target ((Target)t);
    for (u32 i = 0; cat_mentioned_set (rules, i); i++) {
      u64 set = hardware_set (cat_mentioned_set (rules, i));
      fits &= !set || (set & here);
    }
    if (fits) return (Target)t;
  }
  return TARGET_COUNT;
}

/* What C11 becomes by default: instructions of the processor that the model mentions. In mcm
 * there are no words for orders, so that only fences can stand for them. */
static bool find_mapping (const CatModel *rules, const char *path, Mapping *m, Str *error) {
  Target t = cat_facts (rules)->needs_mapping ? target_of (rules) : TARGET_MCM;
  for (u32 i = 0; t != TARGET_COUNT && mapping_name (i); i++)
    if (mapping_find (mapping_name (i), m) && m->target == t) return true;
  str_printf (error,
              "`%s` mentions instructions of more than one processor, or of one without a mapping: "
              "say what C11 becomes by --mapping\n",
              path);
  return false;
}

static bool has_flag (const CatModel *rules, bool is_undefined) {
  for (u32 i = 0; i < cat_rule_count (rules); i++) {
    CatRule r = cat_rule (rules, i);
    if (!r.forbids && r.is_undefined >= is_undefined) return true;
  }
  return false;
}

static Model *model_of_rules (const char *path, CatModel *rules, const Mapping *mapping,
                              Str *error) {
  if (!rules) return NULL;
  const CatFacts *facts = cat_facts (rules);
  Mapping found;
  if (!mapping && (facts->needs_mapping || has_end (path, ".mcm"))) {
    if (!find_mapping (rules, path, &found, error)) {
      cat_free (rules);
      return NULL;
    }
    mapping = &found;
  }
  CatKeeps keeps = cat_keeps (rules, mapping);
  OwnModel *f = mem_zalloc (sizeof *f);
  const char *base = strrchr (path, '/');
  f->name = plain_copy (base ? base + 1 : path);
  f->rules = rules;
  f->model = (Model){
      .name = f->name,
      .title = cat_title (rules),
      /* hb is program order: nothing synchronises */
      .coherence = facts->is_coherent ? COHERENT_BY_HB : COHERENCE_UNKNOWN,
      .has_mo = facts->uses_co || !facts->is_porf_acyclic,
      .releases_fence = true,
      .old_reads = OLD_READS_CONSTRAIN,
      .is_before = graph_is_porf,
      .rules = rules,
      .has_flags = has_flag (rules, false),
      .has_undefined = has_flag (rules, true),
      .cuts = facts->is_extensible,
      .cuts_all = facts->is_extensible && facts->is_monotone,
      .thin_air = cat_forbids_thin_air (rules, mapping) ? 0
                  : facts->is_coherent                  ? 2
                                                        : 1,
      .has_ctrl_of_c = facts->has_ctrl_of_c,
      .asks_dependencies = facts->needs_dependencies,
      .asks_at_end = !facts->is_monotone,
      .counts_iterations = !facts->can_leave_out,
      .has_partial_graphs = !facts->is_usual,
      .keeps = keeps.keeps,
      .keeps_back = keeps.unless_reading_back ? KEEPS_LOC_OWN : 0,
      .splits_rmws = !facts->is_usual && !facts->is_atomic,
  };
  if (mapping) {
    f->mapping = *mapping;
    f->model.mapping = &f->mapping;
  }
  return &f->model;
}

Model *model_with_mapping (const Model *m, const Mapping *mapping, const char *name) {
  OwnModel *f = mem_zalloc (sizeof *f);
  Str text = {0};
  str_printf (&text, name ? "%s with %s" : "%s", m->name, name);
  plain_line (&text.text);
  f->name = text.text;
  f->model = *m;
  f->model.name = f->name;
  f->mapping = *mapping;
  f->model.mapping = &f->mapping;
  f->model.keeps = 0; /* who knows */
  return &f->model;
}

Model *model_from_file (const char *path, const Mapping *mapping, Str *error) {
  return model_of_rules (path, model_read_rules (path, mapping != NULL, error), mapping, error);
}

Model *model_from_text (const char *name, const char *text, Str *error) {
  return model_of_rules (name, cat_read (name, text, strlen (text), error), NULL, error);
}

void model_free_own (Model *m) {
  if (!m) return;
  OwnModel *f = (OwnModel *)m;
  if (f->rules) cat_free (f->rules);
  mem_free (f->name);
  mem_free (f);
}

bool model_allows (const Model *m, const Graph *g, bool is_complete) {
  if (m->allows) return mutant_drops ("search", m->name, 0) || m->allows (m, g);
  if (!m->rules) return true;
  Expansion x = {0};
  if (m->mapping) g = expansion_make (&x, g, m->mapping);
  bool allows =
      is_complete ? cat_allows (m->rules, g, NULL) : cat_allows_so_far (m->rules, g, NULL);
  expansion_done (&x);
  return allows;
}

/* Of the events of a violation two that are not initial writes, as the program's graph has them. */
static void find_ends (const CatViolation *where, const Expansion *x, RaisedFlag *f) {
  f->first = f->last = EV_NONE;
  for (u32 i = 0; i < where->events.size; i++) {
    Ev e = where->events.data[i];
    if (e == EV_INIT) continue;
    if (x->g) e = x->origin.data[e];
    *(f->last == EV_NONE ? &f->last : &f->first) = e;
  }
}

void model_show_flags (const Model *m, const Graph *g, FlagShower *show, void *arg) {
  Expansion x = {0};
  CatViolation where = {0};
  if (!m->has_flags) return;
  if (m->mapping) g = expansion_make (&x, g, m->mapping);
  for (u32 i = 0; i < cat_rule_count (m->rules); i++) {
    CatRule r = cat_rule (m->rules, i);
    if (r.forbids || !cat_raises (m->rules, g, i, &where)) continue;
    RaisedFlag f = {.name = r.name, .is_undefined = r.is_undefined};
    find_ends (&where, &x, &f);
    show (arg, &f);
  }
  cat_violation_free (&where);
  expansion_done (&x);
}

struct ModelEval {
  CatEval *v;
  Expansion x;
};

/* Acyclic po | rf is built in, unless the model has partial graphs, and where writes have an order
 * so are coherence and atomicity. */
ModelEval *model_new_eval (const Model *m) {
  if (!m->rules) return NULL;
  u32 built = CAT_BUILT_PORF | (m->has_mo ? CAT_BUILT_COHERENT | CAT_BUILT_ATOMIC : 0);
  ModelEval *v = mem_zalloc (sizeof *v);
  v->v = cat_eval_new (m->rules, m->has_partial_graphs ? 0 : built);
  return v;
}

void model_free_eval (ModelEval *v) {
  if (!v) return;
  cat_eval_free (v->v);
  expansion_done (&v->x);
  mem_free (v);
}

/* Whether the mapping leaves a graph as it is. mcm knows no orders and no kinds of accesses. */
static bool is_mapped_to_itself (const Mapping *m, const Graph *g) {
  MapStep steps[VIEW_STEPS];
  if (m->target != TARGET_MCM) return false;
  for (Ev e = 1; e < g->events.size; e++)
    if (view_steps (m, graph_event (g, e), steps) != 1) return false;
  return true;
}

/* What the rules speak of. */
static const Graph *graph_of_rules (const Model *m, ModelEval *v, const Graph *g) {
  if (!m->mapping || is_mapped_to_itself (m->mapping, g)) return g;
  return expansion_make (&v->x, g, m->mapping);
}

bool model_allows_next (const Model *m, ModelEval *v, const Graph *g, bool is_complete) {
  if (!v) return model_allows (m, g, is_complete);
  if (is_complete && m->cuts_all && !m->has_partial_graphs) return true;
  return cat_eval_allows (v->v, graph_of_rules (m, v, g), !is_complete);
}

bool model_check_next (const Model *m, ModelEval *v, const Graph *g, bool is_complete) {
  if (v) cat_eval_check (v->v, graph_of_rules (m, v, g), !is_complete);
  bool allows = model_allows_next (m, v, g, is_complete);
  if (allows != model_allows (m, g, is_complete)) BUG ("another opinion of the rules");
  return allows;
}
