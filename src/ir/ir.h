/* ir.h - porf IR: a program as the VM runs it.
 *
 * A Program owns everything below it. It is built by the reader (ir_parse), by porf-cc, or by hand
 * in tests; then ir_prepare () runs the passes that the VM relies on (liveness-based register
 * compaction, spin-loop heads). After that it is read-only and may be shared between threads.
 *
 * Invariants, checked by ir_check ():
 *  I1  a function without blocks is a declaration (none is left after ir_link or ir_prepare); every
 *      block ends in a terminator (JMP BR SWITCH RET UNREACHABLE UNSUPPORTED) or in a BUILTIN that
 *      does not return, and has no terminator before its end
 *  I2  every register operand is below the function's `regs`, every constant operand below
 *      program->consts.size
 *  I3  block, function, global, position, type and file indices are in range
 *  I4  width is 1..64, access sizes are 1, 2, 4 or 8, or 16 if atomic, orders are meaningful for
 *      the operation
 *  I5  direct calls pass exactly the parameters of the callee (at least these if it is variadic),
 *      builtins take what builtins.def says, and RETVAL stands right after a CALL or another RETVAL
 *  I6  an instruction that has a result names a register for it (CALL and BUILTIN may drop theirs),
 *      others have none
 *  I7  the shadow registers of a SPIN, nargs + 2 of them, are below `regs`
 */
#ifndef PORF_IR_H
#define PORF_IR_H

#include "core/core.h"

typedef enum Op {
#define OP(name, text, form, doc) OP_##name,
#include "ir/ops.def"
#undef OP
  OP_COUNT
} Op;

typedef enum OpForm { FORM_BIN, FORM_UN, FORM_CAST, FORM_FCMP, FORM_SELECT, FORM_OTHER } OpForm;

typedef enum Builtin {
#define BUILTIN(name, text, params, result, doc) BUILTIN_##name,
#include "ir/builtins.def"
#undef BUILTIN
  BUILTIN_COUNT
} Builtin;

/* A register (>= 0) or a constant of the program (~index). */
typedef i32 Operand;
#define OPERAND_NONE INT32_MIN
static inline bool operand_is_reg (Operand o) { return o >= 0; }
static inline Operand operand_const (u32 index) { return (Operand)~index; }
static inline u32 operand_const_index (Operand o) { return (u32)~o; }

enum {
  INSN_VOLATILE = 1,
  INSN_WEAK = 2,
  /* Set by ir_prepare on LOAD, STORE, RMW, CAS, CALL, scope_begin and scope_end inside a loop whose
     SPIN has INSN_SPIN. */
  INSN_IN_SPIN = 4,
  /* Set by ir_prepare on SPIN: blocks when nothing changed; without it SPIN only counts visits. */
  INSN_SPIN = 8,
  INSN_UNUSED = 16, /* Set by ir_prepare on RMW: its result is not read. */
  /* Set by ir_prepare on MOV: loops do not count as changed because of it. */
  INSN_UNSEEN = 32,
  INSN_SCOPED = 64, /* Set by ir_prepare on ALLOCA: it waits for a scope_begin. */
  INSN_ONCE = 128,  /* Set by ir_prepare on scope_begin: it is in no loop. */
  INSN_WRAPS = 128, /* Set by ir_prepare on SADD, SSUB, SMUL: an overflow is no finding. */
};

/* What a, b and c mean where they are no plain operands:
 *   JMP          b = block
 *   BR           a, b = then block, c = else block
 *   SWITCH       a, b = default block
 *   CALL         a = register (indirect) or OPERAND_NONE, b = function index (direct)
 *   ALLOCA       a, b = index into program->strings or OPERAND_NONE: the variable's name, c = type
 *                index or OPERAND_NONE; for names in reports only
 *   TLS          b = global index
 *   RETVAL       b = K
 *   UNSUPPORTED  b = index into program->strings
 *   SPIN         b = first shadow register, set by ir_prepare: nargs copies of the arguments at the
 *                last visit, then the effect counter at the last visit, then the
 *                number of visits */
typedef struct Insn {
  u8 op;            /* Op */
  u8 width;         /* bits of arithmetic, bytes of memory accesses */
  u8 order, order2; /* Order; order2 of a failing CAS */
  u8 sub;           /* RmwOp, FCMP predicate, result bits of casts, Builtin, log2 of alignment */
  u8 flags;
  u16 nargs; /* CALL, BUILTIN, RET, SPIN: operands in fn->args; SWITCH: cases in fn->cases */
  i32 dst;   /* register or -1 */
  Operand a, b, c;
  u32 first; /* of the nargs operands or cases */
  u32 pos;   /* index into program->positions; 0 = unknown */
} Insn;

/* An access that the compiler makes as it is written, but that is not atomic in C. */
static inline bool insn_is_plain_volatile (const Insn *i) {
  return (i->op == OP_LOAD || i->op == OP_STORE) && i->flags & INSN_VOLATILE && i->order == ORD_NA;
}

typedef struct Case {
  u64 value;
  u32 block;
} Case;

/* Instructions [start, end) of the function. */
typedef struct Block {
  u32 start, end;
} Block;

/* Which other definitions a name stands for when programs are linked. */
typedef enum Linkage {
  LINK_NAMED, /* all of that name are one; two definitions are an error */
  LINK_LOCAL, /* of its own file only */
  LINK_WEAK,  /* gives way to another definition */
} Linkage;

/* Registers that matter after an instruction, its result apart. */
typedef struct LiveSet {
  u64 all;
  u64 but_spin; /* without those that only SPIN looks at */
} LiveSet;

typedef struct Function {
  char *name;
  char *title; /* what reports call it, or NULL: by its name */
  u8 linkage;
  u32 params, regs; /* parameters arrive in registers 0..params-1 */
  bool is_variadic; /* extra arguments of calls are dropped */
  u32 pos;
  VEC (Insn) code;
  VEC (Block) blocks;
  VEC (Operand) args;
  VEC (Case) cases;
  LiveSet *live_after; /* by instruction; NULL: all may matter. ir_prepare */
  const char *unread; /* ir_parse_library: the text from `{` to `}`, not yet read; NULL otherwise */
  size_t unread_size;
} Function;

/* Bounds on globals. */
#define MAX_ALIGN (1u << 20)
#define MAX_GLOBAL_SIZE (1ull << 30)

typedef enum ConstKind { CONST_INT, CONST_GLOBAL, CONST_FUNC } ConstKind;
typedef struct Const {
  u64 value; /* the integer, or an addend */
  u32 index;
  u8 kind;
} Const;

/* 8 bytes at offset hold the address of target. */
typedef struct Reloc {
  u32 offset;
  Const target;
} Reloc;

typedef struct Global {
  char *name;
  char *title; /* what reports call it, or NULL: by its name */
  u64 size;
  u32 align;
  u32 type; /* index into types, 0 = unknown */
  u32 pos;
  u8 linkage;
  bool is_tls, is_const;
  bool is_extern; /* only declared: another file may define it; an access to it is refused */
  u8 *init;       /* size bytes, or NULL for zero */
  VEC (Reloc) relocs;
} Global;

typedef enum TypeKind { TYPE_UNKNOWN, TYPE_SCALAR, TYPE_POINTER, TYPE_ARRAY, TYPE_STRUCT } TypeKind;
typedef struct Field {
  char *name;
  u64 offset;
  u32 type;
} Field;
/* For names in reports only; types[0] is TYPE_UNKNOWN. */
typedef struct Type {
  u8 kind;
  bool is_signed;
  char *name;
  u64 size;
  u32 element;        /* of arrays and pointers */
  VEC (Field) fields; /* of structs and unions */
} Type;

typedef struct Position {
  u32 file, line, column;
  u32 func; /* index of the C function */
} Position;

typedef struct Program {
  VEC (Function) functions;
  VEC (Global) globals;
  VEC (Const) consts;
  VEC (Type) types;
  VEC (Position) positions; /* [0] is "unknown" */
  VEC (char *) files;       /* [0] is "" */
  VEC (char *) strings;
  bool is_prepared;
  Map interned; /* content -> index, for program_const, program_position and program_string */
} Program;

typedef struct IrError {
  u32 line, column;
  char message[200];
} IrError;

Program *program_new (void);
void program_free (Program *p);
/* Indices of a constant, a position or a string; equal ones are shared. */
u32 program_const (Program *p, ConstKind kind, u32 index, u64 value);
u32 program_position (Program *p, Position position);
u32 program_string (Program *p, const char *text);
bool program_is_cplusplus (const Program *p);
const char *program_function_title (const Function *f);
const char *program_global_title (const Global *g);
i32 program_find_function (const Program *p, const char *name); /* -1 if there is none */
i32 program_find_global (const Program *p, const char *name);
/* All names as reports may show them, on one line: once all files are linked, by their own names.
 */
void program_make_plain (Program *p);
bool program_has_insn (const Program *p, bool (*is) (const Program *p, const Insn *i));
bool program_has_fences (const Program *p);

/* Text form. ir_parse returns NULL and fills *error; whatever it returns passes ir_check. */
Program *ir_parse (const char *text, size_t size, IrError *error);
/* The same of a text that ir_print has written and that stays where it is: bodies are read when
 * they are linked. */
Program *ir_parse_library (const char *text, size_t size, IrError *error);
void ir_print (const Program *p, Str *out);
bool ir_check (const Program *p, Str *why);

/* Files of the library have names that start like this, which no file of a program's does. */
#define RUNTIME_FILES "<porf>/"

/* Functions whose names start like this, in any file, run before main, in the order of their names. */
#define CONSTRUCTORS ".constructors"

/* Adds all of another file of the same program. False, and the name, if both define something. */
bool ir_join (Program *p, Program *other, Str *clash);

/* Gives bodies to functions that `p` only declares (functions without blocks) or defines as weak by
 * copying them, and whatever they need, from `library`. A function that is in neither is left as a
 * single UNSUPPORTED instruction that names it, so that only reaching it matters. A global that
 * both programs have by name becomes one. main gets calls of what runs before and after it.
 * `library` may be NULL. */
void ir_link (Program *p, Program *library);
/* Before it, a library that may need the other; what it lacks stays declared. */
void ir_link_first (Program *p, Program *library);

/* Makes `p` ready for the VM: every loop gets a SPIN at its head, registers are renamed so that
 * frames are small. Functions that are still declarations are treated as by ir_link. Preparing
 * again changes nothing. */
typedef struct IrWords {
  bool is_given;
  char *const *list;
  u32 size;
} IrWords;
typedef struct IrOptions {
  bool find_spin_loops;
  bool spurious;           /* weak compare-exchanges may fail for no reason */
  IrWords words;           /* that main is given after the name of the program */
  IrWords environment;     /* environment variables, NAME=VALUE */
  bool volatile_is_atomic; /* volatile accesses of up to 8 bytes are relaxed ones */
  bool find_overflow;      /* of signed numbers, that is; else they wrap */
  bool abort_ends;         /* the program as exit does, which is no finding */
} IrOptions;
void ir_prepare (Program *p, IrOptions options);

/* The array of pointers that main is given, and that of the environment variables. */
#define IR_ARGV ".argv"
#define IR_ENVIRONMENT "porf_environment"

/* choose.c: a program that was compiled with `bool IR_CHOICE (int)` around what may be changed in
 * it becomes the one with these changes: calls with other numbers are false. Before ir_prepare. */
#define IR_CHOICE "__porf_edit"
void ir_choose (Program *p, const u32 *chosen, u32 n);

/* patch.c: trying out changes of a prepared program, between two runs of it. A body that was saved
 * can be changed and is put back, freeing the changed one. */
typedef struct SavedBody {
  u32 function;
  VEC (Insn) code;
  VEC (Block) blocks;
  u32 regs, nargs;
  LiveSet *live_after;
} SavedBody;
SavedBody body_save (const Program *p, u32 function);
void body_restore (Program *p, SavedBody *saved);
void body_insert (Function *f, u32 at,
                  Insn i);              /* before instruction `at`, which stays in its block */
void body_remove (Function *f, u32 at); /* which is not the last one of its block */
i32 body_register (Function *f);        /* a new one */
void body_map_live (Function *f);       /* after a change of operands */
/* Instructions first to middle - 1 and middle to end - 1 of a block change places; false if one
 * needs what the other computes. */
bool body_swap (Function *f, u32 first, u32 middle, u32 end);

/* Whether a position lies in the user's own code: not in the library that porf supplies, whose
 * paths begin with "runtime/", nor in headers of the system. */
bool path_is_system (const char *path); /* a header of the system or of the compiler */
bool position_is_own (const Program *p, u32 pos);
bool position_is_runtime (const Program *p, u32 pos);

Op op_wrapping (Op op); /* of signed arithmetic: the same that wraps around */
const char *op_name (Op op);
OpForm op_form (Op op);
const char *builtin_name (Builtin b);

/* The field of a struct or union at an offset, or NULL. */
const Field *program_field_at (const Program *p, u32 type, u64 offset);

/* ".head.next"-like name of what lies `offset` bytes into a variable of that type; appended to out.
 * The address of a struct is that of its first member: `is_pointer` stops at the struct. */
void program_name_part (const Program *p, u32 type, u64 offset, bool is_pointer, Str *out);
/* The same with the name of the global before it. */
void program_name_bytes (const Program *p, const Global *g, u64 offset, Str *out);

#endif
