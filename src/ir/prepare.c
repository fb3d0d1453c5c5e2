/* prepare.c - the list of passes between the front end and the VM. */
#include "ir/ir_int.h"

static void check_passes (const Program *p) {
#ifndef NDEBUG
  Str why = {0};
  bool ok = ir_check (p, &why);
  if (!ok) BUG (why.text);
  str_free (&why);
#else
  (void)p;
#endif
}

static void relax_volatile (Function *f) {
  for (u32 k = 0; k < f->code.size; k++) {
    Insn *i = &f->code.data[k];
    if (insn_is_plain_volatile (i) && i->width <= 8) i->order = ORD_RLX;
  }
}

static void wrap_signed (Function *f) {
  for (u32 k = 0; k < f->code.size; k++) {
    Insn *i = &f->code.data[k];
    if (op_wrapping ((Op)i->op) != i->op) i->flags |= INSN_WRAPS;
  }
}

void ir_prepare (Program *p, IrOptions options) {
  if (p->is_prepared) return;
  ir_stub_declarations (p);
  if (options.words.is_given) ir_set_words (p, &options.words);
  if (options.environment.is_given) ir_set_environment (p, &options.environment);
  for (u32 k = 0; k < p->functions.size; k++) {
    Function *f = &p->functions.data[k];
    ir_normalise (f);
    if (options.spurious) ir_weaken (p, f);
    if (options.volatile_is_atomic) relax_volatile (f);
    if (!options.find_overflow) wrap_signed (f);
    ir_end_by_abort (p, f, options.abort_ends);
    ir_promote (p, f);
    ir_drop_dead (f);
    ir_mark_loops (p, f, options.find_spin_loops);
    ir_compact (f);
    ir_map_live (f);
  }
  p->is_prepared = true;
  check_passes (p);
}
