// Initial values: relocations, addresses into arrays and structs, strings, floats, function tables, thread-locals.
// run: pass
// ir: global [0-9]+ "table" size 40
// ir: type [0-9]+ struct "Node" 24 \{ "value" 0 [0-9]+, "next" 8 [0-9]+, "name" 16 [0-9]+ \}
#include <assert.h>
#include <stddef.h>

typedef struct Node {
  int value;
  struct Node *next;
  const char *name;
} Node;

static Node last = {3, NULL, "last"};
static Node list[2] = {{1, &list[1], "one"}, {2, &last, &"xtwo"[1]}};
static int array[10] = {[3] = 7, [9] = -1};
static int *into = &array[3];
static char *past = (char *)&array + sizeof array;
static double pi = 3.5;
static float half = 0.5f;
static const char text[] = "hello";
static int one (void) { return 1; }
static int two (void) { return 2; }
int (*const table[5]) (void) = {one, two, one, NULL, two};
static long difference = (char *)&list[1] - (char *)&list[0];
static _Thread_local int tls = 42;
static unsigned long as_number = (unsigned long)&array[1];

int main (void) {
  assert (list[0].next->next == &last && list[0].next->next->value == 3);
  assert (list[1].name[0] == 't' && list[0].name[2] == 'e');
  assert (*into == 7 && array[9] == -1 && (int *)past - array == 10);
  assert (pi == 3.5 && half == 0.5f && text[4] == 'o' && sizeof text == 6);
  assert (table[1]() == 2 && table[4] () == 2 && !table[3]);
  assert (difference == 24);
  assert (tls++ == 42 && tls == 43);
  assert (*(int *)as_number == array[1]);
  return 0;
}
