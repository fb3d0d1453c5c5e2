/* cat.h - memory models that are read from files: herd's cat language [Herd-TOPLAS'14] and the
 * small language of src/models/mcm.
 *
 * A model becomes a list of named rules over terms of a relational algebra (algebra.h). It is
 * analysed once; `cat_allows` evaluates it on one execution graph.
 *
 * What the words of a model mean here:
 *  - Every location that is accessed has an initial write of its own in IW and W. It is in co
 * before the location's other writes, in no program order, and external to everything.
 *  - `po` is program order, and what creating and joining threads adds to it; `po & int` is program
 *    order within threads. The events that create and join are in Create and Join.
 *  - A read-modify-write is two events, related by rmw, both in RMW (and in X, together with the
 *    reads of compare-exchanges that fail), if the model mentions rmw or instructions. Else it is
 *    one event, in R and in W: updates.c.
 *  - co is part of a graph: `with co from generate_cos (r)` takes it, and adds that r is part of
 * it.
 */
#ifndef PORF_CAT_H
#define PORF_CAT_H

#include "graph/graph.h"

typedef struct CatModel CatModel;

/* Reads a model; NULL if it is wrong, with a message in *error that shows where. Files that it
 * includes are looked for beside it, then among those that are built in. `is_mapped`: it is one of
 * a processor, and of programs that become its instructions. */
CatModel *cat_load (const char *path, bool is_mapped, Str *error);
/* The same from a text, which can include nothing but built-in files. */
CatModel *cat_read (const char *name, const char *text, size_t size, Str *error);
void cat_free (CatModel *m);

const char *cat_title (const CatModel *m);
u64 cat_digest (const CatModel *m); /* differs if what was read differs, but for rare chance */

/* A rule that does not hold, and where: a cycle in the order of its edges, the ends of a pair, or
 * single events. Initial writes are EV_INIT. */
typedef struct CatViolation {
  const char *rule; /* its name, or its text */
  VEC (Ev) events;
  bool is_cycle;
} CatViolation;
void cat_violation_free (CatViolation *v);

/* Whether the graph satisfies every rule. Every read has its source, every write its place, and
 * the halves of RMWs are neighbours. `why` may be NULL; what it held before is freed. After 100,000
 * orders of `with … from linearisations` that do not fit the graph is allowed: nothing is missed
 * then, but more may be found than there is. */
bool cat_allows (const CatModel *m, const Graph *g, CatViolation *why);

/* Whether the graph satisfies every rule and raises one that forbids nothing; where, as if that
 * were broken. */
bool cat_raises (const CatModel *m, const Graph *g, u32 rule, CatViolation *where);

/* Calls show for every pair of the relations that the model wants to have shown (`show`), or of
 * those that are to be acyclic if it says nothing; without those that follow from two others. */
typedef void CatShower (void *arg, const char *name, Ev a, Ev b);
void cat_show (const CatModel *m, const Graph *g, CatShower *show, void *arg);

/* The same for a graph that may still grow: only rules that, once broken, stay broken. */
bool cat_allows_so_far (const CatModel *m, const Graph *g, CatViolation *why);

/* Graphs that are built in ways that keep some rules: evaluators do not ask these. */
enum {
  CAT_BUILT_PORF = 1,     /* acyclic po | rf */
  CAT_BUILT_COHERENT = 2, /* acyclic (po & loc) | rf | co | fr */
  CAT_BUILT_ATOMIC = 4,   /* empty rmw & (fr; co) */
};

/* The same for one graph after the other. Of a graph that resembles the one before it only what is
 * new is looked at: docs/CAT.md. */
typedef struct CatEval CatEval;
CatEval *cat_eval_new (const CatModel *m, u32 built);
void cat_eval_free (CatEval *v);
bool cat_eval_allows (CatEval *v, const Graph *g, bool is_growing);
/* Compares it with what comes out if the graph is looked at as a whole, and dies if that
 * differs. */
void cat_eval_check (CatEval *v, const Graph *g, bool is_growing);

/* What is known of a model. What could not be proved is false. */
typedef struct CatFacts {
  bool is_coherent; /* implies acyclic (po & loc) | rf | co | fr; if nothing uses co, of what it
                       must order: reads see nothing older than what their thread knows */
  bool is_atomic;   /* the write of a read-modify-write is next in co to what the read sees */
  bool is_porf_acyclic;
  bool is_monotone;   /* all rules are */
  bool is_extensible; /* an event that nothing follows breaks no monotone rule: extend.c */
  bool is_usual;      /* enough for a search that follows no graph that breaks a monotone rule */
  bool can_leave_out; /* what the rules allow, they allow without some of its events */
  bool uses_co;
  bool needs_dependencies; /* mentions addr, data or ctrl */
  bool has_ctrl_of_c;      /* mentions ctrl, and is a model of C: there it ends with the `if` */
  bool needs_mapping;      /* mentions sets of events that only a processor has */
  bool has_choices;        /* with ... from linearisations (...) */
} CatFacts;
const CatFacts *cat_facts (const CatModel *m);

/* What prefixes may hold under the rules, where C11 becomes the instructions of `mapping`, or NULL:
 * keeps.c. */
struct Mapping;
typedef struct CatKeeps {
  u16 keeps;                /* KEEPS_… of model.h */
  bool unless_reading_back; /* only KEEPS_LOC_OWN if threads read what they have updated */
} CatKeeps;
CatKeeps cat_keeps (CatModel *m, const struct Mapping *mapping);
/* Whether cycles of rf and dependencies are forbidden. */
bool cat_forbids_thin_air (CatModel *m, const struct Mapping *mapping);

typedef struct CatRule {
  const char *name, *text; /* the text as it stands in the file */
  const char *file;
  u32 line;
  bool forbids;      /* else it only flags executions, */
  bool is_undefined; /* or says that the program is undefined */
  bool is_monotone;  /* once broken it stays broken however the graph grows */
} CatRule;
u32 cat_rule_count (const CatModel *m);
CatRule cat_rule (const CatModel *m, u32 i);

/* The sets of instructions that the rules mention, by name; NULL after the last. */
const char *cat_mentioned_set (const CatModel *m, u32 i);

/* All of that as text, for people. */
void cat_describe (const CatModel *m, Str *out);

#endif
