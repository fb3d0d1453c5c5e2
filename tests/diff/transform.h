/* transform.h - properties of a model: what compilers do to programs brings no new outcomes. */
#ifndef DIFF_TRANSFORM_H
#define DIFF_TRANSFORM_H

#include <stdbool.h>
#include <stdint.h>

/* Of `count` random programs to which the change can be made; prints those with new outcomes. */
bool transforms_are_sound (const char *model, const char *kind, uint64_t seed, uint64_t count);

#endif
