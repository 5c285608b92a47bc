#include "driver/family.h"
#include "driver/family_variance.h"

const struct family *const families[] = {
    &family_variance,
    NULL,
};
