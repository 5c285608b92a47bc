#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "trace/importer.h"
#include "trace/sample.h"

struct sample_list {
    struct wait_stacks waits;
    size_t wait_capacity, wait_count, process_capacity, process_count, kernel_capacity,
        kernel_count, unwound_capacity, unwound_count, file_count, file_capacity, generated_count,
        generated_capacity;
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
        (struct sampled_stack){.pid = view->head.pid,
                               .size = view->head.size,
                               .kernel = view->head.kernel,
                               .cut = view->head.cut,
                               .addresses = addresses};
}

/* The latest maps of a process stand last, and come first here. */
static void add_texts(struct sample_list *list, struct loading *loading,
                      const struct trace_reader *reader)
{
    struct arena *arena = &loading->run->arena;
    struct wait_stacks *waits = &list->waits;
    for (size_t i = reader->maps_count; i-- > 0;) {
        const struct trace_maps *maps = &reader->maps[i];
        VEC_PUSH(waits->processes, list->process_count, list->process_capacity) =
            (struct sampled_process){maps->pid, arena_strndup(arena, maps->text, maps->length)};
    }
    if (reader->kernel.length)
        VEC_PUSH(waits->kernels, list->kernel_count, list->kernel_capacity) =
            arena_strndup(arena, reader->kernel.text, reader->kernel.length);
    for (size_t i = 0; i < reader->generated_count; i++) {
        const struct trace_maps *names = &reader->generated[i];
        VEC_PUSH(waits->generated, list->generated_count, list->generated_capacity) =
            (struct sampled_process){names->pid, arena_strndup(arena, names->text, names->length)};
    }
}

/* Copies of files lie beside the trace. */
static void add_files(struct sample_list *list, struct loading *loading,
                      const struct trace_reader *reader)
{
    struct arena *arena = &loading->run->arena;
    size_t folder = (size_t)(path_last_part(reader->path) - reader->path);
    if (!reader->files.length)
        return;
    VEC_PUSH(list->waits.files, list->file_count, list->file_capacity) = (struct sampled_files){
        .text = arena_strndup(arena, reader->files.text, reader->files.length),
        .folder = folder ? arena_strndup(arena, reader->path, folder) : "."};
}

static void add_unwinding(struct trace_unwinding *whole, const struct trace_unwinding *part)
{
    whole->stacks += part->stacks;
    whole->lost += part->lost;
    whole->own_ns += part->own_ns;
    whole->without += part->without;
}

static void add_unwound(struct sample_list *list, struct loading *loading,
                        const struct trace_reader *reader)
{
    struct unwound_cursor cursor = reader->unwound;
    struct trace_unwinding unwinding;
    struct unwound_view view;
    if (!unwound_begin(reader->map.data, &cursor, &unwinding))
        return;
    add_unwinding(&list->waits.unwinding, &unwinding);
    while (unwound_next(reader->map.data, &cursor, &view)) {
        struct unwound_object object = {arena_strdup(&loading->run->arena, view.path),
                                        view.head.by_rows,
                                        view.head.by_pointers,
                                        {0}};
        memcpy(object.ended, view.head.ended, sizeof object.ended);
        VEC_PUSH(list->waits.unwound, list->unwound_count, list->unwound_capacity) = object;
    }
}

static void begin_file(void *state, struct loading *loading, const struct trace_reader *reader)
{
    struct sample_list *list = state;
    struct trace_stack_cursor cursor = {0};
    struct trace_stack_view view;
    hash_map_release(&list->of_number);
    while (trace_stack_next(reader, &cursor, &view))
        add_stack(list, loading, &view);
    add_texts(list, loading, reader);
    add_files(list, loading, reader);
    add_unwound(list, loading, reader);
}

static uint32_t stack_of(const struct sample_list *list, uint32_t number)
{
    const uint64_t *stack = hash_map_get(&list->of_number, number);
    return stack ? (uint32_t)*stack : 0;
}

static void take_wait(struct sample_list *list, const struct loading *loading,
                      const struct trace_record *record)
{
    const struct trace_wait_stack *taken = record->data;
    VEC_PUSH(list->waits.items, list->wait_count, list->wait_capacity) =
        (struct wait_stack){.time = loading_ns(loading, record->ticks),
                            .pid = taken->pid,
                            .tid = taken->tid,
                            .woken = taken->woken,
                            .stack = stack_of(list, taken->stack),
                            .one_in = taken->one_in,
                            .holder = taken->holder,
                            .argument = taken->argument};
}

static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    struct sample_list *list = state;
    const struct trace_sample *sample = record->data;
    if (record->kind == TRACE_WAIT_STACK) {
        take_wait(list, loading, record);
        return record->ticks;
    }
    VEC_PUSH(list->samples, list->count, list->capacity) =
        (struct stack_sample){.time = loading_ns(loading, record->ticks),
                              .pid = sample->pid,
                              .tid = sample->tid,
                              .processor = loading->processor,
                              .stack = stack_of(list, sample->stack),
                              .amount_ns = sample->amount};
    return record->ticks;
}

static int by_time_of_wait(const void *a, const void *b)
{
    const struct wait_stack *s = a, *t = b;
    if (s->time != t->time)
        return s->time < t->time ? -1 : 1;
    return s->tid < t->tid ? -1 : s->tid > t->tid;
}

static void *kept(struct arena *arena, const void *items, size_t count, size_t bytes)
{
    void *copy = arena_alloc(arena, count * bytes);
    return count ? memcpy(copy, items, count * bytes) : copy;
}

#define KEPT(arena, items, count) kept(arena, items, count, sizeof *(items))

static void build_waits(const struct sample_list *list, struct timelines *run)
{
    const struct wait_stacks *from = &list->waits;
    struct arena *arena = &run->kernel;
    struct wait_stacks *waits = ARENA_NEW(arena, struct wait_stacks);
    *waits = (struct wait_stacks){.items = KEPT(arena, from->items, list->wait_count),
                                  .count = (uint32_t)list->wait_count,
                                  .processes = KEPT(arena, from->processes, list->process_count),
                                  .process_count = (uint32_t)list->process_count,
                                  .kernels = KEPT(arena, from->kernels, list->kernel_count),
                                  .kernel_count = (uint32_t)list->kernel_count,
                                  .files = KEPT(arena, from->files, list->file_count),
                                  .file_count = (uint32_t)list->file_count,
                                  .generated = KEPT(arena, from->generated, list->generated_count),
                                  .generated_count = (uint32_t)list->generated_count,
                                  .unwinding = from->unwinding,
                                  .unwound = KEPT(arena, from->unwound, list->unwound_count),
                                  .unwound_count = (uint32_t)list->unwound_count};
    qsort(waits->items, waits->count, sizeof *waits->items, by_time_of_wait);
    run->wait_stacks = waits;
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
    if (list->wait_count || list->process_count || list->unwound_count)
        build_waits(list, run);
}

static void join_waits(struct wait_stacks *whole, const struct wait_stacks *part,
                       const struct moved *moved)
{
    for (uint32_t i = 0; i < part->count; i++) {
        struct wait_stack *wait = &whole->items[whole->count++];
        *wait = part->items[i];
        wait->time += moved->delay;
        wait->stack += wait->stack ? moved->sampled_stack : 0;
    }
    for (uint32_t i = 0; i < part->process_count; i++)
        whole->processes[whole->process_count++] = part->processes[i];
    for (uint32_t i = 0; i < part->kernel_count; i++)
        whole->kernels[whole->kernel_count++] = part->kernels[i];
    for (uint32_t i = 0; i < part->file_count; i++)
        whole->files[whole->file_count++] = part->files[i];
    for (uint32_t i = 0; i < part->generated_count; i++)
        whole->generated[whole->generated_count++] = part->generated[i];
    for (uint32_t i = 0; i < part->unwound_count; i++)
        whole->unwound[whole->unwound_count++] = part->unwound[i];
    add_unwinding(&whole->unwinding, &part->unwinding);
}

static void join_all_waits(struct timelines *run, const struct timelines *parts, uint32_t count,
                           const struct moved *moved)
{
    uint32_t waits = 0, processes = 0, kernels = 0, unwound = 0, files = 0, generated = 0;
    for (uint32_t p = 0; p < count; p++) {
        const struct wait_stacks *part = parts[p].wait_stacks;
        waits += part ? part->count : 0;
        processes += part ? part->process_count : 0;
        kernels += part ? part->kernel_count : 0;
        unwound += part ? part->unwound_count : 0;
        files += part ? part->file_count : 0;
        generated += part ? part->generated_count : 0;
    }
    if (!waits && !processes && !unwound)
        return;
    run->wait_stacks = ARENA_NEW(&run->arena, struct wait_stacks);
    *run->wait_stacks = (struct wait_stacks){
        .items = ARENA_ARRAY(&run->arena, struct wait_stack, waits),
        .processes = ARENA_ARRAY(&run->arena, struct sampled_process, processes),
        .kernels = ARENA_ARRAY(&run->arena, const char *, kernels),
        .files = ARENA_ARRAY(&run->arena, struct sampled_files, files),
        .generated = ARENA_ARRAY(&run->arena, struct sampled_process, generated),
        .unwound = ARENA_ARRAY(&run->arena, struct unwound_object, unwound)};
    for (uint32_t p = 0; p < count; p++)
        if (parts[p].wait_stacks)
            join_waits(run->wait_stacks, parts[p].wait_stacks, &moved[p]);
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
    join_all_waits(run, parts, count, moved);
}

static void release(void *state)
{
    struct sample_list *list = state;
    memory_free(list->samples);
    memory_free(list->stacks);
    memory_free(list->waits.items);
    memory_free(list->waits.processes);
    memory_free(list->waits.kernels);
    memory_free(list->waits.files);
    memory_free(list->waits.generated);
    memory_free(list->waits.unwound);
    hash_map_release(&list->of_number);
}

static const unsigned char kinds[] = {TRACE_SAMPLE, TRACE_WAIT_STACK, 0};

const struct importer sample_importer = {.of_recorder = true,
                                         .kinds = kinds,
                                         .state_bytes = sizeof(struct sample_list),
                                         .begin_file = begin_file,
                                         .take = take,
                                         .build = build,
                                         .join = join,
                                         .release = release};
