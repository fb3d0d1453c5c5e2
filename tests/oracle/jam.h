/* jam.h - whether a candidate is coherent under JAM, by two algorithms. */
#ifndef ORACLE_JAM_H
#define ORACLE_JAM_H

#include "oracle/oracle.h"

typedef enum JamKind { JAM19, JAM21, JAM21T } JamKind;

/* *is_sure is cleared if there were more linearisations than anybody wants to wait for. */
bool jam_by_relations (const Cand *g, JamKind kind, bool *is_sure);
bool jam_by_clocks (const Cand *g, JamKind kind, bool *is_sure);

#endif
