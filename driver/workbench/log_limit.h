/* log_limit.h - a log stays small, however much a command prints.
 *
 *     head | ... 1234567 bytes were left out here ... | tail
 *
 * The log's descriptor is for reading and writing, and the command appends to it (O_APPEND): a cut
 * does not disturb the command. What it prints in the moment of the cut may be lost.
 */
#ifndef DRIVER_WORKBENCH_LOG_LIMIT_H
#define DRIVER_WORKBENCH_LOG_LIMIT_H

#include <stdint.h>

struct log_limit {
    int fd;
    uint64_t left_out_bytes;
};

/* Keeps the log within its limit; it is called again and again while the log grows. */
void log_limit_keep(struct log_limit *log);

#endif
