#include "session/machine.h"

#include <stdlib.h>

#include "session/check.h"
#include "session/scope.h"

/* Sets of threads by number, as in 0,3,4/1/2. */
static void read_partition (const char *text, MachineOptions *o) {
  u64 all = 0;
  o->partition_size = 1;
  for (const char *at = text; *at;) {
    char *end;
    unsigned long t = strtoul (at, &end, 10);
    bool is_number = end != at && *at >= '0' && *at <= '9';
    if (!is_number || t >= MACHINE_THREADS || (all >> t & 1) || !strchr (",/", *end) ||
        (*end && !end[1]))
      die_input ("option `--partition` needs sets of threads by number, as in 0,3,4/1/2, not `%s`",
                 text);
    all |= 1ull << t;
    o->partition[o->partition_size - 1] |= 1ull << t;
    o->partition_size += *end == '/';
    at = end + (*end != 0);
  }
  if (!all) die_input ("option `--partition` needs at least one thread");
}

void args_refuse_wrong (const Args *a) {
  if (a->mca + a->non_mca + (a->share || a->partition) > 1)
    die_input ("only one of `--mca`, `--non-mca` and `--share` or `--partition` can be given");
  if (a->dump & ~(u32)DUMP_IR)
    die_input ("the engine `machine` does not support `--dump effects, --dump graph`");
  MachineOptions unused = {0};
  if (a->partition) read_partition (a->partition, &unused);
}

static void on_warning (void *check, const char *text) {
  (void)check;
  tell_user ("%s", text);
}

static Sharing sharing_of (const Args *a) {
  return a->mca         ? SHARING_ALL
         : a->share     ? SHARING_LOCAL
         : a->partition ? SHARING_GIVEN
                        : SHARING_NONE;
}

const char *check_name_of_model (const Check *c) {
  return args_wants_machine (c->args) ? machine_name (sharing_of (c->args)) : c->model->name;
}

MachineOptions check_machine_options (Check *c) {
  const Args *a = c->args;
  MachineOptions o = machine_default_options ();
  ExploreOptions explore = check_explore_options (c);
  o.sharing = sharing_of (a);
  if (a->partition) read_partition (a->partition, &o);
  o.keep_going = explore.keep_going;
  o.liveness = explore.liveness;
  o.coherent = a->coherent;
  o.window = a->window;
  o.breadth_first = a->breadth_first;
  o.jobs = explore.jobs;
  o.share_at_once = explore.share_at_once;
  o.bit_state = a->bit_state << 20;
  o.lazy = args_reduce (a, REDUCTION_lazy);
  o.eager = args_reduce (a, REDUCTION_eager);
  o.dead = args_reduce (a, REDUCTION_dead);
  o.own = args_reduce (a, REDUCTION_own);
  o.symmetry = args_reduce (a, REDUCTION_symmetry);
  o.check_text = a->check_invariants;
  o.tell_sets = a->stats;
  o.timeout = a->timeout;
  o.deadline = c->deadline;
  o.memory = a->memory << 20;
  o.vm = explore.vm;
  o.vm.share_everything = false;
  o.stop = explore.stop;
  o.arg = c;
  o.on_warning = on_warning;
  return o;
}
