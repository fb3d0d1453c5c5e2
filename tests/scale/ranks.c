/* ranks.c - porf-ranks: `porf check` with PORF_RANKS ranks that are threads of one process, and
 * that share what there is to do as early as they can. For the tests: they start at once, and a
 * debugger, valgrind or a sanitizer sees all of them. */
#include <pthread.h>
#include <stdlib.h>

#include "cluster/cluster.h"
#include "cli/commands.h"
#include "scale/boxes.h"

typedef struct Rank {
  int argc, code;
  char **argv;
  Cluster *cluster;
  pthread_t thread;
} Rank;

static void *run (void *arg) {
  Rank *r = arg;
  Args args;
  Str error = {0};
  if (r->cluster->rank && !cluster_waits_for_hello (r->cluster)) return NULL;
  if (!args_parse (&args, r->argc, r->argv, &error)) die_input ("%s", error.text);
  if (args.command == COMMAND_check) args.cluster = r->cluster;
  args.quiet |= r->cluster->rank > 0;
  r->code = command_run (&args);
  args_free (&args);
  if (!r->cluster->rank) cluster_say_bye (r->cluster);
  return NULL;
}

int main (int argc, char **argv) {
  const char *wanted = getenv ("PORF_RANKS");
  u32 ranks = wanted ? (u32)atoi (wanted) : 2;
  Boxes *boxes = boxes_new (ranks);
  Rank *all = mem_zalloc (ranks * sizeof *all);
  for (u32 i = 0; i < ranks; i++) {
    all[i] = (Rank){.argc = argc, .argv = argv, .cluster = boxes_cluster (boxes, i)};
    all[i].cluster->is_eager = true;
    if (i && pthread_create (&all[i].thread, NULL, run, &all[i])) die_input ("no thread");
  }
  run (&all[0]);
  for (u32 i = 1; i < ranks; i++) pthread_join (all[i].thread, NULL);
  int code = all[0].code;
  mem_free (all);
  boxes_free (boxes);
  return code;
}
