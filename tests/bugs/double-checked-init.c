// Double-checked initialisation: a relaxed first check lets a reader use the object before it is built.
// finding[-DLOAD=memory_order_relaxed]: rc11 race R|W
// verdict[-DLOAD=memory_order_acquire]: rc11 pass
// verdict[-DLOAD=memory_order_acquire]: rc20 pass
// verdict[-DLOAD=memory_order_acquire]: sc pass
#include <pthread.h>
#include <stdatomic.h>

static struct config {
  int answer;
} storage;
static struct config *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get (void) {
  struct config *c = atomic_load_explicit (&instance, LOAD);
  if (c) return c;
  pthread_mutex_lock (&lock);
  c = atomic_load_explicit (&instance, memory_order_relaxed);
  if (!c) {
    c = &storage;
    c->answer = 42; // @W
    atomic_store_explicit (&instance, c, memory_order_release);
  }
  pthread_mutex_unlock (&lock);
  return c;
}

static void *user (void *unused) {
  int answer = get ()->answer; // @R
  return answer == 42 ? NULL : &storage;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, user, NULL);
  pthread_create (&b, NULL, user, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
