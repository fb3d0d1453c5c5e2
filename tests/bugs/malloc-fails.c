// Memory that is used without a look whether there was any. That it is there is assumed, and said.
// assumed: rc11 malloc-succeeds
// assumed: mca malloc-succeeds
// assumed[-DTHREAD]: rc11 malloc-succeeds
// assumed[--malloc-fails -DCHECKED]: rc11 nothing
// expect[--malloc-fails -DCHECKED]: rc11 2/0
// verdict[--malloc-fails -DCHECKED -DTHREAD --reduce=none]: tso pass
// finding[--malloc-fails]: rc11 null USE
// finding[--malloc-fails]: sc null USE
// finding[--malloc-fails]: mca null USE
// finding[--malloc-fails -DTHREAD]: rc11 null USE
// finding[--malloc-fails -DGET=calloc(1,sizeof(int))]: rc11 null USE
// finding[--malloc-fails -DGET=realloc(NULL,sizeof(int))]: rc11 null USE
// finding[--malloc-fails -DGET=reallocarray(NULL,1,sizeof(int))]: rc11 null USE
// finding[--malloc-fails -DGET=aligned_alloc(64,64)]: rc11 null USE
// finding[--malloc-fails -DGET=memory()]: rc11 null USE
// finding[--malloc-fails -DGET=strdup(FOUR)]: rc11 null USE
// finding[--malloc-fails -DGET=grown()]: rc11 null USE
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef GET
#define GET malloc (sizeof (int))
#endif

#define FOUR "four"

void *reallocarray (void *, size_t, size_t);

static inline void *memory (void) {
  void *p = NULL;
  return posix_memalign (&p, 64, 64) ? NULL : p;
}

// A block that cannot grow stays as it was.
static int small[4];
static inline void *grown (void) {
  int *p = malloc (sizeof (int));
  if (!p) return small;
  *p = 7;
  int *q = realloc (p, 8 * sizeof (int));
  if (!q && *p != 7) abort ();
  if (!q) free (p);
  return q;
}

static void *use (void *unused) {
  int *p = GET;
#ifdef CHECKED
  if (!p) return unused;
#endif
  *p = 1; // @USE
  return unused;
}

int main (void) {
#ifdef THREAD
  pthread_t t;
  pthread_create (&t, NULL, use, NULL);
  pthread_join (t, NULL);
#else
  use (NULL);
#endif
  return 0;
}
