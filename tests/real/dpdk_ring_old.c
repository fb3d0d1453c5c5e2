// DPDK 22.11.7: with C11 atomics a producer can see the head that another one moved without the tail that allowed it, and
// the ring takes more than fits. Fixed in 22.11.11, see README.md. On x86 it cannot happen.
// flags: -- -isystem build/real/old/usr/include/dpdk -isystem build/real/old/usr/include/x86_64-linux-gnu/dpdk -mssse3
// finding[-DRTE_USE_C11_MEM_MODEL]: rc11 race
// finding[-DRTE_USE_C11_MEM_MODEL]: rc11 assert
// finding[-DRTE_USE_C11_MEM_MODEL --no-race]: rc11 assert
// verdict[-DRTE_USE_C11_MEM_MODEL]: tso pass
// verdict[-DRTE_USE_C11_MEM_MODEL]: sc pass
#include "dpdk_ring.c"
