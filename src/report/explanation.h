/* explanation.h - a finding in words: notes below source lines, steps, why, and help. */
#ifndef PORF_REPORT_EXPLANATION_H
#define PORF_REPORT_EXPLANATION_H

#include "report/report_int.h"

/* ---- explain.c */

typedef struct Explanation Explanation;
typedef struct Note {
  Tid tid;
  u32 pos;
  i32 event;
  bool is_primary;
  bool is_stale; /* a read that does not see a write which came before it */
  void (*say) (Explanation *x, const struct Note *n, Str *out);
} Note;

typedef struct Blame { /* a place to change, and what was done there */
  u32 pos;
  i32 event; /* or NONE */
} Blame;

struct Explanation {
  View view;
  const Finding *finding;
  const char *model;
  bool weak_orders, is_compiled;
  bool is_by_volatile; /* a race of volatile accesses */
  Relations relations;
  VEC (Note) notes;       /* in the order in which they are shown: thread by thread */
  VEC (Blame) blamed;     /* what to change first */
  Str why, help, or_else; /* any may be empty; or_else is another way to do what help asks for */
};

Explanation explain_finding (const Report *r, const Finding *f);
void explanation_free (Explanation *x);

/* ---- notes.c */

void say_note (Explanation *x, const Note *n, Str *out);
/* Where the function was called, if its line has something to tell of another call, too; or 0. */
u32 explain_note_caller (const Explanation *x, const Note *n);
/* Whether the text leaves the order of an atomic access to a macro, a variable or another line. */
bool explain_is_order_hidden (const Explanation *x, u32 pos, Order order);

/* What a note can say. */
void say_read (Explanation *x, const Note *n, Str *out);
void say_blamed (Explanation *x, const Note *n, Str *out); /* that, or what is written */
void say_access (Explanation *x, const Note *n, Str *out);
void say_here (Explanation *x, const Note *n, Str *out);  /* of a finding */
void say_there (Explanation *x, const Note *n, Str *out); /* of its other side */
void say_origin (Explanation *x, const Note *n, Str *out);
void say_failed_allocation (Explanation *x, const Note *n, Str *out);
void say_lock_wait (Explanation *x, const Note *n, Str *out);
void say_join_wait (Explanation *x, const Note *n, Str *out);
void say_spin (Explanation *x, const Note *n, Str *out);
void say_held (Explanation *x, const Note *n, Str *out);
void say_only_here (Explanation *x, const Note *n, Str *out);

/* ---- why.c */

void explain_why (Explanation *x); /* why, help, or_else and what is blamed, from the notes */

bool explain_has_schedule (
    const Explanation *x); /* the engine has said in which order things happened */
void explain_schedule (const Report *r, Explanation *x, Str *out);
bool explain_is_told_in_steps (const Explanation *x); /* an interleaving is what explains it */

/* ---- help.c */

const char *view_access_name (u8 kind); /* load, store, update, fence */
void say_fix (Explanation *x, const Fix *f, Str *help);

/* ---- steps.c */

typedef struct Step {
  Tid tid;
  u32 pos, caller; /* position, and that of the call around it, or 0 */
  i32 event;       /* of the witness; WITNESS_NONE: what goes wrong at last */
} Step;
typedef VEC (Step) Steps;
typedef VEC (u32) Events;

/* All events of the witness in an order without weak memory, if there is one. */
void steps_find_interleaving (const Explanation *x, Events *out);
void steps_find (const Explanation *x, Steps *out); /* those that matter, and what goes wrong */
Step steps_step_of (const Explanation *x, u32 event);
bool steps_find_last (const Explanation *x, Step *out); /* what goes wrong, if it is no event */
void say_step (Explanation *x, const Step *s, Str *out);
/* "t1 line 12, called at 30"; without the file if all of it is in `file`, which may be 0. */
void say_step_place (const Explanation *x, const Step *s, u32 file, Str *out);
u32 steps_file (const Explanation *x, const Steps *steps); /* the only one, or 0 */
/* The library function that the program has called there, or NULL: what it does inside is its own
 * business, locks apart. */
const char *steps_library_call (const Program *p, const WitnessEvent *e);
u32 steps_event_caller (const Explanation *x, u32 event); /* position of the call around it, or 0 */

/* ---- snippet.c */

void snippet_show (const Report *r, Explanation *x, Str *out);

#endif
