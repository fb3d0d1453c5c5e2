// A thread publishes the address of its thread-local variable. That is fine as long as the thread has not ended.
// finding: rc11 use-after-free
// finding[--reduce=none]: rc11 use-after-free
// finding: tso use-after-free
// verdict[-DWAIT]: rc11 pass
// verdict[-DWAIT]: tso pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local atomic_int own[2] = {1, 2};
static atomic_int *_Atomic published;
static atomic_int done;

static void *publisher (void *unused) {
  atomic_store (&own[1], 3);
  atomic_store (&published, &own[1]);
#ifdef WAIT
  while (!atomic_load (&done)) {}
#endif
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, publisher, NULL);
  atomic_int *p = atomic_load (&published);
  if (p) assert (atomic_load (p) == 3);
  atomic_store (&done, 1);
  pthread_join (t, NULL);
  return 0;
}
