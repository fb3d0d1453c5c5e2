/* outcomes.c - porf outcomes and porf compare: in what states executions end, under one model and
 * under several. */
#include "cli/commands.h"
#include "cli/herd.h"
#include "cli/output.h"
#include "cli/screen.h"
#include "futures/futures.h"
#include "session/scope.h"

static bool is_json (const Args *a) { return a->format == report_find ("json"); }

static ObserverOptions observer_options (Check *c, Outcomes *into, u32 model) {
  return (ObserverOptions){.into = into,
                           .model = model,
                           .untouched = c->litmus != NULL,
                           .all_reads = c->report.observe != NULL,
                           .on_column = c->litmus ? herd_name_column : outcomes_name_column,
                           .arg = c->litmus ? (void *)(uintptr_t)c->litmus : &c->report};
}

/* Explores the program under one model; its executions are counted as those of number m. */
static Result collect (Check *c, Outcomes *o, u32 m) {
  check_use_model (c, c->models.data[m]);
  ObserverOptions observes = observer_options (c, o, m);
  screen_of (c)->observer = observer_new (c->program, &observes);
  ExploreOptions options = screen_explore (c);
  Result result = check_search (c, &options);
  progress_erase (&screen_of (c)->progress);
  if (!result.stats.executions) outcomes_forget (o, m); /* what was seen before it started over */
  BUG_IF (tally_to_u64 (outcomes_total (o, m)) != result.stats.executions);
  observer_free (screen_of (c)->observer);
  screen_of (c)->observer = NULL;
  return result;
}

/* The same for the machine. */
static Result collect_of_machine (Check *c, Outcomes *o) {
  MachineOptions options = screen_machine (c);
  options.keep_going = true;
  options.outcomes = o;
  options.on_column = c->litmus ? herd_name_column : outcomes_name_column;
  options.column_arg = c->litmus ? (void *)(uintptr_t)c->litmus : &c->report;
  Result result = machine_program (c->program, &options);
  progress_erase (&screen_of (c)->progress);
  if (!result.stats.executions) outcomes_forget (o, 0);
  return result;
}

static void choose (const Check *c, Outcomes *o) {
  Str unknown = {0}, names = {0};
  if (c->litmus) return; /* what is observed, and how it is called, is part of the test */
  outcomes_tell_apart (&c->report, o);
  if (!outcomes_choose (&c->report, o, &unknown)) {
    for (u32 i = 0; i < o->columns.size; i++)
      str_printf (&names, "%s%s", i ? ", " : "", o->columns.data[i].name);
    die_input ("%s: no execution uses `%s`; choose from: %s", c->report.file, unknown.text,
               names.length ? names.text : "none");
  }
}

static int outcomes_of_program (Check *c) {
  Outcomes o;
  Str text = {0};
  outcomes_init (&o);
  if (c->args->all_states) screen_of (c)->states = states_new (c->args->all_states);
  Result result = args_wants_machine (c->args) ? collect_of_machine (c, &o) : collect (c, &o, 0);
  c->report.result = &result;
  choose (c, &o);
  if (screen_of (c)->states) states_close (screen_of (c)->states, &o);
  outcomes_settle (&o);
  if (is_json (c->args))
    json_add (screen_of (c)->documents, outcomes_document (&c->report, &o, &result, 1));
  else if (c->litmus)
    herd_log (c->litmus, &o, &result, &text);
  else
    report_outcomes (&c->report, &o, &text);
  screen_print (c, &text);
  int code = verdict_exit_code (result.verdict);
  outcomes_done (&o);
  result_free (&result);
  return code;
}

int command_outcomes (const Args *a) {
  refuse_other_formats (a);
  return for_each_program (a, NULL, outcomes_of_program);
}

/* ---- compare */

/* An execution that shows an outcome: it is looked for again by its number. */
typedef struct Example {
  const Outcome *row;
  u32 model;
  Witness witness;
  Str broken[MOST_MODELS]; /* by model: which of its axioms this execution breaks, and why */
} Example;

typedef struct Examples {
  Check *check;
  VEC (Example) list;
  u32 model; /* at work */
} Examples;

static void say_number (i32 place, Str *out) {
  if (place == WITNESS_INIT)
    str_add (out, "start");
  else
    str_printf (out, "#%d", place + 1);
}

static void say_why_not (const Model *m, const Execution *e, const Witness *w, Str *out) {
  WhyNot why;
  str_clear (out);
  if (!e->model->has_mo || !model_why_not (m, e->graph, &why)) return;
  str_printf (out, "  violates the axiom %s of %s", why.axiom, m->name);
  const char *before = ": ";
  for (u32 i = 0; i < why.cycle.size; i++) {
    const NeighbourEdge *edge = &why.cycle.data[i];
    i32 from = witness_find (e->graph, w, edge->from);
    i32 to = witness_find (e->graph, w, edge->to);
    if (from == to) continue; /* the halves of an update are one event there */
    str_add (out, before);
    if (*before == ':') say_number (from, out);
    str_printf (out, edge->name ? " -%s-> " : " -> ", edge->name);
    say_number (to, out);
    before = "";
  }
  str_add (out, "\n");
  model_why_not_done (&why);
}

static void on_execution (void *arg, const Execution *e) {
  Examples *x = arg;
  for (u32 i = 0; i < x->list.size; i++) {
    Example *example = &x->list.data[i];
    if (example->model != x->model || example->row->first[x->model] != e->number) continue;
    witness_free (&example->witness);
    example->witness = (Witness){0};
    execution_witness (e, &example->witness);
    for (u32 m = 0; m < x->check->models.size; m++)
      say_why_not (x->check->models.data[m], e, &example->witness, &example->broken[m]);
  }
}

/* The search is a function of the program and the model, so the numbers lead to the same executions
 * as before. It runs to its end: numbers count from 1 again when it starts over. */
static void find_examples (Examples *x, u32 m, bool is_by_futures) {
  bool any = false;
  for (u32 i = 0; i < x->list.size; i++) any |= x->list.data[i].model == m;
  if (!any) return;
  check_use_model (x->check, x->check->models.data[m]);
  ExploreOptions options = screen_explore (x->check);
  options.on_execution = on_execution;
  options.on_progress = NULL;
  options.on_growth = NULL;
  options.on_effect = NULL;
  options.arg = x;
  x->model = m;
  Result result;
  if (is_by_futures) {
    Outcomes again;
    outcomes_init (&again);
    ObserverOptions observes = observer_options (x->check, &again, 0);
    options.observer = observer_new (x->check->program, &observes);
    options.on_outcome = on_execution;
    if (futures_program (x->check->program, &options, &result)) BUG ("an example");
    observer_free (options.observer);
    outcomes_done (&again);
  } else
    result = explore_program (x->check->program, &options);
  result_free (&result);
}

static void choose_examples (Examples *x, const Outcomes *o, const Result *results, u32 most) {
  u32 n = x->check->models.size;
  for (u32 i = 0; i < o->rows.size && x->list.size < most; i++) {
    const Outcome *row = &o->rows.data[i];
    if (!outcome_differs (row, n)) continue;
    u32 m = 0;
    while (!outcome_is_of (row, m)) m++;
    vec_push (&x->list, ((Example){.row = row, .model = m}));
  }
  for (u32 m = 0; m < n; m++) find_examples (x, m, results[m].engine);
}

static void say_example (const Check *c, const Outcomes *o, const Result *results,
                         const Example *example, Str *out) {
  str_add (out, "\n");
  outcome_say (o, example->row, out);
  const char *between = ": possible under";
  for (u32 m = 0; m < c->models.size; m++) {
    if (!outcome_is_of (example->row, m)) continue;
    str_printf (out, "%s %s", between, c->models.data[m]->name);
    between = " and";
  }
  for (u32 m = 0; m < c->models.size; m++) {
    if (outcome_is_of (example->row, m)) continue;
    str_printf (out, ", not %s under %s", results[m].not_covered.size ? "seen" : "possible",
                c->models.data[m]->name);
  }
  str_add (out, "\n");
  for (u32 m = 0; m < c->models.size; m++)
    if (example->broken[m].length) str_add (out, example->broken[m].text);
  report_execution (&c->report, &example->witness, out);
}

static void say_examples (Check *c, const Outcomes *o, const Result *results, u32 different,
                          Str *out) {
  enum { MOST_EXAMPLES = 3 };
  Examples x = {.check = c};
  if (c->args->quiet) return;
  choose_examples (&x, o, results, c->args->full ? UINT32_MAX : MOST_EXAMPLES);
  for (u32 i = 0; i < x.list.size; i++) {
    say_example (c, o, results, &x.list.data[i], out);
    witness_free (&x.list.data[i].witness);
    for (u32 m = 0; m < c->models.size; m++) str_free (&x.list.data[i].broken[m]);
  }
  if (x.list.size < different)
    str_printf (out, "\nexecutions of the %u other outcomes: --full\n", different - x.list.size);
  str_add (out, different ? "\n" : "");
  vec_free (&x.list);
}

/* That a model lacks an outcome is only known if all of its executions were seen. */
static int code_of_comparison (const Outcomes *o, const Result *results, u32 n) {
  bool incomplete = false, differs = false;
  for (u32 m = 0; m < n; m++) {
    incomplete |= results[m].not_covered.size != 0;
    for (u32 i = 0; i < o->rows.size; i++)
      differs |= !outcome_is_of (&o->rows.data[i], m) && !results[m].not_covered.size;
  }
  return differs ? EXIT_DIFFERENT : incomplete ? EXIT_INCOMPLETE : EXIT_PASS;
}

static int compare_program (Check *c) {
  Outcomes o;
  Result results[MOST_MODELS];
  Str text = {0};
  u32 n = c->models.size, different = 0;
  outcomes_init (&o);
  for (u32 m = 0; m < n; m++) c->shows_private |= explore_shows_private (c->models.data[m]);
  for (u32 m = 0; m < n; m++) results[m] = collect (c, &o, m);
  choose (c, &o);
  if (outcomes_hide_unordered (&o) && !is_json (c->args))
    str_add (&text, "not compared: variables whose last write a model without mo leaves open\n");
  outcomes_settle (&o);
  for (u32 i = 0; i < o.rows.size; i++) different += outcome_differs (&o.rows.data[i], n);
  if (is_json (c->args)) {
    json_add (screen_of (c)->documents, outcomes_document (&c->report, &o, results, n));
  } else {
    report_comparison (&c->report, &o, results, n, &text);
    say_examples (c, &o, results, different, &text);
    for (u32 m = 0; m < n; m++) {
      c->report.result = &results[m];
      report_verdict (&c->report, &text);
    }
  }
  screen_print (c, &text);
  int code = code_of_comparison (&o, results, n);
  for (u32 m = 0; m < n; m++) result_free (&results[m]);
  outcomes_done (&o);
  return code;
}

int command_compare (const Args *a) {
  refuse_other_formats (a);
  if (a->all_states)
    die_input ("option `--all-states` is for check and outcomes, one model at a time");
  return for_each_program (a, NULL, compare_program);
}
