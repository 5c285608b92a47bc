/* export_waits.h - what `vprofiler export` writes of a run's waits.
 *
 *     csv, parquet   the tables of the family     wait_groups, wait_edges, wait_processor
 *     dot            the graph
 *     chrome         the threads in a stretch of the run
 */
#ifndef DRIVER_COMMANDS_EXPORT_WAITS_H
#define DRIVER_COMMANDS_EXPORT_WAITS_H

#include "base/error.h"

struct export_waits {
    const char *path;   /* the run */
    const char *format; /* of `export` */
    const char *output; /* NULL: stdout, or the usual folder */
    double least;       /* share of an edge */
    double at,
        seconds; /* of the stretch, from the run's beginning; 0: the middle of it, a second */
};

bool export_waits_write(const struct export_waits *export, struct error *error);

#endif
