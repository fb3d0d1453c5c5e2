/* porf.h - libporf: checks concurrent programs under weak memory models from another program.
 *
 *   porf *p = porf_new ();
 *   porf_set (p, "model", "rc11");
 *   porf_add_file (p, "mp.c");
 *   switch (porf_run (p)) {
 *   case PORF_VIOLATION:
 *     for (size_t i = 0; i < porf_findings (p); i++) {
 *       const porf_finding *f = porf_finding_at (p, i);
 *       printf ("%s:%u: %s\n", porf_finding_file (f), porf_finding_line (f),
 *               porf_finding_message (f));
 *     }
 *     break;
 *   case PORF_ERROR:
 *     fprintf (stderr, "%s\n", porf_error (p));
 *   }
 *   porf_free (p);
 *
 *   cc client.c $(pkg-config --cflags --libs porf)
 *
 * Nothing here shows how it is made, so that a client runs with every later library of the same
 * soname: functions are added, with a symbol version of their own, and never changed. Several
 * checks may be at work at the same time in different threads; one check belongs to one thread,
 * porf_stop apart. A call that fails because of an error in its input leaks some memory.
 */
#ifndef PORF_H
#define PORF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define PORF_ABI_VERSION 1

typedef struct porf porf;                 /* what is to be checked, and what came out */
typedef struct porf_finding porf_finding; /* something that can go wrong; lives as long as the porf,
                                             or until it runs again */

typedef enum porf_verdict {
  PORF_PASS = 0,       /* every execution was explored, and none is wrong */
  PORF_VIOLATION = 42, /* there are findings */
  PORF_INCOMPLETE = 3, /* none so far, but not everything was covered */
  PORF_ERROR = 2       /* the input is wrong, or porf is: porf_error () */
} porf_verdict;

int porf_abi_version (void);     /* PORF_ABI_VERSION of the library that runs */
const char *porf_version (void); /* "0.1.0" */

porf *porf_new (void);
void porf_free (porf *p);               /* NULL is fine */
const char *porf_error (const porf *p); /* why the last call failed; "" if it did not */

/* Each returns 0, or -1 with a message in porf_error.
 *
 * Options have the names and values of `porf check --help`, without the dashes; of one without a
 * value it is NULL: porf_set (p, "unroll", "3"), porf_set (p, "no-race", NULL). Those that print or
 * write reports (output, save, patch, print-executions, all-states, dump) are for the command line. */
int porf_set (porf *p, const char *option, const char *value);
int porf_add_file (porf *p,
                   const char *path); /* .c .cpp .ll .bc .ir .litmus, compile_commands.json */
int porf_add_cflag (porf *p, const char *flag); /* for clang */
/* A memory model of one's own, as the text of a .cat file; `name` is for messages. */
int porf_set_model_text (porf *p, const char *name, const char *cat);

/* Called by porf_run: for every finding when the search of its program is over; and about ten times
 * a second (the machine counts states), to which any other answer than 0 ends the search. */
typedef void porf_finding_callback (void *arg, const porf_finding *f);
typedef int porf_progress_callback (void *arg, uint64_t executions, double seconds);
void porf_on_finding (porf *p, porf_finding_callback *f, void *arg);
void porf_on_progress (porf *p, porf_progress_callback *f, void *arg);

/* Compiles and explores everything that was added. May be called again, after other options. */
porf_verdict porf_run (porf *p);
void porf_stop (porf *p); /* ends a search soon; from any thread or from a signal handler */

/* What came out. Counters are those of `porf check --stats --format json`: "executions", "blocked",
 * …; all programs together. 0 if there is no such counter. */
uint64_t porf_count (const porf *p, const char *counter);
double porf_seconds (const porf *p);
/* As porf_set (p, "format", …) wants it: text unless that was called. */
const char *porf_report (const porf *p);

size_t porf_findings (const porf *p);
const porf_finding *porf_finding_at (const porf *p, size_t i); /* NULL after the last */
const char *porf_finding_kind (const porf_finding *f);         /* "race", see `porf explain` */
const char *porf_finding_message (const porf_finding *f);
const char *porf_finding_file (const porf_finding *f);
unsigned porf_finding_line (const porf_finding *f); /* 0 if unknown */
unsigned porf_finding_column (const porf_finding *f);
const char *porf_finding_thread (const porf_finding *f); /* "main", "t1" */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
