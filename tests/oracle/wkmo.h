/* wkmo.h - the executions of a little program under Weakestmo2, as far as its model checker WMC
 * shows them: promises, certification and certification locality.
 *
 *   reachable graphs: every RC11-consistent complete graph with acyclic po ∪ rf, and every G' with
 *   G => G' for a reachable G
 *   G => G' iff G' is complete and consistent (no porf axiom), and for a thread t, its first place
 * i where G and G' differ, and a place k >= i of t in G':
 *     1. at i both have a relaxed read of one location; in G it reads locally, in G' it does not
 *     2. X is what is (po' ∪ rf')*-before the event of t at k or before events on cycles
 *     3. what of X is not in t is in G, too (thread, place, label), and reads from the same, or
 * from t after i, in both
 *     4. a write of t after i that X reads outside of t is a promise that was certified: G has a
 *        write of t after i with the same label, which is relaxed, that the same reads of X read;
 *        different ones for different ones, and of one location in the same order, each at the
 * first place where that is possible; it is not mo-before what is read at i in G'
 *     5. between i and a promise in G, and between i and the write that certifies it in G', there
 * is no fence, no acquire read of the location that is read at i, and no release write to the
 *        location of the promise
 *     6. certification locality: the reads of t between i and the last certifying write read, in
 * G', locally or what t also reads in G between i and a promise; and between i and each promise,
 *        for each location, the writes that are not read locally are the same in both, in the same
 * order
 *     7. mo between what of X is not in t, what of t is before i, and promises is the same in both
 *   A read reads locally what is initial, of its own thread, or happens before it without the read
 *   itself, or was read by somebody who does.
 */
#ifndef ORACLE_WKMO_H
#define ORACLE_WKMO_H

#include "oracle/oracle.h"

bool wkmo_each (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit, void *arg);

#endif
