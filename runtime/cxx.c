/* cxx.c - what clang++ expects of the C++ run-time library: memory, static objects and std::thread
 * (libstdc++). Exceptions are in exception.c. */
#include "runtime.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void *cxx_new (size_t size) NAMED ("_Znwm");
void *cxx_new_array (size_t size) NAMED ("_Znam");
void cxx_delete (void *p) NAMED ("_ZdlPv");
void cxx_delete_sized (void *p, size_t size) NAMED ("_ZdlPvm");
void cxx_delete_array (void *p) NAMED ("_ZdaPv");
void cxx_delete_array_sized (void *p, size_t size) NAMED ("_ZdaPvm");
/* How a block was made, which is how it must be freed. */
enum { ONE = 1, ARRAY = 2, NOTHROW = 4 };

void *cxx_new (size_t size) { return __porf_new (16, size, ONE); }
void *cxx_new_array (size_t size) { return __porf_new (16, size, ARRAY); }
void cxx_delete (void *p) { __porf_delete (p, ONE); }
void cxx_delete_sized (void *p, size_t size) {
  (void)size;
  __porf_delete (p, ONE);
}
void cxx_delete_array (void *p) { __porf_delete (p, ARRAY); }
void cxx_delete_array_sized (void *p, size_t size) {
  (void)size;
  __porf_delete (p, ARRAY);
}

/* Larger alignments, and operators that return null instead of throwing. */
void *cxx_new_aligned (size_t size, size_t align) NAMED ("_ZnwmSt11align_val_t");
void *cxx_new_aligned (size_t size, size_t align) { return __porf_new (align, size, ONE); }
void *cxx_new_array_aligned (size_t size, size_t align) NAMED ("_ZnamSt11align_val_t");
void *cxx_new_array_aligned (size_t size, size_t align) { return __porf_new (align, size, ARRAY); }
void cxx_delete_aligned (void *p, size_t align) NAMED ("_ZdlPvSt11align_val_t");
void cxx_delete_aligned (void *p, size_t align) { cxx_delete_sized (p, align); }
void cxx_delete_array_aligned (void *p, size_t align) NAMED ("_ZdaPvSt11align_val_t");
void cxx_delete_array_aligned (void *p, size_t align) { cxx_delete_array_sized (p, align); }
void cxx_delete_sized_aligned (void *p, size_t size, size_t align) NAMED ("_ZdlPvmSt11align_val_t");
void cxx_delete_sized_aligned (void *p, size_t size, size_t align) {
  (void)size;
  cxx_delete_sized (p, align);
}
void *cxx_new_nothrow (size_t size, const void *tag) NAMED ("_ZnwmRKSt9nothrow_t");
void *cxx_new_nothrow (size_t size, const void *tag) {
  (void)tag;
  return __porf_new (16, size, ONE | NOTHROW);
}
void *cxx_new_array_nothrow (size_t size, const void *tag) NAMED ("_ZnamRKSt9nothrow_t");
void *cxx_new_array_nothrow (size_t size, const void *tag) {
  (void)tag;
  return __porf_new (16, size, ARRAY | NOTHROW);
}

_Noreturn void __cxa_pure_virtual (void);
_Noreturn void __cxa_pure_virtual (void) {
  __porf_terminate ("a pure virtual function can be called");
}

/* Static objects in functions: 0 not made, 1 being made, 2 made. The compiler tests the first byte
 * itself. */
int __cxa_guard_acquire (_Atomic unsigned char *guard);
int __cxa_guard_acquire (_Atomic unsigned char *guard) {
  _Atomic unsigned char *busy = guard + 1;
  do {
    unsigned char expected = 0;
    if (atomic_compare_exchange_strong_explicit (busy, &expected, 1, memory_order_acquire,
                                                 memory_order_relaxed))
      return 1;
  } while (!atomic_load_explicit (guard, memory_order_acquire));
  return 0;
}
/* The constructor has thrown: the next thread tries again. */
void __cxa_guard_abort (_Atomic unsigned char *guard);
void __cxa_guard_abort (_Atomic unsigned char *guard) {
  atomic_store_explicit (guard + 1, 0, memory_order_release);
}
void __cxa_guard_release (_Atomic unsigned char *guard);
void __cxa_guard_release (_Atomic unsigned char *guard) {
  atomic_store_explicit (guard, 1, memory_order_release);
}

/* std::thread holds the handle; its state object has virtual functions: two destructors, then the
 * one to run. */
typedef struct ThreadState {
  void (**functions) (struct ThreadState *);
} ThreadState;

static void *run_thread_state (void *argument) {
  ThreadState *s = argument;
  s->functions[2](s);
  s->functions[1](s);
  return NULL;
}

void cxx_thread_start (unsigned long *self, ThreadState **state, void (*unused) (void))
    NAMED ("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void cxx_thread_start (unsigned long *self, ThreadState **state, void (*unused) (void)) {
  (void)unused;
  *self = __porf_thread_create (run_thread_state, *state);
  *state = NULL;
}
/* libstdc++'s own would only call std::terminate. */
void cxx_thread_done (unsigned long *self) NAMED ("_ZNSt6threadD2Ev");
void cxx_thread_done (unsigned long *self) {
  if (*self) __porf_terminate ("a std::thread can be destroyed that was not joined or detached");
}
unsigned cxx_thread_count (void) NAMED ("_ZNSt6thread20hardware_concurrencyEv");
unsigned cxx_thread_count (void) { return 4; }
void cxx_thread_state_done (ThreadState *s) NAMED ("_ZNSt6thread6_StateD2Ev");
void cxx_thread_state_done (ThreadState *s) { (void)s; }

/* std::condition_variable is a pthread_cond_t; a lock begins with a pointer to its mutex. */
void cxx_condition_new (pthread_cond_t *c) NAMED ("_ZNSt18condition_variableC1Ev");
void cxx_condition_new (pthread_cond_t *c) { pthread_cond_init (c, NULL); }
void cxx_condition_done (pthread_cond_t *c) NAMED ("_ZNSt18condition_variableD1Ev");
void cxx_condition_done (pthread_cond_t *c) { pthread_cond_destroy (c); }
void cxx_condition_wait (pthread_cond_t *c, pthread_mutex_t **lock)
    NAMED ("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void cxx_condition_wait (pthread_cond_t *c, pthread_mutex_t **lock) {
  pthread_cond_wait (c, *lock);
}
void cxx_condition_notify_one (pthread_cond_t *c) NAMED ("_ZNSt18condition_variable10notify_oneEv");
void cxx_condition_notify_one (pthread_cond_t *c) { pthread_cond_signal (c); }
void cxx_condition_notify_all (pthread_cond_t *c) NAMED ("_ZNSt18condition_variable10notify_allEv");
void cxx_condition_notify_all (pthread_cond_t *c) { pthread_cond_broadcast (c); }

/* std::call_once hands over what to call in these. */
_Thread_local void *cxx_once_callable NAMED ("_ZSt15__once_callable");
_Thread_local void (*cxx_once_call) (void) NAMED ("_ZSt11__once_call");
void __once_proxy (void);
void __once_proxy (void) { cxx_once_call (); }

/* Programs have threads: std::shared_ptr counts with atomics. */
char __libc_single_threaded = 0;

/* libstdc++'s own would read both counts at once, which no model here defines. */
typedef struct SharedCount {
  void (**functions) (struct SharedCount *); /* two destructors, dispose, destroy */
  _Atomic int uses, weak_uses;
} SharedCount;
void cxx_shared_release (SharedCount *c)
    NAMED ("_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE10_M_releaseEv");
void cxx_shared_release (SharedCount *c) {
  if (atomic_fetch_sub_explicit (&c->uses, 1, memory_order_acq_rel) != 1) return;
  c->functions[2](c);
  if (atomic_fetch_sub_explicit (&c->weak_uses, 1, memory_order_acq_rel) == 1) c->functions[3](c);
}

/* ---- clocks: nanoseconds */

long cxx_steady_now (void) NAMED ("_ZNSt6chrono3_V212steady_clock3nowEv");
long cxx_steady_now (void) { return seconds () * 1000000000; }
long cxx_system_now (void) NAMED ("_ZNSt6chrono3_V212system_clock3nowEv");
long cxx_system_now (void) { return seconds () * 1000000000; }

/* ---- streams: output is shown, nothing else of a stream is there */

void cxx_streams_new (void *s) NAMED ("_ZNSt8ios_base4InitC1Ev");
void cxx_streams_new (void *s) { (void)s; }
void cxx_streams_done (void *s) NAMED ("_ZNSt8ios_base4InitD1Ev");
void cxx_streams_done (void *s) { (void)s; }

#define WRITES(name, symbol, type, format)                                                         \
  void *name (void *stream, type value) NAMED (symbol);                                            \
  void *name (void *stream, type value) {                                                          \
    __porf_output (format, value);                                                                 \
    return stream;                                                                                 \
  }
WRITES (cxx_write_text, "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", const char *,
        "%s")
WRITES (cxx_write_char, "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", char, "%c")
WRITES (cxx_write_int, "_ZNSolsEi", int, "%d")
WRITES (cxx_write_short, "_ZNSolsEs", short, "%hd")
WRITES (cxx_write_unsigned, "_ZNSolsEj", unsigned, "%u")
WRITES (cxx_write_unsigned_short, "_ZNSolsEt", unsigned short, "%u")
WRITES (cxx_write_long, "_ZNSolsEl", long, "%ld")
WRITES (cxx_write_unsigned_long, "_ZNSolsEm", unsigned long, "%lu")
WRITES (cxx_write_long_long, "_ZNSolsEx", long long, "%lld")
WRITES (cxx_write_unsigned_long_long, "_ZNSolsEy", unsigned long long, "%llu")
WRITES (cxx_write_bool, "_ZNSolsEb", bool, "%d")
WRITES (cxx_write_double, "_ZNSolsEd", double, "%g")
WRITES (cxx_write_pointer, "_ZNSolsEPKv", const void *, "%p")
WRITES (cxx_put, "_ZNSo3putEc", char, "%c")
#undef WRITES
void *cxx_write_float (void *stream, float value) NAMED ("_ZNSolsEf");
void *cxx_write_float (void *stream, float value) {
  return cxx_write_double (stream, (double)value);
}
void *cxx_write_bytes (void *stream, const char *from, long n) NAMED ("_ZNSo5writeEPKcl");
void *cxx_write_bytes (void *stream, const char *from, long n) {
  write_bytes (from, (size_t)n);
  return stream;
}
void *cxx_insert_bytes (void *stream, const char *from, long n)
    NAMED ("_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l");
void *cxx_insert_bytes (void *stream, const char *from, long n) {
  return cxx_write_bytes (stream, from, n);
}
void *cxx_end_line (void *stream)
    NAMED ("_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_");
void *cxx_end_line (void *stream) { return cxx_put (stream, '\n'); }
void *cxx_flush (void *stream)
    NAMED ("_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_");
void *cxx_flush (void *stream) { return stream; }
void *cxx_flush_member (void *stream) NAMED ("_ZNSo5flushEv");
void *cxx_flush_member (void *stream) { return stream; }
void *cxx_apply (void *stream, void *(*what) (void *)) NAMED ("_ZNSolsEPFRSoS_E");
void *cxx_apply (void *stream, void *(*what) (void *)) { return what (stream); }

/* ---- std::map, std::set: search trees. Nothing depends on their being balanced. */

typedef struct TreeNode TreeNode;
struct TreeNode {
  int color;
  TreeNode *parent, *left, *right;
};

static TreeNode *leftmost (TreeNode *n) {
  while (n->left) n = n->left;
  return n;
}
static TreeNode *rightmost (TreeNode *n) {
  while (n->right) n = n->right;
  return n;
}

/* The header is the root's parent, the root is the header's, and the header is red. */
enum { RED, BLACK };
static bool is_header (const TreeNode *n) { return n->color == RED; }

TreeNode *cxx_tree_next (TreeNode *n) NAMED ("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
TreeNode *cxx_tree_next (TreeNode *n) {
  if (n->right) return leftmost (n->right);
  while (!is_header (n->parent) && n == n->parent->right) n = n->parent;
  return n->parent;
}
TreeNode *cxx_tree_previous (TreeNode *n) NAMED ("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
TreeNode *cxx_tree_previous (TreeNode *n) {
  if (is_header (n)) return n->right;
  if (n->left) return rightmost (n->left);
  while (!is_header (n->parent) && n == n->parent->left) n = n->parent;
  return n->parent;
}
TreeNode *cxx_tree_next_const (TreeNode *n)
    NAMED ("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
TreeNode *cxx_tree_next_const (TreeNode *n) { return cxx_tree_next (n); }
TreeNode *cxx_tree_previous_const (TreeNode *n)
    NAMED ("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
TreeNode *cxx_tree_previous_const (TreeNode *n) { return cxx_tree_previous (n); }

void cxx_tree_insert (bool is_left, TreeNode *n, TreeNode *parent, TreeNode *header)
    NAMED ("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
void cxx_tree_insert (bool is_left, TreeNode *n, TreeNode *parent, TreeNode *header) {
  n->color = BLACK;
  n->parent = parent;
  n->left = n->right = NULL;
  if (parent == header) {
    header->parent = header->left = header->right = n;
  } else if (is_left) {
    parent->left = n;
    if (parent == header->left) header->left = n;
  } else {
    parent->right = n;
    if (parent == header->right) header->right = n;
  }
}

static void tree_replace (TreeNode *old, TreeNode *new, TreeNode *header) {
  if (header->parent == old)
    header->parent = new;
  else if (old->parent->left == old)
    old->parent->left = new;
  else
    old->parent->right = new;
  if (new) new->parent = old->parent;
}

TreeNode *cxx_tree_erase (TreeNode *n, TreeNode *header)
    NAMED ("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
TreeNode *cxx_tree_erase (TreeNode *n, TreeNode *header) {
  TreeNode *left = cxx_tree_previous (n), *right = cxx_tree_next (n);
  bool was_first = header->left == n, was_last = header->right == n;
  if (n->left && n->right) {
    if (right != n->right) {
      tree_replace (right, right->right, header);
      right->right = n->right;
      right->right->parent = right;
    }
    right->left = n->left;
    right->left->parent = right;
    tree_replace (n, right, header);
  } else {
    tree_replace (n, n->left ? n->left : n->right, header);
  }
  if (was_first) header->left = right;
  if (was_last) header->right = left;
  return n;
}

/* ---- std::list */

typedef struct ListNode ListNode;
struct ListNode {
  ListNode *next, *previous;
};
void cxx_list_hook (ListNode *n, ListNode *before)
    NAMED ("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void cxx_list_hook (ListNode *n, ListNode *before) {
  n->next = before;
  n->previous = before->previous;
  before->previous->next = n;
  before->previous = n;
}
void cxx_list_unhook (ListNode *n) NAMED ("_ZNSt8__detail15_List_node_base9_M_unhookEv");
void cxx_list_unhook (ListNode *n) {
  n->previous->next = n->next;
  n->next->previous = n->previous;
}

/* [first, last) moves from its list to before n. */
void cxx_list_transfer (ListNode *n, ListNode *first, ListNode *last)
    NAMED ("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
void cxx_list_transfer (ListNode *n, ListNode *first, ListNode *last) {
  if (n == last) return;
  ListNode *end = last->previous;
  first->previous->next = last;
  last->previous = first->previous;
  n->previous->next = first;
  first->previous = n->previous;
  end->next = n;
  n->previous = end;
}

/* ---- std::unordered_map: twice as many buckets each time they are full */

typedef struct Rehash {
  float most;
  size_t next;
} Rehash;
typedef struct NeedsRehash {
  bool yes;
  size_t buckets;
} NeedsRehash;
size_t cxx_next_buckets (Rehash *r, size_t n)
    NAMED ("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm");
size_t cxx_next_buckets (Rehash *r, size_t n) {
  size_t buckets = 13;
  while (buckets < n) buckets = 2 * buckets + 1;
  r->next = buckets;
  return buckets;
}
NeedsRehash cxx_need_rehash (Rehash *r, size_t buckets, size_t elements, size_t more)
    NAMED ("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm");
NeedsRehash cxx_need_rehash (Rehash *r, size_t buckets, size_t elements, size_t more) {
  if (elements + more <= r->next && buckets > 1) return (NeedsRehash){false, 0};
  return (NeedsRehash){true, cxx_next_buckets (r, elements + more + 1)};
}
size_t cxx_hash_bytes (const void *from, size_t n, size_t seed) NAMED ("_ZSt11_Hash_bytesPKvmm");
size_t cxx_hash_bytes (const void *from, size_t n, size_t seed) {
  for (size_t i = 0; i < n; i++) seed = seed * 31 + ((const unsigned char *)from)[i];
  return seed;
}
