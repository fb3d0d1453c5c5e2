/* share_int.h - what share.c and checkpoint.c know of the workers of one exploration. */
#ifndef PORF_SHARE_INT_H
#define PORF_SHARE_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "explore/explore_int.h"

typedef struct Parcel { /* a task that waits for somebody to do it */
  Path start;
  Bytes bytes;
  struct Parcel *next;
} Parcel;

typedef struct Part { /* what came of one task */
  Path start;
  Result result;
  double represented, represented_blocked;
} Part;

struct Frontier { /* a pool without workers */
  Parcel *first, *last;
  VEC (Part) parts;
};

struct Pool {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  Parcel *first, *last;
  u32 workers, idle, waiting_tasks;
  atomic_uint hungry; /* workers that have nothing to do and for whom there is no task yet */
  atomic_bool is_over, must_stop, must_restart;
  VEC (Part) parts;
  Path found; /* where the first task starts that has found something; with has_found */
  atomic_bool has_found;
  _Atomic u64 explored, nodes; /* by all workers, for the progress line */
  u64 shown;                   /* executions that on_execution was called for */
  u64 tasks, task_bytes;
  Explorer *owner, *others;
  u32 other_count;
  pthread_t *threads;
  atomic_bool is_dissolving; /* all give away all they have, for a checkpoint */
  double next_save;          /* when that is to be; of seconds_now () */
  char *why;                 /* the search ends after it, because of this; or NULL */
};

bool path_is_before (const Path *a, const Path *b);
Parcel *parcel_new (void);
void parcel_free (Parcel *p);
void add_parcel (Pool *p, Parcel *t);
void add_part (Pool *p, Part part);
void part_done (Part *p);
/* Puts together what nothing that is left to do comes between. With the lock. */
void join_parts (Explorer *x);
void learn_from (Explorer *x, Explorer *w);

/* checkpoint.c: with the lock, when all there is to do are parcels. */
void save_frontier (Pool *p);

#endif
