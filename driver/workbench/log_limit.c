#include "driver/workbench/log_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES (INT64_C(32) << 20)
#define HEAD_BYTES (INT64_C(4) << 20)
#define TAIL_BYTES (INT64_C(4) << 20)

/* The descriptor appends, so that what is written comes behind the head. */
static void put_tail(struct log_limit *log, const char *tail, size_t size_bytes)
{
    char line[80];
    int length = snprintf(line, sizeof line, "\n... %llu bytes were left out here ...\n",
                          (unsigned long long)log->left_out_bytes);
    if (ftruncate(log->fd, HEAD_BYTES) != 0 || write(log->fd, line, (size_t)length) < 0 ||
        write(log->fd, tail, size_bytes) < 0)
        log->fd = -1; /* a full disk: it stays as it is */
}

void log_limit_keep(struct log_limit *log)
{
    struct stat status;
    if (log->fd < 0 || fstat(log->fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size <= MOST_BYTES)
        return;
    char *tail = malloc(TAIL_BYTES);
    ssize_t got = tail ? pread(log->fd, tail, TAIL_BYTES, status.st_size - TAIL_BYTES) : -1;
    if (got > 0) {
        log->left_out_bytes += (uint64_t)(status.st_size - HEAD_BYTES - got);
        put_tail(log, tail, (size_t)got);
    }
    free(tail);
}
