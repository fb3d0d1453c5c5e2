/* models.h - models and mappings by name or from files. */
#ifndef PORF_SESSION_MODELS_H
#define PORF_SESSION_MODELS_H

#include "litmus/litmus.h"
#include "models/hardware/mapping.h"
#include "models/model.h"
#include "session/args.h"

typedef VEC (const Model *) Models;

/* Those that `-m` names. Whatever is wrong with them: one message and exit 2. */
void models_wanted (const Args *a, Models *out);

/* A mapping by its name, or from a file; false after a message that shows what is wrong with it. */
bool mapping_load (const char *name, Mapping *m);

/* A model file is wrong: a message that shows the place is shown as it is. */
NORETURN void models_die (Str *error);

/* What is asked of a test in assembler, by its own mapping: the models given, else that of its
 * processor. False, and why, if one is not for it. */
bool models_of_test (const Args *a, const Litmus *l, Models *out, Str *error);
void models_free (Models *models); /* own ones; the others stay */

#endif
