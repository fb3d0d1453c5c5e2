/* observe.c - what can be told about an execution once it has ended.
 *
 *   variables  the last values of the program's own global variables, member by member: that of the
 *              last write in mo where memory is shared, else what its only user left there. Without
 *              mo, all that can be last.
 *   reads      what atomic loads and read-modify-writes of the program's own code have read, but
 *              not in loops that may wait, and not in main once it has joined a thread, where the
 *              last values say the same. With all_reads every read.
 *   returns    what threads returned
 *   failures   what stopped a thread
 *
 * Columns and texts mean the same in every exploration of the program, whatever the model:
 * addresses and numbers of threads are not used in keys, nor as values.
 */
#include <pthread.h>
#include <stdlib.h>

#include "explore/state/explorer.h"
#include "witness/witness.h"

typedef struct Leaf { /* a member of scalar type of a variable */
  u64 addr;
  u32 global, type; /* 0: unknown */
  u64 offset;
  u8 size;
} Leaf;

typedef struct Kept { /* an outcome that was counted */
  OutcomeCells cells;
  Tally count;
} Kept;

struct Observer {
  pthread_mutex_t own_lock, *lock; /* of `into`, and of who is told of columns */
  Outcomes own;                    /* of a twin */
  const Program *program;
  Outcomes *into;
  ObserverOptions options;
  VEC (Leaf) leaves; /* by address */
  bool has_leaves;
  Map known; /* (column, value) -> text */
  u64 number;
  VEC (u32) values;      /* of the execution that is looked at */
  VEC (Snapshot *) ends; /* where its threads end, by number */
  VEC (Kept) kept;
};

Observer *observer_new (const Program *p, const ObserverOptions *options) {
  Observer *o = mem_zalloc (sizeof *o);
  o->program = p;
  o->into = options->into;
  o->options = *options;
  pthread_mutex_init (&o->own_lock, NULL);
  o->lock = &o->own_lock;
  return o;
}

Observer *observer_twin (const Observer *o) {
  Observer *twin = observer_new (o->program, &o->options);
  twin->lock = o->lock;
  twin->into = &twin->own;
  outcomes_init (&twin->own);
  return twin;
}

void observer_free (Observer *o) {
  if (!o) return;
  for (u32 i = 0; i < o->kept.size; i++) vec_free (&o->kept.data[i].cells);
  vec_free (&o->kept);
  pthread_mutex_destroy (&o->own_lock);
  outcomes_done (&o->own);
  vec_free (&o->leaves);
  vec_free (&o->values);
  vec_free (&o->ends);
  map_free (&o->known);
  mem_free (o);
}

/* ---- variables and their members */

/* The scalar that lies at `offset` of a type, or the byte there if it is padding. */
static Leaf leaf_at (const Program *p, u32 type, u64 offset, u64 left) {
  Leaf leaf = {.size = 1};
  for (u32 depth = 0; depth < 64; depth++) {
    const Type *t = &p->types.data[type];
    if (t->kind == TYPE_STRUCT) {
      const Field *f = program_field_at (p, type, offset);
      if (!f) return leaf;
      offset -= f->offset;
      type = f->type;
    } else if (t->kind == TYPE_ARRAY && p->types.data[t->element].size && offset < t->size) {
      offset %= p->types.data[t->element].size;
      type = t->element;
    } else {
      u64 size = t->kind == TYPE_UNKNOWN || !t->size ? (left < 8 ? left : 8) : t->size;
      if (offset || size > 8 || size > left) return leaf;
      leaf.type = type;
      leaf.size = (u8)size;
      return leaf;
    }
  }
  return leaf;
}

static bool is_own_variable (const Program *p, const Global *g) {
  if (g->is_const || g->is_tls || g->is_extern || g->name[0] == '.') return false;
  return g->pos ? position_is_own (p, g->pos) : p->types.size <= 1; /* written by hand */
}

static void find_leaves (Observer *o, const Vm *vm) {
  const Program *p = o->program;
  o->has_leaves = true;
  for (u32 i = 0; i < p->globals.size; i++) {
    const Global *g = &p->globals.data[i];
    if (!is_own_variable (p, g)) continue;
    u64 base = vm_global_address (vm, i);
    for (u64 at = 0; at < g->size;) {
      Leaf leaf = leaf_at (p, g->type, at, g->size - at);
      leaf.global = i;
      leaf.offset = at;
      leaf.addr = base + at;
      vec_push (&o->leaves, leaf);
      at += leaf.size;
    }
  }
}

static const Leaf *leaf_of_address (const Observer *o, u64 addr) {
  u32 low = 0, high = o->leaves.size;
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (o->leaves.data[middle].addr <= addr)
      low = middle + 1;
    else
      high = middle;
  }
  const Leaf *leaf = low ? &o->leaves.data[low - 1] : NULL;
  return leaf && leaf->addr == addr ? leaf : NULL;
}

/* Members that belong to the C library are its own business; those of std::atomic are meant by the
 * variable's name. */
static bool name_leaf (const Program *p, const Leaf *leaf, Str *out) {
  program_name_bytes (p, &p->globals.data[leaf->global], leaf->offset, out);
  if (strstr (out->text, ".__")) return false;
  char *inner = strstr (out->text, "._M_");
  if (inner) *inner = 0;
  return true;
}

/* ---- values as texts */

static void say_number (const Execution *e, const Type *t, u64 value, u32 size, Str *out) {
  u32 shift = 64 - 8 * size;
  i64 extended = (i64)(value << shift) >> shift;
  bool is_pointer = t ? t->kind == TYPE_POINTER : size == 8;
  Str name = {0};
  if (t && t->kind == TYPE_SCALAR && size == 8 && !strcmp (t->name, "double")) {
    double d;
    memcpy (&d, &value, sizeof d);
    str_printf (out, "%.17g", d);
  } else if (t && t->kind == TYPE_SCALAR && size == 4 && !strcmp (t->name, "float")) {
    float f;
    memcpy (&f, &value, sizeof f);
    str_printf (out, "%.9g", (double)f);
  } else if (is_pointer && value && vm_describe_pointer (e->vm, value, &name)) {
    str_printf (out, "&%s", name.text);
    str_free (&name);
  } else if (t && t->kind == TYPE_POINTER && value) {
    str_printf (out, "0x%llx", (unsigned long long)value);
  } else if (t && t->kind == TYPE_SCALAR ? t->is_signed : extended < 0 && extended > -(1 << 20)) {
    str_printf (out, "%lld", (long long)extended);
  } else {
    str_printf (out, "%llu", (unsigned long long)value);
  }
}

static void say_typed (const Observer *o, const Execution *e, u32 type, u64 value, u32 size,
                       Str *out) {
  u64 low, high;
  if (size <= 8) {
    say_number (e, type ? &o->program->types.data[type] : NULL, value, size, out);
    return;
  }
  vm_pair (e->vm, value, &low, &high);
  str_add (out, "{");
  say_number (e, NULL, low, 8, out);
  str_add (out, ", ");
  say_number (e, NULL, high, 8, out);
  str_add (out, "}");
}

static u32 text_of (Observer *o, const Execution *e, u32 column, u32 type, u64 value, u32 size) {
  u64 key = hash_mix (hash_mix (hash_mix (3, column), value), size), text;
  if (map_get (&o->known, key, &text)) return (u32)text;
  Str s = {0};
  say_typed (o, e, type, value, size, &s);
  text = outcomes_text (o->into, s.text);
  str_free (&s);
  map_put (&o->known, key, text);
  return (u32)text;
}

static void set_value (Observer *o, u32 column, u32 text) {
  while (o->values.size <= column) vec_push (&o->values, 0);
  o->values.data[column] = text;
}

static void announce (const Observer *o, Column *c) {
  if (o->options.on_column) o->options.on_column (o->options.arg, c);
}

static u32 number_of (const Observer *o, const Column *c) {
  return (u32)(c - o->into->columns.data);
}

/* ---- last values */

/* The k-th of the writes of a location that can be the last one, or EV_NONE: without mo, those that
 * no other write is known to come after. */
static Ev last_write (const Execution *e, u32 loc, u32 k) {
  const Graph *g = e->graph;
  const Location *l = graph_location (g, loc);
  if (e->model->has_mo || g->has_finals || l->mo.size == 1)
    return k ? EV_NONE : graph_mo_last (g, loc);
  for (u32 i = 1; i < l->mo.size; i++) {
    Ev w = l->mo.data[i];
    bool is_over = graph_event (g, w)->rmw_reader != EV_NONE;
    for (u32 n = 1; n < l->mo.size && !is_over; n++)
      is_over = n != i && graph_is_hb (g, w, l->mo.data[n]);
    if (!is_over && !k--) return w;
  }
  return EV_NONE;
}

/* A byte of shared memory, if it is; false if there are not that many writes that can be last. */
static bool shared_byte (const Execution *e, u64 addr, u32 k, u64 *byte, u32 *is_shared) {
  const Explorer *x = e->explorer;
  u32 loc = location_find (x, addr);
  *is_shared = loc < e->graph->locations.size;
  if (!*is_shared) return !k;
  Ev w = last_write (e, loc, k);
  if (w == EV_NONE) return false;
  u64 whole = location_value_of_write (x, loc, w), high = 0, offset = addr - x->addresses.data[loc];
  if (x->locations.data[loc].size > 8) vm_pair (e->vm, whole, &whole, &high);
  *byte = offset < 8 ? whole >> (8 * offset) : high >> (8 * (offset - 8));
  return true;
}

/* The leaf as it is when its location is left with the k-th of the writes that can be last; false
 * when there are no more. A leaf of several locations has as many as the one with fewest. */
static bool last_value (const Observer *o, const Execution *e, const Leaf *leaf, u32 k,
                        u64 *value) {
  vm_initial_value (e->vm, leaf->addr, leaf->size, value);
  for (u32 b = 0; b < leaf->size; b++) {
    u64 addr = leaf->addr + b, byte = 0;
    u32 written;
    if (!shared_byte (e, addr, k, &byte, &written)) return false;
    for (u32 t = 0; t < o->ends.size && !written; t++)
      if (o->ends.data[t]) byte = snapshot_private (o->ends.data[t], addr, 1, &written);
    if (written) *value = (*value & ~(0xffull << (8 * b))) | (byte & 0xff) << (8 * b);
  }
  return true;
}

static int compare_texts (const void *a, const void *b, void *arg) {
  const Outcomes *o = arg;
  return strcmp (o->texts.data[*(const u32 *)a], o->texts.data[*(const u32 *)b]);
}

/* "1|2" if both can be last. */
static u32 text_of_last (Observer *o, const Execution *e, u32 column, const Leaf *leaf) {
  u64 value;
  VEC (u32) texts = {0};
  Str all = {0};
  for (u32 k = 0; last_value (o, e, leaf, k, &value); k++)
    vec_push (&texts, text_of (o, e, column, leaf->type, value, leaf->size));
  BUG_IF (!texts.size);
  u32 text = texts.data[0];
  if (texts.size > 1) {
    qsort_r (texts.data, texts.size, sizeof (u32), compare_texts, o->into);
    for (u32 i = 0; i < texts.size; i++)
      if (!i || texts.data[i] != texts.data[i - 1])
        str_printf (&all, "%s%s", i ? "|" : "", o->into->texts.data[texts.data[i]]);
    text = outcomes_text (o->into, all.text);
    str_free (&all);
  }
  vec_free (&texts);
  return text;
}

static void observe_variable (Observer *o, const Execution *e, const Leaf *leaf) {
  u64 initial, key = hash_mix (hash_mix (column_key (COLUMN_GLOBAL), leaf->global), leaf->offset);
  Str name = {0};
  bool is_new;
  if (!o->options.untouched && !vm_is_touched (e->vm, leaf->addr)) return;
  Column *c = outcomes_column (o->into, key, &is_new);
  u32 number = number_of (o, c);
  if (is_new) {
    c->kind = COLUMN_GLOBAL;
    c->rank = leaf->global;
    c->place = (u32)leaf->offset;
    c->is_hidden = !name_leaf (o->program, leaf, &name);
    c->what = name.text;
    announce (o, c);
    vm_initial_value (e->vm, leaf->addr, leaf->size, &initial);
    c->initial = text_of (o, e, number, leaf->type, initial, leaf->size);
  }
  if (c->is_hidden) return;
  u32 text = text_of_last (o, e, number, leaf);
  set_value (o, number, text == c->initial ? 0 : text);
}

/* ---- reads */

/* Where the program's own code reads; false if the library does. */
static bool own_position (const Observer *o, const Event *event, u32 *pos) {
  u32 stack[WITNESS_STACK], n;
  *pos = event->pos;
  if (!*pos || position_is_own (o->program, *pos)) return true;
  if (position_is_runtime (o->program, *pos)) return false;
  n = snapshot_backtrace (event->state, stack, WITNESS_STACK);
  for (u32 i = 0; i < n; i++) {
    if (!position_is_own (o->program, stack[i])) continue;
    *pos = stack[i];
    return true;
  }
  return false;
}

static bool is_interesting (const Observer *o, const Event *event) {
  const Effect *effect = &((const Snapshot *)event->state)->effect;
  if (event->kind != KIND_READ || (event->flags & EVENT_LOCK) || effect->is_merge) return false;
  return o->options.all_reads || (event->order != ORD_NA && !effect->in_spin);
}

static u64 key_of_read (const Execution *e, const Event *event) {
  u32 stack[WITNESS_STACK];
  u32 n = snapshot_backtrace (event->state, stack, WITNESS_STACK);
  u64 key = hash_mix (column_key (COLUMN_READ), vm_thread_path (e->vm, event->tid));
  key = hash_mix (key, hash_bytes (stack, n * sizeof *stack, 4));
  return event->pos ? key : hash_mix (key, event->index);
}

static void describe_read (Observer *o, const Execution *e, const Event *event, u32 nth,
                           Column *c) {
  const Effect *effect = &((const Snapshot *)event->state)->effect;
  Str name = {0};
  vm_describe_address (e->vm, e->addresses[event->loc], &name);
  *c = (Column){.key = c->key,
                .kind = COLUMN_READ,
                .access = effect->kind,
                .is_unused = effect->kind == EFF_RMW && effect->is_unused,
                .tid = event->tid,
                .rank = vm_thread_path (e->vm, event->tid),
                .nth = nth,
                .what = name.text};
  own_position (o, event, &c->pos);
  c->is_hidden = c->is_unused;
  announce (o, c);
}

static u32 text_of_read (Observer *o, const Execution *e, const Event *event, u32 column) {
  const Leaf *leaf = leaf_of_address (o, e->addresses[event->loc]);
  u32 type = leaf && leaf->size == event->size ? leaf->type : 0;
  return text_of (o, e, column, type, event->value, event->size);
}

static Column *column_of_read (Observer *o, u64 key, u32 nth, bool *is_new) {
  return outcomes_column (o->into, nth ? hash_mix (key, nth) : key, is_new);
}

/* Engines see reads in different orders. */
static void note_place (Column *c, const Event *event) {
  if (event->index > c->place) c->place = event->index;
}

static void observe_read (Observer *o, const Execution *e, const Event *event) {
  u32 pos;
  if (!is_interesting (o, event) || !own_position (o, event, &pos)) return;
  u64 key = key_of_read (e, event);
  bool is_new;
  u32 nth = 0;
  Column *c = column_of_read (o, key, nth, &is_new);
  while (!is_new && c->seen_in == e->number) c = column_of_read (o, key, ++nth, &is_new);
  if (is_new) describe_read (o, e, event, nth, c);
  note_place (c, event);
  c->seen_in = e->number;
  if (!c->is_hidden) set_value (o, number_of (o, c), text_of_read (o, e, event, number_of (o, c)));
}

static void observe_reads (Observer *o, const Execution *e, Tid t) {
  const ThreadLine *line = &e->graph->threads[t];
  for (u32 i = 0; i < line->events.size; i++) {
    const Event *event = graph_event (e->graph, line->events.data[i]);
    if (t == 0 && event->kind == KIND_JOIN) return;
    if (event->state) observe_read (o, e, event);
  }
}

/* ---- ends of threads */

static void observe_return (Observer *o, const Execution *e, Tid t) {
  const Effect *effect = &o->ends.data[t]->effect;
  u64 path = vm_thread_path (e->vm, t);
  bool is_new;
  if (effect->kind != EFF_END) return;
  Column *c = outcomes_column (o->into, hash_mix (column_key (COLUMN_RETURN), path), &is_new);
  if (is_new) {
    c->kind = COLUMN_RETURN;
    c->tid = t;
    c->rank = path;
    c->what = mem_strdup ("returns");
    announce (o, c);
  }
  u32 number = number_of (o, c);
  u32 size = t ? 8 : 4; /* main returns an int */
  set_value (o, number, text_of (o, e, number, 0, effect->value, size));
}

static void observe_failures (Observer *o) {
  Str all = {0};
  for (Tid t = 0; t < o->ends.size; t++) {
    const Effect *effect = o->ends.data[t] ? &o->ends.data[t]->effect : NULL;
    if (!effect || effect->kind != EFF_ERROR) continue;
    u32 stack[WITNESS_STACK], pos = effect->pos;
    u32 n = snapshot_backtrace (o->ends.data[t], stack, WITNESS_STACK);
    for (u32 i = 0; i < n && !position_is_own (o->program, pos); i++) pos = stack[i];
    str_printf (&all, "%s%s", all.length ? ", " : "",
                finding_kind_name ((FindingKind)effect->error));
    if (position_is_own (o->program, pos))
      str_printf (&all, ":%u", o->program->positions.data[pos].line);
  }
  if (!all.length) return;
  bool is_new;
  Column *c = outcomes_column (o->into, COLUMN_FAILURE, &is_new);
  if (is_new) {
    c->kind = COLUMN_FAILURE;
    c->what = mem_strdup ("fails");
    announce (o, c);
  }
  set_value (o, number_of (o, c), outcomes_text (o->into, all.text));
  str_free (&all);
}

static void find_ends (Observer *o, const Execution *e) {
  Explorer *x = (Explorer *)(uintptr_t)e->explorer;
  const Graph *g = e->graph;
  o->values.size = 0;
  o->ends.size = 0;
  if (!o->has_leaves) find_leaves (o, e->vm);
  for (Tid t = 0; t < g->nthreads; t++) {
    bool exists = g->threads[t].created_by != EV_NONE;
    vec_push (&o->ends, exists ? thread_after_joins (x, thread_snapshot (g, t)) : NULL);
  }
}

/* All but reads. */
static void observe_ends (Observer *o, const Execution *e) {
  for (Tid t = 0; t < o->ends.size; t++)
    if (o->ends.data[t]) observe_return (o, e, t);
  for (u32 i = 0; i < o->leaves.size; i++) observe_variable (o, e, &o->leaves.data[i]);
  observe_failures (o);
  for (Tid t = 0; t < o->ends.size; t++)
    if (o->ends.data[t]) snapshot_release (((const Explorer *)e->explorer)->vm, o->ends.data[t]);
}

void observer_start_over (Observer *twin) {
  map_clear (&twin->known);
  outcomes_done (&twin->own);
  outcomes_init (&twin->own);
}

static u32 see (Observer *o, const Execution *e) {
  if (e->number <= o->number) outcomes_forget (o->into, o->options.model);
  if (e->number <= o->number || !o->has_leaves) {
    map_clear (&o->known);
    for (u32 i = 0; i < o->into->columns.size; i++) o->into->columns.data[i].seen_in = 0;
  }
  o->number = e->number;
  if (e->is_blocked) return UINT32_MAX;
  find_ends (o, e);
  for (Tid t = 0; t < o->ends.size; t++)
    if (o->ends.data[t]) observe_reads (o, e, t);
  observe_ends (o, e);
  return outcomes_count (o->into, o->values.data, o->values.size, o->options.model, e->number,
                         (Tally){.low = 1});
}

u32 observer_see (Observer *o, const Execution *e) {
  pthread_mutex_lock (o->lock);
  u32 row = see (o, e);
  pthread_mutex_unlock (o->lock);
  return row;
}

/* ---- in pieces */

static OutcomeCell cell_of (u32 column, u32 text) {
  return text ? (OutcomeCell)column << 32 | text : 0;
}

u64 observer_key_of_read (Observer *o, const Execution *e, Ev r) {
  const Event *event = graph_event (e->graph, r);
  u32 pos;
  return is_interesting (o, event) && own_position (o, event, &pos) ? key_of_read (e, event) : 0;
}

OutcomeCell observer_see_read (Observer *o, const Execution *e, Ev r, u64 key, u32 nth) {
  const Event *event = graph_event (e->graph, r);
  bool is_new;
  if (!o->has_leaves) find_leaves (o, e->vm);
  pthread_mutex_lock (o->lock);
  Column *c = column_of_read (o, key, nth, &is_new);
  if (is_new) describe_read (o, e, event, nth, c);
  note_place (c, event);
  u32 column = number_of (o, c);
  u32 text = c->is_hidden ? 0 : text_of_read (o, e, event, column);
  pthread_mutex_unlock (o->lock);
  return cell_of (column, text);
}

void observer_see_end (Observer *o, const Execution *e, OutcomeCells *cells) {
  pthread_mutex_lock (o->lock);
  find_ends (o, e);
  observe_ends (o, e);
  pthread_mutex_unlock (o->lock);
  for (u32 c = 0; c < o->values.size; c++)
    if (o->values.data[c]) vec_push (cells, cell_of (c, o->values.data[c]));
}

void observer_keep_columns (Observer *o, const Observer *twin) {
  pthread_mutex_lock (o->lock);
  for (u32 c = 0; c < twin->into->columns.size; c++) outcomes_same_column (o->into, twin->into, c);
  pthread_mutex_unlock (o->lock);
}

void observer_keep (Observer *o, const Observer *twin, const OutcomeCells *cells, Tally count) {
  Kept kept = {.count = count};
  pthread_mutex_lock (o->lock);
  for (u32 i = 0; i < cells->size; i++) {
    u32 column = outcomes_same_column (o->into, twin->into, (u32)(cells->data[i] >> 32));
    u32 text = outcomes_same_text (o->into, twin->into, (u32)cells->data[i]);
    vec_push (&kept.cells, cell_of (column, text));
  }
  pthread_mutex_unlock (o->lock);
  vec_push (&o->kept, kept);
}

void observer_use_kept (Observer *o) {
  outcomes_forget (o->into, o->options.model);
  for (u32 i = 0; i < o->kept.size; i++) {
    const Kept *k = &o->kept.data[i];
    o->values.size = 0;
    for (u32 c = 0; c < k->cells.size; c++)
      set_value (o, (u32)(k->cells.data[c] >> 32), (u32)k->cells.data[c]);
    outcomes_count (o->into, o->values.data, o->values.size, o->options.model, i + 1, k->count);
  }
}
