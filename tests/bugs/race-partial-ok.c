// Two threads that write different bytes of one word do not race.
// expect: rc11 1/0, sc 1/0
#include <assert.h>
#include <pthread.h>

static unsigned char byte[4];

static void *other (void *unused) {
  byte[0] = 1;
  return NULL;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, other, NULL);
  byte[1] = 2;
  pthread_join (a, NULL);
  assert (byte[0] == 1 && byte[1] == 2);
  return 0;
}
