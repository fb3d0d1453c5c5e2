/* hardware.h - models of processors, on what compilers make of a candidate, and IMM. Formulas as in
 * the papers that docs/MODELS.md cites. */
#ifndef ORACLE_HARDWARE_H
#define ORACLE_HARDWARE_H

#include "oracle/oracle.h"

void armv8_prepare (Cand *g);
void power_prepare (Cand *g);
void riscv_prepare (Cand *g);
void imm_prepare (Cand *g);
bool armv8_is_consistent (const Cand *g);
bool power_is_consistent (const Cand *g);
bool riscv_is_consistent (const Cand *g);
bool imm_is_consistent (const Cand *g);

/* axioms.c: acyclic psc of RC11, with the hb of the candidate. */
bool cand_psc_is_acyclic (const Cand *g, Rel mo, Rel fr, Rel eco);

#endif
