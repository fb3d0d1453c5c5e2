/* asm.h - an inline assembly statement taken apart.
 *
 * What an instruction can read or write between the start and the end of the statement is kept in
 * slots: one for each register that can be named, one for each operand that the compiler may put
 * where it likes. A slot holds 64 bits; what was never written is OPERAND_NONE.
 */
#ifndef PORF_ASM_H
#define PORF_ASM_H

#include "front/lower.h"

enum {
  ASM_NAMED = 6, /* ax bx cx dx si di, see asmtext.c */
  ASM_OPERANDS = 16,
  ASM_SLOTS = ASM_NAMED + ASM_OPERANDS,
  ASM_ARGS = 2,
};

/* An operand of the statement: %0, %1, … */
typedef struct AsmOperand {
  enum { ASM_REGISTER, ASM_MEMORY, ASM_CONDITION } kind;
  bool is_result;    /* a value that the statement returns */
  u32 slot, bits;    /* of registers; bits also of conditions */
  Operand address;   /* of memory */
  char condition[4]; /* "z" of =@ccz */
} AsmOperand;

/* An argument of one instruction. */
typedef struct AsmArg {
  enum { ARG_SLOT, ARG_MEMORY, ARG_CONSTANT } kind;
  u32 slot, bits; /* bits: 0 if the text does not say */
  Operand value;  /* address or constant */
} AsmArg;

/* The arguments are in the order of the text: the last one is the destination. */
typedef struct AsmInsn {
  char name[16];
  bool is_locked;
  u32 nargs, bits; /* bits: 0 until the name or an argument tells */
  AsmArg args[ASM_ARGS];
} AsmInsn;

typedef struct Asm {
  Lower *l;
  AsmOperand operands[ASM_OPERANDS];
  u32 noperands;
  bool orders_memory; /* "memory" is clobbered: the compiler moves no access across the statement */
  Operand slots[ASM_SLOTS];
  Operand result, carry; /* what the flags were set by; OPERAND_NONE if they are not known */
  u32 result_bits;
} Asm;

/* asmtext.c: reads the next instruction; false at the end and if *failed, which says that the text
 * is not understood */
bool asm_next (Asm *a, const char **at, const char *end, AsmInsn *out, bool *failed);
bool asm_register (const char *name, size_t length, u32 *slot, u32 *bits);

/* x86.c */
bool x86_lower (Asm *a, AsmInsn *i);
Operand x86_condition (Asm *a, const char *name); /* OPERAND_NONE if it is not known */

#endif
