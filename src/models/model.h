/* model.h - what a memory model tells the explorer.
 *
 * A model is one constant of type Model and one row of models.def. The explorer builds graphs event
 * by event; each step adds an event that is last in its thread. Unless a
 * model says otherwise (`reexecutes`, `promises`, `has_partial_graphs`), po u rf is acyclic by construction.
 *
 * Coherence is decided by a clock: a read may not see a write that is overwritten, in mo, by
 * something the clock knows; a write is placed in mo after everything of its location that the
 * clock knows.
 *
 * The remaining axioms are global: `is_consistent (g, e)` says whether the graph still satisfies
 * them after e was given its source or its place. A graph in which the newest event was added
 * *maximally* (a write at the end of mo, a read of the last write) has no new edge that leaves the
 * event, so it needs no check: the explorer does not call it then.
 */
#ifndef PORF_MODEL_H
#define PORF_MODEL_H

#include "base/fingerprint.h"
#include "base/relation.h"
#include "graph/graph.h"

typedef enum CoherenceBy {
  COHERENT_BY_HB,   /* happens-before */
  COHERENT_BY_PORF, /* (po u rf)+ */
  COHERENCE_UNKNOWN
} CoherenceBy;

/* Whether a read of a write that is not the newest can forbid something to other threads later on.
 * If not, a load that waits may be left out until it can succeed (docs/ALGORITHM.md). Models
 * without mo have no newest write: they constrain. */
typedef enum OldReads {
  OLD_READS_HARMLESS,
  OLD_READS_HARMLESS_WITHOUT_SC,
  OLD_READS_CONSTRAIN
} OldReads;

/* What a prefix holds of a thread besides what events depend on, in models with partial graphs. */
enum {
  KEEPS_PO = 1,              /* all that is before: the model forbids cycles of po and rf */
  KEEPS_FENCES = 2,          /* what a fence is between */
  KEEPS_ACQUIRE = 4,         /* an acquire read and what is after it */
  KEEPS_RELEASE = 8,         /* a release write and what is before it */
  KEEPS_LOC = 16,            /* accesses of the same location */
  KEEPS_LOC_R = 32,          /* the same before a read of what another thread writes */
  KEEPS_LOC_WR = 64,         /* writes of the same location before such a read */
  KEEPS_ACQUIRE_UNFED = 128, /* as KEEPS_ACQUIRE, unless Event.is_fed */
  KEEPS_LOC_OWN = 256,       /* later writes of the thread to where a read sees an earlier one */
};

/* What it took to find an order of pushes. */
typedef struct PushWork {
  u64 passes;  /* over the graph, until nothing changed */
  u64 choices; /* beyond that: orders of writes that were tried, */
  u64 retries; /* and taken back */
} PushWork;

/* What the engine `futures` has to keep of a graph: docs/FUTURES.md. */
typedef enum Residue {
  RESIDUE_UNKNOWN,        /* the engine is not for this model */
  RESIDUE_VIEWS,          /* who knows which writes, and further_residue */
  RESIDUE_VIEWS_OR_TURNS, /* the same, but if all but locks is seq_cst, RESIDUE_TURNS */
  RESIDUE_TURNS,          /* executions are interleavings: the last write of each location */
} Residue;

struct Kept;
typedef struct Model Model;
struct Model {
  const char *name;
  const char *title;
  const char *paper; /* key of docs/papers.md */
  CoherenceBy coherence;
  bool has_mo; /* executions differ by mo; if not, writes are unordered and mo is merely a list */
  bool synchronises; /* reads and fences acquire what releases published; if not, hb is po, create
                        and join */
  bool has_c11_release_sequences; /* a later plain store of the same thread continues a release
                                     sequence */
  bool releases_fence; /* a release store orders other accesses even if no thread reads it */
  bool acquires_fence; /* the same for acquire loads, whatever they read */
  bool sees_private;   /* accesses order others even if no other thread can see them */
  OldReads old_reads;
  bool relaxed_updates_commute; /* without fences, relaxed RMWs order nothing but each other */
  bool races_are_errors;
  Residue residue;
  Fingerprint (*further_residue) (
      const struct Kept *k); /* what the axioms ask for, or NULL: residue.h */
  bool reexecutes; /* cycles of po and rf come of re-execution: explore/cyclic/xmm/reexecute.c */
  bool promises;   /* and it re-executes one thread, which must keep its promises: promise.c */
  bool (*is_consistent) (const Graph *g, Ev e); /* NULL: coherence is all */
  bool (*is_before) (const Graph *g, Ev a,
                     Ev b);       /* whether a is done before b, a free; NULL: by hb */
  const struct PushRules *pushes; /* coherence follows from visibility and from an order of pushes
                                     that is to be found (jam.c): instead of is_consistent */
  bool volatile_is_sc;         /* executions with seq_cst accesses alone are consistent iff they are
                                  interleavings */
  const struct Axioms *axioms; /* the whole definition, for model_violated_axiom */
  const char *axiom_names[8];  /* without them: as the twin in cat/ calls its rules */
  const struct CatModel *rules; /* instead of axioms, of a model from a file: file.h */
  bool has_flags;               /* some of them forbid nothing: model_show_flags */
  bool has_undefined;           /* and of these some leave programs undefined */
  bool cuts;                    /* graphs that break them are given up */
  bool cuts_all;                /* so that none is left that is complete and breaks one */
  /* Nothing is known but that the axioms stay broken once they are, and that (prefix u rf) is
   * acyclic: explore/order/partial.c. `allows`: whether the graph, which may have holes, satisfies
   * them; NULL if the model has rules. */
  bool has_partial_graphs;
  u16 keeps;          /* KEEPS_... */
  u16 keeps_back;     /* instead, if threads read what they have updated; 0: the same */
  bool splits_rmws;   /* read-modify-writes need not be atomic; locks are nevertheless */
  bool has_ctrl_of_c; /* its ctrl ends with the `if`, while that of graphs does not */
  u8 thin_air; /* it does not forbid cycles of rf and dependencies, which are not visited: in how
                  many threads these must depend on reads; 0: it does */
  bool (*allows) (const Model *m, const Graph *g);
  const struct Mapping *mapping; /* what C11 becomes on the processor that this is a model of */
  bool asks_dependencies;        /* its rules mention addr, data or ctrl */
  const char *twin;              /* of models with `allows`: the text of its definition in cat/ */
  bool asks_at_end;              /* some may only be broken until a graph is complete */
  bool
      counts_iterations; /* they might allow an execution only with failed iterations of a spin loop */
};

/* What others ask of a model, whatever it follows from.
 *
 * What is true of every native model is not known of one in a file: nothing is left out or merged
 * then, and whether memory is freed too early is not judged. */
static inline bool model_is_little_known (const Model *m) {
  return m->rules || m->has_partial_graphs;
}
/* A search of its own adds the executions with cycles of po and rf. */
static inline bool model_adds_cycles (const Model *m) { return m->reexecutes; }
/* The clocks and is_consistent decide about graphs, and these have no cycles of po and rf. */
static inline bool model_goes_by_clocks (const Model *m) {
  return !model_is_little_known (m) && !model_adds_cycles (m) && !m->pushes;
}
/* Where plain accesses race, it allows cycles of po and rf, which are not visited. */
static inline bool model_leaves_out_plain_cycles (const Model *m) { return m->pushes; }
static inline bool model_reports_races (const Model *m, bool plain_races) {
  return m->races_are_errors || (m->pushes && plain_races);
}

const Model *model_find (const char *name); /* NULL if there is none */
const Model *model_at (u32 i);              /* NULL after the last */
const Model *model_strongest (void);        /* allows what every model allows: interleavings */

/* The name of an axiom of m, as it is written, that g does not satisfy ("coherence", "atomicity",
 * "psc", ...); NULL if g is consistent. Slow (n^3/64 for n events), and independent of everything
 * else here: for confirming what was found. Every read of g must have its source, every write its
 * place. */
const char *model_violated_axiom (const Model *m, const Graph *g);

/* Whether a graph, some reads of which may have no source yet, satisfies the axioms of m so far. As
 * slow. */
bool model_may_grow (const Model *m, const Graph *g);
/* The same for xmm, faster. `before` has 64 words: what is before each event in hb. Or only for the
 * newest event, and the one before it if that is the read half, where all was well without it. */
bool xmm_may_grow (const Graph *g, u64 *before);
bool xmm_may_grow_by (const Graph *g, Ev e, u64 *before);

/* The same in two steps, for wkmo2: what happens before what, by the relations of the graph, not by
 * its clocks; and the axioms. */
typedef struct HbRows {
  Relation after; /* by event: those after it */
  u64 few[64];    /* room for small ones */
} HbRows;
void hb_init (HbRows *hb, const Graph *g);
void hb_done (HbRows *hb);
static inline bool hb_has (const HbRows *hb, Ev a, Ev b) { return relation_has (&hb->after, a, b); }
bool hb_is_consistent (const HbRows *hb, const Graph *g);

const char *model_axiom_at (const Model *m, u32 i); /* its axioms by name; NULL after the last */

/* The relations that the model speaks of, pair by pair; of a transitive one what the others do not
 * follow from. As slow. */
typedef void RelationShower (void *arg, const char *name, Ev a, Ev b);
void model_show_relations (const Model *m, const Graph *g, RelationShower *show, void *arg);

/* What the reads of g could have read instead. Only what was there without the read counts, and
 * only a bounded number of neighbours is looked at, the latest reads first. */
typedef struct NeighbourEdge {
  Ev from, to;
  const char *name; /* of a relation */
} NeighbourEdge;
typedef VEC (NeighbourEdge) NeighbourEdges;
typedef struct Neighbour {
  Ev read, write;
  const char *axiom;    /* the one that forbids it, or NULL: it is possible */
  NeighbourEdges cycle; /* why, if a cycle can show it */
} Neighbour;
typedef void NeighbourShower (void *arg, const Neighbour *n);
void model_show_neighbours (const Model *m, const Graph *g, NeighbourShower *show, void *arg);

/* Which axiom, or rule of a file, forbids g, and a cycle if one can show it; false if none does, or
 * if the model cannot be asked because g has no mo. As slow. To be freed with model_why_not_done. */
typedef struct WhyNot {
  char *axiom;
  NeighbourEdges cycle; /* of rules: without names */
} WhyNot;
bool model_why_not (const Model *m, const Graph *g, WhyNot *why);
void model_why_not_done (WhyNot *why);

/* Whether the rules of a model from a file allow a graph, as far as they can be asked of one that
 * is not complete. The explorer builds graphs that they forbid; of other models it does not. */
bool model_allows (const Model *m, const Graph *g, bool is_complete);

/* The same for one graph after the other, which is faster. NULL if the model is not from a file. */
typedef struct ModelEval ModelEval;
ModelEval *model_new_eval (const Model *m);
void model_free_eval (ModelEval *v);
bool model_allows_next (const Model *m, ModelEval *v, const Graph *g, bool is_complete);
/* Dies if the two do not agree. */
bool model_check_next (const Model *m, ModelEval *v, const Graph *g, bool is_complete);

/* Rules of a model file that forbid nothing: calls show for each that a complete execution
 * raises. */
typedef struct RaisedFlag {
  const char *name;
  bool is_undefined; /* the model leaves the program undefined; else it only has a name for this */
  Ev first, last;    /* between which, or EV_NONE */
} RaisedFlag;
typedef void FlagShower (void *arg, const RaisedFlag *f);
void model_show_flags (const Model *m, const Graph *g, FlagShower *show, void *arg);

/* Clocks of an event whose po-predecessor's clocks it carries: synchronises (reads, fences) and
 * prepares what later readers acquire (writes). To be called once the source of a read is set. */
void model_update_clocks (const Model *m, Graph *g, Ev e);

static inline const Clock *model_coherence_clock (const Model *m, const Graph *g, Ev e) {
  return m->coherence == COHERENT_BY_HB ? graph_hb (g, e) : graph_porf (g, e);
}

/* The place in mo of the newest write of `loc` that `clock` knows, directly or through a read of
 * it: nothing older may be read, and a new write belongs after it. */
u32 model_mo_bound (const Graph *g, const Clock *clock, u32 loc);

/* Models without mo. Whether a new event with this clock may read w; the source that counts as the
 * maximal one among the writes for which `in (arg, w)` holds; the write that is after all others,
 * or EV_NONE. */
bool model_may_read (const Graph *g, const Clock *clock, u32 loc, Ev w);
bool model_has_successor (const Model *m, const Graph *g, u32 loc, Ev w,
                          bool (*in) (const void *arg, Ev e),
                          const void *arg); /* one that is known to come after w */
Ev model_default_source (const Model *m, const Graph *g, u32 loc,
                         bool (*in) (const void *arg, Ev e), const void *arg);
Ev model_only_last (const Graph *g, u32 loc);

/* Models with pushes. Whether there is an order of the pushes of a graph, or of a porf-closed part
 * of it, that makes it consistent; without mo and in a complete execution, the write that is last
 * in the list of a location is the final one. A maximal step can break this. */
bool model_allows_pushes (const Model *m, const Graph *g, const Clock *part, bool is_complete,
                          PushWork *work);
/* Whether an attempt to run the threads of the graph, or, with_finals, to run them such that each
 * location ends with the last write of its list, shows that there is one; whether clocks show that
 * this cannot be. */
typedef enum Attempt { ATTEMPT_NONE, ATTEMPT_FAILED, ATTEMPT_SUCCEEDED } Attempt;
bool model_is_interleaving (const Graph *g, bool with_finals);
bool model_has_no_interleaving (const Graph *g, bool with_finals);
/* With what write of a location that attempt ends, on a part of the graph; false if it fails. It is
 * a function of the part, however its events are numbered. */
bool model_runs (const Graph *g, const Clock *part, u32 loc, Ev *last);

/* Without mo as well: whether e leaves the graph coherent, pushes aside, which a maximal step
 * always does; whether a read of w in that part of the graph is maximal, or would be if among
 * equals `any` could be the default. If it tried to run the threads, *attempt is set. */
bool model_adds_maximally (const Graph *g, Ev e); /* if the clocks show it */
/* Whether the list of writes is as good as mo, as far as the clocks show it; in what place the
 * oldest write is that e may read, 0 if it is not. */
bool model_is_chain (const Graph *g, u32 loc);
u32 model_list_bound (const Graph *g, Ev e);
/* Places, in the list of the location, of writes that e cannot read for what its thread knows, as
 * far as the clocks show it: a bit for each of the first 64. */
u64 model_overwritten (const Graph *g, Ev e);
bool model_is_coherent (const Model *m, const Graph *g, Ev e, Attempt *attempt);
bool model_is_default_source (const Model *m, const Graph *g, u32 loc, Ev w, const Clock *part,
                              bool any);
Ev model_default_of (const Model *m, const Graph *g, u32 loc);
bool model_is_surely_before (const Graph *g, Ev v, Ev w); /* if clocks or updates show it */
/* Whether w comes last, if the clocks show it: then no order of pushes can say otherwise. The place
 * of the write that does if clocks or updates show it, or 0. */
bool model_is_clearly_last (const Graph *g, u32 loc, Ev w);
u32 model_sure_last (const Graph *g, u32 loc);
/* Whether w can be the final write of its location, pushes aside; the only one that can, or
 * EV_NONE. */
bool model_may_be_last (const Model *m, const Graph *g, u32 loc, Ev w);
Ev model_only_last_visible (const Model *m, const Graph *g, u32 loc);

#endif
