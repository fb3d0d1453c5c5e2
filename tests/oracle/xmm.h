/* xmm.h - the executions of a little program under XMM, by its definition (docs/XMM.md):
 *
 *   reachable graphs: every RC20-consistent complete graph with acyclic po ∪ rf, and every G' with
 *   G => G' for a reachable G
 *   G => G' iff for some set C of events of G' (the committed ones; initial writes always are):
 *     1. G' is complete, RC20-consistent (no porf axiom), an execution of the program
 *     2. every read in C reads from a write in C
 *     3. an injective f from C to the events of G keeps thread and label (kind, location, order,
 *        value), and rf', mo', rmw', rpo' between events of C hold between their images in G
 *     4. po' ∪ (rf' into uncommitted reads) is acyclic, and so is the relation between threads "an
 *        uncommitted read of t2 reads from t1" (t1 ≠ t2; initial writes do not count)
 *     5. dom(rpo';[C]) ⊆ C
 *     6. if an uncommitted read lies on a cycle of po' ∪ rf', then at least one such read is in a
 *        thread whose first event that differs between G and G' (label, or source of a read) is, in
 *        G, a read r in an LB race: there is a write w of the same location, not the one r reads,
 *        hb-unordered with r, with (r,w) in (po ∪ rf)+
 *   rpo = ([R & Rlx];po;[F & Acq] | [Acq];po | po;[Rel] | [F & Rel];po;[W & Rlx])+
 *
 * Every subset of the events is tried as C, every injection as f. A thread that stops at an
 * assumption that fails is complete; one that could wait is not, and executions with such threads
 * are left out.
 */
#ifndef ORACLE_XMM_H
#define ORACLE_XMM_H

#include "oracle/oracle.h"

/* OracleOptions.only_reads: C is the least set with some reads that meets conditions 2 and 5. False
 * also if values grow without an end in sight. */
bool xmm_each (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit, void *arg);

/* With other conditions, so that a program without LB races has no cycles, and reordering accesses
 * brings none (docs/XMM.md):
 *     6. if uncommitted reads lie on cycles of po' ∪ rf', then a thread of one of them has, in G, a
 *        read in an LB race
 *     7. if a read in C is po'-before a write in C, so are their images in G */
bool xmm_repaired_each (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit,
                        void *arg);

/* Does the graph have a cycle of po and rf? An LB race (see 6)? */
bool cand_is_cyclic (const Cand *g);
bool cand_has_lb_race (const Cand *g);

#endif
