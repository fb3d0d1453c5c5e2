// An object that only other threads touch, used after its function has returned, its scope was left or its thread has
// ended; and used before that.
// finding[-DKIND={0..9}]: rc11 use-after-free use
// finding[-DKIND={0..9}]: sc use-after-free use
// finding[-DKIND={0..9}]: tso use-after-free use
// finding[-DKIND={0..9}]: wrc11 use-after-free use
// finding[-DKIND={0..9}]: xmm use-after-free use
// finding[-DKIND={0..9}]: jam21 use-after-free use
// finding[-DKIND={0..9} --jobs=2]: rc11 use-after-free use
// verdict[-DKIND={0..9} -DOK]: rc11 pass
// verdict[-DKIND={0..9} -DOK]: sc pass
// verdict[-DKIND={0..9} -DOK]: xmm pass
// verdict[-DKIND={0..9} -DOK --jobs=2]: rc11 pass
#include <alloca.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

struct pair {
  int mine, theirs;
};
static pthread_t t, owner_thread;
static int *known;
static volatile int three = 3;
static _Thread_local int own;
static const _Thread_local int constant = 1;

static void *use (void *p) {
#if KIND == 5
  return *(const int *)p ? NULL : p; // @use
#else
  *(int *)p = 1; // @use
  return NULL;
#endif
}

static void start (int *p) {
  pthread_create (&t, NULL, use, p);
#ifdef OK
  pthread_join (t, NULL);
#endif
}

static void function (void) {
#if KIND == 0 /* a local variable */
  int x;
  start (&x);
#elif KIND == 1 /* one member of a struct */
  struct pair x;
  x.mine = 1;
  start (&x.theirs);
#elif KIND == 2 /* alloca */
  start (alloca (4));
#elif KIND == 3 /* an array of variable length, in a block */
  for (int i = 0; i < 2; i++) {
    int a[three];
    if (!i) start (a);
  }
#elif KIND == 6 /* a block */
  {
    int x;
    start (&x);
  }
  for (volatile int i = 0; i < 2; i++);
#elif KIND == 7 /* a round of a loop */
  for (int i = 0; i < 2; i++) {
    int x;
    if (!i) start (&x);
  }
#elif KIND == 8 /* of two calls the first */
  static int calls;
  int x;
  if (!calls++) start (&x);
#elif KIND == 9 /* a value that has no name */
  start (&((struct pair){.mine = 1}).theirs);
#endif
}

static void *owner (void *p) {
#if KIND == 4 /* thread-local variables */
  known = &own;
#elif KIND == 5
  known = (int *)(size_t)&constant;
#else
  function ();
  if (KIND == 8) function ();
#endif
#ifdef OK
  if (KIND == 4 || KIND == 5) start (known);
#endif
  return p;
}

int main (void) {
  pthread_create (&owner_thread, NULL, owner, NULL);
  pthread_join (owner_thread, NULL);
#ifndef OK
  if (KIND == 4 || KIND == 5) start (known);
  pthread_join (t, NULL);
#endif
  return 0;
}
