/* replay.h - a counterexample as the JSON report holds it. */
#ifndef PORF_REPLAY_H
#define PORF_REPLAY_H

#include <stdio.h>

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

/* Reads a report and takes its finding number `wanted`, from 1. False, with a message: it is not
 * there. To be closed in any case. */
bool replay_read (Replay *r, const char *text, size_t size, u32 wanted, Str *error);
void replay_close (Replay *r);
const char *replay_message (const Replay *r);

typedef struct Viewer {
  Replay replay;
  char *path, *text; /* the file that was read last */
  u32 at;            /* step, from 0; events.size: after the last */
  FILE *out;
} Viewer;

void show_step (Viewer *v);    /* the one it is at, or the end */
void show_threads (Viewer *v); /* where they stand, and what they have read */
void list_steps (Viewer *v);

/* Builds the program so that it can only run through this execution, and starts gdb; or only builds
 * it, with `keep`, which names it. Returns an exit code. */
int replay_in_gdb (const Replay *r, const char *keep, char **cflags, u32 ncflags);

#endif
