#include "sampler/return_events.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sampler/uprobe.h"

enum { RING_BYTES = 1 << 18, WORD = sizeof(uint64_t) };

#if defined(__x86_64__)
static const uint64_t stack_pointer = UINT64_C(1) << 7; /* linux/asm/perf_regs.h: sp */
#else
static const uint64_t stack_pointer = 0;
#endif

static bool is_needed(const struct point_plan *plan)
{
    for (size_t i = 0; plan && i < plan->place_count; i++)
        if (plan->places[i].by_kernel)
            return stack_pointer != 0;
    return false;
}

static bool add_places(struct perf_rings *rings, uint32_t ring, uint32_t type,
                       const struct point_plan *plan)
{
    for (size_t i = 0; i < plan->place_count; i++) {
        const struct point_place *place = &plan->places[i];
        if (!place->by_kernel)
            continue;
        struct perf_event_attr attr = uprobe_attr(type, place->file, place->offset, 0);
        attr.sample_type =
            PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
        attr.sample_regs_user = stack_pointer;
        attr.sample_stack_user = WORD;
        if (perf_rings_add(rings, ring, &attr, -1) < 0)
            return false;
    }
    return true;
}

static bool open_all(struct perf_rings *rings, const struct point_plan *plan)
{
    uint32_t type;
    if (!uprobe_type(&type))
        return false;
    for (uint32_t i = 0; i < (uint32_t)sysconf(_SC_NPROCESSORS_CONF); i++) {
        struct perf_event_attr first = perf_rings_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
        if (perf_rings_add_ring(rings, i, &first, -1)) {
            if (!add_places(rings, rings->count - 1, type, plan))
                return false;
        } else if (errno != ENODEV) {
            return false;
        }
    }
    return true;
}

void return_events_open(struct return_events *returns, const struct point_plan *plan)
{
    *returns = (struct return_events){0};
    if (!is_needed(plan))
        return;
    perf_rings_init(&returns->rings, RING_BYTES);
    if (open_all(&returns->rings, plan))
        perf_rings_enable(&returns->rings);
    else
        perf_rings_close(&returns->rings);
}

/* As linux/perf_event.h orders it: tid, time, the ABI and the register, the size of the stack and its word. */
static void take(struct return_events *returns, const struct perf_event_header *header)
{
    uint64_t words[6];
    if (header->type != PERF_RECORD_SAMPLE || header->size < sizeof *header + sizeof words)
        return;
    memcpy(words, header + 1, sizeof words);
    if (words[2] == PERF_SAMPLE_REGS_ABI_64 && words[4] == WORD)
        return_memory_note(&returns->memory, (uint32_t)(words[0] >> 32), words[3], words[1],
                           words[5]);
}

void return_events_take(struct return_events *returns)
{
    const struct perf_event_header *header;
    for (uint32_t i = 0; i < returns->rings.count; i++) {
        struct ring *ring = &returns->rings.rings[i];
        for (ring_look(ring); (header = ring_peek(ring)) != NULL; ring_pop(ring))
            take(returns, header);
    }
}

void return_events_close(struct return_events *returns)
{
    perf_rings_close(&returns->rings);
    return_memory_release(&returns->memory);
}
