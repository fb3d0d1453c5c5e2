/* optimize.h - the other direction: the weakest memory orders and the fewest fences with which a
 * correct program stays correct.
 *
 * What comes out was checked in full under every model that was asked for, and no single order of
 * it can be weakened any further: for each there is an execution that goes wrong. Another choice of
 * orders may be as good.
 */
#ifndef PORF_OPTIMIZE_H
#define PORF_OPTIMIZE_H

#include "explore/explore.h"

/* Orders with which a place is not enough. */
typedef struct Refusal {
  u8 order, fail;  /* ORD_NA: no fence at all */
  u32 model;       /* under which, as an index */
  bool is_unknown; /* it could not be decided in time; there is no result */
  Result result;   /* of the check that found a violation; its fix is what was kept */
} Refusal;

typedef struct OptimumSite {
  Change change;   /* from what to what; ORD_NA of a fence: it is not needed */
  bool is_reached; /* if not, nothing is known and nothing was changed */
  VEC (Refusal) refusals;
} OptimumSite;

typedef struct Optimum {
  VEC (OptimumSite) sites; /* as they stand in the source */
  u64 executions;          /* of the last check, under all models together */
  u32 checks, reused;      /* explorations, and answers that followed from earlier ones */
  double seconds;
  bool is_cut_off; /* the time was over: there may be weaker orders */
} Optimum;

typedef struct OptimizeOptions {
  const ExploreOptions *explore; /* one for each model; `timeout` is not looked at */
  u32 nmodels;
  double seconds;  /* 0: no limit */
  bool few_fences; /* weaken them first, so that accesses must do */
} OptimizeOptions;

/* The program is prepared; it is changed on the way and left as it was. False, and the result of
 * the check of model *failed, if the program as it is does not pass. */
bool optimize_program (Program *p, const OptimizeOptions *options, Optimum *out, Result *result,
                       u32 *failed);
void optimum_free (Optimum *o);

#endif
