/* called.h - which functions a program calls, where the one that was asked about is not among them.
 *
 * The run's calls are in memory (trace/timeline_load.h).
 *
 *     called_append(&run, &table, &out)        "parse (1,200 times), reply (600 times)"; nothing: none of them
 */
#ifndef DRIVER_EXPERIMENTS_CALLED_H
#define DRIVER_EXPERIMENTS_CALLED_H

#include "base/str.h"
#include "trace/function_table.h"
#include "trace/timeline.h"

void called_append(const struct timelines *run, const struct function_table *table,
                   struct str *out);

#endif
