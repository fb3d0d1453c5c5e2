#include "base/json.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/plain.h"

enum { WIDTH = 116 };

/* ---- building */

static Json *json_new (JsonKind kind, const char *text) {
  Json *j = mem_zalloc (sizeof *j);
  j->kind = kind;
  if (text) j->text = mem_strdup (text);
  return j;
}

Json *json_object (void) { return json_new (JSON_OBJECT, NULL); }
Json *json_array (void) { return json_new (JSON_ARRAY, NULL); }

void json_free (Json *j) {
  if (!j) return;
  for (u32 i = 0; i < j->items.size; i++) json_free (j->items.data[i]);
  vec_free (&j->items);
  mem_free (j->key);
  mem_free (j->text);
  mem_free (j);
}

Json *json_put (Json *object, const char *key, Json *value) {
  assert (object->kind == JSON_OBJECT && !value->key);
  value->key = mem_strdup (key);
  vec_push (&object->items, value);
  return value;
}

Json *json_add (Json *array, Json *value) {
  assert (array->kind == JSON_ARRAY);
  vec_push (&array->items, value);
  return value;
}

static Json *literal (const char *format, ...) {
  char text[64];
  va_list list;
  va_start (list, format);
  vsnprintf (text, sizeof text, format, list);
  va_end (list);
  return json_new (JSON_LITERAL, text);
}

void json_put_text (Json *object, const char *key, const char *text) {
  json_put (object, key, json_new (JSON_STRING, text ? text : ""));
}
void json_put_int (Json *object, const char *key, i64 value) {
  json_put (object, key, literal ("%lld", (long long)value));
}
void json_put_u64 (Json *object, const char *key, u64 value) {
  json_put (object, key, literal ("%llu", (unsigned long long)value));
}
/* JSON has no infinite numbers: the greatest there is stands for them. */
void json_put_real (Json *object, const char *key, double value) {
  if (!isfinite (value)) value = value < 0 ? -DBL_MAX : DBL_MAX;
  json_put (object, key, literal (fabs (value) < 1e15 ? "%.6f" : "%.17g", value));
}
void json_put_literal (Json *object, const char *key, const char *text) {
  json_put (object, key, json_new (JSON_LITERAL, text));
}
void json_put_bool (Json *object, const char *key, bool value) {
  json_put (object, key, literal (value ? "true" : "false"));
}
Json *json_put_object (Json *object, const char *key) {
  return json_put (object, key, json_object ());
}
Json *json_put_array (Json *object, const char *key) {
  return json_put (object, key, json_array ());
}
Json *json_add_object (Json *array) { return json_add (array, json_object ()); }
void json_add_text (Json *array, const char *text) {
  json_add (array, json_new (JSON_STRING, text ? text : ""));
}
void json_add_int (Json *array, i64 value) { json_add (array, literal ("%lld", (long long)value)); }

/* ---- reading */

const Json *json_get (const Json *object, const char *key) {
  for (u32 i = 0; object && object->kind == JSON_OBJECT && i < object->items.size; i++)
    if (!strcmp (object->items.data[i]->key, key)) return object->items.data[i];
  return NULL;
}

const char *json_text (const Json *object, const char *key) {
  const Json *j = json_get (object, key);
  return j && j->kind == JSON_STRING ? j->text : "";
}

/* 1e3 and 7.0 are whole numbers, too; what does not fit becomes the next that does. */
i64 json_value (const Json *number) {
  if (!number || number->kind != JSON_LITERAL) return 0;
  if (!strpbrk (number->text, ".eE") || isalpha ((u8)*number->text))
    return strtoll (number->text, NULL, 10);
  double value = strtod (number->text, NULL);
  if (value >= 0x1p63) return INT64_MAX;
  return value < -0x1p63 ? INT64_MIN : (i64)value;
}

i64 json_int (const Json *object, const char *key) { return json_value (json_get (object, key)); }

double json_real (const Json *object, const char *key) {
  const Json *j = json_get (object, key);
  return j && j->kind == JSON_LITERAL ? strtod (j->text, NULL) : 0;
}

u32 json_size (const Json *j) { return j ? j->items.size : 0; }

const Json *json_at (const Json *j, u32 i) { return i < json_size (j) ? j->items.data[i] : NULL; }

/* ---- writing */

u32 utf8_length (const char *text, size_t size) {
  const u8 *s = (const u8 *)text;
  if (!size) return 0;
  if (s[0] < 0x80) return 1;
  u32 n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
  if (s[0] < 0xc2 || s[0] > 0xf4 || size < n) return 0;
  for (u32 i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  /* overlong forms, surrogates, and what lies after the last code point */
  if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
  if (s[0] == 0xed && s[1] > 0x9f) return 0;
  if (s[0] == 0xf0 && s[1] < 0x90) return 0;
  if (s[0] == 0xf4 && s[1] > 0x8f) return 0;
  return n;
}

/* What is not UTF-8 is replaced by U+FFFD. */
void json_string (Str *out, const char *text) {
  str_add (out, "\"");
  size_t size = text ? strlen (text) : 0;
  for (size_t i = 0; i < size;) {
    u32 n = utf8_length (text + i, size - i);
    u8 c = (u8)text[i];
    if (!n)
      str_add (out, "\\ufffd");
    else if (c == '"' || c == '\\')
      str_printf (out, "\\%c", c);
    else if (c == '\n')
      str_add (out, "\\n");
    else if (c == '\t')
      str_add (out, "\\t");
    else if (c < 0x20 || c == 0x7f || (c == '[' && plain_opens_command (out)))
      str_printf (out, "\\u%04x", c);
    else
      str_add_n (out, text + i, n);
    i += n ? n : 1;
  }
  str_add (out, "\"");
}

static void write_at (const Json *j, u32 indent, Str *out);

static void write_value (const Json *j, bool is_wide, u32 indent, Str *out) {
  if (j->kind == JSON_STRING) {
    json_string (out, j->text);
    return;
  }
  if (j->kind == JSON_LITERAL) {
    str_add (out, j->text);
    return;
  }
  str_add (out, j->kind == JSON_ARRAY ? "[" : "{");
  for (u32 i = 0; i < j->items.size; i++) {
    const Json *item = j->items.data[i];
    if (i) str_add (out, is_wide ? "," : ", ");
    if (is_wide) str_printf (out, "\n%*s", (int)indent + 2, "");
    if (item->key) {
      json_string (out, item->key);
      str_add (out, ": ");
    }
    if (is_wide)
      write_at (item, indent + 2, out);
    else
      write_value (item, false, indent, out);
  }
  if (is_wide) str_printf (out, "\n%*s", (int)indent, "");
  str_add (out, j->kind == JSON_ARRAY ? "]" : "}");
}

/* A lower bound of the width that stops counting when it does not fit. */
static bool fits (const Json *j, i32 *left) {
  *left -= (j->key ? (i32)strlen (j->key) + 4 : 0) + (j->text ? (i32)strlen (j->text) : 0) + 2;
  for (u32 i = 0; i < j->items.size && *left >= 0; i++) fits (j->items.data[i], left);
  return *left >= 0;
}

static void write_at (const Json *j, u32 indent, Str *out) {
  i32 left = WIDTH - (i32)indent;
  write_value (j, j->items.size && !fits (j, &left), indent, out);
}

void json_write (const Json *j, Str *out) {
  write_value (j, j->items.size && j->kind == JSON_OBJECT, 0, out);
  str_add (out, "\n");
}
