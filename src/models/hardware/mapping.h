/* mapping.h - how a compiler maps C11 to hardware: for every operation and memory order the events
 * of the instructions that it becomes, in program order. hardware.def says what there is,
 * mapping.def has the usual mappings. A mapping is text:
 *
 *     target power                        # first; comments go to the end of the line
 *     load  na,rlx = R
 *     load  sc     = sync R ctrl isync    # from the load on, everything depends on it by a branch
 *     ...
 *     fence acq    = lwsync
 *
 * Rows are load, store, rmw, cas, fail and fence; every order that an operation can have must have
 * one row, but cas is like rmw if there is none. A compare-exchange takes the row of its two orders
 * joined. One that fails does what stands before the write, then the row `fail` of its failure
 * order, if there is one; if that row has a read it is all that such a one does. `none` stands for
 * no event at all.
 */
#ifndef PORF_MAPPING_H
#define PORF_MAPPING_H

#include "core/core.h"

typedef enum Target {
#define TARGET(name, text, title) TARGET_##name,
#include "models/hardware/hardware.def"
  TARGET_COUNT
} Target;

typedef enum Hardware {
  HW_NONE,
#define HARDWARE(target, name, text, step, doc) HW_##target##_##name,
#include "models/hardware/hardware.def"
  HW_COUNT
} Hardware;

typedef enum MapOp { MAP_LOAD, MAP_STORE, MAP_RMW, MAP_CAS, MAP_FAIL, MAP_FENCE, MAP_OPS } MapOp;

typedef enum StepKind { STEP_READ, STEP_WRITE, STEP_FENCE, STEP_CTRL } StepKind;

typedef struct MapStep {
  u8 kind;     /* StepKind */
  u8 hardware; /* Hardware; of STEP_CTRL: HW_NONE */
} MapStep;

enum { MAP_STEPS = 8 }; /* of one row */

typedef struct MapRow {
  MapStep steps[MAP_STEPS];
  u32 count;
  u32 line; /* where it was said; 0: not at all */
} MapRow;

typedef struct Mapping {
  Target target;
  MapRow rows[MAP_OPS][ORD_SC + 1];
} Mapping;

typedef struct MapError {
  u32 line, column, length; /* of what is wrong, from 1; columns are bytes */
  char message[400];
} MapError;

/* False, and *error, if the text is no mapping. */
bool mapping_read (Mapping *m, const char *text, size_t size, MapError *error);
/* "FILE:3:12: error: ...", the line and a caret below it. */
void mapping_say_error (const char *file, const char *text, size_t size, const MapError *e,
                        Str *out);
/* As text, one row an operation and an order; reading that again gives the same. */
void mapping_print (const Mapping *m, Str *out);

/* The mappings of mapping.def. */
#define MAPPING(id, text, to) extern const Mapping mapping_##id;
#define ROWS(...)
#define UPDATES(...)
#define END_MAPPING
#include "models/hardware/mapping.def"
#undef MAPPING
#undef ROWS
#undef UPDATES
#undef END_MAPPING

const char *mapping_name (u32 i); /* NULL after the last */
bool mapping_find (const char *name, Mapping *m);

const char *target_name (Target t);
const char *hardware_name (Hardware h);
Order hardware_order (Hardware h); /* of IMM's events; else relaxed */

#endif
