// wrc11 does not order the exchange of 1 for 1 behind the unlock that overwrites what it found: who has seen the unlock can
// still find this 1, and then nobody unlocks. So exchanges that change nothing count. Models with an order of writes know better.
// finding: wrc11 liveness A
// finding[--reduce=none]: wrc11 liveness A
// verdict: rc11 pass
// verdict[--reduce=none]: rc11 pass
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held;

static void *thread (void *unused) {
  do {
    while (atomic_load_explicit (&held, memory_order_relaxed)) {} // @A
  } while (atomic_exchange_explicit (&held, 1, memory_order_acquire));
  atomic_store_explicit (&held, 0, memory_order_release);
  return unused;
}

int main (void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create (&t[i], NULL, thread, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  return 0;
}
