/* A client of libporf: checks the files of its command line under every model that it is given, and
 * shows progress and findings as they come.
 *
 *   cc check.c $(pkg-config --cflags --libs porf) -o check
 *   ./check sc,rc11 ../mp.c
 */
#include <porf.h>
#include <stdio.h>
#include <string.h>

static void on_finding (void *arg, const porf_finding *f) {
  unsigned *count = arg;
  printf ("  %s:%u:%u: %s: %s (%s)\n", porf_finding_file (f), porf_finding_line (f),
          porf_finding_column (f), porf_finding_kind (f), porf_finding_message (f),
          porf_finding_thread (f));
  ++*count;
}

static int on_progress (void *arg, uint64_t executions, double seconds) {
  (void)arg;
  fprintf (stderr, "  %llu executions after %.1f s\n", (unsigned long long)executions, seconds);
  return seconds > 60; /* long enough */
}

static const char *verdict_text (porf_verdict v) {
  return v == PORF_PASS        ? "pass"
         : v == PORF_VIOLATION ? "violation"
         : v == PORF_ERROR     ? "error"
                               : "incomplete";
}

static porf_verdict check (const char *model, int n, char **files) {
  unsigned findings = 0;
  porf *p = porf_new ();
  int failed = porf_set (p, "model", model);
  for (int i = 0; i < n && !failed; i++) failed = porf_add_file (p, files[i]);
  porf_on_finding (p, on_finding, &findings);
  porf_on_progress (p, on_progress, NULL);
  porf_verdict v = failed ? PORF_ERROR : porf_run (p);
  printf ("%s: %s, %u findings, %llu executions\n", model, verdict_text (v), findings,
          (unsigned long long)porf_count (p, "executions"));
  if (v == PORF_ERROR) fprintf (stderr, "%s\n", porf_error (p));
  porf_free (p);
  return v;
}

int main (int argc, char **argv) {
  if (argc < 3) {
    fprintf (stderr, "usage: check MODEL,... FILE...\n");
    return 2;
  }
  if (porf_abi_version () < PORF_ABI_VERSION) {
    fprintf (stderr, "libporf %s is older than this program\n", porf_version ());
    return 2;
  }
  porf_verdict worst = PORF_PASS;
  for (char *model = strtok (argv[1], ","); model; model = strtok (NULL, ",")) {
    porf_verdict v = check (model, argc - 2, argv + 2);
    if (v != PORF_PASS) worst = v;
  }
  return (int)worst;
}
