// Variables that are too large, or aligned too far, are refused by name when they are reached, and only then.
// unsupported: rc11 variable of more than 1 GB: huge
// unsupported[-DALIGNED]: rc11 variable with an alignment of more than 1 MB: aligned
// verdict[-DUNUSED]: rc11 pass
static int huge[1ul << 32] = {1};
static int aligned __attribute__ ((aligned (1 << 28))) = 1;

int main (void) {
#ifdef UNUSED
  return 0;
#elif defined ALIGNED
  return aligned - 1;
#else
  return huge[0] - 1;
#endif
}
int *keep[] = {huge, &aligned};
