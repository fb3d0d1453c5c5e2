/* hardware.h - models of processors, and IMM, as predicates on graphs: whether the execution is
 * one of the instructions that a mapping makes of the program. docs/MODELS.md has the formulas, and
 * cat/ has them as files. A graph may have holes: its threads lack some of their events. */
#ifndef PORF_HARDWARE_H
#define PORF_HARDWARE_H

#include "graph/graph.h"
#include "models/mapping.h"

bool armv8_allows (const Mapping *m, const Graph *g);
bool power_allows (const Mapping *m, const Graph *g);
bool riscv_allows (const Mapping *m, const Graph *g);
bool imm_allows (const Mapping *m, const Graph *g);

#endif
