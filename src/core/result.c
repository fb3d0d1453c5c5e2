#include "core/result.h"

#include "base/plain.h"

void witness_free (Witness *w) {
  for (u32 i = 0; i < w->locations.size; i++) mem_free (w->locations.data[i].name);
  vec_free (&w->locations);
  for (u32 i = 0; i < w->pointers.size; i++) mem_free (w->pointers.data[i].name);
  vec_free (&w->pointers);
  vec_free (&w->deps);
  vec_free (&w->steps);
  vec_free (&w->events);
  vec_free (&w->pairs);
  vec_free (&w->threads);
  for (u32 i = 0; i < w->relations.size; i++) vec_free (&w->relations.data[i].ends);
  vec_free (&w->relations);
  for (u32 i = 0; i < w->neighbours.size; i++) vec_free (&w->neighbours.data[i].cycle);
  vec_free (&w->neighbours);
}

void result_free (Result *r) {
  for (u32 i = 0; i < r->findings.size; i++) {
    mem_free (r->findings.data[i].message);
    witness_free (&r->findings.data[i].witness);
    vec_free (&r->findings.data[i].repair.fix.changes);
    vec_free (&r->findings.data[i].repair.or_fence.changes);
    vec_free (&r->findings.data[i].elsewhere);
  }
  vec_free (&r->findings);
  for (u32 i = 0; i < r->not_covered.size; i++) mem_free (r->not_covered.data[i].what);
  vec_free (&r->not_covered);
  for (u32 i = 0; i < r->warnings.size; i++) mem_free (r->warnings.data[i].what);
  vec_free (&r->warnings);
  for (u32 i = 0; i < r->texts.size; i++) mem_free (r->texts.data[i]);
  vec_free (&r->texts);
}

Tally result_executions (const Result *r) {
  return r->stats.futures ? r->count : (Tally){.low = r->stats.executions};
}

bool result_has (const Result *r, FindingKind kind, u32 pos, u32 other_pos) {
  for (u32 i = 0; i < r->findings.size; i++) {
    const Finding *f = &r->findings.data[i];
    if (f->kind == kind && f->pos == pos && f->other_pos == other_pos) return true;
  }
  return false;
}

void result_note_once (NotCoveredList *list, u32 pos, const char *text) {
  char *what = plain_copy (text);
  for (u32 i = 0; i < list->size; i++)
    if (list->data[i].pos == pos && !strcmp (list->data[i].what, what)) {
      mem_free (what);
      return;
    }
  vec_push (list, ((NotCovered){what, pos}));
}

void result_note_no_execution (Result *r) {
  const Stats *s = &r->stats;
  if (s->executions || r->findings.size || r->not_covered.size) return;
  if (s->blocked)
    result_note_once (
        &r->warnings, 0,
        "no execution completes: every one blocks in a spin loop or at an assumption");
  else
    result_note_once (&r->not_covered, 0,
                      "any execution: the model allows no execution of this program");
}

static void copy_notes (NotCoveredList *to, const NotCoveredList *from) {
  for (u32 i = 0; i < from->size; i++) result_note_once (to, from->data[i].pos, from->data[i].what);
}

void result_move (Result *to, Result *from) {
  u32 kept = 0;
  for (u32 i = 0; i < from->findings.size; i++) {
    Finding f = from->findings.data[i];
    f.execution += to->stats.explored;
    if (result_has (to, f.kind, f.pos, f.other_pos))
      from->findings.data[kept++] = f;
    else
      vec_push (&to->findings, f);
  }
  from->findings.size = kept;
  for (u32 i = 0; i < from->texts.size; i++) vec_push (&to->texts, from->texts.data[i]);
  from->texts.size = 0;
  copy_notes (&to->not_covered, &from->not_covered);
  copy_notes (&to->warnings, &from->warnings);
  if (from->estimate.spread) to->estimate = from->estimate;
  u64 events = to->stats.max_events;
  if (from->stats.max_events > events) events = from->stats.max_events;
#define STAT(field, label) to->stats.field += from->stats.field;
#include "core/stats.def"
#undef STAT
  to->stats.max_events = events;
  result_free (from);
}

const char *verdict_name (Verdict v) {
  static const char *const names[] = {"pass", "violation", "incomplete"};
  return names[v];
}

int verdict_exit_code (Verdict v) {
  static const int codes[] = {EXIT_PASS, EXIT_VIOLATION, EXIT_INCOMPLETE};
  return codes[v];
}
