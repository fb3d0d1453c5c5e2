// Fences of x86, Arm, POWER and RISC-V in inline assembly: which of them repair message passing on the reader's side
// (READ), on the writer's side (WRITE), and store buffering (FULL). Hints repair nothing.
// verdict[-DREAD='"mfence"']: rc11 pass
// verdict[-DWRITE='"mfence"']: rc11 pass
// verdict[-DFULL='"mfence"']: rc11 pass
// verdict[-DREAD='"lock; addl $0,0(%%rsp)"']: rc11 pass
// verdict[-DWRITE='"lock; addl $0,0(%%rsp)"']: rc11 pass
// verdict[-DFULL='"lock; addl $0,0(%%rsp)"']: rc11 pass
// verdict[-DREAD='"lfence"']: rc11 pass
// finding[-DWRITE='"lfence"']: rc11 assert
// finding[-DFULL='"lfence"']: rc11 assert
// finding[-DREAD='"sfence"']: rc11 assert
// verdict[-DWRITE='"sfence"']: rc11 pass
// finding[-DFULL='"sfence"']: rc11 assert
// verdict[-DREAD='"dmb ish"']: rc11 pass
// verdict[-DWRITE='"dmb ish"']: rc11 pass
// verdict[-DFULL='"dmb ish"']: rc11 pass
// verdict[-DREAD='"dmb sy"']: rc11 pass
// verdict[-DWRITE='"dmb sy"']: rc11 pass
// verdict[-DFULL='"dmb sy"']: rc11 pass
// verdict[-DREAD='"DMB ISH"']: rc11 pass
// verdict[-DWRITE='"DMB ISH"']: rc11 pass
// verdict[-DFULL='"DMB ISH"']: rc11 pass
// verdict[-DREAD='"dmb ishld"']: rc11 pass
// finding[-DWRITE='"dmb ishld"']: rc11 assert
// finding[-DFULL='"dmb ishld"']: rc11 assert
// finding[-DREAD='"dmb ishst"']: rc11 assert
// verdict[-DWRITE='"dmb ishst"']: rc11 pass
// finding[-DFULL='"dmb ishst"']: rc11 assert
// verdict[-DREAD='"dsb sy"']: rc11 pass
// verdict[-DWRITE='"dsb sy"']: rc11 pass
// verdict[-DFULL='"dsb sy"']: rc11 pass
// verdict[-DREAD='"dsb ish"']: rc11 pass
// verdict[-DWRITE='"dsb ish"']: rc11 pass
// verdict[-DFULL='"dsb ish"']: rc11 pass
// verdict[-DREAD='"dsb ishld"']: rc11 pass
// finding[-DWRITE='"dsb ishld"']: rc11 assert
// finding[-DFULL='"dsb ishld"']: rc11 assert
// finding[-DREAD='"dsb ishst"']: rc11 assert
// verdict[-DWRITE='"dsb ishst"']: rc11 pass
// finding[-DFULL='"dsb ishst"']: rc11 assert
// verdict[-DREAD='"sync"']: rc11 pass
// verdict[-DWRITE='"sync"']: rc11 pass
// verdict[-DFULL='"sync"']: rc11 pass
// verdict[-DREAD='"lwsync"']: rc11 pass
// verdict[-DWRITE='"lwsync"']: rc11 pass
// finding[-DFULL='"lwsync"']: rc11 assert
// finding[-DREAD='"eieio"']: rc11 assert
// verdict[-DWRITE='"eieio"']: rc11 pass
// finding[-DFULL='"eieio"']: rc11 assert
// verdict[-DREAD='"fence rw,rw"']: rc11 pass
// verdict[-DWRITE='"fence rw,rw"']: rc11 pass
// verdict[-DFULL='"fence rw,rw"']: rc11 pass
// verdict[-DREAD='"fence iorw, iorw"']: rc11 pass
// verdict[-DWRITE='"fence iorw, iorw"']: rc11 pass
// verdict[-DFULL='"fence iorw, iorw"']: rc11 pass
// verdict[-DREAD='"fence.tso"']: rc11 pass
// verdict[-DWRITE='"fence.tso"']: rc11 pass
// finding[-DFULL='"fence.tso"']: rc11 assert
// verdict[-DREAD='"fence r,rw"']: rc11 pass
// finding[-DWRITE='"fence r,rw"']: rc11 assert
// finding[-DFULL='"fence r,rw"']: rc11 assert
// verdict[-DREAD='"fence r,r"']: rc11 pass
// finding[-DWRITE='"fence r,r"']: rc11 assert
// finding[-DFULL='"fence r,r"']: rc11 assert
// finding[-DREAD='"fence rw,w"']: rc11 assert
// verdict[-DWRITE='"fence rw,w"']: rc11 pass
// finding[-DFULL='"fence rw,w"']: rc11 assert
// finding[-DREAD='"fence w,w"']: rc11 assert
// verdict[-DWRITE='"fence w,w"']: rc11 pass
// finding[-DFULL='"fence w,w"']: rc11 assert
// finding[-DREAD='""']: rc11 assert
// finding[-DWRITE='""']: rc11 assert
// finding[-DFULL='""']: rc11 assert
// finding[-DREAD='"nop"']: rc11 assert
// finding[-DWRITE='"nop"']: rc11 assert
// finding[-DFULL='"nop"']: rc11 assert
// finding[-DREAD='"pause"']: rc11 assert
// finding[-DWRITE='"pause"']: rc11 assert
// finding[-DFULL='"pause"']: rc11 assert
// finding[-DREAD='"rep; nop"']: rc11 assert
// finding[-DWRITE='"rep; nop"']: rc11 assert
// finding[-DFULL='"rep; nop"']: rc11 assert
// finding[-DREAD='"yield"']: rc11 assert
// finding[-DWRITE='"yield"']: rc11 assert
// finding[-DFULL='"yield"']: rc11 assert
// finding[-DREAD='"wfe"']: rc11 assert
// finding[-DWRITE='"wfe"']: rc11 assert
// finding[-DFULL='"wfe"']: rc11 assert
// finding[-DREAD='"sev"']: rc11 assert
// finding[-DWRITE='"sev"']: rc11 assert
// finding[-DFULL='"sev"']: rc11 assert
// finding[-DREAD='"isb"']: rc11 assert
// finding[-DWRITE='"isb"']: rc11 assert
// finding[-DFULL='"isb"']: rc11 assert
// finding[-DREAD='"isync"']: rc11 assert
// finding[-DWRITE='"isync"']: rc11 assert
// finding[-DFULL='"isync"']: rc11 assert
// finding[-DREAD='"or 27,27,27"']: rc11 assert
// finding[-DWRITE='"or 27,27,27"']: rc11 assert
// finding[-DFULL='"or 27,27,27"']: rc11 assert
// finding[-DREAD='"fence.i"']: rc11 assert
// finding[-DWRITE='"fence.i"']: rc11 assert
// finding[-DFULL='"fence.i"']: rc11 assert
// unsupported[-DFULL='"dmb nothing"']: rc11 inline assembly
// unsupported[-DFULL='"fence x"']: rc11 inline assembly
// unsupported[-DFULL='"wrmsr"']: rc11 inline assembly
// unsupported[-DFULL='"hlt"']: rc11 inline assembly
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define FENCE(text) __asm__ volatile (text ::: "memory")
static atomic_int x, y;
static int r;

static int get (atomic_int *a) { return atomic_load_explicit (a, memory_order_relaxed); }
static void set (atomic_int *a) { atomic_store_explicit (a, 1, memory_order_relaxed); }

static void *other (void *unused) {
#ifdef FULL
  set (&x);
  FENCE (FULL);
  r = get (&y);
#else
  set (&x);
#ifdef WRITE
  FENCE (WRITE);
#else
  atomic_thread_fence (memory_order_release);
#endif
  set (&y);
#endif
  return unused;
}

int main (void) {
  pthread_t t;
  int a;
  pthread_create (&t, 0, other, 0);
#ifdef FULL
  set (&y);
  FENCE (FULL);
  a = get (&x);
  pthread_join (t, 0);
  assert (a || r);
#else
  a = get (&y);
#ifdef READ
  FENCE (READ);
#else
  atomic_thread_fence (memory_order_acquire);
#endif
  int b = get (&x);
  pthread_join (t, 0);
  assert (!a || b);
#endif
  return 0;
}
