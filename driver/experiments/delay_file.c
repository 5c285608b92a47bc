#include "driver/experiments/delay_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "driver/workbench/switch_file.h"

/* A smaller debt is not worth a sleep, which takes some 20 us of a processor. */
enum { PAY_NS = 100000 };

struct trace_delays *delay_file_make(const char *folder, struct error *error)
{
    struct trace_delays *delays =
        switch_file_map_new(folder, TRACE_DELAYS_NAME, sizeof *delays, error);
    if (!delays)
        return NULL;
    delays->version = TRACE_DELAYS_VERSION;
    delays->bytes = sizeof *delays;
    delays->pay_ns = PAY_NS;
    delays->peers = 1;
    memcpy(delays->magic, TRACE_DELAYS_MAGIC, sizeof delays->magic);
    return delays;
}

void delay_file_set_place(struct trace_delays *delays, const struct code_goal *place)
{
    if (!place)
        return;
    snprintf(delays->place_name, sizeof delays->place_name, "%s", place->function);
    for (uint32_t i = 0; i < place->count && i < TRACE_DELAYS_PLACES; i++) {
        delays->places[i] = place->ranges[i];
        snprintf(delays->place_objects[i], sizeof delays->place_objects[i], "%s",
                 place->objects[place->ranges[i].object]);
        delays->place_count = i + 1;
    }
}

/* Before the target's number is there, for processes look for its code then. */
static void set_code(struct trace_delays *delays, const struct code_goal *code)
{
    delays->code_count = delays->object_count = 0;
    if (!code)
        return;
    memcpy(delays->code, code->ranges, sizeof *code->ranges * code->count);
    for (uint32_t i = 0; i < code->object_count; i++)
        snprintf(delays->objects[i], sizeof delays->objects[i], "%s", code->objects[i]);
    delays->code_count = code->count;
    delays->object_count = code->object_count;
}

void delay_file_begin(struct trace_delays *delays, const struct delay_setting *setting)
{
    if (delays->target != setting->target) {
        set_code(delays, setting->code);
        __atomic_thread_fence(__ATOMIC_RELEASE);
    }
    __atomic_store_n(&delays->kind, setting->kind, __ATOMIC_RELAXED);
    __atomic_store_n(&delays->classes, setting->classes, __ATOMIC_RELAXED);
    __atomic_store_n(&delays->target, setting->target, __ATOMIC_RELAXED);
    __atomic_store_n(&delays->step_ns, setting->step_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&delays->noted, setting->noted, __ATOMIC_RELAXED);
    __atomic_store_n(&delays->share, (uint32_t)(setting->level * TRACE_EXPERIMENT_WHOLE + 0.5),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&delays->epoch, delays->epoch + 1, __ATOMIC_RELEASE);
}

void delay_file_count(struct trace_delays *delays, bool counting)
{
    __atomic_store_n(&delays->counting, counting, __ATOMIC_RELAXED);
}

void delay_file_release(struct trace_delays *delays)
{
    if (delays)
        munmap(delays, sizeof *delays);
}
