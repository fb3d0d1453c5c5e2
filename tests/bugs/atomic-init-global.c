// Initialisers of globals: arrays, structures, pointers between them, strings and functions.
// expect: rc11 1/0
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

struct entry {
  const char *name;
  int (*function) (int);
  struct entry *next;
  atomic_int count;
};

static int twice (int x) { return 2 * x; }

static int numbers[5] = {1, 2, [4] = 5};
static int *const third = &numbers[2];
static struct entry second = {"second", twice, 0, 7};
static struct entry first = {.name = "first", .next = &second};

int main (void) {
  assert (numbers[3] == 0 && numbers[4] == 5 && third == numbers + 2 && *third == 0);
  assert (strcmp (first.name, "first") == 0 && first.next->function (4) == 8 && !first.function);
  assert (atomic_load (&first.next->count) == 7 && atomic_load (&first.count) == 0);
  return 0;
}
