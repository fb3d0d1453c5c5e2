/* promote.c - stack objects that are only loaded and stored as a whole become registers.
 *
 * Front ends pass results of atomic operations through such objects, with types that differ between
 * store and load, so that LLVM's mem2reg leaves them. In a spin loop the store would look like a
 * side effect.
 */
#include "ir/ir_int.h"

typedef struct Promote {
  Function *f;
  u64 *size; /* by register: bytes of the object whose address it holds; 0: not a candidate */
  OperandRefs operands;
} Promote;

static u64 constant_size (const Program *p, const Insn *i) {
  if (i->op != OP_ALLOCA || operand_is_reg (i->a)) return 0;
  const Const *c = &p->consts.data[operand_const_index (i->a)];
  return c->kind == CONST_INT && c->value <= 8 ? c->value : 0;
}

static bool is_plain_access (const Insn *i) {
  return (i->op == OP_LOAD || i->op == OP_STORE) && i->order == ORD_NA &&
         !(i->flags & INSN_VOLATILE);
}

static bool accesses (const Promote *m, const Insn *i) {
  return is_plain_access (i) && operand_is_reg (i->a) && m->size[i->a];
}

/* An object stays where it is if its register is written twice, or used other than as the address
 * of a whole access. */
static void drop_escaping (Promote *m) {
  Function *f = m->f;
  for (u32 k = 0; k < f->code.size; k++) {
    Insn *i = &f->code.data[k];
    if (i->op != OP_ALLOCA && i->dst >= 0) m->size[i->dst] = 0;
    bool is_whole = accesses (m, i) && m->size[i->a] == i->width;
    insn_operands (f, i, &m->operands);
    for (u32 n = 0; n < m->operands.size; n++) {
      const Operand *o = m->operands.data[n];
      if (operand_is_reg (*o) && !(is_whole && o == &i->a)) m->size[*o] = 0;
    }
  }
}

static void become_move (Insn *i, i32 dst, Operand value) {
  *i = (Insn){.op = OP_MOV,
              .width = 64,
              .dst = dst,
              .a = value,
              .b = OPERAND_NONE,
              .c = OPERAND_NONE,
              .pos = i->pos};
}

static void become_undefined (Program *p, Insn *i) {
  become_move (i, i->dst, operand_const (program_const (p, CONST_INT, 0, 0)));
  i->op = OP_UNDEF;
}

/* Objects that are there from a scope_begin on, not from the start. */
static void mark_scoped (Function *f) {
  u8 *is_scoped = mem_zalloc (f->regs);
  for (u32 k = 0; k < f->code.size; k++) {
    const Insn *i = &f->code.data[k];
    if (i->op == OP_BUILTIN && i->sub == BUILTIN_SCOPE_BEGIN && i->dst >= 0) is_scoped[i->dst] = 1;
  }
  for (u32 k = 0; k < f->code.size; k++) {
    Insn *i = &f->code.data[k];
    if (i->op == OP_ALLOCA && is_scoped[i->dst]) i->flags |= INSN_SCOPED;
  }
  mem_free (is_scoped);
}

void ir_promote (Program *p, Function *f) {
  Promote m = {.f = f, .size = mem_zalloc (f->regs * sizeof *m.size)};
  for (u32 k = 0; k < f->code.size; k++) {
    const Insn *i = &f->code.data[k];
    u64 size = constant_size (p, i);
    if (i->op == OP_ALLOCA) m.size[i->dst] = m.size[i->dst] ? 0 : size;
  }
  for (u32 k = 0; k < f->params; k++) m.size[k] = 0;
  drop_escaping (&m);
  mark_scoped (f);
  for (u32 k = 0; k < f->code.size; k++) {
    Insn *i = &f->code.data[k];
    if (i->op == OP_ALLOCA && m.size[i->dst])
      become_undefined (p, i);
    else if (i->op == OP_STORE && accesses (&m, i))
      become_move (i, i->a, i->b);
    else if (i->op == OP_LOAD && accesses (&m, i))
      become_move (i, i->dst, i->a);
  }
  vec_free (&m.operands);
  mem_free (m.size);
}
