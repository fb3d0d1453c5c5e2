/* order_int.h - walking along the order of OrderRules. */
#ifndef PORF_ORDER_INT_H
#define PORF_ORDER_INT_H

#include "models/models_int.h"

typedef struct OrderWalk {
  const Graph *g;
  const OrderRules *rules;
  u8 *seen; /* by event: it has been reached */
  Ev *todo; /* of those, the ones that were not followed yet */
  u32 depth;
  Ev *joins; /* by thread: the event that joins it, or EV_NONE */
} OrderWalk;

OrderWalk order_walk_new (const Graph *g, const OrderRules *rules);
void order_walk_free (OrderWalk *w);

static inline void order_reach (OrderWalk *w, Ev e) {
  if (w->seen[e]) return;
  w->seen[e] = 1;
  w->todo[w->depth++] = e;
}

/* Reaches what comes directly after e. Whether a barrier between stores comes after e in its thread,
 * unless something is reached there that covers the rest. */
bool order_follow (OrderWalk *w, Ev e);

#endif
