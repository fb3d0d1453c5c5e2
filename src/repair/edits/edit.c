/* edit.c - edits of the program's text, each tried out in full.
 *
 * A proposal is taken if the edited program passes the check, and
 *  - it has complete executions;
 *  - whatever every complete execution of the program as it is does at least n times, every one of
 *    the edited program does: nothing is repaired by not doing it;
 *  - whatever some complete execution does is still done by some;
 *  - a thread that could come to its end before others do anything still can: none is made to wait
 *    for what others may never do.
 * What is compared are the accesses to memory that threads share, by their places in the text.
 * At last the text is edited as it is going to be shown, compiled and checked again.
 */
#include "repair/edits/edit.h"
#include "source/edits.h"
#include "witness/witness.h"

enum { BATCH = 150, MOST_BASE = 20000 };
#define QUICK 0.25 /* seconds, at first; a check that takes longer is deferred */

typedef struct Work { /* what complete executions do, by line of the file */
  const Program *p;
  u32 file;
  bool can_fail; /* what fails does not count */
  VEC (u32) least, most, now;
  u64 attempt, executions;
  u64 first;      /* threads that can come to their end before others do anything */
  VEC (u32) last; /* by location: place in mo */
} Work;

typedef enum Answer { ANSWER_NO, ANSWER_YES, ANSWER_LATER } Answer;

typedef struct Editor {
  Search *s;
  const Recompiler *recompiler;
  const Source *source;
  u32 lines; /* of the source */
  Proposals all;
  Str ir; /* of all proposals of the batch together */
  Work base;
  bool is_base_known; /* all of it */
  u32 patience;       /* how many more may take longer at once */
  VEC (u32) later;
} Editor;

/* Files are found by what the compiler has written into positions. */
static u32 file_of (const Program *p, const char *path) {
  for (u32 i = 0; i < p->files.size; i++)
    if (!strcmp (p->files.data[i], path)) return i;
  return 0;
}

static void work_clear (Work *w) {
  memset (w->least.data, 0xff, w->least.size * sizeof (u32));
  memset (w->most.data, 0, w->most.size * sizeof (u32));
  w->executions = w->first = 0;
}

static void work_start (Work *w, const Program *p, const Source *source, u32 lines) {
  w->p = p;
  w->file = file_of (p, source->path);
  vec_reserve (&w->least, lines);
  vec_reserve (&w->most, lines);
  vec_reserve (&w->now, lines);
  w->least.size = w->most.size = w->now.size = lines;
  work_clear (w);
}

static void work_free (Work *w) {
  vec_free (&w->least);
  vec_free (&w->most);
  vec_free (&w->now);
  vec_free (&w->last);
}

/* But not what main does before there are others. */
static void count_events (Work *w, const Graph *g, Tid t) {
  bool is_started = t > 0;
  for (u32 i = 0; i < g->threads[t].events.size; i++) {
    const Event *e = graph_event (g, g->threads[t].events.data[i]);
    const Position *at = &w->p->positions.data[e->pos];
    is_started |= e->kind == KIND_CREATE;
    if (is_started && at->file == w->file && at->line < w->now.size) w->now.data[at->line]++;
  }
}

/* Whether what the thread does can all have happened before other threads but main did anything:
 * it reads nothing of theirs, and they read and write after what it wrote. */
static bool is_first (Work *w, const Graph *g, Tid t) {
  w->last.size = 0;
  for (u32 i = 0; i < g->threads[t].events.size; i++) {
    const Event *e = graph_event (g, g->threads[t].events.data[i]);
    Tid from = e->kind == KIND_READ && e->rf != EV_NONE ? graph_event (g, e->rf)->tid : t;
    if (from && from != t) return false;
    if (e->kind != KIND_WRITE) continue;
    while (w->last.size <= e->loc) vec_push (&w->last, 0);
    if (w->last.data[e->loc] < e->mopos) w->last.data[e->loc] = e->mopos;
  }
  for (Ev i = 1; i < g->events.size; i++) {
    const Event *e = graph_event (g, i);
    bool reads = e->kind == KIND_READ && e->rf != EV_NONE;
    if (!e->tid || e->tid == t || (!reads && e->kind != KIND_WRITE)) continue;
    if (e->loc >= w->last.size || !w->last.data[e->loc]) continue;
    u32 place = !reads ? e->mopos : e->rf == EV_INIT ? 0 : graph_event (g, e->rf)->mopos;
    if (place < w->last.data[e->loc]) return false;
  }
  return true;
}

static bool has_failed (const Execution *e) {
  Witness w = {0};
  bool failed = false;
  execution_witness (e, &w);
  for (u32 t = 0; t < w.threads.size; t++) failed |= w.threads.data[t].status == THREAD_FAILED;
  witness_free (&w);
  return failed;
}

static void see_execution (void *work, const Execution *e) {
  Work *w = work;
  if (e->is_blocked || (w->can_fail && has_failed (e))) return;
  if (e->attempt != w->attempt) work_clear (w);
  w->attempt = e->attempt;
  w->executions++;
  memset (w->now.data, 0, w->now.size * sizeof (u32));
  for (Tid t = 0; t < e->graph->nthreads; t++) {
    count_events (w, e->graph, t);
    if (t && t < 64 && e->model->has_mo && is_first (w, e->graph, t)) w->first |= 1ull << t;
  }
  for (u32 k = 0; k < w->now.size; k++) {
    if (w->now.data[k] < w->least.data[k]) w->least.data[k] = w->now.data[k];
    if (w->now.data[k] > w->most.data[k]) w->most.data[k] = w->now.data[k];
  }
}

/* Nothing that was always done is done less often, nothing that was done is never done. Lines that
 * were edited are no longer what they were; new lines move those after them. */
static bool does_as_much (const Editor *x, const u32 *chosen, u32 n, const Work *w) {
  for (u32 k = 1; k < x->lines && x->base.executions; k++) {
    u32 line = k;
    bool is_edited = false;
    for (u32 i = 0; i < n; i++) {
      const Proposal *e = &x->all.data[chosen[i]];
      u32 at = source_line_at (x->source, e->at.start);
      bool is_new_line = edits_take_own_line (x->source, e->at);
      line += is_new_line && at <= k;
      is_edited |= at == k && !is_new_line;
    }
    if (is_edited) continue;
    if (x->base.most.data[k] && !w->most.data[line]) return false;
    if (x->is_base_known && w->least.data[line] < x->base.least.data[k]) return false;
  }
  return w->executions && !(x->base.first & ~w->first);
}

static ExploreOptions trial_options (const Search *s, Work *work, double seconds) {
  ExploreOptions o = *s->options;
  explore_silently (&o);
  o.detect_races = o.detect_races && (o.model->races_are_errors || o.plain_races);
  o.keep_going = o.count_duplicates = o.check_invariants = false;
  o.max_executions = 0;
  o.memory = 1 << 30;
  o.on_execution = work ? see_execution : NULL;
  o.arg = work;
  if (work) o.symmetry = false; /* threads do not stand for each other */
  double left = s->deadline - seconds_now ();
  o.timeout = seconds < left ? seconds : left;
  return o;
}

/* A program of the batch, quickly. */
static Answer ask (const Editor *x, const u32 *chosen, u32 n, double seconds) {
  IrError e;
  Answer answer = ANSWER_NO;
  Program *p = ir_parse (x->ir.text, x->ir.length, &e);
  ExploreOptions o = trial_options (x->s, NULL, seconds);
  if (p && o.timeout > 0) {
    ir_choose (p, chosen, n);
    ir_prepare (p, x->recompiler->ir);
    Result r = futures_search_program (p, &o);
    bool is_cut = r.verdict == VERDICT_INCOMPLETE && r.seconds >= o.timeout * 0.9;
    answer = is_cut ? ANSWER_LATER : r.verdict == VERDICT_PASS ? ANSWER_YES : ANSWER_NO;
    result_free (&r);
  }
  program_free (p);
  return answer;
}

/* The program as it is. */
static void look_at_base (Editor *x) {
  work_start (&x->base, x->s->p, x->source, x->lines);
  x->base.can_fail = true;
  ExploreOptions o = trial_options (x->s, &x->base, (x->s->deadline - seconds_now ()) / 10);
  o.keep_going = true;
  o.max_executions = MOST_BASE;
  Result r = futures_search_program (x->s->p, &o);
  x->is_base_known = !r.not_covered.size;
  result_free (&r);
}

/* Compiles a batch, without those that do not compile. */
static bool compile (Editor *x, u32 first, u32 end) {
  enum { ROUNDS = 5 };
  Program *p = NULL;
  for (u32 round = 0; round < ROUNDS && !p && seconds_now () < x->s->deadline; round++) {
    Str text = {0}, said = {0};
    schema_write (x->source, &x->all, first, end, &text);
    p = x->recompiler->compile (x->recompiler->arg, x->source->path, &text, &said);
    schema_read_complaints (x->source, &x->all, first, end, said.text);
    str_free (&text);
    str_free (&said);
  }
  str_clear (&x->ir);
  if (p) ir_print (p, &x->ir);
  program_free (p);
  return p;
}

static u32 chosen_with (const Editor *x, u32 number, u32 *out) {
  out[0] = number;
  out[1] = x->all.data[number].partner;
  return out[1] == NO_PARTNER ? 1 : 2;
}

/* The text as it is going to be shown. */
static bool is_confirmed (Editor *x, const u32 *chosen, u32 n) {
  Str text = {0}, said = {0};
  Work work = {0};
  bool ok = false;
  schema_write_edited (x->source, &x->all, chosen, n, &text);
  Program *p = x->recompiler->compile (x->recompiler->arg, x->source->path, &text, &said);
  if (p) {
    ir_prepare (p, x->recompiler->ir);
    work_start (&work, p, x->source, x->lines + n);
    ExploreOptions o = trial_options (x->s, &work, x->s->deadline - seconds_now ());
    if (o.timeout > 0) {
      Result r = futures_search_program (p, &o);
      ok = r.verdict == VERDICT_PASS && does_as_much (x, chosen, n, &work);
      x->s->executions = r.stats.executions;
      result_free (&r);
    }
    program_free (p);
  }
  work_free (&work);
  str_free (&text);
  str_free (&said);
  return ok;
}

static char *keep_text (Result *result, const char *text, size_t n) {
  Str s = {0};
  str_add_n (&s, text, n);
  if (!s.text) str_add (&s, "");
  vec_push (&result->texts, s.text);
  return s.text;
}

static void take (Editor *x, const u32 *chosen, u32 n, Result *result, Fix *out) {
  Program *p = x->s->p;
  for (u32 k = 0; k < n; k++) {
    const Proposal *e = &x->all.data[chosen[k]];
    Position at = {.file = file_of (p, x->source->path),
                   .line = source_line_at (x->source, e->at.start),
                   .column = e->at.start - source_start_of_line (x->source, e->at.start) + 1};
    Change c = {.kind = CHANGE_TEXT, .pos = program_position (p, at)};
    c.text = keep_text (result, e->text, strlen (e->text));
    c.old = keep_text (result, x->source->text + e->at.start, e->at.end - e->at.start);
    vec_push (&out->changes, c);
  }
  out->executions = x->s->executions;
}

/* The best of its kind so far is what allows most. */
typedef struct Best {
  bool is_found;
  u32 number;
  u64 executions;
} Best;

static void consider (Editor *x, u32 number, Best *best) {
  u32 chosen[2], n = chosen_with (x, number, chosen);
  if (!is_confirmed (x, chosen, n)) return;
  if (best->is_found && best->executions >= x->s->executions) return;
  *best = (Best){.is_found = true, .number = number, .executions = x->s->executions};
}

static bool can_be_asked (const Editor *x, u32 number) {
  const Proposal *p = &x->all.data[number];
  return !p->is_bad && (p->partner == NO_PARTNER || !x->all.data[p->partner].is_bad);
}

/* Of the same kind, and at the same place. */
static bool is_alike (const Editor *x, u32 a, u32 b) {
  const Proposal *p = &x->all.data[a], *q = &x->all.data[b];
  return p->kind == q->kind && p->at.start == q->at.start;
}

static void search_batch (Editor *x, u32 first, u32 end, Best *best) {
  for (u32 i = first; i < end && seconds_now () < x->s->deadline; i++) {
    u32 chosen[2], n = chosen_with (x, i, chosen);
    if (best->is_found && !is_alike (x, i, best->number)) {
      if (x->all.data[i].kind != x->all.data[best->number].kind) return;
      continue;
    }
    if (!can_be_asked (x, i)) continue;
    Answer answer = ask (x, chosen, n, QUICK);
    if (answer == ANSWER_LATER && x->patience) {
      x->patience--;
      answer = ask (x, chosen, n, 10 * QUICK);
    }
    if (answer == ANSWER_LATER && !best->is_found) vec_push (&x->later, i);
    if (answer == ANSWER_YES) consider (x, i, best);
  }
}

static bool search (Editor *x, Result *result, Fix *out) {
  Best best = {0};
  look_at_base (x);
  for (u32 first = 0; first < x->all.size && seconds_now () < x->s->deadline; first += BATCH) {
    u32 end = first + BATCH < x->all.size ? first + BATCH : x->all.size;
    if (best.is_found && x->all.data[first].kind != x->all.data[best.number].kind) break;
    if (compile (x, first, end)) search_batch (x, first, end, &best);
  }
  for (u32 i = 0; i < x->later.size && !best.is_found && seconds_now () < x->s->deadline; i++)
    consider (x, x->later.data[i], &best);
  if (!best.is_found) return false;
  u32 chosen[2], n = chosen_with (x, best.number, chosen);
  x->s->executions = best.executions;
  take (x, chosen, n, result, out);
  return true;
}

/* The file in which the finding is. */
static const char *file_to_edit (const Search *s) {
  const Witness *w = &s->f->witness;
  for (u32 i = 0; i <= w->events.size; i++) {
    u32 pos = i ? w->events.data[w->events.size - i].pos : s->f->pos;
    if (position_is_own (s->p, pos)) return s->p->files.data[s->p->positions.data[pos].file];
  }
  return NULL;
}

/* Assertions are left alone, whatever the one that fails is called. */
static void find_assertions (const Search *s, Outline *o) {
  bool is_one = s->f->kind == FINDING_ASSERT || s->f->kind == FINDING_ABORT;
  Position at = is_one ? s->p->positions.data[s->f->pos] : (Position){0};
  bool is_here = is_one && !strcmp (s->p->files.data[at.file], o->s->path);
  outline_find_assertions (o, is_here ? at.line : 0, at.column);
}

bool repair_text (Search *s, const Recompiler *recompiler, Result *result, Fix *out, u32 *tried) {
  const char *path = file_to_edit (s);
  Outline outline;
  bool found = false;
  if (!path) return false;
  if (outline_open (&outline, path)) {
    Editor x = {.s = s, .recompiler = recompiler, .source = outline.s, .patience = 4};
    x.lines = source_line_at (outline.s, outline.s->size) + 1;
    find_assertions (s, &outline);
    propose_edits (s, &outline, &x.all);
    found = search (&x, result, out);
    *tried += x.all.size;
    proposals_free (&x.all);
    work_free (&x.base);
    vec_free (&x.later);
    str_free (&x.ir);
  }
  outline_close (&outline);
  return found;
}
