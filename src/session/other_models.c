#include "session/other_models.h"
#include "futures/futures.h"

/* Who of several waiting threads is named does not matter, nor which side of a pair comes first. */
static bool is_same (const Finding *a, const Finding *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == FINDING_DEADLOCK || a->kind == FINDING_LIVENESS) return true;
  return a->pos == b->pos || (a->other_pos == b->pos && a->pos == b->other_pos);
}

/* What an interleaving of the threads shows, every model allows. */
static bool is_everywhere (const Finding *f) {
  return f->witness.threads.size < 2 || (f->repair.status == REPAIR_HOPELESS && f->repair.is_same);
}

typedef enum Answer { ANSWER_FORBIDDEN, ANSWER_ALLOWED, ANSWER_OTHER, ANSWER_UNKNOWN } Answer;

/* One search: until something is found, or all of it. */
static Answer ask (Check *c, const Finding *f, const Model *m, bool keep_going, double deadline) {
  Check other = *c;
  other.model = m;
  other.keep_last = false;
  ExploreOptions options = check_explore_options (&other);
  explore_silently (&options);
  options.keep_going = keep_going;
  options.timeout = deadline - seconds_now ();
  if (options.timeout <= 0) return ANSWER_UNKNOWN;
  Result result = futures_search_program (c->program, &options);
  Answer answer = result.not_covered.size ? ANSWER_UNKNOWN : ANSWER_FORBIDDEN;
  if (result.findings.size && !keep_going) answer = ANSWER_OTHER;
  for (u32 i = 0; i < result.findings.size; i++)
    if (is_same (&result.findings.data[i], f)) answer = ANSWER_ALLOWED;
  result_free (&result);
  return answer;
}

/* The search for the first violation is quick; if that is another one, all of them are looked
 * for. */
void models_try_others (Check *c, Result *result, double seconds) {
  double deadline = seconds_now () + seconds;
  if (!result->findings.size || seconds <= 0) return;
  Finding *f = &result->findings.data[0];
  if (is_everywhere (f)) return;
  for (u32 i = 0; model_at (i); i++) {
    const Model *m = model_at (i);
    if (m == c->model || (f->kind == FINDING_RACE && !m->races_are_errors)) continue;
    if (c->args->reuse_addresses && !explore_orders_frees (m)) continue;
    if (f->kind == FINDING_LIVENESS && !m->has_mo) continue; /* which value stays is not known */
    Answer answer = ask (c, f, m, false, deadline);
    if (answer == ANSWER_OTHER) answer = ask (c, f, m, true, deadline);
    if (answer <= ANSWER_ALLOWED)
      vec_push (&f->elsewhere, ((Elsewhere){m->name, answer == ANSWER_ALLOWED}));
  }
}
