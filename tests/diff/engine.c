/* engine.c - the only file of the tests here that knows the engine. */
#include "diff/engine.h"

#include "explore/explore.h"
#include "ir/ir.h"

typedef struct Relay {
  EngineSink sink;
  void *arg;
  Str text;
  bool check_axioms;
  const char *violated; /* by the first execution that the axioms reject, or NULL */
  u64 rejected;         /* its number */
} Relay;

static void relay_execution (void *arg, const Execution *e) {
  Relay *r = arg;
  if (r->check_axioms && !r->violated) {
    r->violated = model_violated_axiom (e->model, e->graph);
    r->rejected = e->number;
  }
  str_clear (&r->text);
  execution_canon (e, &r->text);
  r->sink (r->arg, e->number, r->text.text, r->text.length);
}

static Program *read_program (const char *ir, size_t size, char *why, size_t why_size) {
  IrError error;
  Program *p = ir_parse (ir, size, &error);
  if (!p) {
    snprintf (why, why_size, "IR line %u, column %u: %s", error.line, error.column, error.message);
    return NULL;
  }
  ir_prepare (p, (IrOptions){.find_spin_loops = true});
  return p;
}

bool engine_run (const char *ir, size_t size, const char *model, EngineOptions options,
                 EngineSink sink, void *arg, char *why, size_t why_size) {
  const Model *m = model_find (model);
  if (!m) {
    snprintf (why, why_size, "no such model: %s", model);
    return false;
  }
  Program *p = read_program (ir, size, why, why_size);
  if (!p) return false;
  Relay relay = {.sink = sink, .arg = arg, .check_axioms = options.check_invariants};
  ExploreOptions o = explore_default_options (m);
  o.keep_going = true;
  o.check_invariants = options.check_invariants;
  if (options.no_reductions) o.reductions = false;
  o.on_execution = relay_execution;
  o.arg = &relay;
  Result result = explore_program (p, &o);
  bool ok = result.verdict == VERDICT_PASS;
  if (!ok) snprintf (why, why_size, "the verdict is %s", verdict_name (result.verdict));
  if (relay.violated) {
    snprintf (why, why_size, "execution %llu violates the axiom \"%s\"",
              (unsigned long long)relay.rejected, relay.violated);
    ok = false;
  }
  result_free (&result);
  str_free (&relay.text);
  program_free (p);
  return ok;
}
