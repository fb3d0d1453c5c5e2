/* vm.c - life cycle of a Vm, thread numbers, interned texts, and the ways to stop. */
#include "vm/snapshot.h"

static u64 const_address (const Vm *vm, const Const *c) {
  switch ((ConstKind)c->kind) {
  case CONST_INT:
    return c->value;
  case CONST_FUNC:
    return FUNCTION_BASE + (u64)c->index * FUNCTION_STEP + c->value;
  case CONST_GLOBAL: {
    const Global *g = &vm->program->globals.data[c->index];
    if (g->is_tls) return 0; /* has no address of its own, see OP_TLS */
    u32 id = objects_intern_global ((Vm *)(uintptr_t)vm, 0, c->index);
    u64 base = vm->facts->objects.list.data[id].base;
    return index_is_far (c->value, 1) ? vm_address_far_from (vm, base, c->value, 1)
                                      : base + c->value;
  }
  }
  BUG ("kind of constant");
}

static void images_resolve (Vm *vm) {
  const Program *p = vm->program;
  for (u32 i = 0; i < p->globals.size; i++) {
    const Global *g = &p->globals.data[i];
    for (u32 k = 0; k < g->relocs.size; k++) {
      u64 address = const_address (vm, &g->relocs.data[k].target);
      memcpy (vm->facts->images[i] + g->relocs.data[k].offset, &address, 8);
    }
  }
}

/* Images with relocations exist before the objects that point to them, and are filled in when all
 * have addresses. */
static void images_init (Vm *vm) {
  const Program *p = vm->program;
  vm->facts->images = mem_zalloc (p->globals.size * sizeof *vm->facts->images);
  for (u32 i = 0; i < p->globals.size; i++) {
    const Global *g = &p->globals.data[i];
    if (!g->relocs.size) continue;
    vm->facts->images[i] = mem_zalloc (g->size);
    if (g->init) memcpy (vm->facts->images[i], g->init, g->size);
  }
}

static void positions_init (Vm *vm) {
  const Program *p = vm->program;
  vm->facts->origin = mem_zalloc (p->positions.size + 1);
  for (u32 i = 1; i < p->positions.size; i++) {
    const char *file = p->files.data[p->positions.data[i].file];
    if (file && path_is_system (file)) vm->facts->origin[i] = CODE_SYSTEM;
    if (file && !strncmp (file, RUNTIME_FILES, strlen (RUNTIME_FILES)))
      vm->facts->origin[i] = CODE_RUNTIME;
  }
}

static Vm *new_vm (const Program *p, VmOptions options, Facts *facts) {
  Vm *vm = mem_zalloc (sizeof *vm);
  vm->program = p;
  vm->options = options;
  vm->facts = facts;
  facts->users++;
  vm->hint = mem_zalloc (sizeof *vm->hint);
  vm->memo.generation = 1; /* new snapshots say 0: nothing remembered */
  vm->run.frames = mem_alloc (MAX_FRAMES * sizeof (Frame));
  vm->run.regs = mem_alloc (MAX_REGS * sizeof (u64));
  vm->run.undefined = mem_zalloc (MAX_REGS * sizeof (u64));
  if (options.dependencies) vm->run.reg_deps = mem_alloc (MAX_REGS * sizeof (u32));
  return vm;
}

Vm *vm_new (const Program *p, VmOptions options) {
  if (!options.memo_bytes) options.memo_bytes = 4 << 20;
  if (!options.max_steps) options.max_steps = 10000000;
  Facts *f = mem_zalloc (sizeof *f);
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init (&recursive);
  pthread_mutexattr_settype (&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&f->lock, &recursive);
  pthread_mutexattr_destroy (&recursive);
  f->share_everything = options.share_everything;
  vec_reserve (&f->threads, MAX_THREADS + 1);
  vec_push (&f->threads, ((Thread){.path = 0}));
  vec_push (&f->pairs.list, ((Pair){0, 0}));
  Vm *vm = new_vm (p, options, f);
  images_init (vm);
  objects_init (vm);
  images_resolve (vm);
  positions_init (vm);
  f->consts = mem_alloc (p->consts.size * sizeof *f->consts);
  for (u32 i = 0; i < p->consts.size; i++) f->consts[i] = const_address (vm, &p->consts.data[i]);
  return vm;
}

Vm *vm_twin (const Vm *vm) { return new_vm (vm->program, vm->options, vm->facts); }

static void facts_free (Vm *vm) {
  Facts *f = vm->facts;
  objects_done (vm);
  for (u32 i = 0; i < vm->program->globals.size; i++) mem_free (f->images[i]);
  vec_free (&f->threads);
  vec_free (&f->pairs.list);
  map_free (&f->pairs.index);
  map_free (&f->children);
  map_free (&f->participants);
  map_free (&f->lives);
  vec_free (&f->log);
  mem_free (f->images);
  mem_free (f->origin);
  mem_free (f->consts);
  pthread_mutex_destroy (&f->lock);
  mem_free (f);
}

void vm_free (Vm *vm) {
  if (!vm) return;
  memo_done (vm);
  assert (!vm->stats.snapshots_live && !vm->pool.live);
  pool_done (&vm->pool);
  if (!--vm->facts->users) facts_free (vm);
  for (u32 i = 0; i < vm->texts.size; i++) mem_free (vm->texts.data[i]);
  vec_free (&vm->texts);
  vec_free (&vm->run.objects);
  vec_free (&vm->laps.regs);
  map_free (&vm->text_index);
  mem_free (vm->run.frames);
  mem_free (vm->run.regs);
  mem_free (vm->run.undefined);
  mem_free (vm->run.reg_deps);
  deps_free (&vm->deps);
  mem_free (vm->hint);
  mem_free (vm);
}

const DepSets *vm_dep_sets (const Vm *vm) { return vm->options.dependencies ? &vm->deps : NULL; }

u32 vm_add_to_deps (Vm *vm, u32 set, u32 element) {
  return deps_union (&vm->deps, set, deps_single (&vm->deps, element));
}

void vm_set_patience (Vm *vm, u32 rounds) { vm->patience = rounds; }

bool vm_sharing_changed (const Vm *vm) {
  return atomic_load_explicit (&vm->facts->sharing_changed, memory_order_relaxed);
}

void vm_restart (Vm *vm) {
  memo_purge (vm);
  vm->facts->sharing_changed = false;
}

VmStats vm_stats (const Vm *vm) {
  VmStats s = vm->stats;
  s.snapshot_bytes = vm->pool.live;
  return s;
}

bool vm_initial_value (const Vm *vm, u64 addr, u32 size, u64 *value) {
  HOLD_FACTS (vm);
  const Object *o = objects_find (vm, addr, size);
  *value = 0;
  if (!o) return false;
  if (size <= 8) return object_initial (o, addr - o->base, size, value);
  Pair p;
  bool is_known = object_initial (o, addr - o->base, 8, &p.low) &&
                  object_initial (o, addr - o->base + 8, size - 8, &p.high);
  if (is_known) *value = pair_intern ((Vm *)(uintptr_t)vm, p);
  return is_known;
}

bool vm_object_at (const Vm *vm, u64 addr, u64 *base, u64 *size) {
  HOLD_FACTS (vm);
  const Object *o = objects_find (vm, addr, 1);
  if (!o) return false;
  *base = o->base;
  *size = o->size;
  return true;
}

bool vm_place_of (const Vm *vm, u64 addr, VmPlace *place) {
  HOLD_FACTS (vm);
  const Object *o = objects_find (vm, addr, 1);
  if (!o) return false;
  *place = (VmPlace){.offset = addr - o->base, .is_shadow = o->kind == OBJECT_SHADOW};
  if (place->is_shadow) o = &vm->facts->objects.list.data[o->index];
  bool is_stack = o->kind == OBJECT_STACK;
  place->kind = o->kind == OBJECT_GLOBAL ? VM_GLOBAL
                : o->kind == OBJECT_TLS  ? VM_TLS
                : is_stack               ? VM_STACK
                                         : VM_HEAP;
  place->tid = o->tid;
  place->index = is_stack ? o->func : o->index;
  return true;
}

/* Also of a pointer just past it. */
bool vm_owner_of (const Vm *vm, u64 addr, Tid *t) {
  HOLD_FACTS (vm);
  const Object *o = objects_below (vm, addr);
  if (!o || addr > o->base + o->size) return false;
  if (o->kind == OBJECT_SHADOW) o = &vm->facts->objects.list.data[o->index];
  *t = o->tid;
  return o->kind != OBJECT_GLOBAL;
}

bool vm_is_touched (const Vm *vm, u64 addr) {
  HOLD_FACTS (vm);
  const Object *o = objects_find (vm, addr, 1);
  return o && (o->all_shared || (o->owners && o->owners[(addr - o->base) / 4] != OWNER_NONE));
}

u64 vm_global_address (const Vm *vm, u32 global) {
  HOLD_FACTS (vm);
  return objects_find_global (vm, 0, global)->base;
}

const Function *vm_function_at (const Vm *vm, u64 addr) {
  u64 offset = addr - FUNCTION_BASE, index = offset / FUNCTION_STEP;
  bool is_function = !(offset % FUNCTION_STEP) && index < vm->program->functions.size;
  return is_function ? &vm->program->functions.data[index] : NULL;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

u64 pair_intern (Vm *vm, Pair p) {
  Pairs *t = &vm->facts->pairs;
  u64 key = hash_mix (p.low, p.high), at;
  if (!p.low && !p.high) return 0;
  for (; map_get (&t->index, key, &at); key = hash_mix (key, 1))
    if (t->list.data[at].low == p.low && t->list.data[at].high == p.high) return at;
  return fact_learn (vm, (Fact){FACT_PAIR, {p.low, p.high}});
}

u64 pair_add (Vm *vm, Pair p) {
  Pairs *t = &vm->facts->pairs;
  u64 key = hash_mix (p.low, p.high), at;
  for (; map_get (&t->index, key, &at); key = hash_mix (key, 1))
    if (t->list.data[at].low == p.low && t->list.data[at].high == p.high) return at;
  map_put (&t->index, key, t->list.size);
  vec_push (&t->list, p);
  return t->list.size - 1;
}

Pair pair_of (const Vm *vm, u64 number) {
  return number < vm->facts->pairs.list.size ? vm->facts->pairs.list.data[number] : (Pair){0, 0};
}

u32 vm_pair_count (const Vm *vm) {
  HOLD_FACTS (vm);
  return vm->facts->pairs.list.size;
}

void vm_pair (const Vm *vm, u64 number, u64 *low, u64 *high) {
  HOLD_FACTS (vm);
  Pair p = pair_of (vm, number);
  *low = p.low;
  *high = p.high;
}

/* ---- threads --------------------------------------------------------------------------------- */

u32 vm_thread_count (const Vm *vm) {
  HOLD_FACTS (vm);
  return vm->facts->threads.size;
}
bool vm_knows_itself (const Vm *vm, Tid t) {
  return atomic_load_explicit (&vm->facts->threads.data[t].knows_itself, memory_order_relaxed);
}
u64 vm_thread_path (const Vm *vm, Tid tid) { return vm->facts->threads.data[tid].path; }

u32 vm_leaked_thread (const Vm *vm, Tid tid) {
  HOLD_FACTS (vm);
  const Thread *t = &vm->facts->threads.data[tid];
  return tid && !t->is_collected ? t->created_at : 0;
}

/* A path has 16 bits for the first level and 8 for each of the six below. */
bool vm_child (Vm *vm, Tid parent, u32 k, Tid *child) {
  u64 key = (u64)parent << 32 | k, number;
  if (!map_get (&vm->facts->children, key, &number))
    number = fact_learn (vm, (Fact){FACT_CHILD, {parent, k}});
  *child = (Tid)number;
  return *child != NO_CHILD;
}

u64 vm_add_child (Vm *vm, Tid parent, u32 k) {
  u64 key = (u64)parent << 32 | k, number;
  if (map_get (&vm->facts->children, key, &number)) return number;
  Thread up = vm->facts->threads.data[parent];
  u32 level = up.level + 1;
  if (level > 7 || k + 1 > (level == 1 ? 0xffff : 0xff) || vm->facts->threads.size >= MAX_THREADS)
    return NO_CHILD;
  Thread t = {.parent = parent, .level = level};
  t.path = up.path | (u64)(k + 1) << (56 - 8 * level);
  map_put (&vm->facts->children, key, vm->facts->threads.size);
  vec_push (&vm->facts->threads, t);
  return vm->facts->threads.size - 1;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static const char *text_intern (Vm *vm, const char *text) {
  u64 key = hash_bytes (text, strlen (text), 0), index;
  for (; map_get (&vm->text_index, key, &index); key++)
    if (!strcmp (vm->texts.data[index], text)) return vm->texts.data[index];
  map_put (&vm->text_index, key, vm->texts.size);
  vec_push (&vm->texts, mem_strdup (text));
  return vec_last (&vm->texts);
}

const char *vm_text (Vm *vm, const char *format, ...) {
  char buffer[1024];
  va_list ap;
  va_start (ap, format);
  vsnprintf (buffer, sizeof buffer, format, ap);
  va_end (ap);
  return text_intern (vm, buffer);
}

/* "<before>malloc(16)#2 of t1 + 20<behind>" */
const char *vm_text_at (Vm *vm, const char *before, u64 addr, const char *behind) {
  Str s = {0};
  str_add (&s, before);
  vm_describe_address (vm, addr, &s);
  str_add (&s, behind);
  const char *text = text_intern (vm, s.text);
  str_free (&s);
  return text;
}

/* ---- ways to stop ---------------------------------------------------------------------------- */

/* The position of the innermost user code: library code is reported where the user calls it. */
u32 run_position (const Vm *vm) {
  u32 innermost = 0;
  for (u32 i = vm->run.depth; i > 0; i--) {
    const Frame *f = &vm->run.frames[i - 1];
    u32 pos = f->pc < f->fn->code.size ? f->fn->code.data[f->pc].pos : 0;
    if (!innermost) innermost = pos;
    if (pos && vm->facts->origin[pos] == CODE_OWN) return pos;
  }
  return innermost;
}

bool stop_error (Vm *vm, FindingKind kind, const char *text) {
  vm->run.effect = (Effect){.kind = EFF_ERROR, .error = (u8)kind, .text = text};
  return false;
}

bool stop_unsupported (Vm *vm, const char *text) {
  vm->run.effect = (Effect){.kind = EFF_UNSUPPORTED, .text = text};
  return false;
}

bool stop_block (Vm *vm, BlockWhy why) {
  vm->run.effect = (Effect){.kind = EFF_BLOCK, .value = why};
  return false;
}

bool stop_sharing_changed (Vm *vm) { return stop_unsupported (vm, "sharing changed"); }

bool run_is_in_spin (const Run *r, const Insn *i) {
  if (i->flags & INSN_IN_SPIN) return true;
  for (u32 k = 0; k + 1 < r->depth; k++)
    if (r->frames[k].fn->code.data[r->frames[k].pc].flags & INSN_IN_SPIN) return true;
  return false;
}

bool stop_at (Vm *vm, const Insn *i, Effect e) {
  e.is_volatile = i->flags & INSN_VOLATILE;
  e.in_spin = run_is_in_spin (&vm->run, i);
  e.is_unused = i->flags & INSN_UNUSED;
  vm->run.effect = e;
  return false;
}
