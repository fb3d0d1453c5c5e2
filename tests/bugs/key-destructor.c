// Destructors of thread-specific data run in the thread that ends, also by pthread_exit, in rounds; not when main
// returns, and not for keys that were deleted.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// verdict[-DEXIT]: rc11 pass
// verdict[-DEXIT]: sc pass
// verdict[-DEXIT]: tso pass
// verdict[-DEXIT]: ra pass
// verdict[-DDELETED]: rc11 pass
// verdict[-DDELETED]: sc pass
// finding[-DNO_DESTRUCTOR]: rc11 assert A
// finding[-DNO_DESTRUCTOR]: sc assert A
// finding[-DTWICE]: rc11 double-free
// finding[-DTWICE]: sc double-free
// verdict[--reduce=none]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key, other, none;
static int destroyed[2], rounds;

static void destroy (void *value) {
  int *p = value;
  assert (pthread_getspecific (key) == NULL);
  destroyed[*p]++;
  free (p);
#ifdef TWICE
  free (p);
#endif
}

static void come_back (void *value) {
  rounds++;
  pthread_setspecific (other, value);
}

static void *thread (void *arg) {
  int *p = malloc (sizeof *p);
  *p = arg != NULL;
  pthread_setspecific (key, p);
  pthread_setspecific (none, p);
  if (arg) pthread_setspecific (other, arg);
#ifdef DELETED
  if (arg) pthread_key_delete (other);
#endif
#ifdef EXIT
  pthread_exit (arg);
#endif
  return arg;
}

int main (void) {
  pthread_t t, u;
  void *result;
#ifdef NO_DESTRUCTOR
  pthread_key_create (&key, NULL);
#else
  pthread_key_create (&key, destroy);
#endif
  pthread_key_create (&other, come_back);
  pthread_key_create (&none, NULL);
  pthread_create (&t, NULL, thread, NULL);
  pthread_create (&u, NULL, thread, &t);
  pthread_join (t, &result);
  assert (result == NULL);
  pthread_join (u, &result);
  assert (result == &t);
  assert (destroyed[0] == 1 && destroyed[1] == 1); // @A
#ifdef DELETED
  assert (rounds == 0);
#else
  assert (rounds == 4); /* PTHREAD_DESTRUCTOR_ITERATIONS */
#endif
  pthread_setspecific (key, &rounds); /* never freed */
  return 0;
}
