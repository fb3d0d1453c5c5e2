/* write_order.h - how the writes of a location are ordered. The search asks this table where models differ, and
 * nothing else: it is chosen once, when an explorer is made.
 *
 *   by_mo.c    every execution has an order of the writes, mo
 *   by_list.c  none has: mo is merely a list of them, and writes are ordered as far as happens-before goes
 *   by_push.c  the same, but an order of pushes decides in the end; or mo, and pushes besides
 *   partial.c  nothing is known of the order but what rules say; with mo or a list
 */
#ifndef PORF_EXPLORE_WRITE_ORDER_H
#define PORF_EXPLORE_WRITE_ORDER_H

#include "explore/state/explorer.h"

typedef struct Past { /* the events up to `e`, and the prefix of `a` */
  const Graph *g;
  Ev e;
  const Prefix *prefix;
  Ev a;     /* has no place yet and does not count; EV_NONE: all have */
  bool any; /* without mo: any source that could be the default counts as one */
} Past;
static inline bool in_past (const void *arg, Ev e) {
  const Past *past = arg;
  return e <= past->e || prefix_has (past->g, past->prefix, e);
}

struct WriteOrder {
  bool is_list;        /* Graph.mo_is_list; if not, the last write of mo is the newest */
  bool is_partial;     /* Graph.is_partial */
  bool chooses_finals; /* in the end, which write of a location comes last is a choice of its own */

  /* The place of the oldest write that e may read, or that it may come after. */
  u32 (*oldest_place) (Explorer *x, Ev e);
  /* Which choices the frame of a new read, of a new write and of a revisit has: `next` and `bound`. */
  void (*offer_sources) (Explorer *x, Frame *f);
  void (*offer_places) (Explorer *x, Frame *f);
  void (*offer_places_to_revisit) (Explorer *x, Frame *f);
  /* Of those, sources that a read cannot see for what its thread knows (NULL: there are none), and places that
   * a write cannot take because they are inside a read-modify-write. */
  bool (*is_hidden) (const Explorer *x, const Frame *f, u32 place);
  bool (*is_taken) (const Graph *g, Ev w, u32 place);

  /* Whether the list of writes is in their order, whatever else is chosen; and whether it still is with w, which was
   * placed just now. */
  bool (*is_chain) (const Graph *g, u32 loc);
  bool (*continues_chain) (const Graph *g, Ev w);

  /* What a read that is added now sees if it is added maximally; the newest write, or EV_NONE if several may be;
   * whether w may be; and whether w may be the final write of an execution that ends now. */
  Ev (*default_source) (const Explorer *x, u32 loc);
  Ev (*only_newest) (const Explorer *x, u32 loc);
  bool (*may_be_newest) (const Explorer *x, u32 loc, Ev w);
  bool (*may_be_final) (Explorer *x, u32 loc, Ev w);

  /* Whether the graph is worth following, now that e has its source or place; whether it is an execution; whether
   * a read saw the source that counts as maximal. */
  bool (*may_be_consistent) (Explorer *x, Ev e);
  bool (*is_allowed) (Explorer *x, bool is_complete);
  bool (*was_default_source) (Explorer *x, const Event *read, const Past *past);
};

const WriteOrder *order_of_model (const Model *m);
extern const WriteOrder order_by_mo, order_by_list, order_by_push, order_by_mo_and_push,
    order_partial, order_partial_list;

/* What several kinds share: the rows that are the same wherever there is mo, or none, and their functions. */
#define SAME_WITH_MO                                                                               \
  .offer_sources = mo_offer_from_oldest, .offer_places = mo_offer_places,                          \
  .offer_places_to_revisit = mo_offer_places_to_revisit, .is_taken = mo_is_taken,                  \
  .is_chain = mo_is_chain, .continues_chain = mo_continues_chain, .default_source = mo_newest,     \
  .only_newest = mo_newest, .may_be_newest = mo_may_be_newest, .may_be_final = mo_may_be_final,    \
  .was_default_source = mo_was_default_source
#define SAME_WITH_LIST                                                                             \
  .is_list = true, .offer_places = list_offer_places,                                              \
  .offer_places_to_revisit = list_offer_places_to_revisit, .is_taken = list_is_taken,              \
  .is_chain = model_is_chain, .continues_chain = list_continues_chain,                             \
  .default_source = list_default_source
void mo_offer_from_oldest (Explorer *x, Frame *f);
void mo_offer_places (Explorer *x, Frame *f);
void mo_offer_places_to_revisit (Explorer *x, Frame *f);
bool mo_is_taken (const Graph *g, Ev w, u32 place);
bool mo_is_chain (const Graph *g, u32 loc);
bool mo_continues_chain (const Graph *g, Ev w);
Ev mo_newest (const Explorer *x, u32 loc);
bool mo_may_be_newest (const Explorer *x, u32 loc, Ev w);
bool mo_may_be_final (Explorer *x, u32 loc, Ev w);
bool mo_was_default_source (Explorer *x, const Event *read, const Past *past);
u32 mo_oldest_place (Explorer *x, Ev e);

u32 list_oldest_place (Explorer *x, Ev e);
void list_offer_places (Explorer *x, Frame *f);
void list_offer_places_to_revisit (Explorer *x, Frame *f);
bool list_is_taken (const Graph *g, Ev w, u32 place);
bool list_continues_chain (const Graph *g, Ev w);
Ev list_default_source (const Explorer *x, u32 loc);
Ev list_only_newest (const Explorer *x, u32 loc);
bool list_may_be_newest (const Explorer *x, u32 loc, Ev w);
bool list_may_be_final (Explorer *x, u32 loc, Ev w);
bool list_was_default_source (Explorer *x, const Event *read, const Past *past);

bool order_axioms_may_hold (Explorer *x, Ev e);
bool order_rules_allow (Explorer *x, bool is_complete);

#endif
