/* edit.h - what the files share that try out edits of a program's text. */
#ifndef PORF_REPAIR_EDIT_H
#define PORF_REPAIR_EDIT_H

#include "repair/repair_int.h"
#include "repair/edits/outline.h"

enum { NO_PARTNER = ~0u };

typedef struct Proposal {
  Span at; /* the expression that `text` takes the place of; empty: a statement goes there */
  char *text;
  bool is_statement; /* what goes is a statement, too */
  bool is_bad;       /* it does not compile, or was refused */
  u32 kind;          /* equal for what is of one kind, in one function */
  u32 partner;       /* another one that is made with it, or NO_PARTNER */
  u32 line, last;    /* of the text that all are compiled in */
} Proposal;
typedef VEC (Proposal) Proposals;

/* propose.c: the likeliest first; a proposal's partner comes before it. */
void propose_edits (const Search *s, const Outline *outline, Proposals *out);
void proposals_free (Proposals *p);

/* schema.c: a text with a choice of all proposals from `first` to `end` - 1. */
void schema_write (const Source *source, Proposals *all, u32 first, u32 end, Str *out);
/* The text with one or two of them made. */
void schema_write_edited (const Source *source, const Proposals *all, const u32 *chosen, u32 n,
                          Str *out);
/* Those that the compiler complains about are bad. Whether there were errors at all. */
bool schema_read_complaints (const Source *source, Proposals *all, u32 first, u32 end,
                             const char *said);

#endif
