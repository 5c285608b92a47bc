#include "runtime/recording.h"

#include "runtime/clock.h"
#include "runtime/delay.h"
#include "runtime/objects.h"
#include "runtime/probe_cost.h"
#include "runtime/trace_file.h"
#include "runtime/waiters.h"

static enum { RECORDING_NOT_YET, RECORDING_ON, RECORDING_FAILED } state;

bool recording_start(const struct vprof_hooks_1 *table)
{
    if (state == RECORDING_NOT_YET) {
        clock_start();
        trace_file_probe_cost(probe_cost_measure(table));
        state = trace_file_create() ? RECORDING_ON : RECORDING_FAILED;
        if (state == RECORDING_ON) {
            waiters_start();
            delay_start(true);
            objects_record();
        }
    }
    return state == RECORDING_ON;
}

void recording_beside(void)
{
    if (state != RECORDING_NOT_YET)
        return;
    clock_start();
    waiters_start();
    delay_start(false);
}

void recording_fail(void)
{
    state = RECORDING_FAILED;
}

bool recording_is_on(void)
{
    return state == RECORDING_ON;
}
