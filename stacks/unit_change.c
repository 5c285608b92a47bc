#include "stacks/unit_change.h"

#include <math.h>

#include "base/memory.h"
#include "stats/jackknife.h"
#include "stats/student.h"

#define OUTSIDE 0.05

static double sum_of(const double *values, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static double value_of(const struct unit_side *side)
{
    return sum_of(side->own, side->blocks) / sum_of(side->units, side->blocks);
}

static double error_of(const struct unit_side *side)
{
    double own = sum_of(side->own, side->blocks), units = sum_of(side->units, side->blocks);
    double *left_out = memory_alloc(sizeof *left_out * side->blocks);
    for (uint32_t b = 0; b < side->blocks; b++)
        left_out[b] = (own - side->own[b]) / (units - side->units[b]);
    double error = jackknife_error(left_out, side->blocks);
    memory_free(left_out);
    return error;
}

static uint32_t runs_of(const struct unit_side *side)
{
    return side->run_of_block ? side->run_of_block[side->blocks - 1] + 1 : 1;
}

/* The error, if each run is one block. */
static double run_error_of(const struct unit_side *side)
{
    uint32_t runs = runs_of(side);
    double *own = memory_zeroed(sizeof *own * runs), *units = memory_zeroed(sizeof *units * runs);
    for (uint32_t b = 0; b < side->blocks; b++) {
        own[side->run_of_block[b]] += side->own[b];
        units[side->run_of_block[b]] += side->units[b];
    }
    double error = error_of(&(struct unit_side){own, units, runs, NULL});
    memory_free(own);
    memory_free(units);
    return error;
}

/* The wider interval is kept, and the p that goes with it. */
static void take_error(struct unit_change *change, double error, uint32_t parts)
{
    double half = student_beyond(OUTSIDE, parts - 1) * error;
    double p = change->change == 0 ? 1
               : error > 0         ? student_outside(fabs(change->change) / error, parts - 1)
                                   : 0;
    if (change->sure && half <= change->half)
        return;
    change->error = error;
    change->half = half;
    change->p = p;
    change->sure = true;
    change->parts = parts;
}

void unit_change_widen(struct unit_change *change, double error)
{
    if (change->sure)
        take_error(change, error, change->parts);
}

static uint32_t fewer(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

struct unit_change unit_change_of(const struct unit_side *a, const struct unit_side *b,
                                  uint32_t least_blocks, uint32_t least_runs)
{
    struct unit_change change = {
        .own = {value_of(a), value_of(b)}, .error = INFINITY, .half = INFINITY, .p = 1};
    uint32_t blocks = fewer(a->blocks, b->blocks), runs = fewer(runs_of(a), runs_of(b));
    change.change = change.own[1] - change.own[0];
    if (blocks >= least_blocks)
        take_error(&change, hypot(error_of(a), error_of(b)), blocks);
    if (runs >= least_runs)
        take_error(&change, hypot(run_error_of(a), run_error_of(b)), runs);
    return change;
}
