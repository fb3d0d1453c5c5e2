/* cluster.h - several processes on one exploration: what each of them has to call. */
#ifndef PORF_CLUSTER_H
#define PORF_CLUSTER_H

#include "explore/explore.h"

bool cluster_waits_for_hello (Cluster *c); /* not rank 0; false: there is nothing to explore */
/* rank 0: there is something to explore; it is explored; there is nothing more */
void cluster_say_hello (Cluster *c);
void cluster_say_over (Cluster *c);
void cluster_say_bye (Cluster *c);

#endif
