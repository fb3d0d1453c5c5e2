/* unwind.c - exceptions: a thread leaves functions up to one that is to know.
 *
 * A call that may be left this way has `caught` right after it, and a branch on its result. There is
 * nothing to be remembered meanwhile: unwind sets the register of `caught` and goes on after it.
 */
#include "vm/vm_int.h"

/* The `caught` after the call that the frame is at, or NULL. */
static const Insn *landing_of (const Frame *f) {
  const Insn *i = &f->fn->code.data[f->pc + 1];
  while (i->op == OP_RETVAL) i++;
  return i->op == OP_BUILTIN && i->sub == BUILTIN_CAUGHT ? i : NULL;
}

static bool may_catch (const Vm *vm, const Frame *f, const Insn *caught) {
  const u64 *consts = vm->facts->consts, *regs = vm->run.regs + f->regs;
  return VALUE (f->fn->args.data[caught->first]);
}

/* The innermost caller in which something happens; false if nobody may catch the exception, and the
 * program ends. */
static bool find_landing (const Vm *vm, u32 *depth) {
  const Run *r = &vm->run;
  bool is_found = false, is_caught = false;
  for (u32 k = r->depth - 1; k-- > 0 && !is_caught;) {
    const Insn *caught = landing_of (&r->frames[k]);
    if (!caught) continue;
    if (!is_found) *depth = k;
    is_found = true;
    is_caught = may_catch (vm, &r->frames[k], caught);
  }
  return is_caught;
}

static bool stop_uncaught (Vm *vm, u64 type) {
  Str name = {0};
  vm_name_address (vm, type, &name);
  const char *text =
      vm_text (vm, "an exception of type `%s` can be thrown that nothing catches", name.text);
  str_free (&name);
  return stop_error (vm, FINDING_ABORT, text);
}

bool run_unwind (Vm *vm, const Insn *i, u64 type) {
  Run *r = &vm->run;
  u32 depth;
  if (!find_landing (vm, &depth)) return stop_uncaught (vm, type);
  if (!stack_end_objects (vm, i, r->frames[depth + 1].objects)) return false;
  if (UNLIKELY (r->tainted)) undefined_forget_frames (vm, depth + 1);
  Frame *f = &r->frames[depth];
  const Insn *caught = landing_of (f);
  r->depth = depth + 1;
  r->result_count = 0;
  f->pc = (u32)(caught - f->fn->code.data) + 1;
  if (caught->dst >= 0) r->regs[f->regs + (u32)caught->dst] = 1;
  return true;
}
