/* edits.h - what the files share that say what a change is in the text of a program. */
#ifndef PORF_EDITS_H
#define PORF_EDITS_H

#include "report/report_int.h"
#include "source/calls.h"
#include "source/scan.h"

Cursor report_cursor_at (const Report *r, u32 pos);

/* ---- a file each: what a change is in the text; false if that is not evident */

bool report_edit_order (const Report *r, const Change *c, Edits *out);
bool report_edit_fence (const Report *r, const Change *c, Edits *out);
bool report_edit_update (const Report *r, const Change *c, Edits *out);
bool report_edit_swap (const Report *r, const Change *c, Edits *out); /* in edit_update.c */
bool report_edit_text (const Report *r, const Change *c, Edits *out); /* the same */

#endif
