/* svcomp.h - what both formats of SV-COMP's witnesses share. */
#ifndef PORF_SVCOMP_H
#define PORF_SVCOMP_H

#include "report/report_int.h"

typedef struct Svcomp {
  const Json *document;
  const Json *finding; /* NULL: nothing was found, and everything was covered */
  const char *specification;
  VEC (char *) files;
  VEC (char *) hashes;      /* SHA-256, in the order of the files */
  Str time;                 /* ISO 8601, UTC */
  Str uuid;                 /* made from the content */
  VEC (const Json *) steps; /* events, in the order in which they happen */
} Svcomp;

/* False if there is nothing to bear witness to: the search was cut off. */
bool svcomp_open (const Json *documents, Svcomp *s);
void svcomp_close (Svcomp *s);
u32 svcomp_thread (const Svcomp *s, const char *name); /* 0 is main */

#endif
