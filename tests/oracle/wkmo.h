/* wkmo.h - the executions of a little program under Weakestmo2: promises, certification and
 * certification locality, as its model checker WMC has them (docs/WKMO2.md).
 *
 *   The core of a graph is what is on cycles of po ∪ rf, or (po ∪ rf)+-before one.
 *   reachable graphs: every graph that is consistent with RC11 without its axiom about po ∪ rf and
 *   has no core, and every such graph G' with G => G' for a reachable G in which nobody waits for a
 *   value or a mutex
 *   G => G' iff, X being the core of G', for a thread t and its first place i where G and G' differ
 *   (in a label, or in the source of a read):
 *     1. at i both have a read of the same location that does not acquire; in G it reads locally,
 *        in G' it does not, and it is in X
 *     2. what of X is not in t is in G, too (thread, place, label), and reads from the same in
 *        both, or in both from t behind i
 *     3. promises: a write of t behind i that is read by X outside of t *certifies* a write of t
 *        behind i in G, the promise, which has the same label and is read by the same events of X;
 *        different ones certify different ones, and for each location in the same order
 *     4. promises do not release; between i and a promise in G, and between i and what certifies it
 *        in G', there is no fence, no thread is created or joined, and nothing is released to the
 *        location of the promise
 *     5. certification locality: between i and a promise in G, and between i and what certifies it
 *        in G', for each location, the reads that do not read locally have the same modes and read
 *        the same writes, one after the other
 *     6. mo between what of X is not in t, what of t is before i, and promises is the same in both
 *   A read reads locally what is initial, of its own thread, or happens before the event that is
 *   before it in its thread (or that creates it), or was read by one that does.
 */
#ifndef ORACLE_WKMO_H
#define ORACLE_WKMO_H

#include "oracle/oracle.h"

bool wkmo_each (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit, void *arg);

#endif
