/* waits_scenes OUT SCENE ROUNDS [FORM [WORD]] - programs whose waits are known by what they do.
 *
 *     buffer      A -> queue -> B, who writes to a device; form double: while B has the next one
 *     stage       the same, and a thread C in place of the device; form heartbeat: with one beside;
 *                 form steady: B and C by dice
 *     imbalance   A and B meet after unequal parts; form balanced: after equal ones
 *     startup     one thread prepares, two work; form parallel: who works prepares, too
 *     batch       40 clients, and a logger that syncs as many at once as the form says
 *     handlers    so many as the form says, each of which waits for a peer's answer
 *     herd        tickets for one, of which all are told
 *     convoy      two threads on one processor hold a lock and yield
 *     neighbour   a thread that computes beside the process that the word says
 *     naps        1 ms of work, 4 ms of sleep
 *     disk        1 ms of work, 4 ms of writing over the file that the word says
 *     server      3 ms of work for each request of a client, at the port that the word says
 *     client      a request every 10 ms to that port
 *     echo        two threads over loopback
 *     chain       a request passes four threads
 *     shares      most requests wait a little for X, some long for Y
 *
 * All but `convoy` and `neighbour` go before other programs where that is allowed. What the threads
 * measured themselves is written to OUT as JSON (own_time.h). */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_time.h"
#include "scene.h"
#include "work.h"

static const struct scene {
    const char *name;
    scene_run *run;
    bool shares; /* the processor with others, as anyone */
} scenes[] = {
    {"buffer", scene_buffer, false},       {"stage", scene_stage, false},
    {"imbalance", scene_imbalance, false}, {"startup", scene_startup, false},
    {"batch", scene_batch, false},         {"handlers", scene_handlers, false},
    {"herd", scene_herd, false},           {"convoy", scene_convoy, true},
    {"neighbour", scene_neighbour, true},  {"naps", scene_naps, false},
    {"disk", scene_disk, false},           {"server", scene_server, false},
    {"client", scene_client, false},       {"echo", scene_echo, false},
    {"chain", scene_chain, false},         {"shares", scene_shares, false},
};

static const struct scene *scene_named(const char *name)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(scenes[i].name, name) == 0)
            return &scenes[i];
    return NULL;
}

/* What other programs do then hardly shows in how long something takes. */
static void go_before_others(void)
{
    struct sched_param least = {.sched_priority = 1};
    sched_setscheduler(0, SCHED_FIFO, &least);
}

int main(int argc, char **argv)
{
    const struct scene *scene = argc > 3 ? scene_named(argv[2]) : NULL;
    if (!scene)
        return 2;
    if (!own_can_tell())
        return 77;
    struct scene_options options = {.rounds = atoi(argv[3]),
                                    .form = argc > 4 ? argv[4] : "",
                                    .word = argc > 5 ? argv[5] : NULL};
    if (!scene->shares)
        go_before_others();
    int64_t begun = wall_now_ns();
    int64_t done = scene->run(&options);
    return own_write(argv[1], done, wall_now_ns() - begun) ? 0 : 1;
}
