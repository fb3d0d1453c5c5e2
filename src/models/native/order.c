/* order.c - depth-first search for a cycle through the newest event.
 *
 * Transitive edges are not walked: mo and fr lead to the next write only, program order to the next
 * events until one of them covers the rest. */
#include "models/models_int.h"

typedef struct Search {
  const Graph *g;
  const OrderRules *rules;
  Ev target;
  bool found;
  u8 *seen;
  Ev *stack;
  u32 depth;
} Search;

static void reach (Search *s, Ev e) {
  if (e == s->target) s->found = true;
  if (s->seen[e]) return;
  s->seen[e] = 1;
  s->stack[s->depth++] = e;
}

/* What x is ordered before, from the i-th event of a thread on. */
static void follow_line (Search *s, const Event *x, const ThreadLine *line, u32 i) {
  bool barrier = false;
  for (; i < line->events.size; i++) {
    Ev later = line->events.data[i];
    const Event *y = graph_event (s->g, later);
    if (!s->rules->is_ordered (x, y, &barrier)) continue;
    reach (s, later);
    if (s->rules->covers (y)) return;
  }
}

static void follow_program_order (Search *s, Ev e) {
  const Event *x = graph_event (s->g, e);
  follow_line (s, x, &s->g->threads[x->tid], x->index + 1);
}

static void follow_memory (Search *s, Ev e) {
  const Event *x = graph_event (s->g, e);
  if (x->kind == KIND_WRITE)
    for (Ev r = x->first_reader; r != EV_NONE; r = graph_event (s->g, r)->next_reader)
      if (s->rules->has_rfi || graph_event (s->g, r)->tid != x->tid) reach (s, r);
  if (x->kind == KIND_WRITE || (x->kind == KIND_READ && s->rules->has_fr)) {
    const Location *l = graph_location (s->g, x->loc);
    u32 next = graph_mo_rank (s->g, e) + 1;
    if (next < l->mo.size) reach (s, l->mo.data[next]);
  }
}

/* Creating a thread comes before all of it, all of it before joining it. */
static void follow_threads (Search *s, Ev e, const Ev *joins) {
  const Event *x = graph_event (s->g, e);
  if (x->kind == KIND_CREATE) follow_line (s, x, &s->g->threads[x->value], 0);
  if (joins[x->tid] != EV_NONE) reach (s, joins[x->tid]);
}

bool order_reaches (const Graph *g, Ev e, Ev target, const OrderRules *rules) {
  u32 n = g->events.size;
  u8 *room = mem_alloc (n + (n + g->stride) * sizeof (Ev));
  Search s = {.g = g, .rules = rules, .target = target, .stack = (Ev *)(void *)room};
  Ev *joins = s.stack + n;
  s.seen = (u8 *)(joins + g->stride);
  memset (s.seen, 0, n);
  memset (joins, 0xff, g->stride * sizeof *joins);
  for (Ev i = 1; i < n; i++)
    if (graph_event (g, i)->kind == KIND_JOIN) joins[graph_event (g, i)->value] = i;
  for (Ev x = e;; x = s.stack[--s.depth]) {
    follow_program_order (&s, x);
    follow_memory (&s, x);
    follow_threads (&s, x, joins);
    if (s.found || !s.depth) break;
  }
  mem_free (room);
  return s.found;
}
