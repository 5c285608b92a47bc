#include "sampler/uprobe.h"

#include <stdio.h>

#include "sampler/perf_rings.h"

/* A uprobe's config (/sys/bus/event_source/devices/uprobe/format): bit 0 a return; from bit 32 on the
 * offset of what counts those who watch. */
#define RETURN_BIT UINT64_C(1)
enum { COUNTER_SHIFT = 32 };

bool uprobe_type(uint32_t *type)
{
    FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
    bool read = file && fscanf(file, "%u", type) == 1;
    if (file)
        fclose(file);
    return read;
}

struct perf_event_attr uprobe_attr(uint32_t type, const char *file, uint64_t offset,
                                   uint64_t counter)
{
    struct perf_event_attr attr = perf_rings_attr(type, counter << COUNTER_SHIFT);
    attr.uprobe_path = (uint64_t)(uintptr_t)file;
    attr.probe_offset = offset;
    return attr;
}

void uprobe_at_return(struct perf_event_attr *attr)
{
    attr->config |= RETURN_BIT;
}
