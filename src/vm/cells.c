/* cells.c - accesses of different sizes to the same memory.
 *
 * To the engine a location is a fixed stretch of bytes, so shared memory is cut into cells: the
 * coarsest pieces such that every access covers whole cells. An atomic access is one event and so
 * must be exactly one cell. A non-atomic access that covers several is made cell by cell: if
 * another thread could tell the difference, that would be a data race anyway, and each piece is
 * checked for races.
 *
 * Where the cuts are is learned as accesses come, like sharing (object.c): a cut through a cell
 * that has been used before means that the exploration must start again. What would cut an atomic
 * access is refused by name.
 */
#include "vm/vm_int.h"

enum { CELL_KNOWN = 1, CELL_START = 2, CELL_ATOMIC = 4 }; /* of each byte */

static bool is_inside_cell (const Object *o, u64 offset) {
  return offset > 0 && offset < o->size && (o->cells[offset] & CELL_KNOWN) &&
         (o->cells[offset - 1] & CELL_KNOWN) && !(o->cells[offset] & CELL_START);
}

/* Starts a cell at `offset`; false if that would cut an atomic access. */
static bool cut (Vm *vm, Object *o, u64 offset) {
  if (!is_inside_cell (o, offset)) return true;
  if (o->cells[offset] & CELL_ATOMIC) return false;
  o->cells[offset] |= CELL_START;
  vm->sharing_changed = true;
  return true;
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

bool cells_claim (Vm *vm, Object *o, u64 offset, u32 size, bool is_atomic) {
  if (!o->cells) o->cells = mem_zalloc (o->size);
  if (!cut (vm, o, offset) || !cut (vm, o, offset + size)) return false;
  cover (o, offset, size);
  if (!is_atomic) return true;
  if (cells_size (o, offset, size) != size) return false;
  for (u64 i = offset; i < offset + size; i++) o->cells[i] |= CELL_ATOMIC;
  return true;
}

u32 cells_size (const Object *o, u64 offset, u32 most) {
  u32 n = 1;
  while (n < most && !(o->cells[offset + n] & CELL_START)) n++;
  return n;
}
