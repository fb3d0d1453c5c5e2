#include "core/result.h"

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
}

const char *verdict_name (Verdict v) {
  static const char *const names[] = {"pass", "violation", "incomplete"};
  return names[v];
}

int verdict_exit_code (Verdict v) {
  static const int codes[] = {EXIT_PASS, EXIT_VIOLATION, EXIT_INCOMPLETE};
  return codes[v];
}
