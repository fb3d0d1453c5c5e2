/* machine.h - options of the engine `machine` that cannot be. */
#ifndef PORF_SESSION_MACHINE_H
#define PORF_SESSION_MACHINE_H

#include "session/args.h"

void args_refuse_wrong (const Args *a); /* ends porf */

#endif
