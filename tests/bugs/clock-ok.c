// Waits with a time-out come to an end, both with and without what was waited for; time does not go back.
// verdict: rc11 pass
// verdict[--reduce=none]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;

static int wait_until (time_t deadline) {
  while (!atomic_load_explicit (&ready, memory_order_acquire))
    if (time (NULL) >= deadline) return 0;
  return 1;
}

static void *waiter (void *argument) {
  time_t deadline = (time_t)argument;
  if (!wait_until (deadline)) assert (time (NULL) >= deadline);
  return NULL;
}

int main (void) {
  pthread_t t;
  time_t start = time (NULL);
  pthread_create (&t, NULL, waiter, (void *)(start + 10));
  atomic_store_explicit (&ready, 1, memory_order_release);
  pthread_join (t, NULL);
  assert (time (NULL) >= start);
  return 0;
}
