/* machine.h - the options of the engine `machine` on the command line. */
#ifndef PORF_CLI_MACHINE_H
#define PORF_CLI_MACHINE_H

#include "cli/check.h"
#include "cli/scope.h"
#include "machine/machine.h"

void refuse_wrong_options (const Args *a); /* ends porf */
MachineOptions machine_options (Check *c);

#endif
