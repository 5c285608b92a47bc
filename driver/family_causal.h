/* family_causal.h - what it would bring if a part were faster (Coz, SOSP'15), as a family. */
#ifndef DRIVER_FAMILY_CAUSAL_H
#define DRIVER_FAMILY_CAUSAL_H

#include "driver/family.h"

/* Its results are `struct causal`. */
extern const struct family family_causal;

#endif
