/* boxes.h - ranks as threads of one process, with boxes for their letters: what MPI is to porf-mpi.
 */
#ifndef SCALE_BOXES_H
#define SCALE_BOXES_H

#include "explore/explore.h"

typedef struct Boxes Boxes;
Boxes *boxes_new (u32 ranks);
Cluster *boxes_cluster (Boxes *b, u32 rank);
void boxes_free (Boxes *b); /* when no rank is at work */

#endif
