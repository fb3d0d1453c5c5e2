/* fuzz_resume.c - a checkpoint that somebody has forged: places of it that the input names are
 * changed, its length and checksum are made right again, and porf goes on from it. It is refused,
 * or searched to an end of some kind; memory stays whole.
 *
 * The first byte of the input chooses a program and a model.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "parallel/checkpoint.h"
#include "explore/run/run.h"
#include "explore/search/search.h"
#include "parallel/parallel.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Who is refused half way frees nothing. */
int __lsan_is_turned_off (void);
int __lsan_is_turned_off (void) { return 1; }

static const char *const texts[] = {
    "porf-ir 1\n"
    "global 0 \"x\" size 4 align 4 type 0 = zero\n"
    "global 1 \"y\" size 4 align 4 type 0 = zero\n"
    "func 0 \"main\" params 0 regs 4 {\nb0:\n  r0 = builtin thread_create(f1, 0)\n"
    "  r1 = builtin thread_create(f2, 0)\n  r2 = builtin thread_create(f2, 0)\n"
    "  r3 = builtin thread_join(r0)\n  ret 0\n}\n"
    "func 1 \"a\" params 1 regs 3 {\nb0:\n  store.4 rlx g1, 1\n  r1 = rmw.4.add rlx g0, 1\n"
    "  r2 = load.4 rlx g1\n  ret 0\n}\n"
    "func 2 \"b\" params 1 regs 3 {\nb0:\n  r1 = load.4 acq g0\n  store.4 rel g1, r1\n"
    "  r2 = rmw.4.add rlx g0, 1\n  ret 0\n}\n",
    "porf-ir 1\n"
    "global 0 \"x\" size 4 align 4 type 0 = zero\n"
    "global 1 \"y\" size 8 align 8 type 0 = zero\n"
    "func 0 \"main\" params 0 regs 6 {\nb0:\n  r4 = builtin malloc(8)\n  store.8 rlx g1, r4\n"
    "  store.4 rlx r4, 5\n  r0 = builtin thread_create(f1, 0)\n"
    "  r1 = builtin thread_create(f1, 0)\n  r5 = load.8 rlx g1\n  r2 = builtin thread_join(r0)\n"
    "  r3 = builtin thread_join(r1)\n  ret 0\n}\n"
    "func 1 \"a\" params 1 regs 4 {\nb0:\n  r1 = load.8 rlx g1\n  r2 = rmw.4.add sc r1, 1\n"
    "  fence sc\n  store.4 rlx g0, r2\n  r3 = load.4 rlx g0\n  ret 0\n}\n",
};
static const char *const models[] = {"rc11", "tso", "armv8", "sc", "power", "ra"};

enum { PROGRAMS = ARRAY_SIZE (texts), MODELS = ARRAY_SIZE (models), CASES = PROGRAMS * MODELS };

typedef struct Forgery {
  Program *program;
  ExploreOptions options;
  Bytes head, body; /* of the body, what says what it is for is in the head */
  u32 seen;
  volatile int stop;
} Forgery;
static Forgery forgeries[CASES];

static void on_execution (void *arg, const Execution *e) {
  Forgery *c = arg;
  (void)e;
  if (++c->seen == 12) c->stop = 1;
}

static void take_apart (Forgery *c, const char *file, size_t size) {
  ByteReader reader = {(const u8 *)file, (const u8 *)file + size, false};
  const u8 *start = reader.at;
  bytes_get_raw (&reader, strlen ("porf checkpoint\n"));
  bytes_get (&reader);
  bytes_put_raw (&c->head, start, (size_t)(reader.at - start));
  ByteReader body = bytes_get_bytes (&reader);
  BUG_IF (body.is_bad || body.at == body.end);
  bytes_put_raw (&c->body, body.at, (size_t)(body.end - body.at));
}

static void prepare (Forgery *c, u32 i) {
  char name[] = "/tmp/fuzz-resume-XXXXXX";
  IrError error;
  const char *text = texts[i % PROGRAMS];
  close (mkstemp (name));
  c->program = ir_parse (text, strlen (text), &error);
  if (!c->program) fprintf (stderr, "%u:%u: %s\n", error.line, error.column, error.message);
  BUG_IF (!c->program);
  ir_prepare (c->program, (IrOptions){.find_spin_loops = true});
  c->options = explore_default_options (model_find (models[i / PROGRAMS]));
  ExploreOptions first = c->options;
  first.stop = &c->stop;
  first.on_execution = on_execution;
  first.arg = c;
  first.share_at_once = true;
  first.checkpoint = name;
  first.save_every = 1000;
  Result r = explore_program (c->program, &first);
  result_free (&r);
  size_t size;
  char *file = file_read (name, &size);
  BUG_IF (!file);
  if (size) take_apart (c, file, size);
  mem_free (file);
  unlink (name);
}

/* Where what it is for ends: that decides whether it is read at all, and is left as it is. */
static size_t start_of_content (const Forgery *c) {
  ByteReader r = {c->body.data, c->body.data + c->body.size, false};
  for (u32 i = 0; i < 4; i++) mem_free (bytes_get_text (&r));
  return (size_t)(r.at - c->body.data);
}

static int forge (const Forgery *c, const u8 *data, size_t size) {
  Bytes body = {0}, all = {0};
  Str digest = {0};
  size_t start = start_of_content (c);
  bytes_put_raw (&body, c->body.data, c->body.size);
  for (size_t i = 0; i + 2 < size; i += 3)
    body.data[start + (size_t)(data[i] << 8 | data[i + 1]) % (body.size - start)] = data[i + 2];
  bytes_put_raw (&all, c->head.data, c->head.size);
  bytes_put_bytes (&all, &body);
  sha256 (all.data, all.size, &digest);
  bytes_put_raw (&all, digest.text, digest.length);
  int memory = memfd_create ("forged", 0);
  BUG_IF (memory < 0 || write (memory, all.data, all.size) != (ssize_t)all.size);
  str_free (&digest);
  vec_free (&all);
  vec_free (&body);
  return memory;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  if (!size) return 0;
  Forgery *c = &forgeries[data[0] % CASES];
  if (!c->program) prepare (c, data[0] % CASES);
  if (!c->body.size) return 0;
  int memory = forge (c, data + 1, size - 1);
  char name[40];
  DieTrap trap;
  snprintf (name, sizeof name, "/dev/fd/%d", memory);
  ExploreOptions o = c->options;
  o.resume = name;
  o.timeout = 0.5;
  o.max_executions = 0;
  o.jobs = 1;
  o.memory = 1 << 28;
  die_set_trap (&trap);
  if (!setjmp (trap.jump)) {
    Result r = explore_program (c->program, &o);
    result_free (&r);
  } else if (trap.code == EXIT_BUG && getenv ("FUZZ_BUGS")) {
    fputs (trap.message, stderr);
    abort ();
  }
  die_set_trap (NULL);
  close (memory);
  return 0;
}
