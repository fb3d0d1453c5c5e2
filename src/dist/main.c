/* main.c - porf-mpi: `porf check` on several processes, which MPI starts and connects.
 *
 * Every rank reads the command line and the files; rank 0 first, so that what is wrong with them is
 * said once, and so that the others find in the cache what was compiled. Rank 0 alone catches
 * signals, reports, and looks for fixes. The protocol is src/cluster/ranks.c; here are only the
 * bytes. One thread at a time calls MPI, not always the same one.
 */
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cluster/cluster.h"
#include "cli/commands.h"

enum { TAG = 1 };

typedef struct Sending { /* a message on its way */
  Bytes bytes;
  MPI_Request request;
} Sending;

typedef struct Post {
  VEC (Sending) sendings;
  Cluster cluster;
  bool is_closed;
} Post;

static void forget_sent (Post *p) {
  u32 kept = 0;
  for (u32 i = 0; i < p->sendings.size; i++) {
    int is_done;
    MPI_Test (&p->sendings.data[i].request, &is_done, MPI_STATUS_IGNORE);
    if (is_done)
      vec_free (&p->sendings.data[i].bytes);
    else
      p->sendings.data[kept++] = p->sendings.data[i];
  }
  p->sendings.size = kept;
}

static void send (void *arg, u32 to, const u8 *data, size_t size) {
  Post *p = arg;
  Sending s = {0};
  forget_sent (p);
  bytes_put_raw (&s.bytes, data, size);
  MPI_Isend (s.bytes.data, (int)size, MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD, &s.request);
  vec_push (&p->sendings, s);
}

static bool receive (void *arg, u32 *from, Bytes *out) {
  MPI_Message message;
  MPI_Status status;
  int has_come, size;
  forget_sent (arg);
  MPI_Improbe (MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &has_come, &message, &status);
  if (!has_come) return false;
  MPI_Get_count (&status, MPI_BYTE, &size);
  out->size = 0;
  vec_reserve (out, (u32)size + 1);
  out->size = (u32)size;
  MPI_Mrecv (out->data, size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  *from = (u32)status.MPI_SOURCE;
  return true;
}

static void close_post (Post *p) {
  p->is_closed = true;
  if (!p->cluster.rank) cluster_say_bye (&p->cluster);
  while (p->sendings.size) forget_sent (p);
  vec_free (&p->sendings);
  MPI_Finalize ();
}

/* Some rank gives up early, after a message. */
static void on_early_exit (int code, void *arg) {
  Post *p = arg;
  if (p->is_closed) return;
  if (p->cluster.rank) MPI_Abort (MPI_COMM_WORLD, code);
  close_post (p);
}

/* Those that this process may use; what ranks of one machine are not bound to they divide. */
static u32 count_cores (void) {
  MPI_Comm machine;
  int ranks, cores, all = (int)sysconf (_SC_NPROCESSORS_ONLN);
  cpu_set_t mine;
  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_size (machine, &ranks);
  MPI_Comm_free (&machine);
  cores = sched_getaffinity (0, sizeof mine, &mine) ? all : CPU_COUNT (&mine);
  if (cores == all) cores = all / ranks;
  return cores > 1 ? (u32)cores : 1;
}

static int run (Args *a, Post *p, u32 cores) {
  if (a->command != COMMAND_check)
    die_input ("porf-mpi only supports `check`; use porf for `%s`", command_name (a->command));
  if (!a->jobs) a->jobs = cores;
  a->cluster = &p->cluster;
  if (p->cluster.rank) {
    a->quiet = true;
    signal (SIGINT, SIG_IGN);
    signal (SIGTERM, SIG_IGN);
    if (!freopen ("/dev/null", "w", stdout)) die_input ("cannot open /dev/null");
  }
  return command_run (a);
}

int main (int argc, char **argv) {
  Args args;
  Str error = {0};
  Post post = {0};
  int level, rank, ranks, code = 0;
  signals_reset ();
  MPI_Init_thread (&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  if (level < MPI_THREAD_SERIALIZED) die_input ("this MPI does not support threads");
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  u32 cores = count_cores ();
  post.cluster = (Cluster){
      .rank = (u32)rank, .ranks = (u32)ranks, .send = send, .receive = receive, .arg = &post};
  on_exit (on_early_exit, &post);
  if (!rank || cluster_waits_for_hello (&post.cluster)) {
    if (!args_parse (&args, argc, argv, &error)) die_input ("%s", error.text);
    code = run (&args, &post, cores);
    args_free (&args);
  }
  close_post (&post);
  return rank ? 0 : code;
}
