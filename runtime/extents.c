#include "runtime/extents.h"

#include <stddef.h>
#include <sys/mman.h>

#include "runtime/pages.h"

/* So many chunks of 256 KiB are 64 GiB; many threads, and their short logs, take smaller ones. */
#define EXTENTS_MAX (1u << 18)
#define EXTENTS_BYTES (EXTENTS_MAX * sizeof(struct extent))

#define CLAIMS_MAX 1000 /* each but the last was another thread's success, or there is no room */

enum { EXTENT_FREE, EXTENT_CLAIMED, EXTENT_RETIRED, EXTENT_TAKEN };

/* The extents are a ring: those in [oldest, next) modulo EXTENTS_MAX wait to be taken. */
static struct {
    struct extent *ring; /* NULL: nothing is remembered */
    uint64_t oldest;
    uint64_t next;
} extents;

static struct extent *extent_at(uint64_t number)
{
    return &extents.ring[number % EXTENTS_MAX];
}

static uint32_t state_of(const struct extent *extent)
{
    return __atomic_load_n(&extent->state, __ATOMIC_ACQUIRE);
}

static bool change_state(struct extent *extent, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&extent->state, &from, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

bool extents_start(void)
{
    extents.ring = pages_take(EXTENTS_BYTES);
    return extents.ring != NULL;
}

static bool move_next(uint64_t number)
{
    return __atomic_compare_exchange_n(&extents.next, &number, number + 1, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

/* The slot at `number` is claimed, if that is still the next one. Who is in the middle of claiming
 * it may have been stopped: it is left to them empty. */
static struct extent *claim(uint64_t number)
{
    struct extent *extent = extent_at(number);
    if (!change_state(extent, EXTENT_FREE, EXTENT_CLAIMED)) {
        if (state_of(extent) == EXTENT_CLAIMED)
            move_next(number);
        return NULL;
    }
    if (move_next(number))
        return extent;
    __atomic_store_n(&extent->state, EXTENT_FREE, __ATOMIC_RELEASE);
    return NULL;
}

bool extents_kept(void)
{
    return extents.ring != NULL;
}

void extents_retire(struct extent retired)
{
    for (int i = 0; extents.ring && i < CLAIMS_MAX; i++) {
        struct extent *extent = claim(__atomic_load_n(&extents.next, __ATOMIC_ACQUIRE));
        if (extent) {
            extent->offset = retired.offset;
            extent->size = retired.size;
            extent->ticks = retired.ticks;
            extent->records = retired.records;
            __atomic_store_n(&extent->state, EXTENT_RETIRED, __ATOMIC_RELEASE);
            return;
        }
    }
}

static void pass_free(uint64_t next)
{
    uint64_t oldest = __atomic_load_n(&extents.oldest, __ATOMIC_RELAXED);
    while (oldest < next && state_of(extent_at(oldest)) == EXTENT_FREE)
        if (__atomic_compare_exchange_n(&extents.oldest, &oldest, oldest + 1, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            oldest++;
}

bool extents_take_oldest(struct extent *taken)
{
    if (!extents.ring)
        return false;
    uint64_t next = __atomic_load_n(&extents.next, __ATOMIC_ACQUIRE);
    for (uint64_t n = __atomic_load_n(&extents.oldest, __ATOMIC_RELAXED); n < next; n++) {
        struct extent *extent = extent_at(n);
        if (!change_state(extent, EXTENT_RETIRED, EXTENT_TAKEN))
            continue;
        *taken = (struct extent){extent->offset, extent->size, extent->ticks, extent->records,
                                 EXTENT_TAKEN};
        __atomic_store_n(&extent->state, EXTENT_FREE, __ATOMIC_RELEASE);
        pass_free(n + 1);
        return true;
    }
    return false;
}

bool extents_any(void)
{
    return __atomic_load_n(&extents.oldest, __ATOMIC_ACQUIRE) <
           __atomic_load_n(&extents.next, __ATOMIC_ACQUIRE);
}

void extents_forked(void)
{
    extents.oldest = extents.next = 0;
    if (extents.ring)
        madvise(extents.ring, EXTENTS_BYTES, MADV_DONTNEED); /* zeros, without a page for each */
}
