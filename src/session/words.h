/* words.h - a line of words as a shell splits it: blanks, quotes and backslashes, nothing else. */
#ifndef PORF_SESSION_WORDS_H
#define PORF_SESSION_WORDS_H

#include "base/base.h"

typedef VEC (char *) Words;
void words_split (const char *text, Words *out); /* adds to *out */
void words_free (Words *w);                      /* and every word */

#endif
