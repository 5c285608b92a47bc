/* analysis_trace.h - synthetic traces, written as fast as the disk takes them.
 *
 *     plain   threads that serve intervals one after another: calls over a tree of functions; each
 *             interval releases its thread's mutex once, each tenth is blocked on a neighbour's
 *     crossed the same, but some calls overlap each other, as none do that were logged right
 *     mixed   the same as plain, but some calls are logged as records of 32 bytes
 *     mutex   one mutex; each interval is blocked on it once, behind all other threads
 *     one     one interval; its thread is blocked `intervals` times, on what another thread holds
 *
 * A call of the last function, on each thread, is around all that the thread does. The table has a
 * probe for each function: probe i is function i - 1, whose callees are those of a tree in which
 * each function has eight.
 */
#ifndef TESTS_BENCH_ANALYSIS_TRACE_H
#define TESTS_BENCH_ANALYSIS_TRACE_H

#include "base/error.h"
#include "trace/function_table.h"
#include "variance/variance.h"

struct trace_shape {
    const char *name; /* plain, crossed, mixed, mutex, one */
    uint64_t records; /* of calls, about */
    uint64_t intervals;
    uint32_t threads;
    uint32_t functions;
};

/* A number that depends on every number of the result. */
uint64_t variance_result_digest(const struct variance_result *result);
/* Writes `path`, a .vtr file; returns the calls written, 0 on an error. */
uint64_t trace_shape_write(const struct trace_shape *shape, const char *path, struct error *error);
void trace_shape_table(const struct trace_shape *shape, struct function_table *table);

#endif
