/* cells.c - accesses of different sizes to the same memory.
 *
 * To the engine a location is a fixed stretch of bytes, so shared memory is cut into cells. An
 * atomic access is to be one event and so one cell; for the rest, cells are the coarsest pieces
 * such that every non-atomic access covers whole ones. A non-atomic access that covers several is
 * made cell by cell: if another thread could tell the difference, that would be a data race anyway,
 * and each piece is checked for races.
 *
 * Where atomic accesses of different sizes meet, or non-atomic ones and larger atomic ones, this
 * cannot be had for all. The first atomic access gets its cell. An access to a part of a cell reads
 * all of it and, to write, reads and writes all of it; an atomic access that covers several is made
 * piece by piece like a non-atomic one. That is right as long as whatever other threads do to these
 * cells is ordered with it, which the engine checks. If it is not, and smaller cells would help,
 * the engine asks for them (vm_cut_cell); else it refuses by name.
 *
 * Where the cuts are is learned as accesses come, like sharing (object.c): a change to a cell that
 * has been used before means that the exploration must start again. Changes come to an end: cells
 * are cut by non-atomic accesses, joined once when they become atomic, and cut permanently after
 * that. */
#include "vm/vm_int.h"

enum { CELL_KNOWN = 1, CELL_START = 2, CELL_ATOMIC = 4, CELL_FIXED = 8 }; /* of each byte */

static bool is_inside_cell (const Object *o, u64 offset) {
  return offset > 0 && offset < o->size && (o->cells[offset] & CELL_KNOWN) &&
         (o->cells[offset - 1] & CELL_KNOWN) && !(o->cells[offset] & CELL_START);
}

static bool can_cut (const Object *o, u64 offset) {
  return is_inside_cell (o, offset) && !(o->cells[offset] & CELL_ATOMIC);
}

static void cut (Vm *vm, Object *o, u64 offset) {
  if (!can_cut (o, offset)) return;
  o->cells[offset] |= CELL_START;
  vm->facts->sharing_changed = true;
}

/* Bytes that no access has covered before become cells of their own. */
static void cover (Object *o, u64 offset, u32 size) {
  bool was_known = true;
  for (u64 i = offset; i < offset + size; i++) {
    bool is_known = o->cells[i] & CELL_KNOWN;
    if (!is_known) o->cells[i] = was_known ? CELL_KNOWN | CELL_START : CELL_KNOWN;
    was_known = is_known;
  }
}

/* Makes one cell of the bytes of an atomic access, unless another atomic access has claimed
 * some. */
static void join (Vm *vm, Object *o, u64 offset, u32 size) {
  for (u64 i = offset; i < offset + size; i++)
    if (o->cells[i] & (CELL_ATOMIC | CELL_FIXED)) return;
  for (u64 i = offset; i < offset + size; i++) {
    if (i > offset && o->cells[i] & CELL_START) vm->facts->sharing_changed = true;
    o->cells[i] = i > offset ? CELL_KNOWN | CELL_ATOMIC : CELL_KNOWN | CELL_START | CELL_ATOMIC;
  }
}

void cells_add (Vm *vm, Object *o, u64 offset, u32 size, bool is_atomic) {
  if (!o->cells) o->cells = mem_zalloc (o->size);
  cut (vm, o, offset);
  cut (vm, o, offset + size);
  cover (o, offset, size);
  if (is_atomic) join (vm, o, offset, size);
}

/* Whether such an access changes nothing. */
static bool is_known (const Object *o, u64 offset, u32 size, bool is_atomic) {
  if (!o->cells || can_cut (o, offset) || can_cut (o, offset + size)) return false;
  u8 some = 0, all = CELL_KNOWN;
  for (u64 i = offset; i < offset + size; i++) {
    some |= o->cells[i];
    all &= o->cells[i];
  }
  return all && (!is_atomic || some & (CELL_ATOMIC | CELL_FIXED));
}

void cells_claim (Vm *vm, Object **o, u64 offset, u32 size, bool is_atomic) {
  if (LIKELY (is_known (*o, offset, size, is_atomic))) return;
  u32 id = (u32)(*o - vm->facts->objects.list.data);
  fact_learn (vm, (Fact){FACT_CELLS, {id, offset, size, is_atomic}});
  *o = &vm->facts->objects.list.data[id];
}

Cell cells_at (const Object *o, u64 offset) {
  u64 start = offset, end = offset + 1;
  while (start && !(o->cells[start] & CELL_START)) start--; /* a forged file may have no start */
  while (end < o->size && (o->cells[end] & CELL_KNOWN) && !(o->cells[end] & CELL_START)) end++;
  return (Cell){start, (u32)(end - start)};
}

void cells_cut (Vm *vm, Object *o, u64 offset, u32 size) {
  for (u32 k = 0; k < 2; k++) {
    u64 at = offset + k * size;
    if (!is_inside_cell (o, at)) continue;
    o->cells[at] |= CELL_START | CELL_FIXED;
    vm->facts->sharing_changed = true;
  }
}

void vm_cut_cell (Vm *vm, u64 addr, u32 size) {
  HOLD_FACTS (vm);
  const Object *o = objects_find (vm, addr, size);
  BUG_IF (!o || !o->cells);
  u64 id = (u64)(o - vm->facts->objects.list.data);
  fact_learn (vm, (Fact){FACT_CUT, {id, addr - o->base, size}});
}
