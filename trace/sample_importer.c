#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/importer.h"
#include "trace/sample.h"

struct sample_list {
    struct stack_sample *samples;
    size_t count, capacity;
    struct sampled_stack *stacks; /* the first one is none */
    size_t stack_count, stack_capacity;
    struct hash_map of_number; /* of the file: number -> index */
};

static void add_stack(struct sample_list *list, struct loading *loading,
                      const struct trace_stack_view *view)
{
    uint64_t *addresses = ARENA_ARRAY(&loading->run->arena, uint64_t, view->head.size);
    memcpy(addresses, view->addresses, sizeof *addresses * view->head.size);
    if (!list->stack_count)
        VEC_PUSH(list->stacks, list->stack_count, list->stack_capacity) = (struct sampled_stack){0};
    *hash_map_put(&list->of_number, view->head.number) = list->stack_count;
    VEC_PUSH(list->stacks, list->stack_count, list->stack_capacity) =
        (struct sampled_stack){view->head.pid, view->head.size, view->head.kernel, addresses};
}

static void begin_file(void *state, struct loading *loading, const struct trace_reader *reader)
{
    struct sample_list *list = state;
    struct trace_stack_cursor cursor = {0};
    struct trace_stack_view view;
    hash_map_release(&list->of_number);
    while (trace_stack_next(reader, &cursor, &view))
        add_stack(list, loading, &view);
}

static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    struct sample_list *list = state;
    const struct trace_sample *sample = record->data;
    const uint64_t *stack = hash_map_get(&list->of_number, sample->stack);
    VEC_PUSH(list->samples, list->count, list->capacity) =
        (struct stack_sample){.time = loading_ns(loading, record->ticks),
                              .pid = sample->pid,
                              .tid = sample->tid,
                              .processor = loading->processor,
                              .stack = stack ? (uint32_t)*stack : 0,
                              .amount_ns = sample->amount};
    return record->ticks;
}

static int by_time(const void *a, const void *b)
{
    const struct stack_sample *s = a, *t = b;
    if (s->time != t->time)
        return s->time < t->time ? -1 : 1;
    return s->processor < t->processor ? -1 : s->processor > t->processor;
}

/* The samples of a processor are in order already, and stay so among equals: a processor has one at
 * a time. */
static void build(void *state, struct loading *loading)
{
    struct sample_list *list = state;
    struct timelines *run = loading->run;
    run->sample_count = (uint32_t)list->count;
    run->samples = ARENA_ARRAY(&run->kernel, struct stack_sample, list->count);
    run->sampled_stack_count = (uint32_t)list->stack_count;
    run->sampled_stacks = ARENA_ARRAY(&run->kernel, struct sampled_stack, list->stack_count);
    for (size_t i = 0; i < list->count; i++)
        run->samples[i] = list->samples[i];
    for (size_t i = 0; i < list->stack_count; i++)
        run->sampled_stacks[i] = list->stacks[i];
    if (list->count)
        qsort(run->samples, list->count, sizeof *run->samples, by_time);
}

static void join_part(struct timelines *run, const struct timelines *part,
                      const struct moved *moved)
{
    for (uint32_t i = 0; i < part->sample_count; i++) {
        struct stack_sample sample = part->samples[i];
        sample.time += moved->delay;
        sample.stack += sample.stack ? moved->sampled_stack : 0;
        run->samples[run->sample_count++] = sample;
    }
    for (uint32_t i = 0; i < part->sampled_stack_count; i++)
        run->sampled_stacks[run->sampled_stack_count++] = part->sampled_stacks[i];
}

static void join(struct timelines *run, const struct timelines *parts, uint32_t count,
                 const struct moved *moved)
{
    uint32_t samples = 0, stacks = 0;
    for (uint32_t p = 0; p < count; p++) {
        samples += parts[p].sample_count;
        stacks += parts[p].sampled_stack_count;
    }
    run->samples = ARENA_ARRAY(&run->arena, struct stack_sample, samples);
    run->sampled_stacks = ARENA_ARRAY(&run->arena, struct sampled_stack, stacks);
    for (uint32_t p = 0; p < count; p++)
        join_part(run, &parts[p], &moved[p]);
}

static void release(void *state)
{
    struct sample_list *list = state;
    memory_free(list->samples);
    memory_free(list->stacks);
    hash_map_release(&list->of_number);
}

static const unsigned char kinds[] = {TRACE_SAMPLE, 0};

const struct importer sample_importer = {.of_recorder = true,
                                         .kinds = kinds,
                                         .state_bytes = sizeof(struct sample_list),
                                         .begin_file = begin_file,
                                         .take = take,
                                         .build = build,
                                         .join = join,
                                         .release = release};
