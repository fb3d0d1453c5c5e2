// MCP-rrw: two writers and a reader.
// expect: sc 6/0, tso 6/0, pso 6/0, sra 6/0, ra 6/0, rc11 6/0, rc20 6/0, wrc11 3/0
// expect: jam19 6, jam21 6, jam21t 6
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_release);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_release);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_load_explicit (&x, memory_order_acquire);
  return NULL;
}

int main (void) {
  pthread_t t[3];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  pthread_join (t[2], NULL);
  return 0;
}
