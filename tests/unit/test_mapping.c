/* Tests of src/models/mapping: what there is, rows, round trips, and every message. */
#include "models/hardware/mapping.h"

#include "test.h"

static void steps_text (const Mapping *m, MapOp op, Order o, Str *out) {
  const MapRow *row = &m->rows[op][o];
  str_clear (out);
  str_add (out, "");
  for (u32 i = 0; i < row->count; i++)
    str_printf (out, "%s%s", i ? " " : "",
                row->steps[i].kind == STEP_CTRL ? "ctrl"
                                                : hardware_name ((Hardware)row->steps[i].hardware));
}

static void expect_row (const char *name, MapOp op, Order o, const char *want) {
  Mapping m;
  Str got = {0};
  bool found = mapping_find (name, &m);
  CHECK (found);
  if (!found) return;
  steps_text (&m, op, o, &got);
  bool ok = !strcmp (got.text, want);
  CHECK (ok);
  if (!ok) fprintf (stderr, "  %s, operation %u, %s: %s\n", name, op, order_name (o), got.text);
  str_free (&got);
}

/* The rows in which compilers differ or that are easily got wrong. */
static void test_known_rows (void) {
  expect_row ("x86", MAP_LOAD, ORD_SC, "R");
  expect_row ("x86", MAP_STORE, ORD_REL, "W");
  expect_row ("x86", MAP_STORE, ORD_SC, "W mfence");
  expect_row ("x86", MAP_FENCE, ORD_ACQ_REL, "");
  expect_row ("armv8", MAP_LOAD, ORD_ACQ, "R.acq");
  expect_row ("armv8-rcpc", MAP_LOAD, ORD_ACQ, "R.acqpc");
  expect_row ("armv8-rcpc", MAP_LOAD, ORD_SC, "R.acq");
  expect_row ("armv8", MAP_CAS, ORD_SC, "R.acq W.rel");
  expect_row ("armv8", MAP_FENCE, ORD_ACQ, "dmb.ld");
  expect_row ("power", MAP_LOAD, ORD_ACQ, "R ctrl isync");
  expect_row ("power", MAP_LOAD, ORD_SC, "sync R ctrl isync");
  expect_row ("power", MAP_STORE, ORD_SC, "sync W");
  expect_row ("power", MAP_CAS, ORD_ACQ_REL, "lwsync R ctrl W isync");
  expect_row ("power", MAP_FAIL, ORD_RLX, "");
  expect_row ("power", MAP_FAIL, ORD_SC, "isync");
  expect_row ("riscv", MAP_LOAD, ORD_SC, "fence.rw.rw R fence.r.rw");
  expect_row ("riscv", MAP_STORE, ORD_SC, "fence.rw.w W");
  expect_row ("riscv", MAP_RMW, ORD_SC, "R.amo.aqrl W");
  expect_row ("riscv-lrsc", MAP_RMW, ORD_SC, "R.aqrl W.rl");
  expect_row ("riscv", MAP_CAS, ORD_SC, "R.aqrl W.rl");
  expect_row ("riscv", MAP_FENCE, ORD_ACQ_REL, "fence.tso");
  expect_row ("armv8-lse", MAP_RMW, ORD_ACQ_REL, "R.amo.acq W.rel");
  expect_row ("imm", MAP_STORE, ORD_SC, "W.sc");
  expect_row ("imm", MAP_FAIL, ORD_ACQ, "R.acq");
}

static bool is_full_fence (Hardware h) {
  return h == HW_X86_MFENCE || h == HW_ARMV8_DMB_SY || h == HW_POWER_SYNC ||
         h == HW_RISCV_FENCE_RW_RW || h == HW_IMM_F_SC || h == HW_MCM_FENCE;
}

/* All of them are complete, survive printing, and an sc fence is a full one. */
static void test_all (void) {
  u32 n = 0;
  for (; mapping_name (n); n++) {
    Mapping m, again;
    MapError error;
    Str first = {0}, second = {0};
    CHECK (mapping_find (mapping_name (n), &m));
    mapping_print (&m, &first);
    CHECK (mapping_read (&again, first.text, first.length, &error));
    mapping_print (&again, &second);
    CHECK (!strcmp (first.text, second.text));
    const MapRow *fence = &m.rows[MAP_FENCE][ORD_SC];
    CHECK (fence->count == 1 && is_full_fence ((Hardware)fence->steps[0].hardware));
    str_free (&first);
    str_free (&second);
  }
  CHECK (n >= 6);
  Mapping m;
  CHECK (!mapping_find ("vax", &m));
}

#define ROWS                                                                                       \
  "load na,rlx,acq,sc = R\nstore na,rlx,rel,sc = W\nrmw rlx,acq,rel,acq_rel,sc = R W\n"            \
  "fence acq,rel,acq_rel,sc = mfence\n"

static void test_accepted (void) {
  static const char *const texts[] = {
      "target x86\n" ROWS,
      "# a comment\n\n  target x86 # here\n" ROWS "#",
      "target\tx86\r\n" ROWS "cas sc=R W mfence",
      "target x86\n" ROWS "cas rlx , acq = R W#W\nfail sc = mfence\nfail rlx = none\n",
  };
  for (u32 i = 0; i < ARRAY_SIZE (texts); i++) {
    Mapping m;
    MapError error = {0};
    bool ok = mapping_read (&m, texts[i], strlen (texts[i]), &error);
    CHECK (ok);
    if (!ok) fprintf (stderr, "  text %u: %s\n", i, error.message);
  }
}

typedef struct Bad {
  const char *text;
  u32 line, column, length;
  const char *message;
} Bad;

static void test_messages (void) {
  static const Bad bad[] = {
      {"", 1, 1, 1, "begins with a line such as `target x86`"},
      {"\n# nothing\n", 3, 1, 1, "begins with"},
      {"load rlx = R\n", 1, 1, 4, "begins with"},
      {"target", 1, 7, 1, "a target is missing"},
      {"target vax", 1, 8, 3, "unknown target `vax`; there are x86, armv8, power, riscv, imm"},
      {"target x86 x87", 1, 12, 3, "unexpected `x87`"},
      {"target x86\n  laod rlx = R", 2, 3, 4, "`laod` is not an operation"},
      {"target x86\nload = R", 2, 6, 1, "a memory order is missing"},
      {"target x86\nload", 2, 5, 1, "a memory order is missing"},
      {"target x86\nload rlx, = R", 2, 11, 1, "a memory order is missing"},
      {"target x86\nload relaxed = R", 2, 6, 7, "`relaxed` is not a memory order"},
      {"target x86\nload rel = R", 2, 6, 3, "a load cannot be rel"},
      {"target x86\nstore acq_rel = W", 2, 7, 7, "a store cannot be acq_rel"},
      {"target x86\nfence rlx = mfence", 2, 7, 3, "a fence cannot be rlx"},
      {"target x86\nfail rel = mfence", 2, 6, 3, "a fail cannot be rel"},
      {"target x86\nload rlx,rlx = R", 2, 10, 3, "`rlx` appears here twice"},
      {"target x86\nload rlx = R\nload na,rlx = R", 3, 9, 3, "a row already, on line 2"},
      {"target x86\nload rlx R", 2, 10, 1, "`=` and the events"},
      {"target x86\nload rlx", 2, 9, 1, "`=` and the events"},
      {"target x86\nload rlx =  # R", 2, 13, 1, "events are missing here, or `none`"},
      {"target x86\nload rlx = none", 2, 12, 4, "a load reads once"},
      {"target x86\nload rlx = R lwsync", 2, 14, 6,
       "`lwsync` is not an event of x86, which has R W mfence"},
      {"target x86\nload rlx = R.acq", 2, 12, 5, "`R.acq` is not an event of x86"},
      {"target x86\nload rlx = R W", 2, 12, 3, "a load writes nothing"},
      {"target x86\nload rlx = R mfence R", 2, 12, 10, "a load reads once"},
      {"target x86\nstore rlx = mfence", 2, 13, 6, "a store writes once"},
      {"target x86\nstore rlx = R W", 2, 13, 3, "a store reads nothing"},
      {"target x86\nrmw rlx = R", 2, 11, 1, "a rmw writes once"},
      {"target x86\nrmw rlx = W R", 2, 11, 3, "a rmw reads before it writes"},
      {"target x86\nfence sc = R", 2, 12, 1, "a fence reads nothing"},
      {"target x86\nrmw rlx = R mfence W", 2, 11, 10, "no fence can stand between the read"},
      {"target x86\nfail sc = R R", 2, 11, 3, "a fail reads once"},
      {"target x86\nload rlx = ctrl R", 2, 12, 6, "`ctrl` needs a read before it"},
      {"target x86\nfence sc = ctrl", 2, 12, 4, "`ctrl` needs a read before it"},
      {"target x86\nfence sc = none mfence", 2, 17, 6, "`none` must stand alone"},
      {"target x86\nfence sc = mfence none", 2, 19, 4, "`none` is not an event"},
      {"target x86\nfence sc = mfence mfence mfence mfence mfence mfence mfence mfence mfence", 2,
       68, 6, "more than 8 events"},
      {"target x86\nload rlx = R\n", 3, 1, 1, "no row for `load na`"},
  };
  for (u32 i = 0; i < ARRAY_SIZE (bad); i++) {
    Mapping m;
    MapError e = {0};
    const Bad *b = &bad[i];
    bool ok = !mapping_read (&m, b->text, strlen (b->text), &e) && e.line == b->line &&
              e.column == b->column && e.length == b->length && strstr (e.message, b->message);
    CHECK (ok);
    if (!ok)
      fprintf (stderr, "  %s\n  gives %u:%u+%u: %s\n", b->text, e.line, e.column, e.length,
               e.message);
  }
}

/* Bytes that are no text end no line and hide nothing. */
static void test_odd_bytes (void) {
  Mapping m;
  MapError e;
  static const char nul[] = "target x86\nload rlx = R\0 W\n";
  CHECK (!mapping_read (&m, nul, sizeof nul - 1, &e) && e.line == 2);
  static const char high[] = "target x86\nl\xc3\xb6\xff rlx = R\n";
  CHECK (!mapping_read (&m, high, sizeof high - 1, &e) && strstr (e.message, "`l???`"));
}

static void test_caret (void) {
  const char *text = "target power\nload acq =\tR ctrl isnyc\n";
  Mapping m;
  MapError e;
  Str out = {0};
  CHECK (!mapping_read (&m, text, strlen (text), &e));
  mapping_say_error ("my.map", text, strlen (text), &e, &out);
  CHECK (!strcmp (out.text,
                  "my.map:2:19: error: `isnyc` is not an event of power, which has R W sync "
                  "lwsync eieio isync ctrl none\n"
                  "  load acq = R ctrl isnyc\n"
                  "                    ^^^^^\n"));
  str_free (&out);
}

int main (void) {
  test_known_rows ();
  test_all ();
  test_accepted ();
  test_messages ();
  test_odd_bytes ();
  test_caret ();
  return test_summary ();
}
