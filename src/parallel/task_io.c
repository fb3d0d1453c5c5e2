/* task_io.c - a task as bytes: nothing in them depends on the worker or the process, as long as
 * their VMs agree on numbers and addresses (vm_twin, vm_write_facts). Locations are named by their
 * addresses, threads and events by their numbers; states are made again by who takes the task.
 */
#include "explore/order/order.h"
#include "parallel/parallel.h"

/* ---- effects of what is ahead ---------------------------------------------------------------- */

static void put_set (const Explorer *x, u32 set, Bytes *b) {
  u32 n = 0, e;
  for (u32 rest = set; deps_next (x->g->dep_sets, &rest, &e);) n++;
  bytes_put (b, n);
  for (u32 rest = set; deps_next (x->g->dep_sets, &rest, &e);) bytes_put (b, e);
}

static u32 get_set (const Explorer *x, ByteReader *r) {
  u32 set = 0;
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) {
    u32 element = bytes_get_u32 (r);
    if (!r->is_bad) set = vm_add_to_deps (x->vm, set, element);
  }
  return set;
}

static void put_effect (const Explorer *x, const Effect *e, Bytes *b) {
  bytes_put (b, e->kind);
  bytes_put (b, e->order);
  bytes_put (b, e->order_fail);
  bytes_put (b, e->size);
  bytes_put (b, e->rmw);
  bytes_put (b, e->is_volatile);
  bytes_put (b, e->in_spin);
  bytes_put (b, e->is_unused);
  bytes_put (b, e->pos);
  bytes_put (b, e->func);
  bytes_put (b, e->child);
  bytes_put (b, e->addr);
  bytes_put (b, e->value);
  bytes_put (b, e->expected);
  bytes_put (b, e->undefined.bits);
  bytes_put (b, e->undefined.addr);
  bytes_put (b, e->undefined.pos);
  bytes_put (b, e->whole_addr);
  bytes_put (b, e->whole_size);
  bytes_put (b, e->is_merge);
  bytes_put (b, e->place);
  for (u32 k = 0; k < DEP_KINDS && x->g->dep_sets; k++) put_set (x, e->deps[k], b);
}

static Effect get_effect (const Explorer *x, ByteReader *r) {
  Effect e = {0};
  e.kind = (u8)bytes_get_below (r, EFF_BLOCK);
  e.order = (u8)bytes_get_below (r, ORD_SC + 1);
  e.order_fail = (u8)bytes_get_below (r, ORD_SC + 1);
  e.size = (u8)bytes_get_below (r, 17);
  e.rmw = (u8)bytes_get_below (r, RMW_TAKE + 1);
  e.is_volatile = bytes_get_bool (r);
  e.in_spin = bytes_get_bool (r);
  e.is_unused = bytes_get_bool (r);
  e.pos = bytes_get_u32 (r);
  e.func = bytes_get_u32 (r);
  e.child = bytes_get_u32 (r);
  e.addr = bytes_get (r);
  e.value = bytes_get (r);
  e.expected = bytes_get (r);
  e.undefined.bits = bytes_get (r);
  e.undefined.addr = bytes_get (r);
  e.undefined.pos = bytes_get_u32 (r);
  e.whole_addr = bytes_get (r);
  e.whole_size = (u8)bytes_get_below (r, 256);
  e.is_merge = bytes_get_bool (r);
  e.place = bytes_get_u32 (r);
  for (u32 k = 0; k < DEP_KINDS && vm_dep_sets (x->vm); k++) e.deps[k] = get_set (x, r);
  return e;
}

/* ---- the frame ------------------------------------------------------------------------------- */

static void put_frame (const Frame *f, Bytes *b) {
  bytes_put (b, f->kind);
  bytes_put (b, f->taken);
  bytes_put (b, f->e);
  bytes_put (b, (u32)(f->r + 1));
  bytes_put (b, (u32)(f->clash + 1));
  bytes_put (b, f->next);
  bytes_put (b, f->bound);
  bytes_put (b, f->over);
  bytes_put (b, f->value);
  bytes_put (b, f->last);
}

static Frame get_frame (ByteReader *r) {
  Frame f = {0};
  f.kind = (u8)bytes_get_below (r, FRAME_TASK + 1);
  f.taken = (u32)bytes_get_below (r, UINT32_MAX);
  f.e = bytes_get_u32 (r);
  f.r = bytes_get_u32 (r) - 1;
  f.clash = bytes_get_u32 (r) - 1;
  f.next = bytes_get_u32 (r);
  f.bound = bytes_get_u32 (r);
  f.over = bytes_get (r);
  f.value = bytes_get (r);
  f.last = bytes_get (r);
  return f;
}

static bool is_kind (const Graph *g, Ev e, EventKind kind) {
  return e < g->events.size && graph_event (g, e)->kind == kind;
}

static bool are_reads (const Graph *g, const Task *t) {
  for (u32 i = 0; i < t->revisits.size; i++)
    if (!is_kind (g, t->revisits.data[i], KIND_READ)) return false;
  return true;
}

/* Whether the frame speaks of events and places that there are. */
static bool fits (const Task *t) {
  const Frame *f = &t->frame;
  const Graph *g = t->graph;
  bool is_access = f->kind == FRAME_READ || f->kind == FRAME_WRITE || f->kind == FRAME_REVISIT;
  if (f->e + 1 != g->events.size || (f->clash != EV_NONE && f->clash >= g->events.size) ||
      !are_reads (g, t))
    return false;
  if (t->core >= g->events.size) return false;
  if (f->kind == FRAME_TASK) return t->core == f->e;
  if (f->kind == FRAME_VALUE) return is_kind (g, f->e, KIND_CHOICE) && f->value <= f->last;
  if (!is_access || !is_kind (g, f->e, f->kind == FRAME_READ ? KIND_READ : KIND_WRITE))
    return false;
  if (f->kind == FRAME_REVISIT && f->r != EV_NONE && !is_kind (g, f->r, KIND_READ)) return false;
  return f->next <= graph_location (g, graph_event (g, f->e)->loc)->mo.size;
}

/* ---- all of it ------------------------------------------------------------------------------- */

void task_write (const Explorer *x, const Task *t, Bytes *b) {
  bytes_put (b, t->path.size);
  for (u32 i = 0; i < t->path.size; i++) bytes_put (b, t->path.data[i]);
  put_frame (&t->frame, b);
  bytes_put (b, t->revisits.size);
  for (u32 i = 0; i < t->revisits.size; i++) bytes_put (b, t->revisits.data[i]);
  bytes_put (b, t->counter);
  bytes_put (b, t->counter_family);
  bytes_put (b, t->core);
  graph_write (t->graph, x->addresses.data, x->model->synchronises, b);
  bytes_put (b, t->ahead.size);
  for (u32 i = 0; i < t->ahead.size; i++) put_effect (x, &t->ahead.data[i], b);
}

static u32 place_of (void *arg, u64 addr, u32 size) {
  Explorer *x = arg;
  u64 base, bytes;
  u32 loc = location_find (x, addr);
  if (loc != LOC_NONE) return loc;
  if (!vm_object_at (x->vm, addr, &base, &bytes) || addr + size > base + bytes) return LOC_NONE;
  return location_new (x, addr, size);
}

static u32 count_ahead (const Graph *g) {
  u32 n = 0;
  for (Tid t = 0; t < g->nthreads; t++)
    for (u32 i = 0; i < g->threads[t].ahead.size; i++) {
      Ev e = g->threads[t].ahead.data[i];
      n += graph_event (g, e)->kind != KIND_WRITE || !event_is_exclusive (g, e);
    }
  return n;
}

bool task_read (Explorer *x, ByteReader *r, Task *t) {
  GraphPlaces places = {place_of, x};
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) vec_push (&t->path, bytes_get_u32 (r));
  t->frame = get_frame (r);
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) vec_push (&t->revisits, bytes_get_u32 (r));
  t->counter = bytes_get (r);
  t->counter_family = (u8)bytes_get_below (r, 256);
  t->core = bytes_get_u32 (r);
  if (r->is_bad) return false;
  t->graph = graph_read (r, x->known.stride, &places);
  if (!t->graph || !order_fits_graph (x, t->graph)) return false;
  for (u32 n = bytes_get_count (r, 21); n > 0; n--) vec_push (&t->ahead, get_effect (x, r));
  return !r->is_bad && r->at == r->end && t->ahead.size == count_ahead (t->graph) && fits (t);
}
