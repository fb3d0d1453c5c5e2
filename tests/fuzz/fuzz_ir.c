/* fuzz_ir.c - whatever text the reader accepts survives printing, reading again and all passes.
 *
 *     clang -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Isrc tests/fuzz/fuzz_ir.c
 * and all of src/ir, src/base/base.c, src/core/core.c
 */
#include "ir/ir.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void must (bool condition, const char *what) {
  if (!condition) BUG (what);
}

static void check (const Program *p) {
  Str why = {0};
  must (ir_check (p, &why), "ir_check fails");
  str_free (&why);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  IrError error;
  Program *p = ir_parse ((const char *)data, size, &error);
  if (!p) return 0;
  check (p);
  Str first = {0}, second = {0};
  ir_print (p, &first);
  Program *again = ir_parse (first.text, first.length, &error);
  must (again != NULL, "printed text is not accepted");
  ir_print (again, &second);
  must (!strcmp (first.text, second.text), "printed text changes when read again");
  ir_prepare (p, (IrOptions){.find_spin_loops = true});
  check (p);
  ir_link (again, p); /* any program will do as a library */
  check (again);
  ir_prepare (again, (IrOptions){.find_spin_loops = false});
  check (again);
  str_free (&first);
  str_free (&second);
  program_free (p);
  program_free (again);
  return 0;
}
