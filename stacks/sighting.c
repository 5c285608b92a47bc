#include "stacks/sighting.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "trace/sampled_wait.h"
#include "trace/task_index.h"

/* What a sampled stack is in the tree. */
struct placed {
    bool known, cut, unresolved;
    uint32_t node;
};

struct seeing {
    struct sightings *seen;
    const struct timelines *run;
    const struct kernel_side *side;
    struct sampled_names *names;
    struct placed *placed; /* by sampled stack */
    size_t *capacity;      /* by task */
};

/* ---- contexts ---- */

/* By these a thread begins: they are below everything, and tell nothing. What has no name in the C
 * library is one of them where it is the outermost. */
static bool begins_thread(const struct sampled_frame *frame, bool outermost)
{
    static const char *const names[] = {"_start",
                                        "__libc_start_main",
                                        "__libc_start_main_impl",
                                        "__libc_start_main_alias_2",
                                        "__libc_start_call_main",
                                        "clone",
                                        "__clone",
                                        "clone3",
                                        "__clone3",
                                        "__clone_internal",
                                        "start_thread"};
    static const char *const libraries[] = {"libc.so", "libc-2", "libpthread"};
    return frame->kind != FRAME_KERNEL &&
           (STR_IS_ONE_OF(frame->name, names) ||
            (outermost && *frame->name == '[' && STR_BEGINS_WITH_ONE_OF(frame->object, libraries)));
}

/* Without those by which the thread began, and what is above them: in a stripped program its entry has no name. What
 * has one is called by the program: "main, qsort, [libc.so.6+0x3f2a0], compare". */
static uint32_t without_begin(const struct sampled_frame *frames, uint32_t count)
{
    enum { MOST_ABOVE = 3 };
    for (uint32_t above = 0; above < MOST_ABOVE && count > above + 1;) {
        const struct sampled_frame *frame = &frames[count - 1 - above];
        bool begins = begins_thread(frame, above == 0);
        if (!begins && *frame->name != '[')
            break;
        count -= begins ? above + 1 : 0;
        above = begins ? 0 : above + 1;
    }
    return count;
}

static uint32_t add_frame(struct context_tree *tree, const struct sampled_frame *frame)
{
    return context_frame_add(tree, &(struct context_frame){.function = frame->name,
                                                           .object = frame->object,
                                                           .kind = frame->kind,
                                                           .file = frame->file,
                                                           .line = frame->line,
                                                           .start = frame->start,
                                                           .shape = frame->shape});
}

static struct placed place(struct seeing *s, const struct sampled_stack *stack)
{
    struct sampled_frame frames[SAMPLED_MOST];
    uint32_t count = sampled_names_stack(s->names, stack, frames);
    struct placed placed = {.known = true, .node = CONTEXT_NONE};
    placed.cut = stack->cut || count == SAMPLED_MOST;
    placed.unresolved = count && *frames[0].name == '[';
    if (!placed.cut)
        count = without_begin(frames, count);
    if (count)
        placed.node = CONTEXT_ROOT;
    while (count-- > 0)
        placed.node = context_tree_child(&s->seen->tree, placed.node,
                                         add_frame(&s->seen->tree, &frames[count]));
    return placed;
}

/* Stack 0 is none. */
static struct placed placed_stack(struct seeing *s, uint32_t stack)
{
    if (!stack || !s->names)
        return (struct placed){.known = true, .node = CONTEXT_NONE};
    if (!s->placed[stack].known)
        s->placed[stack] = place(s, &s->run->sampled_stacks[stack]);
    return s->placed[stack];
}

static void count_placed(struct sightings *seen, const struct placed *placed)
{
    seen->cut += placed->cut;
    seen->unresolved += placed->unresolved;
}

/* ---- sightings ---- */

static void add(struct seeing *s, uint32_t task, struct sighting sighting)
{
    struct task_sightings *of = &s->seen->tasks[task];
    VEC_PUSH(of->items, of->count, s->capacity[task]) = sighting;
}

static void add_sample(struct seeing *s, const struct task_index *index,
                       const struct stack_sample *sample)
{
    uint32_t task = task_index_find(index, sample->pid, sample->tid, sample->time);
    if (task == TASK_NONE || !kernel_task_is_of_run(s->side, task)) {
        s->seen->unmatched++;
        return;
    }
    struct placed placed = placed_stack(s, sample->stack);
    s->seen->samples++;
    count_placed(s->seen, &placed);
    add(s, task,
        (struct sighting){.time = sample->time,
                          .node = placed.node,
                          .kind = SIGHTING_RAN,
                          .cut = placed.cut,
                          .amount_ns = sample->amount_ns});
}

static void add_samples(struct seeing *s)
{
    struct task_index index;
    task_index_init(&index, s->side);
    for (uint32_t i = 0; i < s->run->sample_count; i++)
        add_sample(s, &index, &s->run->samples[i]);
    task_index_release(&index);
}

static void add_off(struct seeing *s, uint32_t task, uint32_t index, const struct off_cpu *off)
{
    s->seen->offs += off->woken > off->out;
    add(s, task,
        (struct sighting){.time = off->out,
                          .node = CONTEXT_NONE,
                          .off = index,
                          .kind = SIGHTING_OFF,
                          .amount_ns = (uint64_t)(off->in - off->out)});
}

/* They stand first among their task's sightings, by their index. */
static void add_offs(struct seeing *s)
{
    for (uint32_t t = 0; t < s->side->task_count; t++) {
        const struct kernel_task *task = &s->side->tasks[t];
        if (!kernel_task_is_of_run(s->side, t))
            continue;
        for (uint32_t i = 0; i < task->off_count; i++)
            add_off(s, t, i, &task->offs[i]);
        if (task->open.out < task->open.in)
            add_off(s, t, task->off_count, &task->open);
    }
}

static void add_stack(struct seeing *s, const struct sampled_wait *wait)
{
    const struct kernel_task *task = &s->side->tasks[wait->who];
    size_t index = wait->off == &task->open ? task->off_count : (size_t)(wait->off - task->offs);
    struct task_sightings *of = &s->seen->tasks[wait->who];
    struct placed placed = placed_stack(s, wait->stack->stack);
    if (wait->stack->woken || placed.node == CONTEXT_NONE || index >= of->count)
        return;
    struct sighting *sighting = &of->items[index];
    sighting->node = placed.node;
    sighting->cut = placed.cut;
    sighting->one_in = wait->stack->one_in;
    s->seen->with_stack += wait->off->woken > wait->off->out;
    count_placed(s->seen, &placed);
}

static void add_stacks(struct seeing *s)
{
    struct sampled_waits waits;
    sampled_waits_fill(&waits, s->side, s->run->wait_stacks, true);
    s->seen->unmatched += waits.unmatched - waits.unmatched_wakings;
    for (size_t i = 0; i < waits.count; i++)
        add_stack(s, &waits.items[i]);
    sampled_waits_release(&waits);
}

/* What went off in the moment of a sample went after it. */
static int by_time(const void *a, const void *b)
{
    const struct sighting *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    return p->off < q->off ? -1 : p->off > q->off;
}

void sightings_fill(struct sightings *seen, const struct timelines *run,
                    struct sampled_names *names)
{
    struct seeing s = {.seen = seen, .run = run, .side = run->kernel_side, .names = names};
    *seen = (struct sightings){.task_count = s.side->task_count};
    context_tree_init(&seen->tree);
    seen->tasks = memory_zeroed((seen->task_count + 1) * sizeof *seen->tasks);
    s.capacity = memory_zeroed((seen->task_count + 1) * sizeof *s.capacity);
    s.placed = memory_zeroed((run->sampled_stack_count + 1) * sizeof *s.placed);
    add_offs(&s);
    if (run->wait_stacks)
        add_stacks(&s);
    add_samples(&s);
    for (uint32_t t = 0; t < seen->task_count; t++)
        if (seen->tasks[t].count)
            qsort(seen->tasks[t].items, seen->tasks[t].count, sizeof *seen->tasks[t].items,
                  by_time);
    memory_free(s.capacity);
    memory_free(s.placed);
}

void sightings_release(struct sightings *seen)
{
    for (uint32_t t = 0; t < seen->task_count; t++)
        memory_free(seen->tasks[t].items);
    memory_free(seen->tasks);
    context_tree_release(&seen->tree);
    *seen = (struct sightings){0};
}
