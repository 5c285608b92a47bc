/* sample.h - what a recorder saw of threads from outside: moments, with the stacks that they had.
 */
#ifndef TRACE_SAMPLE_H
#define TRACE_SAMPLE_H

#include "trace/timeline.h"

/* A recorder saw this of a thread at a moment. */
struct stack_sample {
    time_ns time;
    uint32_t pid, tid;
    uint32_t processor;
    uint32_t stack; /* index in the run's sampled stacks; 0: unknown */
    uint64_t amount_ns;
};

/* A sampled stack is addresses, the kernel's before the process's, the innermost first. */
struct sampled_stack {
    uint32_t pid;
    uint16_t size, kernel;
    const uint64_t *addresses;
};

#endif
