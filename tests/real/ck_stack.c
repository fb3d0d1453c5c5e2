// Concurrency Kit's stack: pushes of several threads, pops one by one or all at once. Popping with several consumers
// and reuse (mpmc) reads halves of what it exchanges with cmpxchg16b, which is refused by name.
// verdict: rc11 pass
// verdict: tso pass
// verdict[-DBATCH]: rc11 pass
// verdict[-DBATCH]: tso pass
// verdict[-DTRY]: rc11 pass
// verdict[-DTRY]: tso pass
// verdict[--no-race -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO]: rc11 pass
// unsupported[-DMPMC]: rc11 atomic accesses of different sizes
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stddef.h>

typedef struct Item {
  int value;
  ck_stack_entry_t entry;
} Item;

CK_STACK_CONTAINER (Item, entry, item_of)

static ck_stack_t stack;
static Item items[2];

static void *push (void *arg) {
  Item *i = arg;
  i->value = 1;
  ck_stack_push_upmc (&stack, &i->entry);
  return NULL;
}

static int take (ck_stack_entry_t *e) {
  assert (item_of (e)->value == 1);
  item_of (e)->value = 2;
  return 1;
}

static int pop (void) {
#if defined BATCH
  int count = 0;
  for (ck_stack_entry_t *e = ck_stack_batch_pop_upmc (&stack), *next; e; e = next) {
    next = CK_STACK_NEXT (e);
    count += take (e);
  }
  return count;
#elif defined TRY
  ck_stack_entry_t *e;
  return ck_stack_trypop_upmc (&stack, &e) ? take (e) : 0;
#elif defined MPMC
  ck_stack_entry_t *e = ck_stack_pop_mpmc (&stack);
  return e ? take (e) : 0;
#else
  ck_stack_entry_t *e = ck_stack_pop_upmc (&stack);
  return e ? take (e) : 0;
#endif
}

static void *popper (void *arg) {
  *(int *)arg = pop ();
  return NULL;
}

int main (void) {
  pthread_t t[3];
  int count, last;
  ck_stack_init (&stack);
  for (int i = 0; i < 2; i++) pthread_create (&t[i], NULL, push, &items[i]);
  pthread_create (&t[2], NULL, popper, &count);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  while ((last = pop ())) count += last;
  assert (count == 2 && CK_STACK_ISEMPTY (&stack));
  return 0;
}
