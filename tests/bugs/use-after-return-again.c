// A pointer to a local variable of an earlier call of the same function, or to a variable of a block two rounds ago: what
// lies there now is another variable.
// finding[-DKIND={1..11}]: rc11 use-after-free A
// finding[-DKIND={12..15}]: rc11 uninitialised
// finding[-DKIND={1,3,5,7,9,11}]: tso use-after-free A
// finding[-DKIND={1,3,5,7,9,11}]: mca use-after-free A
// verdict[-DKIND={20..24}]: rc11 pass
// finding[-DKIND=25]: rc11 liveness wait|look
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct list {
  struct list *next;
  int value;
};
static int *global, sum;
static int *volatile hidden;
static _Atomic (int *) shared;
static struct list *head;
static atomic_int flag;
static volatile int three = 3;

static int *returned (int n, int *last) {
  int x = n;
  if (last) sum += *last; // @A
  return &x;
}
static void in_memory (int n, int **last) {
  int x = n;
  if (*last) sum += **last; // @A
  *last = &x;
}
static void in_list (int n) {
  struct list node = {head, n};
  if (node.next) sum += node.next->value; // @A
  head = &node;
}
static void copied (int n, struct list *to) {
  struct list inner = {NULL, n}, outer = {&inner, n};
  if (to->next) sum += to->next->value; // @A
  memcpy (to, &outer, sizeof *to);
}
static void published (int n) {
  int x = n, *last = atomic_exchange (&shared, &x);
  if (last) sum += *last; // @A
}
static void tidy (int n) {
  struct list node = {head, n};
  head = &node;
  sum += head->value;
  head = node.next;
}
static void *other (void *a) {
  for (int i = 0; i < 3; i++) published (i);
  return a;
}
static int look (int **p) {
  int x = 0;
  *p = &x;
  return atomic_load (&flag) + **p; // @look
}
static void *setter (void *a) {
  atomic_store (&flag, 1);
  return a;
}

int main (void) {
  int *p = NULL, *oldest = NULL;
  struct list l = {NULL, 0};
  pthread_t t;
  (void)t, (void)p, (void)oldest, (void)l;
#if KIND == 1
  for (int i = 0; i < three; i++) p = returned (i, p);
#elif KIND == 2
  for (int i = 0; i < three; i++) in_memory (i, &p);
#elif KIND == 3
  for (int i = 0; i < three; i++) in_list (i);
#elif KIND == 4
  for (int i = 0; i < three; i++) in_memory (i, &global);
#elif KIND == 5
  for (int i = 0; i < three; i++) copied (i, &l);
#elif KIND == 6
  struct list *h = calloc (1, sizeof *h);
  for (int i = 0; i < three; i++) copied (i, h);
  free (h);
#elif KIND == 7
  for (int i = 0; i < three; i++) published (i);
#elif KIND == 8
  pthread_create (&t, NULL, other, NULL);
  pthread_join (t, NULL);
#elif KIND == 9 /* two rounds ago, in registers */
  for (int i = 0; i < 3 * three; i++) {
    int x = i, *own = &x;
    sum += *own;
    if (i == 4) sum += *oldest; // @A
    if (!i) oldest = own;
  }
#elif KIND == 10 /* in memory */
  for (int i = 0; i < 3 * three; i++) {
    int x = i;
    if (i == 4) sum += *hidden; // @A
    if (!i) hidden = &x;
    sum += x;
  }
#elif KIND == 11 /* in a loop that waits */
  pthread_create (&t, NULL, setter, NULL);
  while (!atomic_load (&flag)) {
    int x = 1;
    if (p) sum = *p; // @A
    p = &x;
  }
  pthread_join (t, NULL);
#elif KIND == 12 /* what the last round has left there */
  pthread_create (&t, NULL, setter, NULL);
  for (int i = 0; !atomic_load (&flag); i = 1) {
    int x, *q = &x;
    if (!i) memset (q, 0, sizeof x);
    if (*q) break;
  }
  pthread_join (t, NULL);
#elif KIND == 13
  for (int i = 0; i < three; i++) {
    int x;
    if (!i) x = 1;
    if (x) sum++;
  }
#elif KIND == 14
  for (int i = 0; i < three; i++) {
    int x[2];
    if (!i) x[0] = x[1] = 1;
    if (x[1]) sum++;
  }
#elif KIND == 15
  for (int i = 0; i < three; i++) {
    struct list x;
    if (!i) x.value = 1;
    if (x.value) sum++;
  }
#elif KIND == 20
  for (int i = 0; i < three; i++) tidy (i);
#elif KIND == 21
  for (int i = 0; i < three; i++) global = returned (i, NULL);
#elif KIND == 22
  for (int i = 0; i < three; i++) {
    struct list inner = {NULL, i}, outer = {&inner, i};
    sum += outer.next->value;
  }
#elif KIND == 23 /* loops that wait, with variables that point to each other */
  pthread_create (&t, NULL, setter, NULL);
  while (!atomic_load (&flag)) {
    struct list inner = {NULL, 0}, outer = {&inner, 0};
    if (outer.next->value) break;
  }
  pthread_join (t, NULL);
#elif KIND == 24 || KIND == 25
  if (KIND == 24) pthread_create (&t, NULL, setter, NULL);
  for (;;) {
    int *inner; // @wait
    if (look (&inner)) break;
  }
  if (KIND == 24) pthread_join (t, NULL);
#endif
  return 0;
}
