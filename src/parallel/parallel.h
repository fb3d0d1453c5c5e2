/* parallel.h - what workers.c, merge.c, checkpoint.c and the files of ranks.h know of the workers
 * of one exploration. */
#ifndef PORF_PARALLEL_H
#define PORF_PARALLEL_H

#include <pthread.h>
#include <stdatomic.h>

#include "explore/state/explorer.h"

typedef struct Parcel { /* a task that waits for a worker */
  Path start;
  Bytes bytes;
  u64 log_size; /* what its VM knew: vm_log_size */
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

typedef struct Ranks Ranks;

struct Pool {
  pthread_mutex_t lock;
  pthread_mutex_t showing;      /* an execution */
  pthread_cond_t changed, news; /* for workers; for who talks to other ranks */
  Parcel *first, *last;
  u32 workers, idle, waiting_tasks;
  u32 requesting;       /* other ranks, for a task */
  atomic_uint unserved; /* of both, those for whom there is no task yet */
  atomic_bool is_over, must_stop, must_restart;
  VEC (Part) parts;
  Path found; /* where the first task starts that has found something; with has_found */
  atomic_bool has_found;
  _Atomic u64 explored, nodes; /* by all workers, for the progress line */
  u64 shown;                   /* executions that on_execution was called for */
  u64 tasks, task_bytes;
  Stats elsewhere; /* what VMs of other ranks have done, and what was sent */
  Ranks *ranks;    /* NULL: there are no others */
  atomic_uint dawdled;
  Explorer *owner, *others;
  u32 other_count;
  pthread_t *threads;
  atomic_bool is_dissolving; /* all give away all they have, for a checkpoint */
  double next_save;          /* when that is to be; of seconds_now () */
  char *why;                 /* the search ends after it, because of this; or NULL */
};

/* What is left to choose in one frame. */
typedef struct Task {
  Path path; /* of the frames below */
  Frame frame;
  VEC (Ev) revisits; /* of a write, that are left */
  u64 counter;       /* the giver's */
  u8 counter_family;
  Ev core;            /* the giver's */
  Graph *graph;       /* states are the giver's: not to be used */
  VEC (Effect) ahead; /* of the events that are ahead of their threads, but for write halves */
} Task;

/* workers.c */
void worker_poll_sharing (Explorer *x);
bool worker_can_share (const Explorer *x);
/* Tasks of so many graphs, which it takes. */
void worker_share_cores (Explorer *x, Graph **cores, u32 count,
                         Task (*task_of) (const Explorer *x, Graph *core, u32 number));
void worker_give_all (Explorer *x); /* when the choices that are in force are done */
void worker_resume_sharing (Explorer *x);
bool worker_stops_with_checkpoint (Explorer *x, const char *why);
void worker_finish_sharing (Explorer *x);
void pool_count_progress (Explorer *x, Progress *p); /* what all workers have done */
void worker_show_execution (Explorer *x, Execution *e);
bool path_is_before (const Path *a, const Path *b);
void path_put (Bytes *b, const Path *p);
void path_get (ByteReader *r, Path *p);
Parcel *parcel_new (void);
void parcel_free (Parcel *p);
void pool_add_parcel (Pool *p, Parcel *t);
void pool_add_part (Pool *p, Part part);
void pool_drop_parcels (Pool *p);
Parcel *pool_take_first (Pool *p);
void pool_tell_hunger (Pool *p);
bool pool_must_go_on (Pool *p); /* when no worker is busy */
void pool_new (Explorer *x);
void worker_init (Explorer *w, const Explorer *x);
void worker_start_all (Explorer *x);
void worker_work_with_others (Explorer *x); /* until there is nothing left to do */
void pool_free (Pool *p);

/* merge.c */
void part_done (Part *p);
/* Puts together what nothing that is left to do comes between. With the lock. */
void merge_parts (Explorer *x);
void merge_knowledge (Explorer *x, Explorer *w);
void merge_results (Explorer *x); /* x->result is that of all parts */
void merge_stats_from_elsewhere (Stats *s, const Pool *p);

/* checkpoint.c: with the lock, when all there is to do are parcels. */
void checkpoint_save_frontier (Pool *p);
void checkpoint_put_identity (Bytes *b, const Explorer *x);
void checkpoint_expect_identity (const Explorer *x, ByteReader *r); /* of another rank */
void checkpoint_put_knowledge (Bytes *b, const Explorer *x);
void checkpoint_get_knowledge (ByteReader *r, Explorer *x);
void checkpoint_learn_more (ByteReader *r, Explorer *x);
void checkpoint_put_part (Bytes *b, const Part *p);
Part checkpoint_get_part (ByteReader *r, const Explorer *x);

/* task.c: task_make says whether there is something left in that frame; task_start takes the graph,
 * and fails if more turns out to be shared. */
void path_copy (Path *to, const Path *from);
bool task_make (Explorer *x, u32 at, Task *t);
bool task_start (Explorer *x, Task *t);
void task_done (Task *t);
void task_run_whole_graph (Explorer *x); /* gives the current graph the states of its threads */

/* task_io.c: false if that is no task of this program, as far as one can see. */
void task_write (const Explorer *x, const Task *t, Bytes *b);
bool task_read (Explorer *x, ByteReader *r, Task *t);

#endif
