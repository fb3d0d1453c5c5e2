/* genmc.h - what programs written for GenMC include; porf/verifier.h is always there. */
#ifndef PORF_COMPAT_GENMC_H
#define PORF_COMPAT_GENMC_H
#include "porf/verifier.h"
#endif
