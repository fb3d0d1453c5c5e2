// A struct with ten thousand members.
// finding: rc11 race A|B
#include <pthread.h>

#define TEN(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##8, x##9
#define HUNDRED(x) TEN (x##0), TEN (x##1), TEN (x##2), TEN (x##3), TEN (x##4), TEN (x##5), TEN (x##6), TEN (x##7), TEN (x##8), TEN (x##9)
#define THOUSAND(x) \
  HUNDRED (x##0), HUNDRED (x##1), HUNDRED (x##2), HUNDRED (x##3), HUNDRED (x##4), HUNDRED (x##5), HUNDRED (x##6), HUNDRED (x##7), HUNDRED (x##8), HUNDRED (x##9)

static struct {
  int THOUSAND (a), THOUSAND (b), THOUSAND (c), THOUSAND (d), THOUSAND (e);
  int THOUSAND (f), THOUSAND (g), THOUSAND (h), THOUSAND (i), THOUSAND (j);
} wide;

static void *writer (void *unused) {
  wide.j999 = 1; // @A
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  wide.a000 = wide.j999; // @B
  pthread_join (t, NULL);
  return 0;
}
