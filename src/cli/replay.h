/* replay.h - a counterexample as the JSON report holds it. */
#ifndef PORF_REPLAY_H
#define PORF_REPLAY_H

#include "base/json.h"

enum { FROM_INIT = -1, FROM_NONE = -2 };

typedef struct ReplayEvent {
  const char *thread, *kind, *order, *location, *file, *other;
  u32 line, column, size;
  u64 read, written, mo;
  i32 from; /* READ, RMW: event, FROM_INIT or FROM_NONE */
  bool reads, writes, is_lock, waits;
} ReplayEvent;

typedef struct ReplayThread {
  const char *name, *function, *status;
} ReplayThread;

typedef struct Replay {
  Json *json; /* owns all texts */
  const Json *finding;
  const char *program, *model; /* "main.c + queue.c" */
  VEC (ReplayEvent) events;
  VEC (ReplayThread) threads;
} Replay;

/* Reads a report and takes its finding number `wanted`, from 1. If that is not there: one message
 * and exit 2. */
void replay_open (Replay *r, const char *path, u32 wanted);
void replay_close (Replay *r);

void say_replay_value (Str *out, u64 value, u32 size); /* 42, -1, 0x40000000 */

/* Builds the program so that it can only run through this execution, and starts gdb; or only builds
 * it, with `keep`, which names it. Returns an exit code. */
int replay_in_gdb (const Replay *r, const char *keep, char **cflags, u32 ncflags);

#endif
