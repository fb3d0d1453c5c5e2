// Concurrency Kit's sequence lock: what a reader that need not retry has read belongs together.
// verdict: rc11 pass
// verdict: tso pass
// verdict[-DREADERS=2]: rc11 pass
// verdict[--no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: rc11 pass
// finding[--no-race -DCK_USE_CC_BUILTINS=1]: rc11 assert
#include <assert.h>
#include <ck_sequence.h>
#include <pthread.h>

#ifndef READERS
#define READERS 1
#endif

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static unsigned x, y;

static void *reader (void *arg) {
  (void)arg;
  unsigned version = ck_sequence_read_begin (&sequence);
  unsigned a = ck_pr_load_uint (&x), b = ck_pr_load_uint (&y);
  if (!ck_sequence_read_retry (&sequence, version)) assert (a == b);
  return NULL;
}

static void *writer (void *arg) {
  (void)arg;
  for (unsigned i = 1; i <= 2; i++) {
    ck_sequence_write_begin (&sequence);
    ck_pr_store_uint (&x, i);
    ck_pr_store_uint (&y, i);
    ck_sequence_write_end (&sequence);
  }
  return NULL;
}

int main (void) {
  pthread_t w, t[READERS];
  pthread_create (&w, NULL, writer, NULL);
  for (int i = 0; i < READERS; i++) pthread_create (&t[i], NULL, reader, NULL);
  pthread_join (w, NULL);
  for (int i = 0; i < READERS; i++) pthread_join (t[i], NULL);
  return 0;
}
