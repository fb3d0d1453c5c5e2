/* A client of libporf with a memory model of its own: TSO, but stores to different locations may
 * also become visible in another order, and a release store waits for those before it. It is given
 * as a text in herd's cat language, and compared with a model that is built in.
 *
 *   cc own_model.c $(pkg-config --cflags --libs porf) -o own_model
 *   ./own_model ../mp.c
 */
#include <porf.h>
#include <stdio.h>

static const char model[] =
    "\"Store buffers that drain in any order\"\n"
    "include \"cos.cat\"\n"
    "(* One location after another: what every machine keeps. *)\n"
    "acyclic po-loc | rf | co | fr as coherence\n"
    "empty rmw & (fre; coe) as atomicity\n"
    "(* What a thread does in order: loads stay before everything, stores before release stores. "
    "*)\n"
    "let keeps = [R]; po; [M] | [M]; po; [REL | ACQ_REL | SC] | po; [F & SC]; po\n"
    "            | [RMW]; po; [M] | [M]; po; [RMW] | (po \\ (po & int))\n"
    "acyclic keeps | rfe | co | fr as buffers\n"
    "acyclic po | rf as no-thin-air\n";

static porf_verdict check (porf *p, const char *name) {
  porf_verdict v = porf_run (p);
  if (v == PORF_ERROR)
    fprintf (stderr, "%s\n", porf_error (p));
  else
    printf ("%s: %s, %llu executions\n%s", name, v == PORF_PASS ? "pass" : "not pass",
            (unsigned long long)porf_count (p, "executions"), porf_report (p));
  return v;
}

int main (int argc, char **argv) {
  porf *p = porf_new ();
  for (int i = 1; i < argc; i++)
    if (porf_add_file (p, argv[i])) fprintf (stderr, "%s\n", porf_error (p));
  porf_set (p, "model", "tso");
  porf_verdict tso = check (p, "tso");
  if (porf_set_model_text (p, "buffers.cat", model)) {
    fprintf (stderr, "%s\n", porf_error (p));
    return 2;
  }
  porf_verdict own = check (p, "buffers.cat");
  porf_free (p);
  return own == PORF_ERROR || tso == PORF_ERROR ? 2 : (int)own;
}
