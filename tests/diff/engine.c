/* engine.c - the only file of the tests here that knows the engine. */
#include <unistd.h>

#include "diff/engine.h"
#include "scale/boxes.h"

#include "explore/explore.h"
#include "futures/futures.h"
#include "ir/ir.h"
#include "models/hardware/expand.h"
#include "models/files/file.h"
#include "witness/witness.h"

#include <pthread.h>
#include <string.h>

typedef struct Relay {
  pthread_mutex_t lock; /* ranks do not wait for each other */
  u64 attempt, seen;    /* executions of all ranks since the search last began */
  EngineSink sink;
  void *arg;
  Str text;
  bool check_axioms, check_twins;
  const Model *unordered; /* executions are shown as this model tells them apart: not by mo, but by
                             their final writes; or NULL */
  const char *violated;   /* by the first execution that the axioms reject, or NULL */
  u64 rejected;           /* its number */
} Relay;

/* Model i as it stands in cat/, read once. */
static const CatModel *twin_of (u32 i) {
  static CatModel *twins[32];
  if (twins[i]) return twins[i];
  Str path = {0}, error = {0};
  str_printf (&path, "cat/%s.cat", model_at (i)->name);
  twins[i] = cat_load (path.text, false, &error);
  if (!twins[i]) die_input ("%s", error.text);
  str_free (&path);
  str_free (&error);
  return twins[i];
}

/* Whether the axioms and cat/ agree on a graph, under every model: also under those that forbid
 * it. */
static bool twins_agree (const Graph *g) {
  static Expansion x;
  for (u32 i = 0; model_at (i); i++) {
    const Model *m = model_at (i);
    if ((m->allows || m->pushes) && g->mo_is_list) continue; /* they count on an order of writes */
    const Graph *seen = m->mapping ? expansion_make (&x, g, m->mapping) : g;
    bool allows = m->allows ? m->allows (m, g) : model_violated_axiom (m, g) == NULL;
    if (cat_allows (twin_of (i), seen, NULL) != allows) return false;
  }
  return true;
}

static void relay_execution (void *arg, const Execution *e) {
  Relay *r = arg;
  pthread_mutex_lock (&r->lock);
  r->seen = e->attempt == r->attempt ? r->seen + 1 : 1;
  r->attempt = e->attempt;
  if (r->check_axioms && !r->violated) {
    r->violated = model_violated_axiom (e->model, e->graph);
    r->rejected = e->number;
  }
  if (r->check_twins && !r->violated && !twins_agree (e->graph)) {
    r->violated = "of another opinion than its twin in cat/";
    r->rejected = e->number;
  }
  str_clear (&r->text);
  Graph plain = *e->graph; /* without its dependencies, which the oracle does not know */
  plain.dep_sets = NULL;
  Execution shown = *e;
  shown.graph = &plain;
  if (r->unordered) {
    shown.model = r->unordered;
    plain.has_finals = !e->is_blocked;
  }
  execution_canon (&shown, &r->text);
  r->sink (r->arg, r->seen, r->text.text, r->text.length);
  pthread_mutex_unlock (&r->lock);
}

static Program *read_program (const char *ir, size_t size, EngineResult *r) {
  IrError error;
  Program *p = ir_parse (ir, size, &error);
  if (!p) {
    snprintf (r->why, sizeof r->why, "IR line %u, column %u: %s", error.line, error.column,
              error.message);
    return NULL;
  }
  ir_prepare (p, (IrOptions){.find_spin_loops = true});
  return p;
}

static unsigned finding_bit (FindingKind kind) {
  return kind == FINDING_RACE          ? FOUND_RACE
         : kind == FINDING_DEADLOCK    ? FOUND_DEADLOCK
         : kind == FINDING_LIVENESS    ? FOUND_LIVENESS
         : kind == FINDING_LOCK_MISUSE ? FOUND_MISUSE
                                       : FOUND_OTHER;
}

static void read_result (EngineResult *r, const Result *result, const Relay *relay) {
  r->is_complete = true;
  for (u32 i = 0; i < result->not_covered.size; i++) {
    const char *what = result->not_covered.data[i].what;
    if (strstr (what, "nondeterministic")) continue;    /* it was told what to choose from */
    if (strstr (what, "plain accesses race")) continue; /* the oracle leaves them out as well */
    r->timed_out |= strstr (what, "--timeout") != NULL;
    snprintf (r->why, sizeof r->why, "not covered: %s", what);
    r->is_complete = false;
  }
  for (u32 i = 0; i < result->findings.size; i++) {
    const Finding *f = &result->findings.data[i];
    r->findings |= finding_bit (f->kind);
    if (r->is_complete)
      snprintf (r->why, sizeof r->why, "%s: %s", finding_kind_name (f->kind), f->message);
  }
  if (!relay->violated) return;
  snprintf (r->why, sizeof r->why, "execution %llu violates the axiom \"%s\"",
            (unsigned long long)relay->rejected, relay->violated);
  r->is_complete = false;
}

static const Model *file_model (const char *name, EngineOptions options) {
  static Model *last; /* all programs of a run ask for the same few */
  static char last_name[32];
  if (last && !strcmp (last_name, name)) return last;
  Str path = {0}, error = {0};
  model_free_own (last);
  snprintf (last_name, sizeof last_name, "%s", name);
  str_printf (&path, "cat/%s.cat", name);
  last = model_from_file (path.text, NULL, &error);
  if (!last) die_input ("%s", error.text);
  if (options.loose || options.holes) {
    last->has_partial_graphs = true;
    if (options.holes) last->keeps = 0; /* else as the model says */
  }
  str_free (&path);
  str_free (&error);
  return last;
}

/* A search that goes on from the last checkpoint ends as the one that has written it. */
static void check_resumed (const Program *p, const ExploreOptions *options, const Result *whole) {
  ExploreOptions o = *options;
  if (access (o.checkpoint, R_OK)) return; /* it was too short to have one */
  explore_silently (&o);
  o.resume = options->checkpoint;
  Result again = explore_program (p, &o);
  if (again.stats.executions != whole->stats.executions ||
      again.stats.blocked != whole->stats.blocked || again.stats.nodes != whole->stats.nodes ||
      again.findings.size != whole->findings.size || again.verdict != whole->verdict)
    BUG ("a resumed search ends differently");
  result_free (&again);
  unlink (o.resume);
}

/* A rank that helps. */
typedef struct Helper {
  const Program *program;
  ExploreOptions options;
  pthread_t thread;
} Helper;

static void *help (void *arg) {
  Helper *h = arg;
  Result r = explore_program (h->program, &h->options);
  result_free (&r);
  return NULL;
}

static Result explore_with_ranks (const Program *p, ExploreOptions *o, u32 ranks) {
  Boxes *boxes = boxes_new (ranks);
  Helper *helpers = mem_zalloc (ranks * sizeof *helpers);
  for (u32 i = 1; i < ranks; i++) {
    helpers[i] = (Helper){.program = p, .options = *o};
    helpers[i].options.cluster = boxes_cluster (boxes, i);
    if (pthread_create (&helpers[i].thread, NULL, help, &helpers[i])) die_input ("no thread");
  }
  o->cluster = boxes_cluster (boxes, 0);
  Result r = explore_program (p, o);
  o->cluster = NULL;
  for (u32 i = 1; i < ranks; i++) pthread_join (helpers[i].thread, NULL);
  mem_free (helpers);
  boxes_free (boxes);
  return r;
}

static unsigned kinds_of (const Result *r) {
  unsigned kinds = 0;
  for (u32 i = 0; i < r->findings.size; i++) kinds |= finding_bit (r->findings.data[i].kind);
  return kinds;
}

static void differ (const char *what, u64 explore, u64 futures) {
  fprintf (stderr, "%s: explore %llu, futures %llu\n", what, (unsigned long long)explore,
           (unsigned long long)futures);
  BUG ("the engine futures differs");
}

/* Whether main may return while other threads go on. How many executions there are then in which
 * one of these waits in a loop is counted by nobody alike, nor by explore without reductions. */
static bool cuts_threads_off (const Result *r) {
  return r->assumed & ASSUMPTION_BIT (ASSUMPTION_THREADS_CUT_OFF);
}

/* Several workers find first what one finds first. */
static void compare_first (const Program *p, const ExploreOptions *options, const Result *r) {
  ExploreOptions alone = *options;
  Result one;
  alone.jobs = 1;
  if (futures_program (p, &alone, &one)) BUG ("the engine futures is only for several workers");
  if (one.findings.size != r->findings.size)
    differ ("findings of one worker", one.findings.size, r->findings.size);
  if (one.findings.size && one.findings.data[0].kind != r->findings.data[0].kind)
    differ ("kind of one worker", one.findings.data[0].kind, r->findings.data[0].kind);
  if (one.findings.size && one.findings.data[0].pos != r->findings.data[0].pos)
    differ ("place of one worker", one.findings.data[0].pos, r->findings.data[0].pos);
  result_free (&one);
}

/* It counts the same executions, and finds the same; if it stops at the first finding, one of them. */
static void compare_futures (const Program *p, const ExploreOptions *options, const Result *whole) {
  ExploreOptions o = *options;
  explore_silently (&o);
  if (whole->not_covered.size) return;
  for (int stops = 0; stops < 2; stops++) {
    o.keep_going = !stops;
    Result r;
    if (futures_program (p, &o, &r)) continue;
    if (r.is_unbounded) differ ("unbounded", 0, 1);
    if (stops && o.jobs > 1) compare_first (p, &o, &r);
    bool is_for_it = !r.not_covered.size;
    unsigned all = kinds_of (whole), found = kinds_of (&r);
    if (is_for_it && (stops ? !found != !all : found != all)) differ ("findings", all, found);
    bool counts = is_for_it && !(stops && found) && !cuts_threads_off (whole);
    if (counts && r.stats.executions != whole->stats.executions)
      differ ("executions", whole->stats.executions, r.stats.executions);
    result_free (&r);
  }
}

static void see_execution (void *arg, const Execution *e) { observer_see (arg, e); }

/* Both engines count the same executions of every outcome: explore as model 0, futures as 1. */
static void compare_outcomes (const Program *p, const ExploreOptions *options, bool all_reads) {
  ExploreOptions o = *options;
  Outcomes both;
  Observer *observers[2];
  explore_silently (&o);
  o.symmetry = o.commuting = false;
  o.vm.share_everything = all_reads;
  outcomes_init (&both);
  for (u32 m = 0; m < 2; m++) {
    ObserverOptions observes = {.into = &both, .model = m, .all_reads = all_reads};
    observers[m] = observer_new (p, &observes);
  }
  o.observer = observers[1];
  Result r;
  if (!futures_program (p, &o, &r) && !r.not_covered.size) {
    observer_use_kept (observers[1]);
    u64 shared = r.stats.locations;
    result_free (&r);
    o.on_execution = see_execution;
    o.arg = observers[0];
    r = explore_program (p, &o);
    if (!r.stats.executions) outcomes_forget (&both, 0);
    /* One of them may have taken more memory for shared, and so has reads that the other has not. */
    bool is_alike = !r.not_covered.size && r.stats.locations == shared;
    for (u32 i = 0; i < both.rows.size && is_alike; i++) {
      const Outcome *row = &both.rows.data[i];
      if (row->count[0].low != row->count[1].low)
        differ ("executions of an outcome", row->count[0].low, row->count[1].low);
    }
    result_free (&r);
  }
  for (u32 m = 0; m < 2; m++) observer_free (observers[m]);
  outcomes_done (&both);
}

EngineResult engine_run (const char *ir, size_t size, const char *model, EngineOptions options,
                         EngineSink sink, void *arg) {
  EngineResult r = {.is_complete = false};
  const Model *m = options.from_file ? file_model (model, options) : model_find (model);
  if (!m) {
    snprintf (r.why, sizeof r.why, "no such model: %s", model);
    return r;
  }
  Program *p = read_program (ir, size, &r);
  if (!p) return r;
  Relay relay = {.sink = sink, .arg = arg, .check_axioms = options.check_invariants};
  pthread_mutex_init (&relay.lock, NULL);
  relay.check_twins = options.check_twins;
  const Model *native = model_find (model);
  r.merges_orders = options.from_file && native && native->pushes && !native->has_mo;
  if (r.merges_orders) relay.unordered = native;
  ExploreOptions o = explore_default_options (m);
  o.keep_going = true;
  o.jobs = options.jobs;
  o.share_at_once = options.jobs > 1 || options.ranks > 1 || options.checkpoint;
  o.checkpoint = options.checkpoint;
  o.save_every = 0.001;
  o.timeout = options.seconds;
  o.check_invariants = options.check_invariants;
  if (options.no_reductions) o.reductions = false;
  o.vm.dependencies = options.dependencies;
  o.symmetry = options.symmetry;
  o.commuting = options.commuting;
  o.vm.nondet_low = 0;
  o.vm.nondet_high = options.choices - 1;
  if (!options.futures) o.on_execution = relay_execution;
  o.arg = &relay;
  Result result =
      options.ranks > 1 ? explore_with_ranks (p, &o, options.ranks) : explore_program (p, &o);
  read_result (&r, &result, &relay);
  if (options.checkpoint) check_resumed (p, &o, &result);
  if (options.futures) {
    compare_futures (p, &o, &result);
    if (!cuts_threads_off (&result)) {
      compare_outcomes (p, &o, false);
      compare_outcomes (p, &o, true);
    }
  }
  r.executions = result.stats.executions;
  result_free (&result);
  str_free (&relay.text);
  pthread_mutex_destroy (&relay.lock);
  program_free (p);
  return r;
}
