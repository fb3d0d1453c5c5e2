// Threads run the same code, but main looks at what each of them returns.
// finding: rc11 assert order
// finding: sc assert order
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long next;

static void *take (void *unused) { return (void *)atomic_fetch_add (&next, 1); }

int main (void) {
  pthread_t a, b;
  void *first, *second;
  pthread_create (&a, NULL, take, NULL);
  pthread_create (&b, NULL, take, NULL);
  pthread_join (a, &first);
  pthread_join (b, &second);
  assert (first < second); // @order
}
