/* fuzz_json.c - whatever text is accepted as JSON survives printing and reading again, and if porf
 * can replay it, every step of it can be shown; whatever is not gets a message. */
#include "cli/replay.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void must (bool condition, const char *what) {
  if (!condition) BUG (what);
}

static void print_again (const Str *from, Str *to) {
  Str error = {0};
  Json *j = json_read (from->text, from->length, &error);
  must (j, "printed text is not accepted");
  json_write (j, to);
  json_free (j);
}

/* The first printing may replace bytes that are not UTF-8, the second break lines elsewhere. */
static void check_printed (const char *text, size_t size) {
  Str printed[3] = {0}, error = {0};
  Json *j = json_read (text, size, &error);
  must (j || error.length, "no message");
  if (j) {
    json_write (j, &printed[0]);
    json_free (j);
    print_again (&printed[0], &printed[1]);
    print_again (&printed[1], &printed[2]);
    must (!strcmp (printed[1].text, printed[2].text), "printed text changes when read again");
  }
  for (u32 i = 0; i < ARRAY_SIZE (printed); i++) str_free (&printed[i]);
  str_free (&error);
}

static void check_replay (const char *text, size_t size, FILE *out) {
  Viewer v = {.out = out};
  Str error = {0};
  bool ok = replay_read (&v.replay, text, size, 1, &error);
  must (ok == !error.length, "a message, or none");
  if (ok) {
    list_steps (&v);
    for (; v.at <= v.replay.events.size; v.at++) {
      show_step (&v);
      show_threads (&v);
    }
  }
  replay_close (&v.replay);
  mem_free (v.path);
  mem_free (v.text);
  str_free (&error);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static FILE *out;
  if (!out) out = fopen ("/dev/null", "w");
  check_printed ((const char *)data, size);
  check_replay ((const char *)data, size, out);
  return 0;
}
