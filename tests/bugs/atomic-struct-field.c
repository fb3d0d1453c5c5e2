// Atomic fields of different sizes in one structure are different locations.
// expect: rc11 4/0, sc 3/0, tso 4/0
#include <pthread.h>
#include <stdatomic.h>

static struct {
  atomic_char a;
  atomic_short b;
  atomic_llong c;
} s;

static void *one (void *unused) {
  atomic_store_explicit (&s.a, 1, memory_order_relaxed);
  atomic_load_explicit (&s.b, memory_order_relaxed);
  return NULL;
}

static void *two (void *unused) {
  atomic_store_explicit (&s.b, 1, memory_order_relaxed);
  atomic_load_explicit (&s.a, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, one, NULL);
  pthread_create (&u, NULL, two, NULL);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return (int)atomic_load_explicit (&s.c, memory_order_relaxed);
}
