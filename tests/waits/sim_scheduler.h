/* sim_scheduler.h - a machine whose threads block, wake each other and end as chance will have it, and
 * what a recorder writes of it.
 *
 *     processor 0    thread 3     | idle      | thread 5 ...      a switch at each border
 *     processor 1    thread 5  | thread 7 ...                     thread 7 wakes 3, a disk wakes 5
 *                                 |-- lost --|                    on one processor; or a pause, on all
 *
 *     struct sim_scheduler sim;
 *     sim_scheduler_run(&sim, &options);
 *     sim_scheduler_write(&sim, "folder/kernel.vtr");
 *     ... sim.seen ...
 *     sim_scheduler_release(&sim);
 *
 * Threads are told apart by their index, whatever ids they have: an id is used again. Nothing of
 * trace/ is used here: what is wrong in the reader must not be wrong here as well.
 */
#ifndef TESTS_SIM_SCHEDULER_H
#define TESTS_SIM_SCHEDULER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim_trace.h"

#define SIM_IDLE 0u /* the task */

enum sim_kind { SIM_WHO, SIM_REQUEST, SIM_MISSED, SIM_PAUSE, SIM_WAKING, SIM_SWITCH };
enum sim_state { SIM_RUNNABLE, SIM_SLEEPS, SIM_UNINTERRUPTIBLE, SIM_STOPPED, SIM_ENDED };
enum sim_context { SIM_THREAD, SIM_SOFT, SIM_HARD };
enum sim_interrupt { SIM_UNKNOWN, SIM_TIMER, SIM_NETWORK, SIM_DISK, SIM_OTHER };

/* A record that is in the file. */
struct sim_event {
    int64_t time; /* ns */
    uint32_t processor;
    uint32_t task;  /* SWITCH: from; WAKING: who is woken; REQUEST: who issued it; WHO: who it is */
    uint32_t other; /* SWITCH: to; WAKING: the waker; REQUEST: the device */
    uint8_t kind, state, context, interrupt;
    bool done;   /* REQUEST */
    bool begins; /* PAUSE */
};

struct sim_task {
    uint32_t tid, pid;
    bool of_run;
    char name[16];      /* of late; no two threads have the same */
    int64_t born, gone; /* gone: INT64_MAX where it has not */
    /* What it does: */
    bool asleep, exists, woken_early;
    uint32_t processor, place; /* where it runs; in which place it is asleep or ready */
};

struct sim_options {
    uint64_t seed, events;
    uint32_t threads, processors, devices;
    uint32_t group_size;   /* threads of a process; 0: all of them */
    uint32_t near;         /* a thread wakes those whose numbers are so near; 0: any */
    uint32_t longest_step; /* ns between two of them */
    uint32_t load;         /* so many threads want a processor at the most, of each; 0: any */
    bool rough;            /* threads come and go, records are lost, pauses, wakings out of order */
    bool alike;            /* the threads of a process have one name */
    bool keep;             /* the events, in `seen` */
};

struct sim_list {
    uint32_t *items;
    size_t count, capacity;
};

struct sim_scheduler {
    struct sim_options options;
    struct sim_task *tasks; /* the first is idle */
    size_t task_count, task_capacity;
    struct sim_event *seen; /* in the order in which they were written */
    size_t seen_count, seen_capacity;
    /* The machine: */
    uint64_t random, written;
    int64_t time;
    uint32_t *current; /* by processor: task */
    struct sim_list ready, asleep, ended;
    struct sim_log *logs;    /* by processor */
    uint32_t *losing, *lost; /* by processor: so many more are lost; so many were */
    bool paused;
};

void sim_scheduler_run(struct sim_scheduler *sim, const struct sim_options *options);
void sim_scheduler_write(const struct sim_scheduler *sim, const char *path);
/* A file for each thread of the run, as its process would have left it, with `calls` calls beside one that
 * goes from its beginning to its end; `start` of its log is its index. Those whose lives are too short for
 * that have none. */
void sim_scheduler_write_threads(const struct sim_scheduler *sim, const char *folder,
                                 uint32_t calls);
void sim_scheduler_release(struct sim_scheduler *sim);
bool sim_task_has_log(const struct sim_scheduler *sim, uint32_t task);
/* A name is of 15 characters at most. */
void sim_device_name(uint32_t device, char name[16]);

#endif
