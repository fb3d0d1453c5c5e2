/* divergence.c - why a search does not end: the loop that makes executions long. */
#include "explore/state/explorer.h"

enum { MANY_ROUNDS = 30 }; /* fewer are nothing to talk about */

/* The access that the longest thread of the current graph has repeated most often. */
bool explorer_find_growing_loop (const Explorer *x, u32 *pos, u32 *rounds) {
  const Graph *g = x->g;
  Tid longest = 0;
  for (Tid t = 1; t < g->nthreads; t++)
    if (g->threads[t].events.size > g->threads[longest].events.size) longest = t;
  Map counts = {0};
  *rounds = 0;
  for (u32 i = 0; i < g->threads[longest].events.size; i++) {
    const Event *e = graph_event (g, g->threads[longest].events.data[i]);
    if (e->kind == KIND_WRITE && (e->flags & EVENT_EXCLUSIVE)) continue; /* the second half */
    u64 count = 0;
    map_get (&counts, e->pos, &count);
    map_put (&counts, e->pos, ++count);
    if (count <= *rounds) continue;
    *rounds = (u32)count;
    *pos = e->pos;
  }
  map_free (&counts);
  return *rounds >= MANY_ROUNDS;
}

/* When the search gives up. */
void explorer_blame_growth (Explorer *x) {
  u32 pos, rounds;
  if (!explorer_find_growing_loop (x, &pos, &rounds)) return;
  Str what = {0};
  str_printf (
      &what,
      "further iterations of this loop, which ran %u in one execution; if it does not "
      "terminate, bound it (--unroll N) or its input (__VERIFIER_assume), or remove side effects "
      "so that porf recognises a spin loop",
      rounds);
  explorer_not_covered (x, pos, what.text);
  str_free (&what);
}
