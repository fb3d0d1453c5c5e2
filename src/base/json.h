/* json.h - JSON as a tree: built once, written out, and read by whoever derives something from it.
 *
 * Numbers, booleans and null are kept as they are written. Objects keep the order in which their
 * members were put in. Looking for what is not there gives NULL, "" or 0, also in NULL, so that
 * readers need no checks on the way.
 */
#ifndef PORF_JSON_H
#define PORF_JSON_H

#include "base/base.h"

typedef enum JsonKind { JSON_LITERAL, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

typedef struct Json Json;
struct Json {
  JsonKind kind;
  char *key;          /* in an object */
  char *text;         /* LITERAL, STRING */
  VEC (Json *) items; /* ARRAY, OBJECT */
};

Json *json_object (void);
Json *json_array (void);
void json_free (Json *j);

/* Into an object. The tree owns what it is given; the values that were put in are returned. */
Json *json_put (Json *object, const char *key, Json *value);
void json_put_text (Json *object, const char *key, const char *text);
void json_put_int (Json *object, const char *key, i64 value);
void json_put_u64 (Json *object, const char *key, u64 value);
void json_put_real (Json *object, const char *key, double value);
void json_put_literal (Json *object, const char *key, const char *text); /* null, 17 */
void json_put_bool (Json *object, const char *key, bool value);
Json *json_put_object (Json *object, const char *key);
Json *json_put_array (Json *object, const char *key);
/* Into an array. */
Json *json_add (Json *array, Json *value);
Json *json_add_object (Json *array);
void json_add_text (Json *array, const char *text);
void json_add_int (Json *array, i64 value);

const Json *json_get (const Json *object, const char *key);
const char *json_text (const Json *object, const char *key);
i64 json_int (const Json *object, const char *key); /* of something else than a number: 0 */
double json_real (const Json *object, const char *key);
i64 json_value (const Json *number);
u32 json_size (const Json *j); /* of an array or object, else 0 */
const Json *json_at (const Json *j, u32 i);

/* A text as such a tree; NULL, and a message that names the line, if it is none. */
Json *json_read (const char *text, size_t size, Str *error);

/* As text, ending in a new line: what fits goes on one line. Any bytes become valid UTF-8. */
void json_write (const Json *j, Str *out);
void json_string (Str *out, const char *text); /* one string, with its quotes */

u32 utf8_length (const char *text, size_t size); /* bytes of the valid character at text, or 0 */

#endif
