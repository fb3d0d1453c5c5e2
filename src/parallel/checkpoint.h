/* checkpoint.h - a search as a file, from which another process goes on. */
#ifndef PORF_PARALLEL_CHECKPOINT_H
#define PORF_PARALLEL_CHECKPOINT_H

#include "explore/state/explorer.h"

/* Refuses, with a message and exit 2, a path at which no checkpoint can be written. */
void try_to_checkpoint (const char *path);

void save_beginning (Explorer *x); /* of a look, of which nothing is done yet */
void load_checkpoint (Explorer *x);
bool read_checkpoint (Explorer *x, ByteReader *r); /* the body, behind what it is for */
void free_frontier (Explorer *x);

#endif
