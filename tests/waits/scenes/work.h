/* work.h - what the threads of a scene do: they compute, nap, write to a disk, begin and end. */
#ifndef SCENES_WORK_H
#define SCENES_WORK_H

#include <pthread.h>
#include <stdint.h>

/* Milliseconds of processor time, however long that takes. */
void compute_ms(double ms);
void nap_ms(double ms);
int64_t wall_now_ns(void);

/* What stands for a device: a file that is there already and is written over, past the page cache,
 * or naps where there is none. */
struct device {
    const char *name; /* as it is waited for */
    int file;
    void *block;
    int64_t at, writes, requests_before;
};
void device_open(struct device *device, const char *path);
/* For `ms` on the wall; the calling thread waits for it. */
void device_use(struct device *device, double ms);
/* The facts "writes" and "disk_requests", of whomever, as the kernel counts them; none of naps. */
void device_tell(const struct device *device);

pthread_t thread_begin(void *(*role)(void *), void *argument);
/* The calling thread waits for `name`, which ends. */
void thread_join(pthread_t thread, const char *name);
/* All threads of the program are on one processor from here on. */
void use_one_processor(void);

#endif
