// The heap, strings, variable-length arrays, alignment.
// run: pass
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare (const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int vla (int n) {
  int a[n], s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}

int main (void) {
  char *s = malloc (20), copy[20];
  strcpy (s, "hello");
  strcat (s, " world");
  assert (strlen (s) == 11 && !strcmp (s, "hello world") && strcmp (s, "help") < 0);
  assert (strchr (s, 'w') == s + 6 && !strchr (s, 'z') && strstr (s, "lo w") == s + 3);
  memcpy (copy, s, 12);
  assert (!memcmp (copy, s, 12) && strncmp (copy, "hellx", 4) == 0);
  memmove (copy + 2, copy, 10);
  assert (!strncmp (copy, "hehello wo", 10));
  s = realloc (s, 40);
  assert (s[10] == 'd');
  free (s);
  int *z = calloc (4, sizeof *z);
  assert (z[0] == 0 && z[3] == 0);
  z[0] = 4, z[1] = -1, z[2] = 9, z[3] = 0;
  qsort (z, 4, sizeof *z, compare);
  assert (z[0] == -1 && z[1] == 0 && z[3] == 9);
  free (z);
  memset (copy, 'x', 9);
  assert (copy[8] == 'x' && copy[0] == 'x');
  assert (vla (5) == 10 && atoi (" -42z") == -42 && strtol ("0x1f", NULL, 0) == 31);
  _Alignas (64) char line[64];
  assert (((unsigned long)line & 63) == 0);
  line[63] = 1;
  char *d = strdup ("abc");
  assert (d[2] == 'c' && !d[3]);
  free (d);
  return 0;
}
