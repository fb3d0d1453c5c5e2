/* assumed.h - what is taken for granted. */
#ifndef PORF_VM_ASSUMED_H
#define PORF_VM_ASSUMED_H

#include "vm/vm_int.h"

void vm_note_assumed (Vm *vm, Assumption a); /* from now on */
bool vm_is_lifted (Vm *vm, Assumption a);    /* else it is assumed from now on */
/* The result depends on the order of two addresses, or on the number that an address is. */
void layout_note_two (Vm *vm, const Insn *i, u64 a, u64 b);
void layout_note_one (Vm *vm, const Insn *i, u64 a, u64 b);
void reuse_note_allocation (Vm *vm); /* the thread at work is about to allocate, */
void reuse_note_free (Vm *vm);       /* or free */
void thread_allocates (Thread *t, u32 allocations, u32 created);
void thread_frees (Thread *t, u32 allocations);

#endif
