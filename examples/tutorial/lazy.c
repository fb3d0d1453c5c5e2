// porf: race
// porf: uninitialised --no-race
// porf: pass -- -DFIXED
// porf: pass -m tso --no-race
//
// Double-checked locking: the table is made when somebody first asks for it. Once it is there,
// nobody wants to pay for the lock, so the pointer is looked at before the lock is taken.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FIXED
#define LOOK memory_order_acquire
#define PUBLISH memory_order_release
#else
#define LOOK memory_order_relaxed
#define PUBLISH memory_order_relaxed
#endif

typedef struct Table {
  int size;
} Table;

static _Atomic (Table *) table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Table *make_table (void) {
  Table *t = malloc (sizeof *t);
  t->size = 100;
  return t;
}

static Table *get_table (void) {
  Table *t = atomic_load_explicit (&table, LOOK);
  if (!t) {
    pthread_mutex_lock (&lock);
    t = atomic_load_explicit (&table, memory_order_relaxed);
    if (!t) {
      t = make_table ();
      atomic_store_explicit (&table, t, PUBLISH);
    }
    pthread_mutex_unlock (&lock);
  }
  return t;
}

static void *user (void *arg) {
  assert (get_table ()->size == 100);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, user, NULL);
  pthread_create (&t2, NULL, user, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
