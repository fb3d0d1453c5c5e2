// One thread writes bytes, and after the join main reads the word.
// verdict: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static union {
  uint32_t word;
  uint8_t byte[4];
} u;

static void *bytes (void *unused) {
  for (int i = 0; i < 4; i++) u.byte[i] = (uint8_t)(i + 1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, bytes, NULL);
  pthread_join (t, NULL);
  assert (u.word == 0x04030201);
  uint32_t copy;
  memcpy (&copy, &u, sizeof copy);
  assert (copy == u.word);
  return 0;
}
