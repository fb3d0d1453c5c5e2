/* fuzz_yaml.c - any text is a tree or gets a message; a tree can be printed and read as JSON. */
#include "base/yaml.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  Str error = {0}, printed = {0};
  Json *j = yaml_read ((const char *)data, size, &error);
  if (!j != (error.length != 0)) BUG ("a message, or none");
  if (j) {
    json_write (j, &printed);
    Json *again = json_read (printed.text, printed.length, &error);
    if (!again) BUG ("printed text is not accepted");
    json_free (again);
  }
  json_free (j);
  str_free (&error);
  str_free (&printed);
  return 0;
}
