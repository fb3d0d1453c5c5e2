/* What a client of the installed library may do: every function of porf.h, and what goes wrong.
 * Arguments: a file that passes, one with a violation, one that takes long, one that is no C. */
#include <porf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (condition) {                                                                               \
      passed++;                                                                                    \
    } else {                                                                                       \
      failed++;                                                                                    \
      fprintf (stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                     \
    }                                                                                              \
  } while (0)

static const char *good, *bad, *slow, *broken;

static porf *with_file (const char *path) {
  porf *p = porf_new ();
  CHECK (p && !porf_add_file (p, path));
  return p;
}

static void test_pass (void) {
  porf *p = with_file (good);
  CHECK (porf_abi_version () >= PORF_ABI_VERSION && strlen (porf_version ()) >= 5);
  CHECK (!porf_set (p, "no-symmetry", NULL) && !porf_set (p, "unroll", "5"));
  CHECK (porf_run (p) == PORF_PASS);
  CHECK (porf_count (p, "executions") > 0 && porf_count (p, "no such counter") == 0);
  CHECK (porf_findings (p) == 0 && !porf_finding_at (p, 0) && porf_seconds (p) >= 0);
  CHECK (strstr (porf_report (p), "no violation") && !*porf_error (p));
  porf_free (p);
  porf_free (NULL);
}

static void count_finding (void *arg, const porf_finding *f) {
  ++*(int *)arg;
  CHECK (!strcmp (porf_finding_kind (f), "assert") &&
         strstr (porf_finding_message (f), "assertion"));
  CHECK (strstr (bad, porf_finding_file (f)) && porf_finding_line (f) && porf_finding_column (f));
  CHECK (!strcmp (porf_finding_thread (f), "main"));
}

static void test_violation (void) {
  int count = 0;
  porf *p = with_file (bad);
  porf_on_finding (p, count_finding, &count);
  CHECK (!porf_set (p, "format", "json"));
  for (int i = 1; i < 4; i++) {
    CHECK (porf_run (p) == PORF_VIOLATION && count == i && porf_findings (p) == 1);
    CHECK (porf_report (p)[0] == '{' && strstr (porf_report (p), "\"violation\""));
  }
  CHECK (!porf_add_file (p, good) && porf_run (p) == PORF_VIOLATION);
  CHECK (porf_report (p)[0] == '['); /* two programs */
  porf_free (p);
}

static void test_flags (void) {
  porf *p = with_file (good);
  CHECK (!porf_set (p, "engine", "machine") && porf_run (p) == PORF_PASS);
  CHECK (!porf_add_cflag (p, "-DFAIL") && porf_run (p) == PORF_VIOLATION);
  CHECK (!porf_set (p, "engine", "explore") && porf_run (p) == PORF_VIOLATION);
  porf_free (p);
}

/* The process goes on, and so does the same porf. */
static void test_errors (void) {
  porf *p = porf_new ();
  CHECK (porf_run (p) == PORF_ERROR && strstr (porf_error (p), "no file"));
  CHECK (porf_add_file (p, "/no/such.c") == -1 && strstr (porf_error (p), "/no/such.c"));
  CHECK (porf_set (p, "no-such-option", NULL) == -1 && strstr (porf_error (p), "no-such-option"));
  CHECK (porf_set (p, "unroll", "x") == -1 && strstr (porf_error (p), "whole number"));
  CHECK (!porf_add_file (p, good) && !*porf_error (p));
  CHECK (!porf_set (p, "model", "nonsense"));
  CHECK (porf_run (p) == PORF_ERROR && strstr (porf_error (p), "nonsense"));
  CHECK (!porf_set (p, "model", "sc") && porf_run (p) == PORF_PASS);
  CHECK (porf_set_model_text (p, "own.cat", "acyclic po |") == -1 && *porf_error (p));
  CHECK (porf_run (p) == PORF_PASS);
  CHECK (porf_set (p, "no-race", "x") == -1 && strstr (porf_error (p), "takes no value"));
  CHECK (!porf_set (p, "timeout", "0.0001") && porf_run (p) == PORF_INCOMPLETE);
  CHECK (strstr (porf_report (p), "while it was compiled"));
  CHECK (!porf_set (p, "save", "x.json") && porf_run (p) == PORF_ERROR);
  CHECK (strstr (porf_error (p), "`--save` is for the command line"));
  porf_free (p);
  p = with_file (broken);
  CHECK (porf_run (p) == PORF_ERROR && *porf_error (p));
  porf_free (p);
}

static void test_model (void) {
  porf *p = with_file (good);
  CHECK (!porf_set_model_text (p, "own.cat",
                               "\"own\"\nacyclic po | rf | co | fr\nempty rmw & (fre; coe)\n"));
  CHECK (porf_run (p) == PORF_PASS && strstr (porf_report (p), "own.cat"));
  CHECK (porf_run (p) == PORF_PASS);
  CHECK (!porf_set (p, "model", "tso") && porf_run (p) == PORF_PASS);
  CHECK (strstr (porf_report (p), "tso"));
  porf_free (p);
}

static int stop_now (void *arg, uint64_t executions, double seconds) {
  (void)executions, (void)seconds;
  return ++*(int *)arg >= 2;
}

static void *stop_later (void *arg) {
  nanosleep (&(struct timespec){.tv_nsec = 300000000}, NULL);
  porf_stop (arg);
  return NULL;
}

static void test_stop (void) {
  int calls = 0;
  pthread_t t;
  porf *p = with_file (slow);
  porf_on_progress (p, stop_now, &calls);
  CHECK (porf_run (p) == PORF_INCOMPLETE && calls >= 2);
  porf_on_progress (p, NULL, NULL);
  pthread_create (&t, NULL, stop_later, p);
  CHECK (porf_run (p) == PORF_INCOMPLETE);
  pthread_join (t, NULL);
  porf_free (p);
}

static void *check_often (void *arg) {
  for (int i = 0; i < 5; i++) {
    porf *p = porf_new ();
    porf_add_file (p, arg);
    porf_verdict v = porf_run (p);
    porf_free (p);
    if (v != (arg == (void *)good ? PORF_PASS : PORF_VIOLATION)) return arg;
  }
  return NULL;
}

static void test_threads (void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&t[i], NULL, check_often, (void *)(i % 2 ? good : bad));
  for (int i = 0; i < 4; i++) {
    void *wrong;
    pthread_join (t[i], &wrong);
    CHECK (!wrong);
  }
}

int main (int argc, char **argv) {
  if (argc != 5) return 2;
  good = argv[1], bad = argv[2], slow = argv[3], broken = argv[4];
  test_pass ();
  test_violation ();
  test_flags ();
  test_errors ();
  test_model ();
  test_stop ();
  test_threads ();
  printf ("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
