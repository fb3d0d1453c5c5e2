// expect[-DN=3]: rc11 8, wrc11 8
// expect[-DN=8]: rc11 256
// expect[-DN=13]: rc11 8192
//
// rreaders(N): readers with the threads started in the other order (all readers before the writer),
// so that every load is first explored with the initial value and revisited by the store. 2^N
// executions.

#define REVERSED
#include "readers.c"
