/* loading.h - where the reading of a run's logs stands, for those who take records.
 *
 *     time_ns begin = loading_ns(loading, record->ticks);
 *     uint64_t lock = loading_object(loading, record->object, record->operation);
 */
#ifndef TRACE_LOADING_H
#define TRACE_LOADING_H

#include "base/hash_map.h"
#include "trace/caller_list.h"
#include "trace/clock_map.h"
#include "trace/object_space.h"
#include "trace/timeline.h"

struct loading {
    struct timelines *run;
    const struct object_space *objects; /* of the file that is read */
    const struct clock_map *clock;      /* the same */
    uint64_t clock_base;
    uint64_t last_ticks;   /* of the process, so far */
    uint32_t process;      /* that is read, or was read last */
    uint32_t first_thread; /* of the process */
    uint32_t processor;    /* of a recorder's log that is read */
    uint32_t thread;       /* that is read; behind the last one of the process once it is read */
    struct caller_list callers;
    struct intern names;
    const char **name_text; /* by id, in the run's arena */
    size_t name_count, name_capacity;
};

void loading_release(struct loading *loading);

static inline time_ns loading_ns(const struct loading *loading, uint64_t ticks)
{
    return clock_map_ns(loading->clock, loading->clock_base, ticks);
}

/* The name is a copy of a text of `size` bytes at most, in the run's arena, one for each text. */
const char *loading_name(struct loading *loading, const char *text, size_t size);
/* The number of an object is that of struct block. */
uint64_t loading_object(const struct loading *loading, uint64_t address, uint32_t operation);
/* A mark of this kind, enum vprof_mark_1, is counted. */
void loading_count_mark(struct loading *loading, uint32_t what);

#endif
