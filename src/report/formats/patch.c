/* patch.c - the verified fix of the first violation of each program, for patch -p1. */
#include "report/report_int.h"

void report_write_patch (const Json *documents, Str *out) {
  for (u32 i = 0; i < json_size (documents); i++) {
    const Json *finding = json_at (json_get (json_at (documents, i), "findings"), 0);
    str_add (out, json_text (finding, "patch"));
  }
}
