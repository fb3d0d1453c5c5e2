/* span.h - what a compiler means by a column of a line. */
#ifndef PORF_SOURCE_SPAN_H
#define PORF_SOURCE_SPAN_H

#include "source/source.h"

/* The expression that a compiler means by a column (from 1): the call, the assignment, the
 * variable. */
Span source_span (const char *line, u32 length, u32 column);

/* What the expression at a column accesses, as the source says it: `n->next` of
 * `atomic_load (&n->next)`. False if that is not evident. */
bool source_operand (const char *line, u32 length, u32 column, Str *out);

#endif
