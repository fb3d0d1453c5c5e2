// Thread-specific data by pthread_getspecific.
// verdict: rc11 pass
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int one = 1, two = 2;

static void *thread (void *arg) {
  assert (pthread_getspecific (key) == NULL);
  pthread_setspecific (key, arg);
  assert (pthread_getspecific (key) == arg);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_key_create (&key, NULL);
  pthread_create (&t, NULL, thread, &one);
  pthread_create (&u, NULL, thread, &two);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  assert (pthread_getspecific (key) == NULL);
  return 0;
}
