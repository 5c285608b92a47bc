#include "trace/joined_run.h"

#include <string.h>

#include "base/memory.h"
#include "trace/importer.h"
#include "trace/span_pages.h"
#include "trace/timeline_load.h"
#include "trace/watched.h"

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

static void move_thread(struct timeline_thread *thread, const struct moved *moved)
{
    thread->process += moved->process;
    thread->first += moved->delay;
    thread->last += moved->delay;
    thread->delays = NULL; /* experiments are those of one run */
    thread->delay_count = 0;
    if (thread->pages)
        clock_map_delay(&thread->pages->clock, moved->delay);
    for (uint32_t i = 0; i < thread->span_count; i++) {
        thread->spans[i].start += moved->delay;
        thread->spans[i].end += moved->delay;
    }
}

static void add_counts(struct timelines *run, const struct timelines *part)
{
    for (size_t i = 0; i < sizeof run->marks / sizeof *run->marks; i++)
        run->marks[i] += part->marks[i];
    run->lost_records += part->lost_records;
    run->watched = run->clock ? watched_lesser(run->watched, part->watched) : part->watched;
    run->kernel_lost += part->kernel_lost;
    run->total_ran_ns += part->total_ran_ns;
    run->total_runnable_ns += part->total_runnable_ns;
    run->overwritten_records += part->overwritten_records;
    run->intervals_cut += part->intervals_cut;
    run->intervals_outside += part->intervals_outside;
    run->processes_unchanged += part->processes_unchanged;
    for (uint32_t i = 0; i < part->damage_count; i++)
        run->damage[run->damage_count++] = part->damage[i];
    run->clock = !run->clock || strcmp(run->clock, part->clock) == 0 ? part->clock : "several";
}

static void add_part(struct timelines *run, const struct timelines *part, const struct moved *moved)
{
    for (uint32_t i = 0; i < part->process_count; i++)
        run->processes[run->process_count++] = part->processes[i];
    for (uint32_t i = 0; i < part->thread_count; i++) {
        run->threads[run->thread_count] = part->threads[i];
        move_thread(&run->threads[run->thread_count++], moved);
    }
    add_counts(run, part);
}

/* The next part is moved by what this one was moved by, and what this one has. */
static struct moved moved_behind(struct moved moved, const struct timelines *part)
{
    moved.process += part->process_count;
    moved.thread += part->thread_count;
    moved.interval += part->interval_count;
    moved.hold += part->hold_count;
    moved.stack += part->stack_count;
    moved.sampled_stack += part->sampled_stack_count;
    return moved;
}

static void join_all(struct timelines *run, const struct timelines *parts, uint32_t count,
                     const struct moved *moved)
{
    uint32_t processes = 0, threads = 0, damage = 0;
    for (uint32_t p = 0; p < count; p++) {
        processes += parts[p].process_count;
        threads += parts[p].thread_count;
        damage += parts[p].damage_count;
    }
    run->processes = ARENA_ARRAY(&run->arena, struct timeline_process, processes);
    run->threads = ARENA_ARRAY(&run->arena, struct timeline_thread, threads);
    run->damage = ARENA_ARRAY(&run->arena, const char *, damage);
    for (size_t i = 0; importers[i]; i++)
        if (importers[i]->join)
            importers[i]->join(run, parts, count, moved);
    for (uint32_t p = 0; p < count; p++)
        add_part(run, &parts[p], &moved[p]);
}

static bool too_long(const struct timelines *part, struct error *error)
{
    return error_set(error, ERROR_FORMAT,
                     "The traces of %s (process %u) tell of more than 36 years: its clock is "
                     "damaged. Leave that run out.",
                     part->process_count ? part->processes[0].program : "a program",
                     part->process_count ? part->processes[0].pid : 0);
}

/* The times of each part go behind those of the one before. */
static bool find_places(struct moved *moved, const struct timelines *parts, uint32_t count,
                        struct error *error)
{
    time_ns end = 0;
    struct moved next = {0};
    for (uint32_t p = 0; p < count; p++) {
        struct extent extent = part_extent(&parts[p]);
        if (extent.last - extent.first > LONGEST_PART_NS || end > LONGEST_RUN_NS - LONGEST_PART_NS)
            return too_long(&parts[p], error);
        moved[p] = next;
        moved[p].delay = end - extent.first;
        end += extent.last - extent.first + 1;
        next = moved_behind(next, &parts[p]);
    }
    return true;
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
    struct moved *moved = memory_zeroed(sizeof *moved * count);
    bool ok = find_places(moved, parts, count, error);
    if (ok)
        join_all(&joined->run, parts, count, moved);
    memory_free(moved);
    return ok;
}

void joined_run_release(struct joined_run *joined)
{
    timelines_release(&joined->run);
    for (uint32_t p = 0; joined->parts && p < joined->count; p++)
        timelines_release(&joined->parts[p]);
    memory_free(joined->parts);
    *joined = (struct joined_run){0};
}
