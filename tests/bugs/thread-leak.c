// A thread that nobody joins or detaches is worth a warning; the verdict stays.
// verdict: rc11 pass
// verdict: sc pass
// warning: rc11 A
// warning: sc A
// warning[-DJOIN]: rc11 none
// warning[-DJOIN]: sc none
// warning[-DDETACH]: rc11 none
// warning[-DATTRIBUTE]: rc11 none
#include <pthread.h>

static void *thread (void *unused) { return NULL; }

int main (void) {
  pthread_t t[2];
  pthread_attr_t a;
  pthread_attr_init (&a);
#ifdef ATTRIBUTE
  pthread_attr_setdetachstate (&a, PTHREAD_CREATE_DETACHED);
#endif
  for (int i = 0; i < 2; i++) {
    pthread_create (&t[i], &a, thread, NULL); // @A
#ifdef DETACH
    pthread_detach (t[i]);
#endif
  }
#ifdef JOIN
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
#endif
  return 0;
}
