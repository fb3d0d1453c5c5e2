/* check.h - one check after another, whoever asks for them: the command line or the library.
 *
 *   Check c = check_open (args);
 *   int code = check_each (&c, &client);
 *   check_close (&c);
 *
 * Nothing here prints reports: a Client gets programs that are ready to be explored, and explores
 * them by what is below. */
#ifndef PORF_SESSION_CHECK_H
#define PORF_SESSION_CHECK_H

#include "litmus/litmus.h"
#include "machine/machine.h"
#include "session/models.h"
#include "witness/witness.h"

typedef struct Check { /* the program that is being checked */
  const Args *args;
  void *owner;              /* whatever the client wants to find again */
  double started, deadline; /* of the command, by seconds_now; deadline: 0 without --timeout */
  volatile int *stop;       /* when it is not 0 searches end soon; or NULL */
  Models models;            /* as given */
  const Model *model;       /* at work */
  Program *program;
  const char *path;     /* of the file with main */
  const Litmus *litmus; /* what the program asks if it is a litmus test, or NULL */
  Report report;
  Witness last;       /* kept for the picture of a program without violations */
  bool keep_last;     /* then nothing else may want to see executions, or it calls check_keep */
  bool explores_all;  /* whatever is found, and merging nothing that can be told apart */
  bool shows_private; /* also memory that one thread alone uses */
} Check;

typedef struct Client {
  void (*on_begin) (Check *c, const char *path, bool is_first); /* or NULL */
  int (*on_program) (Check *c);                                 /* returns an exit code */
  /* Of a program that will not be checked; is_told: the user has read so. */
  void (*on_unchecked) (Check *c, const char *path, const char *why, bool is_told);
} Client;

Check check_open (const Args *a);
/* Loads the files and hands out the programs that they make up. Returns the worst exit code. */
int check_each (Check *c, const Client *client);
void check_close (Check *c);

/* The report of a program of which nothing is known, as long as `write` looks at it. */
void check_unknown (const Check *c, const char *file, const char *why,
                    void (*write) (const Report *r, void *arg), void *arg);
void check_say_late (const Check *c, const char *doing, Str *out); /* why: time was up meanwhile */

double check_time_left (const Check *c); /* in seconds, until --timeout is up; else a long time */
void check_use_model (Check *c, const Model *m);

/* ---- what engines are told; callbacks get the Check */

ExploreOptions check_explore_options (Check *c);
MachineOptions check_machine_options (Check *c);
const char *check_name_of_model (const Check *c); /* or of the machine, as in reports */
void check_keep (Check *c, const Execution *e);   /* as the last one */
/* By the engine that was asked for; not the machine. */
Result check_search (const Check *c, const ExploreOptions *options);
/* Looks for a fix of what was found, and at other models. */
void check_repair (Check *c, const ExploreOptions *options, Result *result);

#endif
