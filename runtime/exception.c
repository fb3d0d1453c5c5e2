/* exception.c - exceptions of C++ by the Itanium ABI, and run-time types.
 *
 * What is thrown lies in a block that std::exception_ptr may share between threads; each time it is
 * thrown there is a record of that, which belongs to one thread. Only records are caught.
 */
#include "runtime.h"

typedef struct TypeInfo {
  void **functions; /* says which of the structs below it is */
  const char *name;
} TypeInfo;

typedef struct ExceptionBlock { /* before the object */
  const TypeInfo *type;
  void (*destroy) (void *object);
  _Atomic long owners;
  long unused;
} ExceptionBlock;

typedef struct Thrown Thrown;
struct Thrown {
  ExceptionBlock *block;
  Thrown *next; /* caught before it, and not yet done with */
  void
      *adjusted; /* what the handler sees: the object as its base, or the pointer that was thrown */
  long handlers; /* negative: it was thrown again */
};

static _Thread_local Thrown *exception_landed, *exception_caught;
static _Thread_local int exceptions_uncaught;

/* ---- run-time types */

typedef struct SingleType {
  TypeInfo info;
  const TypeInfo *base;
} SingleType;

typedef struct BaseType {
  const TypeInfo *type;
  long flags; /* and the offset, from bit 8; if virtual, of its place in the table of functions */
} BaseType;
enum { BASE_IS_VIRTUAL = 1, BASE_IS_PUBLIC = 2 };

typedef struct MultipleType {
  TypeInfo info;
  unsigned flags, count;
  BaseType bases[];
} MultipleType;

typedef struct PointerType {
  TypeInfo info;
  unsigned flags;
  const TypeInfo *to;
} PointerType;

/* The tables of functions of the classes of type_info: nothing is called, they only tell kinds. */
#define KIND(name, symbol)                                                                         \
  void *name[8] NAMED (symbol);                                                                    \
  void *name[8];
KIND (cxx_fundamental_kind, "_ZTVN10__cxxabiv123__fundamental_type_infoE")
KIND (cxx_array_kind, "_ZTVN10__cxxabiv117__array_type_infoE")
KIND (cxx_function_kind, "_ZTVN10__cxxabiv120__function_type_infoE")
KIND (cxx_enum_kind, "_ZTVN10__cxxabiv116__enum_type_infoE")
KIND (cxx_class_kind, "_ZTVN10__cxxabiv117__class_type_infoE")
KIND (cxx_single_kind, "_ZTVN10__cxxabiv120__si_class_type_infoE")
KIND (cxx_multiple_kind, "_ZTVN10__cxxabiv121__vmi_class_type_infoE")
KIND (cxx_pointer_kind, "_ZTVN10__cxxabiv119__pointer_type_infoE")
KIND (cxx_member_kind, "_ZTVN10__cxxabiv129__pointer_to_member_type_infoE")
#undef KIND

static bool type_is (const TypeInfo *t, void **kind) { return t->functions == kind + 2; }

#define FUNDAMENTAL(letter)                                                                        \
  const TypeInfo cxx_type_##letter NAMED ("_ZTI" #letter);                                         \
  const TypeInfo cxx_type_##letter = {cxx_fundamental_kind + 2, #letter};                          \
  const PointerType cxx_type_P##letter NAMED ("_ZTIP" #letter);                                    \
  const PointerType cxx_type_P##letter = {                                                         \
      {cxx_pointer_kind + 2, "P" #letter}, 0, &cxx_type_##letter};                                 \
  const PointerType cxx_type_PK##letter NAMED ("_ZTIPK" #letter);                                  \
  const PointerType cxx_type_PK##letter = {                                                        \
      {cxx_pointer_kind + 2, "PK" #letter}, 1, &cxx_type_##letter};
FUNDAMENTAL (v)
FUNDAMENTAL (b)
FUNDAMENTAL (c)
FUNDAMENTAL (a)
FUNDAMENTAL (h)
FUNDAMENTAL (s)
FUNDAMENTAL (t)
FUNDAMENTAL (i)
FUNDAMENTAL (j)
FUNDAMENTAL (l)
FUNDAMENTAL (m)
FUNDAMENTAL (x)
FUNDAMENTAL (y)
FUNDAMENTAL (w)
FUNDAMENTAL (f)
FUNDAMENTAL (d)
FUNDAMENTAL (Dn)
#undef FUNDAMENTAL

/* What a cancelled thread throws, which handlers of the library ask for. */
const TypeInfo cxx_type_forced_unwind NAMED ("_ZTIN10__cxxabiv115__forced_unwindE");
const TypeInfo cxx_type_forced_unwind = {cxx_class_kind + 2, "N10__cxxabiv115__forced_unwindE"};

static bool type_converts (const TypeInfo *from, const TypeInfo *to, void **object);

static void *base_object (void *object, long flags) {
  long offset = flags >> 8;
  if (!object) return object;
  if (flags & BASE_IS_VIRTUAL) offset = *(long *)(*(char **)object + offset);
  return (char *)object + offset;
}

static bool base_converts (const MultipleType *from, const TypeInfo *to, void **object) {
  for (unsigned i = 0; i < from->count; i++) {
    if (!(from->bases[i].flags & BASE_IS_PUBLIC)) continue;
    void *part = base_object (*object, from->bases[i].flags);
    if (!type_converts (from->bases[i].type, to, &part)) continue;
    *object = part;
    return true;
  }
  return false;
}

/* Whether an object of one class is one of another; if so *object becomes that part of it. */
static bool type_converts (const TypeInfo *from, const TypeInfo *to, void **object) {
  if (from == to || from->name == to->name) return true;
  if (type_is (from, cxx_single_kind))
    return type_converts (((const SingleType *)from)->base, to, object);
  return type_is (from, cxx_multiple_kind) &&
         base_converts ((const MultipleType *)from, to, object);
}

static bool pointer_converts (const PointerType *from, const PointerType *to, void **pointer) {
  if (from->flags & ~to->flags & 7) return false; /* it would lose a const */
  if (to->to == &cxx_type_v) return !type_is (from->to, cxx_function_kind);
  return type_converts (from->to, to->to, pointer);
}

/* Whether `catch (to)` catches an object of type `from`; if so *object is what the handler gets. */
static bool type_catches (const TypeInfo *to, const TypeInfo *from, void **object) {
  bool is_pointer = type_is (from, cxx_pointer_kind);
  if (is_pointer) *object = *(void **)*object;
  if (!to || from == to) return true;
  if (is_pointer != type_is (to, cxx_pointer_kind)) return false;
  return is_pointer ? pointer_converts ((const PointerType *)from, (const PointerType *)to, object)
                    : type_converts (from, to, object);
}

/* The hint is of no use here. */
void *__dynamic_cast (void *object, const TypeInfo *from, const TypeInfo *to, long hint);
void *__dynamic_cast (void *object, const TypeInfo *from, const TypeInfo *to, long hint) {
  (void)from, (void)hint;
  long *table =
      *(long **)object; /* before the functions: where the whole object is, and its type */
  void *whole = (char *)object + table[-2];
  return type_converts ((const TypeInfo *)table[-1], to, &whole) ? whole : NULL;
}

/* ---- throwing and catching */

static void exception_release (ExceptionBlock *b) {
  if (atomic_fetch_sub_explicit (&b->owners, 1, memory_order_acq_rel) != 1) return;
  if (b->destroy) b->destroy (b + 1);
  __porf_delete (b, ONE);
}

static _Noreturn void exception_throw (ExceptionBlock *b) {
  Thrown *t = __porf_new (16, sizeof *t, ONE);
  *t = (Thrown){.block = b, .adjusted = b + 1};
  exceptions_uncaught++;
  exception_landed = t;
  __porf_unwind (t->block->type);
}

void *__cxa_allocate_exception (size_t size);
void *__cxa_allocate_exception (size_t size) {
  return (ExceptionBlock *)__porf_new (16, sizeof (ExceptionBlock) + size, ONE) + 1;
}
void __cxa_free_exception (void *object);
void __cxa_free_exception (void *object) { __porf_delete ((ExceptionBlock *)object - 1, ONE); }

void *__cxa_init_primary_exception (void *object, const TypeInfo *type, void (*destroy) (void *));
void *__cxa_init_primary_exception (void *object, const TypeInfo *type, void (*destroy) (void *)) {
  ExceptionBlock *b = (ExceptionBlock *)object - 1;
  b->type = type;
  b->destroy = destroy;
  atomic_init (&b->owners, 0);
  return object;
}
_Noreturn void __cxa_throw (void *object, const TypeInfo *type, void (*destroy) (void *));
_Noreturn void __cxa_throw (void *object, const TypeInfo *type, void (*destroy) (void *)) {
  ExceptionBlock *b = (ExceptionBlock *)object - 1;
  __cxa_init_primary_exception (object, type, destroy);
  atomic_init (&b->owners, 1);
  exception_throw (b);
}

/* What clang's landing pads become: src/front/exception.c. */
Thrown *porf_exception_landed (void);
Thrown *porf_exception_landed (void) { return exception_landed; }

long porf_exception_select (Thrown *t, long selected, const TypeInfo *type, long number);
long porf_exception_select (Thrown *t, long selected, const TypeInfo *type, long number) {
  void *object = t->block + 1;
  if (selected || !type_catches (type, t->block->type, &object)) return selected;
  t->adjusted = object;
  return number;
}
_Noreturn void porf_exception_resume (Thrown *t);
_Noreturn void porf_exception_resume (Thrown *t) {
  exception_landed = t;
  __porf_unwind (t->block->type);
}

void *__cxa_get_exception_ptr (Thrown *t);
void *__cxa_get_exception_ptr (Thrown *t) { return t->adjusted; }

void *__cxa_begin_catch (Thrown *t);
void *__cxa_begin_catch (Thrown *t) {
  t->handlers = (t->handlers < 0 ? -t->handlers : t->handlers) + 1;
  if (t != exception_caught) {
    t->next = exception_caught;
    exception_caught = t;
  }
  exceptions_uncaught--;
  return t->adjusted;
}

/* The end of a handler, also of one that throws: what it throws again stays. */
void __cxa_end_catch (void);
void __cxa_end_catch (void) {
  Thrown *t = exception_caught;
  if (!t) return;
  bool is_thrown_again = t->handlers < 0;
  t->handlers += is_thrown_again ? 1 : -1;
  if (t->handlers) return;
  exception_caught = t->next;
  if (is_thrown_again) return;
  exception_release (t->block);
  __porf_delete (t, ONE);
}
_Noreturn void __cxa_rethrow (void);
_Noreturn void __cxa_rethrow (void) {
  Thrown *t = exception_caught;
  if (!t) __porf_terminate ("there can be no exception to throw again");
  t->handlers = -t->handlers;
  exceptions_uncaught++;
  exception_landed = t;
  __porf_unwind (t->block->type);
}

/* Where a function is noexcept the compiler catches what leaves it, and calls this. */
_Noreturn void cxx_terminate (void) NAMED ("_ZSt9terminatev");
_Noreturn void cxx_terminate (void) {
  __porf_terminate (exception_caught ? "an exception can leave a function that is noexcept"
                                     : "std::terminate can be called");
}

bool cxx_uncaught_exception (void) NAMED ("_ZSt18uncaught_exceptionv");
bool cxx_uncaught_exception (void) { return exceptions_uncaught > 0; }
int cxx_uncaught_exceptions (void) NAMED ("_ZSt19uncaught_exceptionsv");
int cxx_uncaught_exceptions (void) { return exceptions_uncaught; }

const TypeInfo *__cxa_current_exception_type (void);
const TypeInfo *__cxa_current_exception_type (void) {
  return exception_caught ? exception_caught->block->type : NULL;
}

/* ---- std::exception_ptr: a pointer to the object */

typedef struct ExceptionPointer {
  void *object;
} ExceptionPointer;

static void pointer_share (void *object) {
  if (object)
    atomic_fetch_add_explicit (&((ExceptionBlock *)object - 1)->owners, 1, memory_order_relaxed);
}
void cxx_exception_share (ExceptionPointer *p)
    NAMED ("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void cxx_exception_share (ExceptionPointer *p) { pointer_share (p->object); }
void cxx_exception_release (ExceptionPointer *p)
    NAMED ("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void cxx_exception_release (ExceptionPointer *p) {
  if (p->object) exception_release ((ExceptionBlock *)p->object - 1);
  p->object = NULL;
}
void cxx_exception_pointer_new (ExceptionPointer *p, void *object)
    NAMED ("_ZNSt15__exception_ptr13exception_ptrC1EPv");
void cxx_exception_pointer_new (ExceptionPointer *p, void *object) {
  p->object = object;
  pointer_share (object);
}
void *cxx_exception_get (const ExceptionPointer *p)
    NAMED ("_ZNKSt15__exception_ptr13exception_ptr6_M_getEv");
void *cxx_exception_get (const ExceptionPointer *p) { return p->object; }

/* Results that are not trivial to copy are returned, and arguments passed, by their address. */
void cxx_current_exception (ExceptionPointer *result) NAMED ("_ZSt17current_exceptionv");
void cxx_current_exception (ExceptionPointer *result) {
  cxx_exception_pointer_new (result, exception_caught ? exception_caught->block + 1 : NULL);
}
_Noreturn void cxx_rethrow_exception (ExceptionPointer *p)
    NAMED ("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE");
_Noreturn void cxx_rethrow_exception (ExceptionPointer *p) {
  if (!p->object) __porf_terminate ("there can be no exception to throw again");
  pointer_share (p->object);
  exception_throw ((ExceptionBlock *)p->object - 1);
}
