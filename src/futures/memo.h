/* memo.h - the table of residues: how many executions follow each. */
#ifndef PORF_FUTURES_MEMO_H
#define PORF_FUTURES_MEMO_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/fingerprint.h"
#include "core/tally.h"

typedef struct OutcomeSet OutcomeSet;
typedef struct Outlook Outlook;

typedef struct Following {
  Tally count;
  OutcomeSet *outcomes; /* of these, if they are wanted: outcomes.c */
} Following;

typedef struct Future {
  Fingerprint key;
  Following following;
} Future;

enum { TABLE_PIECES = 64, MOST_WORKERS = 64 };

typedef struct FuturePiece {
  Future *entries;
  u64 size, capacity;
  u64 forgotten; /* entries, for lack of memory */
} FuturePiece;

typedef struct FutureTable {
  FuturePiece pieces[TABLE_PIECES];
  pthread_mutex_t *locks; /* of each, while several workers use it; or NULL */
  atomic_bool has_forgotten;
  u64 most;         /* bytes that it may take; 0: any */
  u64 least;        /* entries for which it pays to forget what is known */
  Outlook *outlook; /* whose sets these are */
} FutureTable;

typedef enum FutureState {
  FUTURE_NEW,   /* this worker is to explore it: others have at most begun to */
  FUTURE_OPEN,  /* it is exploring it */
  FUTURE_KNOWN, /* what follows is known */
} FutureState;

FutureState future_enter (FutureTable *m, Fingerprint key, u32 worker, Following *known);
const Following *future_find (const FutureTable *m, Fingerprint key);   /* or NULL */
void future_set (FutureTable *m, Fingerprint key, Following following); /* takes it */
void future_reopen (FutureTable *m, Fingerprint key); /* it is to be explored by worker 0 again */
u64 future_count (const FutureTable *m);
u64 future_count_all (const FutureTable *m); /* with what was forgotten */
/* All but what is being explored, if that is worth it. */
void future_forget (FutureTable *m);
void future_clear (FutureTable *m);
void future_free (FutureTable *m);

#endif
