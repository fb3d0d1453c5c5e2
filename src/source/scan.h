/* scan.h - words, brackets and arguments in C text. */
#ifndef PORF_SOURCE_SCAN_H
#define PORF_SOURCE_SCAN_H

#include "source/source.h"

bool source_is_name_char (char c);
bool source_is_opening (char c); /* a parenthesis, bracket or brace */
bool source_is_closing (char c);
bool source_word_at (const Source *s, u32 at, const char *word);      /* all of it */
bool source_word_before (const Source *s, u32 end, const char *word); /* the same, ending there */
u32 source_after_name (const Source *s, u32 at);
u32 source_before_name (const Source *s, u32 at);
u32 source_after_blanks (const Source *s, u32 at);
u32 source_before_blanks (const Source *s, u32 at);
Span source_trimmed (const Source *s, Span a); /* without blanks around it */

/* The other bracket of the one there: s->size, and `close` itself, if there is none. */
u32 source_closing (const Source *s, u32 open);
u32 source_opening (const Source *s, u32 close);
/* What a call, whose opening parenthesis it is, passes. */
void source_split_arguments (const Source *s, u32 open, Spans *out);
/* Every parenthesis, bracket and brace has its partner. */
bool source_is_balanced (const Source *s);

/* A piece of text on its own, all of which is code. */
Source source_of (const char *text, u32 size);

#endif
