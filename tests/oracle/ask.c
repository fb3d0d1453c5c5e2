/* ask.c - the oracle on the command line: how many executions does a little program have, how many
 * of them with a cycle of po and rf, and what do they look like? */
#include "oracle/gen.h"
#include "oracle/oracle.h"
#include "oracle/transform.h"
#include "oracle/xmm.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: oracle -m MODEL [options] PROGRAM ...\n"
    "  prints executions, those of them with a cycle of po and rf, and blocked ones\n"
    "  --print          the graphs, too\n"
    "  --only-reads     xmm: commit sets that are made from reads\n"
    "  --limit N        give up after so many candidates\n"
    "usage: oracle -m xmm --reads -n COUNT [-s SEED]\n"
    "  are commit sets that are made from reads enough, and are there cycles only where there are "
    "LB\n"
    "  races? On random programs\n"
    "usage: oracle -m MODEL --within OTHER -n COUNT [-s SEED]\n"
    "  are the executions of random programs under MODEL all there under OTHER?\n"
    "usage: oracle -m MODEL --transform KIND [--plain] -n COUNT [-s SEED]\n"
    "  has a random program that was changed new outcomes? KIND is reorder, load-load, "
    "store-load,\n"
    "  store-store, sequential or sequential-any; --plain: only programs of relaxed loads and "
    "stores\n";

typedef struct Options {
  const Model *model, *within;
  OracleOptions oracle;
  bool print, reads, plain;
  int transform; /* TransformKind, or -1 */
  uint64_t count, seed;
} Options;

static void die_usage (void) {
  fputs (usage, stderr);
  exit (2);
}

typedef struct Hashes {
  uint64_t *data;
  size_t size, capacity;
} Hashes;

typedef struct Answer {
  bool print;
  Hashes *graphs; /* all of them, if not NULL */
  unsigned complete, cyclic, blocked;
  bool has_lb_race; /* without a cycle */
  uint64_t hash;    /* of the set of graphs */
} Answer;

static void hashes_add (Hashes *h, uint64_t hash) {
  if (h->size == h->capacity) {
    h->capacity = h->capacity ? 2 * h->capacity : 64;
    h->data = realloc (h->data, h->capacity * sizeof *h->data);
    if (!h->data) abort ();
  }
  h->data[h->size++] = hash;
}

static bool hashes_have (const Hashes *h, uint64_t hash) {
  for (size_t i = 0; i < h->size; i++)
    if (h->data[i] == hash) return true;
  return false;
}

static bool answer_visit (void *arg, const Cand *g) {
  Answer *a = arg;
  bool is_cyclic = cand_is_cyclic (g);
  char text[2048];
  size_t n = cand_canon (g, true, 0, text, sizeof text);
  uint64_t hash = 1469598103934665603ull;
  for (size_t i = 0; i < n; i++) hash = (hash ^ (unsigned char)text[i]) * 1099511628211ull;
  a->hash += hash * hash;
  if (a->graphs) hashes_add (a->graphs, hash);
  a->has_lb_race |= !is_cyclic && cand_has_lb_race (g);
  if (cand_is_blocked (g) && !cand_stuck (g, true)) return true;
  a->blocked += cand_is_blocked (g);
  a->complete += !cand_is_blocked (g);
  a->cyclic += is_cyclic && !cand_is_blocked (g);
  if (a->print) printf ("%s %s\n", is_cyclic ? "cyclic " : "acyclic", text);
  return true;
}

static void answer_program (const Options *o, const char *text) {
  Prog p;
  const char *where;
  if (!prog_parse (&p, text, &where)) {
    fprintf (stderr, "oracle: cannot read the program at: %s\n", where);
    exit (2);
  }
  Answer a = {.print = o->print};
  if (oracle_each (&p, o->model, o->oracle, answer_visit, &a))
    printf ("%u %u %u\n", a.complete, a.cyclic, a.blocked);
  else
    printf ("too big\n");
}

static int compare_commit_sets (const Options *o) {
  unsigned compared = 0, cyclic = 0, different = 0, thin_air = 0;
  for (uint64_t k = 0; k < o->count; k++) {
    Prog p;
    gen_lb_program (&p, o->seed + k);
    OracleOptions some = o->oracle;
    some.only_reads = true;
    Answer all = {.print = false}, reads = {.print = false};
    if (!oracle_each (&p, o->model, o->oracle, answer_visit, &all)) continue;
    if (!oracle_each (&p, o->model, some, answer_visit, &reads)) continue;
    compared++;
    cyclic += all.cyclic > 0;
    if (all.cyclic && !all.has_lb_race) {
      thin_air++;
      printf ("cycles without an LB race: ");
      prog_print (&p, stdout);
    }
    if (all.hash == reads.hash) continue;
    different++;
    printf ("%u executions, %u by reads: ", all.complete + all.blocked,
            reads.complete + reads.blocked);
    prog_print (&p, stdout);
  }
  printf (
      "%u of %llu programs compared, %u with cycles, %u of them without LB races, %u different\n",
      compared, (unsigned long long)o->count, cyclic, thin_air, different);
  return different || thin_air;
}

static int compare_models (const Options *o) {
  unsigned compared = 0, cyclic = 0, broken = 0;
  Hashes some = {0}, all = {0};
  for (uint64_t k = 0; k < o->count; k++) {
    Prog p;
    gen_lb_program (&p, o->seed + k);
    some.size = all.size = 0;
    Answer a = {.graphs = &some}, b = {.graphs = &all};
    if (!oracle_each (&p, o->model, o->oracle, answer_visit, &a)) continue;
    if (!oracle_each (&p, o->within, o->oracle, answer_visit, &b)) continue;
    compared++;
    cyclic += a.cyclic > 0;
    unsigned missing = 0;
    for (size_t i = 0; i < some.size; i++) missing += !hashes_have (&all, some.data[i]);
    if (!missing) continue;
    broken++;
    printf ("%u executions under %s alone: ", missing, o->model->name);
    prog_print (&p, stdout);
  }
  free (some.data);
  free (all.data);
  printf ("%u of %llu programs compared, %u with cycles, %u with executions under %s alone\n",
          compared, (unsigned long long)o->count, cyclic, broken, o->model->name);
  return broken != 0;
}

/* Are there only relaxed loads and stores? */
static bool is_plain (const Prog *p) {
  if (prog_kinds (p) & ~(1u << ST_STORE | 1u << ST_LOAD | 1u << ST_IF)) return false;
  for (int t = 1; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++)
      if (p->thread[t].stmt[i].mode != MODE_RLX) return false;
  return true;
}

static int check_transforms (const Options *o) {
  unsigned changed = 0, compared = 0, broken = 0;
  for (uint64_t k = 0; changed < o->count && k < 100 * o->count; k++) {
    Prog p;
    Transform t;
    gen_lb_program (&p, o->seed + k);
    if (o->plain && !is_plain (&p)) continue;
    if (!transform_draw (&t, &p, (TransformKind)o->transform, o->seed + k)) continue;
    changed++;
    TransformResult r = transform_check (&t, o->model, o->oracle);
    compared += r != TRANSFORM_SKIPPED;
    if (r != TRANSFORM_NEW) continue;
    broken++;
    printf ("new outcomes after %s\n  ", transform_text[o->transform]);
    prog_print (&t.from, stdout);
    printf ("  ");
    prog_print (&t.to, stdout);
  }
  printf ("%u programs changed by %s, %u compared, %u with new outcomes\n", changed,
          transform_text[o->transform], compared, broken);
  return broken != 0;
}

static int find_transform (const char *name) {
  for (int k = 0; k < TRANSFORM_KINDS; k++)
    if (!strcmp (name, transform_text[k])) return k;
  die_usage ();
  return -1;
}

int main (int argc, char **argv) {
  (void)argc;
  Options o = {.oracle = {.limit = 1000000}, .seed = 1, .transform = -1};
  while (*++argv && argv[0][0] == '-') {
    if (!strcmp (*argv, "--print"))
      o.print = true;
    else if (!strcmp (*argv, "--only-reads"))
      o.oracle.only_reads = true;
    else if (!strcmp (*argv, "--reads"))
      o.reads = true;
    else if (!strcmp (*argv, "--plain"))
      o.plain = true;
    else if (!argv[1])
      die_usage ();
    else if (!strcmp (*argv, "--limit"))
      o.oracle.limit = strtoull (*++argv, NULL, 10);
    else if (!strcmp (*argv, "-n"))
      o.count = strtoull (*++argv, NULL, 10);
    else if (!strcmp (*argv, "-s"))
      o.seed = strtoull (*++argv, NULL, 10);
    else if (!strcmp (*argv, "--transform"))
      o.transform = find_transform (*++argv);
    else if (!strcmp (*argv, "--within"))
      o.within = oracle_find_model (*++argv);
    else if (!strcmp (*argv, "-m"))
      o.model = oracle_find_model (*++argv);
    else
      die_usage ();
  }
  bool is_random = o.reads || o.within || o.transform >= 0;
  if (!o.model || is_random == (*argv != NULL)) die_usage ();
  if (o.transform >= 0) return check_transforms (&o);
  if (o.within) return compare_models (&o);
  if (o.reads) return compare_commit_sets (&o);
  for (; *argv; argv++) answer_program (&o, *argv);
  return 0;
}
