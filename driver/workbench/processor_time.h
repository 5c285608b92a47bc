/* processor_time.h - what the processes that record into a folder use of the processors.
 *
 *     struct processor_time time = {0};
 *     processor_time_begin(&time, "rounds/01/trace");
 *     ...
 *     used_ns = processor_time_used_ns(&time, "rounds/01/trace");     since then
 *     processor_time_release(&time);
 *
 * User and system time, of all threads, in the kernel's steps of 10 ms. A process that began since
 * counts whole. One that ended counts where its parent records too and has waited for it, else it
 * is not known. 0: no process of the folder is there, or none may be looked at; one that lies in
 * another namespace of process ids is not found.
 */
#ifndef DRIVER_WORKBENCH_PROCESSOR_TIME_H
#define DRIVER_WORKBENCH_PROCESSOR_TIME_H

#include <stddef.h>
#include <stdint.h>

struct process_time {
    uint32_t pid;
    uint32_t parent;
    uint64_t ticks; /* its own, and of the children that it waited for */
};

struct processor_time {
    struct process_time *processes; /* as they were at the beginning */
    size_t count;
    size_t capacity;
};

void processor_time_begin(struct processor_time *time, const char *folder);
double processor_time_used_ns(const struct processor_time *time, const char *folder);
void processor_time_release(struct processor_time *time);

#endif
