// A thread is joined once, by one other thread, unless it is detached.
// verdict: rc11 pass
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// finding[-DTWICE]: rc11 lock-misuse A
// finding[-DTWICE]: sc lock-misuse A
// finding[-DTWICE]: tso lock-misuse A
// finding[-DTWICE]: ra lock-misuse A
// finding[-DDETACHED]: rc11 lock-misuse B
// finding[-DDETACHED]: sc lock-misuse B
// finding[-DDETACHED]: tso lock-misuse B
// finding[-DDETACHED]: ra lock-misuse B
// finding[-DDETACHED_TWICE]: rc11 lock-misuse C
// finding[-DDETACHED_SELF]: rc11 lock-misuse B
// finding[-DDETACHED_SELF]: sc lock-misuse B
// finding[-DDETACHED_SELF]: tso lock-misuse B
// finding[-DDETACHED_SELF]: ra lock-misuse B
// finding[-DATTRIBUTE]: rc11 lock-misuse B
// finding[-DATTRIBUTE]: sc lock-misuse B
// finding[-DATTRIBUTE]: tso lock-misuse B
// finding[-DATTRIBUTE]: ra lock-misuse B
// finding[-DSELF]: rc11 lock-misuse D
// finding[-DSELF]: sc lock-misuse D
// finding[-DSELF]: tso lock-misuse D
// finding[-DSELF]: ra lock-misuse D
// finding[-DBY_TWO]: rc11 lock-misuse
// finding[-DBY_TWO]: sc lock-misuse
// finding[-DBY_TWO]: tso lock-misuse
// finding[-DBY_TWO]: ra lock-misuse
// finding[-DNOBODY]: rc11 lock-misuse E
#include <pthread.h>

static pthread_t self;
static int x;

static void *thread (void *unused) {
  x = 1;
#ifdef DETACHED_SELF
  pthread_detach (pthread_self ());
#endif
#ifdef SELF
  pthread_join (pthread_self (), NULL); // @D
#endif
  return NULL;
}

static void *joiner (void *arg) {
  pthread_join (*(pthread_t *)arg, NULL);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_attr_t a;
  pthread_attr_init (&a);
#ifdef ATTRIBUTE
  pthread_attr_setdetachstate (&a, PTHREAD_CREATE_DETACHED);
#endif
  pthread_create (&t, &a, thread, NULL);
  pthread_attr_destroy (&a);
#ifdef BY_TWO
  pthread_create (&u, NULL, joiner, &t);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
#endif
#if defined DETACHED || defined DETACHED_TWICE
  pthread_detach (t);
#endif
#ifdef DETACHED_TWICE
  pthread_detach (t); // @C
  return 0;
#endif
#ifdef NOBODY
  u = 77;
  pthread_join (u, NULL); // @E
#endif
  pthread_join (t, NULL); // @B
#ifdef TWICE
  pthread_join (t, NULL); // @A
#endif
  return 0;
}
