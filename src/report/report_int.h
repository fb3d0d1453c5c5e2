/* report_int.h - what the formats share. */
#ifndef PORF_REPORT_INT_H
#define PORF_REPORT_INT_H

#include "core/relations.h"
#include "report/report.h"

/* ---- source.c */

/* The text of a line (from 1) without its end, not terminated; NULL if the file or the line is not
 * there. */
const char *source_line (Sources *s, const char *path, u32 line, u32 *length);

typedef struct Span {
  u32 start, end;
} Span; /* bytes of a line, from 0 */

/* The expression that a compiler means by a column (from 1): the call, the assignment, the
 * variable. */
Span source_span (const char *line, u32 length, u32 column);

/* What the expression at a column accesses, as the source says it: `n->next` of
 * `atomic_load (&n->next)`. False if that is not evident. */
bool source_operand (const char *line, u32 length, u32 column, Str *out);
/* Appends a source line as a terminal can show it: tabs become blanks, what is not UTF-8 or not
 * printable '?'. Returns the width of what was appended when it starts at display column `at`. */
u32 source_show (Str *out, const char *text, u32 length, u32 at);

/* ---- words.c */

typedef struct View { /* a witness that is being told about */
  const Program *program;
  const Witness *w;
  Sources *sources;
  bool *introduced; /* threads whose function was already mentioned */
  char **names;     /* of locations, as the source calls them, once asked for; see view_location */
} View;

View view_open (const Report *r, const Witness *w);
void view_close (View *v);

static inline const WitnessEvent *view_event (const View *v, i32 e) {
  return e >= 0 && (u32)e < v->w->events.size ? &v->w->events.data[e] : NULL;
}

const char *witness_kind_name (WitnessKind kind);
const char *thread_status_name (ThreadStatus status);
const char *location_name (const Witness *w, i32 location); /* "?" if unknown */
const char *view_location (View *v,
                           i32 location);     /* the same, and local variables by their names */
bool operand_at (View *v, u32 pos, Str *out); /* source_operand of a position */
/* The same for what an event, if it is one, accesses there, unless that may be something else. */
bool operand_of (View *v, i32 event, u32 pos, Str *out);
const char *function_name (const Program *p, u32 function);
const char *short_path (const char *path); /* relative to the current directory if it lies below */

Position position_at (const Program *p, u32 pos);
const char *position_path (const Program *p, u32 pos);
/* Where the user's own code does this: the innermost place outside the library that porf
 * supplies. */
const char *library_function (const Program *p, u32 function);
u32 event_position (const Program *p, const WitnessEvent *e);
u32 finding_position (const Program *p, const Finding *f);
u32 finding_other_position (const Program *p, const Finding *f); /* 0: there is no other side */

const char *update_name (const Change *c);        /* of CHANGE_UPDATE: atomic_fetch_add */
void say_tid (Str *out, Tid t);                   /* t1 */
void say_thread (View *v, Str *out, Tid t);       /* t1 (writer), later t1 */
void introduce_thread (View *v, Str *out, Tid t); /* always t1 (writer) */
void say_value (Str *out, const Witness *w, u64 value, u32 size); /* 42, -1, &x, 0x7f00000010 */

/* ---- message.c */

void view_message (View *v, const Finding *f, Str *out); /* the sentence of a finding */
void say_message (const Report *r, const Finding *f, Str *out);
i32 waiting_lock (const Witness *w, Tid t); /* the event at which t waits for a lock, or NONE */

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
u32 note_caller (const Explanation *x, const Note *n);
/* Whether the text leaves the order of an atomic access to a macro, a variable or another line. */
bool is_order_hidden (const Explanation *x, u32 pos, Order order);

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

typedef struct Row {
  Str where, what;
} Row;
typedef VEC (Row) Rows;
void show_rows (Rows *rows, Str *out); /* below each other; text.c. Frees them */

bool has_schedule (const Explanation *x); /* the engine has said in which order things happened */
void show_schedule (const Report *r, Explanation *x, Str *out);
bool is_told_in_steps (const Explanation *x); /* an interleaving is what explains it */

/* ---- help.c */

const char *access_name (u8 kind); /* load, store, update, fence */
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
void find_interleaving (const Explanation *x, Events *out);
void find_steps (const Explanation *x, Steps *out); /* those that matter, and what goes wrong */
Step step_of (const Explanation *x, u32 event);
bool find_last_step (const Explanation *x, Step *out); /* what goes wrong, if it is no event */
void say_step (Explanation *x, const Step *s, Str *out);
/* "t1 line 12, called at 30"; without the file if all of it is in `file`, which may be 0. */
void say_step_place (const Explanation *x, const Step *s, u32 file, Str *out);
u32 file_of_steps (const Explanation *x, const Steps *steps); /* the only one, or 0 */
u32 event_caller (const Explanation *x, u32 event); /* position of the call around it, or 0 */

/* ---- execution.c */

void say_event (View *v, const WitnessEvent *e, Str *out); /* read ready -> 1, acquire */

/* ---- document.c, events.c: members of objects */

void put_thread (Json *to, const char *key, Tid t);
void put_place (const Report *r, Json *to, u32 pos);
void put_execution (const Report *r, const Witness *w, Json *to);

/* ---- one file each */

#define REPORT(name, ending, help) void write_##name (const Json *documents, Str *out);
#include "report/reports.def"
#undef REPORT

/* The document with the first finding, and that finding; NULL if there is none. */
const Json *first_violation (const Json *documents, const Json **finding);
void xml_text (Str *out, const char *text); /* for XML: attributes and text */

/* ---- edits.c */

typedef struct Edit { /* bytes start to end - 1 of a line become text; all from 0 but the line */
  const char *path;
  u32 line, start, end;
  char *text;        /* with a new line at its end if it is one of its own */
  bool removes_line; /* the whole line goes, and its end */
} Edit;
typedef VEC (Edit) Edits;

/* What to change in the source; false if that is not evident. */
bool find_edits (const Report *r, const Fix *f, Edits *out);
void edits_free (Edits *e);
void edits_patch (const Report *r, const Edits *e, Str *out); /* hunks.c */

/* ---- snippet.c */

enum { PAINT_ERROR, PAINT_GOOD, PAINT_WARN, PAINT_DIM, PAINT_BOLD, PAINT_NOTE, PAINT_COUNT };
void paint (Str *out, bool color, int how, const char *text);
void snippet (const Report *r, Explanation *x, Str *out);

/* What is looked for, one after another; NULL at the end. */
const char *report_check (const Report *r, u32 *next);

/* What was taken for granted: text.c, document.c. */
void show_assumptions (u32 assumed, Str *out);
void put_assumed (u32 assumed, Json *to);
bool is_incomplete (const Json *document);
/* Of a test that did not come out as it should: "expected race, got pass". Else false. */
bool say_mismatch (const Json *document, Str *out);
void say_assumed (const Json *document, Str *out); /* of a pass: "assumed: malloc succeeds (...)" */

#endif
