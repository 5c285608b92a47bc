/* make_scheduler_trace FOLDER EVENTS THREADS [PROCESSORS [DEVICES [GROUP [NEAR [LOAD [CALLS]]]]]]: a recorder's file of
 * a machine whose threads wake each other, for measuring `vprofiler waits`.
 *
 * GROUP threads are a process (0: all of them), and each thread wakes those of the NEAR next numbers
 * (0: any). LOAD threads wait for each processor at the most (0: any number). With CALLS
 * each thread leaves a trace of its own with so many. */
#include <stdio.h>
#include <stdlib.h>

#include "sim_scheduler.h"

static uint32_t number(char **argv, int argc, int at, uint32_t otherwise)
{
    return at < argc ? (uint32_t)strtoul(argv[at], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr,
                "usage: %s FOLDER EVENTS THREADS [PROCESSORS [DEVICES [GROUP [NEAR [LOAD "
                "[CALLS]]]]]]\n",
                argv[0]);
        return 2;
    }
    struct sim_options options = {.seed = 20181008,
                                  .events = strtoull(argv[2], NULL, 10),
                                  .threads = number(argv, argc, 3, 1),
                                  .processors = number(argv, argc, 4, 8),
                                  .devices = number(argv, argc, 5, 2),
                                  .group_size = number(argv, argc, 6, 0),
                                  .near = number(argv, argc, 7, 4),
                                  .load = number(argv, argc, 8, 3),
                                  .longest_step = 1000,
                                  .alike = true};
    struct sim_scheduler sim;
    char path[4096];
    snprintf(path, sizeof path, "%s/kernel.vtr", argv[1]);
    sim_scheduler_run(&sim, &options);
    sim_scheduler_write(&sim, path);
    if (number(argv, argc, 9, 0))
        sim_scheduler_write_threads(&sim, argv[1], number(argv, argc, 9, 0));
    printf("%llu records of %.3f s\n", (unsigned long long)sim.written, (double)sim.time / 1e9);
    sim_scheduler_release(&sim);
    return 0;
}
