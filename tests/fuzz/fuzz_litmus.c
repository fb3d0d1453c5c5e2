/* fuzz_litmus.c - whatever the reader of litmus tests gets: a program and a condition, or a
 * message. Programs of porf IR, and their mappings, can be read again. */
#include "ir/ir.h"
#include "litmus/litmus.h"
#include "models/hardware/mapping.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void read_again (const Litmus *l) {
  IrError error;
  MapError wrong;
  Mapping mapping;
  Program *p = ir_parse (l->program.text, l->program.length, &error);
  BUG_IF (!p);
  program_free (p);
  BUG_IF (!mapping_read (&mapping, l->mapping.text, l->mapping.length, &wrong));
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  Litmus l;
  Str error = {0};
  char *text = mem_alloc (size + 1);
  memcpy (text, data, size);
  text[size] = 0;
  bool fine = litmus_read (&l, text, "test.litmus", &error);
  BUG_IF (fine != !error.length);
  if (fine) {
    ObservedValue *values = mem_zalloc ((l.observed.size + 1) * sizeof *values);
    litmus_holds (&l, l.condition, values);
    if (l.filter >= 0) litmus_holds (&l, l.filter, values);
    BUG_IF (!l.program.length || !l.text || !l.name);
    mem_free (values);
    if (l.is_ir) read_again (&l);
  }
  litmus_free (&l);
  str_free (&error);
  mem_free (text);
  return 0;
}
