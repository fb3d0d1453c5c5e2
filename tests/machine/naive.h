/* naive.h - the machine of docs/MACHINE.md once more, as it is described there: every store is an
 * object, every memory knows which have arrived, and anything can happen at any time. Shares no
 * code with src/machine. */
#ifndef MACHINE_NAIVE_H
#define MACHINE_NAIVE_H

#include "oracle/prog.h"

enum { NAIVE_LIVENESS = 1, NAIVE_DEADLOCK = 2, NAIVE_MISUSE = 4 };

/* Sorted; UINT64_MAX for threads that have not ended. */
typedef struct NaiveOutcome {
  uint64_t returned[PROG_THREADS];
} NaiveOutcome;

typedef struct NaiveResult {
  NaiveOutcome *outcomes; /* sorted, without doubles; of executions that run to their end */
  size_t size;
  unsigned found; /* NAIVE_* */
  bool is_full;   /* too many states */
} NaiveResult;

typedef struct NaiveOptions {
  bool incoherent;
  uint32_t states; /* at most; the same for all runs */
  int window;      /* how many accesses of a thread can be overtaken, at most six */
} NaiveOptions;

/* segment[t]: which memory thread t uses. */
NaiveResult naive_run (const Prog *p, const int *segment, NaiveOptions o);
void naive_free (NaiveResult *r);
/* What a thread returns: its registers, and the number of the first thread with its code. */
uint64_t naive_pack (const Prog *p, const int32_t *regs, int thread);
enum { NAIVE_REGS = 7, NAIVE_MAIN_REGS = 3 };
void naive_sort (NaiveOutcome *o);
int naive_compare (const void *a, const void *b);

#endif
