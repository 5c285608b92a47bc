#include "trace/off_cpu.h"

const char *kernel_device_name(const struct kernel_side *side, uint32_t number)
{
    for (uint32_t i = 0; i < side->device_count; i++)
        if (side->devices[i].number == number)
            return side->devices[i].name;
    return NULL;
}

int64_t processor_use_at(const struct processor *processor, time_ns time)
{
    uint32_t low = 0, high = processor->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (processor->uses[middle].start <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return (int64_t)low - 1;
}
