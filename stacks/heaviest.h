/* heaviest.h - which function has most of the time of its threads, but for what they wait to be given work.
 *
 *     8 threads of server:   41 %  fdatasync    38 % for the disk vda, 3 % it ran
 *                            52 %  epoll_wait   for work: it is told beside
 *
 * A function has its own time, that of the kernel's functions that it called, and of those without a name
 * that it called; but a function of a stripped program, of which is known where it begins, has its own one,
 * where none of the program's that have a name called it. What is waiting for work says work_wait.h.
 */
#ifndef STACKS_HEAVIEST_H
#define STACKS_HEAVIEST_H

#include "stacks/context_times.h"

/* Where all else is less of the time of any group, waiting for work is the answer (chosen). */
#define HEAVIEST_LEAST 0.05

enum { HEAVIEST_REASONS = 3 };

struct heavy_function {
    uint32_t group, frame;
    uint32_t node;         /* its heaviest context */
    time_ns time, in_node; /* in all contexts of the group, and in that one */
    time_ns work;          /* of it, it waited for work */
    time_ns ran;
    struct context_reason reasons[HEAVIEST_REASONS]; /* by `own`, the longest first */
    uint32_t reason_count;
};

struct heaviest {
    struct heavy_function first; /* node CONTEXT_NONE: there is none */
    struct heavy_function work;  /* of its group, where it waits longest for work; as above */
    time_ns wall;                /* of the group */
};

void heaviest_find(struct heaviest *heaviest, const struct context_times *times,
                   const struct thread_groups *groups);

#endif
