#include "report/stacks/stacks_family.h"

const struct report_family stacks_report_family = {.name = "stacks",
                                                   .schema = "vprofiler.stacks/1"};
