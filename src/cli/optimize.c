/* optimize.c - porf optimize: the weakest orders and the fewest fences, with the reasons why what
 * is left must stay. */
#include "repair/optimize.h"

#include <errno.h>

#include <math.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/screen.h"

static const char *access_word (const Change *c) {
  static const char *const words[] = {[WITNESS_READ] = "load",
                                      [WITNESS_WRITE] = "store",
                                      [WITNESS_RMW] = "update",
                                      [WITNESS_FENCE] = "fence"};
  return c->from_fail != ORD_NA ? "compare-exchange" : words[c->access];
}

static void say_orders (Str *out, bool is_cas, u8 order, u8 fail) {
  if (order == ORD_NA) {
    str_add (out, "none");
    return;
  }
  say_order (out, (Order)order);
  if (!is_cas) return;
  str_add (out, "/");
  say_order (out, (Order)fail);
}

static bool is_changed (const Change *c) { return c->to != c->from || c->to_fail != c->from_fail; }

/* ---- text */

static void say_site (const Check *c, const OptimumSite *site, int width, Str *out) {
  const Change *change = &site->change;
  bool is_cas = change->from_fail != ORD_NA;
  Str place = {0}, orders = {0};
  say_place (&place, c->program, change->pos);
  say_orders (&orders, is_cas, change->from, change->from_fail);
  if (is_changed (change)) {
    str_add (&orders, " -> ");
    say_orders (&orders, is_cas, change->to, change->to_fail);
  }
  str_printf (out, "  %-*s  %-16s  %s", width, place.text, access_word (change), orders.text);
  if (!site->is_reached)
    str_add (out, "   stays: never reached, so nothing is known about it");
  else if (!is_changed (change))
    str_add (out, "   stays");
  str_add (out, "\n");
  str_free (&place);
  str_free (&orders);
}

static void say_refusal (Check *c, const OptimumSite *site, const Refusal *r, int width, Str *out) {
  str_printf (out, "  %-*s    not ", width, "");
  say_orders (out, site->change.from_fail != ORD_NA, r->order, r->fail);
  if (r->is_unknown) {
    str_add (out, ": not decided in the time given\n");
    return;
  }
  str_add (out, ": ");
  say_finding (&c->report, &r->result.findings.data[0], out);
  if (c->models.size > 1) str_printf (out, " under %s", r->result.model);
  str_add (out, "\n");
}

static int place_width (const Check *c, const Optimum *o) {
  int width = 0;
  Str place = {0};
  for (u32 i = 0; i < o->sites.size; i++) {
    str_clear (&place);
    say_place (&place, c->program, o->sites.data[i].change.pos);
    if ((int)place.length > width) width = (int)place.length;
  }
  str_free (&place);
  return width;
}

static void say_models (const Check *c, Str *out) {
  for (u32 m = 0; m < c->models.size; m++)
    str_printf (out, "%s%s", m ? " and " : "", c->models.data[m]->name);
}

static void say_optimum (Check *c, const Optimum *o, Str *out) {
  u32 weaker = 0, removed = 0, fences = 0;
  int width = place_width (c, o);
  for (u32 i = 0; i < o->sites.size; i++) {
    const Change *change = &o->sites.data[i].change;
    bool is_fence = change->access == WITNESS_FENCE;
    fences += is_fence;
    removed += is_fence && change->to == ORD_NA;
    weaker += is_changed (change) && change->to != ORD_NA;
  }
  str_printf (out, "%s under ", c->report.file);
  say_models (c, out);
  str_printf (out, ": %u of %u orders can be weaker", weaker, o->sites.size);
  if (fences) str_printf (out, ", %u of %u fences can go", removed, fences);
  str_add (out, "\n");
  for (u32 i = 0; i < o->sites.size; i++) {
    const OptimumSite *site = &o->sites.data[i];
    say_site (c, site, width, out);
    for (u32 k = 0; k < site->refusals.size && !c->args->quiet; k++)
      say_refusal (c, site, &site->refusals.data[k], width, out);
  }
  str_printf (out, "%s: with these orders no violation in all %llu executions of this program%s\n",
              o->is_cut_off ? "incomplete" : "checked", (unsigned long long)o->executions,
              o->is_cut_off ? "; the time limit was reached, so there may be weaker ones"
                            : "; none of them can be weaker on its own");
  str_printf (out, "  %u checks, %u results inferred from others, %.2f s\n", o->checks, o->reused,
              o->seconds);
}

/* --full: the execution of each reason. */
static void say_counterexamples (Check *c, const Optimum *o, Str *out) {
  for (u32 i = 0; i < o->sites.size; i++)
    for (u32 k = 0; k < o->sites.data[i].refusals.size; k++) {
      const OptimumSite *site = &o->sites.data[i];
      const Refusal *r = &site->refusals.data[k];
      if (r->is_unknown) continue;
      str_add (out, "\n== ");
      say_place (out, c->program, site->change.pos);
      str_printf (out, ": the %s as ", access_word (&site->change));
      say_orders (out, site->change.from_fail != ORD_NA, r->order, r->fail);
      str_add (out, "\n");
      c->report.result = &r->result;
      report_text (&c->report, out);
    }
}

/* ---- JSON */

static void put_orders (Json *to, const char *key, bool is_cas, u8 order, u8 fail) {
  Str text = {0}, key_of_failure = {0};
  say_orders (&text, false, order, fail);
  json_put_text (to, key, text.text);
  if (is_cas) {
    str_clear (&text);
    say_orders (&text, false, fail, fail);
    str_printf (&key_of_failure, "%s_failure", key);
    json_put_text (to, key_of_failure.text, text.text);
  }
  str_free (&text);
  str_free (&key_of_failure);
}

static void put_place (const Check *c, u32 pos, Json *to) {
  const Position *at = &c->program->positions.data[pos];
  json_put_text (to, "file", c->program->files.data[at->file]);
  json_put_int (to, "line", at->line);
  json_put_int (to, "column", at->column);
}

static void put_refusal (Check *c, bool is_cas, const Refusal *r, Json *to) {
  Str message = {0};
  put_orders (to, "to", is_cas, r->order, r->fail);
  if (r->is_unknown) return;
  const Finding *f = &r->result.findings.data[0];
  say_finding (&c->report, f, &message);
  json_put_text (to, "model", r->result.model);
  json_put_text (to, "kind", finding_kind_name (f->kind));
  json_put_text (to, "message", message.text);
  put_place (c, f->pos, to);
  str_free (&message);
}

static Json *optimum_document (Check *c, const Optimum *o) {
  Json *all = json_object ();
  json_put_text (all, "file", c->report.file);
  Json *models = json_put_array (all, "models");
  for (u32 m = 0; m < c->models.size; m++) json_add_text (models, c->models.data[m]->name);
  json_put_bool (all, "complete", !o->is_cut_off);
  json_put_u64 (all, "executions", o->executions);
  json_put_int (all, "checks", o->checks);
  json_put_int (all, "reused", o->reused);
  json_put_real (all, "seconds", o->seconds);
  Json *sites = json_put_array (all, "sites");
  for (u32 i = 0; i < o->sites.size; i++) {
    const OptimumSite *site = &o->sites.data[i];
    bool is_cas = site->change.from_fail != ORD_NA;
    Json *one = json_add_object (sites);
    put_place (c, site->change.pos, one);
    json_put_text (one, "access", access_word (&site->change));
    json_put_bool (one, "reached", site->is_reached);
    put_orders (one, "from", is_cas, site->change.from, site->change.from_fail);
    put_orders (one, "to", is_cas, site->change.to, site->change.to_fail);
    Json *refused = json_put_array (one, "refused");
    for (u32 k = 0; k < site->refusals.size; k++)
      put_refusal (c, is_cas, &site->refusals.data[k], json_add_object (refused));
  }
  return all;
}

/* ---- around it */

static void write_patch (const Check *c, const Optimum *o) {
  VEC (Change) changes = {0};
  Str patch = {0}, place = {0};
  for (u32 i = 0; i < o->sites.size; i++)
    if (is_changed (&o->sites.data[i].change)) vec_push (&changes, o->sites.data[i].change);
  bool *done = mem_zalloc (changes.size + 1);
  report_patch (&c->report, changes.data, changes.size, done, &patch);
  FILE *f = open_output (c->args->patch, report_find ("patch"));
  if (fputs (patch.text ? patch.text : "", f) < 0 || fclose (f))
    die_input ("cannot write `%s`: %s", c->args->patch, strerror (errno));
  for (u32 i = 0; i < changes.size; i++) {
    if (done[i]) continue;
    str_clear (&place);
    say_place (&place, c->program, changes.data[i].pos);
    tell_user ("not in the patch, as the source does not show the order there: %s", place.text);
  }
  mem_free (done);
  vec_free (&changes);
  str_free (&patch);
  str_free (&place);
}

static int optimize (Check *c) {
  VEC (ExploreOptions) explore = {0};
  Optimum optimum;
  Result result;
  u32 failed;
  Str text = {0};
  bool is_text = !c->args->format->write;
  for (u32 m = 0; m < c->models.size; m++) {
    check_use_model (c, c->models.data[m]);
    vec_push (&explore, screen_explore (c));
  }
  OptimizeOptions options = {.explore = explore.data,
                             .nmodels = explore.size,
                             .seconds = c->deadline ? fmax (check_time_left (c), 1e-3) : 0,
                             .few_fences = c->args->few_fences};
  bool ok = optimize_program (c->program, &options, &optimum, &result, &failed);
  progress_erase (&screen_of (c)->progress);
  check_use_model (c, c->models.data[failed]);
  c->report.result = &result;
  int code = ok ? EXIT_PASS : verdict_exit_code (result.verdict);
  if (!ok) {
    tell_user ("only programs that pass can be optimized");
    if (is_text)
      report_text (&c->report, &text);
    else
      json_add (screen_of (c)->documents, report_document (&c->report));
  } else {
    if (optimum.is_cut_off) code = EXIT_INCOMPLETE;
    if (is_text) {
      say_optimum (c, &optimum, &text);
      if (c->args->full) say_counterexamples (c, &optimum, &text);
    } else {
      json_add (screen_of (c)->documents, optimum_document (c, &optimum));
    }
    if (c->args->patch) write_patch (c, &optimum);
  }
  screen_print (c, &text);
  optimum_free (&optimum);
  result_free (&result);
  vec_free (&explore);
  return code;
}

int command_optimize (const Args *a) {
  refuse_other_formats (a);
  if (a->patch)
    close_output (open_output (a->patch, report_find ("patch")), a->patch); /* better refused now */
  return for_each_program (a, NULL, optimize);
}
