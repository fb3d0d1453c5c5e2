/* core.h - the vocabulary that the VM, the graph, the models, the checks and the reports share. */
#ifndef PORF_CORE_H
#define PORF_CORE_H

#include "base/base.h"

#define PORF_VERSION "0.1.0"
#include "core/deps.h"

typedef enum Order {
#define ORDER(name, text) ORD_##name,
#include "core/order.def"
#undef ORDER
} Order;

typedef enum RmwOp {
#define RMW(name, text) RMW_##name,
#include "core/rmw.def"
#undef RMW
} RmwOp;

typedef enum FindingKind {
#define FINDING(name, text, meaning) FINDING_##name,
#include "core/finding.def"
#undef FINDING
  FINDING_KINDS
} FindingKind;

enum {
  FINDING_COUNT = 0
#define FINDING(name, text, meaning) +1
#include "core/finding.def"
#undef FINDING
};

/* What "no violation" takes for granted: assumption.def. A set of them has a bit each. */
typedef enum Assumption {
#define ASSUMPTION(id, word, text, option) ASSUMPTION_##id,
#include "core/assumption.def"
#undef ASSUMPTION
  ASSUMPTION_COUNT
} Assumption;
typedef struct AssumptionInfo {
  const char *word, *text;
  const char *option; /* that lifts it, or NULL */
} AssumptionInfo;
AssumptionInfo assumption_info (Assumption a);
#define ASSUMPTION_BIT(a) (1u << (a))

const char *order_name (Order o);
const char *rmw_name (RmwOp op);
const char *finding_kind_name (FindingKind kind);
const char *finding_kind_meaning (FindingKind kind);

static inline bool order_is_acquire (Order o) {
  return o == ORD_ACQ || o == ORD_ACQ_REL || o == ORD_SC;
}
static inline bool order_is_release (Order o) { return o >= ORD_REL; }

Order order_join (Order a, Order b); /* the weakest that is as strong as both */

/* What the access leaves in memory, in `size` bytes (values are zero-extended). */
u64 rmw_apply (RmwOp op, u64 old, u64 operand, u32 size);

#define SIZE_MASK(bytes) ((bytes) >= 8 ? ~0ull : (1ull << ((bytes) * 8)) - 1)

typedef u32 Tid; /* thread number: dense, main is 0, the same thread has the same number in every
                    execution */

/* What a thread is about to do when the VM hands control back. */
typedef enum EffectKind {
  EFF_READ,    /* load: answered with the value read */
  EFF_WRITE,   /* store of `value`; of plain accesses `expected` is the VM's own note */
  EFF_RMW,     /* read-modify-write by `rmw` with operand `value`: answered with the old value */
  EFF_CAS,     /* compare-exchange `expected` -> `value`: answered with the old value */
  EFF_LOCK,    /* mutex lock at addr: a CAS 0 -> tid+1 that waits; answered with 0 */
  EFF_TRYLOCK, /* mutex trylock at addr: a CAS 0 -> tid+1; answered with the old value */
  EFF_UNLOCK,  /* mutex unlock: store of 0 with release order */
  EFF_FENCE,   /* fence with `order` */
  EFF_CREATE,  /* thread `child` starts at function `func` with argument `value` */
  EFF_JOIN,    /* waits for thread `child` to end; answered with its return value */
  EFF_FREE,    /* frees the object at addr (only when other threads touch the object) */
  EFF_NONDET,  /* a choice among `expected` + 1 values: answered with one of them
                  (vm_nondet_value) */
  EFF_BLOCK,   /* an assumption failed: the thread never goes on (value: BlockWhy) */
  EFF_ERROR,   /* finding `error` with `text` */
  EFF_UNSUPPORTED, /* construct `text` is not supported: the search cannot follow this path */
  EFF_END, /* the thread has ended with return value `value`; `expected` is 1 if the process ends
              with it */
} EffectKind;

/* What a lock word holds when its lock has been destroyed; holders leave 1 + their number.
 * runtime/runtime.h says the same. */
enum { LOCK_DESTROYED = 0x10000 };

typedef enum BlockWhy { BLOCK_ASSUME, BLOCK_SPIN, BLOCK_EXIT, BLOCK_RETRY } BlockWhy;

/* Bits of a value that were never initialised. */
typedef struct Undefined {
  u64 bits;
  u64 addr; /* where such bits were first read, for people; 0 if not from memory */
  u32 pos;  /* by which code; 0 = unknown */
} Undefined;

typedef struct Effect {
  u8 kind;       /* EffectKind */
  u8 order;      /* Order; of the successful CAS */
  u8 order_fail; /* Order of a failing CAS */
  u8 size;       /* bytes accessed: 1, 2, 4, 8; 16 if atomic, then values are pairs, see vm.h */
  u8 rmw;        /* RmwOp */
  u8 error;      /* FindingKind */
  bool is_volatile, in_spin; /* in_spin: the access lies in a loop that can be a spin loop */
  bool is_unused;            /* EFF_RMW: no thread looks at the old value */
  u32 pos;                   /* index of the source position, see ir.h */
  u32 func;  /* EFF_CREATE: function index; EFF_LOCK: 0, or n if this is word n of a lock that is
                only held when all its words are */
  Tid child; /* EFF_CREATE, EFF_JOIN; EFF_NONDET: 1 if the last value comes in the long run */
  u64 addr, value, expected;
  Undefined undefined; /* EFF_WRITE, EFF_END: of the value */
  u64 whole_addr;      /* EFF_READ, EFF_WRITE: of the access that this is a piece of, see cells.c */
  u8 whole_size;       /* 0: it is none */
  bool is_merge; /* a read for the sake of the other bytes of a cell that is written in part */
  const char *text;
  /* Only if the VM was asked for dependencies: */
  u32 place;           /* in the thread: how many effects came before */
  u32 deps[DEP_KINDS]; /* sets of events that it depends on; of a read-modify-write, DEP_DATA is
                          that of the write and DEP_CAS of the read */
} Effect;

bool effect_equal (const Effect *a, const Effect *b);

/* An atomic access in several pieces, or any to a part of a location: it means what it should only
 * if no other thread is at work there. */
static inline bool effect_is_mixed (const Effect *e) {
  return e->whole_size && (e->order != ORD_NA || e->addr < e->whole_addr ||
                           e->addr + e->size > e->whole_addr + e->whole_size);
}
static inline bool effect_is_rmw (const Effect *e) {
  return e->kind >= EFF_RMW && e->kind <= EFF_TRYLOCK;
}
static inline bool effect_is_access (const Effect *e) { return e->kind <= EFF_UNLOCK; }
/* Whether a read-modify-write that finds `old` goes on to write, and what. */
static inline bool effect_rmw_writes (const Effect *e, u64 old, u64 *written) {
  if (e->kind == EFF_RMW) {
    *written = rmw_apply ((RmwOp)e->rmw, old, e->value, e->size);
    return e->rmw != RMW_TAKE || old;
  }
  *written = e->value;
  return old == e->expected;
}

#endif
