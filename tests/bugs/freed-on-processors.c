// verdict: imm pass
// verdict: armv8 pass
// verdict: power pass
// verdict: riscv pass
// finding[-DBUG=1]: imm use-after-free use
// finding[-DBUG=1]: armv8 use-after-free use
// finding[-DBUG=1]: power use-after-free use
// finding[-DBUG=1]: riscv use-after-free use
// finding[-DBUG=2]: imm double-free again
// finding[-DBUG=2]: armv8 double-free again
// unsupported[-DBUG=3]: imm freed while another thread uses it
// unsupported[-DBUG=3]: riscv freed while another thread uses it
// finding[-DBUG=3]: rc11 use-after-free
//
// A block is handed over by release and acquire, used by the other thread, and freed when that has said so, under a
// mutex. BUG 1: it is used after that. BUG 2: it is freed by both. BUG 3: what the other thread says is relaxed.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *_Atomic block;
static atomic_int is_done;
static int is_freed;

static void *user (void *arg) {
  int *p = atomic_load_explicit (&block, memory_order_acquire);
  if (!p) return arg;
  *p = 2;
  if (BUG == 3) {
    atomic_store_explicit (&is_done, 1, memory_order_relaxed);
    return arg;
  }
  pthread_mutex_lock (&lock);
  if (BUG == 1 && is_freed) *p = 3; // @use
  if (BUG == 2 && is_freed) free (p); // @again
  atomic_store_explicit (&is_done, 1, memory_order_relaxed);
  pthread_mutex_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  int *p = malloc (sizeof *p);
  *p = 1;
  pthread_create (&t, NULL, user, NULL);
  atomic_store_explicit (&block, p, memory_order_release);
  pthread_mutex_lock (&lock);
  if (BUG || atomic_load_explicit (&is_done, memory_order_relaxed)) {
    if (BUG != 3 || atomic_load_explicit (&is_done, memory_order_relaxed)) free (p);
    is_freed = 1;
  }
  pthread_mutex_unlock (&lock);
  pthread_join (t, NULL);
  return 0;
}
