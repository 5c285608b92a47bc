/* past_result.h - what a finished result says of how it was made: its report.json.
 *
 *     struct past_result past;
 *     past_result_read(&past, &arena, &source);
 *
 * Everything is optional: what is not known stays 0 or NULL. Texts are in the arena.
 */
#ifndef DRIVER_RUNS_PAST_RESULT_H
#define DRIVER_RUNS_PAST_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "driver/runs/outcome.h"
#include "driver/runs/trace_files.h"
#include "report/kit/report.h"

struct past_result {
    bool known;
    const char *target;
    uint32_t rounds;
    uint32_t top;
    double threshold;
    uint32_t functions_timed;
    struct outcome_past warnings;
    struct report_origin origin;
};

void past_result_read(struct past_result *past, struct arena *arena,
                      const struct trace_source *source);

#endif
