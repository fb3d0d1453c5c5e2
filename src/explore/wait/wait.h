/* wait.h - threads that wait forever: liveness.c. */
#ifndef PORF_EXPLORE_WAIT_H
#define PORF_EXPLORE_WAIT_H

#include "explore/state/explorer.h"

/* liveness.c */
void wait_find_windows (Explorer *x);
bool wait_may_miss (const Explorer *x, const Effect *e);
/* WAITS_IN_RANGE: unless it gets a nondeterministic value outside of the range that is assumed. */
typedef enum Waits { WAITS_NOT, WAITS_FOREVER, WAITS_UNKNOWN, WAITS_IN_RANGE } Waits;
/* Where the model leaves open which write of a location is the final one, threads that wait are
 * judged for each of them in turn; it is the same one for all threads. */
enum { MOST_FINAL_GUESSES = 6 };
typedef struct FinalGuess {
  struct {
    u32 loc, number, count; /* which of so many writes */
  } of[MOST_FINAL_GUESSES];
  u32 size; /* in the order in which threads ask */
} FinalGuess;
bool wait_guess_again (FinalGuess *guess);                     /* false: all have been tried */
Waits wait_is_forever (Explorer *x, Tid t, FinalGuess *guess); /* one that spins */
u32 wait_read_in_round (Explorer *x, Tid t, u32 *locations,
                        u32 max); /* what an iteration of the loop that t spins in reads */

#endif
