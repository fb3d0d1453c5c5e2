/* report_int.h - what the formats share. */
#ifndef PORF_REPORT_INT_H
#define PORF_REPORT_INT_H

#include "core/relations.h"
#include "report/report.h"
#include "source/edits.h"
#include "source/span.h"

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

const char *view_witness_kind_name (WitnessKind kind);
const char *view_thread_status_name (ThreadStatus status);
const char *view_location_name (const Witness *w, i32 location); /* "?" if unknown */
const char *view_location (View *v,
                           i32 location); /* the same, and local variables by their names */
bool view_operand_at (View *v, u32 pos, Str *out); /* source_operand of a position */
/* The same for what an event, if it is one, accesses there, unless that may be something else. */
bool view_operand_of (View *v, i32 event, u32 pos, Str *out);
const char *view_function_name (const Program *p, u32 function);

Position view_position_at (const Program *p, u32 pos);
const char *view_position_path (const Program *p, u32 pos);
/* Where the user's own code does this: the innermost place outside the library that porf
 * supplies. */
const char *view_library_function (const Program *p, u32 function);
u32 view_event_position (const Program *p, const WitnessEvent *e);
/* A library does it on its own: no code of the program has called it, as where a thread starts. */
bool view_is_internal (const Program *p, const WitnessEvent *e);
u32 view_finding_position (const Program *p, const Finding *f);
u32 view_finding_other_position (const Program *p,
                                 const Finding *f); /* 0: there is no other side */

const char *view_std (const Program *p);            /* before names of the library: std:: in C++ */
const char *view_update_name (const Change *c);     /* of CHANGE_UPDATE: atomic_fetch_add */
void say_tid (Str *out, Tid t);                     /* t1 */
void say_thread (View *v, Str *out, Tid t);         /* t1 (writer), later t1 */
void say_thread_in_full (View *v, Str *out, Tid t); /* always t1 (writer) */
void say_value (Str *out, const Witness *w, u64 value, u32 size); /* 42, -1, &x, 0x7f00000010 */

/* ---- message.c */

void view_message (View *v, const Finding *f, Str *out); /* the sentence of a finding */
void say_message (const Report *r, const Finding *f, Str *out);
i32 explain_waiting_lock (const Witness *w,
                          Tid t); /* the event at which t waits for a lock, or NONE */

/* ---- execution.c */

void say_event (View *v, const WitnessEvent *e, Str *out); /* read ready -> 1, acquire */

/* ---- document.c, events.c: members of objects */

void report_put_thread (Json *to, const char *key, Tid t);
void report_put_place (const Report *r, Json *to, u32 pos);
void report_put_execution (const Report *r, const Witness *w, Json *to);

/* ---- one file each */

#define REPORT(name, ending, help) void report_write_##name (const Json *documents, Str *out);
#include "report/reports.def"
#undef REPORT

/* The document with the first finding, and that finding; NULL if there is none. */
const Json *report_first_violation (const Json *documents, const Json **finding);
void xml_text (Str *out, const char *text); /* for XML: attributes and text */

typedef struct Row {
  Str where, what;
} Row;
typedef VEC (Row) Rows;
void report_show_rows (Rows *rows, Str *out); /* below each other; text.c. Frees them */

/* ---- edits.c */

/* What to change in the source; false if that is not evident. */
bool report_find_edits (const Report *r, const Fix *f, Edits *out);

/* ---- snippet.c */

enum { PAINT_ERROR, PAINT_GOOD, PAINT_WARN, PAINT_DIM, PAINT_BOLD, PAINT_NOTE, PAINT_COUNT };
void snippet_paint (Str *out, bool color, int how, const char *text);

/* What is looked for, one after another; NULL at the end. */
const char *report_check (const Report *r, u32 *next);

/* What was taken for granted: text.c, document.c. */
void report_show_assumptions (u32 assumed, Str *out);
void report_put_assumed (u32 assumed, Json *to);
void report_put_tally (Json *j, const char *key, Tally n); /* a number of any size */
bool report_is_incomplete (const Json *document);
/* Of a test that did not come out as it should: "expected race, got pass". Else false. */
bool report_say_mismatch (const Json *document, Str *out);
void report_say_assumed (const Json *document,
                         Str *out); /* of a pass: "assumed: malloc succeeds (...)" */

#endif
