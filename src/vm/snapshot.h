/* snapshot.h - what a snapshot holds, and the memo. */
#ifndef PORF_VM_SNAPSHOT_H
#define PORF_VM_SNAPSHOT_H

#include "vm/vm_int.h"

const u64 *snapshot_registers (const Snap *s);
void snapshot_add_rest (const Snap *s, Fingerprint *f); /* results, masks, stack objects */
void memo_purge (Vm *vm);
void memo_done (Vm *vm);

#endif
