/* graph_int.h - what only the files of src/graph share. */
#ifndef PORF_GRAPH_INT_H
#define PORF_GRAPH_INT_H

#include "graph/graph.h"

void graph_reserve (Graph *g, u32 events);
/* Of the events up to r, and of those up to a that the map does not drop. */
void graph_copy_deps (Graph *to, const Graph *from, Ev r, Ev a, const Ev *map);
void graph_clear_lines (Graph *g); /* no thread, no location has an event */

#endif
