/* ask.c - the oracle on the command line: how many executions does a little program have, how many
 * of them with a cycle of po and rf, and what do they look like? */
#include "oracle/gen.h"
#include "oracle/oracle.h"
#include "oracle/xmm.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: oracle -m MODEL [--print] [--only-reads] [--limit N] PROGRAM ...\n"
    "prints executions, those of them with cycles of po and rf, and blocked ones\n";

typedef struct Answer {
  bool print;
  unsigned complete, cyclic, blocked;
} Answer;

static bool answer_visit (void *arg, const Cand *g) {
  Answer *a = arg;
  bool is_cyclic = cand_is_cyclic (g);
  if (cand_is_blocked (g)) {
    if (!cand_stuck (g, true)) return true;
    a->blocked++;
  } else {
    a->complete++;
    a->cyclic += is_cyclic;
  }
  if (a->print) {
    char text[2048];
    cand_canon (g, true, 0, text, sizeof text);
    printf ("%s %s\n", is_cyclic ? "cyclic " : "acyclic", text);
  }
  return true;
}

int main (int argc, char **argv) {
  (void)argc;
  const Model *m = NULL;
  Answer shown = {0};
  OracleOptions options = {.limit = 1000000};
  while (*++argv && argv[0][0] == '-') {
    if (!strcmp (*argv, "--print"))
      shown.print = true;
    else if (!strcmp (*argv, "--only-reads"))
      options.only_reads = true;
    else if (!strcmp (*argv, "--limit") && argv[1])
      options.limit = strtoull (*++argv, NULL, 10);
    else if (!strcmp (*argv, "-m") && argv[1])
      m = oracle_find_model (*++argv);
    else
      break;
  }
  if (!m || !*argv || argv[0][0] == '-') {
    fputs (usage, stderr);
    return 2;
  }
  for (; *argv; argv++) {
    Prog p;
    const char *where;
    if (!prog_parse (&p, *argv, &where)) {
      fprintf (stderr, "oracle: cannot read the program at: %s\n", where);
      return 2;
    }
    Answer a = shown;
    if (oracle_each (&p, m, options, answer_visit, &a))
      printf ("%u %u %u\n", a.complete, a.cyclic, a.blocked);
    else
      printf ("too big\n");
  }
  return 0;
}
