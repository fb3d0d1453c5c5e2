/* json.c - for programs: the documents as they are. */
#include "report/report_int.h"

void report_write_json (const Json *documents, Str *out) {
  bool is_one = json_size (documents) == 1;
  json_write (is_one ? json_at (documents, 0) : documents, out);
}
