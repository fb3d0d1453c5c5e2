/* life.c - whether objects of the library are initialised when they are used, and only once.
 *
 * An object that is initialised has a mark in a word of its own: its address, so that a copy of it
 * has none. Initialising writes the word and destroying clears it, by plain accesses; where there
 * is no static initialiser, every use reads it. So a use that is not ordered with an initialiser is
 * a data race. Most objects are only initialised by main before there are threads, which
 * __porf_life knows of all executions; uses of them need no look, and make no event. */
#include "runtime.h"

enum { LOOK, INITIALISE, END }; /* of __porf_life */

static int mark_of (void *object) { return (int)(unsigned long)object | 1; }

static bool is_marked (void *object, int *mark) {
  int found = *mark;
  return __porf_is_defined (found) && found == mark_of (object);
}

static void begin_life (void *object, int *mark) {
  if (is_marked (object, mark)) __porf_misuse (object, "` can be initialised twice");
  __porf_life (object, INITIALISE);
  *mark = mark_of (object);
}

static void end_life (void *object, int *mark) {
  if (is_marked (object, mark)) *mark = 0;
}

/* Of objects that have no static initialiser. */
static void check_life (void *object, int *mark) {
  if (!__porf_life (object, LOOK) && !is_marked (object, mark))
    __porf_misuse (object, "` can be used before it was initialised");
}

/* ---- attribute objects: one word, with a mark beside the value ---- */

enum { ATTRIBUTES = 0x5a0000, ATTRIBUTES_DESTROYED = 0x5d0000, ATTRIBUTES_MARK = 0xff0000 };

static int mark_of_attributes (const void *a) { return *(const int *)a & ATTRIBUTES_MARK; }

static int init_attributes (void *a, int value) {
  int mark = mark_of_attributes (a);
  if (__porf_is_defined (mark) && mark == ATTRIBUTES)
    __porf_misuse (a, "` can be initialised twice");
  *(int *)a = ATTRIBUTES | value;
  return 0;
}
static int use_attributes (const void *a) {
  int mark = mark_of_attributes (a);
  if (mark != ATTRIBUTES)
    __porf_misuse ((void *)a, mark == ATTRIBUTES_DESTROYED
                                  ? "` can be used after it was destroyed"
                                  : "` can be used before it was initialised");
  return *(const int *)a & ~ATTRIBUTES_MARK;
}
static int set_attributes (void *a, int value) {
  use_attributes (a);
  *(int *)a = ATTRIBUTES | value;
  return 0;
}
static int destroy_attributes (void *a) {
  use_attributes (a);
  *(int *)a = ATTRIBUTES_DESTROYED;
  return 0;
}
