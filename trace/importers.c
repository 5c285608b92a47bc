#include "trace/importer.h"

extern const struct importer interval_importer, wait_importer, pickup_importer, caller_importer,
    sample_importer, kernel_importer, totals_importer, point_importer, experiment_importer,
    delay_importer, spent_importer;

/* clang-format off */
const struct importer *const importers[] = {
    &caller_importer, /* before those who ask for a record's callers */
    &interval_importer,
    &wait_importer,
    &pickup_importer,
    &sample_importer,
    &kernel_importer,
    &totals_importer,
    &point_importer,
    &experiment_importer,
    &delay_importer,
    &spent_importer,
    NULL,
};
/* clang-format on */
