/* repair_int.h - what the files of this folder share. */
#ifndef PORF_REPAIR_INT_H
#define PORF_REPAIR_INT_H

#include "futures/futures.h"
#include "core/relations.h"
#include "repair/repair.h"

typedef struct Ref {
  u32 function, insn;
} Ref;

/* A place of the source that makes a memory access or a fence: all instructions made from it. */
typedef struct Site {
  u8 op;     /* Op */
  u8 access; /* WitnessKind */
  u8 order, order_fail;
  bool is_given_order; /* by the caller: other orders are possible there */
  u32 pos, called_at;
  VEC (Ref) refs;
} Site;
typedef VEC (Site) Sites;

/* A change of what the program does, beyond its orders. */
typedef struct Rewrite {
  Change change; /* `from` is the weakest order that an update can have */
  u32 function;
  u32 load, store;        /* UPDATE: instructions; the load if there is one in that function */
  u32 first, middle, end; /* SWAP: instructions of the two lines */
  u32 result;             /* UPDATE_IF_…: the instruction that says what is returned */
} Rewrite;

/* A change under trial. */
typedef struct Trial {
  u8 kind;   /* ChangeKind */
  u8 orders; /* index into the levels of what is changed, see trial.c */
  u32 site;  /* or rewrite */
} Trial;
typedef VEC (Trial) Trials;

/* The orders of an operation; `fail` of a compare-exchange that fails. */
typedef struct Orders {
  u8 order, fail;
} Orders;

typedef struct Search {
  Program *p;
  const ExploreOptions *options;
  const Finding *f;
  Sites sites; /* the likeliest culprits first */
  VEC (Rewrite) rewrites;
  double deadline;
  u64 executions; /* of the last check that passed */
  VEC (SavedBody) saved;
} Search;

/* sites.c: the places that a witness runs through; or all that a program has, in their order. */
void sites_collect (Search *s);
void sites_collect_all (Search *s);
void sites_free (Sites *sites);
bool sites_same_place (const Program *p, u32 a,
                       u32 b); /* a template has one in several functions */

/* update.c: atomic updates in place of stores that lose what others have written. */
void update_collect (Search *s);
/* swap.c: neighbouring lines that can change places. */
void swap_collect (Search *s);
static inline bool is_rewrite (u8 kind) { return kind == CHANGE_UPDATE || kind == CHANGE_SWAP; }
void update_apply (Search *s, const Rewrite *r, u8 order);
bool swap_apply (Search *s, const Rewrite *r); /* false: one line needs the other */

/* edit.c: edits of the text; *tried: how many there were. */
bool repair_text (Search *s, const Recompiler *recompiler, Result *result, Fix *out, u32 *tried);

/* trial.c */
u32 trial_strongest (const Search *s, u8 kind, u32 site); /* the last level */
bool trial_is_change (const Search *s,
                      Trial t); /* whether there is anything to be changed that way */
bool trial_passes (Search *s,
                   const Trials *trials);         /* false also if there was no time to find out */
bool trial_fails_anyhow (Search *s, Repair *out); /* even if everything is as strong as can be */
Change trial_change_of (const Search *s, Trial t);
/* A body that may be changed until all are put back. */
Function *trial_changed_function (Search *s, u32 function);
void trial_put_back (Search *s);
bool trial_explore (Search *s, const Model *model, Result *result); /* false: no time left */

#endif
