/* yaml.h - as much of YAML as task definitions of SV-COMP use: mappings and sequences by indentation,
 * scalars, plain or quoted, sequences of scalars in brackets, comments. */
#ifndef PORF_YAML_H
#define PORF_YAML_H

#include "base/json.h"

/* As a tree in which every scalar is a string; NULL, and a message that names the line, if the text
 * is none, or has what is not read here: anchors, tags, blocks of text, several documents. */
Json *yaml_read (const char *text, size_t size, Str *error);

#endif
