/* test.h - the least that a unit test needs: CHECK (condition), then return test_summary (). */
#ifndef PORF_TEST_H
#define PORF_TEST_H

#include <stdio.h>

static int test_passed, test_failed;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (condition) {                                                                               \
      test_passed++;                                                                               \
    } else {                                                                                       \
      test_failed++;                                                                               \
      fprintf (stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                     \
    }                                                                                              \
  } while (0)

static inline int test_summary (void) {
  printf ("%d passed, %d failed\n", test_passed, test_failed);
  return test_failed != 0;
}

#endif
