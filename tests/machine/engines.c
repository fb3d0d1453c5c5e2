#include "machine/engines.h"

#include "explore/explore.h"
#include "machine/machine.h"
#include "models/files/file.h"
#include "witness/witness.h"

#include <stdlib.h>

/* ---- programs whose threads return their registers */

static unsigned used_registers (const Code *c) {
  unsigned used = 0;
  for (int i = 0; i < c->size; i++)
    if (c->stmt[i].reg >= 0) used |= 1u << c->stmt[i].reg;
  return used;
}

static void emit_return (const Prog *p, int thread, FILE *out) {
  enum { TEMP = PROG_REGS + 1 };
  unsigned used = used_registers (&p->thread[thread]);
  uint64_t label = (uint64_t)prog_twin (p, thread) << 56;
  fprintf (out, "  r%d = mov.64 %llu\n", TEMP, (unsigned long long)label);
  for (int k = 0; k < (thread ? NAIVE_REGS : NAIVE_MAIN_REGS); k++) {
    if (!(used >> k & 1)) continue;
    fprintf (out, "  r%d = and.64 r%d, 255\n", TEMP + 1, k + 1);
    fprintf (out, "  r%d = shl.64 r%d, %d\n", TEMP + 1, TEMP + 1, 8 * k);
    fprintf (out, "  r%d = or.64 r%d, r%d\n", TEMP, TEMP, TEMP + 1);
  }
  fprintf (out, "  ret r%d\n", TEMP);
}

/* Every function ends in `ret 0`. */
static Program *program_of (const Prog *p) {
  char *plain = NULL, *text = NULL;
  size_t size;
  FILE *f = open_memstream (&plain, &size);
  prog_emit_ir (p, f);
  fclose (f);
  f = open_memstream (&text, &size);
  const char *at = plain;
  for (int t = 0; t <= p->threads; t++) {
    const char *end = strstr (at, "  ret 0\n");
    fwrite (at, 1, (size_t)(end - at), f);
    emit_return (p, t, f);
    at = end + strlen ("  ret 0\n");
  }
  fputs (at, f);
  fclose (f);
  IrError error;
  Program *program = ir_parse (text, size, &error);
  if (!program) {
    fprintf (stderr, "%sIR line %u: %s\n", text, error.line, error.message);
    abort ();
  }
  ir_prepare (program, (IrOptions){.find_spin_loops = true});
  free (plain);
  free (text);
  return program;
}

/* ---- outcomes */

static void hide_reads (void *arg, Column *c) { c->is_hidden = c->kind == COLUMN_READ && arg; }

static void sort_outcomes (EngineOutcomes *e) {
  size_t k = 0;
  if (e->size) qsort (e->outcomes, e->size, sizeof (NaiveOutcome), naive_compare);
  for (size_t i = 0; i < e->size; i++)
    if (!k || naive_compare (&e->outcomes[i], &e->outcomes[k - 1]))
      e->outcomes[k++] = e->outcomes[i];
  e->size = k;
}

static void read_outcomes (EngineOutcomes *e, const Outcomes *o) {
  e->outcomes = calloc (o->rows.size + 1, sizeof (NaiveOutcome));
  for (u32 i = 0; i < o->rows.size; i++) {
    const Outcome *row = &o->rows.data[i];
    if (!outcome_is_of (row, 0)) continue;
    NaiveOutcome *out = &e->outcomes[e->size++];
    for (int t = 0; t < PROG_THREADS; t++) out->returned[t] = UINT64_MAX;
    int n = 0;
    for (u32 k = 0; k < row->nvalues; k++)
      if (o->columns.data[k].kind == COLUMN_RETURN && row->values[k])
        out->returned[n++] = strtoull (o->texts.data[row->values[k]], NULL, 10);
    naive_sort (out);
  }
  sort_outcomes (e);
}

static uint64_t hash_finding (uint64_t h, const Finding *f) {
  h = hash_mix (hash_mix (h, f->kind), f->pos);
  h = hash_mix (hash_mix (h, f->tid), f->execution);
  h = hash_bytes (f->message, strlen (f->message), h);
  for (u32 i = 0; i < f->witness.events.size; i++) {
    const WitnessEvent *w = &f->witness.events.data[i];
    h = hash_mix (hash_mix (hash_mix (h, w->tid), w->read), w->written);
    h = hash_mix (hash_mix (h, w->pos), (u64)w->rf);
  }
  for (u32 i = 0; i < f->witness.steps.size; i++)
    h = hash_mix (hash_mix (h, (u64)f->witness.steps.data[i].event),
                  f->witness.steps.data[i].arrives_at);
  return h;
}

static uint64_t hash_told (const Result *r) {
  uint64_t h = hash_mix (hash_mix (r->verdict, r->stats.states), r->stats.transitions);
  h = hash_mix (hash_mix (h, r->stats.executions), r->stats.blocked);
  for (u32 i = 0; i < r->findings.size; i++) h = hash_finding (h, &r->findings.data[i]);
  for (u32 i = 0; i < r->not_covered.size; i++)
    h = hash_bytes (r->not_covered.data[i].what, strlen (r->not_covered.data[i].what), h);
  return h;
}

static void read_result (EngineOutcomes *e, const Result *r) {
  e->told = hash_told (r);
  for (u32 i = 0; i < r->findings.size; i++) {
    FindingKind kind = r->findings.data[i].kind;
    e->found |= kind == FINDING_LIVENESS   ? NAIVE_LIVENESS
                : kind == FINDING_DEADLOCK ? NAIVE_DEADLOCK
                                           : NAIVE_MISUSE;
  }
  for (u32 i = 0; i < r->not_covered.size; i++) {
    if (strstr (r->not_covered.data[i].what, "nondeterministic")) continue;
    e->is_incomplete = true;
    snprintf (e->why, sizeof e->why, "%s", r->not_covered.data[i].what);
  }
  e->states = r->stats.states;
}

EngineOutcomes engine_machine (const Prog *p, EngineMachine m) {
  static const Sharing sharing[] = {SHARING_NONE, SHARING_ALL, SHARING_LOCAL, SHARING_GIVEN};
  EngineOutcomes e = {0};
  Outcomes outcomes;
  Program *program = program_of (p);
  MachineOptions o = machine_default_options ();
  outcomes_init (&outcomes);
  o.sharing = sharing[m.sharing];
  bool is_given = m.sharing == ENGINE_GIVEN || m.as_given;
  o.partition_size = is_given ? PROG_THREADS : 0;
  for (int t = 0; t < PROG_THREADS && is_given; t++) o.partition[m.segment[t]] |= 1ull << t;
  o.coherent = !m.incoherent;
  o.window = (u32)m.window;
  o.vm.share_everything = m.window; /* what a thread uses alone is ordered like the rest */
  o.lazy = !m.no_lazy;
  o.eager = !m.no_eager;
  o.dead = !m.no_dead;
  o.own = !m.no_own;
  o.breadth_first = m.breadth_first;
  o.symmetry = !m.no_symmetry;
  o.exchanges_outcomes = !m.with_reads; /* naive_sort puts them in order */
  o.check_text = true;
  o.keep_going = !m.at_first;
  o.jobs = (u32)m.jobs;
  o.share_at_once = true;
  o.timeout = 60;
  o.vm.nondet_low = 0;
  o.vm.nondet_high = PROG_CHOICES - 1;
  o.outcomes = &outcomes;
  o.on_column = hide_reads;
  o.column_arg = m.with_reads ? NULL : &o;
  Result r = machine_program (program, &o);
  read_outcomes (&e, &outcomes);
  read_result (&e, &r);
  result_free (&r);
  outcomes_done (&outcomes);
  program_free (program);
  return e;
}

static void on_execution (void *arg, const Execution *e) { observer_see (arg, e); }

EngineOutcomes engine_explore (const Prog *p, const char *model) {
  EngineOutcomes e = {0};
  Outcomes outcomes;
  Program *program = program_of (p);
  Str error = {0};
  const Model *m =
      model_is_file (model) ? model_from_file (model, NULL, &error) : model_find (model);
  if (!m) {
    fprintf (stderr, "%s\n", error.text);
    abort ();
  }
  ExploreOptions o = explore_default_options (m);
  outcomes_init (&outcomes);
  ObserverOptions observes = {.into = &outcomes, .on_column = hide_reads, .arg = &o};
  Observer *observer = observer_new (program, &observes);
  o.keep_going = true;
  o.timeout = 20;
  o.symmetry = o.commuting = false;
  o.vm.nondet_low = 0;
  o.vm.nondet_high = PROG_CHOICES - 1;
  o.on_execution = on_execution;
  o.arg = observer;
  Result r = explore_program (program, &o);
  if (!r.stats.executions) outcomes_forget (&outcomes, 0);
  read_outcomes (&e, &outcomes);
  read_result (&e, &r);
  result_free (&r);
  observer_free (observer);
  outcomes_done (&outcomes);
  if (model_is_file (model)) model_free_own ((Model *)m);
  program_free (program);
  return e;
}
