/* facts.c - how what the VMs of an exploration know together changes, and how several processes
 * come to know the same.
 *
 * Whatever is learned is a Fact: that there is an object, a thread or a pair, that a thread has
 * touched a granule, where a cell is cut. Nothing else changes Facts. One process puts the facts of
 * all processes in one order (vm_keep_log). Every other one asks it before it learns anything
 * (vm_ask_for_facts), gets what was learned before, and learns the same in the same order. So all
 * know the same but for the time at which they know it: numbers and addresses mean the same to all,
 * and an access that changes nothing here would change nothing there, or sharing has changed in
 * between and all start over. (Owner marks only grow; whoever has none that is in the way, of an
 * older state, has none in a newer one that was reached without a change of sharing.)
 */
#include "vm/assumed.h"
#include "vm/idempotent_store.h"

static u64 fact_apply (Vm *vm, const Fact *f) {
  const u64 *a = f->a;
  Facts *facts = vm->facts;
  switch ((FactKind)f->kind) {
  case FACT_OBJECT:
    return objects_add (vm, (Object){.kind = (u8)a[0],
                                     .tid = (Tid)a[1],
                                     .index = (u32)a[2],
                                     .size = a[3],
                                     .align = (u32)a[4],
                                     .func = (u32)a[5]});
  case FACT_PAIR:
    return pair_add (vm, (Pair){a[0], a[1]});
  case FACT_CHILD:
    return vm_add_child (vm, (Tid)a[0], (u32)a[1]);
  case FACT_CREATED:
    facts->threads.data[a[0]].created_at = (u32)a[1];
    return 0;
  case FACT_COLLECTED:
    facts->threads.data[a[0]].is_collected = true;
    return 0;
  case FACT_KNOWS_ITSELF:
    facts->threads.data[a[0]].knows_itself = true;
    return 0;
  case FACT_CLAIM:
    return object_touch (vm, &facts->objects.list.data[a[0]], (Tid)a[1], a[2], (u32)a[3],
                         (Access)a[4]);
  case FACT_FREE:
    return object_free (vm, &facts->objects.list.data[a[0]], (Tid)a[1]);
  case FACT_FREED:
    return object_free_seen (vm, &facts->objects.list.data[a[0]], (Tid)a[1]);
  case FACT_ENDED:
    return object_end (&facts->objects.list.data[a[0]]);
  case FACT_CELLS:
    cells_add (vm, &facts->objects.list.data[a[0]], a[1], (u32)a[2], a[3]);
    return 0;
  case FACT_CUT:
    cells_cut (vm, &facts->objects.list.data[a[0]], a[1], (u32)a[2]);
    return 0;
  case FACT_TURN:
    return participants_add (vm, a[0], a[1]);
  case FACT_ORIGIN:
    object_set_origin (&facts->objects.list.data[a[0]], (u32)a[1]);
    return 0;
  case FACT_NAME:
    object_set_name (&facts->objects.list.data[a[0]], (u32)a[1], (u32)a[2]);
    return 0;
  case FACT_LIFE:
    return lives_add (vm, a[0], a[1]);
  case FACT_QUIET:
    return quiet_claim (vm, a[0], (u32)a[1], (Tid)a[2]);
  case FACT_LOUD:
    return quiet_end (vm, a[0], (u32)a[1]);
  case FACT_ASSUMED:
    facts->assumed |= ASSUMPTION_BIT (a[0]);
    return 0;
  case FACT_ALLOCATES:
    thread_allocates (&facts->threads.data[a[0]], (u32)a[1], (u32)a[2]);
    return 0;
  case FACT_FREES:
    thread_frees (&facts->threads.data[a[0]], (u32)a[1]);
    return 0;
  case FACT_KINDS:
    break;
  }
  BUG ("kind of fact");
}

static void put_fact (Bytes *b, const Fact *f) {
  bytes_put (b, f->kind);
  for (u32 i = 0; i < ARRAY_SIZE (f->a); i++) bytes_put (b, f->a[i]);
}

static Fact get_fact (ByteReader *r) {
  Fact f = {.kind = (u8)bytes_get_below (r, FACT_KINDS)};
  for (u32 i = 0; i < ARRAY_SIZE (f.a); i++) f.a[i] = bytes_get (r);
  BUG_IF (r->is_bad);
  return f;
}

/* Of another process: all that is new up to `f`, or up to now. */
static u64 ask (Vm *vm, const Fact *f) {
  Facts *facts = vm->facts;
  Bytes question = {0}, answer = {0};
  u64 result = 0;
  bytes_put (&question, facts->log_size);
  if (f) put_fact (&question, f);
  facts->ask (facts->ask_arg, &question, &answer);
  ByteReader r = {answer.data, answer.data + answer.size, false};
  while (r.at < r.end) {
    Fact next = get_fact (&r);
    result = fact_apply (vm, &next);
  }
  facts->log_size += answer.size;
  vec_free (&question);
  vec_free (&answer);
  return result;
}

u64 fact_learn (Vm *vm, Fact f) {
  Facts *facts = vm->facts;
  if (UNLIKELY (facts->ask != NULL)) return ask (vm, &f);
  if (UNLIKELY (facts->keeps_log)) {
    put_fact (&facts->log, &f);
    facts->log_size = facts->log.size;
  }
  return fact_apply (vm, &f);
}

void vm_keep_log (Vm *vm, bool keep) {
  HOLD_FACTS (vm);
  Facts *f = vm->facts;
  f->keeps_log = keep;
  f->log.size = 0;
  f->log_size = 0;
}

void vm_ask_for_facts (Vm *vm, void (*ask_for) (void *arg, const Bytes *question, Bytes *answer),
                       void *arg) {
  vm->facts->ask = ask_for;
  vm->facts->ask_arg = arg;
}

u64 vm_log_size (const Vm *vm) {
  HOLD_FACTS (vm);
  return vm->facts->log_size;
}

void vm_catch_up (Vm *vm, u64 log_size) {
  HOLD_FACTS (vm);
  if (vm->facts->ask && vm->facts->log_size < log_size) ask (vm, NULL);
}

void vm_answer (Vm *vm, ByteReader *question, Bytes *answer) {
  HOLD_FACTS (vm);
  Facts *f = vm->facts;
  u64 known = bytes_get_below (question, f->log.size + 1ull);
  if (question->at < question->end) fact_learn (vm, get_fact (question));
  BUG_IF (question->is_bad);
  bytes_put_raw (answer, f->log.data + known, f->log.size - known);
}
