/* engine.h - the engine as the differential tester sees it: IR text in, canonical graphs out. */
#ifndef DIFF_ENGINE_H
#define DIFF_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct EngineOptions {
  bool check_invariants; /* let the engine check itself after every step (slow) */
  bool no_reductions;
} EngineOptions;

/* `number` counts from 1. It starts again when the engine learns that memory which it took for
 * private is shared and begins anew: what was said before does not count then. */
typedef void (*EngineSink) (void *arg, uint64_t number, const char *graph, size_t length);

/* Calls sink with the canonical text of every execution that the engine visits, in its order.
 * False, with the reason in `why`, if it does not know the model or did not cover everything. */
bool engine_run (const char *ir, size_t size, const char *model, EngineOptions options,
                 EngineSink sink, void *arg, char *why, size_t why_size);

#endif
