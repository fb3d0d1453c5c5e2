/* tests.h - what `porf test` is to run: the lines after `porf:` in the headers of files.
 *
 *   // porf: -m tso --unroll 3 -- -DN=3
 *   // porf: race queue.c -- -DBUG=1
 *
 * Each such line in the comment that a file begins with is one run: first, if it is not `pass`,
 * what must come out (`violation`, `incomplete` or a kind of finding), then options, other files of
 * the program, and flags for the compiler, as on the command line. */
#ifndef PORF_TESTS_H
#define PORF_TESTS_H

#include "cli/summary.h"
#include "session/args.h"

typedef struct TestRun {
  char *path;     /* of the file that says so */
  char *line;     /* what it says, without `porf:` */
  Words words;    /* the same without what is expected; other files with their directories */
  char *expected; /* "pass", "race" */
  u8 verdict;     /* Verdict */
  i32 kind;       /* FindingKind, or -1: any */
  char *program;  /* to be checked, if that is another file, or NULL */
  u32 decisive;   /* kinds that answer the question: of others nothing follows */
  u32 doubts;     /* assumptions under which a pass is no answer */
  bool is_open;   /* a pass never is */
} TestRun;
typedef VEC (TestRun) TestRuns;

/* Files are named from where the file that says so stands. */
char *test_file_beside (const char *path, const char *file);

/* Looks through directories and everything below them, in the order of names. Files that are named
 * must say something. If not, or if a path cannot be read: one message and exit 2. */
void tests_find (const char *path, TestRuns *out);
void tests_free (TestRuns *runs);

/* What the question is answered with; its verdict as it came out. */
Verdict test_answer (const TestRun *run, Verdict verdict, u32 kinds, u32 assumed);

/* What was expected, if that is not what came out, else NULL. */
const char *test_judge (const TestRun *run, Verdict verdict, u32 kinds);

/* Runs them, each in a process of its own, prints the table and what `note` adds, and frees them.
 * Returns the exit code. */
typedef void (*TestsNote) (const Summary *s, const TestRuns *runs, FILE *out);
int tests_run (const Args *a, TestRuns *runs, TestsNote note);

#endif
