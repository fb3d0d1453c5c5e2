/* print.c - the text form of a program; docs/IR.md is its reference. parse.c reads it back. */
#include "ir/ir_int.h"

static void print_quoted (const char *text, Str *out) {
  str_add (out, "\"");
  for (const char *s = text; *s; s++) {
    u8 c = (u8)*s;
    if (c == '"' || c == '\\')
      str_printf (out, "\\%c", c);
    else if (c == '\n')
      str_add (out, "\\n");
    else if (c == '\t')
      str_add (out, "\\t");
    else if (c < 32 || c == 127)
      str_printf (out, "\\x%02x", c);
    else
      str_add_n (out, s, 1);
  }
  str_add (out, "\"");
}

static void print_position (const Program *p, u32 pos, Str *out) {
  const Position *at = &p->positions.data[pos];
  if (at->file || at->line || at->column)
    str_printf (out, " @%u:%u:%u", at->file, at->line, at->column);
}

static void print_const (const Const *c, Str *out) {
  switch ((ConstKind)c->kind) {
  case CONST_INT:
    str_printf (out, "%lld", (long long)c->value);
    break;
  case CONST_GLOBAL:
    str_printf (out, "g%u", c->index);
    if (c->value) str_printf (out, "%+lld", (long long)c->value);
    break;
  case CONST_FUNC:
    str_printf (out, "f%u", c->index);
    break;
  }
}

static void print_operand (const Program *p, Operand o, Str *out) {
  if (operand_is_reg (o))
    str_printf (out, "r%d", o);
  else
    print_const (&p->consts.data[operand_const_index (o)], out);
}

static void print_operands (const Program *p, const Operand *o, u32 n, Str *out) {
  for (u32 i = 0; i < n; i++) {
    if (i) str_add (out, ", ");
    print_operand (p, o[i], out);
  }
}

static void print_args (const Program *p, const Function *f, const Insn *i, Str *out) {
  str_add (out, "(");
  print_operands (p, f->args.data + i->first, i->nargs, out);
  str_add (out, ")");
}

static void print_switch (const Program *p, const Function *f, const Insn *i, Str *out) {
  str_add (out, "switch ");
  print_operand (p, i->a, out);
  str_printf (out, ", b%d {", i->b);
  for (u32 k = 0; k < i->nargs; k++) {
    const Case *c = &f->cases.data[i->first + k];
    str_printf (out, "%s %lld: b%u", k ? "," : "", (long long)c->value, c->block);
  }
  str_add (out, " }");
}

static void print_access (const Program *p, const Insn *i, u32 operands, Str *out) {
  str_printf (out, "%s.%u", op_name ((Op)i->op), i->width);
  if (i->op == OP_RMW) str_printf (out, ".%s", rmw_name ((RmwOp)i->sub));
  str_printf (out, " %s ", order_name ((Order)i->order));
  if (i->op == OP_CAS) str_printf (out, "%s ", order_name ((Order)i->order2));
  print_operands (p, (Operand[]){i->a, i->b, i->c}, operands, out);
  if (i->flags & INSN_VOLATILE) str_add (out, " volatile");
  if (i->flags & INSN_WEAK) str_add (out, " weak");
  if (i->flags & INSN_IN_SPIN) str_add (out, " in_spin");
  if (i->flags & INSN_UNUSED) str_add (out, " unused");
}

static void print_spin (const Program *p, const Function *f, const Insn *i, Str *out) {
  str_add (out, "spin ");
  print_args (p, f, i, out);
  if (operand_is_reg (i->b)) str_printf (out, " shadow r%d", i->b);
  if (i->flags & INSN_SPIN) str_add (out, " detect");
}

static void print_call (const Program *p, const Function *f, const Insn *i, Str *out) {
  if (i->a == OPERAND_NONE)
    str_printf (out, "call f%d", i->b);
  else
    str_printf (out, "call r%d", i->a);
  print_args (p, f, i, out);
}

static void print_ret (const Program *p, const Function *f, const Insn *i, Str *out) {
  str_add (out, "ret");
  if (i->nargs) str_add (out, " ");
  print_operands (p, f->args.data + i->first, i->nargs, out);
}

static void print_unsupported (const Program *p, const Insn *i, Str *out) {
  str_add (out, "unsupported ");
  print_quoted (p->strings.data[i->b], out);
}

static void print_plain (const Program *p, const Insn *i, Str *out) {
  const Operand operands[] = {i->a, i->b, i->c};
  OpForm form = op_form ((Op)i->op);
  str_add (out, op_name ((Op)i->op));
  if (form != FORM_SELECT) str_printf (out, ".%u", i->width);
  if (form == FORM_CAST || form == FORM_FCMP) str_printf (out, ".%u", i->sub);
  str_add (out, " ");
  u32 n = form == FORM_SELECT ? 3 : form == FORM_UN || form == FORM_CAST ? 1 : 2;
  print_operands (p, operands, n, out);
}

static void print_words (const Program *p, const Function *f, const Insn *i, Str *out) {
  switch ((Op)i->op) {
#include "ir/plain_ops.h"
    print_plain (p, i, out);
    break;
  case OP_ALLOCA:
    str_add (out, "alloca ");
    print_operand (p, i->a, out);
    if (i->sub) str_printf (out, " align %u", 1u << i->sub);
    if (i->b == OPERAND_NONE) break;
    str_add (out, " ");
    print_quoted (p->strings.data[i->b], out);
    if (i->c != OPERAND_NONE) str_printf (out, " type %d", i->c);
    break;
  case OP_TLS:
    str_printf (out, "tls g%d", i->b);
    break;
  case OP_LOAD:
    print_access (p, i, 1, out);
    break;
  case OP_STORE:
  case OP_RMW:
    print_access (p, i, 2, out);
    break;
  case OP_CAS:
    print_access (p, i, 3, out);
    break;
  case OP_FENCE:
    str_printf (out, "fence %s", order_name ((Order)i->order));
    break;
  case OP_JMP:
    str_printf (out, "jmp b%d", i->b);
    break;
  case OP_BR:
    str_add (out, "br ");
    print_operand (p, i->a, out);
    str_printf (out, ", b%d, b%d", i->b, i->c);
    break;
  case OP_SWITCH:
    print_switch (p, f, i, out);
    break;
  case OP_CALL:
    print_call (p, f, i, out);
    break;
  case OP_RETVAL:
    str_printf (out, "retval %d", i->b);
    break;
  case OP_RET:
    print_ret (p, f, i, out);
    break;
  case OP_BUILTIN:
    str_printf (out, "builtin %s", builtin_name ((Builtin)i->sub));
    print_args (p, f, i, out);
    break;
  case OP_SPIN:
    print_spin (p, f, i, out);
    break;
  case OP_UNREACHABLE:
    str_add (out, "unreachable");
    break;
  case OP_UNSUPPORTED:
    print_unsupported (p, i, out);
    break;
  }
}

static void print_insn (const Program *p, const Function *f, const Insn *i, Str *out) {
  str_add (out, "  ");
  if (i->dst >= 0) str_printf (out, "r%d = ", i->dst);
  print_words (p, f, i, out);
  print_position (p, i->pos, out);
  str_add (out, "\n");
}

static const char *linkage_word (u8 linkage) {
  return linkage == LINK_LOCAL ? " local" : linkage == LINK_WEAK ? " weak" : "";
}

static void print_title (const char *title, Str *out) {
  if (!title) return;
  str_add (out, " title ");
  print_quoted (title, out);
}

static void print_function (const Program *p, u32 index, Str *out) {
  const Function *f = &p->functions.data[index];
  str_printf (out, "func %u ", index);
  print_quoted (f->name, out);
  print_title (f->title, out);
  str_printf (out, " params %u regs %u%s%s", f->params, f->regs, linkage_word (f->linkage),
              f->is_variadic ? " variadic" : "");
  if (!f->blocks.size) str_add (out, " declared");
  print_position (p, f->pos, out);
  if (!f->blocks.size) {
    str_add (out, "\n");
    return;
  }
  str_add (out, " {\n");
  for (u32 b = 0; b < f->blocks.size; b++) {
    str_printf (out, "b%u:\n", b);
    for (u32 k = f->blocks.data[b].start; k < f->blocks.data[b].end; k++)
      print_insn (p, f, &f->code.data[k], out);
  }
  str_add (out, "}\n");
}

static void print_type (const Program *p, u32 index, Str *out) {
  static const char *const kinds[] = {"unknown", "scalar", "pointer", "array", "struct"};
  const Type *t = &p->types.data[index];
  str_printf (out, "type %u %s ", index, kinds[t->kind]);
  print_quoted (t->name, out);
  str_printf (out, " %llu", (unsigned long long)t->size);
  if (t->kind == TYPE_SCALAR && t->is_signed) str_add (out, " signed");
  if (t->kind == TYPE_POINTER) str_printf (out, " -> %u", t->element);
  if (t->kind == TYPE_ARRAY) str_printf (out, " of %u", t->element);
  if (t->kind == TYPE_STRUCT) {
    str_add (out, " {");
    for (u32 i = 0; i < t->fields.size; i++) {
      const Field *f = &t->fields.data[i];
      str_add (out, i ? ", " : " ");
      print_quoted (f->name, out);
      str_printf (out, " %llu %u", (unsigned long long)f->offset, f->type);
    }
    str_add (out, " }");
  }
  str_add (out, "\n");
}

static void print_global (const Program *p, u32 index, Str *out) {
  static const char digits[] = "0123456789abcdef";
  const Global *g = &p->globals.data[index];
  str_printf (out, "global %u ", index);
  print_quoted (g->name, out);
  print_title (g->title, out);
  str_printf (out, " size %llu align %u type %u%s%s%s%s = ", (unsigned long long)g->size, g->align,
              g->type, linkage_word (g->linkage), g->is_extern ? " extern" : "",
              g->is_tls ? " tls" : "", g->is_const ? " const" : "");
  if (!g->init || !g->size) str_add (out, "zero");
  for (u64 i = 0; g->init && i < g->size; i++) {
    char hex[2] = {digits[g->init[i] >> 4], digits[g->init[i] & 15]};
    str_add_n (out, hex, 2);
  }
  for (u32 i = 0; i < g->relocs.size; i++) {
    str_printf (out, " reloc %u ", g->relocs.data[i].offset);
    print_const (&g->relocs.data[i].target, out);
  }
  print_position (p, g->pos, out);
  str_add (out, "\n");
}

void ir_print (const Program *p, Str *out) {
  str_add (out, "porf-ir 1\n");
  for (u32 i = 1; i < p->files.size; i++) {
    str_printf (out, "file %u ", i);
    print_quoted (p->files.data[i], out);
    str_add (out, "\n");
  }
  for (u32 i = 1; i < p->types.size; i++) print_type (p, i, out);
  for (u32 i = 0; i < p->globals.size; i++) print_global (p, i, out);
  for (u32 i = 0; i < p->strings.size; i++) {
    str_printf (out, "string %u ", i);
    print_quoted (p->strings.data[i], out);
    str_add (out, "\n");
  }
  for (u32 i = 0; i < p->functions.size; i++) print_function (p, i, out);
}
