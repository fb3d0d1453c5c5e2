/* test_yaml.c - task definitions as trees, and what is refused. */
#include "base/yaml.h"
#include "test.h"

static void reads (const char *yaml, const char *json) {
  Str error = {0}, got = {0}, wanted = {0};
  Json *j = yaml_read (yaml, strlen (yaml), &error);
  Json *other = json_read (json, strlen (json), &error);
  CHECK (j && other);
  if (j) json_write (j, &got);
  if (other) json_write (other, &wanted);
  CHECK (j && other && !strcmp (got.text, wanted.text));
  json_free (j);
  json_free (other);
  str_free (&error);
  str_free (&got);
  str_free (&wanted);
}

static void refuses (const char *yaml, const char *why) {
  Str error = {0};
  Json *j = yaml_read (yaml, strlen (yaml), &error);
  CHECK (!j && error.length && strstr (error.text, why));
  json_free (j);
  str_free (&error);
}

static void test_scalars (void) {
  reads ("a: b", "{\"a\":\"b\"}");
  reads ("---\na: 'it''s # b' # c\n", "{\"a\":\"it's # b\"}");
  reads ("a: \"b \\\"c\\\" \\\\\"\r\n", "{\"a\":\"b \\\"c\\\" \\\\\"}");
  reads ("a: b c:d\nb:\nc: http://x#y\n", "{\"a\":\"b c:d\",\"b\":\"\",\"c\":\"http://x#y\"}");
  reads ("- just text", "[\"just text\"]");
}

static void test_structure (void) {
  reads ("a:\n  b: 1\n  c:\n    - 2\n    - 3\nd: 4",
         "{\"a\":{\"b\":\"1\",\"c\":[\"2\",\"3\"]},\"d\":\"4\"}");
  reads ("a:\n- b: 1\n  c: 2\n\n- b: 3\n", "{\"a\":[{\"b\":\"1\",\"c\":\"2\"},{\"b\":\"3\"}]}");
  reads ("-\n  a: 1\n- [x, 'y, z' , w]\n- []\n", "[{\"a\":\"1\"},[\"x\",\"y, z\",\"w\"],[]]");
}

static void test_refused (void) {
  refuses ("", "nothing");
  refuses ("# only a comment\n", "nothing");
  refuses ("a: 1\na: 2", "line 2: a key occurs twice");
  refuses ("a: 1\n  b: 2", "line 2: the indentation");
  refuses ("a:\n    b: 1\n  c: 2", "line 3");
  refuses ("a: |\n  text", "line 1");
  refuses ("a: {b: 1}", "line 1");
  refuses ("a: &x 1", "line 1");
  refuses ("a: 'b", "not closed");
  refuses ("a: [b", "not closed");
  refuses ("a: 'b' c", "after a value");
  refuses ("a:\tb", "a tab");
}

int main (void) {
  test_scalars ();
  test_structure ();
  test_refused ();
  return test_summary ();
}
