// A semaphore hands plain data over.
// verdict: rc11 pass
// verdict: sc pass
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int data;

static void *producer (void *unused) {
  data = 1;
  sem_post (&s);
  return NULL;
}

int main (void) {
  pthread_t t;
  sem_init (&s, 0, 0);
  pthread_create (&t, NULL, producer, NULL);
  sem_wait (&s);
  assert (data == 1);
  pthread_join (t, NULL);
  sem_destroy (&s);
  return 0;
}
