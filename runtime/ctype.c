/* ctype.c - <ctype.h> in the C locale: functions, and the tables that the macros of glibc read. */
#include "runtime.h"
#include <ctype.h>

#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define IS_UPPER(c) IN (c, 'A', 'Z')
#define IS_LOWER(c) IN (c, 'a', 'z')
#define IS_DIGIT(c) IN (c, '0', '9')
#define IS_ALPHA(c) (IS_UPPER (c) || IS_LOWER (c))
#define IS_ALNUM(c) (IS_ALPHA (c) || IS_DIGIT (c))
#define IS_XDIGIT(c) (IS_DIGIT (c) || IN (c, 'a', 'f') || IN (c, 'A', 'F'))
#define IS_SPACE(c) ((c) == ' ' || IN (c, '\t', '\r'))
#define IS_BLANK(c) ((c) == ' ' || (c) == '\t')
#define IS_PRINT(c) IN (c, 32, 126)
#define IS_GRAPH(c) IN (c, 33, 126)
#define IS_CNTRL(c) (IN (c, 0, 31) || (c) == 127)
#define IS_PUNCT(c) (IS_GRAPH (c) && !IS_ALNUM (c))

#define PREDICATE(name, test)                                                                      \
  int (name) (int c) { return test (c); }
PREDICATE (isupper, IS_UPPER)
PREDICATE (islower, IS_LOWER)
PREDICATE (isdigit, IS_DIGIT)
PREDICATE (isalpha, IS_ALPHA)
PREDICATE (isalnum, IS_ALNUM)
PREDICATE (isxdigit, IS_XDIGIT)
PREDICATE (isspace, IS_SPACE)
PREDICATE (isblank, IS_BLANK)
PREDICATE (isprint, IS_PRINT)
PREDICATE (isgraph, IS_GRAPH)
PREDICATE (iscntrl, IS_CNTRL)
PREDICATE (ispunct, IS_PUNCT)
#undef PREDICATE

int (tolower) (int c) { return IS_UPPER (c) ? c + 32 : c; }
int (toupper) (int c) { return IS_LOWER (c) ? c - 32 : c; }

#define BIT(test, c, bit) (test (c) ? bit : 0)
#define BITS(c)                                                                                    \
  BIT (IS_UPPER, c, _ISupper) | BIT (IS_LOWER, c, _ISlower) | BIT (IS_ALPHA, c, _ISalpha) |        \
      BIT (IS_DIGIT, c, _ISdigit) | BIT (IS_XDIGIT, c, _ISxdigit) | BIT (IS_SPACE, c, _ISspace) |  \
      BIT (IS_PRINT, c, _ISprint) | BIT (IS_GRAPH, c, _ISgraph) | BIT (IS_BLANK, c, _ISblank) |    \
      BIT (IS_CNTRL, c, _IScntrl) | BIT (IS_PUNCT, c, _ISpunct) | BIT (IS_ALNUM, c, _ISalnum)
#define LOWER(c) (IS_UPPER (c) ? (c) + 32 : (c))
#define UPPER(c) (IS_LOWER (c) ? (c) - 32 : (c))

/* Entries for -128 to 255. */
#define ROW4(f, c) f (c), f ((c) + 1), f ((c) + 2), f ((c) + 3)
#define ROW16(f, c) ROW4 (f, c), ROW4 (f, (c) + 4), ROW4 (f, (c) + 8), ROW4 (f, (c) + 12)
#define ROW64(f, c) ROW16 (f, c), ROW16 (f, (c) + 16), ROW16 (f, (c) + 32), ROW16 (f, (c) + 48)
#define TABLE(f)                                                                                   \
  {ROW64 (f, -128), ROW64 (f, -64), ROW64 (f, 0), ROW64 (f, 64), ROW64 (f, 128), ROW64 (f, 192)}
static const unsigned short bits_table[384] = TABLE (BITS);
static const int lower_table[384] = TABLE (LOWER), upper_table[384] = TABLE (UPPER);

static const unsigned short *const bits_at_0 = bits_table + 128;
static const int *const lower_at_0 = lower_table + 128, *const upper_at_0 = upper_table + 128;
const unsigned short **__ctype_b_loc (void) { return (const unsigned short **)&bits_at_0; }
const int **__ctype_tolower_loc (void) { return (const int **)&lower_at_0; }
const int **__ctype_toupper_loc (void) { return (const int **)&upper_at_0; }
