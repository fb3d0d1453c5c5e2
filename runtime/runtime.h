/* runtime.h - what runtime code may call: the builtins of the VM (src/ir/builtins.def) under the
 * names __porf_*.
 *
 * The functions in this folder are the C library of checked programs. porf-cc compiles them at
 * build time and porf links those that a program uses. Their positions say <porf>/FILE, by which
 * reports know to show the line of the program that called them. What is missing is refused by name
 * when a program reaches it; a function that finds itself asked for something it cannot do calls a
 * function that does not exist and whose name says what.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define NAMED(symbol) __asm__ (symbol) /* what C cannot declare by its own name */

unsigned long __porf_thread_create (void *(*function) (void *), void *argument);
void *__porf_thread_join (unsigned long handle);
_Noreturn void __porf_thread_exit (void *value);
_Noreturn void __porf_unwind (const void *type);
void __porf_thread_detach (unsigned long handle);
void __porf_at_end (void *(*function) (void *));
unsigned long __porf_thread_self (void);
unsigned long __porf_thread_number (void);
long __porf_turn (void *address, unsigned long count);
void __porf_mutex_lock (void *word);
long __porf_mutex_trylock (void *word);
void __porf_mutex_unlock (void *word);
void __porf_lock_part (void *word, long number);
unsigned __porf_take (void *word);
void *__porf_shadow (void *address);
long __porf_word_state (void *word);
long __porf_life (void *object, long what);
long __porf_is_defined (long value);
void __porf_misuse (void *lock, const char *text);
void __porf_thread_misuse (unsigned long handle, const char *text);
unsigned long __porf_effects (unsigned long set);
void *__porf_malloc (size_t size);
void *__porf_aligned_alloc (size_t align, size_t size);
void *__porf_calloc (size_t size);
void *__porf_new (size_t align, size_t size, long how);
void __porf_free (void *address);
void __porf_delete (void *address, long how);
size_t __porf_object_size (void *address);
_Noreturn void __porf_assert_fail (const char *text);
_Noreturn void __porf_abort (void);
_Noreturn void __porf_terminate (const char *text);
_Noreturn void __porf_exit (long status);
void __porf_assume (long condition);
long __porf_nondet (long bytes, long is_signed);
long __porf_spurious (void);
long __porf_lifted (long assumption);
long __porf_timeout (void);
long __porf_output (const char *format, ...);
double __porf_math (long function, double a, double b);
long __porf_float_text (double value, long spec, long part);
void __porf_yield (void);

/* Arguments of __porf_lifted. */
enum {
#define ASSUMPTION(id, word, text, option) id,
#include "../src/core/assumption.def"
#undef ASSUMPTION
};

/* Results of __porf_word_state. Memory in state WORD_EMPTY is never written as long as it stays in
 * it, so looking costs no events. */
enum { WORD_EMPTY, WORD_MINE, WORD_SHARED };

/* What a lock word holds when its lock has been destroyed (LOCK_DESTROYED of src/core/core.h). */
enum { DESTROYED = 0x10000 };

/* Any of two: both are explored. */
static inline bool any_bool (void) { return __porf_nondet (0, 0) != 0; }

#endif
