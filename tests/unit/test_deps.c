/* Tests of dependencies: the sets, what the VM tracks, and what graphs keep of it. */
#include <stdlib.h>

#include "explore/explore.h"
#include "test.h"
#include "vm/vm_int.h"
#include "witness/witness.h"

/* ---- sets, against sorted arrays ------------------------------------------------------------- */

static u32 random_below (u32 n) {
  static u64 state = 1;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (u32)(state >> 33) % n;
}

static u64 bits_of (const DepSets *s, u32 set) {
  u64 bits = 0;
  u32 last = UINT32_MAX;
  for (u32 e; deps_next (s, &set, &e); last = e) {
    CHECK (e < last); /* greatest first, each once */
    bits |= 1ull << e;
  }
  return bits;
}

static void test_sets (void) {
  enum { N = 400 };
  DepSets s = {0};
  u32 sets[N] = {0};
  for (u32 i = 1; i < N; i++) {
    u32 a = sets[random_below (i)], b = sets[random_below (i)];
    sets[i] = random_below (3) ? deps_union (&s, a, b) : deps_single (&s, random_below (64));
    u64 bits = bits_of (&s, sets[i]);
    if (i % 3 == 0) {
      u32 both = deps_union (&s, a, b);
      CHECK (bits_of (&s, both) == (bits_of (&s, a) | bits_of (&s, b)));
      CHECK (deps_union (&s, b, a) == both);
    }
    for (u32 k = 0; k < i; k++) CHECK ((bits_of (&s, sets[k]) == bits) == (sets[k] == sets[i]));
    for (u32 e = 0; e < 64; e++) CHECK (deps_has (&s, sets[i], e) == (bits >> e & 1));
  }
  CHECK (deps_union (&s, 0, 0) == 0 && !deps_has (&s, 0, 0));
  deps_free (&s);
}

/* A set that grows by the newest element takes constant space for each. */
static void test_growing_set (void) {
  DepSets s = {0};
  u32 set = 0;
  for (u32 k = 0; k < 30000; k++) set = deps_union (&s, set, deps_single (&s, k));
  CHECK (s.lists.size <= 2 * 30000);
  CHECK (deps_has (&s, set, 0) && deps_has (&s, set, 29999) && !deps_has (&s, set, 30000));
  deps_free (&s);
}

/* ---- the VM ---------------------------------------------------------------------------------- */

typedef struct Fixture {
  Program *program;
  Vm *vm;
  Snapshot *s;
  bool is_prepared;
} Fixture;

static Program *parse (const char *text) {
  IrError error;
  Program *p = ir_parse (text, strlen (text), &error);
  if (!p) {
    fprintf (stderr, "%u:%u: %s in\n%s\n", error.line, error.column, error.message, text);
    exit (1);
  }
  return p;
}

static Fixture begin (const char *text, bool prepare) {
  Fixture f = {.program = parse (text), .is_prepared = prepare};
  if (prepare) ir_prepare (f.program, (IrOptions){.find_spin_loops = true});
  f.vm = vm_new (f.program, (VmOptions){.dependencies = true});
  f.s = vm_start (f.vm, 0, (u32)program_find_function (f.program, "main"), 0);
  return f;
}

static void go (Fixture *f, u64 answer) {
  Snapshot *next = vm_resume (f->vm, f->s, answer);
  snapshot_release (f->vm, f->s);
  f->s = next;
}

static void end (Fixture f) {
  snapshot_release (f.vm, f.s);
  vm_restart (f.vm);
  CHECK (vm_stats (f.vm).snapshots_live == 0 && vm_stats (f.vm).snapshot_bytes == 0);
  vm_free (f.vm);
  program_free (f.program);
}

/* "3 addr 1,0 data 2": the place of the effect in its thread, and what it depends on. */
static const char *deps_text (const Fixture *f) {
  static char text[256];
  const Effect *e = snapshot_effect (f->s);
  size_t n = (size_t)snprintf (text, sizeof text, "%u", e->place);
  for (u32 kind = 0; kind < DEP_KINDS; kind++) {
    u32 set = e->deps[kind], count = 0;
    for (u32 k; deps_next (vm_dep_sets (f->vm), &set, &k); count++) {
      if (!count)
        n += (size_t)snprintf (text + n, sizeof text - n, " %s ", dep_name ((DepKind)kind));
      n += (size_t)snprintf (text + n, sizeof text - n, count ? ",%u" : "%u", k);
    }
  }
  return text;
}

static void expect_at (Fixture *f, EffectKind kind, const char *deps, const char *what) {
  bool ok = snapshot_effect (f->s)->kind == kind && !strcmp (deps_text (f), deps);
  CHECK (ok);
  if (!ok)
    fprintf (stderr, "  %s%s: effect %u with \"%s\", not %u with \"%s\"\n", what,
             f->is_prepared ? ", prepared" : "", snapshot_effect (f->s)->kind, deps_text (f), kind,
             deps);
}

/* Two reads r1, r2 and a private word at r3; then `body`, which stores r9. What the store depends
 * on. Prepared or not must not matter. */
static void expect_store (const char *body, const char *deps) {
  char text[2048];
  snprintf (text, sizeof text,
            "porf-ir 1\n"
            "global 0 \"x\" size 8 align 8\nglobal 1 \"y\" size 8 align 8\n"
            "func 0 \"main\" params 0 regs 16 {\n"
            "b0:\n"
            "  r1 = load.4 sc g0\n"
            "  r2 = load.4 sc g1\n"
            "  r3 = alloca 16\n"
            "%s\n"
            "  store.4 sc g0, r9\n"
            "  ret r9\n"
            "}\n"
            "func 1 \"second\" params 2 regs 3 {\nb0:\n  r2 = add.32 r1, 1\n  ret r2, r0\n}\n",
            body);
  for (u32 prepare = 0; prepare < 2; prepare++) {
    Fixture f = begin (text, prepare);
    expect_at (&f, EFF_READ, "0", body);
    go (&f, 1);
    expect_at (&f, EFF_READ, "1", body);
    go (&f, 2);
    expect_at (&f, EFF_WRITE, deps, body);
    end (f);
  }
}

/* Every operation of the regular forms, by its form. */
static void test_plain_operations (void) {
  static const struct {
    const char *name;
    OpForm form;
  } ops[] = {
#define OP(name, text, form, doc) {text, form},
#include "ir/ops.def"
#undef OP
  };
  u32 tried = 0;
  for (u32 i = 0; i < ARRAY_SIZE (ops); i++) {
    char body[128];
    const char *name = ops[i].name;
    if (!strcmp (name, "undef")) continue; /* may not be stored by an atomic store */
    const char *width = name[0] == 'f' || strstr (name, "fp") ? "64" : "32";
    switch (ops[i].form) {
    case FORM_BIN:
      snprintf (body, sizeof body, "r9 = %s.%s r1, r2", name, width);
      expect_store (body, "2 data 1,0");
      break;
    case FORM_FCMP:
      snprintf (body, sizeof body, "r9 = %s.64.1 r1, r2", name);
      expect_store (body, "2 data 1,0");
      break;
    case FORM_UN:
      snprintf (body, sizeof body, "r9 = %s.%s r2", name, width);
      expect_store (body, "2 data 1");
      break;
    case FORM_CAST:
      snprintf (body, sizeof body, "r9 = %s.%s.%s r2", name, strcmp (name, "sext") ? "64" : "16",
                strcmp (name, "trunc") ? strstr (name, "fp") ? "64" : "32" : "8");
      expect_store (body, "2 data 1");
      break;
    case FORM_SELECT:
      expect_store ("r9 = select r1, r2, 5", "2 data 1,0");
      expect_store ("r9 = select r1, 4, 5", "2 data 0");
      expect_store ("r9 = select 1, r1, r2", "2 data 1,0");
      break;
    case FORM_OTHER:
      continue;
    }
    tried++;
  }
  CHECK (tried > 40);
}

/* What the values are does not matter. */
static void test_false_dependencies (void) {
  expect_store ("r9 = xor.32 r1, r1", "2 data 0");
  expect_store ("r9 = sub.32 r2, r2", "2 data 1");
  expect_store ("r9 = and.32 r1, 0", "2 data 0");
  expect_store ("r9 = mul.32 0, r2", "2 data 1");
  expect_store ("r4 = xor.32 r1, r1\nr9 = add.32 r4, 7", "2 data 0");
  expect_store ("r4 = xor.32 r1, r1\nr4 = mov.32 3\nr9 = add.32 r4, 7", "2");
  expect_store ("r9 = mov.32 5", "2");
  expect_store ("r4 = xor.32 r1, r1\nr4 = add.64 g0, r4\nstore.4 sc r4, 1\nr9 = mov.32 1",
                "2 addr 0");
}

static void test_private_memory (void) {
  expect_store ("store.4 na r3, r1\nr9 = load.4 na r3", "2 data 0");
  expect_store ("store.4 na r3, r1\nstore.4 na r3, 3\nr9 = load.4 na r3", "2");
  expect_store ("store.8 na r3, r1\nr4 = add.64 r3, 1\nstore.1 na r4, r2\nr9 = load.4 na r3",
                "2 data 1,0");
  expect_store ("store.8 na r3, 0\nr4 = add.64 r3, 1\nstore.1 na r4, r2\nr9 = load.1 na r3", "2");
  expect_store ("store.8 na r3, 0\nr4 = add.64 r3, 1\nstore.1 na r4, r2\nr9 = load.1 na r4",
                "2 data 1");
  /* across a page of private memory */
  expect_store ("r4 = alloca 200\nr4 = add.64 r4, 61\nstore.8 na r4, r2\nr9 = load.8 na r4",
                "2 data 1");
  /* a private access whose address depends on a read is one that others are ordered by */
  expect_store ("r4 = and.64 r1, 0\nr4 = add.64 r3, r4\nstore.4 na r4, 7\nr9 = mov.32 1",
                "2 addr 0");
}

static void test_calls (void) {
  expect_store ("r9 = call f1(r1, r2)", "2 data 1");
  expect_store ("r4 = call f1(r1, r2)\nr9 = retval 1", "2 data 0");
  expect_store ("r9 = call f1(r1, 2)", "2");
  expect_store ("r4 = sub.64 r1, r1\nr4 = add.64 r4, f1\nr9 = call r4(r1, 2)", "2 ctrl 0");
}

static void test_builtins (void) {
  expect_store ("builtin assume(r2)\nr9 = mov.32 1", "2 ctrl 1");
  expect_store ("r9 = builtin malloc(r1)", "2");
  expect_store ("r9 = builtin calloc(r1)", "2");
  expect_store ("r9 = builtin math(0, r1, r2)", "2 data 1,0");
  expect_store ("r9 = builtin thread_self()", "2");
  expect_store ("r4 = and.64 r2, 0\nr4 = add.64 r4, g0\nr9 = builtin shadow(r4)", "2 data 1");
}

/* ---- whole threads --------------------------------------------------------------------------- */

#define HEAD                                                                                       \
  "porf-ir 1\nglobal 0 \"x\" size 8 align 8\nglobal 1 \"y\" size 8 align 8\n"                      \
  "global 2 \"t\" size 4 align 4 tls\n"

typedef struct Step {
  EffectKind kind;
  const char *deps;
  u64 answer;
} Step;

static void expect_steps (const char *text, const Step *steps, u32 n) {
  for (u32 prepare = 0; prepare < 2; prepare++) {
    Fixture f = begin (text, prepare);
    for (u32 k = 0; k < n; k++) {
      expect_at (&f, steps[k].kind, steps[k].deps, text);
      if (k + 1 < n) go (&f, steps[k].answer);
    }
    end (f);
  }
}
#define EXPECT_STEPS(text, ...)                                                                    \
  expect_steps (text, (Step[]){__VA_ARGS__}, ARRAY_SIZE (((Step[]){__VA_ARGS__})))

/* Whatever comes behind a branch depends on it, behind the point where the ways meet, too. */
static void test_control (void) {
  const char *text = HEAD "func 0 \"main\" params 0 regs 4 {\n"
                          "b0:\n  r0 = load.4 sc g0\n  br r0, b1, b2\n"
                          "b1:\n  r1 = mov.32 1\n  jmp b3\n"
                          "b2:\n  r1 = mov.32 2\n  jmp b3\n"
                          "b3:\n  store.4 sc g1, r1\n  fence acq\n  r2 = load.4 sc g1\n"
                          "  switch r2, b4 { 5: b4 }\n"
                          "b4:\n  r3 = rmw.4.add sc g0, r1\n  ret 0\n}\n";
  EXPECT_STEPS (text, {EFF_READ, "0", 1}, {EFF_WRITE, "1 ctrl 0", 0}, {EFF_FENCE, "2 ctrl 0", 0},
                {EFF_READ, "3 ctrl 0", 7}, {EFF_RMW, "4 ctrl 3,0", 0}, {EFF_END, "5 ctrl 3,0", 0});
  EXPECT_STEPS (text, {EFF_READ, "0", 0}, {EFF_WRITE, "1 ctrl 0", 0});
}

/* Events are counted as the engine counts them: two for a read-modify-write that writes. */
static void test_updates (void) {
  const char *text =
      HEAD "func 0 \"main\" params 0 regs 8 {\n"
           "b0:\n  r0 = load.4 sc g0\n  r1 = load.4 sc g1\n  r5 = and.64 r1, 0\n"
           "  r5 = add.64 r5, g1\n  r2 = cas.4 sc sc r5, r0, r1\n  r3 = rmw.4.xchg sc g0, r2\n"
           "  store.4 sc g0, r3\n  ret r3\n}\n";
  EXPECT_STEPS (text, {EFF_READ, "0", 1}, {EFF_READ, "1", 2},
                {EFF_CAS, "2 addr 1 data 1 rmw_dep 0", 1}, {EFF_RMW, "3 data 2", 0},
                {EFF_WRITE, "4 data 3", 0}, {EFF_END, "5 data 3", 0});
  EXPECT_STEPS (text, {EFF_READ, "0", 1}, {EFF_READ, "1", 2},
                {EFF_CAS, "2 addr 1 data 1 rmw_dep 0", 9}, {EFF_RMW, "3 data 2", 0},
                {EFF_WRITE, "4 data 3", 0});
}

static void test_locks_and_threads (void) {
  const char *text =
      HEAD "func 0 \"main\" params 0 regs 8 {\n"
           "b0:\n  r0 = load.4 sc g0\n  r5 = and.64 r0, 0\n  r5 = add.64 r5, g1\n"
           "  builtin mutex_lock(r5)\n  builtin mutex_unlock(g1)\n"
           "  r1 = builtin mutex_trylock(g1)\n  r2 = builtin thread_create(f1, r0)\n"
           "  r3 = builtin thread_join(r2)\n  r4 = builtin nondet(4, 0)\n"
           "  r6 = add.32 r3, r4\n  r6 = add.32 r6, r1\n  store.4 sc g0, r6\n  ret 0\n}\n"
           "func 1 \"child\" params 1 regs 1 {\nb0:\n  ret r0\n}\n";
  EXPECT_STEPS (text, {EFF_READ, "0", 1}, {EFF_LOCK, "1 addr 0", 0}, {EFF_UNLOCK, "2", 0},
                {EFF_TRYLOCK, "3", 0}, {EFF_CREATE, "4 data 0", 0}, {EFF_JOIN, "5", 3},
                {EFF_NONDET, "6", 2}, {EFF_WRITE, "7 data 6,5,3", 0});
  EXPECT_STEPS (text, {EFF_READ, "0", 1}, {EFF_LOCK, "1 addr 0", 0}, {EFF_UNLOCK, "2", 0},
                {EFF_TRYLOCK, "3", 1}, {EFF_CREATE, "4 data 0", 0});
}

/* Acquire loads and release stores of private memory order other accesses. */
static void test_ordering_private_accesses (void) {
  const char *text = HEAD "func 0 \"main\" params 0 regs 4 {\n"
                          "b0:\n  r0 = tls g2\n  store.4 rlx r0, 1\n  store.4 rel r0, 2\n"
                          "  r1 = load.4 rlx r0\n  r2 = load.4 acq r0\n  ret 0\n}\n";
  for (u32 tracks = 0; tracks < 2; tracks++) {
    Program *p = parse (text);
    Vm *vm = vm_new (p, (VmOptions){.dependencies = tracks});
    u32 effects = 0;
    for (u32 again = 0; again < 2; again++) { /* the first time to learn what is shared */
      Snapshot *s = vm_start (vm, 0, 0, 0);
      for (effects = 0; snapshot_effect (s)->kind != EFF_END; effects++) {
        Snapshot *next = vm_resume (vm, s, 2);
        snapshot_release (vm, s);
        s = next;
      }
      snapshot_release (vm, s);
      vm_restart (vm);
    }
    CHECK (effects == (tracks ? 4 : 0));
    vm_free (vm);
    program_free (p);
  }
}

/* A plain access that is made cell by cell. */
static void test_parts (void) {
  const char *text =
      HEAD "func 0 \"main\" params 0 regs 4 {\n"
           "b0:\n  r0 = load.1 sc g0\n  r3 = add.64 g0, 1\n  r1 = rmw.1.add sc r3, r0\n"
           "  r2 = load.2 na g0\n  store.4 sc g1, r2\n  ret 0\n}\n";
  EXPECT_STEPS (text, {EFF_READ, "0", 1}, {EFF_RMW, "1 data 0", 0}, {EFF_READ, "2", 1},
                {EFF_READ, "3", 0}, {EFF_WRITE, "4 data 3,2", 0});
  /* a plain store to a part of an atomic cell reads and rewrites the whole of it */
  text = HEAD "func 0 \"main\" params 0 regs 4 {\n"
              "b0:\n  r0 = load.4 sc g0\n  store.1 na g0, r0\n  store.4 sc g1, 3\n  ret 0\n}\n";
  EXPECT_STEPS (text, {EFF_READ, "0", 0x1234}, {EFF_READ, "1", 0x1234},
                {EFF_WRITE, "2 data 1,0", 0}, {EFF_WRITE, "3", 0});
}

/* An update that is made cell by cell: reads, then writes because of what was read. */
static void test_updates_in_pieces (void) {
  const char *text = HEAD "func 0 \"main\" params 0 regs 8 {\n"
                          "b0:\n  r0 = load.1 sc g0\n  r3 = add.64 g0, 1\n  r1 = load.1 sc r3\n"
                          "  r2 = rmw.2.add sc g0, r0\n  r4 = cas.2 sc sc g0, r1, r2\n"
                          "  store.4 sc g1, r4\n  ret 0\n}\n";
  /* the update: reads 2 and 3, writes 4 and 5; the compare-exchange: reads 6 and 7 */
  EXPECT_STEPS (text, {EFF_READ, "0", 1}, {EFF_READ, "1", 0}, {EFF_READ, "2", 1},
                {EFF_READ, "3", 0}, {EFF_WRITE, "4 data 3,2,0", 0}, {EFF_WRITE, "5 data 3,2,0", 0},
                {EFF_READ, "6 rmw_dep 1", 0}, {EFF_READ, "7 rmw_dep 1", 0},
                {EFF_WRITE, "8 data 7,6,3,2,1", 0}, {EFF_WRITE, "9 data 7,6,3,2,1", 0},
                {EFF_WRITE, "10 data 7,6", 0});
  EXPECT_STEPS (text, {EFF_READ, "0", 1}, {EFF_READ, "1", 0}, {EFF_READ, "2", 1},
                {EFF_READ, "3", 0}, {EFF_WRITE, "4 data 3,2,0", 0}, {EFF_WRITE, "5 data 3,2,0", 0},
                {EFF_READ, "6 rmw_dep 1", 9}, {EFF_READ, "7 rmw_dep 1", 9},
                {EFF_WRITE, "8 data 7,6", 0});
}

/* A loop: each round adds to what the way depends on, and to a sum. */
static void test_loop (void) {
  const char *text = HEAD "func 0 \"main\" params 0 regs 4 {\n"
                          "b0:\n  r1 = mov.32 0\n  jmp b1\n"
                          "b1:\n  r0 = load.4 sc g0\n  r1 = add.32 r1, r0\n  br r0, b1, b2\n"
                          "b2:\n  store.4 sc g1, r1\n  ret 0\n}\n";
  EXPECT_STEPS (text, {EFF_READ, "0", 2}, {EFF_READ, "1 ctrl 0", 3}, {EFF_READ, "2 ctrl 1,0", 0},
                {EFF_WRITE, "3 data 2,1,0 ctrl 2,1,0", 0});
}

/* ---- memoised states ------------------------------------------------------------------------- */

/* Equal values that depend on different reads are different states; what is dead is forgotten. */
static void test_states (void) {
  const char *text = HEAD "func 0 \"main\" params 0 regs 4 {\n"
                          "b0:\n  r0 = load.4 sc g0\n  r1 = load.4 sc g1\n  r2 = mov.32 0\n"
                          "  br r0, b1, b2\n"
                          "b1:\n  r2 = xor.32 r0, r0\n  jmp b3\n"
                          "b2:\n  r2 = xor.32 r1, r1\n  jmp b3\n"
                          "b3:\n  fence sc\n  store.4 sc g0, r2\n  ret 0\n}\n";
  for (u32 prepare = 0; prepare < 2; prepare++) {
    Fixture f = begin (text, prepare);
    Snapshot *ways[4];
    for (u32 k = 0; k < 4; k++) { /* r0 = 0, 1, 2, and 0 with another r1 */
      Snapshot *second = vm_resume (f.vm, f.s, k % 3);
      ways[k] = vm_resume (f.vm, second, k == 3);
      snapshot_release (f.vm, second);
    }
    CHECK (ways[0] != ways[1]);
    if (prepare) CHECK (ways[1] == ways[2] && ways[0] == ways[3]);
    static const char *const expected[] = {"3 data 1 ctrl 0", "3 data 0 ctrl 0", "3 data 0 ctrl 0",
                                           "3 data 1 ctrl 0"};
    for (u32 k = 0; k < 4; k++) {
      snapshot_release (f.vm, f.s);
      f.s = ways[k];
      snapshot_share (f.s);
      go (&f, 0);
      expect_at (&f, EFF_WRITE, expected[k], "states");
      snapshot_release (f.vm, ways[k]);
    }
    end (f);
  }
}

/* ---- an event is determined by what it depends on -------------------------------------------- */

typedef struct Recorded {
  Effect effect;
  u64 known; /* bits: events on which it depends, in any way, and on which those depend */
} Recorded;

static u64 closure (const Vm *vm, const Effect *e, const Recorded *before) {
  u64 all = 0;
  for (u32 kind = 0; kind < DEP_KINDS; kind++) {
    u32 set = e->deps[kind];
    for (u32 k; deps_next (vm_dep_sets (vm), &set, &k);) all |= 1ull << k | before[k].known;
  }
  return all;
}

enum { EVENTS = 24 };

/* Runs main with these answers; returns how many effects there were. No read-modify-writes. */
static u32 record (Program *p, const u64 *answers, Recorded *out) {
  Vm *vm = vm_new (p, (VmOptions){.dependencies = true, .share_everything = true});
  Snapshot *s = vm_start (vm, 0, 0, 0);
  u32 n = 0;
  for (;; n++) {
    Effect e = *snapshot_effect (s);
    if (n == EVENTS || e.kind >= EFF_BLOCK) break;
    CHECK (e.place == n);
    out[n] = (Recorded){e, closure (vm, &e, out)};
    Snapshot *next = vm_resume (vm, s, answers[n]);
    snapshot_release (vm, s);
    s = next;
  }
  snapshot_release (vm, s);
  vm_free (vm);
  return n;
}

static void random_statement (Str *out, u32 *block, u32 end) {
  u32 a = random_below (6), b = random_below (6), c = random_below (6);
  static const char *const ops[] = {"add.32", "xor.32", "and.32", "sub.32", "eq.32", "or.32"};
  switch (random_below (9)) {
  case 0:
    str_printf (out, "  r%u = load.4 rlx g%u\n", a, random_below (2));
    break;
  case 1:
    str_printf (out, "  store.4 rlx g%u, r%u\n", random_below (2), a);
    break;
  case 2: /* into an array, by an index of 0 or 1 */
    str_printf (out, "  r6 = and.64 r%u, 1\n  r6 = mul.64 r6, 4\n  r6 = add.64 r6, g2\n", a);
    str_printf (out, random_below (2) ? "  store.4 rlx r6, r%u\n" : "  r%u = load.4 rlx r6\n", b);
    break;
  case 3:
    str_printf (out, "  store.4 na r7, r%u\n", a);
    break;
  case 4:
    str_printf (out, "  r%u = load.4 na r7\n", a);
    break;
  case 5:
    str_printf (out, "  r%u = select r%u, r%u, r%u\n", a, b, c, a);
    break;
  case 6: /* a branch over what comes next, or to the end */
    str_printf (out, "  br r%u, b%u, b%u\nb%u:\n", a, *block, random_below (2) ? end : *block,
                *block);
    ++*block;
    break;
  case 7:
    str_printf (out, "  r%u = call f1(r%u, r%u)\n", a, b, c);
    break;
  default:
    str_printf (out, "  r%u = %s r%u, r%u\n", a, ops[random_below (ARRAY_SIZE (ops))], b, c);
  }
}

static Program *random_program (void) {
  Str body = {0}, text = {0};
  u32 block = 1, end = 99;
  for (u32 k = 0; k < 25; k++) random_statement (&body, &block, end);
  str_add (&text, "porf-ir 1\nglobal 0 \"x\" size 4 align 4\nglobal 1 \"y\" size 4 align 4\n"
                  "global 2 \"a\" size 8 align 8\nfunc 0 \"main\" params 0 regs 8 {\nb0:\n"
                  "  r7 = alloca 4\n  store.4 na r7, 0\n");
  for (const char *c = body.text; *c;) { /* the last block has the next number */
    if (!strncmp (c, "b99", 3)) {
      str_printf (&text, "b%u", block);
      c += 3;
    } else
      str_add_n (&text, c++, 1);
  }
  str_printf (&text, "  jmp b%u\nb%u:\n  store.4 rlx g0, r0\n  ret 0\n}\n", block, block);
  str_add (&text, "func 1 \"mix\" params 2 regs 3 {\nb0:\n  br r0, b1, b2\nb1:\n  ret r1\n"
                  "b2:\n  r2 = add.32 r1, 1\n  ret r2\n}\n");
  Program *p = parse (text.text);
  if (random_below (2)) ir_prepare (p, (IrOptions){.find_spin_loops = false});
  str_free (&body);
  str_free (&text);
  return p;
}

static bool same_but_for_sets (Effect a, Effect b) {
  memset (a.deps, 0, sizeof a.deps);
  memset (b.deps, 0, sizeof b.deps);
  return effect_equal (&a, &b);
}

/* If the answers of the events that an event depends on stay, so does the event. */
static void test_events_are_determined (void) {
  u32 independent = 0;
  for (u32 round = 0; round < 2000; round++) {
    Program *p = random_program ();
    Recorded first[EVENTS], second[EVENTS];
    u64 answers[EVENTS], others[EVENTS];
    for (u32 k = 0; k < EVENTS; k++) answers[k] = others[k] = random_below (3);
    u32 changed = random_below (8);
    others[changed] = 3 - answers[changed];
    u32 n = record (p, answers, first), m = record (p, others, second);
    for (u32 k = 0; k < n; k++) {
      if (first[k].known >> changed & 1) continue;
      CHECK (k < m && same_but_for_sets (first[k].effect, second[k].effect));
      CHECK (first[k].known == second[k].known);
      independent += k > changed;
    }
    program_free (p);
  }
  CHECK (independent > 1000);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static void note_canon (void *arg, const Execution *e) { execution_canon (e, arg); }

/* Backward revisits copy graphs, and with them what events depend on. */
static void test_graphs (void) {
  const char *text =
      "porf-ir 1\nglobal 0 \"x\" size 4 align 4\nglobal 1 \"y\" size 4 align 4\n"
      "func 0 \"main\" params 0 regs 2 {\nb0:\n  r0 = builtin thread_create(f1, 0)\n"
      "  r1 = builtin thread_create(f2, 0)\n  ret 0\n}\n"
      "func 1 \"one\" params 1 regs 3 {\nb0:\n  r1 = load.4 rlx g0\n"
      "  r2 = cas.4 rlx rlx g1, 0, r1\n  ret 0\n}\n"
      "func 2 \"two\" params 1 regs 3 {\nb0:\n  r1 = load.4 rlx g1\n  br r1, b1, b1\n"
      "b1:\n  store.4 rlx g0, 1\n  ret 0\n}\n";
  Program *p = parse (text);
  ir_prepare (p, (IrOptions){.find_spin_loops = true});
  Str all = {0};
  ExploreOptions o = explore_default_options (model_find ("rc11"));
  o.vm.dependencies = o.check_invariants = true;
  o.on_execution = note_canon;
  o.arg = &all;
  Result r = explore_program (p, &o);
  CHECK (r.stats.executions == 3);
  u32 updates = 0, stores = 0;
  for (const char *c = all.text; (c = strstr (c, " U y rlx 0>")); c++) {
    const char *stop = strpbrk (c, ";|");
    const char *data = strstr (c, " data 0");
    updates += data && data < stop;
  }
  for (const char *c = all.text; (c = strstr (c, "; W x rlx 1 ctrl 0")); c++) stores++;
  CHECK (updates == 3 && stores == 3);
  result_free (&r);
  str_free (&all);
  program_free (p);
}

int main (void) {
  test_sets ();
  test_growing_set ();
  test_plain_operations ();
  test_false_dependencies ();
  test_private_memory ();
  test_calls ();
  test_builtins ();
  test_control ();
  test_updates ();
  test_locks_and_threads ();
  test_ordering_private_accesses ();
  test_parts ();
  test_updates_in_pieces ();
  test_loop ();
  test_states ();
  test_events_are_determined ();
  test_graphs ();
  return test_summary ();
}
