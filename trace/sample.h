/* sample.h - what a recorder saw of threads from outside: moments, with the stacks that they had.
 */
#ifndef TRACE_SAMPLE_H
#define TRACE_SAMPLE_H

#include "trace/timeline.h"
#include "trace/trace_format.h"

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
    enum trace_cut cut; /* why its outermost calls are missing */
    const uint64_t *addresses;
};

/* A thread began to wait with this stack, or woke another one. */
struct wait_stack {
    time_ns time;
    uint32_t pid, tid;
    uint32_t woken;    /* whom it woke; 0: it began to wait */
    uint32_t stack;    /* index in the run's sampled stacks; 0: unknown */
    uint32_t one_in;   /* it stands for so many */
    uint32_t holder;   /* what stands 8 bytes behind the argument */
    uint64_t argument; /* the first one of its system call */
};

/* A process whose stacks were sampled. */
struct sampled_process {
    uint32_t pid;
    const char *maps;
};

/* Which files processes had mapped: the lines of a FILES chunk. */
struct sampled_files {
    const char *text;
    const char *folder; /* of the trace */
};

/* How far stacks could be followed in an object: frames whose callers were found by its tables
 * (.eh_frame), or by frame pointers; and stacks of which the outermost known call lies there. Where
 * runs are joined, each has its own. */
struct unwound_object {
    const char *path; /* or "[anonymous]", "[unknown]", "[vdso]" */
    uint64_t by_rows, by_pointers;
    uint64_t ended[TRACE_CUTS]; /* by enum trace_cut: NOT where its thread began */
};

/* A run's. */
struct wait_stacks {
    struct wait_stack *items; /* by time */
    uint32_t count;
    struct sampled_process *processes;
    uint32_t process_count;
    const char **kernels; /* lines of the kernel's addresses that stacks hold and their functions */
    uint32_t kernel_count;
    struct sampled_files *files;
    uint32_t file_count;
    struct sampled_process
        *generated; /* lines of addresses and names instead of maps: of code made as it ran */
    uint32_t generated_count;
    struct trace_unwinding unwinding; /* of all files; zeros: it was not told */
    struct unwound_object *unwound;
    uint32_t unwound_count;
};

#endif
