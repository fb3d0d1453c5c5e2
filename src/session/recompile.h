/* recompile.h - a program once more, with another text of one of its files. */
#ifndef PORF_SESSION_RECOMPILE_H
#define PORF_SESSION_RECOMPILE_H

#include "session/check.h"
#include "repair/repair.h"

IrOptions recompile_ir_options (const Args *a);
/* Whether all files of the program are named, and are text that is compiled. */
bool recompile_is_possible (const Check *c);
Recompiler recompile_check (const Check *c);

#endif
