// expect: rc11 2
// verdict: imm pass
// verdict: armv8 pass
// verdict: power pass
// verdict: riscv pass
// unsupported[-DBUG=4]: armv8 freed while another thread uses it
// expect[-DN=3]: rc11 6
// verdict[-DN=3]: tso pass
// finding[-DBUG=1]: rc11 race use|last
// finding[-DBUG=1]: rc11 use-after-free free
// finding[-DBUG=2]: rc11 race use|last
// finding[-DBUG=2]: rc11 use-after-free free
// finding[-DBUG=3]: rc11 assert once
// finding[-DBUG=3]: sc assert once
// finding[-DBUG=4]: rc11 race use|last
// finding[-DBUG=4]: rc11 use-after-free use|last|free
// finding[-DBUG=4]: sc race use|last
// finding[-DBUG=4]: sc use-after-free use|last|free
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3]: rc11 bug3
// fix[-DBUG=3]: sc bug3
// fix[-DBUG=4 --edits --help-time=55]: rc11 bug4
// blame[-DBUG=4]: sc bug4
//
// An object with a counted number of owners: the one who drops the last reference frees it. Every
// use of the object by any owner is over by then.
//
// BUG 1: the last owner does not acquire what the others did before they dropped theirs.
// BUG 2: dropping a reference publishes nothing.
// BUG 3: the count is decremented in two steps, and one can get lost: nobody is the last.
// BUG 4: main hands out references without counting them.

#include "structures.h"

typedef struct Shared {
  atomic_int owners;
  int used[N];
} Shared;

static Shared *object;
static int freed;

static Shared *clone (Shared *s) {
  atomic_fetch_add_explicit (&s->owners, 1, memory_order_relaxed);
  return s;
}

static int decrement (atomic_int *count) {
  if (BUG == 3) {
    int n = atomic_load_explicit (count, memory_order_acquire); // @bug3
    atomic_store_explicit (count, n - 1, memory_order_release); // @bug3
    return n;
  }
  return atomic_fetch_sub_explicit (count, 1, ORDER (release, 2)); // @bug2
}

static void drop (Shared *s) {
  if (decrement (&s->owners) != 1) return;
  if (BUG != 1) atomic_thread_fence (memory_order_acquire); // @bug1
  for (int i = 0; i < N; i++) s->used[i] = 0; // @last
  freed++;
  free (s); // @free
}

static void *thread (void *arg) {
  Shared *mine = object;
  mine->used[number (arg)] = 1; // @use
  drop (mine);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  object = malloc (sizeof *object);
  if (!object) abort ();
  atomic_init (&object->owners, 1); // @bug4
  for (int i = 0; i < N; i++) object->used[i] = 0;
  for (int i = 1; i < N && BUG != 4; i++) clone (object); // @bug4
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (freed == 1); // @once
}
