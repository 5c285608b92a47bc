/* One thread: beside another program on its processor, or with a timer, or a disk. */
#include <stdlib.h>
#include <time.h>

#include "own_time.h"
#include "scene.h"
#include "work.h"

static int64_t cpu_of_process(const char *pid)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(atoi(pid), &clock) || clock_gettime(clock, &time))
        exit(1);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* The neighbour is a process (the word) that always wants the one processor. What it had of it
 * meanwhile is told. */
int64_t scene_neighbour(const struct scene_options *options)
{
    own_begin("worker");
    use_one_processor();
    int64_t had = options->word ? cpu_of_process(options->word) : 0;
    for (int i = 0; i < options->rounds; i++)
        compute_ms(1);
    own_fact("neighbour_ns", options->word ? cpu_of_process(options->word) - had : 0);
    own_end();
    return options->rounds;
}

static int64_t use(const struct scene_options *options)
{
    struct device device;
    own_begin("worker");
    device_open(&device, options->word);
    for (int i = 0; i < options->rounds; i++) {
        compute_ms(1);
        device_use(&device, 4);
    }
    device_tell(&device);
    own_end();
    return options->rounds;
}

int64_t scene_naps(const struct scene_options *options)
{
    return use(options);
}

int64_t scene_disk(const struct scene_options *options)
{
    if (!options->word)
        exit(2);
    return use(options);
}
