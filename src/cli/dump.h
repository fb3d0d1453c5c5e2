/* dump.h - --dump: what porf works on, on standard error. */
#ifndef PORF_DUMP_H
#define PORF_DUMP_H

#include "explore/explore.h"

void dump_ir (const Program *p);
void dump_effect (const Program *p, const Vm *vm, Tid t, const Effect *e);
void dump_graph (const Execution *e);
void dump_place (const Execution *e, Path *last); /* `last`: that of the execution before */

#endif
