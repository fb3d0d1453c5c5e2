/* fuzz_checkpoint.c - a checkpoint of a small program, damaged in places that the input names: it
 * is refused, or what is accepted can be walked, and written and read again.
 *
 * The checksum is left out: it would refuse everything.
 */
#include <stdlib.h>
#include <unistd.h>

#include "parallel/checkpoint.h"
#include "explore/run/run.h"
#include "explore/search/search.h"
#include "parallel/parallel.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static const char text[] =
    "porf-ir 1\n"
    "global 0 \"x\" size 4 align 4 type 0 = zero\n"
    "global 1 \"y\" size 4 align 4 type 0 = zero\n"
    "func 0 \"main\" params 0 regs 4 {\nb0:\n  r0 = builtin thread_create(f1, 0)\n"
    "  r1 = builtin thread_create(f2, 0)\n  r2 = builtin thread_create(f2, 0)\n"
    "  r3 = builtin thread_join(r0)\n  ret 0\n}\n"
    "func 1 \"a\" params 1 regs 3 {\nb0:\n  store.4 rlx g1, 1\n  r1 = rmw.4.add rlx g0, 1\n"
    "  r2 = load.4 rlx g1\n  ret 0\n}\n"
    "func 2 \"b\" params 1 regs 3 {\nb0:\n  r1 = load.4 acq g0\n  store.4 rel g1, r1\n"
    "  r2 = rmw.4.add rlx g0, 1\n  ret 0\n}\n";

static Program *program;
static ExploreOptions options;
static Bytes whole; /* the body of a checkpoint */

static void on_execution (void *arg, const Execution *e) {
  u32 *seen = arg;
  (void)e;
  if (++*seen == 20) *(volatile int *)options.stop = 1;
}

static void prepare (void) {
  static volatile int stop;
  char name[] = "/tmp/fuzz-checkpoint-XXXXXX";
  IrError error;
  u32 seen = 0;
  close (mkstemp (name));
  program = ir_parse (text, sizeof text - 1, &error);
  BUG_IF (!program);
  ir_prepare (program, (IrOptions){.find_spin_loops = true});
  options = explore_default_options (model_find ("armv8"));
  options.stop = &stop;
  options.on_execution = on_execution;
  options.arg = &seen;
  options.share_at_once = true;
  options.checkpoint = name;
  options.save_every = 1000;
  Result r = explore_program (program, &options);
  result_free (&r);
  size_t size;
  char *file = file_read (name, &size);
  BUG_IF (!file);
  ByteReader reader = {(u8 *)file, (u8 *)file + size, false};
  bytes_get_raw (&reader, strlen ("porf checkpoint\n"));
  bytes_get (&reader);
  ByteReader body = bytes_get_bytes (&reader);
  for (u32 i = 0; i < 4; i++) mem_free (bytes_get_text (&body));
  BUG_IF (body.is_bad || body.at == body.end);
  bytes_put_raw (&whole, body.at, (size_t)(body.end - body.at));
  mem_free (file);
  unlink (name);
}

static void walk (Explorer *x, const Parcel *p) {
  Task t = {0};
  ByteReader r = {p->bytes.data, p->bytes.data + p->bytes.size, false};
  BUG_IF (!task_read (x, &r, &t));
  Str why = {0};
  graph_check (t.graph, &why);
  str_free (&why);
  task_done (&t);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  if (!program) prepare ();
  Bytes damaged = {0};
  bytes_put_raw (&damaged, whole.data, whole.size);
  for (size_t i = 0; i + 2 < size; i += 3)
    damaged.data[(data[i] << 8 | data[i + 1]) % damaged.size] ^= data[i + 2];
  if (size % 3 == 1) damaged.size = damaged.size * data[size - 1] / 256;
  Explorer x;
  explorer_init (&x, program, &options, &run_hooks);
  ByteReader r = {damaged.data, damaged.data + damaged.size, false};
  bool is_good = checkpoint_read (&x, &r);
  BUG_IF (!size && !is_good);
  for (const Parcel *p = is_good && x.worker.frontier ? x.worker.frontier->first : NULL; p;
       p = p->next)
    walk (&x, p);
  checkpoint_free_frontier (&x);
  result_free (&x.result);
  explorer_free (&x);
  vec_free (&damaged);
  return 0;
}
