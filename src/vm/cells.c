/* cells.c - accesses of different sizes to the same memory.
 *
 * To the engine a location is a fixed stretch of bytes, so shared memory is cut into cells: the
 * coarsest pieces such that every access covers whole cells. An atomic access is one event and so
 * must be exactly one cell. A non-atomic access that covers several is made cell by cell: if
 * another thread could tell the difference, that would be a data race anyway, and each piece is
 * checked for races. One that touches a part of an atomic cell reads or rewrites the whole of it,
 * see stop_at_cell.
 *
 * Where the cells are is learned as accesses come, like sharing (object.c): a change of a cell that
 * has been used before means that the exploration must start again. Atomic accesses of different
 * sizes to the same memory are refused by name.
 */
#include "vm/vm_int.h"

enum { CELL_KNOWN = 1, CELL_START = 2, CELL_ATOMIC = 4 }; /* of each byte */

static bool is_inside_cell (const Object *o, u64 offset) {
  return offset > 0 && offset < o->size && (o->cells[offset] & CELL_KNOWN) &&
         (o->cells[offset - 1] & CELL_KNOWN) && !(o->cells[offset] & CELL_START);
}

/* Starts a cell at `offset`, unless that would cut an atomic cell; then false if the access that
 * asks for it is atomic, too. */
static bool cut (Vm *vm, Object *o, u64 offset, bool is_atomic) {
  if (!is_inside_cell (o, offset)) return true;
  if (o->cells[offset] & CELL_ATOMIC) return !is_atomic;
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

/* Makes one atomic cell of what lies within; false if there is a smaller one already. */
static bool unite (Vm *vm, Object *o, u64 offset, u32 size) {
  bool was_used = false;
  for (u64 i = offset; i < offset + size; i++) was_used |= o->cells[i] & CELL_KNOWN;
  cover (o, offset, size);
  for (u64 i = offset + 1; i < offset + size; i++) {
    if (!(o->cells[i] & CELL_START)) continue;
    if (o->cells[i] & CELL_ATOMIC || o->cells[i - 1] & CELL_ATOMIC) return false;
    o->cells[i] &= (u8)~CELL_START;
    vm->sharing_changed |= was_used;
  }
  for (u64 i = offset; i < offset + size; i++) o->cells[i] |= CELL_ATOMIC;
  return true;
}

bool cells_claim (Vm *vm, Object *o, u64 offset, u32 size, bool is_atomic) {
  if (!o->cells) o->cells = mem_zalloc (o->size);
  if (!cut (vm, o, offset, is_atomic) || !cut (vm, o, offset + size, is_atomic)) return false;
  if (is_atomic) return unite (vm, o, offset, size);
  cover (o, offset, size);
  return true;
}

Cell cells_at (const Object *o, u64 offset) {
  Cell c = {offset, 1};
  while (!(o->cells[c.start] & CELL_START)) c.start--;
  for (u64 i = c.start + 1;
       i < o->size && o->cells[i] == (CELL_KNOWN | (o->cells[i] & CELL_ATOMIC)); i++)
    c.size++;
  return c;
}
