/* pointers.h - what threads can access by the program's text: a points-to analysis of porf IR.
 *
 * It is inclusion-based, for the whole program. Of memory it knows all that is ever stored there,
 * of registers what they hold at each instruction; each thread has its own, so what it is started
 * with tells it from others. Places are globals, and by thread thread-local and local variables and
 * the calls that allocate; within them byte offsets are kept as long as they are few and known.
 * Numbers carry the places that they were computed from. Two things are taken for granted: an
 * access does not leave the place that its address was made from (the VM reports that), and a
 * number that comes from no address is none; a thread that uses nothing but such a number as an
 * address can access anything.
 *
 * The threads are those that are given; there are no others. */
#ifndef PORF_MACHINE_POINTERS_H
#define PORF_MACHINE_POINTERS_H

#include "ir/ir.h"

typedef enum PlaceKind {
  PLACE_NUMBER, /* none */
  PLACE_FUNCTION,
  PLACE_GLOBAL,
  PLACE_TLS,
  PLACE_STACK,
  PLACE_HEAP,
  PLACE_SHADOW, /* what the VM keeps for a lock, see BUILTIN_SHADOW */
} PlaceKind;

#define OFFSET_ANY INT64_MIN
typedef struct Atom { /* an address, or with place 0 a number */
  u32 place;
  i64 offset;
} Atom;
typedef struct Values { /* a vec */
  Atom *data;
  u32 size, capacity;
  bool is_scratch; /* gone with the instruction: that it changes is nothing new */
} Values;

typedef struct Slot { /* 8 bytes of a place; at OFFSET_ANY: some of all */
  i64 at;
  Values values;
} Slot;

typedef struct Place {
  u8 kind;
  Tid tid;      /* whose, but for globals and functions */
  u32 function; /* STACK, HEAP: where the instruction is; FUNCTION: which */
  u32 index;    /* of the global, instruction, or place that it is a shadow of */
  u64 size;     /* UINT64_MAX: unknown */
  VEC (Slot) slots;
} Place;

typedef struct TextAccess {
  u32 place;
  u32 size;   /* 0: different ones */
  i64 offset; /* or OFFSET_ANY: all of it */
  bool reads, writes;
} TextAccess;

typedef struct TextThread {
  bool is_known;
  bool can_access_anything;
  VEC (TextAccess) accesses;
} TextThread;

typedef struct TextStart {
  Tid tid;
  Tid parent;
  u32 function;
  u64 argument;
  bool is_number; /* else the argument is whatever threads of that function can be given */
  bool is_first;  /* for text.c */
} TextStart;

typedef struct Frame { /* of a function, in a thread */
  Values *at_start;    /* of a block: registers; see values_at_start */
  bool *is_reached;    /* by block */
  Values *registers;   /* at work */
  Values results;      /* all of them in one */
  Values returned;     /* of the call just made */
} Frame;

typedef struct Pointers {
  const Program *program;
  u32 nthreads;
  const TextStart *starts; /* the caller's */
  u32 nstarts;
  Frame **frames; /* by thread and function; NULL: not reached */
  Values *consts;
  Values *arguments; /* by function: of the threads that begin with it */
  Values exits;      /* what threads return */
  VEC (Place) places;
  Map place_of;
  TextThread *threads;
  bool has_changed, is_last; /* is_last: all values are known, accesses are written down */
  u64 work;
} Pointers;

Pointers *pointers_new (const Program *p, u32 nthreads, const TextStart *starts, u32 n);
void pointers_free (Pointers *p);

/* places.c */
void values_add (Pointers *p, Values *v, Atom a);
void values_add_number (Pointers *p, Values *v);                /* any */
void values_join (Pointers *p, Values *to, const Values *from); /* which may be the same */
void values_derive (Pointers *p, Values *to, Atom a);           /* something computed from it */
void places_load (Pointers *p, const Values *from, u32 size, Values *to);
void places_store (Pointers *p, const Values *to, u32 size, const Values *what);
u32 place_intern (Pointers *p, Place fresh); /* or the one that there is */
u32 place_of_const (Pointers *p, const Const *c);
bool place_is_memory (const Pointers *p, u32 place);
bool place_has (const Place *l, i64 offset, u32 size);

/* transfer.c */
typedef struct At { /* where we are */
  Pointers *p;
  Tid t;
  u32 function;
  const Function *f;
  Frame *frame;
} At;

const Values *values_of_operand (const At *at, Operand o);
/* A register, or parameter, at the start of a block. */
Values *values_at_start (const Pointers *p, Frame *frame, u32 function, u32 block, u32 r);
Frame *pointers_reach_frame (Pointers *p, Tid t, u32 function);
void pointers_do_insn (const At *at, const Insn *i, Values *to);

#endif
