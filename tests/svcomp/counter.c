/* Two threads add to a counter under a lock; BUG leaves the lock out. */
typedef unsigned long int pthread_t;
typedef union {
  char size[40];
  long align;
} pthread_mutex_t;
extern int pthread_create (pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join (pthread_t, void **);
extern int pthread_mutex_lock (pthread_mutex_t *), pthread_mutex_unlock (pthread_mutex_t *);
extern void abort (void);
void reach_error () { abort (); }
void __VERIFIER_assert (int cond) {
  if (!cond) ERROR: {
    reach_error ();
    abort ();
  }
}
pthread_mutex_t m;
int x;
void *add (void *arg) {
#ifndef BUG
  pthread_mutex_lock (&m);
#endif
  x = x + 1;
#ifndef BUG
  pthread_mutex_unlock (&m);
#endif
  return 0;
}
int main () {
  pthread_t t, u;
  pthread_create (&t, 0, add, 0);
  pthread_create (&u, 0, add, 0);
  pthread_join (t, 0);
  pthread_join (u, 0);
  __VERIFIER_assert (x == 2);
  return 0;
}
