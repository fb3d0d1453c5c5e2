/* test_repair.c - fixes of small programs as IR text: which one is found, that it is the weakest,
 * that nothing is proposed where nothing helps, and that the program is left as it was. */
#include "repair/repair.h"

#include <stdlib.h>

#include "test.h"

/* Globals x y z; thread functions f1 and f2 with one body each, every line n of body k at k:n. The
 * end of main, from b1 on, is where things are asserted. */
static Program *program_of (const char *one, const char *two, const char *end) {
  IrError error;
  Str s = {0};
  str_printf (&s,
              "porf-ir 1\nfile 1 \"test.c\"\n"
              "global 0 \"x\" size 4 align 4\nglobal 1 \"y\" size 4 align 4\n"
              "global 2 \"z\" size 4 align 4\nglobal 3 \"w\" size 4 align 4\n"
              "func 0 \"main\" params 0 regs 16 {\nb0:\n"
              " r1 = builtin thread_create(f1, 0)\n r2 = builtin thread_create(f2, 0)\n"
              " r3 = builtin thread_join(r1)\n r3 = builtin thread_join(r2)\n%s\n}\n"
              "func 1 \"one\" params 1 regs 16 {\nb0:\n%s ret 0\n}\n"
              "func 2 \"two\" params 1 regs 16 {\nb0:\n%s ret 0\n}\n",
              end, one, two);
  Program *p = ir_parse (s.text, s.length, &error);
  if (!p) {
    fprintf (stderr, "%u:%u: %s in\n%s\n", error.line, error.column, error.message, s.text);
    exit (1);
  }
  ir_prepare (p, (IrOptions){.find_spin_loops = true});
  str_free (&s);
  return p;
}

static const char *const no_end = " ret 0";
/* z and w hold what the threads read */
static const char *const not_both_zero =
    " r4 = load.4 na g2\n r5 = load.4 na g3\n r6 = or.32 r4, r5\n br r6, b1, b2\n"
    "b1:\n ret 0\nb2:\n builtin assert_fail(0) @1:99:1";

static Repair repair_of (const char *model, Program *p, double seconds) {
  ExploreOptions o = explore_default_options (model_find (model));
  Str before = {0}, after = {0};
  Result r = explore_program (p, &o);
  CHECK (r.findings.size == 1);
  ir_print (p, &before);
  repair_find (p, &o, &r, seconds, NULL);
  ir_print (p, &after);
  CHECK (!strcmp (before.text, after.text));
  for (u32 k = 0; k < p->functions.size; k++) CHECK (p->functions.data[k].live_after);
  Repair repair = r.findings.data[0].repair;
  r.findings.data[0].repair = (Repair){0};
  result_free (&r);
  str_free (&before);
  str_free (&after);
  program_free (p);
  return repair;
}

static void repair_done (Repair *r) {
  vec_free (&r->fix.changes);
  vec_free (&r->or_fence.changes);
}

/* Message passing of a plain x by a flag y. */
static Program *message (const char *store, const char *load) {
  Str one = {0}, two = {0};
  str_printf (&one, " store.4 na g0, 1 @1:1:1\n store.4 %s g1, 1 @1:2:1\n", store);
  str_printf (&two,
              " r1 = load.4 %s g1 @1:11:1\n br r1, b1, b2\n"
              "b1:\n r2 = load.4 na g0 @1:12:1\n ret 0\nb2:\n",
              load);
  Program *p = program_of (one.text, two.text, no_end);
  str_free (&one);
  str_free (&two);
  return p;
}

static void test_single_orders (void) {
  Repair r = repair_of ("rc11", message ("rlx", "acq"), 20);
  CHECK (r.status == REPAIR_FOUND && r.fix.changes.size == 1 && r.fix.executions == 2);
  const Change *c = r.fix.changes.data;
  CHECK (c->kind == CHANGE_ORDER && c->access == WITNESS_WRITE && c->from == ORD_RLX &&
         c->to == ORD_REL);
  CHECK (!r.or_fence.changes.size);
  repair_done (&r);
  r = repair_of ("rc11", message ("rel", "rlx"), 20);
  CHECK (r.status == REPAIR_FOUND && r.fix.changes.size == 1);
  CHECK (r.fix.changes.data[0].to == ORD_ACQ && r.fix.changes.data[0].access == WITNESS_READ);
  repair_done (&r);
}

static void test_pair_of_orders (void) {
  Repair r = repair_of ("rc11", message ("rlx", "rlx"), 20);
  CHECK (r.status == REPAIR_FOUND && r.fix.changes.size == 2);
  CHECK (r.fix.changes.data[0].to == ORD_REL && r.fix.changes.data[1].to == ORD_ACQ);
  repair_done (&r);
}

/* A plain flag is a race however strong the rest is. */
static void test_hopeless_race (void) {
  Repair r = repair_of ("rc11", message ("na", "na"), 20);
  CHECK (r.status == REPAIR_HOPELESS && r.is_same && r.kind == FINDING_RACE);
  CHECK (!r.fix.changes.size);
}

static Program *store_buffer (const char *order) {
  Str one = {0}, two = {0};
  str_printf (&one, " store.4 %s g0, 1 @1:1:1\n r1 = load.4 %s g1 @1:2:1\n store.4 na g2, r1\n",
              order, order);
  str_printf (&two, " store.4 %s g1, 1 @1:11:1\n r1 = load.4 %s g0 @1:12:1\n store.4 na g3, r1\n",
              order, order);
  Program *p = program_of (one.text, two.text, not_both_zero);
  str_free (&one);
  str_free (&two);
  return p;
}

/* Four seq_cst accesses or two full fences: the fences are fewer. On tso two seq_cst stores do. */
static void test_sets (void) {
  Repair r = repair_of ("rc11", store_buffer ("rlx"), 20);
  CHECK (r.status == REPAIR_FOUND && r.fix.changes.size == 2);
  for (u32 i = 0; i < r.fix.changes.size; i++)
    CHECK (r.fix.changes.data[i].kind != CHANGE_ORDER && r.fix.changes.data[i].to == ORD_SC);
  repair_done (&r);
  r = repair_of ("tso", store_buffer ("rlx"), 20);
  CHECK (r.status == REPAIR_FOUND && r.fix.changes.size == 2);
  for (u32 i = 0; i < r.fix.changes.size; i++)
    CHECK (r.fix.changes.data[i].kind == CHANGE_ORDER &&
           r.fix.changes.data[i].access == WITNESS_WRITE && r.fix.changes.data[i].to == ORD_SC);
  repair_done (&r);
  r = repair_of ("tso", store_buffer ("na"), 20); /* plain accesses have no order */
  CHECK (r.status == REPAIR_FOUND && r.fix.changes.size == 2);
  CHECK (r.fix.changes.data[0].kind != CHANGE_ORDER);
  repair_done (&r);
}

/* Under ra neither orders nor fences forbid this, and it is no interleaving either. */
static void test_nothing_helps (void) {
  Repair r = repair_of ("ra", store_buffer ("rlx"), 20);
  CHECK (r.status == REPAIR_UNKNOWN && !r.fix.changes.size);
}

/* x is as expected at the end */
static const char *const is_two =
    " r4 = load.4 rlx g0\n r5 = eq.32 r4, 2\n br r5, b1, b2\nb1:\n ret 0\nb2:\n"
    " builtin assert_fail(0) @1:99:1";

/* The same place in both functions: no change of one of them is what it says. */
static void test_interleaving (void) {
  static const char *const body = " r1 = load.4 rlx g0 @1:1:1\n r2 = add.32 r1, 1\n"
                                  " store.4 rlx g0, r2 @1:2:1\n";
  Repair r = repair_of ("rc11", program_of (body, body, is_two), 20);
  CHECK (r.status == REPAIR_HOPELESS && r.is_same && r.kind == FINDING_ASSERT);
  CHECK (!r.fix.changes.size && !r.others);
}

static void test_lost_updates (void) {
  static const char *const add = " r1 = load.4 rlx g0 @1:1:1\n r2 = add.32 r1, 3 @1:2:2\n"
                                 " store.4 rlx g0, r2 @1:2:1\n";
  static const char *const sub = " r1 = load.4 rlx g0 @1:3:1\n r2 = sub.32 r1, 1 @1:4:2\n"
                                 " store.4 rlx g0, r2 @1:4:1\n";
  Repair r = repair_of ("rc11", program_of (add, sub, is_two), 20);
  CHECK (r.status == REPAIR_HOPELESS && r.fix.changes.size == 2);
  for (u32 i = 0; i < r.fix.changes.size; i++) {
    const Change *c = &r.fix.changes.data[i];
    CHECK (c->kind == CHANGE_UPDATE && c->update == UPDATE_BOTH && c->to == ORD_RLX);
    CHECK (c->rmw == RMW_ADD ? c->value == 3 : c->rmw == RMW_SUB && c->value == 1);
  }
  repair_done (&r);
}

/* y is set before x is; and lines that need each other stay. */
static void test_swapped_lines (void) {
  static const char *const reader = " r1 = load.4 acq g1 @1:11:1\n r2 = load.4 rlx g0 @1:12:1\n"
                                    " r3 = sub.32 1, r1\n r3 = or.32 r2, r3\n store.4 na g2, r3\n";
  static const char *const is_set = " r4 = load.4 na g2\n br r4, b1, b2\nb1:\n ret 0\nb2:\n"
                                    " builtin assert_fail(0) @1:99:1";
  Repair r = repair_of (
      "rc11", program_of (" store.4 rel g1, 1 @1:1:1\n store.4 rlx g0, 1 @1:2:1\n", reader, is_set),
      20);
  CHECK (r.status == REPAIR_HOPELESS && r.fix.changes.size == 1);
  CHECK (r.fix.changes.data[0].kind == CHANGE_SWAP);
  repair_done (&r);
  r = repair_of ("rc11",
                 program_of (" r1 = rmw.4.add rel g1, 1 @1:1:1\n r1 = add.32 r1, 1 @1:2:2\n"
                             " store.4 rlx g0, r1 @1:2:1\n",
                             reader, is_set),
                 20);
  CHECK (r.status == REPAIR_HOPELESS && !r.fix.changes.size);
}

static void test_no_time (void) {
  Repair r = repair_of ("rc11", message ("rlx", "acq"), 0);
  CHECK (r.status == REPAIR_UNKNOWN && !r.fix.changes.size);
  r = repair_of ("rc11", message ("rlx", "acq"), 1e-9);
  CHECK (r.status == REPAIR_TIMEOUT && !r.fix.changes.size);
}

int main (void) {
  test_single_orders ();
  test_pair_of_orders ();
  test_hopeless_race ();
  test_sets ();
  test_nothing_helps ();
  test_interleaving ();
  test_lost_updates ();
  test_swapped_lines ();
  test_no_time ();
  return test_summary ();
}
