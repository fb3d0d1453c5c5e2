/* late.h - what happens when --timeout is up: searches look at the clock themselves; whatever does
 * not is ended from outside. */
#ifndef PORF_CLI_LATE_H
#define PORF_CLI_LATE_H

#include "cli/screen.h"

/* Ends the process, with such a report, if it is not ended in time. NULL if there is no --timeout,
 * or there are several processes. */
typedef struct Watchdog Watchdog;
Watchdog *watchdog_start (Check *shared);
void watchdog_look_at (Watchdog *w, const char *file); /* the program at work */
/* Whoever writes reports holds it meanwhile. */
void watchdog_hold (Watchdog *w);
void watchdog_let_go (Watchdog *w);
void watchdog_stop (Watchdog *w);

#endif
