/* asm.h - litmus tests in assembler:
 *
 *   AArch64 MP
 *   { 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 *    P0          | P1          ;
 *    MOV W0,#1   | LDR W0,[X1] ;
 *    STR W0,[X1] | DMB LD      ;
 *    DMB ST      | LDR W2,[X3] ;
 *    STR W0,[X3] |             ;
 *   exists (1:X0=1 /\ 1:X2=0)
 *
 * A dialect is a table of instructions and a reader of the names of registers. A thread becomes a
 * function of porf IR in which every register of the processor is a register, so dependencies are
 * those of the IR. What an access or a fence is to a model is an event of hardware.def, by its text
 * there. IR has only C11's memory orders: a test hands these out to the events that it uses, and
 * its mapping says which order stands for what (Litmus.mapping).
 */
#ifndef PORF_LITMUS_ASM_H
#define PORF_LITMUS_ASM_H

#include "litmus/litmus_int.h"

typedef enum AsmShape { SHAPE_REGISTER, SHAPE_NUMBER, SHAPE_MEMORY, SHAPE_WORD } AsmShape;

enum { ASM_NONE = -1, ASM_ZERO = -2 }; /* no register; the one that is always 0 */

typedef struct AsmRegister {
  i32 number;
  u32 bits; /* as it is named: 32 or 64 */
} AsmRegister;

typedef struct AsmOperand {
  u8 shape;
  AsmRegister reg;   /* REGISTER; MEMORY: its base, or ASM_NONE: there is a location instead */
  i64 number;        /* NUMBER; MEMORY: the offset */
  AsmRegister index; /* MEMORY: a register to be added, or ASM_NONE */
  u32 location;      /* MEMORY without a base */
  const char *word;  /* WORD: as written; MEMORY: how the index is extended or shifted, or NULL */
  size_t length;
} AsmOperand;

struct AsmThread;
struct AsmLine;

/* What an instruction is. `shapes` has a letter for each operand: r register, n number, v either of
 * them, m memory, w word. What the other columns mean is up to `emit`. */
typedef struct AsmRow {
  const char *name; /* in lower case */
  const char *shapes;
  bool (*emit) (struct AsmThread *t, const struct AsmLine *l);
  const char *op;     /* of porf IR */
  const char *events; /* of hardware.def */
  u8 bytes;           /* of the access; 0: as the register */
  u8 flags;
} AsmRow;

enum {
  ASM_RESERVES = 1,    /* a load-exclusive: register, memory */
  ASM_CONDITIONAL = 2, /* a store-exclusive: [status,] register, memory */
  ASM_COMPUTES = 4,    /* it only changes its first operand, by what the others hold */
  ASM_INDEXED = 8,     /* its last two operands are registers that add up to an address */
  ASM_SIGNED = 16,     /* what is loaded is sign-extended */
};

enum { ASM_OPERANDS = 5 };
typedef struct AsmLine {
  const char *at;    /* in the text of the test */
  const AsmRow *row; /* NULL: a label */
  u32 label;
  AsmOperand operands[ASM_OPERANDS];
  u32 count;
  u32 bytes; /* that its name tells, or 0 */
} AsmLine;

typedef struct AsmDialect {
  const char *name;   /* as tests begin with it */
  const char *target; /* of mapping.h */
  const char *model;  /* that tests are asked of if none is given */
  const AsmRow *rows;
  u32 row_count;
  bool (*find_register) (const char *name, size_t n, AsmRegister *out);
  bool names_locations; /* a memory operand may be the name of a location */
  bool
      status_orders; /* later accesses depend on a store-exclusive by the register of its success */
  bool forwards_in_order; /* a load of what a store-exclusive has stored comes after it */
  bool source_is_first;   /* operands stand in AT&T's order, and mnemonics may tell the size */
} AsmDialect;

extern const AsmDialect litmus_aarch64, litmus_arm, litmus_ppc, litmus_riscv, litmus_x86,
    litmus_x86_64;

typedef struct AsmType {
  const char *name;
  u8 bytes;
  bool is_signed;
} AsmType;

typedef struct AsmLocation {
  char *name;
  const AsmType *type; /* NULL: not given */
  u64 value;
  i32 points_to; /* a location, or -1 */
  bool is_address;
} AsmLocation;

typedef struct AsmLabel {
  char *name;
  u32 block; /* UINT32_MAX: not yet */
} AsmLabel;

typedef struct AsmPreset { /* what a register holds at the start */
  AsmRegister reg;
  const AsmType *type;
  u64 value;
  i32 points_to; /* a location, or -1 */
} AsmPreset;

typedef struct AsmThread {
  struct Asm *a;
  VEC (AsmPreset) presets;
  VEC (AsmLine) lines;
  VEC (AsmLabel) labels;
  const AsmLine *line; /* that is being translated */
  Str code;
  u32 block, registers; /* so far */
  u32 failed;           /* the register that says whether the store-exclusive ahead fails */
} AsmThread;

/* What an order stands for in the mapping of this test. */
typedef enum AsmClass { ASM_LOAD, ASM_STORE, ASM_RMW, ASM_CAS, ASM_FENCE, ASM_CLASSES } AsmClass;
enum { ASM_ORDERS = 5 };

typedef struct Asm {
  Input *in;
  const AsmDialect *dialect;
  VEC (AsmThread) threads;
  VEC (AsmLocation) locations;
  const char *events[ASM_CLASSES][ASM_ORDERS];
  u32 widest;         /* access */
  VEC (char *) names; /* of events, that were made */
} Asm;

/* Numbers of registers of the IR beyond those of a processor. */
enum { ASM_LEFT = 64, ASM_RIGHT, ASM_FIRST_TEMPORARY }; /* what was compared last */

/* A value: a register, a number or an address. */
typedef struct AsmValue {
  char text[32];
} AsmValue;

/* ---- for rows ---- */

bool asm_fail (AsmThread *t, const char *format, ...) PRINTF (2, 3);
u32 asm_temporary (AsmThread *t);
AsmValue asm_value_of (const AsmOperand *o);
AsmValue asm_value_in (i32 number);
/* The register that an operand names, as where a result goes; that of 0 is a temporary. */
u32 asm_result (AsmThread *t, const AsmOperand *o);
AsmValue asm_address (AsmThread *t, const AsmOperand *o);
void asm_code (AsmThread *t, const char *format, ...) PRINTF (2, 3); /* one instruction of the IR */
/* The order that stands for events, or NULL and a message if there are too many kinds of them. */
const char *asm_order (AsmThread *t, AsmClass c, const char *events);
u32 asm_bytes (const AsmLine *l);
u32 asm_bits (const AsmLine *l); /* of its first register: 32 or 64 */

bool asm_emit_nothing (AsmThread *t, const AsmLine *l);
bool asm_emit_load (AsmThread *t, const AsmLine *l);    /* r m */
bool asm_emit_store (AsmThread *t, const AsmLine *l);   /* v m */
bool asm_emit_move (AsmThread *t, const AsmLine *l);    /* r v */
bool asm_emit_compute (AsmThread *t, const AsmLine *l); /* r v v, by op */
bool asm_emit_fence (AsmThread *t, const AsmLine *l);   /* events */
bool asm_emit_compare (AsmThread *t, const AsmLine *l); /* v v */
bool asm_emit_jump (AsmThread *t, const AsmLine *l);    /* w */
/* w: if what was compared is so, by op: `eq`, or `<slt` for operands the other way round */
bool asm_emit_branch (AsmThread *t, const AsmLine *l);
bool asm_emit_conditional (AsmThread *t, const AsmLine *l);

bool asm_fence (AsmThread *t, const char *events);
void asm_compare (AsmThread *t, AsmValue a, AsmValue b, u32 bits);
/* A register that is 1 if what was compared is so: op as above. */
u32 asm_condition (AsmThread *t, const char *op);
bool asm_branch (AsmThread *t, AsmValue condition, bool is_if_zero, const AsmOperand *label);
bool asm_update (AsmThread *t, const char *op, const char *events, u32 bytes, u32 result,
                 AsmValue address, AsmValue operand);
bool asm_compare_exchange (AsmThread *t, const char *events, u32 bytes, u32 result,
                           AsmValue address, AsmValue expected, AsmValue desired);

/* ---- reading: read.c, operand.c ---- */

bool asm_read_init (Asm *a);
bool asm_read_threads (Asm *a);
bool asm_read_line (AsmThread *t, const char *at, const char *end);
u32 asm_location (Asm *a, const char *name, size_t n);
bool asm_word_is (const char *word, size_t n, const char *text); /* in any case */

/* ---- writing: emit.c, program.c ---- */

bool asm_translate (AsmThread *t);
bool asm_write_program (Asm *a);
void asm_write_mapping (const Asm *a, Str *out);

/* Rows for jumps, and for branches after a comparison, as ARM and PPC write them. */
#define ASM_BRANCHES                                                                               \
  {"b", "w", asm_emit_jump, NULL, NULL, 0, 0}, {"beq", "w", asm_emit_branch, "eq", NULL, 0, 0},    \
      {"bne", "w", asm_emit_branch, "ne", NULL, 0, 0},                                             \
      {"bge", "w", asm_emit_branch, "<sle", NULL, 0, 0},                                           \
      {"blt", "w", asm_emit_branch, "slt", NULL, 0, 0},                                            \
      {"bgt", "w", asm_emit_branch, "<slt", NULL, 0, 0},                                           \
      {"ble", "w", asm_emit_branch, "sle", NULL, 0, 0}

#endif
