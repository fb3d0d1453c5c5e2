// Exceptions are refused when one is thrown, and not before.
// verdict: rc11 pass
// unsupported[-DTHROW]: rc11 exceptions are not followed
// unsupported[-DLIBRARY]: rc11 exceptions are not followed
#include <stdexcept>
#include <vector>

static int checked (int x) {
  if (x > 3) throw std::runtime_error ("too large");
  return x;
}

int main () {
  std::vector<int> v (3);
  try {
#ifdef THROW
    checked (4);
#endif
#ifdef LIBRARY
    v.at (5) = 1;
#endif
    return checked (v.at (2));
  } catch (const std::exception &) {
    return 1;
  }
}
