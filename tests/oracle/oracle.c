/* oracle.c - enumerates candidate graphs: traces x rf x mo.
 *
 * The shortcuts drop, before the product is formed, only what the axioms of every model here refuse
 * in the end: a cycle of po ∪ rf (unless the model allows cycles), two RMWs that read from one
 * write, writes and reads of one location that disagree with po. OracleOptions.no_shortcuts turns
 * them off; the self-test compares the two on random programs.
 */
#include "oracle/oracle.h"

#include <string.h>

typedef struct MoList { /* the possible mo of one variable */
  uint8_t (*order)[REL_MAX];
  int size, capacity, writes;
} MoList;

enum { MO_ORDERS = 5040 };

typedef struct Oracle {
  const Prog *prog;
  const Model *model;
  OracleOptions options;
  OracleVisit visit;
  void *arg;
  uint64_t candidates;
  bool gave_up, is_done;
  TraceSet *traces;
  bool has_handovers;                     /* main does more than creating and joining */
  ValueSet later_gives[PROG_THREADS + 1]; /* what threads t.. can write at best */
  int reads[REL_MAX], read_count;
  MoList mo[PROG_VARS];
  Cand g;
} Oracle;

static bool count_candidate (Oracle *o) {
  if (++o->candidates > o->options.limit) o->gave_up = true;
  return !o->gave_up;
}

/* ---- events of the chosen traces ---- */

static bool add_event (Cand *g, CandEvent e) { /* false: there are too many */
  if (g->n == REL_MAX) return false;
  int i = g->n++;
  Set bit = (Set)1 << i;
  bool is_access = e.kind == 'R' || e.kind == 'W';
  g->event[i] = e;
  if (e.kind == 'R') g->R |= bit;
  if (e.kind == 'W') g->W |= bit;
  if (e.kind == 'F') g->F |= bit;
  if (e.thread < 0) g->Init |= bit;
  if (e.is_rmw) g->AT |= bit;
  if (e.is_rmw || e.is_failed_cas) g->Locked |= bit;
  if (e.kind == 'C' || e.kind == 'J') g->Handover |= bit;
  if (is_access && e.mode == MODE_NA) g->Na |= bit;
  if (e.mode >= MODE_RLX) g->Rlx |= bit;
  if (e.mode == MODE_ACQ || e.mode == MODE_ACQ_REL || e.mode == MODE_SC) g->Acq |= bit;
  if (e.mode == MODE_REL || e.mode == MODE_ACQ_REL || e.mode == MODE_SC) g->Rel |= bit;
  if (e.mode == MODE_SC) g->Sc |= bit;
  return true;
}

static void add_thread (Oracle *o, int t) {
  Cand *g = &o->g;
  const Trace *trace = g->trace[t];
  for (int i = 0; i < trace->size; i++) {
    const Step *s = &trace->step[i];
    CandEvent e = {.thread = t, .mode = (Mode)s->mode, .var = s->var};
    e.is_rmw = s->kind == 'U';
    e.is_failed_cas = s->is_failed_cas;
    e.is_cas = s->is_cas;
    e.joined = (Mode)s->joined;
    e.chosen = s->chosen;
    e.kind = s->kind == 'U' ? 'R' : s->kind;
    e.value = s->kind == 'W' ? s->written : s->read;
    if (!add_event (g, e)) o->gave_up = true;
    if (s->kind == 'U') {
      e.kind = 'W';
      e.value = s->written;
      if (!add_event (g, e)) o->gave_up = true;
    }
  }
}

/* Initial writes are po-before everything, and ext to everything. */
static void relate_events (Cand *g) {
  Set all = ((Set)1 << g->n) - 1, at[PROG_VARS] = {0};
  g->po = g->loc = g->ext = g->rmw = rel_empty (g->n);
  for (int i = 0; i < g->n; i++)
    if (g->event[i].var >= 0) at[g->event[i].var] |= (Set)1 << i;
  for (int i = 0; i < g->n; i++) {
    const CandEvent *e = &g->event[i];
    Set self = (Set)1 << i, upto = self | (self - 1);
    Set thread = self;
    if (e->thread >= 0)
      thread = ((Set)1 << g->first[e->thread + 1]) - ((Set)1 << g->first[e->thread]);
    g->po.row[i] = e->thread < 0 ? all & ~g->Init : thread & ~upto;
    g->loc.row[i] = e->var < 0 ? 0 : at[e->var];
    g->ext.row[i] = all & ~thread;
    if (e->is_rmw && e->kind == 'R') rel_add (&g->rmw, i, i + 1);
  }
}

static void relate_threads (Cand *g) {
  g->sb = g->po;
  if (!g->Handover) return;
  for (int i = 0; i < g->n; i++) {
    const CandEvent *e = &g->event[i];
    if (e->kind != 'C' && e->kind != 'J') continue;
    for (int k = g->first[e->value]; k < g->first[e->value + 1]; k++)
      rel_add (&g->sb, e->kind == 'C' ? i : k, e->kind == 'C' ? k : i);
  }
  g->sb = rel_plus (g->sb);
}

static void depend (Rel *r, const int *event, uint32_t steps, int on) {
  for (; steps; steps &= steps - 1) rel_add (r, event[__builtin_ctz (steps)], on);
}

static void relate_dependencies (Cand *g) {
  g->addr = g->data = g->ctrl = rel_empty (g->n);
  for (int t = 0; t <= g->threads; t++) {
    int event[TRACE_STEPS], at = g->first[t];
    for (int i = 0; i < g->trace[t]->size; i++) {
      const Step *s = &g->trace[t]->step[i];
      event[i] = at;
      for (int k = at; k <= at + (s->kind == 'U'); k++) {
        depend (&g->addr, event, s->addr, k);
        depend (&g->ctrl, event, s->ctrl, k);
        if (g->event[k].kind == 'W') depend (&g->data, event, s->data, k);
      }
      at += 1 + (s->kind == 'U');
    }
  }
}

/* What the search takes for granted of models that allow cycles of po and rf: an event waits for
 * what it depends on, and whoever creates or joins a thread for all before. */
static bool has_thin_air (const Cand *g) {
  Rel before = rel_or (rel_or (g->addr, g->data), rel_or (g->ctrl, g->rmw));
  for (int i = 0; i < g->n; i++) {
    bool is_wall = g->Handover >> i & 1;
    for (int k = 0; is_wall && k < g->n; k++) {
      if (rel_has (&g->sb, i, k)) rel_add (&before, i, k);
      if (rel_has (&g->sb, k, i)) rel_add (&before, k, i);
    }
  }
  return !rel_is_acyclic (rel_or (before, g->rf));
}

static unsigned used_variables (const Cand *g) {
  unsigned used = 0;
  for (int t = 0; t <= g->threads; t++)
    for (int i = 0; i < g->trace[t]->size; i++)
      if (g->trace[t]->step[i].var >= 0) used |= 1u << g->trace[t]->step[i].var;
  return used;
}

static void build_events (Oracle *o) {
  Cand *g = &o->g;
  g->n = 0;
  g->too_big = false;
  g->R = g->W = g->F = g->Init = g->AT = g->Locked = g->Handover = 0;
  g->Na = g->Rlx = g->Acq = g->Rel = g->Sc = 0;
  unsigned used = used_variables (g);
  for (int v = 0; v < PROG_VARS; v++) {
    g->init[v] = used >> v & 1 ? g->n : -1;
    g->orders[v] = 0;
    if (used >> v & 1)
      add_event (g, (CandEvent){.thread = -1, .kind = 'W', .mode = MODE_NA, .var = v});
  }
  for (int t = 0; t <= g->threads; t++) {
    g->first[t] = g->n;
    add_thread (o, t);
  }
  g->first[g->threads + 1] = g->n;
  g->M = g->R | g->W;
  o->read_count = 0;
  for (int i = 0; i < g->n; i++)
    if (g->event[i].kind == 'R') o->reads[o->read_count++] = i;
  if (o->gave_up) return;
  relate_events (g);
  relate_threads (g);
  relate_dependencies (g);
}

/* ---- mo ---- */

/* Do po and rf of one location fit this order? Each event looks at a place in mo: a write at its
 * own, a read at its source's; along po the places grow, and never stand still when the later event
 * is a write. */
static bool order_is_coherent (const Cand *g, int var, const uint8_t *order, int size) {
  int place[REL_MAX];
  for (int i = 0; i < size; i++) place[order[i]] = i;
  for (int t = 0; t <= g->threads; t++) {
    int last = 0;
    for (int e = g->first[t]; e < g->first[t + 1]; e++) {
      if (g->event[e].var != var) continue;
      bool is_write = g->event[e].kind == 'W';
      int now = is_write ? place[e] : place[g->source[e]];
      if (now < last + is_write) return false;
      if (is_write && g->event[e].is_rmw && now != last + 1) return false;
      last = now;
    }
  }
  return true;
}

/* The RMW that must come next because it reads from `last`; -1 if there is none. */
static int forced_next (const Cand *g, Set left, int last) {
  for (Set s = left & g->AT; s; s &= s - 1) {
    int w = __builtin_ctzll (s);
    if (g->source[w - 1] == last) return w;
  }
  return -1;
}

/* May w come next in mo, before all others of `left`? */
static bool can_be_next (const Oracle *o, Set left, int forced, int w) {
  const CandEvent *e = &o->g.event[w];
  if (o->options.no_shortcuts) return true;
  if (forced >= 0 ? w != forced : e->is_rmw) return false;
  Set earlier = ((Set)1 << w) - ((Set)1 << o->g.first[e->thread]); /* in po */
  return !(left & earlier);
}

static void list_orders (Oracle *o, int var, Set left, uint8_t *order, int size) {
  MoList *list = &o->mo[var];
  if (o->gave_up) return;
  if (!left) {
    if (!o->options.no_shortcuts && !order_is_coherent (&o->g, var, order, size)) return;
    if (list->size == MO_ORDERS) {
      o->gave_up = true;
      return;
    }
    list->writes = size;
    memcpy (list->order[list->size++], order, REL_MAX);
    return;
  }
  int forced = forced_next (&o->g, left, order[size - 1]);
  for (Set s = left; s; s &= s - 1) {
    int w = __builtin_ctzll (s);
    if (!can_be_next (o, left, forced, w)) continue;
    order[size] = (uint8_t)w;
    list_orders (o, var, left & ~((Set)1 << w), order, size + 1);
  }
}

static void judge (Oracle *o) {
  if (!count_candidate (o) || !o->model->is_consistent (&o->g) || !count_candidate (o)) return;
  if (!o->visit (o->arg, &o->g)) o->gave_up = o->is_done = true;
}

/* Any write of a variable can be the final one, if the model says so. */
static void choose_last (Oracle *o, int var) {
  Cand *g = &o->g;
  if (var == PROG_VARS) {
    judge (o);
    return;
  }
  Set writes = g->init[var] < 0 ? 0 : g->loc.row[g->init[var]] & g->W & ~g->Init;
  if (!writes) choose_last (o, var + 1);
  for (; writes && !o->gave_up; writes &= writes - 1) {
    g->last[var] = __builtin_ctzll (writes);
    choose_last (o, var + 1);
  }
  g->last[var] = -1;
}

static void choose_mo (Oracle *o, int var) {
  if (var == PROG_VARS) {
    judge (o);
    return;
  }
  Cand *g = &o->g;
  MoList *list = &o->mo[var];
  if (g->init[var] < 0) {
    choose_mo (o, var + 1);
    return;
  }
  Rel before = g->mo;
  for (int i = 0; i < list->size && !o->gave_up; i++) {
    g->mo = before;
    g->orders[var] = list->writes;
    for (int a = 0; a < list->writes; a++) {
      g->order[var][a] = list->order[i][a];
      for (int b = a + 1; b < list->writes; b++)
        rel_add (&g->mo, list->order[i][a], list->order[i][b]);
    }
    choose_mo (o, var + 1);
  }
  g->mo = before;
}

/* Lists the possible orders of every variable; false if one has none. */
static bool list_mo (Oracle *o) {
  const Cand *g = &o->g;
  for (int v = 0; v < PROG_VARS; v++) {
    if (g->init[v] < 0) continue;
    uint8_t order[REL_MAX] = {(uint8_t)g->init[v]};
    Set writes = g->loc.row[g->init[v]] & g->W & ~g->Init;
    o->mo[v].size = 0;
    list_orders (o, v, writes, order, 1);
    if (!o->mo[v].size) return false;
  }
  return true;
}

/* ---- rf ---- */

static void rf_complete (Oracle *o) {
  Cand *g = &o->g;
  if (!count_candidate (o)) return;
  g->rf = rel_empty (g->n);
  for (int i = 0; i < o->read_count; i++) rel_add (&g->rf, g->source[o->reads[i]], o->reads[i]);
  if (!o->options.no_shortcuts && !o->model->allows_cycles &&
      !rel_is_acyclic (rel_or (g->sb, g->rf)))
    return;
  if (o->model->is_hardware && has_thin_air (g)) return;
  if (o->model->has_mo && !list_mo (o)) return;
  o->model->prepare (g);
  if (g->too_big) o->gave_up = true;
  g->mo = rel_empty (g->n);
  if (o->model->has_mo)
    choose_mo (o, 0);
  else if (o->model->has_last && !cand_is_blocked (g))
    choose_last (o, 0);
  else
    judge (o);
}

static bool source_is_hopeless (const Oracle *o, int k, int r, int w) {
  const Cand *g = &o->g;
  if (g->event[w].thread == g->event[r].thread && w > r) return true;
  for (int i = 0; i < k && g->event[r].is_rmw; i++)
    if (g->event[o->reads[i]].is_rmw && g->source[o->reads[i]] == w) return true;
  return false;
}

static void choose_rf (Oracle *o, int k) {
  if (k == o->read_count) {
    rf_complete (o);
    return;
  }
  Cand *g = &o->g;
  int r = o->reads[k];
  for (int w = 0; w < g->n && !o->gave_up; w++) {
    const CandEvent *e = &g->event[w];
    if (e->kind != 'W' || e->var != g->event[r].var || e->value != g->event[r].value) continue;
    if (!o->options.no_shortcuts && source_is_hopeless (o, k, r, w)) continue;
    g->source[r] = w;
    choose_rf (o, k + 1);
  }
}

/* ---- traces ---- */

/* Do the traces of t and of the thread that created it (a lower number) fit? */
static bool fits_creator (const Oracle *o, int t, const Trace *trace) {
  if (!t || !o->has_handovers) return trace->stop != STOP_ABSENT;
  bool is_created = false;
  for (int c = 0; c < t; c++) {
    const Trace *creator = o->g.trace[c];
    if (!(creator->created >> t & 1)) continue;
    is_created = true;
    if ((creator->joined >> t & 1) && trace->stop != STOP_END) return false;
    if ((creator->asked >> t & 1) && trace->result != creator->got[t]) return false;
    if (creator->stop == STOP_JOIN && creator->last->value == t && trace->stop == STOP_END)
      return false;
  }
  return is_created == (trace->stop != STOP_ABSENT);
}

/* Whoever waits for a mutex that nobody keeps could go on; what follows then is looked at
 * anyway. */
static bool waits_for_held (const Cand *g) {
  unsigned held = 0, wanted = 0;
  for (int t = 0; t <= g->threads; t++) {
    held |= g->trace[t]->held;
    if (g->trace[t]->stop == STOP_LOCK) wanted |= 1u << g->trace[t]->last->var;
  }
  return !(wanted & ~held);
}

/* A combination is worth looking at while every value that is read can still be written by
 * somebody. */
static void choose_traces (Oracle *o, int t, ValueSet needs, ValueSet gives) {
  static const Trace absent = {.stop = STOP_ABSENT};
  if (!count_candidate (o)) return;
  if (t > o->prog->threads) {
    if (!waits_for_held (&o->g)) return;
    build_events (o);
    if (!o->gave_up) choose_rf (o, 0);
    return;
  }
  const Traces *all = &o->traces->thread[t];
  for (uint32_t i = 0; i <= all->size && !o->gave_up; i++) {
    const Trace *trace = i < all->size ? &all->trace[i] : &absent;
    ValueSet n = needs | trace->needs, v = gives | trace->gives;
    if ((n & ~(v | o->later_gives[t + 1])) || !fits_creator (o, t, trace)) continue;
    o->g.trace[t] = trace;
    choose_traces (o, t + 1, n, v);
  }
}

bool oracle_each (const Prog *p, const Model *m, OracleOptions options, OracleVisit visit,
                  void *arg) {
  static TraceSet traces; /* buffers are reused from call to call */
  static uint8_t orders[PROG_VARS][MO_ORDERS][REL_MAX];
  static Oracle o;
  if (m->each) return m->each (p, m, options, visit, arg);
  o = (Oracle){.prog = p, .model = m, .options = options, .visit = visit, .arg = arg};
  o.traces = &traces;
  o.has_handovers = p->main_acts;
  o.g.threads = p->threads;
  o.g.effort = &o.candidates;
  for (int v = 0; v < PROG_VARS; v++) o.g.last[v] = -1;
  o.g.main_acts = p->main_acts;
  for (int v = 0; v < PROG_VARS; v++) o.mo[v].order = orders[v];
  traces_build (&traces, p,
                (TraceOptions){.with_rounds = options.with_rounds,
                               .with_cycles = m->allows_cycles && !m->is_hardware,
                               .limit = 2000});
  if (traces.too_big) return false;
  for (int t = PROG_THREADS - 1; t >= 0; t--) {
    if (t > p->threads) continue;
    ValueSet gives = 0;
    for (uint32_t i = 0; i < traces.thread[t].size; i++) gives |= traces.thread[t].trace[i].gives;
    o.later_gives[t] = o.later_gives[t + 1] | gives;
  }
  ValueSet initial = 0; /* every variable holds its value number 0 */
  for (int v = 0; v < PROG_DATA; v++) initial |= (ValueSet)1 << (v * TRACE_VALUES);
  choose_traces (&o, 0, 0, initial);
  return !o.gave_up || o.is_done;
}
