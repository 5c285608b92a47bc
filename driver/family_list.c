#include "driver/family.h"
#include "driver/family_causal.h"
#include "driver/family_stacks.h"
#include "driver/family_variance.h"
#include "driver/family_waits.h"

const struct family *const families[] = {
    &family_variance, &family_waits, &family_stacks, &family_causal, NULL,
};
