/* file.h - models from files, for those who hand them to the explorer. */
#ifndef PORF_MODEL_FILE_H
#define PORF_MODEL_FILE_H

#include "models/cat/cat.h"

struct Model;

bool model_is_file (const char *path);                        /* by its name: .cat or .mcm */
CatModel *model_read_rules (const char *path, Str *error);    /* in the language of its name */
struct Model *model_from_file (const char *path, Str *error); /* NULL with a message */
void model_free_file (struct Model *m);

#endif
