/* export_stacks.h - what `vprofiler export` writes of where a run's time went, by context.
 *
 *     csv, parquet   the tables of the family     stack_contexts, stack_functions, stack_threads
 *     folded         for flamegraph.pl
 *     speedscope     a profile for each group of threads
 *     pprof          for pprof, Grafana, Pyroscope
 *     perfetto       threads in time, for ui.perfetto.dev
 */
#ifndef DRIVER_COMMANDS_EXPORT_STACKS_H
#define DRIVER_COMMANDS_EXPORT_STACKS_H

#include "base/error.h"

struct export_stacks {
    const char *path;   /* the run */
    const char *format; /* of `export` */
    const char *output; /* NULL: stdout, or the usual folder */
};

bool export_stacks_write(const struct export_stacks *export, struct error *error);

#endif
