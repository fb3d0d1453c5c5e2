// Concurrency Kit's reader-writer lock: a reader sees both halves of an update or none, writers exclude each other.
// verdict: rc11 pass
// verdict: tso pass
// verdict[-DWRITERS=2 -DREADERS=0]: rc11 pass
// verdict[-DWRITERS=1 -DREADERS=2]: rc11 pass
// verdict[-DTRY]: rc11 pass
// verdict[-DTRY]: tso pass
// verdict[--no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: rc11 pass
#include <assert.h>
#include <ck_rwlock.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef READERS
#define READERS 1
#endif

static ck_rwlock_t rw = CK_RWLOCK_INITIALIZER;
static int x, y;

static void *reader (void *arg) {
  (void)arg;
#ifdef TRY
  if (!ck_rwlock_read_trylock (&rw)) return NULL;
#else
  ck_rwlock_read_lock (&rw);
#endif
  assert (x == y);
  ck_rwlock_read_unlock (&rw);
  return NULL;
}

static void *writer (void *arg) {
  (void)arg;
#ifdef TRY
  if (!ck_rwlock_write_trylock (&rw)) return NULL;
#else
  ck_rwlock_write_lock (&rw);
#endif
  x++;
  y++;
  ck_rwlock_write_unlock (&rw);
  return NULL;
}

int main (void) {
  pthread_t t[WRITERS + READERS];
  for (int i = 0; i < WRITERS + READERS; i++)
    pthread_create (&t[i], NULL, i < WRITERS ? writer : reader, NULL);
  for (int i = 0; i < WRITERS + READERS; i++) pthread_join (t[i], NULL);
#ifdef TRY
  assert (x == y && x <= WRITERS);
#else
  assert (x == WRITERS && y == WRITERS);
#endif
  assert (!ck_rwlock_locked (&rw));
  return 0;
}
