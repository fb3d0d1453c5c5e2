/* machine.h - the same question asked in another way: interleavings of a machine with store
 * buffers. Its final states (registers, memory, who is blocked) must be those of the axioms of SC,
 * TSO and PSO. */
#ifndef ORACLE_MACHINE_H
#define ORACLE_MACHINE_H

#include "oracle/oracle.h"

typedef enum MachineKind { MACHINE_SC, MACHINE_TSO, MACHINE_PSO } MachineKind;
typedef enum MachineResult { MACHINE_AGREES, MACHINE_DIFFERS, MACHINE_SKIPPED } MachineResult;

MachineResult machine_compare (const Prog *p, MachineKind kind, const Model *m);

#endif
