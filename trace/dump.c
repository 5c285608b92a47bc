#include "trace/dump.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "trace/experiment.h"
#include "trace/off_cpu.h"
#include "trace/point.h"
#include "trace/sample.h"
#include "trace/thread_index.h"
#include "trace/waker.h"

struct dump {
    const struct timelines *run;
    const struct function_table *table;
    FILE *out;
    char (*tids)[24]; /* by thread */
};

enum line_kind { LINE_SEGMENT, LINE_FUNCTION, LINE_WAKE_UP, LINE_CREATION };

/* A line to come is one of one thread. */
struct line {
    time_ns time;
    enum line_kind kind;
    uint32_t index;    /* in spans, blocks or pickups */
    time_ns end;       /* of a segment */
    uint32_t interval; /* of a segment or a function */
    const char *state;
};

struct line_list {
    struct line *lines;
    size_t count;
    size_t capacity;
};

static void dump_tids(struct dump *dump)
{
    struct hash_map seen = {0};
    const struct timelines *run = dump->run;
    dump->tids = memory_alloc(sizeof *dump->tids * run->thread_count);
    for (uint32_t i = 0; i < run->thread_count; i++) {
        uint64_t times = ++*hash_map_put(&seen, run->threads[i].tid);
        if (times == 1)
            snprintf(dump->tids[i], sizeof dump->tids[i], "%u", run->threads[i].tid);
        else
            snprintf(dump->tids[i], sizeof dump->tids[i], "%u.%" PRIu64, run->threads[i].tid,
                     times);
    }
    hash_map_release(&seen);
}

static uint32_t interval_at(const struct timeline_thread *thread, time_ns time)
{
    int64_t label = timeline_label_at(thread, time);
    return label < 0 ? INTERVAL_NONE : thread->labels[label].interval;
}

static void print_interval(const struct dump *dump, uint32_t interval)
{
    if (interval == INTERVAL_NONE)
        fputs(" -", dump->out);
    else
        fprintf(dump->out, " %u", interval);
}

/* The result is how many bytes of a character that must not be printed are at `text`: controls,
 * U+0080 to U+009F too, and what turns the direction of reading; 0: it may be. */
static size_t unprintable_bytes(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (bytes[0] < ' ' || bytes[0] == 0x7F)
        return 1;
    if (bytes[0] == 0xC2)
        return bytes[1] >= 0x80 && bytes[1] < 0xA0 ? 2 : 0;
    if (bytes[0] != 0xE2 || (bytes[1] != 0x80 && bytes[1] != 0x81))
        return 0;
    bool turns = bytes[1] == 0x80 ? bytes[2] == 0x8E || bytes[2] == 0x8F ||
                                        (bytes[2] >= 0xA8 && bytes[2] <= 0xAE)
                                  : bytes[2] >= 0xA6 && bytes[2] <= 0xAF;
    return turns ? 3 : 0;
}

static void print_text(const struct dump *dump, const char *text)
{
    for (; *text; text++) {
        size_t bytes = unprintable_bytes(text);
        putc(bytes ? '?' : *text, dump->out);
        text += bytes ? bytes - 1 : 0;
    }
}

static void print_name(const struct dump *dump, const struct span *span)
{
    const struct function_table *table = dump->table;
    putc(' ', dump->out);
    if (table && span->probe < table->probe_count &&
        table->probes[span->probe].function != FUNCTION_NONE) {
        print_text(dump, table->functions[table->probes[span->probe].function].name);
        return;
    }
    fprintf(dump->out, "probe:%u", span->probe);
    if (span->target)
        fprintf(dump->out, "@0x%" PRIx64, span->target);
}

static void print_line(const struct dump *dump, uint32_t thread_index, const struct line *line)
{
    const struct timeline_thread *thread = &dump->run->threads[thread_index];
    const char *tid = dump->tids[thread_index];
    const struct pickup *pickup;
    switch (line->kind) {
    case LINE_SEGMENT:
        fprintf(dump->out, "segment %s", tid);
        print_interval(dump, line->interval);
        fprintf(dump->out, " %" PRId64 " %" PRId64 " %s\n", line->time, line->end, line->state);
        break;
    case LINE_FUNCTION:
        fprintf(dump->out, "function %s", tid);
        print_interval(dump, line->interval);
        print_name(dump, &thread->spans[line->index]);
        fprintf(dump->out, " %" PRId64 " %" PRId64 "\n", line->time,
                thread->spans[line->index].end);
        break;
    case LINE_WAKE_UP:
        fprintf(dump->out, "wake-up %s %s %" PRId64 "\n", tid,
                dump->tids[thread->blocks[line->index].waker], line->time);
        break;
    case LINE_CREATION:
        pickup = &thread->pickups[line->index];
        if (pickup->creator == THREAD_NONE)
            fprintf(dump->out, "creation - - %s %" PRId64 "\n", tid, pickup->time);
        else
            fprintf(dump->out, "creation %s %" PRId64 " %s %" PRId64 "\n",
                    dump->tids[pickup->creator], pickup->creation_time, tid, pickup->time);
        break;
    }
}

static struct line *line_add(struct line_list *list, enum line_kind kind, time_ns time,
                             uint32_t index)
{
    struct line *line = &VEC_PUSH(list->lines, list->count, list->capacity);
    *line = (struct line){.time = time, .kind = kind, .index = index};
    return line;
}

/* The label after `label` that changes the thread's interval for more than no time. */
static int64_t next_change(const struct timeline_thread *thread, int64_t label, uint32_t interval)
{
    const struct label *labels = thread->labels;
    int64_t count = thread->label_count, next = label + 1;
    while (next < count && (labels[next].interval == interval ||
                            (next + 1 < count && labels[next + 1].time == labels[next].time)))
        next++;
    return next;
}

/* The pieces of [start, end) with one label each. */
static void add_segments(struct line_list *list, const struct timeline_thread *thread,
                         time_ns start, time_ns end, const char *state)
{
    int64_t label = timeline_label_at(thread, start);
    while (start < end) {
        uint32_t interval = label < 0 ? INTERVAL_NONE : thread->labels[label].interval;
        label = next_change(thread, label, interval);
        time_ns until = end;
        if (label < (int64_t)thread->label_count && thread->labels[label].time < end)
            until = thread->labels[label].time;
        struct line *line = line_add(list, LINE_SEGMENT, start, 0);
        line->end = until;
        line->interval = interval;
        line->state = state;
        start = until;
    }
}

/* The wait ended in picking up a task: a pick-up comes before the thread waits again. *pickup is
 * where the search for earlier blocks stopped. */
static bool block_is_queued(const struct timeline_thread *thread, uint32_t block, uint32_t *pickup)
{
    const struct block *b = &thread->blocks[block];
    while (*pickup < thread->pickup_count && thread->pickups[*pickup].time < b->end)
        ++*pickup;
    if (!waker_is_used_up(b->operation))
        return false;
    if (interval_at(thread, b->start) != INTERVAL_NONE || *pickup == thread->pickup_count)
        return false;
    return block + 1 == thread->block_count ||
           thread->pickups[*pickup].time <= thread->blocks[block + 1].start;
}

static void add_states(struct line_list *list, const struct timeline_thread *thread)
{
    time_ns at = thread->first;
    uint32_t pickup = 0;
    for (uint32_t i = 0; i < thread->block_count; i++) {
        const struct block *block = &thread->blocks[i];
        add_segments(list, thread, at, block->start, "running");
        add_segments(list, thread, block->start, block->end,
                     block_is_queued(thread, i, &pickup) ? "queued" : "blocked");
        at = block->end;
        if (block->waker != THREAD_NONE)
            line_add(list, LINE_WAKE_UP, block->waker_time, i);
    }
    add_segments(list, thread, at, thread->last, "running");
}

static int line_compare(const void *a, const void *b)
{
    const struct line *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->kind == LINE_SEGMENT)
        return p->end < q->end ? -1 : p->end > q->end;
    return p->index < q->index ? -1 : p->index > q->index;
}

static void dump_thread(const struct dump *dump, uint32_t index, struct line_list *list)
{
    const struct timeline_thread *thread = &dump->run->threads[index];
    list->count = 0;
    add_states(list, thread);
    for (uint32_t i = 0; i < thread->span_count; i++)
        line_add(list, LINE_FUNCTION, thread->spans[i].start, i)->interval =
            interval_at(thread, thread->spans[i].start);
    for (uint32_t i = 0; i < thread->pickup_count; i++)
        line_add(list, LINE_CREATION, thread->pickups[i].time, i);
    if (list->count)
        qsort(list->lines, list->count, sizeof *list->lines, line_compare);
    for (size_t i = 0; i < list->count; i++)
        print_line(dump, index, &list->lines[i]);
}

static void dump_processes(const struct dump *dump)
{
    const struct timelines *run = dump->run;
    fprintf(dump->out, "# clock %s, lost records %" PRIu64 "\n", run->clock, run->lost_records);
    if (run->overwritten_records)
        fprintf(dump->out, "# overwritten records %" PRIu64 "\n", run->overwritten_records);
    for (uint32_t i = 0; i < run->damage_count; i++)
        fprintf(dump->out, "# damage: %s\n", run->damage[i]);
    for (uint32_t i = 0; i < run->process_count; i++) {
        const struct timeline_process *process = &run->processes[i];
        fprintf(dump->out, "# process %u pid %u parent %u %s ", i, process->pid,
                process->parent_pid, process->killed ? "killed" : "exited");
        print_text(dump, process->program);
        putc('\n', dump->out);
    }
}

static void dump_intervals(const struct dump *dump)
{
    const struct timelines *run = dump->run;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        const struct interval *interval = &run->intervals[i];
        fprintf(dump->out,
                "# interval %u process %u id 0x%" PRIx64 " %s %" PRId64 " %s %" PRId64 " %s", i,
                interval->process, interval->id, dump->tids[interval->begin_thread],
                interval->begin, dump->tids[interval->end_thread], interval->end,
                interval->complete ? "complete" : "incomplete");
        if (interval->type[0]) {
            fputs(" type ", dump->out);
            print_text(dump, interval->type);
        }
        for (uint32_t v = 0; v < interval->value_count; v++) {
            putc(' ', dump->out);
            print_text(dump, interval->values[v].name);
            fprintf(dump->out, "=%" PRId64, interval->values[v].value);
        }
        putc('\n', dump->out);
    }
}

static void dump_stacks(const struct dump *dump)
{
    for (uint32_t i = 1; i < dump->run->sampled_stack_count; i++) {
        const struct sampled_stack *stack = &dump->run->sampled_stacks[i];
        fprintf(dump->out, "# stack %u pid %u kernel %u%s", i, stack->pid, stack->kernel,
                stack->cut ? " cut" : "");
        for (uint16_t a = 0; a < stack->size; a++)
            fprintf(dump->out, " 0x%" PRIx64, stack->addresses[a]);
        putc('\n', dump->out);
    }
}

/* The line is "sample TID THREAD TIME AMOUNT PROCESSOR STACK": of a thread of the run, or of
 * none. */
static void dump_samples(const struct dump *dump)
{
    struct thread_index index;
    thread_index_init(&index, dump->run);
    for (uint32_t i = 0; i < dump->run->sample_count; i++) {
        const struct stack_sample *sample = &dump->run->samples[i];
        uint32_t thread = thread_index_find(&index, sample->pid, sample->tid, sample->time);
        fprintf(dump->out, "sample %u ", sample->tid);
        fputs(thread == THREAD_NONE ? "-" : dump->tids[thread], dump->out);
        fprintf(dump->out, " %" PRId64 " %" PRIu64 " %u %u\n", sample->time, sample->amount_ns,
                sample->processor, sample->stack);
    }
    thread_index_release(&index);
}

static void dump_wait_stacks(const struct dump *dump)
{
    const struct wait_stacks *waits = dump->run->wait_stacks;
    for (uint32_t i = 0; i < waits->count; i++) {
        const struct wait_stack *wait = &waits->items[i];
        fprintf(dump->out, "wait-stack %u %" PRId64 " %s %u %u %u 0x%" PRIx64 " %u\n", wait->tid,
                wait->time, wait->woken ? "wakes" : "waits", wait->woken, wait->stack, wait->one_in,
                wait->argument, wait->holder);
    }
}

static void dump_points(const struct dump *dump)
{
    static const char *const roles[TRACE_POINT_ROLES] = {
        "none",  "enter",  "leave",   "begin", "end",  "read",   "writes",
        "wrote", "accept", "connect", "close", "poll", "called", "returned"};
    const struct point_hits *hits = dump->run->point_hits;
    for (uint32_t i = 0; i < hits->point_count; i++) {
        const struct point *point = &hits->points[i];
        fprintf(dump->out, "# point %u wish %u %s by %s ", i, point->wish, roles[point->role],
                point->by_value ? "value" : "thread");
        print_text(dump, point->name);
        putc('\n', dump->out);
        if (point->closed != INT64_MAX)
            fprintf(dump->out, "# point %u closed %" PRId64 "\n", i, point->closed);
    }
    for (uint32_t i = 0; i < hits->time_count; i++)
        fprintf(dump->out, "# points watched %" PRId64 " %" PRId64 "\n", hits->times[i].from,
                hits->times[i].until);
    for (size_t i = 0; i < hits->loss_count; i++)
        fprintf(dump->out, "# hits lost %" PRIu64 " %" PRId64 " %" PRId64 "\n",
                hits->losses[i].hits, hits->losses[i].from, hits->losses[i].until);
}

/* The line is "hit TID PID TIME POINT VALUE SECOND". */
static void dump_hits(const struct dump *dump)
{
    const struct point_hits *hits = dump->run->point_hits;
    for (size_t i = 0; i < hits->count; i++) {
        const struct point_hit *hit = &hits->items[i];
        fprintf(dump->out, "hit %u %u %" PRId64 " %u ", hit->tid, hit->pid, hit->time, hit->point);
        if (hit->unknown)
            fputs("-", dump->out);
        else
            fprintf(dump->out, "0x%" PRIx64, hit->value);
        fprintf(dump->out, " 0x%" PRIx64 "\n", hit->second);
    }
}

/* The line of an experiment is "experiment EPOCH TARGET SHARE BLOCK whole|broken", then what was so far when each stage began:
 * "TIME GRANTED TARGET_TIME CALLS PAID LATE". */
static void dump_experiments(const struct dump *dump)
{
    const struct experiments *all = dump->run->experiments;
    for (uint32_t i = 0; i < all->target_count; i++) {
        fprintf(dump->out, "# target %u %s ", i, all->targets[i].kind);
        print_text(dump, all->targets[i].name);
        putc('\n', dump->out);
    }
    if (all->outside) {
        fputs("# outside ", dump->out);
        print_text(dump, all->outside);
        putc('\n', dump->out);
    }
    for (uint32_t i = 0; i < all->count; i++) {
        const struct experiment *one = &all->items[i];
        fprintf(dump->out, "experiment %u %u %g %u %s", one->epoch, one->target, one->share,
                one->block, one->whole ? "whole" : "broken");
        for (int s = 0; s < 4; s++)
            fprintf(dump->out,
                    "  %" PRId64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
                    one->stages[s].time, one->stages[s].granted_ns, one->stages[s].target_ns,
                    one->stages[s].calls, one->stages[s].paid_ns, one->stages[s].over_ns);
        putc('\n', dump->out);
    }
}

/* The lines are "delay TID TIME NS", "visit TIME NS PROBE NAME" and "spent TID TIME NS" or "apart TID TIME NS". */
static void dump_delays(const struct dump *dump)
{
    const struct experiments *all = dump->run->experiments;
    for (uint32_t t = 0; t < dump->run->thread_count; t++)
        for (uint32_t i = 0; i < dump->run->threads[t].delay_count; i++)
            fprintf(dump->out, "delay %s %" PRId64 " %" PRId64 "\n", dump->tids[t],
                    dump->run->threads[t].delays[i].time, dump->run->threads[t].delays[i].delay_ns);
    for (uint32_t i = 0; i < all->visit_count; i++) {
        const struct visit *visit = &all->visits[i];
        fprintf(dump->out, "visit %" PRId64 " %" PRId64 " %u ", visit->time, visit->delay_ns,
                visit->probe);
        print_text(dump, visit->name[0] ? visit->name : "-");
        putc('\n', dump->out);
    }
    for (uint32_t i = 0; i < all->spent_count; i++)
        fprintf(dump->out, "%s %s %" PRId64 " %" PRId64 "\n",
                all->spent[i].apart ? "apart" : "spent", dump->tids[all->spent[i].thread],
                all->spent[i].time, all->spent[i].spent_ns);
}

/* The lines are "# unwound PATH ROWS POINTERS STARTS" and, by the reasons, how many ended there else. */
static void dump_unwound(const struct dump *dump)
{
    const struct wait_stacks *waits = dump->run->wait_stacks;
    if (waits->unwinding.stacks)
        fprintf(dump->out,
                "# unwinding %" PRIu64 " lost %" PRIu64 " without %" PRIu64 " own %" PRIu64 " ns\n",
                waits->unwinding.stacks, waits->unwinding.lost, waits->unwinding.without,
                waits->unwinding.own_ns);
    for (uint32_t i = 0; i < waits->unwound_count; i++) {
        const struct unwound_object *object = &waits->unwound[i];
        fputs("# unwound ", dump->out);
        print_text(dump, object->path);
        fprintf(dump->out, " %" PRIu64 " %" PRIu64, object->by_rows, object->by_pointers);
        for (int cut = 0; cut < TRACE_CUTS; cut++)
            fprintf(dump->out, " %" PRIu64, object->ended[cut]);
        putc('\n', dump->out);
    }
}

static void print_task(const struct dump *dump, uint32_t task)
{
    if (task == TASK_NONE)
        fputs(" -", dump->out);
    else
        fprintf(dump->out, " %u", dump->run->kernel_side->tasks[task].tid);
}

static void dump_offs(const struct dump *dump, const struct kernel_task *task)
{
    static const char *const causes[OFF_CAUSES] = {
        "runnable", "unknown", "thread", "lock", "timer", "network", "read", "write", "interrupt"};
    for (uint32_t i = 0; i < task->off_count; i++) {
        const struct off_cpu *off = &task->offs[i];
        fprintf(dump->out, "off %u ", task->tid);
        fputs(task->thread == THREAD_NONE ? "-" : dump->tids[task->thread], dump->out);
        fprintf(dump->out, " %" PRId64 " %" PRId64 " %" PRId64 " %s", off->out, off->woken, off->in,
                causes[off->cause]);
        print_task(dump, off->waker);
        fprintf(dump->out, " %u %u:%u%s\n", off->processor, off->device >> 20,
                off->device & 0xfffff, off->fault ? " fault" : "");
    }
}

static void dump_processor(const struct dump *dump, uint32_t index)
{
    const struct processor *processor = &dump->run->kernel_side->processors[index];
    for (uint32_t i = 0; i < processor->count; i++) {
        fprintf(dump->out, "processor %u %" PRId64, index, processor->uses[i].start);
        print_task(dump, processor->uses[i].task);
        putc('\n', dump->out);
    }
}

static void dump_kernel(const struct dump *dump)
{
    const struct kernel_side *side = dump->run->kernel_side;
    for (uint32_t i = 0; i < side->task_count; i++) {
        const struct kernel_task *task = &side->tasks[i];
        fprintf(dump->out, "# task %u process %u ", task->tid, task->pid);
        print_text(dump, task->name[0] ? task->name : "-");
        putc('\n', dump->out);
        dump_offs(dump, task);
    }
    for (uint32_t i = 0; i < side->processor_count; i++)
        dump_processor(dump, i);
}

void trace_dump(const struct timelines *run, const struct function_table *table, FILE *out)
{
    struct dump dump = {.run = run, .table = table, .out = out};
    struct line_list list = {0};
    dump_tids(&dump);
    dump_processes(&dump);
    dump_intervals(&dump);
    dump_stacks(&dump);
    for (uint32_t i = 0; i < run->thread_count; i++)
        dump_thread(&dump, i, &list);
    dump_samples(&dump);
    if (run->wait_stacks)
        dump_wait_stacks(&dump);
    if (run->point_hits) {
        dump_points(&dump);
        dump_hits(&dump);
    }
    if (run->experiments) {
        dump_experiments(&dump);
        dump_delays(&dump);
    }
    if (run->wait_stacks)
        dump_unwound(&dump);
    if (run->kernel_side)
        dump_kernel(&dump);
    memory_free(list.lines);
    memory_free(dump.tids);
}
