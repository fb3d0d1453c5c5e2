/* builtin.h - what the program asks of the VM itself. */
#ifndef PORF_VM_BUILTIN_H
#define PORF_VM_BUILTIN_H

#include "vm/vm_int.h"

/* What effect_allocates answers: the address, or 0. */
u64 vm_answer_allocation (Vm *vm, const Effect *e, u64 fails);
bool builtin_reuse (Vm *vm, const Effect *e, u64 answer); /* false: malloc looks further */
bool builtin_run (Vm *vm, const Insn *i, const u64 *args, u64 *result);

#endif
