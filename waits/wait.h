/* wait.h - one thread waits for another one, or for what is no thread. */
#ifndef WAITS_WAIT_H
#define WAITS_WAIT_H

#include "trace/timeline.h"

struct wait {
    time_ns begin, end; /* begin < end */
    uint32_t who, whom; /* vertices */
};

#endif
