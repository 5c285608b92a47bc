/* foreign_threads.h - threads of other processes that do often what is watched on all of the machine, and are therefore
 * left out by the kernel's filter: to tell of them costs them as much as it costs the run's.
 *
 *     foreign_threads_count(&foreign, pid, tid)                      it did once more
 *     if (foreign_threads_follow(&foreign, list, now_ns))             those that are left out are others now
 *         foreign_threads_filter(&foreign, &text)                     "common_pid != 4711 && common_pid != 4712 && "
 *
 * A thread that has ended is no longer left out, as its number may be another's, nor is one whose process has turned out
 * to be the run's. One thread at a time.
 */
#ifndef SAMPLER_FOREIGN_THREADS_H
#define SAMPLER_FOREIGN_THREADS_H

#include "base/hash_map.h"
#include "base/str.h"
#include "sampler/watch_list.h"

/* Each of them costs the run's calls a comparison (chosen). */
enum { FOREIGN_MOST = 16 };

struct foreign_thread {
    uint32_t pid, tid;
};

struct foreign_threads {
    struct foreign_thread out[FOREIGN_MOST]; /* that are left out */
    uint32_t count;
    struct hash_map calls; /* tid -> so often since the last look, with the pid in the upper half */
    uint64_t followed_ns, patience_ns; /* the last look, and how long it is to the next one */
};

void foreign_threads_count(struct foreign_threads *foreign, uint32_t pid, uint32_t tid);
/* Looks now and then, and the more seldom the more often they change. True: those that are left out have changed. */
bool foreign_threads_follow(struct foreign_threads *foreign, struct watch_list *list,
                            uint64_t now_ns);
/* A condition that begins a filter; nothing where none is left out. */
void foreign_threads_filter(const struct foreign_threads *foreign, struct str *out);
void foreign_threads_release(struct foreign_threads *foreign);

#endif
