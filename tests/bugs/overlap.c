// Copies between places that overlap.
// finding[-DKIND={1..15}]: rc11 assert A
// finding[-DKIND={1,5,10}]: mca assert A
// verdict[-DKIND={20..31}]: rc11 pass
#include <stdio.h>
#include <string.h>

struct three {
  long a, b, c;
};
static volatile int one = 1;

int main (void) {
  char s[16] = "abcdef";
  long l[4] = {0};
  struct three t = {0};
  (void)l, (void)t;
#if KIND == 1
  memcpy (s + one, s, 4); // @A
#elif KIND == 2
  memcpy (s, s + one, 4); // @A
#elif KIND == 3
  memcpy (l + one, l, 2 * sizeof *l * (unsigned)one); // @A
#elif KIND == 4
  strcpy (s, s + one); // @A
#elif KIND == 5
  strcpy (s + one, s); // @A
#elif KIND == 6
  strcat (s, s); // @A
#elif KIND == 7
  strcat (s, s + 2); // @A
#elif KIND == 8
  strncpy (s, s + one, 5); // @A
#elif KIND == 9
  sprintf (s, "%sx", s); // @A
#elif KIND == 10
  sprintf (s, "x%s", s); // @A
#elif KIND == 11
  snprintf (s, sizeof s, "%d%s", one, s + 2); // @A
#elif KIND == 12
  snprintf (s, sizeof s, "%s%s", s + 6, "abcdefg"); // @A
#elif KIND == 13
  snprintf (s, sizeof s, s); // @A
#elif KIND == 14
  snprintf (s + 1, 2, "%.1s", s + 2); // @A
#elif KIND == 15
  snprintf (s + 3, 13, "%s", s); // @A
#elif KIND == 20
  memmove (s + one, s, 4);
  memmove (s, s + one, 4);
#elif KIND == 21
  memcpy (s + 4, s, 4 * (unsigned)one);
  memcpy (s, s + 4, 4 * (unsigned)one);
#elif KIND == 22
  struct three *p = &t;
  t = *p;
#elif KIND == 23
  strcpy (s + 7, s);
  strcpy (s, s + 7);
#elif KIND == 24
  strncat (s, s + 2, 0);
  memcpy (s, s + one, 0);
#elif KIND == 25
  strncpy (s + 8, s, 8);
#elif KIND == 26
  sprintf (s + 7, "%s", s);
#elif KIND == 27
  snprintf (s, 3, "%s", s + 3);
#elif KIND == 28
  snprintf (NULL, 0, "%s", s);
#elif KIND == 29
  sprintf (s + 2, "%.2s", s);
#elif KIND == 30
  snprintf (s, 0, "%s", s);
#elif KIND == 31
  sprintf (s, "%s%s%s", "", "a", "b");
#endif
  return 0;
}
