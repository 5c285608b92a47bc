/* process_titles.h - the titles that the run's processes give themselves: what "ps" shows of them.
 *
 *     postgres: walwriter      nginx: worker process      python3 worker.py: none
 *
 * A process writes it over its arguments (setproctitle), some time after it was made, and it is gone with
 * the process. So each one is looked at when it has been there for 0.1, 1 and 10 s, and at the end; the
 * latest title is written then. What has only arguments has none: theirs have no blanks before the first
 * one's end, but where the path of the program has some.
 */
#ifndef SAMPLER_PROCESS_TITLES_H
#define SAMPLER_PROCESS_TITLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "sampler/task_table.h"
#include "trace/trace_format.h"

struct process_title {
    uint32_t pid;
    uint64_t seen_ns;
    unsigned looks;
    char text[TRACE_TITLE_BYTES]; /* "": none yet */
};

struct process_titles {
    struct process_title *items;
    size_t count, capacity;
    struct hash_map places; /* pid -> 1 + place */
    uint64_t looked_ns;
};

/* Looks at those of the table that are due; `all`: at all that live. */
void process_titles_look(struct process_titles *titles, const struct task_table *tasks,
                         uint64_t now_ns, bool all);
void process_titles_release(struct process_titles *titles);

/* Of /proc/PID/cmdline. False: it is no title, and nothing is changed. */
bool process_title_take(const char *arguments, size_t bytes, char title[TRACE_TITLE_BYTES]);

#endif
