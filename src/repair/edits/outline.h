/* outline.h - the text of a program as far as one must understand it to propose edits: functions,
 * statements, conditions, names. What is proposed must compile, so this may be rough.
 */
#ifndef PORF_REPAIR_OUTLINE_H
#define PORF_REPAIR_OUTLINE_H

#include "source/scan.h"

typedef VEC (char *) Names; /* each once */

typedef struct Atomics { /* a global variable, or an array of them */
  char *name;
  Names sizes; /* of the dimensions, as the text says them */
} Atomics;

typedef struct Body { /* of a function */
  char *name;
  bool is_run;      /* the witness goes through it */
  Span range;       /* from { to } */
  Spans params;     /* declarations of parameters */
  Spans places;     /* empty spans: where a statement can be put */
  Spans conditions; /* of if, while, do and for */
  Spans returns;    /* what is returned, if anything */
  Spans assertions; /* and conditions under which the program gives up */
  Names locals;     /* names that may be variables of its own, parameters first */
  Names constants;  /* names of constants, and numbers */
  Names indices;    /* expressions in brackets */
  Names locations;  /* pointers that atomic operations get, as the text says them */
} Body;

typedef struct Outline {
  Sources *sources;
  const Source *s;
  VEC (Body) bodies;
  VEC (Atomics) atomics;
  Names locks; /* global mutexes */
} Outline;

bool outline_open (Outline *o, const char *path);
/* Finds the assertions: of names that are known, and the one that stands at a place, if any. */
void outline_find_assertions (Outline *o, u32 line, u32 column);
void outline_close (Outline *o);

void name_add (Names *names, const char *text, u32 length);
void names_free (Names *n);
bool name_has (const Names *names, const char *text, u32 length);
/* Whether the text between is made of constants alone: no name has a small letter. */
bool outline_is_constant (const Source *s, Span r);

/* roles.c: names that are compared with, assigned to or passed as each other have the same role,
 * whatever function they are of; what an atomic variable holds has its role. */
typedef struct Roles {
  Names names;
  VEC (u32) with; /* another one of the same role, or itself */
} Roles;

void roles_find (const Outline *o, Roles *out);
void roles_free (Roles *r);
bool roles_agree (const Roles *r, const char *a, const char *b); /* expressions of one name each */
bool role_is_open (const Roles *r, const char *a);               /* nothing is known about it */

#endif
