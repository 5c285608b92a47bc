#include "sampler/foreign_threads.h"

#include <stdio.h>
#include <unistd.h>

/* After what time it is looked, at first and at last, and how many calls in it are many (chosen). */
#define LEAST_NS UINT64_C(200000000)
#define MOST_NS UINT64_C(10000000000)
enum { OFTEN = 200 };

void foreign_threads_count(struct foreign_threads *foreign, uint32_t pid, uint32_t tid)
{
    uint64_t *known = hash_map_put(&foreign->calls, tid);
    if (*known >> 32 != pid)
        *known = (uint64_t)pid << 32;
    ++*known;
}

static bool has_ended(const struct foreign_thread *thread)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/task/%u", thread->pid, thread->tid);
    return access(path, F_OK) != 0;
}

static bool take_back(struct foreign_threads *foreign, struct watch_list *list)
{
    uint32_t kept = 0, before = foreign->count;
    for (uint32_t i = 0; i < before; i++) {
        const struct foreign_thread *thread = &foreign->out[i];
        if (!has_ended(thread) && !watch_list_has_process(list, thread->pid))
            foreign->out[kept++] = *thread;
    }
    foreign->count = kept;
    return kept != before;
}

static bool is_out(const struct foreign_threads *foreign, uint32_t tid)
{
    for (uint32_t i = 0; i < foreign->count; i++)
        if (foreign->out[i].tid == tid)
            return true;
    return false;
}

static bool leave_out(struct foreign_threads *foreign)
{
    uint32_t before = foreign->count;
    for (size_t i = 0; i < foreign->calls.capacity; i++) {
        const struct hash_map_entry *entry = &foreign->calls.entries[i];
        if (entry->used && (uint32_t)entry->value >= OFTEN && foreign->count < FOREIGN_MOST &&
            !is_out(foreign, (uint32_t)entry->key))
            foreign->out[foreign->count++] =
                (struct foreign_thread){(uint32_t)(entry->value >> 32), (uint32_t)entry->key};
    }
    hash_map_release(&foreign->calls);
    return foreign->count != before;
}

bool foreign_threads_follow(struct foreign_threads *foreign, struct watch_list *list,
                            uint64_t now_ns)
{
    if (!foreign->followed_ns)
        foreign->followed_ns = now_ns, foreign->patience_ns = LEAST_NS;
    if (now_ns - foreign->followed_ns < foreign->patience_ns)
        return false;
    foreign->followed_ns = now_ns;
    bool fewer = take_back(foreign, list), more = leave_out(foreign);
    if ((fewer || more) && foreign->patience_ns < MOST_NS)
        foreign->patience_ns *= 2;
    return fewer || more;
}

void foreign_threads_filter(const struct foreign_threads *foreign, struct str *out)
{
    for (uint32_t i = 0; i < foreign->count; i++)
        str_printf(out, "common_pid != %u && ", foreign->out[i].tid);
}

void foreign_threads_release(struct foreign_threads *foreign)
{
    hash_map_release(&foreign->calls);
}
