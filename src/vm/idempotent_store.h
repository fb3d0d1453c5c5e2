/* idempotent_store.h - stores in spin loops that leave everything as it is. */
#ifndef PORF_VM_IDEMPOTENT_STORE_H
#define PORF_VM_IDEMPOTENT_STORE_H

#include "vm/vm_int.h"

bool quiet_store (Vm *vm, const Effect *e); /* true: no side effect */
void quiet_read (Vm *vm, const Effect *e, u64 value);
void quiet_forget (Run *r);                          /* what it knows */
void quiet_forget_in (Run *r, u64 base, u64 size);   /* of a new object */
void quiet_touch (Vm *vm, u64 addr, u32 size);       /* the thread makes a shared access */
u64 quiet_claim (Vm *vm, u64 addr, u32 size, Tid t); /* facts */
u64 quiet_end (Vm *vm, u64 addr, u32 size);

#endif
