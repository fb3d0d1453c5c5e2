/* parallel.h - what workers.c, merge.c, checkpoint.c and the files of ranks.h know of the workers
 * of one exploration. */
#ifndef PORF_PARALLEL_H
#define PORF_PARALLEL_H

#include <pthread.h>
#include <stdatomic.h>

#include "explore/state/explorer.h"

typedef struct Parcel { /* a task that waits for somebody to do it */
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
  u32 begging;        /* other ranks, for a task */
  atomic_uint hungry; /* of both, those for whom there is no task yet */
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
void poll_sharing (Explorer *x);
bool can_share (const Explorer *x);
/* Tasks of so many graphs, which it takes. */
void share_cores (Explorer *x, Graph **cores, u32 count,
                  Task (*task_of) (const Explorer *x, Graph *core, u32 number));
void give_all (Explorer *x); /* when the choices that are in force are done */
void resume_sharing (Explorer *x);
bool stops_with_checkpoint (Explorer *x, const char *why);
void finish_sharing (Explorer *x);
void count_progress (Explorer *x, Progress *p); /* what all workers have done */
void show_execution (Explorer *x, Execution *e);
bool path_is_before (const Path *a, const Path *b);
void bytes_put_path (Bytes *b, const Path *p);
void bytes_get_path (ByteReader *r, Path *p);
Parcel *parcel_new (void);
void parcel_free (Parcel *p);
void add_parcel (Pool *p, Parcel *t);
void add_part (Pool *p, Part part);
void drop_parcels (Pool *p);
Parcel *take_first (Pool *p);
void tell_hunger (Pool *p);
bool must_go_on (Pool *p); /* when nobody is at work */
void new_pool (Explorer *x);
void init_worker (Explorer *w, const Explorer *x);
void start_workers (Explorer *x);
void work_with_others (Explorer *x); /* until there is nothing left to do */
void free_pool (Pool *p);

/* merge.c */
void part_done (Part *p);
/* Puts together what nothing that is left to do comes between. With the lock. */
void join_parts (Explorer *x);
void learn_from (Explorer *x, Explorer *w);
void take_results (Explorer *x); /* x->result is that of all parts */
void add_stats_from_elsewhere (Stats *s, const Pool *p);

/* checkpoint.c: with the lock, when all there is to do are parcels. */
void save_frontier (Pool *p);
void put_identity (Bytes *b, const Explorer *x);
void expect_identity (const Explorer *x, ByteReader *r); /* of another rank */
void put_knowledge (Bytes *b, const Explorer *x);
void get_knowledge (ByteReader *r, Explorer *x);
void learn_more (ByteReader *r, Explorer *x);
void put_part (Bytes *b, const Part *p);
Part get_part (ByteReader *r, const Explorer *x);

/* task.c: make_task says whether there is something left in that frame; start_task takes the graph,
 * and fails if more turns out to be shared. */
void path_copy (Path *to, const Path *from);
bool make_task (Explorer *x, u32 at, Task *t);
bool start_task (Explorer *x, Task *t);
void task_done (Task *t);
void run_whole_graph (Explorer *x); /* gives the current graph the states of its threads */

/* task_io.c: false if that is no task of this program, as far as one can see. */
void task_write (const Explorer *x, const Task *t, Bytes *b);
bool task_read (Explorer *x, ByteReader *r, Task *t);

#endif
