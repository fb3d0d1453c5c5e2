/* bits/c++config.h - as in libstdc++, but templates are not left to its compiled part, which is not there. */
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
