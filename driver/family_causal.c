#include "driver/family_causal.h"

#include "causal/causal.h"
#include "report/causal/causal_family.h"

static void *analyze(const struct family_input *input, struct error *error)
{
    return causal_find(input->run, error);
}

static const char *check(const void *result)
{
    return causal_check(result);
}

static void release(void *result)
{
    causal_release(result);
}

const struct family family_causal = {.told = &causal_report_family,
                                     .needs = FAMILY_EXPERIMENTS,
                                     .analyze = analyze,
                                     .check = check,
                                     .release = release};
