/* recompile.h - a program once more, with another text of one of its files. */
#ifndef PORF_RECOMPILE_H
#define PORF_RECOMPILE_H

#include "cli/check.h"
#include "repair/repair.h"

IrOptions ir_options (const Args *a);
/* Whether all files of the program are named, and are text that is compiled. */
bool can_recompile (const Check *c);
Recompiler check_recompiler (const Check *c);

#endif
