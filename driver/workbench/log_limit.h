/* log_limit.h - a log stays small, however much a command prints.
 *
 *     head | ... 1234567 bytes were left out here ... | tail
 *
 * Its descriptor is for reading and writing, and the command appends to it (O_APPEND): what is cut
 * away from below it does not disturb it. What it prints in the moment of the cut may be lost.
 */
#ifndef DRIVER_WORKBENCH_LOG_LIMIT_H
#define DRIVER_WORKBENCH_LOG_LIMIT_H

#include <stdint.h>

struct log_limit {
    int fd;
    uint64_t left_out_bytes;
};

/* To be called again and again. */
void log_limit_keep(struct log_limit *log);

#endif
