#include "trace/off_cpu.h"

const char *kernel_device_name(const struct kernel_side *side, uint32_t number)
{
    for (uint32_t i = 0; i < side->device_count; i++)
        if (side->devices[i].number == number)
            return side->devices[i].name;
    return NULL;
}

uint32_t kernel_task_off_behind(const struct kernel_task *task, time_ns time)
{
    uint32_t low = 0, high = task->off_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (task->offs[middle].in <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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

bool kernel_side_has_switches(const struct kernel_side *side)
{
    for (uint32_t p = 0; side && p < side->processor_count; p++)
        if (side->processors[p].count)
            return true;
    return false;
}

time_ns kernel_side_recorded(const struct kernel_side *side, time_ns from, time_ns until)
{
    time_ns recorded = until - from;
    for (uint32_t i = 0; i < side->pause_count; i++) {
        time_ns begin = side->pauses[i].from > from ? side->pauses[i].from : from;
        time_ns end = side->pauses[i].until < until ? side->pauses[i].until : until;
        recorded -= end > begin ? end - begin : 0;
    }
    return recorded;
}
