// Several workers: one of them has learned that `tls` is shared, so that threads end it, and gets a graph from one that has not.
// unsupported[--jobs=2]: armv8 freed while another thread uses it
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
typedef struct { pthread_mutex_t m; sem_t s; atomic_int x, y; int plain; } Node;
static _Atomic (Node *) shared;
static _Atomic (int *) where;
static _Thread_local int tls;
static atomic_int g, h;
static Node *make (void) {
  Node *n = calloc (1, sizeof *n);
  pthread_mutex_init (&n->m, 0);
  sem_init (&n->s, 0, 1);
  return n;
}
static void *run0 (void *u) {
  int r = 0, e = 0, mine = 0, *w = 0; Node *q = 0;
  Node *p = atomic_load_explicit (&shared, memory_order_seq_cst);
  atomic_store_explicit (&where, &tls, memory_order_relaxed);
  pthread_mutex_lock (&p->m);  pthread_mutex_unlock (&p->m);
  (void) r, (void) e, (void) q, (void) w, (void) mine;
  return u;
}
static void *run1 (void *u) {
  int r = 0, e = 0, mine = 0, *w = 0; Node *q = 0;
  Node *p = atomic_load_explicit (&shared, memory_order_seq_cst);
  pthread_mutex_lock (&p->m);  pthread_mutex_unlock (&p->m);
  q = make (); atomic_store_explicit (&shared, q, memory_order_release);
  atomic_store_explicit (&where, &tls, memory_order_relaxed);
  if (r > 1) { r = atomic_exchange_explicit (&g, 1, memory_order_relaxed); }
  (void) r, (void) e, (void) q, (void) w, (void) mine;
  return u;
}
static void *run2 (void *u) {
  int r = 0, e = 0, mine = 0, *w = 0; Node *q = 0;
  Node *p = atomic_load_explicit (&shared, memory_order_acquire);
  sem_post (&p->s);
  tls = r;
  pthread_mutex_lock (&p->m);  pthread_mutex_unlock (&p->m);
  pthread_mutex_lock (&p->m); w = atomic_load_explicit (&where, memory_order_relaxed); if (w) { *w = r; atomic_store_explicit (&p->y, 7, memory_order_release); } pthread_mutex_unlock (&p->m);
  (void) r, (void) e, (void) q, (void) w, (void) mine;
  return u;
}
int main (void) {
  pthread_t t[3];
  Node *p = make ();
  atomic_init (&shared, p);
  pthread_create (&t[0], 0, run0, 0);
  pthread_create (&t[1], 0, run1, 0);
  pthread_create (&t[2], 0, run2, 0);
  int r = 0, e = 0, mine = 0, *w = 0; Node *q = 0;
  e = 0; r = atomic_compare_exchange_strong_explicit (&g, &e, r + 1, memory_order_acquire, memory_order_relaxed);
  (void) r, (void) e, (void) q, (void) w, (void) mine;
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
  pthread_join (t[2], 0);
}
