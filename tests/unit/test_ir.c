/* test_ir.c - text form, invariants, linking and the passes of src/ir. */
#include "ir/ir.h"
#include "test.h"

static Program *parse_text (const char *text) {
  IrError error;
  Program *p = ir_parse (text, strlen (text), &error);
  if (!p) fprintf (stderr, "line %u: %s\n", error.line, error.message);
  return p;
}

static bool is_sound (const Program *p) {
  Str why = {0};
  bool ok = ir_check (p, &why);
  if (!ok) fprintf (stderr, "%s\n", why.text);
  str_free (&why);
  return ok;
}

static const char *const every_form =
    "porf-ir 1\n"
    "file 1 \"mp.c\"\n"
    "file 2 \"a \\\"b\\\" \\\\ \\x01.c\"\n"
    "type 1 scalar \"int\" 4 signed\n"
    "type 2 pointer \"node *\" 8 -> 3\n"
    "type 3 struct \"node\" 16 { \"value\" 0 1, \"next\" 8 2 }\n"
    "type 4 array \"int[10]\" 40 of 1\n"
    "type 5 scalar \"unsigned\" 4\n"
    "type 6 struct \"empty\" 0 { }\n"
    "global 0 \"x\" size 4 align 4 type 1 = 2a000000\n"
    "global 1 \"p\" size 16 align 8 type 0 = zero reloc 0 g0+4 reloc 8 f1 @1:3:5\n"
    "global 2 \"t\" size 8 align 8 type 0 tls const = zero\n"
    "string 0 \"inline assembly\"\n"
    "string 1 \"a \\\"b\\\"\"\n"
    "string 2 \"n\"\n"
    "func 0 \"main\" params 0 regs 12 @1:10:5 {\n"
    "b0:\n"
    "  r1 = add.32 r0, 5 @1:12:3\n"
    "  r2 = load.4 rlx g0 volatile\n"
    "  store.4 rel g0+4, r1 @1:13:1\n"
    "  store.1 na g0-4, -1\n"
    "  r3 = rmw.4.add acq_rel g0, 1\n"
    "  r4 = cas.4 sc acq g0, r1, 2 weak\n"
    "  fence sc\n"
    "  r5 = call f1(r1, 5)\n"
    "  r9 = retval 1\n"
    "  call r5(r1)\n"
    "  r6 = builtin malloc(16)\n"
    "  builtin yield()\n"
    "  r7 = trunc.32.8 r6\n"
    "  r8 = fcmp.64.4 r1, r2\n"
    "  r9 = select r1, r2, -3\n"
    "  r9 = mov.64 f1\n"
    "  r10 = alloca 16\n"
    "  r10 = alloca 16 \"a \\\"b\\\"\"\n"
    "  r10 = alloca 16 \"n\" type 3 @1:4:5\n"
    "  r10 = tls g2\n"
    "  br r1, b1, b2\n"
    "b1:\n"
    "  switch r1, b2 { 0: b1, 5: b2, -9223372036854775808: b3 }\n"
    "b2:\n"
    "  ret r1, 7\n"
    "b3:\n"
    "  br r1, b4, b5\n"
    "b4:\n"
    "  unsupported \"inline assembly\"\n"
    "b5:\n"
    "  unreachable\n"
    "}\n"
    "func 1 \"ext\" params 2 regs 2 variadic declared @2:1:1\n"
    "func 2 \"last\" params 0 regs 0 {\n"
    "b0:\n"
    "  builtin abort()\n"
    "}\n";

static void test_round_trip (void) {
  Program *p = parse_text (every_form);
  CHECK (p != NULL);
  if (!p) return;
  Str out = {0};
  ir_print (p, &out);
  CHECK (!strcmp (out.text, every_form));
  CHECK (is_sound (p));
  CHECK (program_find_function (p, "ext") == 1 && program_find_function (p, "nope") == -1);
  CHECK (program_find_global (p, "t") == 2 && program_find_global (p, "") == -1);
  const Function *f = &p->functions.data[0];
  CHECK (f->blocks.size == 6 && f->code.data[0].op == OP_ADD && f->code.data[0].width == 32);
  const Position *at = &p->positions.data[f->code.data[0].pos];
  CHECK (at->file == 1 && at->line == 12 && at->column == 3 && at->func == 0);
  CHECK (p->globals.data[0].init[0] == 0x2a && !p->globals.data[1].init);
  str_free (&out);
  program_free (p);
}

static void test_liberal_text (void) {
  Program *p =
      parse_text ("; head\nporf-ir 1 # version\nfunc 0 \"a;b#c\" params 1 regs 0x2{b0:r1=mov 0xff\n"
                  "r1 = add.8 r1 , 18446744073709551615 ; two\n  ret r1}");
  CHECK (p != NULL);
  if (!p) return;
  Str out = {0};
  ir_print (p, &out);
  CHECK (!strcmp (out.text,
                  "porf-ir 1\nfunc 0 \"a;b#c\" params 1 regs 2 {\nb0:\n  r1 = mov.64 255\n"
                  "  r1 = add.8 r1, -1\n  ret r1\n}\n"));
  str_free (&out);
  program_free (p);
}

static void test_constants_are_shared (void) {
  Program *p = program_new ();
  CHECK (p->types.size == 1 && p->positions.size == 1 && p->files.size == 1 && !*p->files.data[0]);
  u32 a = program_const (p, CONST_INT, 0, 5), b = program_const (p, CONST_GLOBAL, 0, 5);
  CHECK (a != b && program_const (p, CONST_INT, 0, 5) == a);
  for (u32 i = 0; i < 5000; i++) program_const (p, CONST_INT, 0, i);
  CHECK (p->consts.size == 5001);
  CHECK (program_position (p, (Position){0}) == 0);
  CHECK (program_position (p, (Position){.line = 1}) ==
         program_position (p, (Position){.line = 1}));
  CHECK (program_string (p, "a") == program_string (p, "a") && program_string (p, "b") == 1);
  program_free (p);
}

static void test_names (void) {
  Program *p =
      parse_text ("porf-ir 1\ntype 1 scalar \"int\" 4 signed\ntype 2 array \"int[3]\" 12 of 1\n"
                  "type 3 struct \"s\" 16 { \"n\" 0 1, \"a\" 4 2 }\ntype 4 array \"s[2]\" 32 of 3\n"
                  "type 5 struct \"loop\" 8 { \"\" 0 5 }\n"
                  "global 0 \"q\" size 32 align 8 type 4\nglobal 1 \"z\" size 8 align 8 type 5\n");
  CHECK (p != NULL);
  if (!p) return;
  static const struct {
    u64 offset;
    const char *name;
  } cases[] = {{0, "q[0].n"}, {20, "q[1].a[0]"}, {30, "q[1].a[2]+2"}, {40, "q+40"}};
  Str s = {0};
  for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
    str_clear (&s);
    program_name_bytes (p, &p->globals.data[0], cases[i].offset, &s);
    CHECK (!strcmp (s.text, cases[i].name));
  }
  str_clear (&s);
  program_name_bytes (p, &p->globals.data[1], 3, &s);
  CHECK (!strcmp (s.text, "z+3"));
  str_free (&s);
  program_free (p);
}

/* Every text is wrong at the given place, and the message says so. */
static void test_errors (void) {
  static const struct {
    u32 line, column;
    const char *says, *text;
  } cases[] = {
      {1, 1, "expected `porf`", ""},
      {1, 9, "version", "porf-ir 2"},
      {2, 1, "found `nonsense`", "porf-ir 1\nnonsense"},
      {2, 6, "expected number 0", "porf-ir 1\nfunc 1 \"f\" params 0 regs 0 declared"},
      {2, 8, "does not end", "porf-ir 1\nfunc 0 \"f\n"},
      {2, 26, "too large", "porf-ir 1\nfunc 0 \"f\" params 0 regs 9999999 declared"},
      {2, 19, "too large", "porf-ir 1\nglobal 0 \"x\" size 99999999999 align 4"},
      {2, 31, "found 2", "porf-ir 1\nglobal 0 \"x\" size 4 align 4 = 2a"},
      {4, 12, "r7 is out of range",
       "porf-ir 1\nfunc 0 \"f\" params 0 regs 1 {\nb0:\n  r0 = mov r7\n"},
      {4, 3, "unknown instruction",
       "porf-ir 1\nfunc 0 \"f\" params 0 regs 1 {\nb0:\n  frobnicate\n"},
      {4, 15, "unknown memory order",
       "porf-ir 1\nfunc 0 \"f\" params 0 regs 1 {\nb0:\n  r0 = load.4 foo 8\n"},
      {3, 1, "expected block b0", "porf-ir 1\nfunc 0 \"f\" params 0 regs 1 {\nb1:\n  ret }\n"},
      {3, 3, "before the first", "porf-ir 1\nfunc 0 \"f\" params 0 regs 1 {\n  ret }\n"},
      {4, 8, "no file 3", "porf-ir 1\nfunc 0 \"f\" params 0 regs 1 {\nb0:\n  ret @3:1:1 }\n"},
      {4, 11, "unknown builtin",
       "porf-ir 1\nfunc 0 \"f\" params 0 regs 1 {\nb0:\n  builtin frob()\n ret }\n"},
  };
  for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
    IrError e;
    Program *p = ir_parse (cases[i].text, strlen (cases[i].text), &e);
    CHECK (!p && e.line == cases[i].line && strstr (e.message, cases[i].says));
    CHECK (!p && e.column == cases[i].column);
    if (!p && (e.line != cases[i].line || !strstr (e.message, cases[i].says) ||
               e.column != cases[i].column))
      fprintf (stderr, "  case %zu: %u:%u: %s\n", i, e.line, e.column, e.message);
    program_free (p);
  }
}

/* What only ir_check can see: one line of a body is wrong, and the error points at it (line 6). */
static void test_check_failures (void) {
  static const struct {
    const char *says, *line;
  } cases[] = {
      {"(I1)", "ret\n  ret"},
      {"(I1)", "r0 = mov.64 1\nb1:\n  ret"},
      {"(I1)", "jmp b1\nb1:"},
      {"(I3)", "jmp b9"},
      {"(I3)", "r0 = mov.64 g9"},
      {"(I3)", "r0 = mov.64 f9"},
      {"(I3)", "r0 = mov.64 g1"},
      {"(I3)", "r0 = tls g0"},
      {"(I3)", "r0 = tls g7"},
      {"(I3)", "switch r0, b0 { 1: b7 }"},
      {"(I4)", "r0 = add.65 r0, r0"},
      {"(I4)", "r0 = trunc.8.0 r0"},
      {"(I4)", "r0 = fadd.16 r0, r0"},
      {"(I4)", "r0 = sitofp.64.8 r0"},
      {"(I4)", "r0 = fcmp.64.16 r0, r0"},
      {"(I4)", "r0 = load.3 rlx g0"},
      {"(I4)", "r0 = load.4 rel g0"},
      {"(I4)", "store.4 acq g0, 1"},
      {"(I4)", "r0 = rmw.4.add na g0, 1"},
      {"(I4)", "r0 = cas.4 sc rel g0, 1, 2"},
      {"(I4)", "fence rlx"},
      {"(I5)", "call f0(r0)"},
      {"(I5)", "call f1()"},
      {"(I5)", "r0 = retval 1"},
      {"(I5)", "builtin free()"},
      {"(I6)", "r0 = builtin free(r0)"},
      {"(I6)", "r0 = store.4 na g0, 1"},
      {"(I6)", "add.32 r0, 1"},
      {"(I7)", "spin (r0) shadow r0"},
  };
  for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
    Str text = {0};
    bool is_end = !strncmp (cases[i].line, "jmp", 3) || !strncmp (cases[i].line, "switch", 6);
    str_printf (&text,
                "porf-ir 1\nglobal 0 \"x\" size 4\nglobal 1 \"t\" size 4 tls\n"
                "func 0 \"f\" params 0 regs 1 {\nb0:\n  %s\n%s}\n"
                "func 1 \"g\" params 1 regs 1 variadic declared\n",
                cases[i].line, is_end ? "" : "  ret\n");
    IrError e;
    Program *p = ir_parse (text.text, text.length, &e);
    bool as_expected = !p && strstr (e.message, cases[i].says) && e.line >= 6 - (i == 2) * 2;
    CHECK (as_expected);
    if (!as_expected)
      fprintf (stderr, "  %s -> %u: %s\n", cases[i].line, e.line, p ? "accepted" : e.message);
    program_free (p);
    str_free (&text);
  }
}

static Program *prepared (const char *text, bool find_spin_loops) {
  Program *p = parse_text (text);
  if (!p) return NULL;
  ir_prepare (p, (IrOptions){.find_spin_loops = find_spin_loops});
  CHECK (p->is_prepared && is_sound (p));
  return p;
}

static u32 count_op (const Function *f, Op op) {
  u32 n = 0;
  for (u32 k = 0; k < f->code.size; k++) n += f->code.data[k].op == op;
  return n;
}

static const Insn *find_op (const Function *f, Op op) {
  for (u32 k = 0; k < f->code.size; k++)
    if (f->code.data[k].op == op) return &f->code.data[k];
  return NULL;
}

/* What the program prints as after ir_prepare must be `expected`. */
static void check_prepared (const char *text, const char *expected) {
  Program *p = prepared (text, true);
  CHECK (p != NULL);
  if (!p) return;
  Str out = {0};
  ir_print (p, &out);
  CHECK (!strcmp (out.text, expected));
  if (strcmp (out.text, expected)) fprintf (stderr, "%s", out.text);
  str_free (&out);
  program_free (p);
}

static void test_spin_loop (void) {
  check_prepared ("porf-ir 1\nfile 1 \"a.c\"\nglobal 0 \"x\" size 4 align 4 type 0 = zero\n"
                  "func 0 \"wait\" params 0 regs 9 {\n"
                  "b0:\n  jmp b1\n"
                  "b1:\n  r7 = load.4 acq g0 @1:2:3\n  r8 = eq.32 r7, 0\n  br r8, b1, b2\n"
                  "b2:\n  ret r7\n}\n",
                  "porf-ir 1\nfile 1 \"a.c\"\nglobal 0 \"x\" size 4 align 4 type 0 = zero\n"
                  "func 0 \"wait\" params 0 regs 4 {\n"
                  "b0:\n  r1 = mov.64 0\n  r0 = mov.64 -1\n  jmp b1\n"
                  "b1:\n  spin () shadow r0 detect @1:2:3\n  r2 = load.4 acq g0 in_spin @1:2:3\n"
                  "  r3 = eq.32 r2, 0\n  br r3, b1, b2\n"
                  "b2:\n  ret r2\n}\n");
}

/* A counter that nobody reads must not hide that the loop waits. */
static void test_idle_counter (void) {
  Program *p = prepared (
      "porf-ir 1\nglobal 0 \"x\" size 4\nfunc 0 \"f\" params 0 regs 3 {\nb0:\n  jmp b1\nb1:\n"
      "  r0 = add.32 r0, 1\n  r1 = load.4 rlx g0\n  br r1, b2, b1\nb2:\n  ret\n}\n",
      true);
  const Insn *spin = find_op (&p->functions.data[0], OP_SPIN);
  CHECK (spin && spin->nargs == 0 && (spin->flags & INSN_SPIN));
  CHECK (!count_op (&p->functions.data[0], OP_ADD));
  program_free (p);
}

/* A loop with a counter that is read never repeats a state: it only counts visits. */
static void test_counting_loop (void) {
  static const char text[] =
      "porf-ir 1\nglobal 0 \"x\" size 4\nfunc 0 \"f\" params 1 regs 5 {\nb0:\n  r1 = mov.64 0\n  "
      "jmp b1\nb1:\n"
      "  r2 = slt.32 r1, r0\n  br r2, b2, b3\nb2:\n  r3 = load.4 rlx g0\n  store.4 rlx g0, r3\n"
      "  r4 = add.32 r1, 1\n  r1 = mov.64 r4\n  jmp b1\nb3:\n  ret\n}\n";
  Program *p = prepared (text, true);
  const Insn *spin = find_op (&p->functions.data[0], OP_SPIN);
  CHECK (spin && spin->nargs == 0 && !(spin->flags & INSN_SPIN));
  CHECK (!(find_op (&p->functions.data[0], OP_LOAD)->flags & INSN_IN_SPIN));
  /* r1 and r4 share a register, so the copy back is gone. */
  CHECK (count_op (&p->functions.data[0], OP_MOV) == 2);
  CHECK (p->functions.data[0].regs == 5);
  program_free (p);
}

static void test_without_detection (void) {
  Program *p = prepared ("porf-ir 1\nglobal 0 \"x\" size 4\nfunc 0 \"f\" params 0 regs 1 {\nb0:\n"
                         "  r0 = load.4 rlx g0\n  br r0, b1, b0\nb1:\n  ret\n}\n",
                         false);
  const Function *f = &p->functions.data[0];
  const Insn *spin = find_op (f, OP_SPIN);
  CHECK (spin && !(spin->flags & INSN_SPIN) && spin->nargs == 0);
  CHECK (!(find_op (f, OP_LOAD)->flags & INSN_IN_SPIN));
  CHECK (f->blocks.size == 3); /* the entry was a loop head: it got a block before it */
  u32 size = f->code.size;
  ir_prepare (p, (IrOptions){.find_spin_loops = true});
  CHECK (f->code.size == size);
  program_free (p);
}

static void test_nested_loops (void) {
  Program *p = prepared ("porf-ir 1\nglobal 0 \"x\" size 4\nfunc 0 \"f\" params 1 regs 9 {\n"
                         "b0:\n  r1 = mov.64 0\n  r5 = mov.64 7\n  jmp b1\n"
                         "b1:\n  r2 = load.4 rlx g0\n  br r2, b2, b4\n"
                         "b2:\n  r3 = load.4 rlx g0+0\n  r1 = xor.32 r1, r3\n  br r3, b2, b3\n"
                         "b3:\n  jmp b1\n"
                         "b4:\n  r1 = add.32 r1, r5\n  ret r1\n}\n",
                         true);
  const Function *f = &p->functions.data[0];
  CHECK (count_op (f, OP_SPIN) == 2);
  /* Both compare r1 alone: r5 is live too, but no loop writes it. */
  for (u32 k = 0; k < f->code.size; k++)
    if (f->code.data[k].op == OP_SPIN) CHECK (f->code.data[k].nargs == 1);
  CHECK (f->blocks.size == 6); /* the edge b1 -> b2 is split */
  program_free (p);
}

static void test_dead_code (void) {
  check_prepared ("porf-ir 1\nfunc 0 \"f\" params 2 regs 900 {\n"
                  "b0:\n  r500 = mov.64 r1\n  r600 = add.32 r500, 1\n  r700 = mul.32 r600, 3\n"
                  "  r3 = call f1()\n  ret r500\nb1:\n  jmp b1\n}\n"
                  "func 1 \"g\" params 0 regs 0 {\nb0:\n  builtin abort()\n  unreachable\n}\n",
                  "porf-ir 1\nfunc 0 \"f\" params 2 regs 2 {\nb0:\n  call f1()\n  ret r1\n}\n"
                  "func 1 \"g\" params 0 regs 0 {\nb0:\n  builtin abort()\n}\n");
}

/* r5 is read before it is written: it must keep the zero of a fresh frame, away from the
 * parameters. */
static void test_read_before_write (void) {
  check_prepared ("porf-ir 1\nfunc 0 \"f\" params 1 regs 9 {\n"
                  "b0:\n  r7 = add.64 r5, 1\n  r8 = mul.64 r7, 3\n  ret r8\n}\n",
                  "porf-ir 1\nfunc 0 \"f\" params 1 regs 2 {\n"
                  "b0:\n  r0 = add.64 r1, 1\n  r0 = mul.64 r0, 3\n  ret r0\n}\n");
}

/* The bodies of a library are read at once, or as they are needed. */
static void test_link (bool at_once) {
  Program *p = parse_text (
      "porf-ir 1\nfile 1 \"p.c\"\nglobal 0 \"shared\" size 4 extern\nglobal 1 \".str\" size 1 "
      "local = 61\n"
      "func 0 \"main\" params 0 regs 1 {\nb0:\n  r0 = call f1(1, 2)\n  r0 = call f2()\n"
      "  call f3(g1)\n  ret r0\n}\n"
      "func 1 \"lib\" params 2 regs 2 declared\nfunc 2 \"missing\" params 0 regs 0 declared\n"
      "func 3 \"puts\" params 1 regs 1 declared\n"
      "func 4 \"soft\" params 0 regs 0 weak {\nb0:\n  ret 7\n}\n"
      "func 5 \"callback\" params 0 regs 0 {\nb0:\n  ret 8\n}\n");
  static const char library[] =
      "porf-ir 1\nfile 1 \"lib.c\"\nglobal 0 \"table\" size 16 align 8 = zero reloc 0 f1 reloc 8 "
      "g2+4\n"
      "global 1 \"shared\" size 4 = 05000000\nglobal 2 \".str\" size 8 local = 6162636465666768\n"
      "func 0 \"unused\" params 0 regs 0 {\nb0:\n  ret\n}\n"
      "func 1 \"callback\" params 0 regs 1 {\nb0:\n  r0 = load.4 na g1\n  ret r0\n}\n"
      "func 2 \"lib\" params 3 regs 4 @1:7:1 {\nb0:\n  r3 = load.8 na g0 @1:8:2\n  r3 = call r3()\n"
      "  r3 = call f3(r3, g2)\n  ret r3\n}\n"
      "func 3 \"helper\" params 2 regs 2 {\nb0:\n  unsupported \"something\"\n}\n"
      "func 4 \"puts\" params 0 regs 0 {\nb0:\n  ret 1\n}\n"
      "func 5 \"soft\" params 0 regs 0 {\nb0:\n  ret 9\n}\n";
  IrError error;
  Program *lib =
      at_once ? parse_text (library) : ir_parse_library (library, strlen (library), &error);
  CHECK (p && lib);
  if (!p || !lib) return;
  ir_link (p, lib);
  CHECK (is_sound (p));
  CHECK (program_find_function (p, "unused") < 0 && program_find_function (p, "helper") > 3);
  CHECK (p->functions.data[1].params == 3 && p->functions.data[1].blocks.size == 1);
  const Function *weak = &p->functions.data[4], *strong = &p->functions.data[5];
  CHECK (p->consts.data[operand_const_index (weak->args.data[0])].value == 9);
  CHECK (p->consts.data[operand_const_index (strong->args.data[0])].value == 8);
  CHECK (p->functions.data[2].code.data[0].op == OP_UNSUPPORTED);
  CHECK (strstr (p->strings.data[p->functions.data[2].code.data[0].b], "missing"));
  CHECK (p->functions.data[0].code.data[0].nargs == 3 &&
         p->functions.data[0].code.data[2].nargs == 0);
  CHECK (p->globals.size == 4 && p->globals.data[0].init && p->globals.data[0].init[0] == 5);
  const Position *at = &p->positions.data[p->functions.data[1].code.data[0].pos];
  CHECK (at->line == 8 && at->func == 1 && !strcmp (p->files.data[at->file], "lib.c"));
  program_free (lib);
  ir_prepare (p, (IrOptions){.find_spin_loops = true});
  CHECK (is_sound (p));
  program_free (p);
}

/* Two files of one program: static names stay apart, externs meet their definitions, weak ones give
 * way, types come along, and two definitions are refused. */
static void test_join (void) {
  Program *p =
      parse_text ("porf-ir 1\nfile 1 \"a.c\"\ntype 1 scalar \"int\" 4 signed\n"
                  "global 0 \"n\" size 4 type 1 extern\nglobal 1 \"own\" size 4 local = 01000000\n"
                  "func 0 \"main\" params 0 regs 1 {\nb0:\n  r0 = load.4 na g0\n  r0 = call "
                  "f1(r0)\n  ret r0\n}\n"
                  "func 1 \"get\" params 1 regs 1 declared\n"
                  "func 2 \"help\" params 0 regs 0 local {\nb0:\n  ret 1\n}\n"
                  "func 3 \"soft\" params 0 regs 0 weak {\nb0:\n  ret 1\n}\n");
  Program *q = parse_text (
      "porf-ir 1\nfile 1 \"b.c\"\ntype 1 scalar \"long\" 8 signed\ntype 2 array \"\" 16 of 1\n"
      "global 0 \"own\" size 4 local = 02000000\nglobal 1 \"n\" size 4 = 07000000\n"
      "global 2 \"list\" size 16 type 2 = zero reloc 0 g0 reloc 8 f1\n"
      "func 0 \"get\" params 1 regs 2 @1:3:1 {\nb0:\n  r1 = call f1()\n  ret r1\n}\n"
      "func 1 \"help\" params 0 regs 0 local {\nb0:\n  ret 2\n}\n"
      "func 2 \"soft\" params 0 regs 0 {\nb0:\n  ret 2\n}\n");
  Str clash = {0};
  CHECK (p && q && ir_join (p, q, &clash) && is_sound (p));
  const Function *get = &p->functions.data[1];
  CHECK (get->blocks.size == 1 && get->code.data[0].b == 4);
  CHECK (!strcmp (p->functions.data[4].name, "help") && p->functions.size == 5);
  CHECK (p->consts.data[operand_const_index (p->functions.data[3].args.data[0])].value == 2);
  CHECK (!p->globals.data[0].is_extern && p->globals.data[0].init[0] == 7);
  CHECK (p->globals.size == 4 && !strcmp (p->globals.data[2].name, "own@2"));
  CHECK (p->globals.data[3].relocs.data[0].target.index == 2 &&
         p->globals.data[3].relocs.data[1].target.index == 4);
  Str name = {0};
  program_name_bytes (p, &p->globals.data[3], 8, &name);
  CHECK (!strcmp (name.text, "list[1]"));
  CHECK (!ir_join (p, q, &clash) && !strcmp (clash.text, "n"));
  str_free (&name);
  str_free (&clash);
  program_free (q);
  program_free (p);
}

int main (void) {
  test_join ();
  test_round_trip ();
  test_liberal_text ();
  test_constants_are_shared ();
  test_names ();
  test_errors ();
  test_check_failures ();
  test_spin_loop ();
  test_idle_counter ();
  test_counting_loop ();
  test_without_detection ();
  test_nested_loops ();
  test_dead_code ();
  test_read_before_write ();
  test_link (true);
  test_link (false);
  return test_summary ();
}
