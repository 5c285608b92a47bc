/* own_time.h - what a thread measures of its own waits, by clocks that no recorder has to do with.
 *
 *     struct own_moment since = own_now();      wall     |------------------------|
 *     sem_wait(&ready);                         blocked  |-------------| wanted | cpu
 *     own_waited(&since, "B");
 *
 * It was blocked for what went by on the wall, less what it computed meanwhile, less what it wanted a
 * processor: that the kernel counts for each thread in /proc/thread-self/schedstat.
 */
#ifndef SCENES_OWN_TIME_H
#define SCENES_OWN_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct own_moment {
    int64_t wall_ns, cpu_ns, wanted_ns;
};

/* False: this kernel does not tell what threads wanted a processor. */
bool own_can_tell(void);

/* The calling thread is called so from here on. Threads of one name are told of together. */
void own_begin(const char *name);
/* Its last word: what it measured is kept. */
void own_end(void);

struct own_moment own_now(void);
/* Since then the thread has waited for `whom`, a name that stays. */
void own_waited(const struct own_moment *since, const char *whom);

/* A number that a scene wants to tell besides. */
void own_fact(const char *name, int64_t value);

/* Writes what all threads measured as JSON. */
bool own_write(const char *path, int64_t done, int64_t wall_ns);

#endif
