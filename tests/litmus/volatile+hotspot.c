// volatile+hotspot: a program of volatile accesses only, as Java and as the HotSpot VM compiles it to POWER: docs/JAVA.md.
// Under jam19 it has an outcome that no interleaving has, and so has its code by the old mapping on POWER. jam21 and the
// repaired mapping forbid it. In fences, sync is an sc fence and lwsync an acq_rel one, as `porf mappings power` has it.
// finding: jam19 assert
// verdict: jam21 pass
// verdict: sc pass
// verdict: rc11 pass
// finding[-DOLD]: power assert
// finding[-DOLD]: jam21 assert
// finding[-DOLD]: rc11 assert
// verdict[-DREPAIRED]: power pass
// verdict[-DREPAIRED]: jam21 pass
// verdict[-DREPAIRED]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r[4];

#define sync() atomic_thread_fence (memory_order_seq_cst)
#define lwsync() atomic_thread_fence (memory_order_acq_rel)
#define LOAD(v) atomic_load_explicit (&v, memory_order_relaxed)
#define STORE(v, value) atomic_store_explicit (&v, value, memory_order_relaxed)

#if defined(OLD)
#define GET(to, v) (sync (), to = LOAD (v), lwsync ())
#define SET(v, value) (lwsync (), STORE (v, value), sync ())
#elif defined(REPAIRED)
#define GET(to, v) (sync (), to = LOAD (v), lwsync ())
#define SET(v, value) (sync (), STORE (v, value))
#else
#define GET(to, v) (to = atomic_load (&v))
#define SET(v, value) atomic_store (&v, value)
#endif

static void *thread1 (void *unused) {
  SET (x, 2);
  GET (r[0], y);
  return unused;
}

static void *thread2 (void *unused) {
  SET (y, 1);
  return unused;
}

static void *thread3 (void *unused) {
  GET (r[1], y);
  SET (x, 1);
  return unused;
}

static void *thread4 (void *unused) {
  GET (r[2], x);
  GET (r[3], x);
  return unused;
}

int main (void) {
  pthread_t t[4];
  pthread_create (&t[0], NULL, thread1, NULL);
  pthread_create (&t[1], NULL, thread2, NULL);
  pthread_create (&t[2], NULL, thread3, NULL);
  pthread_create (&t[3], NULL, thread4, NULL);
  for (int i = 0; i < 4; i++) pthread_join (t[i], NULL);
  assert (!(r[0] == 0 && r[1] == 1 && r[2] == 1 && r[3] == 2));
  return 0;
}
