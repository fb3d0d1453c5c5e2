/* access.h - loads, stores, RMWs and locks: private, or an effect. */
#ifndef PORF_VM_ACCESS_H
#define PORF_VM_ACCESS_H

#include "vm/vm_int.h"

bool access_load (Vm *vm, const Insn *i, u64 addr, u64 *value);
bool access_store (Vm *vm, const Insn *i, u64 addr, u64 value);
bool access_atomic (Vm *vm, const Insn *i, Effect e, const char *what, u64 *old);
/* A piece of an access is done; whether more are to come, else its result. */
bool access_piece (Vm *vm, u64 answer, u64 *result, u64 *undefined);
bool access_is_freed (const Vm *vm, const Object *o);

#endif
