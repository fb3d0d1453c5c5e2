/* test_source.c - C text: what is code, arguments, statements, edits and the patches they make. */
#include "unit/test.h"

#include <stdlib.h>
#include <unistd.h>

#include "source/calls.h"
#include "source/scan.h"

static const char text[] = "/* a ( in a comment */\n"
                           "#define OPEN {\n"
                           "int main (void) {\n"
                           "  char c = ')'; // (\n"
                           "  if (c)\n"
                           "\n"
                           "    f (\"a, b\", g (1, 2),\n"
                           "       memory_order_relaxed /* weak */);\n"
                           "  // the last one\n"
                           "  h ();\n"
                           "}\n";

static char path[] = "/tmp/porf_source_XXXXXX";
static Sources *sources;
static const Source *s;

static u32 place_of (const char *part) { return (u32)(strstr (text, part) - text); }

static void test_code (void) {
  u32 main_brace = place_of ("{\n  char");
  CHECK (source_is_balanced (s) && strlen (s->code) == s->size);
  CHECK (!strstr (s->code, "comment") && !strstr (s->code, "OPEN") && !strstr (s->code, "a, b"));
  CHECK (source_closing (s, main_brace) == s->size - 2 &&
         source_opening (s, s->size - 2) == main_brace);
  CHECK (source_word_at (s, place_of ("main"), "main") &&
         !source_word_at (s, place_of ("main"), "mai"));
  CHECK (source_line_at (s, main_brace) == 3 &&
         source_start_of_line (s, main_brace) == place_of ("int main"));
  CHECK (source_line_at (s, s->size) == s->starts.size);
  CHECK (!source_of_line (s, 0).text && !source_of_line (s, s->starts.size + 1).text);
  CHECK (!source_file (sources, "/nowhere/x.c")->text && !source_file (NULL, path)->text);
}

static void test_arguments (void) {
  Arguments list = {0};
  Cursor call = {s, 7, 4}, close;
  CHECK (cursor_find_arguments (call, &list, &close) && list.size == 3);
  CHECK (list.data[0].is_one_line && list.data[0].span.end - list.data[0].span.start == 6);
  CHECK (!list.data[0].names_order && !list.data[1].names_order);
  CHECK (close.line == 8 && list.data[2].line == 8 && list.data[2].is_one_line);
  vec_free (&list);
}

static void test_statements (void) {
  static const bool begins[] = {[4] = true, [5] = true, [7] = false, [9] = true, [10] = true};
  static const bool ends[] = {[3] = true, [4] = true, [5] = false, [7] = false, [8] = true};
  for (u32 i = 4; i < ARRAY_SIZE (begins); i++)
    if (i != 6 && i != 8) CHECK (cursor_begins_statement (s, i) == begins[i]);
  for (u32 i = 3; i < ARRAY_SIZE (ends); i++) {
    Source line = source_of_line (s, i);
    if (i != 6) CHECK (cursor_ends_statement (&line) == ends[i]);
  }
  Source condition = source_of_line (s, 5), call = source_of_line (s, 10);
  CHECK (!cursor_is_simple_statement (&condition) && cursor_is_simple_statement (&call));
  CHECK (source_begins_with (&call, "h") && !source_begins_with (&condition, "h"));
}

/* What is written and what the patch shows are the same. */
static void test_edits (void) {
  Edits edits = {0};
  Str out = {0}, patch = {0};
  u32 h = place_of ("h ();");
  edits_add_text (&edits, s, (Span){h, h + 1}, "k");
  edits_add_text (&edits, s, (Span){h, h}, "i ();");
  edits_add_text (&edits, s, (Span){h + 5, h + 5}, "j ();");
  edits_add_text (&edits, s, (Span){h, h + 1}, "k");
  edits_sort (&edits);
  CHECK (edits.size == 3 && edits_take_own_line (s, (Span){h, h}));
  edits_write (s, &edits, 0, edits.size, (Span){0, s->size}, &out);
  CHECK (strstr (out.text, "one\n  i ();\n  k ();j (); \n}\n") && !strncmp (out.text, text, h - 2));
  edits_patch (sources, &edits, &patch);
  CHECK (strstr (patch.text, "@@ -7,5 +7,6 @@\n"));
  CHECK (strstr (patch.text, "-  h ();\n+  i ();\n+  k ();j (); \n }\n"));
  CHECK (!strcmp (patch.text + patch.length - 3, " }\n")); /* no line after the last */
  edits_free (&edits);
  str_free (&out);
  str_clear (&patch);
  edits_add_text (&edits, s, (Span){h, h}, "i ();");
  edits_patch (sources, &edits, &patch);
  CHECK (strstr (patch.text, "+  i ();\n   h ();\n }\n"));
  edits_free (&edits);
  str_free (&patch);
}

static void test_removed_calls (void) {
  Edits edits = {0};
  Str out = {0};
  Cursor alone = {s, 10, 2}, alone_end = {s, 10, 5}, body = {s, 7, 4}, body_end = {s, 7, 8};
  CHECK (cursor_remove_call (&alone, &alone_end, &edits) && edits.data[0].removes_line);
  edits_write (s, &edits, 0, 1, (Span){0, s->size}, &out);
  CHECK (strstr (out.text, "one\n}\n"));
  CHECK (cursor_remove_call (&body, &body_end, &edits) && !edits.data[1].removes_line);
  edits_free (&edits);
  str_free (&out);
}

int main (void) {
  int fd = mkstemp (path);
  if (fd < 0 || write (fd, text, sizeof text - 1) != sizeof text - 1 || close (fd)) return 1;
  sources = sources_new ();
  s = source_file (sources, path);
  test_code ();
  test_arguments ();
  test_statements ();
  test_edits ();
  test_removed_calls ();
  sources_free (sources);
  unlink (path);
  return test_summary ();
}
