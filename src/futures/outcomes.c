/* outcomes.c - in what states the executions end that follow a residue, and how many in each.
 *
 * What an execution shows comes in cells, a column and a text each: those of reads when they are
 * made, the others when it has ended. Of a residue the table holds the rows of cells that follow it,
 * with counts; the cell of a step is added to all rows that follow the step. So what threads have
 * read before is no part of the residue. Only how often each read was made is, since columns are
 * numbered by it, and what threads have left in their own memory when they ended (keep_ends).
 */
#include "futures/futures_int.h"

#include <stdlib.h>

typedef struct Share {
  Tally count;
  u32 row;
} Share;

struct OutcomeSet {
  u32 references, size;
  Share shares[]; /* by row */
};

typedef struct Row { /* cells in any order: one more than another row has */
  Fingerprint print; /* of the set of them */
  OutcomeCell cell;
  u32 rest;
} Row;

struct Outlook {
  Observer *observer;
  VEC (Row) rows; /* [0]: nothing */
  Map row_of;
  Map reads;         /* how often reads known by a key were made on the way to the current graph, */
  Fingerprint *made; /* and by thread which */
  u32 joins;         /* of main */
  u64 bytes;
  OutcomeSet *end; /* of the execution that was seen last */
  u32 wanted;      /* 0, or the number of the outcome of which an execution is looked for, */
  u32 wanted_row;  /* and its row; */
  bool is_found;
};

static Fingerprint print_cell (OutcomeCell cell) {
  Fingerprint p = {11, 12};
  fingerprint_add (&p, cell);
  return p;
}

/* ---- rows ---- */

static u32 row_with (Outlook *o, u32 rest, OutcomeCell cell) {
  if (!cell) return rest;
  Row row = {.print = o->rows.data[rest].print, .cell = cell, .rest = rest};
  fingerprint_put (&row.print, print_cell (cell));
  u64 key = row.print.a, at;
  for (; map_get (&o->row_of, key, &at); key++)
    if (fingerprint_equal (o->rows.data[at].print, row.print)) return (u32)at;
  map_put (&o->row_of, key, o->rows.size);
  vec_push (&o->rows, row);
  return o->rows.size - 1;
}

/* ---- sets of rows ---- */

static u64 bytes_of (u32 size) { return sizeof (OutcomeSet) + size * sizeof (Share); }

static OutcomeSet *set_new (Outlook *o, u32 size) {
  OutcomeSet *s = mem_alloc (bytes_of (size));
  s->references = 1;
  s->size = size;
  o->bytes += bytes_of (size);
  return s;
}

void outcomes_release (Outlook *o, OutcomeSet *s) {
  if (!s || --s->references) return;
  o->bytes -= bytes_of (s->size);
  mem_free (s);
}

static int compare_shares (const void *a, const void *b) {
  u32 x = ((const Share *)a)->row, y = ((const Share *)b)->row;
  return (x > y) - (x < y);
}

/* The rows of a set, each with one more cell. */
static OutcomeSet *set_with (Outlook *o, OutcomeSet *s, OutcomeCell cell) {
  if (!cell) {
    s->references++;
    return s;
  }
  OutcomeSet *with = set_new (o, s->size);
  for (u32 i = 0; i < s->size; i++)
    with->shares[i] = (Share){s->shares[i].count, row_with (o, s->shares[i].row, cell)};
  qsort (with->shares, with->size, sizeof (Share), compare_shares);
  return with;
}

static OutcomeSet *set_union (Outlook *o, const OutcomeSet *a, const OutcomeSet *b) {
  OutcomeSet *sum = set_new (o, a->size + b->size);
  u32 i = 0, k = 0, n = 0;
  while (i < a->size || k < b->size) {
    bool in_a = i < a->size && (k == b->size || a->shares[i].row <= b->shares[k].row);
    bool in_b = k < b->size && (i == a->size || b->shares[k].row <= a->shares[i].row);
    Share s = in_a ? a->shares[i] : b->shares[k];
    if (in_a && in_b) s.count = tally_add (s.count, b->shares[k].count);
    sum->shares[n++] = s;
    i += in_a;
    k += in_b;
  }
  o->bytes -= bytes_of (sum->size) - bytes_of (n);
  sum->size = n;
  return mem_resize (sum, bytes_of (n));
}

void outcomes_add (Futures *f, OutcomeSet **to, OutcomeSet *from, OutcomeCell cell) {
  Outlook *o = f->outlook;
  if (!from) return;
  OutcomeSet *more = set_with (o, from, cell), *old = *to;
  f->x->run.steps += more->size / 4; /* it takes as long */
  *to = old ? set_union (o, old, more) : more;
  if (!old) return;
  outcomes_release (o, old);
  outcomes_release (o, more);
}

/* ---- on the way ---- */

static void count_read (Outlook *o, Tid t, u64 key, bool is_back) {
  u64 times = 0;
  Fingerprint p = print_cell (key);
  map_get (&o->reads, key, &times);
  map_put (&o->reads, key, is_back ? times - 1 : times + 1);
  Fingerprint *made = &o->made[t];
  *made = is_back ? (Fingerprint){made->a - p.a, made->b - p.b}
                  : (Fingerprint){made->a + p.a, made->b + p.b};
}

/* Reads of main that come after a join show what has ended. */
static u64 key_of_read (Futures *f, const Execution *e, Ev r) {
  const Event *event = graph_event (e->graph, r);
  if (!event->tid && f->outlook->joins) return 0;
  u64 key = observer_key_of_read (f->outlook->observer, e, r);
  if (key && !event->pos) futures_learn (f, FACT_UNPLACED, 0);
  return key;
}

static OutcomeCell cell_of_read (Outlook *o, const Execution *e, Ev r, u64 key) {
  u64 times = 0;
  map_get (&o->reads, key, &times);
  return observer_see_read (o->observer, e, r, key, (u32)times);
}

void outcomes_see_read (Futures *f, Level *level, Ev r) {
  Execution e = explorer_execution (f->x);
  level->read = key_of_read (f, &e, r);
  if (!level->read) return;
  level->shows = cell_of_read (f->outlook, &e, r, level->read);
  count_read (f->outlook, graph_event (f->x->g, r)->tid, level->read, false);
}

void outcomes_forget_read (Futures *f, Level *level, Tid t) {
  if (level->read) count_read (f->outlook, t, level->read, true);
  level->read = level->shows = 0;
}

void outcomes_see_join (Futures *f, bool is_back) {
  f->outlook->joins = is_back ? f->outlook->joins - 1 : f->outlook->joins + 1;
}

Fingerprint outcomes_print (Futures *f) {
  const Outlook *o = f->outlook;
  const Graph *g = f->x->g;
  bool counts_events = futures_knows (f, FACT_UNPLACED, 0);
  Fingerprint p = {13, o->joins > 0};
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++) {
    if (!futures_lives (f, t)) continue;
    fingerprint_add (&p, t);
    fingerprint_join (&p, o->made[t]);
    if (counts_events) fingerprint_add (&p, g->threads[t].events.size);
  }
  return p;
}

/* ---- examples ---- */

/* Whether this row, after what the way to the current graph shows, is the one that is wanted. */
static bool is_wanted (const Futures *f, u32 row) {
  const Outlook *o = f->outlook;
  Fingerprint p = o->rows.data[row].print;
  for (u32 i = 0; i < f->levels.size; i++)
    if (f->levels.data[i].shows) fingerprint_put (&p, print_cell (f->levels.data[i].shows));
  return fingerprint_equal (p, o->rows.data[o->wanted_row].print);
}

bool outcomes_show_next (Futures *f, const OutcomeSet *all, u32 i) {
  Outlook *o = f->outlook;
  bool is_any = all && i < all->size;
  o->wanted = is_any ? i + 1 : 0;
  o->wanted_row = is_any ? all->shares[i].row : 0;
  o->is_found = false;
  return is_any;
}

bool outcomes_are_shown (const Futures *f) { return f->outlook->wanted; }

bool outcomes_may_lead (const Futures *f, const Following *known) {
  if (f->outlook->is_found) return false;
  if (!known) return true; /* it was forgotten */
  for (u32 i = 0; known->outcomes && i < known->outcomes->size; i++)
    if (is_wanted (f, known->outcomes->shares[i].row)) return true;
  return false;
}

/* ---- ends ---- */

void outcomes_see_end (Futures *f, Ev first_waiting) {
  Outlook *o = f->outlook;
  Execution e = explorer_execution (f->x);
  OutcomeCells cells = {0};
  for (Ev r = first_waiting; r < e.graph->events.size; r++) {
    u64 key = key_of_read (f, &e, r);
    if (key) vec_push (&cells, cell_of_read (o, &e, r, key));
  }
  observer_see_end (o->observer, &e, &cells);
  u32 row = 0;
  for (u32 i = 0; i < cells.size; i++) row = row_with (o, row, cells.data[i]);
  vec_free (&cells);
  outcomes_release (o, o->end);
  o->end = set_new (o, 1);
  o->end->shares[0] = (Share){{.low = 1}, row};
  if (o->wanted && is_wanted (f, row)) {
    e.number = o->wanted;
    f->x->options->on_outcome (f->x->options->arg, &e);
    o->is_found = true;
  }
}

OutcomeSet *outcomes_take_end (Futures *f) {
  OutcomeSet *end = f->outlook->end;
  f->outlook->end = NULL;
  return end;
}

void outcomes_keep (Futures *f, const OutcomeSet *all, Observer *into) {
  const Outlook *o = f->outlook;
  OutcomeCells cells = {0};
  observer_keep_columns (into, o->observer);
  for (u32 i = 0; all && i < all->size; i++) {
    cells.size = 0;
    for (u32 row = all->shares[i].row; row; row = o->rows.data[row].rest)
      vec_push (&cells, o->rows.data[row].cell);
    observer_keep (into, o->observer, &cells, all->shares[i].count);
  }
  vec_free (&cells);
}

/* ---- beginning and end of a search ---- */

Outlook *outlook_new (Observer *observer) {
  Outlook *o = mem_zalloc (sizeof *o);
  o->observer = observer_twin (observer);
  return o;
}

void outlook_start (Futures *f) {
  Outlook *o = f->outlook;
  u32 stride = f->x->known.stride;
  map_clear (&o->reads);
  o->joins = 0;
  o->made = mem_resize (o->made, stride * sizeof *o->made);
  memset (o->made, 0, stride * sizeof *o->made);
}

void outlook_start_over (Outlook *o) {
  observer_start_over (o->observer);
  o->rows.size = 0;
  map_clear (&o->row_of);
  vec_push (&o->rows, (Row){.rest = 0});
}

bool outlook_is_large (const Outlook *o, u64 most) { return o->bytes > (most ? most : 4ull << 30); }

void outlook_free (Outlook *o) {
  if (!o) return;
  outcomes_release (o, o->end);
  observer_free (o->observer);
  vec_free (&o->rows);
  map_free (&o->row_of);
  map_free (&o->reads);
  mem_free (o->made);
  mem_free (o);
}
