/* base.h - memory, vectors, strings and hash maps. No word of the domain.
 *
 * Allocation never returns NULL: running out of memory ends the process with a message and exit
 * code 3
 * ("incomplete"), because an exploration that cannot go on has not covered everything.
 */
#ifndef PORF_BASE_H
#define PORF_BASE_H

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

enum {
  EXIT_PASS = 0,
  EXIT_DIFFERENT = 1,
  EXIT_INPUT = 2,
  EXIT_INCOMPLETE = 3,
  EXIT_VIOLATION = 42,
  EXIT_BUG = 70
};

#define ARRAY_SIZE(a) (sizeof (a) / sizeof *(a))
#define NORETURN __attribute__ ((noreturn))
#define PRINTF(f, a) __attribute__ ((format (printf, f, a)))
#define LIKELY(x) __builtin_expect (!!(x), 1)
#define UNLIKELY(x) __builtin_expect (!!(x), 0)

/* The input or the command line is wrong: one message, exit 2. */
NORETURN void die_input (const char *format, ...) PRINTF (1, 2);
/* A message on standard error, no more. */
void tell_user (const char *format, ...) PRINTF (1, 2);
/* porf itself is wrong: exit 70. Use BUG_IF for conditions that must hold in release builds too. */
NORETURN void die_bug (const char *file, int line, const char *what);
#define BUG(what) die_bug (__FILE__, __LINE__, what)
#define BUG_IF(condition)                                                                          \
  do {                                                                                             \
    if (UNLIKELY (condition)) BUG (#condition);                                                    \
  } while (0)

/* All of these end here: the message, if there is one, goes to standard error as it is. */
NORETURN void die (int code, const char *message);

/* A library must not end the process that uses it: while a trap is set, what would do so jumps
 * there instead. One for each thread; what was allocated on the way is lost. */
typedef struct DieTrap {
  jmp_buf jump;
  int code;
  char message[2000];
} DieTrap;
DieTrap *die_set_trap (DieTrap *t); /* NULL: none; returns the one before */

void *mem_alloc (size_t size);
void *mem_zalloc (size_t size);
void *mem_resize (void *old, size_t size);
char *mem_strdup (const char *s);
void mem_free (void *p);
void mem_limit (size_t bytes); /* that may still be taken: then allocation fails */
size_t mem_peak_bytes (void);  /* of the whole process, as the system counts it */

/* A growable array: VEC (int) v = {0}; vec_push (&v, 1); v.data[0]; v.size; vec_free (&v). */
#define VEC(T)                                                                                     \
  struct {                                                                                         \
    T *data;                                                                                       \
    u32 size, capacity;                                                                            \
  }
#define vec_reserve(v, n)                                                                          \
  do {                                                                                             \
    if ((v)->capacity < (n))                                                                       \
      (v)->data = vec_grow_ ((v)->data, &(v)->capacity, (n), sizeof *(v)->data);                   \
  } while (0)
#define vec_push(v, x)                                                                             \
  do {                                                                                             \
    vec_reserve (v, (v)->size + 1);                                                                \
    (v)->data[(v)->size++] = (x);                                                                  \
  } while (0)
#define vec_pop(v) ((v)->data[--(v)->size])
#define vec_last(v) ((v)->data[(v)->size - 1])
#define vec_free(v)                                                                                \
  do {                                                                                             \
    mem_free ((v)->data);                                                                          \
    (v)->data = NULL;                                                                              \
    (v)->size = (v)->capacity = 0;                                                                 \
  } while (0)
void *vec_grow_ (void *data, u32 *capacity, u32 needed, size_t item);

/* A string that grows; text is always terminated. */
typedef struct {
  char *text;
  size_t length, capacity;
} Str;
void str_add (Str *s, const char *text);
void str_add_n (Str *s, const char *text, size_t n);
void str_printf (Str *s, const char *format, ...) PRINTF (2, 3);
void str_clear (Str *s);
void str_free (Str *s);
/* For people: 1234, 5.6e7; 0.52 s, 12 s, 3 min, 5 h, 2 days, 7e3 years. */
void str_add_amount (Str *s, double n);
void str_add_duration (Str *s, double seconds);
/* Edits that turn a into b: insert, delete, change, swap neighbours. Words beyond 32 characters are
 * far from everything. */
u32 str_distance (const char *a, const char *b);

/* Reads a whole file; NULL with errno set if it cannot. The caller frees it; size excludes the
 * NUL. */
char *file_read (const char *path, size_t *size);
/* The same for names that a program or a report chose: not of a device or a pipe, which may never
 * end. */
char *file_read_regular (const char *path, size_t *size);

/* Hash map from any u64 key to u64. */
typedef struct {
  u64 *keys, *values;
  u8 *used;
  u32 size, capacity;
} Map;
bool map_get (const Map *m, u64 key, u64 *value);
void map_put (Map *m, u64 key, u64 value);
void map_clear (Map *m);
void map_free (Map *m);

static inline u64 hash_mix (u64 h, u64 x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 29);
}
u64 hash_bytes (const void *data, size_t size, u64 seed);
void sha256 (const void *data, size_t size, Str *out); /* appends 64 hexadecimal digits */

/* As of a program that a shell has started: none is blocked, and those that say how children and pipes
 * end are not ignored, here and in the programs that are started. */
void signals_reset (void);
double seconds_now (void); /* of a clock that only goes forward */

#endif
