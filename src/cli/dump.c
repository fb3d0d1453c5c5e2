#include "cli/dump.h"
#include "witness/witness.h"

void dump_ir (const Program *p) {
  Str s = {0};
  ir_print (p, &s);
  if (s.text) fputs (s.text, stderr);
  str_free (&s);
}

static const char *effect_name (EffectKind kind) {
  static const char *const names[] = {"read",   "write", "rmw",         "cas",  "lock", "trylock",
                                      "unlock", "fence", "create",      "join", "free", "nondet",
                                      "block",  "error", "unsupported", "end"};
  return names[kind];
}

static void dump_operands (const Effect *e) {
  if (effect_is_access (e) || e->kind == EFF_FREE)
    fprintf (stderr, " [0x%llx, %u]", (unsigned long long)e->addr, e->size);
  if (effect_is_access (e) || e->kind == EFF_FENCE)
    fprintf (stderr, " %s", order_name ((Order)e->order));
  if (e->kind == EFF_RMW) fprintf (stderr, " %s", rmw_name ((RmwOp)e->rmw));
  if (e->kind == EFF_CAS || e->kind == EFF_TRYLOCK)
    fprintf (stderr, " if %llu", (unsigned long long)e->expected);
  if (e->kind != EFF_READ && e->kind != EFF_FENCE)
    fprintf (stderr, " %llu", (unsigned long long)e->value);
  if (e->kind == EFF_CREATE || e->kind == EFF_JOIN) fprintf (stderr, " t%u", e->child);
  if (e->text) fprintf (stderr, " \"%s\"", e->text);
}

/* "data 3,1": on the events with these places in the thread. */
static void dump_deps (const Vm *vm, const Effect *e) {
  for (u32 kind = 0; kind < DEP_KINDS; kind++) {
    u32 set = e->deps[kind];
    if (set) fprintf (stderr, " %s", dep_name ((DepKind)kind));
    for (u32 k, n = 0; deps_next (vm_dep_sets (vm), &set, &k); n++)
      fprintf (stderr, "%c%u", n ? ',' : ' ', k);
  }
}

void dump_effect (const Program *p, const Vm *vm, Tid t, const Effect *e) {
  fprintf (stderr, "t%u %s", t, effect_name ((EffectKind)e->kind));
  dump_operands (e);
  dump_deps (vm, e);
  if (e->pos && e->pos < p->positions.size) {
    const Position *at = &p->positions.data[e->pos];
    fprintf (stderr, "  %s:%u", p->files.data[at->file], at->line);
  }
  fputc ('\n', stderr);
}

void dump_graph (const Execution *e) {
  Str s = {0};
  execution_canon (e, &s);
  fprintf (stderr, "%llu%s: %s\n", (unsigned long long)e->number, e->is_blocked ? " blocked" : "",
           s.text ? s.text : "");
  str_free (&s);
}

/* "place" how often the search has started over, events up to the one where it took another way
 * than before, events in all, graphs visited: for scripts/simulate-ranks. */
void dump_place (const Execution *e, Path *last) {
  Path taken = {0};
  u64 nodes;
  u32 same = 0;
  execution_place (e, &taken, &nodes);
  while (same < taken.size && same < last->size && taken.data[same] == last->data[same]) same++;
  fprintf (stderr, "place %llu %u %u %llu\n", (unsigned long long)e->attempt, same, taken.size,
           (unsigned long long)nodes);
  vec_free (last);
  *last = taken;
}
