/* family_waits.h - which waiting caps the throughput (wPerf, OSDI'18), as a family. */
#ifndef DRIVER_FAMILY_WAITS_H
#define DRIVER_FAMILY_WAITS_H

#include "driver/family.h"

/* Its results are `struct waits`. */
extern const struct family family_waits;

#endif
