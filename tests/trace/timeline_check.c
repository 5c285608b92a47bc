#include "timeline_check.h"

#include "trace/off_cpu.h"
#include "trace/point.h"

static const char *check_spans(const struct timeline_thread *thread)
{
    for (uint32_t i = 0; i < thread->span_count; i++) {
        const struct span *span = &thread->spans[i];
        if (span->end < span->start)
            return "a span ends before it starts";
        if (i > 0 && span->start < span[-1].start)
            return "spans are not in order";
        if (span->parent == SPAN_NONE)
            continue;
        if (span->parent >= i)
            return "a parent stands behind its child";
        const struct span *parent = &thread->spans[span->parent];
        if (span->start < parent->start || span->end > parent->end)
            return "a child sticks out of its parent";
    }
    return NULL;
}

static const char *check_labels(const struct timelines *run, const struct timeline_thread *thread)
{
    for (uint32_t i = 0; i < thread->label_count; i++) {
        const struct label *label = &thread->labels[i];
        if (i > 0 && label->time < label[-1].time)
            return "labels are not in order";
        if (label->interval == INTERVAL_NONE)
            continue;
        if (label->interval >= run->interval_count)
            return "a label names no interval";
        if (label->time < run->intervals[label->interval].begin ||
            label->time > run->intervals[label->interval].end)
            return "a thread is given an interval that is not open";
    }
    return NULL;
}

static const char *check_blocks(const struct timelines *run, const struct timeline_thread *thread)
{
    for (uint32_t i = 0; i < thread->block_count; i++) {
        const struct block *block = &thread->blocks[i];
        if (block->end <= block->start)
            return "a block has no length";
        if (i > 0 && block->start < block[-1].end)
            return "blocks overlap";
        if (block->waker_time < block->start || block->waker_time > block->end)
            return "a waker is not within its block";
        if (block->waker != THREAD_NONE &&
            (block->waker >= run->thread_count || &run->threads[block->waker] == thread))
            return "a waker is not another thread";
    }
    return NULL;
}

static const char *check_task(const struct kernel_side *side, const struct kernel_task *task)
{
    for (uint32_t i = 0; i < task->off_count; i++) {
        const struct off_cpu *off = &task->offs[i];
        if (off->woken < off->out || off->in < off->woken)
            return "a thread is woken before it goes, or after it comes back";
        if (i > 0 && off->out < off[-1].in)
            return "times off the processor overlap";
        if (off->cause >= OFF_CAUSES || (off->waker != TASK_NONE && off->waker >= side->task_count))
            return "a time off the processor has a cause that is none";
    }
    return NULL;
}

static const char *check_processor(const struct kernel_side *side,
                                   const struct processor *processor)
{
    for (uint32_t i = 0; i < processor->count; i++) {
        const struct processor_use *use = &processor->uses[i];
        if (i > 0 && use->start < use[-1].start)
            return "a processor's uses are not in order";
        if (use->task != TASK_NONE && use->task >= side->task_count)
            return "a processor is a task's that is none";
    }
    return NULL;
}

static const char *check_hits(const struct point_hits *hits)
{
    for (size_t i = 0; hits && i < hits->count; i++) {
        if (i > 0 && hits->items[i].time < hits->items[i - 1].time)
            return "hits are not in order";
        if (hits->items[i].point >= hits->point_count)
            return "a hit is of a point that is none";
    }
    for (uint32_t i = 0; hits && i < hits->point_count; i++)
        if (!hits->points[i].wish || hits->points[i].wish > hits->wish_count ||
            hits->points[i].role >= TRACE_POINT_ROLES)
            return "a point is of a wish or role that is none";
    return NULL;
}

static const char *check_kernel(const struct kernel_side *side)
{
    const char *fault = NULL;
    for (uint32_t i = 0; side && i < side->task_count && !fault; i++)
        fault = check_task(side, &side->tasks[i]);
    for (uint32_t i = 0; side && i < side->processor_count && !fault; i++)
        fault = check_processor(side, &side->processors[i]);
    return fault;
}

static const char *check_block_offs(const struct timeline_thread *thread)
{
    for (uint32_t i = 0; thread->block_offs && i < thread->block_count; i++)
        if (thread->block_offs[i] > thread->off_count)
            return "a block lies in a time off the processor that is none";
    return NULL;
}

static const char *check_pickups(const struct timelines *run, const struct timeline_thread *thread)
{
    for (uint32_t i = 0; i < thread->pickup_count; i++) {
        const struct pickup *pickup = &thread->pickups[i];
        if (i > 0 && pickup->time < pickup[-1].time)
            return "pickups are not in order";
        if (pickup->creation_time > pickup->time)
            return "a task is picked up before its creation";
        if (pickup->creator != THREAD_NONE && pickup->creator >= run->thread_count)
            return "a creator is no thread";
    }
    return NULL;
}

static const char *check_intervals(const struct timelines *run)
{
    for (uint32_t i = 0; i < run->interval_count; i++) {
        const struct interval *interval = &run->intervals[i];
        if (interval->end < interval->begin)
            return "an interval ends before it begins";
        if (i > 0 && interval->begin < interval[-1].begin)
            return "intervals are not in order";
        if (interval->begin_thread >= run->thread_count ||
            interval->end_thread >= run->thread_count || interval->process >= run->process_count)
            return "an interval names no thread";
    }
    return NULL;
}

const char *timeline_check(const struct timelines *run)
{
    const char *fault = check_intervals(run);
    if (!fault)
        fault = check_kernel(run->kernel_side);
    if (!fault)
        fault = check_hits(run->point_hits);
    for (uint32_t i = 0; i < run->thread_count && !fault; i++) {
        const struct timeline_thread *thread = &run->threads[i];
        if (thread->last < thread->first || thread->process >= run->process_count)
            return "a thread is not within the run";
        if (!(fault = check_spans(thread)) && !(fault = check_labels(run, thread)) &&
            !(fault = check_blocks(run, thread)) && !(fault = check_block_offs(thread)))
            fault = check_pickups(run, thread);
    }
    return fault;
}
