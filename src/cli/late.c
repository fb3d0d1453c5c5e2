#include "cli/late.h"

#include <pthread.h>
#include <unistd.h>

#include "cli/output.h"

struct Watchdog {
  Check *check;
  const char *file; /* at work */
  bool is_over;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
};

/* Half of what may be overrun is left for writing. */
static struct timespec time_to_bite (const Check *c) {
  double left = c->deadline + 0.05 * c->args->timeout + 0.5 - seconds_now ();
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  double at = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + (left > 0 ? left : 0);
  time_t seconds = (time_t)at;
  return (struct timespec){.tv_sec = seconds, .tv_nsec = (long)(1e9 * (at - (double)seconds))};
}

static void *watch (void *arg) {
  Watchdog *w = arg;
  struct timespec end = time_to_bite (w->check);
  pthread_mutex_lock (&w->lock);
  int error = 0;
  while (!w->is_over && !error) error = pthread_cond_timedwait (&w->changed, &w->lock, &end);
  if (!w->is_over) {
    Screen *s = screen_of (w->check);
    Str why = {0};
    progress_erase (&s->progress);
    check_say_late (w->check, "before it could write what it had found", &why);
    screen_unknown (w->check, w->file, why.text);
    save_reports (w->check->args, s->documents, s->out);
    fflush (NULL);
    _exit (EXIT_INCOMPLETE);
  }
  pthread_mutex_unlock (&w->lock);
  return NULL;
}

Watchdog *watchdog_start (Check *shared) {
  const Args *a = shared->args;
  if (!shared->deadline || a->cluster || !a->files.size) return NULL;
  Watchdog *w = mem_zalloc (sizeof *w);
  pthread_condattr_t monotonic;
  w->check = shared;
  w->file = a->files.data[0];
  pthread_mutex_init (&w->lock, NULL);
  pthread_condattr_init (&monotonic);
  pthread_condattr_setclock (&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init (&w->changed, &monotonic);
  pthread_condattr_destroy (&monotonic);
  if (pthread_create (&w->thread, NULL, watch, w)) die_input ("cannot start a thread");
  return w;
}

void watchdog_hold (Watchdog *w) {
  if (w) pthread_mutex_lock (&w->lock);
}

void watchdog_let_go (Watchdog *w) {
  if (w) pthread_mutex_unlock (&w->lock);
}

void watchdog_look_at (Watchdog *w, const char *file) {
  watchdog_hold (w);
  if (w) w->file = file;
  watchdog_let_go (w);
}

void watchdog_stop (Watchdog *w) {
  if (!w) return;
  pthread_mutex_lock (&w->lock);
  w->is_over = true;
  pthread_cond_broadcast (&w->changed);
  pthread_mutex_unlock (&w->lock);
  pthread_join (w->thread, NULL);
  pthread_cond_destroy (&w->changed);
  pthread_mutex_destroy (&w->lock);
  mem_free (w);
}
