/* mcm.h - the small language for memory models of [Bajczi'20]: definitions of sets and
 * relations by name, then constraints on them. It is lowered to the algebra of src/models/cat.
 *
 * W R F are writes, reads and fences, A all events; po rf mo are relations, po from one event to
 * the next of its thread; rmw is ours. T (X -> Y) are the edges of T from X to Y, T (X --> Y) its
 * paths. Loops (for_each_node S, for_each_var, for_each_thrd begin … end) unite what their body is
 * for each event, location or thread; X[node], X[var], X[thrd] is the part of X that is the current
 * one, that of the innermost loop of that sort; [node0], [node1] count from the outermost.
 *
 * The grammar does not say whether union, intersect, \ or * binds tighter: they need parentheses
 * when they stand side by side.
 */
#ifndef PORF_MCM_H
#define PORF_MCM_H

#include "models/cat/cat.h"

CatModel *mcm_load (const char *path, Str *error);
CatModel *mcm_read (const char *name, const char *text, size_t size, Str *error);

#endif
