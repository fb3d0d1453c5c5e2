/* Tests of src/vm: programs as text, driven effect by effect without an engine. */
#include "vm/vm_int.h"

#include <stdlib.h>

#include "test.h"

static Program *program_of (const char *text) {
  IrError error;
  Program *p = ir_parse (text, strlen (text), &error);
  if (!p) {
    fprintf (stderr, "%u:%u: %s in\n%s\n", error.line, error.column, error.message, text);
    exit (1);
  }
  return p;
}

typedef struct Fixture {
  Program *program;
  Vm *vm;
} Fixture;

static Fixture open_with (const char *text, VmOptions options) {
  Fixture f = {.program = program_of (text)};
  f.vm = vm_new (f.program, options);
  return f;
}
static Fixture open_vm (const char *text) { return open_with (text, (VmOptions){0}); }

static void close_vm (Fixture f) {
  vm_restart (f.vm);
  CHECK (vm_stats (f.vm).snapshots_live == 0);
  CHECK (vm_stats (f.vm).snapshot_bytes == 0);
  vm_free (f.vm);
  program_free (f.program);
}

static Snapshot *start (Fixture f, Tid tid, const char *function, u64 argument) {
  return vm_start (f.vm, tid, (u32)program_find_function (f.program, function), argument);
}

/* Replaces *s by its successor. */
static const Effect *go (Fixture f, Snapshot **s, u64 answer) {
  Snapshot *next = vm_resume (f.vm, *s, answer);
  snapshot_release (f.vm, *s);
  *s = next;
  return snapshot_effect (next);
}

/* The first effect of main in a program of one function that needs no memory. */
static Effect effect_of_body (const char *body, VmOptions options) {
  char text[4096];
  snprintf (text, sizeof text, "porf-ir 1\nfunc 0 \"main\" params 0 regs 32 {\nb0:\n%s\n}\n", body);
  Fixture f = open_with (text, options);
  Snapshot *s = start (f, 0, "main", 0);
  Effect e = *snapshot_effect (s);
  snapshot_release (f.vm, s);
  if (e.text) e.text = NULL;
  close_vm (f);
  return e;
}

static u64 result_of (const char *expression) {
  char body[1024];
  snprintf (body, sizeof body, "r0 = %s\nret r0", expression);
  Effect e = effect_of_body (body, (VmOptions){0});
  CHECK (e.kind == EFF_END);
  return e.value;
}

static int error_of (const char *body) {
  Effect e = effect_of_body (body, (VmOptions){0});
  return e.kind == EFF_ERROR ? e.error : -1;
}

static u64 float_result (const char *op, float a, float b) {
  u32 x, y;
  char text[128];
  memcpy (&x, &a, 4);
  memcpy (&y, &b, 4);
  snprintf (text, sizeof text, "%s %u, %u", op, x, y);
  return result_of (text);
}
static u64 bits_of_float (float f) {
  u32 v;
  memcpy (&v, &f, 4);
  return v;
}

static void test_integers (void) {
  CHECK (result_of ("add.8 200, 100") == 44);
  CHECK (result_of ("add.64 -1, 2") == 1);
  CHECK (result_of ("sub.32 0, 1") == 0xffffffff);
  CHECK (result_of ("mul.16 300, 300") == (90000 & 0xffff));
  CHECK (result_of ("sdiv.32 4294967289, 2") == 0xfffffffd); /* -7 / 2 */
  CHECK (result_of ("srem.32 4294967289, 2") == 0xffffffff);
  CHECK (result_of ("udiv.8 128, 255") == 0);
  CHECK (result_of ("urem.8 128, 100") == 28);
  CHECK (result_of ("shl.32 1, 32") == 0);
  CHECK (result_of ("shl.32 3, 31") == 0x80000000);
  CHECK (result_of ("shl.64 1, 64") == 0);
  CHECK (result_of ("lshr.64 -1, 200") == 0);
  CHECK (result_of ("ashr.32 2147483648, 40") == 0xffffffff);
  CHECK (result_of ("ashr.32 2147483648, 4") == 0xf8000000);
  CHECK (result_of ("slt.1 1, 0") == 1);
  CHECK (result_of ("slt.8 128, 127") == 1);
  CHECK (result_of ("ult.8 128, 127") == 0);
  CHECK (result_of ("sle.64 -1, -1") == 1);
  CHECK (result_of ("select 0, 5, 6") == 6);
}

static void test_bits_and_overflow (void) {
  CHECK (result_of ("saddo.32 2147483647, 1") == 1);
  CHECK (result_of ("saddo.64 9223372036854775807, 1") == 1);
  CHECK (result_of ("saddo.32 2147483646, 1") == 0);
  CHECK (result_of ("uaddo.32 4294967295, 1") == 1);
  CHECK (result_of ("uaddo.64 -1, 1") == 1);
  CHECK (result_of ("ssubo.8 128, 1") == 1);
  CHECK (result_of ("usubo.8 1, 2") == 1);
  CHECK (result_of ("smulo.64 4611686018427387904, 2") == 1);
  CHECK (result_of ("smulo.16 255, 128") == 0);
  CHECK (result_of ("umulo.64 4294967296, 4294967296") == 1);
  CHECK (result_of ("umulo.32 65535, 65537") == 0);
  CHECK (result_of ("ctpop.32 255") == 8);
  CHECK (result_of ("ctlz.32 1") == 31);
  CHECK (result_of ("ctlz.16 0") == 16);
  CHECK (result_of ("cttz.64 8") == 3);
  CHECK (result_of ("cttz.8 0") == 8);
  CHECK (result_of ("bswap.32 305419896") == 0x78563412);
  CHECK (result_of ("trunc.32.8 511") == 255);
  CHECK (result_of ("sext.8.32 255") == 0xffffffff);
  CHECK (result_of ("sext.1.64 1") == ~0ull);
}

static void test_floats (void) {
  CHECK (float_result ("fadd.32", 0.1f, 0.2f) == bits_of_float (0.1f + 0.2f));
  CHECK (float_result ("fdiv.32", 1.0f, 3.0f) == bits_of_float (1.0f / 3.0f));
  CHECK (float_result ("fmul.32", 1e30f, 1e30f) == 0x7f800000);
  CHECK (float_result ("frem.32", 7.5f, 2.0f) == bits_of_float (1.5f));
  CHECK (float_result ("fcmp.32.4", 1.0f, 2.0f) == 1);
  CHECK (float_result ("fcmp.32.1", 2.0f, 2.0f) == 1);
  CHECK (result_of ("fcmp.32.8 2143289344, 0") == 1); /* uno nan, 0 */
  CHECK (result_of ("fcmp.32.7 2143289344, 0") == 0);
  CHECK (result_of ("fneg.32 0") == 0x80000000);
  CHECK (result_of ("sitofp.32.64 4294967295") == 0xbff0000000000000ull);
  CHECK (result_of ("uitofp.32.32 3") == bits_of_float (3));
  CHECK (result_of ("fptosi.64.32 -4616189618054758400") == 0xffffffff);
  CHECK (result_of ("fptosi.64.32 9218868437227405312") == 0x7fffffff); /* inf saturates */
  CHECK (result_of ("fptosi.64.64 -4503599627370496") == 1ull << 63);   /* -inf */
  CHECK (result_of ("fptoui.64.8 -4616189618054758400") == 0);
  CHECK (result_of ("fpconv.64.32 4607182418800017408") == bits_of_float (1));
}

static void test_errors (void) {
  CHECK (error_of ("r0 = sdiv.32 1, 0\nret r0") == FINDING_DIVISION_BY_ZERO);
  CHECK (error_of ("r0 = urem.32 1, 0\nret r0") == FINDING_DIVISION_BY_ZERO);
  CHECK (error_of ("r0 = sdiv.32 2147483648, 4294967295\nret r0") == FINDING_OVERFLOW);
  CHECK (error_of ("r0 = srem.8 128, 255\nret r0") == FINDING_OVERFLOW);
  CHECK (error_of ("r0 = inrange.32 32\nret r0") == FINDING_OVERFLOW);
  CHECK (error_of ("r0 = alloca 16\nr0 = add.64 r0, 2\nr0 = rmw.4.add rlx r0, 1\nret r0") ==
         FINDING_MISALIGNED);
  CHECK (error_of ("r0 = load.4 na 8\nret r0") == FINDING_NULL_DEREF);
  CHECK (error_of ("r0 = load.4 na 123456789\nret r0") == FINDING_OUT_OF_BOUNDS);
  CHECK (error_of ("unreachable") == FINDING_UNREACHABLE);
  CHECK (error_of ("r0 = mov.64 77\nr1 = call r0()\nret r1") == FINDING_OUT_OF_BOUNDS);
  CHECK (error_of ("r0 = alloca 4\nr1 = load.4 na r0\nret r1") == FINDING_UNINITIALISED);
  CHECK (error_of ("r0 = alloca 4\nstore.2 na r0, 1\nr1 = load.4 na r0\nret r1") ==
         FINDING_UNINITIALISED);
  CHECK (error_of ("r0 = alloca 4\nr0 = add.64 r0, 2\nstore.4 na r0, 1\nret r0") ==
         FINDING_OUT_OF_BOUNDS);
  CHECK (error_of ("builtin abort()\nret") == FINDING_ABORT);
  CHECK (error_of ("builtin assert_fail(0)\nret") == FINDING_ASSERT);
  CHECK (error_of ("r0 = builtin thread_join(9)\nret r0") == FINDING_LOCK_MISUSE);
}

static void test_heap (void) {
  const char *use = "r0 = builtin malloc(8)\nstore.8 na r0, 5\nbuiltin free(r0)\n";
  char body[512];
  snprintf (body, sizeof body, "%sr1 = load.8 na r0\nret r1", use);
  CHECK (error_of (body) == FINDING_USE_AFTER_FREE);
  snprintf (body, sizeof body, "%sbuiltin free(r0)\nret", use);
  CHECK (error_of (body) == FINDING_DOUBLE_FREE);
  snprintf (body, sizeof body, "%sr1 = builtin object_size(r0)\nret r1", use);
  CHECK (error_of (body) == FINDING_USE_AFTER_FREE);
  CHECK (error_of ("r0 = alloca 8\nbuiltin free(r0)\nret") == FINDING_INVALID_FREE);
  CHECK (error_of ("r0 = builtin malloc(8)\nr0 = add.64 r0, 4\nbuiltin free(r0)\nret") ==
         FINDING_INVALID_FREE);
  CHECK (error_of ("r0 = builtin malloc(8)\nr1 = load.1 na r0\nret r1") == FINDING_UNINITIALISED);
  CHECK (error_of ("builtin free(0)\nret") == -1);
  CHECK (result_of ("builtin calloc(8)\nr0 = load.8 na r0") == 0);
  CHECK (result_of ("builtin malloc(24)\nr0 = builtin object_size(r0)") == 24);
  CHECK (result_of ("builtin malloc(0)\nbuiltin free(r0)\nr0 = mov.64 3") == 3);
  /* an access across two 64-byte pages of private memory */
  CHECK (result_of ("builtin calloc(256)\nr1 = add.64 r0, 61\nstore.8 na r1, 1311768467294899695\n"
                    "r0 = load.8 na r1") == 1311768467294899695ull);
}

static void test_calls (void) {
  Fixture f = open_vm ("porf-ir 1\n"
                       "func 0 \"main\" params 2 regs 8 {\nb0:\n r2 = call f1(10)\n"
                       " r3 = mov.64 f2\n r4 = call r3(5, 7)\n r5 = retval 1\n"
                       " r2 = add.64 r2, r4\n r2 = add.64 r2, r5\n r2 = add.64 r2, r0\n ret r2\n}\n"
                       "func 1 \"fib\" params 1 regs 8 {\nb0:\n r1 = ult.64 r0, 2\n br r1, b1, b2\n"
                       "b1:\n ret r0\n"
                       "b2:\n r2 = sub.64 r0, 1\n r3 = call f1(r2)\n r2 = sub.64 r0, 2\n"
                       " r4 = call f1(r2)\n r3 = add.64 r3, r4\n ret r3\n}\n"
                       "func 2 \"pair\" params 2 regs 2 {\nb0:\n ret r0, r1\n}\n"
                       "func 3 \"deep\" params 1 regs 2 {\nb0:\n r1 = call f3(r0)\n ret r1\n}\n"
                       "func 4 \"undefined\" params 0 regs 0 declared\n");
  Snapshot *s = start (f, 0, "main", 99);
  CHECK (snapshot_effect (s)->kind == EFF_END);
  CHECK (snapshot_effect (s)->value == 55 + 5 + 7);
  snapshot_release (f.vm, s);
  s = start (f, 0, "deep", 0);
  CHECK (snapshot_effect (s)->kind == EFF_UNSUPPORTED);
  CHECK (strstr (snapshot_effect (s)->text, "recursion"));
  snapshot_release (f.vm, s);
  s = start (f, 0, "undefined", 0);
  CHECK (snapshot_effect (s)->kind == EFF_UNSUPPORTED);
  CHECK (strstr (snapshot_effect (s)->text, "undefined"));
  snapshot_release (f.vm, s);
  close_vm (f);
}

/* A stack object dies with its function and comes back uninitialised; elsewhere if the caller has
 * its address. */
static void test_stack (void) {
  Fixture f =
      open_vm ("porf-ir 1\n"
               "func 0 \"main\" params 0 regs 4 {\nb0:\n r0 = call f1()\n r1 = call f1()\n"
               " r2 = eq.64 r0, r1\n ret r2\n}\n"
               "func 1 \"local\" params 0 regs 2 {\nb0:\n r0 = alloca 4\n store.4 na r0, 1\n"
               " ret r0\n}\n"
               "func 2 \"dangle\" params 0 regs 2 {\nb0:\n r0 = call f1()\n"
               " r1 = load.4 na r0\n ret r1\n}\n"
               "func 3 \"other\" params 0 regs 2 {\nb0:\n r0 = alloca 4\n r1 = load.4 na r0\n"
               " ret r1\n}\n"
               "func 4 \"reuse\" params 0 regs 2 {\nb0:\n r0 = call f1()\n"
               " r0 = call f3()\n ret r0\n}\n");
  Snapshot *s = start (f, 0, "main", 0);
  CHECK (snapshot_effect (s)->kind == EFF_END && snapshot_effect (s)->value == 0);
  snapshot_release (f.vm, s);
  s = start (f, 0, "dangle", 0);
  CHECK (snapshot_effect (s)->error == FINDING_USE_AFTER_FREE);
  CHECK (strstr (snapshot_effect (s)->text, "a function that has returned"));
  snapshot_release (f.vm, s);
  s = start (f, 0, "reuse", 0);
  CHECK (snapshot_effect (s)->error == FINDING_UNINITIALISED);
  snapshot_release (f.vm, s);
  close_vm (f);
}

static const char two_threads[] =
    "porf-ir 1\n"
    "global 0 \"x\" size 4 align 4 = 2a000000\n"
    "global 1 \"y\" size 4 align 4\n"
    "global 2 \"table\" size 16 align 8 const = zero reloc 8 g1+4\n"
    "global 3 \"own\" size 8 align 8 tls = 0500000000000000\n"
    "func 0 \"main\" params 0 regs 8 {\nb0:\n"
    " r0 = builtin thread_create(f1, 7)\n r1 = builtin thread_create(f1, 8)\n"
    " r2 = builtin thread_join(r0)\n r3 = load.4 sc g0\n r4 = add.64 r2, r3\n ret r4\n}\n"
    "func 1 \"worker\" params 1 regs 4 {\nb0:\n"
    " r1 = load.4 rlx g1\n r2 = load.8 na g2+8\n store.4 sc g0, r0\n r3 = load.4 na g1\n"
    " r1 = add.64 r1, r3\n ret r1\n}\n"
    "func 2 \"writer\" params 1 regs 4 {\nb0:\n store.4 na g1, r0\n r1 = load.4 na g1\n"
    " r2 = load.4 sc g0\n ret r1\n}\n"
    "func 3 \"local\" params 1 regs 4 {\nb0:\n r0 = tls g3\n r1 = load.8 na r0\n"
    " r2 = add.64 r1, 1\n store.8 na r0, r2\n fence sc\n ret r1\n}\n";

static void test_memo (void) {
  Fixture f = open_vm (two_threads);
  Snapshot *a = start (f, 0, "main", 0), *b = start (f, 0, "main", 0);
  CHECK (a == b);
  const Effect *e = snapshot_effect (a);
  CHECK (e->kind == EFF_CREATE && e->child == 1 && e->func == 1 && e->value == 7);
  snapshot_release (f.vm, b);
  b = vm_resume (f.vm, a, 0);
  Snapshot *c = vm_resume (f.vm, a, 0);
  CHECK (b == c && snapshot_effect (b)->child == 2);
  snapshot_release (f.vm, c);
  snapshot_release (f.vm, a);
  a = vm_resume (f.vm, b, 0);
  CHECK (snapshot_effect (a)->kind == EFF_JOIN && snapshot_effect (a)->child == 1);
  Snapshot *five = vm_resume (f.vm, a, 5), *six = vm_resume (f.vm, a, 6);
  CHECK (five != six && snapshot_effect (five)->kind == EFF_READ);
  u64 hits = vm_stats (f.vm).memo_hits;
  Snapshot *again = vm_resume (f.vm, a, 5);
  CHECK (again == five && vm_stats (f.vm).memo_hits == hits + 1);
  snapshot_release (f.vm, again);
  const Effect *end = go (f, &five, 30);
  CHECK (end->kind == EFF_END && end->value == 35);
  snapshot_release (f.vm, a);
  snapshot_release (f.vm, b);
  snapshot_release (f.vm, five);
  snapshot_release (f.vm, six);
  close_vm (f);
}

static void test_memo_purge (void) {
  Fixture f = open_with (two_threads, (VmOptions){.memo_bytes = 4096});
  Snapshot *a = start (f, 0, "worker", 0);
  for (u64 round = 0; round < 3; round++)
    for (u64 i = 0; i < 500; i++) {
      Snapshot *s = start (f, 0, "writer", i);
      go (f, &s, i);
      CHECK (snapshot_effect (s)->kind == EFF_END);
      snapshot_release (f.vm, s);
    }
  CHECK (vm_stats (f.vm).snapshot_bytes < 3 * 4096);
  snapshot_release (f.vm, a);
  close_vm (f);
}

static u64 address_of (Fixture f, const char *name) {
  for (u32 i = 0; i < f.program->globals.size; i++)
    if (!strcmp (f.program->globals.data[i].name, name)) return vm_global_address (f.vm, i);
  return 0;
}

static void test_addresses (void) {
  Fixture f = open_vm (two_threads);
  u64 value, base, size, x = address_of (f, "x"), y = address_of (f, "y");
  CHECK (x && y && x % 16 == 0 && y >= x + 4 + (1 << 30));
  CHECK (vm_initial_value (f.vm, x, 4, &value) && value == 42);
  CHECK (vm_initial_value (f.vm, x + 1, 1, &value) && value == 0);
  CHECK (vm_initial_value (f.vm, y, 4, &value) && value == 0);
  CHECK (!vm_initial_value (f.vm, y + 1, 4, &value));
  CHECK (vm_object_at (f.vm, x + 3, &base, &size) && base == x && size == 4);
  CHECK (!vm_object_at (f.vm, x + 4, &base, &size));
  u64 table = address_of (f, "table");
  CHECK (table && vm_initial_value (f.vm, table + 8, 8, &value) && value == y + 4);
  close_vm (f);
}

/* y is only read at first: private to all. When somebody writes it, it becomes shared. */
static void test_sharing (void) {
  Fixture f = open_vm (two_threads);
  Snapshot *m = start (f, 0, "main", 0);
  go (f, &m, 0);
  Snapshot *a = start (f, 1, "worker", 7), *b = start (f, 2, "worker", 8);
  CHECK (snapshot_effect (a)->kind == EFF_WRITE && snapshot_effect (a)->value == 7);
  CHECK (snapshot_effect (a)->order == ORD_SC && snapshot_effect (a)->addr == address_of (f, "x"));
  CHECK (snapshot_effect (b)->kind == EFF_WRITE && snapshot_effect (b)->value == 8);
  CHECK (!vm_sharing_changed (f.vm));
  snapshot_release (f.vm, a);
  snapshot_release (f.vm, b);
  a = start (f, 1, "writer", 3);
  CHECK (vm_sharing_changed (f.vm));
  CHECK (snapshot_effect (a)->kind == EFF_WRITE);
  snapshot_release (f.vm, a);
  snapshot_release (f.vm, m);
  vm_restart (f.vm);
  CHECK (!vm_sharing_changed (f.vm));
  a = start (f, 1, "writer", 3);
  CHECK (snapshot_effect (a)->kind == EFF_WRITE &&
         snapshot_effect (a)->addr == address_of (f, "y"));
  b = start (f, 2, "worker", 3);
  CHECK (snapshot_effect (b)->kind == EFF_READ && snapshot_effect (b)->order == ORD_RLX);
  CHECK (!vm_sharing_changed (f.vm));
  snapshot_release (f.vm, a);
  snapshot_release (f.vm, b);
  close_vm (f);
}

static void test_share_everything (void) {
  Fixture f = open_with (two_threads, (VmOptions){.share_everything = true});
  Snapshot *a = start (f, 0, "writer", 3);
  CHECK (snapshot_effect (a)->kind == EFF_WRITE);
  CHECK (go (f, &a, 0)->kind == EFF_READ);
  snapshot_release (f.vm, a);
  close_vm (f);
}

static void test_thread_local (void) {
  Fixture f = open_vm (two_threads);
  Snapshot *m = start (f, 0, "main", 0);
  for (Tid t = 0; t < 2; t++) {
    Snapshot *s = start (f, t, "local", 0);
    CHECK (snapshot_effect (s)->kind == EFF_FENCE);
    CHECK (go (f, &s, 0)->value == 5);
    snapshot_release (f.vm, s);
  }
  CHECK (!vm_sharing_changed (f.vm));
  snapshot_release (f.vm, m);
  close_vm (f);
}

/* Both successors of a snapshot start from its private memory, whatever the other wrote. */
static void test_snapshots_are_immutable (void) {
  Fixture f = open_vm ("porf-ir 1\nglobal 0 \"x\" size 4 align 4\nglobal 1 \"a\" size 400 align 4\n"
                       "func 0 \"main\" params 0 regs 8 {\nb0:\n"
                       " r5 = mov.64 g1\n jmp b1\n"
                       "b1:\n r0 = load.4 sc g0\n r1 = load.4 na r5\n r1 = add.32 r1, r0\n"
                       " store.4 na r5, r1\n store.4 na g1+200, r1\n store.4 na g1+396, r1\n"
                       " r2 = load.4 sc g0\n r3 = load.4 na g1+396\n ret r3\n}\n");
  Snapshot *s = start (f, 0, "main", 0);
  Snapshot *a = vm_resume (f.vm, s, 1), *b = vm_resume (f.vm, s, 2), *c = vm_resume (f.vm, s, 1);
  CHECK (a == c);
  CHECK (go (f, &b, 0)->value == 2);
  CHECK (go (f, &a, 0)->value == 1);
  snapshot_release (f.vm, a);
  snapshot_release (f.vm, b);
  snapshot_release (f.vm, c);
  snapshot_release (f.vm, s);
  close_vm (f);
}

static const char frees[] =
    "porf-ir 1\nglobal 0 \"p\" size 8 align 8\n"
    "func 0 \"main\" params 0 regs 8 {\nb0:\n r0 = builtin malloc(16)\n store.4 na r0, 1\n"
    " r1 = builtin thread_create(f1, r0)\n r1 = builtin thread_create(f2, r0)\n builtin free(r0)\n"
    " ret r0\n}\n"
    "func 1 \"reader\" params 1 regs 4 {\nb0:\n r1 = add.64 r0, 8\n store.4 na r1, 2\n fence sc\n"
    " ret r1\n}\n"
    "func 2 \"freer\" params 1 regs 4 {\nb0:\n builtin free(r0)\n ret r0\n}\n";

/* main frees privately until another thread comes near the object. */
static void test_shared_free (void) {
  Fixture f = open_vm (frees);
  Snapshot *m = start (f, 0, "main", 0);
  u64 p = snapshot_effect (m)->value;
  go (f, &m, 0);
  CHECK (go (f, &m, 0)->kind == EFF_END); /* the free was private */
  Snapshot *r = start (f, 1, "reader", p);
  CHECK (vm_sharing_changed (f.vm));
  snapshot_release (f.vm, r);
  snapshot_release (f.vm, m);
  vm_restart (f.vm);
  m = start (f, 0, "main", 0);
  CHECK (snapshot_effect (m)->kind == EFF_WRITE && snapshot_effect (m)->addr == p);
  go (f, &m, 0);
  go (f, &m, 0);
  CHECK (go (f, &m, 0)->kind == EFF_FREE && snapshot_effect (m)->addr == p);
  r = start (f, 1, "reader", p);
  CHECK (snapshot_effect (r)->kind == EFF_WRITE && snapshot_effect (r)->addr == p + 8);
  snapshot_release (f.vm, r);
  r = start (f, 2, "freer", p);
  CHECK (snapshot_effect (r)->kind == EFF_FREE);
  CHECK (!vm_sharing_changed (f.vm));
  snapshot_release (f.vm, r);
  snapshot_release (f.vm, m);
  close_vm (f);
}

/* A free by a thread other than the one that wrote is an effect, and the writes become effects. */
static void test_foreign_free (void) {
  Fixture f = open_vm (frees);
  Snapshot *m = start (f, 0, "main", 0);
  u64 p = snapshot_effect (m)->value;
  go (f, &m, 0);
  Snapshot *r = start (f, 2, "freer", p);
  CHECK (vm_sharing_changed (f.vm));
  snapshot_release (f.vm, r);
  snapshot_release (f.vm, m);
  vm_restart (f.vm);
  r = start (f, 2, "freer", p);
  CHECK (snapshot_effect (r)->kind == EFF_FREE && !vm_sharing_changed (f.vm));
  snapshot_release (f.vm, r);
  close_vm (f);
}

/* Many changes of sharing end in everything being shared. */
static void test_sharing_escalates (void) {
  Fixture f =
      open_vm ("porf-ir 1\nglobal 0 \"a\" size 4096 align 8\nglobal 1 \"b\" size 4 align 4\n"
               "func 0 \"main\" params 1 regs 4 {\nb0:\n"
               " r1 = builtin thread_create(f1, 0)\n r1 = builtin thread_create(f1, 0)\n"
               " ret r1\n}\n"
               "func 1 \"touch\" params 1 regs 4 {\nb0:\n r1 = add.64 r0, g0\n"
               " store.4 na r1, 1\n ret r1\n}\n");
  Snapshot *m = start (f, 0, "main", 0);
  go (f, &m, 0);
  go (f, &m, 0);
  snapshot_release (f.vm, m);
  u32 restarts = 0;
  for (u64 k = 0; k < 4096; k += 4)
    for (Tid t = 1; t <= 2; t++) {
      snapshot_release (f.vm, start (f, t, "touch", k));
      if (!vm_sharing_changed (f.vm)) continue;
      restarts++;
      vm_restart (f.vm);
    }
  CHECK (restarts == 17);
  close_vm (f);
}

static void test_spin (void) {
  const char *text =
      "porf-ir 1\nglobal 0 \"x\" size 4 align 4\n"
      "func 0 \"main\" params 0 regs 8 {\nb0:\n r1 = mov.64 3\n jmp b1\n"
      "b1:\n spin (r1) shadow r2 detect\n r0 = load.4 sc g0 in_spin\n br r0, b2, b1\n"
      "b2:\n ret r0\n}\n"
      "func 1 \"count\" params 0 regs 8 {\nb0:\n r3 = mov.64 -1\n jmp b1\n"
      "b1:\n spin (r1) shadow r2 detect\n r0 = load.4 sc g0\n r1 = add.32 r1, 1\n"
      " br r0, b2, b1\nb2:\n ret r1\n}\n"
      "func 2 \"acts\" params 0 regs 8 {\nb0:\n r2 = mov.64 -1\n jmp b1\n"
      "b1:\n spin () shadow r2 detect\n r0 = cas.4 sc sc g0, 1, 2\n"
      " r1 = eq.32 r0, 7\n br r1, b2, b1\nb2:\n ret r1\n}\n";
  Fixture f = open_with (text, (VmOptions){.unroll = 5});
  Snapshot *s = start (f, 0, "main", 0);
  CHECK (snapshot_effect (s)->in_spin);
  Snapshot *stay = vm_resume (f.vm, s, 0), *leave = vm_resume (f.vm, s, 1);
  CHECK (snapshot_effect (stay)->kind == EFF_BLOCK && snapshot_effect (stay)->value == BLOCK_SPIN);
  CHECK (snapshot_effect (leave)->kind == EFF_END);
  snapshot_release (f.vm, s);
  snapshot_release (f.vm, stay);
  snapshot_release (f.vm, leave);
  s = start (f, 0, "count", 0);
  for (u32 i = 0; i < 5; i++) CHECK (go (f, &s, 0)->kind == EFF_READ);
  CHECK (go (f, &s, 0)->kind == EFF_UNSUPPORTED);
  CHECK (!strcmp (snapshot_effect (s)->text, "the loop was cut after 5 iterations (--unroll)"));
  snapshot_release (f.vm, s);
  s = start (f, 0, "acts", 0);
  CHECK (go (f, &s, 1)->kind == EFF_CAS); /* it wrote */
  CHECK (go (f, &s, 3)->kind == EFF_BLOCK);
  snapshot_release (f.vm, s);
  close_vm (f);
}

static void test_endless (void) {
  Effect e =
      effect_of_body ("jmp b1\nb1:\nr0 = add.64 r0, 1\njmp b1", (VmOptions){.max_steps = 1000});
  CHECK (e.kind == EFF_UNSUPPORTED);
}

static Effect nondet (const char *arguments, i64 low, i64 high) {
  char body[128];
  snprintf (body, sizeof body, "r0 = builtin nondet(%s)\nret r0", arguments);
  return effect_of_body (body, (VmOptions){.nondet_low = low, .nondet_high = high});
}

static void test_nondet (void) {
  Effect e = nondet ("0, 0", -5, 5);
  CHECK (e.kind == EFF_NONDET && e.value == 0 && e.expected == 1 && e.size == 1);
  e = nondet ("4, 1", -5, 5);
  CHECK ((i64)e.value == -5 && e.expected == 10 && e.size == 4);
  e = nondet ("4, 0", -5, 5);
  CHECK (e.value == 0 && e.expected == 5);
  e = nondet ("1, 1", -1000, 1000);
  CHECK ((i64)e.value == -128 && e.expected == 255);
  e = nondet ("8, 1", INT64_MIN, INT64_MAX);
  CHECK ((i64)e.value == INT64_MIN && e.expected == ~0ull);
  CHECK (nondet ("8, 0", -5, -1).kind == EFF_UNSUPPORTED);
  Fixture f = open_vm ("porf-ir 1\nfunc 0 \"main\" params 0 regs 2 {\nb0:\n"
                       " r0 = builtin nondet(2, 1)\n ret r0\n}\n");
  Snapshot *s = start (f, 0, "main", 0);
  CHECK (go (f, &s, (u64)-3)->value == 0xfffd);
  snapshot_release (f.vm, s);
  close_vm (f);
}

static void test_threads (void) {
  Fixture f = open_vm ("porf-ir 1\nfunc 0 \"main\" params 1 regs 2 {\nb0:\n jmp b1\n"
                       "b1:\n r1 = builtin thread_create(f0, 0)\n jmp b1\n}\n");
  Snapshot *m = start (f, 0, "main", 0);
  CHECK (snapshot_effect (m)->child == 1);
  Snapshot *c = start (f, 1, "main", 0); /* its first child gets the next number ... */
  CHECK (snapshot_effect (c)->child == 2);
  go (f, &m, 0);
  CHECK (snapshot_effect (m)->child == 3); /* ... but ranks before its parent's sibling */
  CHECK (vm_thread_count (f.vm) == 4);
  CHECK (vm_thread_path (f.vm, 0) < vm_thread_path (f.vm, 1));
  CHECK (vm_thread_path (f.vm, 1) < vm_thread_path (f.vm, 2));
  CHECK (vm_thread_path (f.vm, 2) < vm_thread_path (f.vm, 3));
  CHECK (vm_thread_path (f.vm, 1) == 1ull << 48 && vm_thread_path (f.vm, 2) == 0x0001010000000000);
  for (u32 i = 0; i < 254; i++) go (f, &c, 0);
  CHECK (snapshot_effect (c)->kind == EFF_CREATE);
  CHECK (go (f, &c, 0)->kind == EFF_UNSUPPORTED);
  snapshot_release (f.vm, m);
  snapshot_release (f.vm, c);
  close_vm (f);
}

static void test_locks_and_positions (void) {
  Fixture f =
      open_vm ("porf-ir 1\nfile 1 \"a.c\"\nfile 2 \"<porf>/pthread.c\"\n"
               "global 0 \"m\" size 4 align 4\nglobal 1 \"s\" size 4 align 1 const = 61203e00\n"
               "func 0 \"main\" params 0 regs 2 {\nb0:\n call f1() @1:10:3\n"
               " r0 = builtin mutex_trylock(g0) @1:11:3\n builtin mutex_unlock(g0) @1:12:3\n"
               " builtin assume(r0)\n builtin exit(0) @1:13:1\n ret\n}\n"
               "func 1 \"lock\" params 0 regs 1 {\nb0:\n builtin mutex_lock(g0) @2:5:1\n"
               " ret\n}\n"
               "func 2 \"fails\" params 0 regs 1 {\nb0:\n builtin assert_fail(g1) @1:9:9\n"
               " ret\n}\n");
  Snapshot *s = start (f, 0, "main", 0);
  const Effect *e = snapshot_effect (s);
  CHECK (e->kind == EFF_LOCK && e->expected == 0 && e->value == 1 && e->order == ORD_ACQ);
  CHECK (f.program->positions.data[e->pos].line == 10);
  u32 where[4];
  CHECK (snapshot_backtrace (s, where, 4) == 2);
  CHECK (f.program->positions.data[where[0]].line == 5);
  CHECK (f.program->positions.data[where[1]].line == 10);
  e = go (f, &s, 0);
  CHECK (e->kind == EFF_TRYLOCK && f.program->positions.data[e->pos].line == 11);
  Snapshot *failed = vm_resume (f.vm, s, 2), *taken = vm_resume (f.vm, s, 0);
  CHECK (snapshot_effect (taken)->kind == EFF_UNLOCK && snapshot_effect (taken)->value == 0);
  e = go (f, &taken, 0);
  CHECK (e->kind == EFF_BLOCK && e->value == BLOCK_EXIT);
  e = go (f, &failed, 0);
  CHECK (e->kind == EFF_BLOCK && e->value == BLOCK_ASSUME);
  snapshot_release (f.vm, taken);
  snapshot_release (f.vm, failed);
  snapshot_release (f.vm, s);
  s = start (f, 0, "fails", 0);
  CHECK (!strcmp (snapshot_effect (s)->text, "assertion `a >` can fail"));
  snapshot_release (f.vm, s);
  close_vm (f);
}

/* The persistent map against plain arrays: random writes, clears and copies of one version over
 * another. */
static void test_private_memory (void) {
  enum { VERSIONS = 4, BYTES = 2048 };
  static u8 bytes[VERSIONS][BYTES], written[VERSIONS][BYTES];
  Node *root[VERSIONS] = {0};
  Pool pool = {0};
  u64 seed = 1, wrong = 0;
  for (u32 round = 0; round < 50000; round++) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    u32 v = seed >> 33 & 3, other = seed >> 35 & 3, at = (u32)(seed >> 40) % (BYTES - 8);
    u32 size = 1u << (seed >> 60 & 3), what = (u32)(seed >> 52) & 15;
    u64 value = seed ^ seed >> 20;
    if (what == 0) {
      memory_clear (&pool, &root[v], at, size * 13 % (BYTES - at));
      memset (written[v] + at, 0, size * 13 % (BYTES - at));
    } else if (what == 1 && v != other) {
      memory_release (&pool, root[v]);
      root[v] = memory_share (root[other]);
      memcpy (bytes[v], bytes[other], BYTES);
      memcpy (written[v], written[other], BYTES);
    } else if (what < 8) {
      memory_write (&pool, &root[v], at, size, value);
      memcpy (bytes[v] + at, &value, size);
      memset (written[v] + at, 1, size);
    }
    u32 mask;
    value = memory_read (root[other], at, size, &mask);
    for (u32 k = 0; k < size; k++) {
      wrong += (mask >> k & 1) != written[other][at + k];
      if (mask >> k & 1) wrong += (value >> 8 * k & 0xff) != bytes[other][at + k];
    }
  }
  CHECK (!wrong);
  for (u32 v = 0; v < VERSIONS; v++) memory_release (&pool, root[v]);
  CHECK (!pool.live);
  pool_done (&pool);
}

/* Undefined bits may be copied, and overwritten; nothing may depend on them. */
static void test_undefined (void) {
  const char *half = "r0 = alloca 8\nstore.1 na r0, 9\nr1 = load.8 na r0\nr2 = alloca 8\n"
                     "store.8 na r2, r1\nr1 = load.8 na r2\n";
  char body[512];
  static const struct {
    const char *rest;
    int error;
  } cases[] = {
      {"ret 0", -1},
      {"ret r1", FINDING_UNINITIALISED},
      {"r1 = and.64 r1, 255\nret r1", -1},
      {"r1 = or.64 r1, -256\nret r1", -1},
      {"r1 = and.64 r1, 256\nret r1", FINDING_UNINITIALISED},
      {"r1 = trunc.64.8 r1\nret r1", -1},
      {"r1 = trunc.64.9 r1\nret r1", FINDING_UNINITIALISED},
      {"r1 = shl.64 r1, 56\nret r1", -1},
      {"r1 = sext.16.64 r1\nret r1", FINDING_UNINITIALISED},
      {"r1 = eq.64 r1, 8\nret r1", -1}, /* a defined bit differs */
      {"r1 = eq.64 r1, 9\nret r1", FINDING_UNINITIALISED},
      {"r1 = add.64 r1, 1\nr1 = trunc.64.8 r1\nret r1", -1},
      {"store.8 na r2, 1\nr1 = load.8 na r2\nret r1", -1},
      {"store.2 na r2, 1\nr1 = load.2 na r2\nret r1", -1},
      {"store.2 na r2, 1\nr1 = load.4 na r2\nret r1", FINDING_UNINITIALISED},
      {"r3 = load.1 na r1\nret r3", FINDING_UNINITIALISED},
      {"r3 = select r1, 5, 5\nret r3", -1},
      {"r3 = select r1, 5, 6\nret r3", FINDING_UNINITIALISED},
      {"r3 = select 0, r1, 6\nret r3", -1},
      {"r3 = sdiv.64 1, r1\nret 0", FINDING_UNINITIALISED},
      {"builtin assume(r1)\nret 0", FINDING_UNINITIALISED},
      {"store.8 rlx r2, r1\nret 0", -1},
      {"r3 = undef.64 0\nstore.8 rlx r2, r3\nret 0", FINDING_UNINITIALISED},
      {"r3 = undef.64 0\nr3 = mov.64 1\nret r3", -1},
  };
  for (u32 k = 0; k < ARRAY_SIZE (cases); k++) {
    snprintf (body, sizeof body, "%s%s", half, cases[k].rest);
    CHECK (error_of (body) == cases[k].error);
  }
}

/* What the body takes for granted, and whether another process learns the same. */
static u32 assumed_by (const char *body, u32 lifted) {
  char text[1024];
  VmOptions options = {.nondet_high = 9, .lifted = lifted};
  snprintf (text, sizeof text, "porf-ir 1\nfunc 0 \"main\" params 0 regs 32 {\nb0:\n%s\n}\n", body);
  Fixture f = open_with (text, options), other = open_with (text, options);
  snapshot_release (f.vm, start (f, 0, "main", 0));
  u32 assumed = vm_assumed (f.vm);
  Bytes facts = {0};
  vm_write_facts (f.vm, &facts);
  ByteReader r = {facts.data, facts.data + facts.size, false};
  CHECK (vm_read_facts (other.vm, &r) && vm_assumed (other.vm) == assumed);
  vm_restart (f.vm);
  CHECK (vm_assumed (f.vm) == assumed);
  vec_free (&facts);
  close_vm (f);
  close_vm (other);
  return assumed;
}

static void test_assumed (void) {
#define BIT(a) ASSUMPTION_BIT (ASSUMPTION_##a)
  CHECK (assumed_by ("ret 0", 0) == 0);
  CHECK (assumed_by ("r0 = builtin malloc(4)\nret 0", 0) == BIT (MALLOC_SUCCEEDS));
  CHECK (assumed_by ("r0 = builtin new(16, 4, 1)\nret 0", 0) == BIT (NEW_SUCCEEDS));
  CHECK (assumed_by ("r0 = builtin malloc(4)\nbuiltin free(r0)\nret 0", 0) ==
         BIT (MALLOC_SUCCEEDS));
  const char *again =
      "r0 = builtin new(16, 4, 1)\nbuiltin delete(r0, 1)\nr1 = builtin new(16, 4, 1)\nret 0";
  CHECK (assumed_by (again, 0) == (BIT (NEW_SUCCEEDS) | BIT (ADDRESSES_FRESH)));
  CHECK (assumed_by (again, BIT (ADDRESSES_FRESH)) == BIT (NEW_SUCCEEDS));
  CHECK (assumed_by ("r0 = builtin argc(1)\nret 0", 0) == BIT (ARGC_ONE));
  CHECK (assumed_by ("r0 = builtin argc(1)\nret 0", BIT (ARGC_ONE)) == 0);
  CHECK (assumed_by ("r0 = builtin spurious()\nret 0", 0) == BIT (SPURIOUS_WAKEUPS));
  CHECK (assumed_by ("r0 = builtin nondet(4, 1)\nret 0", 0) == BIT (NONDET_RANGE));
  CHECK (assumed_by ("r0 = builtin nondet(0, 0)\nret 0", 0) == 0);
#undef BIT
}

/* With a choice of whether there is memory: both ways on from there. */
static void test_allocation_fails (void) {
  Fixture f = open_with ("porf-ir 1\nfunc 0 \"main\" params 0 regs 32 {\nb0:\n"
                         "r0 = builtin aligned_alloc(64, 4)\nr1 = eq.64 r0, 0\nret r1\n}\n",
                         (VmOptions){.lifted = ASSUMPTION_BIT (ASSUMPTION_MALLOC_SUCCEEDS)});
  Snapshot *s = start (f, 0, "main", 0);
  CHECK (snapshot_effect (s)->kind == EFF_NONDET && snapshot_effect (s)->expected == 1);
  for (u64 fails = 0; fails < 2; fails++) {
    CHECK (vm_nondet_value (f.vm, snapshot_effect (s), fails) == fails);
    Snapshot *next = vm_resume (f.vm, s, fails);
    CHECK (snapshot_effect (next)->kind == EFF_END && snapshot_effect (next)->value == fails);
    snapshot_release (f.vm, next);
  }
  CHECK (!vm_assumed (f.vm));
  snapshot_release (f.vm, s);
  close_vm (f);
}

int main (void) {
  test_assumed ();
  test_allocation_fails ();
  test_undefined ();
  test_private_memory ();
  test_integers ();
  test_bits_and_overflow ();
  test_floats ();
  test_errors ();
  test_heap ();
  test_calls ();
  test_stack ();
  test_memo ();
  test_memo_purge ();
  test_addresses ();
  test_sharing ();
  test_share_everything ();
  test_thread_local ();
  test_snapshots_are_immutable ();
  test_shared_free ();
  test_foreign_free ();
  test_sharing_escalates ();
  test_spin ();
  test_endless ();
  test_nondet ();
  test_threads ();
  test_locks_and_positions ();
  return test_summary ();
}
