/* scan.h - the text of a program as far as one must understand it to propose edits: functions,
 * statements, conditions, names. What is proposed must compile, so this may be rough.
 */
#ifndef PORF_REPAIR_SCAN_H
#define PORF_REPAIR_SCAN_H

#include "base/base.h"

typedef struct Range { /* bytes start to end - 1 */
  u32 start, end;
} Range;
typedef VEC (Range) Ranges;
typedef VEC (char *) Names; /* each once */

typedef struct Atomics { /* a global variable, or an array of them */
  char *name;
  Names sizes; /* of the dimensions, as the text says them */
} Atomics;

typedef struct Body { /* of a function */
  char *name;
  bool is_run;       /* the witness goes through it */
  Range range;       /* from { to } */
  Ranges params;     /* declarations of parameters */
  Ranges places;     /* empty ranges: where a statement can be put */
  Ranges conditions; /* of if, while, do and for */
  Ranges returns;    /* what is returned, if anything */
  Ranges assertions; /* and conditions under which the program gives up */
  Names locals;      /* names that may be variables of its own, parameters first */
  Names constants;   /* names of constants, and numbers */
  Names indices;     /* expressions in brackets */
  Names locations;   /* pointers that atomic operations get, as the text says them */
} Body;

typedef struct Source {
  const char *path;
  char *text;
  char *code; /* the same without comments, strings and directives: blanks stand there */
  u32 size;
  VEC (Body) bodies;
  VEC (Atomics) atomics;
  Names locks; /* global mutexes */
} Source;

bool source_open (Source *s, const char *path);
/* Finds the assertions: of names that are known, and the one that stands at a place, if any. */
void source_find_assertions (Source *s, u32 line, u32 column);
void source_close (Source *s);

void name_add (Names *names, const char *text, u32 length);
void names_free (Names *n);
bool name_has (const Names *names, const char *text, u32 length);
bool is_name_char (char c);
bool word_at (const Source *s, u32 at, const char *word); /* all of it */
u32 behind_blanks (const Source *s, u32 at);
/* The other parenthesis, bracket or brace; 0: there is none. */
u32 closing (const Source *s, u32 open);
u32 opening (const Source *s, u32 close);
Range trimmed (const Source *s, Range r);
/* What a call, whose opening parenthesis it is, passes. */
void split_arguments (const Source *s, u32 open, Ranges *out);
u32 line_at (const Source *s, u32 at); /* from 1 */
u32 start_of_line (const Source *s, u32 at);
/* Whether the text between is made of constants alone: no name has a small letter. */
bool is_constant (const Source *s, Range r);

/* roles.c: names that are compared with, assigned to or passed as each other have the same role,
 * whatever function they are of; what an atomic variable holds has its role. */
typedef struct Roles {
  Names names;
  VEC (u32) with; /* another one of the same role, or itself */
} Roles;

void roles_find (const Source *s, Roles *out);
void roles_free (Roles *r);
bool roles_agree (const Roles *r, const char *a, const char *b); /* expressions of one name each */
bool role_is_open (const Roles *r, const char *a);               /* nothing is known about it */

#endif
