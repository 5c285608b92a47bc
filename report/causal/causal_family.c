#include "report/causal/causal_family.h"

const struct report_family causal_report_family = {.name = "causal",
                                                   .schema = "vprofiler.causal/1"};
