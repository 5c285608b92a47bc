/* task_table.h - the kernel's threads that were seen, by their ids.
 *
 * Which of them are the run's, and whether one is on a processor, waits for one, or is blocked.
 * `starved` is how many of the run's threads wait for a processor.
 */
#ifndef SAMPLER_TASK_TABLE_H
#define SAMPLER_TASK_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash_map.h"
#include "sampler/kernel_event.h"

enum task_state { TASK_UNSEEN, TASK_RUNNING, TASK_RUNNABLE, TASK_BLOCKED };

struct task {
    uint32_t tid, pid; /* pid 0: not known */
    uint32_t maker;
    char name[KERNEL_NAME];
    bool run;      /* it is the run's */
    bool told;     /* a TRACE_WHO says all this */
    bool told_any; /* one did once */
    bool ended;
    bool kernel, kernel_asked; /* it is the kernel's own */
    bool ours;                 /* a process that this one made */
    uint64_t begun_ns;         /* ours: its program began; until then it does what this one does */
    uint8_t state;
    uint64_t out, in, woken; /* its latest records (held_records.h), or 0 */
    uint64_t out_ns, woken_ns;
};

struct task_table {
    struct hash_map places;       /* 1 + place, by tid */
    struct task *tasks;           /* a put moves them */
    size_t count, capacity, most; /* when there are more than `most`, the ended ones are dropped */
    struct hash_map watched; /* 1, by process: it is the run's, even if it is still to be born */
    uint32_t starved;
};

struct task *task_table_put(struct task_table *table, uint32_t tid);
void task_table_name(struct task *task, const char *name); /* "" changes nothing */
void task_table_set_state(struct task_table *table, struct task *task, enum task_state state);
/* A new thread of that id: what was known of an older one is forgotten. */
struct task *task_table_born(struct task_table *table, uint32_t tid, uint32_t pid, uint32_t maker);
void task_table_ended(struct task_table *table, struct task *task);
/* Those that ended before that moment are forgotten, if they have become many. */
void task_table_drop_ended(struct task_table *table, uint64_t until_ns);
/* NULL: not seen. */
struct task *task_table_get(const struct task_table *table, uint32_t tid);
/* What is known of who has the processors may be wrong. */
void task_table_forget_states(struct task_table *table);
/* The process's threads are the run's, as all that they made. */
void task_table_watch(struct task_table *table, pid_t pid);
/* The thread's process, asked of /proc where no event told it. */
uint32_t task_table_pid(struct task *task);
/* Is the thread the kernel's own? Asked of /proc once; one that is gone by then is not. */
bool task_table_is_kernel(struct task *task);
void task_table_release(struct task_table *table);

#endif
