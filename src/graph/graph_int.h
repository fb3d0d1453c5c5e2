/* graph_int.h - what only the files of src/graph share. */
#ifndef PORF_GRAPH_INT_H
#define PORF_GRAPH_INT_H

#include "graph/graph.h"

void graph_reserve (Graph *g, u32 events);
void graph_clear_lines (Graph *g); /* no thread, no location has an event */

#endif
