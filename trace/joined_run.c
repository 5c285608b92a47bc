#include "trace/joined_run.h"

#include <string.h>

#include "base/memory.h"
#include "trace/hold.h"
#include "trace/span_pages.h"
#include "trace/timeline_load.h"

#define LONGEST_PART_NS (INT64_C(1) << 60)
#define LONGEST_RUN_NS (INT64_C(1) << 62)

struct extent {
    time_ns first;
    time_ns last;
};

static struct extent part_extent(const struct timelines *part)
{
    struct extent extent = {0, 0};
    for (uint32_t i = 0; i < part->thread_count; i++) {
        const struct timeline_thread *thread = &part->threads[i];
        extent.first = thread->first < extent.first ? thread->first : extent.first;
        extent.last = thread->last > extent.last ? thread->last : extent.last;
    }
    for (uint32_t i = 0; i < part->interval_count; i++) {
        const struct interval *interval = &part->intervals[i];
        extent.first = interval->begin < extent.first ? interval->begin : extent.first;
        extent.last = interval->end > extent.last ? interval->end : extent.last;
    }
    return extent;
}

/* Where a part goes in the whole. */
struct place {
    time_ns delay;
    uint32_t process, thread, interval, hold, stack; /* its first one */
};

static void move_index(uint32_t *index, uint32_t by)
{
    if (*index != UINT32_MAX) /* THREAD_NONE, INTERVAL_NONE */
        *index += by;
}

/* The number of a stack has few bits: what does not fit is not known. */
static uint32_t moved_stack(uint32_t stack, const struct place *place)
{
    uint32_t moved = stack + place->stack;
    return stack && moved <= TIMELINE_STACK_MAX ? moved : 0;
}

static void move_thread(struct timeline_thread *thread, const struct place *place)
{
    thread->process += place->process;
    thread->first += place->delay;
    thread->last += place->delay;
    if (thread->pages)
        clock_map_delay(&thread->pages->clock, place->delay);
    for (uint32_t i = 0; i < thread->span_count; i++) {
        thread->spans[i].start += place->delay;
        thread->spans[i].end += place->delay;
    }
    for (uint32_t i = 0; i < thread->label_count; i++) {
        thread->labels[i].time += place->delay;
        move_index(&thread->labels[i].interval, place->interval);
    }
    for (uint32_t i = 0; i < thread->block_count; i++) {
        struct block *block = &thread->blocks[i];
        block->start += place->delay;
        block->end += place->delay;
        block->waker_time += place->delay;
        move_index(&block->waker, place->thread);
        block->hold += block->hold != HOLD_NONE ? place->hold : 0;
        block->waker_stack = moved_stack(block->waker_stack, place) & TIMELINE_STACK_MAX;
    }
    for (uint32_t i = 0; i < thread->pickup_count; i++) {
        struct pickup *pickup = &thread->pickups[i];
        pickup->time += place->delay;
        pickup->creation_time += place->delay;
        move_index(&pickup->creator, place->thread);
        pickup->creator_stack = moved_stack(pickup->creator_stack, place);
    }
}

static void move_interval(struct interval *interval, const struct place *place)
{
    interval->process += place->process;
    interval->begin += place->delay;
    interval->end += place->delay;
    interval->begin_thread += place->thread;
    interval->end_thread += place->thread;
}

static void move_hold(struct hold *hold, const struct place *place)
{
    if (hold->since != HOLD_UNKNOWN)
        hold->since += place->delay;
    hold->until += place->delay;
    hold->thread += place->thread;
    hold->stack = moved_stack(hold->stack, place);
    hold->before += hold->before != HOLD_NONE ? place->hold : 0;
}

static void add_counts(struct timelines *run, const struct timelines *part)
{
    for (size_t i = 0; i < sizeof run->marks / sizeof *run->marks; i++)
        run->marks[i] += part->marks[i];
    run->lost_records += part->lost_records;
    run->overwritten_records += part->overwritten_records;
    run->intervals_cut += part->intervals_cut;
    run->intervals_outside += part->intervals_outside;
    run->processes_unchanged += part->processes_unchanged;
    for (uint32_t i = 0; i < part->damage_count; i++)
        run->damage[run->damage_count++] = part->damage[i];
    run->clock = !run->clock || strcmp(run->clock, part->clock) == 0 ? part->clock : "several";
}

static void add_part(struct timelines *run, struct timelines *part, time_ns delay)
{
    struct place place = {
        delay,           run->process_count, run->thread_count, run->interval_count,
        run->hold_count, run->stack_count};
    for (uint32_t i = 0; i < part->stack_count; i++) {
        part->stacks[i].process += place.process;
        run->stacks[run->stack_count++] = part->stacks[i];
    }
    for (uint32_t i = 0; i < part->hold_count; i++) {
        move_hold(&part->holds[i], &place);
        run->holds[run->hold_count++] = part->holds[i];
    }
    for (uint32_t i = 0; i < part->process_count; i++)
        run->processes[run->process_count++] = part->processes[i];
    for (uint32_t i = 0; i < part->thread_count; i++) {
        move_thread(&part->threads[i], &place);
        run->threads[run->thread_count++] = part->threads[i];
    }
    for (uint32_t i = 0; i < part->interval_count; i++) {
        move_interval(&part->intervals[i], &place);
        run->intervals[run->interval_count++] = part->intervals[i];
    }
    add_counts(run, part);
}

static void make_room(struct timelines *run, const struct timelines *parts, uint32_t count)
{
    uint32_t processes = 0, threads = 0, intervals = 0, damage = 0, holds = 0, stacks = 0;
    for (uint32_t p = 0; p < count; p++) {
        processes += parts[p].process_count;
        threads += parts[p].thread_count;
        intervals += parts[p].interval_count;
        damage += parts[p].damage_count;
        holds += parts[p].hold_count;
        stacks += parts[p].stack_count;
    }
    run->processes = ARENA_ARRAY(&run->arena, struct timeline_process, processes);
    run->threads = ARENA_ARRAY(&run->arena, struct timeline_thread, threads);
    run->intervals = ARENA_ARRAY(&run->arena, struct interval, intervals);
    run->damage = ARENA_ARRAY(&run->arena, const char *, damage);
    run->holds = ARENA_ARRAY(&run->arena, struct hold, holds);
    run->stacks = ARENA_ARRAY(&run->arena, struct caller_stack, stacks);
}

bool joined_run_make(struct joined_run *joined, struct timelines *parts, uint32_t count,
                     struct error *error)
{
    *joined = (struct joined_run){.parts = parts, .count = count};
    if (count == 1) {
        joined->run = parts[0];
        memory_free(parts);
        joined->parts = NULL;
        return true;
    }
    make_room(&joined->run, parts, count);
    time_ns end = 0;
    for (uint32_t p = 0; p < count; p++) {
        struct extent extent = part_extent(&parts[p]);
        if (extent.last - extent.first > LONGEST_PART_NS || end > LONGEST_RUN_NS - LONGEST_PART_NS)
            return error_set(error, ERROR_FORMAT,
                             "The traces of %s (process %u) tell of more than 36 years: its clock "
                             "is damaged. Leave that run out.",
                             parts[p].process_count ? parts[p].processes[0].program : "a program",
                             parts[p].process_count ? parts[p].processes[0].pid : 0);
        add_part(&joined->run, &parts[p], end - extent.first);
        end += extent.last - extent.first + 1;
    }
    return true;
}

void joined_run_release(struct joined_run *joined)
{
    timelines_release(&joined->run);
    for (uint32_t p = 0; joined->parts && p < joined->count; p++)
        timelines_release(&joined->parts[p]);
    memory_free(joined->parts);
    *joined = (struct joined_run){0};
}
