// What porf does not do is refused by name.
// unsupported[-DCANCEL]: rc11 pthread_cancel
// unsupported[-DKILL]: rc11 pthread_kill
// unsupported[-DATFORK]: rc11 pthread_atfork
// unsupported[-DGETATTR]: rc11 pthread_getattr_np
// unsupported[-DSEM_OPEN]: rc11 sem_open
// unsupported[-DTRYJOIN]: rc11 pthread_tryjoin_np
// unsupported[-DCLEANUP]: rc11 pthread exit between pthread cleanup push and pop
// verdict: rc11 pass
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static int cleaned;
static void clean (void *arg) { *(int *)arg = 1; }

static void *thread (void *unused) {
  pthread_cleanup_push (clean, &cleaned);
#ifdef CLEANUP
  pthread_exit (NULL);
#endif
  pthread_cleanup_pop (1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, thread, NULL);
#ifdef CANCEL
  pthread_cancel (t);
#elif defined KILL
  pthread_kill (t, SIGTERM);
#elif defined ATFORK
  pthread_atfork (NULL, NULL, NULL);
#elif defined GETATTR
  pthread_attr_t a;
  pthread_getattr_np (t, &a);
#elif defined SEM_OPEN
  sem_open ("/porf", O_CREAT, 0600, 1);
#elif defined TRYJOIN
  pthread_tryjoin_np (t, NULL);
#endif
  pthread_join (t, NULL);
#if !defined CANCEL && !defined CLEANUP
  assert (cleaned);
#endif
  return 0;
}
