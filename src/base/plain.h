/* plain.h - text for terminals and logs. What is printed may come from programs, reports and names
 * of files: it must not move the cursor, erase lines or turn the order of letters around. */
#ifndef PORF_PLAIN_H
#define PORF_PLAIN_H

#include <stdio.h>

/* A stream that writes to the file descriptor, with control characters made visible: only ends of
 * lines, tabs and porf's own colours pass. Whoever has something else to say uses the
 * descriptor. */
FILE *plain_stream (int fd);
void plain_output (void); /* from now on, standard output and error are such streams */

#endif
