// A mutex is overwritten while somebody holds it: by initialising it again, or by storing to its memory.
// finding[-DINIT]: sc lock-misuse I
// finding[-DINIT]: tso lock-misuse I
// finding[-DINIT]: rc11 lock-misuse I
// finding[-DINIT]: wrc11 lock-misuse I
// finding[-DINIT]: imm lock-misuse I
// finding[-DINIT]: power lock-misuse I
// finding[-DINIT]: xmm lock-misuse I
// finding[-DINIT]: jam19 lock-misuse I
// finding[-DINIT]: jam21 lock-misuse I
// finding[-DINIT]: mca lock-misuse I
// finding[-DINIT]: share lock-misuse I
// finding[-DMEMSET]: sc lock-misuse S
// finding[-DMEMSET]: tso lock-misuse S
// finding[-DMEMSET]: rc11 lock-misuse S
// finding[-DMEMSET]: wrc11 lock-misuse S
// finding[-DMEMSET]: imm lock-misuse S
// finding[-DMEMSET]: power lock-misuse S
// finding[-DMEMSET]: xmm lock-misuse S
// finding[-DMEMSET]: jam19 lock-misuse S
// finding[-DMEMSET]: jam21 lock-misuse S
// finding[-DMEMSET]: mca lock-misuse S
// finding[-DMEMSET]: share lock-misuse S
// finding[-DBESIDE]: sc lock-misuse O|L
// finding[-DBESIDE]: tso lock-misuse O|L
// finding[-DBESIDE]: rc11 lock-misuse O|L
// finding[-DBESIDE]: wrc11 lock-misuse O|L
// finding[-DBESIDE]: imm lock-misuse O|L
// finding[-DBESIDE]: power lock-misuse O|L
// finding[-DBESIDE]: xmm lock-misuse O|L
// finding[-DBESIDE]: jam19 lock-misuse O|L
// finding[-DBESIDE]: jam21 lock-misuse O|L
// finding[-DBESIDE]: mca lock-misuse O|L
// finding[-DBESIDE]: share lock-misuse O|L
// finding[-DEXCHANGE]: sc lock-misuse E|L
// finding[-DEXCHANGE]: tso lock-misuse E|L
// finding[-DEXCHANGE]: rc11 lock-misuse E|L
// finding[-DEXCHANGE]: wrc11 lock-misuse E|L
// finding[-DEXCHANGE]: imm lock-misuse E|L
// finding[-DEXCHANGE]: power lock-misuse E|L
// finding[-DEXCHANGE]: jam21 lock-misuse E|L
// finding[-DEXCHANGE]: mca lock-misuse E|L
// finding[-DEXCHANGE]: share lock-misuse E|L
// finding[-DPLAIN]: tso lock-misuse P|L
// finding[-DPLAIN]: imm lock-misuse P|L
// finding[-DPLAIN]: power lock-misuse P|L
// finding[-DPLAIN]: jam19 lock-misuse P|L
// finding[-DPLAIN]: jam21 lock-misuse P|L
// finding[-DPLAIN]: mca lock-misuse P|L
// finding[-DPLAIN]: share lock-misuse P|L
// finding[-DPLAIN]: sc race P|L|U
// finding[-DPLAIN]: sc lock-misuse
// finding[-DPLAIN]: rc11 race P|L|U
// finding[-DPLAIN]: rc11 lock-misuse
// finding[-DPLAIN]: wrc11 race P|L|U
// finding[-DPLAIN]: wrc11 lock-misuse
// finding[-DPLAIN --no-race]: sc lock-misuse P|L
// finding[-DPLAIN --no-race]: rc11 lock-misuse P|L
// finding[-DPLAIN --no-race]: wrc11 lock-misuse P|L
// finding[-DTRYLOCK]: rc11 lock-misuse T
// finding[-DTRYLOCK]: wrc11 lock-misuse T
// finding[-DTRYLOCK]: jam21 lock-misuse T
// finding[-DTRYLOCK]: mca lock-misuse T
// finding[-DTRYLOCK]: share lock-misuse T
// verdict: rc11 pass
// verdict: wrc11 pass
// verdict: power pass
// verdict: jam21 pass
// verdict: mca pass
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *other (void *unused) {
#if defined BESIDE
  atomic_store ((_Atomic int *)&m, 0); // @O
#elif defined EXCHANGE
  atomic_exchange ((_Atomic int *)&m, 0); // @E
#elif defined PLAIN
  pthread_mutex_init (&m, NULL); // @P
#endif
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, other, NULL);
  pthread_mutex_lock (&m); // @L
#if defined INIT
  pthread_mutex_init (&m, NULL); // @I
#elif defined MEMSET
  memset (&m, 0, sizeof m); // @S
#endif
  pthread_mutex_unlock (&m); // @U
  pthread_join (t, NULL);
#ifndef PLAIN
  pthread_mutex_init (&m, NULL); // which nobody holds
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_mutex_destroy (&m);
#ifdef TRYLOCK
  pthread_mutex_trylock (&m); // @T
#else
  pthread_mutex_init (&m, NULL);
#endif
#endif
  return 0;
}
