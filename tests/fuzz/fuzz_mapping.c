/* fuzz_mapping.c - whatever text is accepted as a mapping survives printing and reading again;
 * whatever is not gets a message that points into the text. */
#include "models/hardware/mapping.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void must (bool condition, const char *what) {
  if (!condition) BUG (what);
}

static u32 count_lines (const char *text, size_t size) {
  u32 n = 1;
  for (size_t i = 0; i < size; i++) n += text[i] == '\n';
  return n;
}

static void check_error (const char *text, size_t size, const MapError *e) {
  Str out = {0};
  must (e->line >= 1 && e->line <= count_lines (text, size) + 1, "a line that is not there");
  must (e->column >= 1 && e->column <= size + 1 && e->length >= 1, "a column that is not there");
  must (*e->message, "no message");
  mapping_say_error ("text", text, size, e, &out);
  for (size_t i = 0; i < out.length; i++)
    must (out.text[i] == '\n' || (out.text[i] >= ' ' && out.text[i] < 127), "odd bytes");
  str_free (&out);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  Mapping m, again;
  MapError error = {0};
  if (!mapping_read (&m, text, size, &error)) {
    check_error (text, size, &error);
    return 0;
  }
  Str first = {0}, second = {0};
  mapping_print (&m, &first);
  must (mapping_read (&again, first.text, first.length, &error), "printed text is not accepted");
  mapping_print (&again, &second);
  must (!strcmp (first.text, second.text), "printed text changes when read again");
  str_free (&first);
  str_free (&second);
  return 0;
}
