/* conventions.c - what the names of functions mean to tools that check programs: the body of
 * __VERIFIER_atomic_NAME is an atomic section, assume_abort_if_not aborts only to assume, and to
 * call reach_error is an error, whatever that does: the library's definition replaces it. */
#include "ir/ir_int.h"

#define SECTION "__VERIFIER_atomic_"
#define BEGIN SECTION "begin"
#define END SECTION "end"

static bool is_section (const Function *f) {
  return f->blocks.size && !strncmp (f->name, SECTION, strlen (SECTION)) &&
         strcmp (f->name, BEGIN) != 0 && strcmp (f->name, END) != 0;
}

static u32 find_or_declare (Program *p, const char *name) {
  i32 known = program_find_function (p, name);
  if (known >= 0) return (u32)known;
  Function f = {.name = mem_strdup (name)};
  vec_push (&p->functions, f);
  return p->functions.size - 1;
}

static void surround (Function *f, u32 begin, u32 end) {
  Function body = {0};
  for (u32 b = 0; b < f->blocks.size; b++) {
    u32 start = body.code.size;
    if (!b) body_call (&body, begin, f->pos);
    for (u32 n = f->blocks.data[b].start; n < f->blocks.data[b].end; n++) {
      const Insn *i = &f->code.data[n];
      if (i->op == OP_RET) body_call (&body, end, i->pos);
      body_emit (&body, f, i);
    }
    vec_push (&body.blocks, ((Block){start, body.code.size}));
  }
  body_replace (f, &body);
}

static bool is_error (const Function *f) {
  return f->blocks.size &&
         (!strcmp (f->name, "reach_error") || !strcmp (f->name, "__VERIFIER_error"));
}

void ir_follow_conventions (Program *p) {
  u32 count = p->functions.size;
  for (u32 k = 0; k < count; k++) {
    if (is_error (&p->functions.data[k])) {
      body_replace (&p->functions.data[k], &(Function){0});
      p->functions.data[k].linkage = LINK_NAMED;
    }
    if (!is_section (&p->functions.data[k])) continue;
    u32 begin = find_or_declare (p, BEGIN), end = find_or_declare (p, END);
    surround (&p->functions.data[k], begin, end);
  }
}

void ir_end_by_abort (Program *p, Function *f, bool everywhere) {
  if (!everywhere && strcmp (f->name, "assume_abort_if_not") != 0) return;
  for (u32 k = 0; k < f->code.size; k++) {
    Insn *i = &f->code.data[k];
    if (i->op != OP_BUILTIN || i->sub != BUILTIN_ABORT) continue;
    i->sub = BUILTIN_EXIT;
    i->first = f->args.size;
    i->nargs = 1;
    vec_push (&f->args, operand_const (program_const (p, CONST_INT, 0, 134)));
  }
}
