/* observe.c - outcomes: what threads have read and returned. No thread can look into a memory, so
 * the last values of variables are no part of them.
 *
 * What a thread has read is part of its state then (a list that is shared by states with the same
 * beginning), so that states with different outcomes stay apart. Columns are the same as those of
 * the explorer. */
#include "machine/step.h"

typedef struct Watch {
  Outcomes *into;
  u64 number; /* of the execution */
  Map known;  /* (value, size) -> text */
  VEC (u32) values;
} Watch;

void watch_init (Machine *x) {
  x->watch = mem_zalloc (sizeof *x->watch);
  x->watch->into = x->options->outcomes;
}

void watch_done (Machine *x) {
  if (!x->watch) return;
  map_free (&x->watch->known);
  vec_free (&x->watch->values);
  mem_free (x->watch);
}

void watch_forget (Machine *x) {
  outcomes_forget (x->watch->into, x->options->outcomes_model);
  x->watch->number = 0;
}

static u32 text_of (Machine *x, u64 value, u32 size) {
  Watch *w = x->watch;
  u64 key = hash_mix (hash_mix (3, value), size), text;
  if (map_get (&w->known, key, &text)) return (u32)text;
  Str s = {0}, name = {0};
  u32 shift = size < 8 ? 64 - 8 * size : 0;
  i64 extended = (i64)(value << shift) >> shift;
  if (size == 8 && value && vm_describe_pointer (x->vm, value, &name))
    str_printf (&s, "&%s", name.text);
  else if (extended < 0 && extended > -(1 << 20))
    str_printf (&s, "%lld", (long long)extended);
  else
    str_printf (&s, "%llu", (unsigned long long)value);
  text = outcomes_text (w->into, s.text);
  str_free (&s);
  str_free (&name);
  map_put (&w->known, key, text);
  return (u32)text;
}

static void announce (Machine *x, Column *c) {
  if (x->options->on_column) x->options->on_column (x->options->column_arg, c);
}

static bool own_position (const Machine *x, const Snapshot *s, u32 *pos) {
  u32 stack[WITNESS_STACK], n;
  *pos = s->effect.pos;
  if (!*pos || position_is_own (x->program, *pos)) return true;
  if (position_is_runtime (x->program, *pos)) return false;
  n = snapshot_backtrace (s, stack, WITNESS_STACK);
  for (u32 i = 0; i < n; i++) {
    if (!position_is_own (x->program, stack[i])) continue;
    *pos = stack[i];
    return true;
  }
  return false;
}

/* How many reads with this key the list has. */
static u32 count_key (const Machine *x, u32 history, u32 key) {
  u32 n = 0;
  for (; history; history = table_at (&x->histories, history, NULL)[0])
    n += table_at (&x->histories, history, NULL)[3] == key;
  return n;
}

u32 watch_read (Machine *x, const ThreadState *t, u32 loc, u64 value) {
  const Snapshot *s = t->at;
  const Effect *e = &s->effect;
  u32 stack[WITNESS_STACK], pos, n;
  bool is_lock = e->kind == EFF_LOCK || e->kind == EFF_TRYLOCK, is_new;
  if (is_lock || e->is_merge || e->in_spin || e->order == ORD_NA) return t->history;
  if ((t->waits & HAS_JOINED) && !s->tid) return t->history;
  if (!own_position (x, s, &pos)) return t->history;
  n = snapshot_backtrace (s, stack, WITNESS_STACK);
  u64 path = vm_thread_path (x->vm, s->tid);
  u64 key = hash_mix (column_key (COLUMN_READ), path);
  key = hash_mix (key, hash_bytes (stack, n * sizeof *stack, 4));
  if (!e->pos) key = hash_mix (key, (uintptr_t)s->location);
  u32 nth = count_key (x, t->history, (u32)key);
  Column *c = outcomes_column (x->watch->into, nth ? hash_mix (key, nth) : key, &is_new);
  if (is_new) {
    Str name = {0};
    vm_describe_address (x->vm, x->locations.data[loc].addr, &name);
    *c = (Column){.kind = COLUMN_READ,
                  .access = e->kind,
                  .is_unused = e->kind == EFF_RMW && e->is_unused,
                  .tid = s->tid,
                  .rank = path,
                  .pos = pos,
                  .nth = nth,
                  .what = name.text};
    for (u32 h = t->history; h; h = table_at (&x->histories, h, NULL)[0]) c->place++;
    c->is_hidden = c->is_unused;
    announce (x, c);
  }
  u32 words[] = {t->history, (u32)(c - x->watch->into->columns.data), text_of (x, value, e->size),
                 (u32)key};
  return c->is_hidden ? t->history : table_put (&x->histories, words, 4, 0, NULL);
}

static void set_value (Watch *w, u32 column, u32 text) {
  while (w->values.size <= column) vec_push (&w->values, 0);
  w->values.data[column] = text;
}

static void watch_return (Machine *x, Tid t, const Effect *e) {
  u64 path = vm_thread_path (x->vm, t);
  bool is_new;
  Column *c =
      outcomes_column (x->watch->into, hash_mix (column_key (COLUMN_RETURN), path), &is_new);
  if (is_new) {
    c->kind = COLUMN_RETURN;
    c->tid = t;
    c->rank = path;
    c->what = mem_strdup ("returns");
    announce (x, c);
  }
  set_value (x->watch, (u32)(c - x->watch->into->columns.data),
             text_of (x, e->value, t ? 8 : 4)); /* main returns an int */
}

static void watch_failure (Machine *x, const Effect *e) {
  Str text = {0};
  bool is_new;
  str_add (&text, finding_kind_name ((FindingKind)e->error));
  if (position_is_own (x->program, e->pos))
    str_printf (&text, ":%u", x->program->positions.data[e->pos].line);
  Column *c = outcomes_column (x->watch->into, COLUMN_FAILURE, &is_new);
  if (is_new) {
    c->kind = COLUMN_FAILURE;
    c->what = mem_strdup ("fails");
    announce (x, c);
  }
  set_value (x->watch, (u32)(c - x->watch->into->columns.data),
             outcomes_text (x->watch->into, text.text));
  str_free (&text);
}

void watch_end (Machine *x, const u32 *state) {
  assert (x->watch && !x->must_restart);
  Watch *w = x->watch;
  team_hold_vm (x);
  w->values.size = 0;
  for (Tid t = 0; t < x->nthreads; t++) {
    if (state[t] == THREAD_ABSENT) continue;
    ThreadState at = machine_thread_state (x, state[t]);
    for (u32 h = at.history; h; h = table_at (&x->histories, h, NULL)[0])
      set_value (w, table_at (&x->histories, h, NULL)[1], table_at (&x->histories, h, NULL)[2]);
    if (at.at->effect.kind == EFF_END) watch_return (x, t, &at.at->effect);
    if (at.at->effect.kind == EFF_ERROR) watch_failure (x, &at.at->effect);
  }
  outcomes_count (w->into, w->values.data, w->values.size, x->options->outcomes_model, ++w->number,
                  (Tally){.low = 1});
  team_let_go_vm (x);
}
