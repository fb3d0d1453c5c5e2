/* checkpoint.h - a search as a file, from which another process goes on. */
#ifndef PORF_PARALLEL_CHECKPOINT_H
#define PORF_PARALLEL_CHECKPOINT_H

#include "explore/state/explorer.h"

/* Refuses, with a message and exit 2, a path at which no checkpoint can be written. */
void checkpoint_try (const char *path);

void checkpoint_save_beginning (Explorer *x); /* of a look, of which nothing is done yet */
void checkpoint_load (Explorer *x);
bool checkpoint_read (Explorer *x, ByteReader *r); /* the body, after what it is for */
void checkpoint_free_frontier (Explorer *x);

#endif
