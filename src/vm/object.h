/* object.h - the objects of a program, which thread owns which part of them, and cells. */
#ifndef PORF_VM_OBJECT_H
#define PORF_VM_OBJECT_H

#include "vm/vm.h"

/* ---- objects -------------------------------------------------------------------------------- */

typedef enum ObjectKind {
  OBJECT_GLOBAL,
  OBJECT_TLS,
  OBJECT_MALLOC,
  OBJECT_CALLOC,
  OBJECT_STACK,
  OBJECT_SHADOW /* of the object `index`, at offset `tid`: what the runtime library notes about
                   it */
} ObjectKind;

typedef struct Object {
  u64 base, size;
  u8 kind;
  bool is_const;
  bool all_shared; /* every access is an effect; owners is not used */
  bool has_shared; /* some granule is shared */
  bool has_ended;  /* before that: on a stack or thread-local, and its end was no event */
  u16 toucher;     /* 0 none, 1 + tid, or OWNER_SHARED: several threads */
  u16 freed_by;    /* 0, or 1 + the only thread that ever freed it privately */
  Tid tid;         /* whose heap, stack or thread-local object */
  u32 index;       /* global; allocation count of the thread; depth among its live stack objects */
  u32 align,
      func;       /* func: of a stack object, whose local variable it is; of a block, who made it */
  u32 origin;     /* heap: position of the allocation, for people; ORIGIN_MANY: several places */
  u32 name, type; /* stack: of the variable, 0 = none; name: 1 + index, or NAME_MANY: several */
  const u8 *image; /* of globals; NULL = zero */
  u16 *owners;     /* a mark a granule; NULL = all untouched */
  u8 *cells;       /* a mark a byte, see cells.c; NULL = no shared access yet */
} Object;

#define ORIGIN_MANY UINT32_MAX
#define NAME_MANY UINT32_MAX
#define NO_CHILD UINT32_MAX
#define NOT_DEFINED UINT16_MAX /* freed_by of a variable that is only declared */

/* Owner marks. Memory that is never written may be read by all without being shared. */
enum {
  OWNER_NONE = 0,          /* 1 + tid: this thread alone touched and wrote it */
  OWNER_READ_BIT = 0x8000, /* with 1 + tid: this thread alone touched it, by reading */
  OWNER_READERS = 0xfffe,  /* several threads have read it, none has written it */
  OWNER_SHARED = 0xffff,
};

typedef struct ObjectTable {
  VEC (Object) list; /* by base address, which only grows */
  VEC (u64) bases;   /* of list, apart for the search */
  u32 *interned;     /* open addressing over list: index + 1 */
  u32 interned_capacity;
  u64 next; /* first free address */
} ObjectTable;

#define FUNCTION_BASE VM_LOWEST_ADDRESS
#define FUNCTION_STEP 16
#define OBJECT_BASE 0x40000000ull

/* What is further away than this is looked at by vm_address_far_from; what is not stays between two
 * objects at worst. */
#define FAR (1 << 16)
static inline bool index_is_far (u64 index, u64 size) {
  i64 offset;
  return __builtin_mul_overflow ((i64)index, (i64)size, &offset) || (u64)offset + FAR >= 2 * FAR;
}
/* An address that was reached from elsewhere, by arithmetic that left the surroundings of an
 * object. No object lies there. Programs may keep tags in the bits above. */
#define ASTRAY (1ull << 47)
u64 vm_address_far_from (const Vm *vm, u64 addr, u64 index, u64 size);

void objects_init (Vm *vm);
void objects_done (Vm *vm);
/* The object that is like `key` in kind, tid, index, size, align (at least 16) and func. */
u32 objects_intern (Vm *vm, Object key);
u32 objects_add (Vm *vm, Object key);                   /* the fact that there is one */
u32 objects_intern_global (Vm *vm, Tid tid, u32 index); /* tid: of a thread-local one */
const Object *objects_find_global (const Vm *vm, Tid tid, u32 index); /* NULL if never used */
Object *objects_find (const Vm *vm, u64 addr, u64 size); /* the object that covers the access */
Object *objects_below (const Vm *vm, u64 addr);          /* the last one that starts at or below */
bool object_initial (const Object *o, u64 offset, u32 size, u64 *value);
static inline bool object_is_heap (const Object *o) {
  return o->kind == OBJECT_MALLOC || o->kind == OBJECT_CALLOC;
}

static inline bool object_is_of_another (const Object *o, Tid t) {
  return (o->kind == OBJECT_STACK || o->kind == OBJECT_TLS) && o->tid != t;
}

typedef enum Access { ACCESS_READ, ACCESS_WRITE, ACCESS_SHARED } Access;
typedef enum Claim { CLAIM_PRIVATE, CLAIM_SHARED, CLAIM_CHANGED } Claim;
/* The thread at work touches or frees an object. Learning that may move objects: *o is where it is
 * then. */
Claim object_claim (Vm *vm, Object **o, u64 offset, u32 size, Access access);
Claim object_claim_free (Vm *vm, Object **o);
bool object_claim_end (Vm *vm, u32 id); /* of a stack or thread-local object: is it an event? */
void object_claim_freed (Vm *vm, Object *o); /* another thread frees it privately */
/* The facts that these rest on, and others. */
Claim object_touch (Vm *vm, Object *o, Tid t, u64 offset, u32 size, Access access);
Claim object_free (Vm *vm, Object *o, Tid t);
Claim object_free_seen (Vm *vm, Object *o, Tid t);
u64 object_end (Object *o);
void object_set_origin (Object *o, u32 pos);
void object_set_name (Object *o, u32 name, u32 type);

typedef struct Cell {
  u64 start; /* offset in the object */
  u32 size;
} Cell;
void cells_claim (Vm *vm, Object **o, u64 offset, u32 size, bool is_atomic); /* notes an access */
void cells_add (Vm *vm, Object *o, u64 offset, u32 size, bool is_atomic);
void cells_cut (Vm *vm, Object *o, u64 offset, u32 size);
Cell cells_at (const Object *o, u64 offset); /* the cell that has this byte */

#endif
