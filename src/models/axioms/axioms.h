/* axioms.h - the models once more, as lists of named axioms over whole graphs (docs/MODELS.md,
 * formula by formula).
 *
 * This is the second opinion on what the explorer found. It reads kinds, orders, flags, locations,
 * values, thread lines, rf and mo of a graph and nothing that was computed along the way (clocks,
 * positions in mo, lists of readers), and shares no code with the incremental checks of the models.
 */
#ifndef PORF_AXIOMS_H
#define PORF_AXIOMS_H

#include "models/model.h"
#include "models/axioms/relation.h"

/* Sets are identities, see relation.h. Event 0 stands for the initial writes of all locations: it
 * is a non-atomic write before everything else, and `loc` relates it to every access. No edge leads
 * to it, so no path goes through it from one location to another; only where two edges that leave
 * it are joined must `loc` be asked for. */
typedef struct Relations {
  const Graph *g;
  RelSpace space;
  Rel id, init, reads, writes, fences;
  Rel accesses;                     /* reads | writes */
  Rel locked, exclusive;            /* both halves of read-modify-writes */
  Rel handovers;                    /* creating and joining threads */
  Rel atomic, acquire, release, sc; /* by order; at least that */
  Rel po;                           /* program order within threads; event 0 before all */
  Rel sb;                           /* (po | thread creation | joining)+ */
  Rel loc, ext;                     /* same location; different threads */
  Rel rf, rmw;
  Rel mo; /* that of the graph, unless the model derives its own */
  Rel hb; /* as the model derives it */
  Rel sw; /* the same, if it has one */
} Relations;

typedef struct Axiom {
  const char *name;
  bool (*holds) (const Relations *r);
} Axiom;

/* axioms_jam.c */
bool jam19_is_coherent (const Relations *r);
bool jam21_is_coherent (const Relations *r);
bool jam21t_is_coherent (const Relations *r);

/* What is worth showing of a graph besides po, rf, mo and fr. */
typedef struct Layer {
  const char *name;
  Rel (*of) (const Relations *r);
  bool is_transitive; /* what follows from the rest need not be shown */
} Layer;

enum { AXIOMS_MAX = 8, LAYERS_MAX = 4 };

typedef struct Axioms {
  void (*derive) (Relations *r); /* hb, or another mo; may be NULL */
  Axiom list[AXIOMS_MAX + 1];    /* ends where the name is NULL */
  Layer layers[LAYERS_MAX + 1];  /* the same */
  /* The same: by the name of an axiom, a relation that has a cycle where it does not hold. */
  Layer cycles[AXIOMS_MAX + 1];
} Axioms;

void axioms_init_relations (Relations *r, const Graph *g); /* then the model may derive more */
const Axiom *axioms_first_violated (const char *model, const Axiom *list, Relations *r);
bool twin_allows (const Model *m, const Graph *g); /* twin.c */
struct CatModel *twin_read (const Model *m);       /* to be freed */
void twin_show_relations (const Model *m, const Graph *g, RelationShower *show, void *arg);
/* neighbours.c: a shortest cycle that shows why a does not hold, through `read` if possible. */
void axioms_find_broken_cycle (const Axioms *of, const Relations *r, const Axiom *a, Ev read,
                               NeighbourEdges *out);

#endif
