/* merge.c - what several workers have learned and found becomes what one knows and says. */
#include "explore/wait/wait.h"
#include "parallel/parallel.h"

#include <stdlib.h>

/* ---- knowledge ------------------------------------------------------------------------------- */

/* Two workers may have met memory in pieces of different sizes, or have left out iterations of
 * loops that another one has learned to show. */
static void check_locations (Explorer *x, const Explorer *w) {
  for (u32 loc = 0; loc < w->locations.size; loc++) {
    const LocationInfo *info = &w->locations.data[loc];
    u32 mine = LOC_NONE;
    if (location_overlaps_another (x, w->addresses.data[loc], info->size, &mine)) {
      explorer_not_covered (x, 0, "accesses of different sizes to the same memory");
      continue;
    }
    if (mine == LOC_NONE) mine = location_new (x, w->addresses.data[loc], info->size);
    LocationInfo *known = &x->locations.data[mine];
    if (info->must_show_iterations != known->must_show_iterations &&
        (x->known.has_left_out || w->known.has_left_out))
      x->must_restart = true;
    known->must_show_iterations |= info->must_show_iterations;
    known->has_awaits |= info->has_awaits;
    known->in_long_iterations |= info->in_long_iterations;
    known->has_na |= info->has_na;
    known->has_mixed |= info->has_mixed;
    known->may_be_undefined |= info->may_be_undefined;
    known->has_unordered_writes |= info->has_unordered_writes;
    if (known->must_show_iterations) {
      knowledge_note (x, FACT_shows_iterations, x->addresses.data[mine]);
      x->known.has_risky_iterations |= known->in_long_iterations;
    }
  }
}

void merge_knowledge (Explorer *x, Explorer *w) {
  check_locations (x, w);
  knowledge_merge (&x->known, &w->known);
  x->must_restart |= w->must_restart;
}

/* ---- results --------------------------------------------------------------------------------- */

static int compare_parts (const void *a, const void *b) {
  const Part *p = a, *q = b;
  return path_is_before (&p->start, &q->start) ? -1 : path_is_before (&q->start, &p->start);
}

static void join_part (Part *to, Part *from) {
  to->represented += from->represented;
  to->represented_blocked += from->represented_blocked;
  result_move (&to->result, &from->result);
}

void part_done (Part *p) {
  result_free (&p->result);
  vec_free (&p->start);
}

/* Whether something that is left to do comes between the two. */
static bool is_separated (const Pool *p, const Part *a, const Part *b) {
  for (const Parcel *t = p->first; t; t = t->next)
    if (path_is_before (&a->start, &t->start) && path_is_before (&t->start, &b->start)) return true;
  return false;
}

/* What comes after a finding does not count if the first one is all that is wanted. */
void merge_parts (Explorer *x) {
  Pool *p = x->worker.pool;
  u32 kept = 0;
  if (p->parts.size) qsort (p->parts.data, p->parts.size, sizeof *p->parts.data, compare_parts);
  for (u32 i = 0; i < p->parts.size; i++) {
    Part *part = &p->parts.data[i], *last = kept ? &p->parts.data[kept - 1] : NULL;
    if (last && last->result.findings.size && !x->options->keep_going)
      part_done (part);
    else if (last && !is_separated (p, last, part)) {
      join_part (last, part);
      part_done (part);
    } else
      p->parts.data[kept++] = *part;
  }
  p->parts.size = kept;
}

void merge_stats_from_elsewhere (Stats *s, const Pool *p) {
  s->instructions += p->elsewhere.instructions;
  s->resumes += p->elsewhere.resumes;
  s->memo_hits += p->elsewhere.memo_hits;
  s->moved += p->elsewhere.moved;
  s->moved_bytes += p->elsewhere.moved_bytes;
  s->questions += p->elsewhere.questions;
}

/* x->result is that of all parts. */
void merge_results (Explorer *x) {
  Pool *p = x->worker.pool;
  pool_drop_parcels (p);
  merge_parts (x);
  x->result = (Result){.model = x->model->name};
  x->reduce.represented = x->reduce.represented_blocked = 0;
  for (u32 i = 0; i < p->parts.size; i++) {
    Part *part = &p->parts.data[i];
    x->reduce.represented += part->represented;
    x->reduce.represented_blocked += part->represented_blocked;
    result_move (&x->result, &part->result);
    vec_free (&part->start);
  }
  vec_free (&p->parts);
  x->result.stats.tasks += p->tasks;
  x->result.stats.task_bytes += p->task_bytes;
  merge_stats_from_elsewhere (&x->result.stats, p);
  x->must_stop =
      atomic_load (&p->must_stop) || (x->result.findings.size && !x->options->keep_going);
  if (p->why) {
    Str what = {0};
    str_add (&what, p->why);
    if (x->options->checkpoint && x->worker.is_saved)
      str_printf (&what, "; they are in `%s`, for --resume", x->options->checkpoint);
    explorer_not_covered (x, 0, what.text);
    str_free (&what);
  }
}
