/* file.h - models from files, for those who hand them to the explorer. */
#ifndef PORF_MODEL_FILE_H
#define PORF_MODEL_FILE_H

#include "models/cat/cat.h"
#include "models/hardware/mapping.h"

struct Model;

bool model_is_file (const char *path); /* by its name: .cat or .mcm */
/* In the language of its name; is_mapped: see cat_load. */
CatModel *model_read_rules (const char *path, bool is_mapped, Str *error);
/* NULL with a message. What C11 becomes may be NULL: then it is the usual mapping to the processor
 * whose instructions the model mentions, if it does. */
struct Model *model_from_file (const char *path, const Mapping *mapping, Str *error);
struct Model *model_from_text (const char *name, const char *text, Str *error); /* of a .cat file */
/* m for another compiler, which has a name; or NULL, then the model keeps its own. */
struct Model *model_with_mapping (const struct Model *m, const Mapping *mapping, const char *name);
void model_free_own (struct Model *m); /* what these have made */

#endif
