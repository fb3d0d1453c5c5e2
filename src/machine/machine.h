/* machine.h - the operational engine: a machine in which memories belong to groups of threads and
 * stores travel to each of them separately [Abe-LDRF]. Visits every state once. docs/MACHINE.md. */
#ifndef PORF_MACHINE_H
#define PORF_MACHINE_H

#include "core/outcome.h"
#include "core/result.h"
#include "vm/vm.h"

/* Which threads share a memory. */
typedef enum Sharing {
  SHARING_NONE,  /* one memory a thread: not multi-copy atomic */
  SHARING_ALL,   /* one memory: multi-copy atomic */
  SHARING_LOCAL, /* the fewest memories that are indistinguishable from one a thread */
  SHARING_GIVEN, /* as `partition` says */
} Sharing;

enum { MACHINE_THREADS = 64 }; /* at most; sets of threads are bit masks */

typedef struct MachineProgress {
  u64 states, transitions, waiting; /* waiting: states still to be expanded */
  double seconds;
} MachineProgress;

typedef struct MachineOptions {
  Sharing sharing;
  u64 partition[MACHINE_THREADS]; /* GIVEN: sets of threads; threads in none are alone. LOCAL: only
                                     these may share, if there are any */
  u32 partition_size;
  bool
      coherent; /* a store comes after those to its location that its thread has seen, everywhere */
  u32 window;   /* so many loads of a thread can be overtaken; 0: threads run in order */
  bool keep_going;
  bool liveness; /* look for threads that wait forever in a loop */
  bool breadth_first;
  u32 jobs;           /* workers; 0 = 1 */
  bool share_at_once; /* also small searches, for tests */
  /* Reductions, see docs/MACHINE.md: */
  bool lazy;       /* effects happen when a thread looks */
  bool eager;      /* independent steps happen at once */
  bool dead;       /* memory that is never read is not kept */
  bool own;        /* a store is in its own memory at once if no other thread accesses it */
  bool symmetry;   /* states that differ by a permutation of symmetric threads are one */
  bool check_text; /* that all accesses are among those of the program's text: text.c */
  bool tell_sets;  /* with on_memories: what these are */
  u64 bit_state;   /* bytes of a table of bits instead of states, or 0 */
  double timeout;
  double deadline; /* when that is up, by seconds_now; 0: counted from the start */
  u64 memory;      /* bytes that states may take; 0 = 8 GB */
  u64 max_states;
  VmOptions vm;
  Outcomes *outcomes; /* collects what threads have read and returned, as model `model`; or NULL */
  u32 outcomes_model;
  bool exchanges_outcomes; /* what symmetric threads return may be exchanged; else no symmetry */
  void (*on_column) (void *arg, Column *c);
  void *column_arg;
  void (*on_progress) (void *arg, const MachineProgress *p); /* some ten times a second */
  /* When the partition is final: what it is, then why it is finer than the given one. */
  void (*on_memories) (void *arg, const char *text);
  void (*on_warning) (void *arg, const char *text);
  volatile int *stop;
  void *arg;
} MachineOptions;

MachineOptions machine_default_options (void);
const char *machine_name (Sharing sharing); /* what Result.model says */

/* Explores a prepared program. The result is the caller's to free (result_free). */
Result machine_program (const Program *program, const MachineOptions *options);

#endif
