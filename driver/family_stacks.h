/* family_stacks.h - where the time is in a program as it is (IntroPerf, SIGMETRICS'14), as a family. */
#ifndef DRIVER_FAMILY_STACKS_H
#define DRIVER_FAMILY_STACKS_H

#include "driver/family.h"

/* Its results are `struct stacks`. */
extern const struct family family_stacks;

#endif
