// Peterson's lock: waits until one of two variables has changed. N threads wait for its holder to be done, too.
//
// flags: --engine=auto
// verdict[-DN={2,3}]: sc,tso,rc11,rc20,imm pass
// verdict[-DN={2,3} -DBUG=1]: sc pass
// verdict[-DN={2,3} -DBUG=1]: rc11,rc20,ra violation
#include "loops.h"
#define ORDER (BUG ? ACQ_REL : memory_order_seq_cst)
#define LOAD (BUG ? ACQUIRE : memory_order_seq_cst)
#define STORE (BUG ? RELEASE : memory_order_seq_cst)

static atomic_int wants[2], turn, done;
static int data;

static void enter (int me) {
  atomic_store_explicit (&wants[me], 1, STORE);
  atomic_store_explicit (&turn, !me, STORE);
  while (atomic_load_explicit (&wants[!me], LOAD) && atomic_load_explicit (&turn, LOAD) != me) {}
}

static void *left (void *unused) {
  enter (0);
  data++;
  atomic_store_explicit (&wants[0], 0, STORE);
  atomic_fetch_add_explicit (&done, 1, RELEASE);
  return 0;
}

static void *right (void *unused) {
  enter (1);
  data++;
  atomic_store_explicit (&wants[1], 0, STORE);
  atomic_fetch_add_explicit (&done, 1, RELEASE);
  return 0;
}

static void *watcher (void *unused) {
  while (atomic_load_explicit (&done, ACQUIRE) < 2) {}
  assert (data == 2);
  return 0;
}

int main (void) {
  pthread_t a, b, c;
  pthread_create (&a, 0, left, 0);
  pthread_create (&b, 0, right, 0);
  if (N > 2) pthread_create (&c, 0, watcher, 0);
  if (N > 2) pthread_join (c, 0);
  pthread_join (a, 0);
  pthread_join (b, 0);
  return 0;
}
