#include "trace/timeline_load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "trace/file_doubt.h"
#include "trace/importer.h"
#include "trace/interval_window.h"
#include "trace/loading.h"
#include "trace/log_reading.h"
#include "trace/span_list.h"
#include "trace/span_pages.h"
#include "trace/trace_folder.h"
#include "trace/trace_reader.h"
#include "trace/trace_seal.h"
#include "trace/watched.h"
#include "trace/watched_interval.h"

enum { PAGE_CALLS = 512 };

enum { MOST_IMPORTERS = 16, MOST_TAKERS = 4 };

/* The takers of one kind of records are the importers' functions and states, side by side. */
struct takers {
    struct taker {
        uint64_t (*take)(void *state, struct loading *loading, const struct trace_record *record);
        void *state;
    } of[MOST_TAKERS];
    uint32_t count;
};

struct loader {
    struct loading at;
    struct trace_reader *readers;
    size_t reader_count;
    size_t reader_capacity;
    struct clock_map *clocks; /* by file: of processes first, then of recorders */
    struct clock_map monotonic;
    struct damage_list damage;   /* from files that could not be opened */
    uint32_t page_calls;         /* 0: calls are loaded */
    struct span_list spans;      /* of the log being read */
    struct object_space *spaces; /* by process */
    void *states[MOST_IMPORTERS];
    struct takers takers[2][256]; /* of processes, of recorders; by kind */
};

static void find_takers(struct loader *loader)
{
    for (uint8_t i = 0; importers[i]; i++) {
        if (i == MOST_IMPORTERS)
            BUG("more importers than a loader has room for");
        loader->states[i] = memory_zeroed(importers[i]->state_bytes + 1);
        for (const unsigned char *kind = importers[i]->kinds; *kind; kind++) {
            struct takers *takers = &loader->takers[importers[i]->of_recorder][*kind];
            if (takers->count == MOST_TAKERS)
                BUG("more importers of a kind than there is room for");
            takers->of[takers->count++] = (struct taker){importers[i]->take, loader->states[i]};
        }
    }
}

static uint64_t take_record(struct loader *loader, bool of_recorder,
                            const struct trace_record *record)
{
    const struct takers *takers = &loader->takers[of_recorder][record->kind & 0xff];
    uint64_t last = record->ticks;
    for (uint32_t i = 0; i < takers->count; i++) {
        uint64_t end = takers->of[i].take(takers->of[i].state, &loader->at, record);
        last = end > last ? end : last;
    }
    return last;
}

static uint64_t take_call(struct loader *loader, struct span_ticks call)
{
    span_list_add(&loader->spans, call);
    return call.end;
}

/* Calls a member of every importer that has it. */
static void each_importer(struct loader *loader, void (*of)(struct loader *, uint8_t))
{
    for (uint8_t i = 0; importers[i]; i++)
        of(loader, i);
}

/* The function fills in the thread's first and last, in ticks. */
static void load_records(struct loader *loader, const struct log_reading *reading, uint64_t *first,
                         uint64_t *last)
{
    struct trace_record record;
    *first = reading->pages.first;
    *last = reading->pages.last;
    for (size_t at = 0; log_reading_next(reading, &at, &record);) {
        uint64_t end = trace_kind_is_call(record.kind)
                           ? take_call(loader, span_ticks_at(record.data))
                           : take_record(loader, false, &record);
        *first = record.ticks < *first ? record.ticks : *first;
        *last = end > *last ? end : *last;
    }
}

/* The pages of the log that was read, or NULL: it has to be read as a whole. */
static struct span_pages *load_pages(struct loader *loader, struct trace_reader *reader,
                                     struct span_pages_builder *builder)
{
    struct span_pages pages;
    if (!span_pages_finish(builder, &pages, &loader->at.run->arena, reader, loader->at.clock,
                           loader->at.clock_base))
        return NULL;
    struct span_pages *kept = ARENA_NEW(&loader->at.run->arena, struct span_pages);
    *kept = pages;
    return kept;
}

static void load_spans(struct loader *loader, struct trace_reader *reader, uint32_t log)
{
    struct trace_cursor cursor = trace_cursor_start(reader, log);
    struct trace_record record;
    cursor.again = true;
    while (trace_cursor_next(&cursor, &record))
        if (trace_kind_is_call(record.kind))
            span_list_add(&loader->spans, span_ticks_at(record.data));
}

/* The thread gets what its chunk says of it. */
static void load_head(struct loader *loader, const struct trace_chunk *head)
{
    struct timeline_thread *thread = &loader->at.run->threads[loader->at.thread];
    thread->process = loader->at.process;
    thread->routine = head->start;
    thread->name = loading_name(&loader->at, head->name, sizeof head->name);
    caller_list_begin_log(&loader->at.callers, loader->at.process);
}

static void load_log(void *context, struct log_reading *reading)
{
    struct loader *loader = context;
    struct trace_reader *reader = &loader->readers[loader->at.process];
    struct timeline_thread *thread = &loader->at.run->threads[loader->at.thread];
    uint32_t log = reading->log;
    uint64_t first, last;
    thread->tid = reader->logs[log].tid;
    load_head(loader, trace_log_chunk(reader, log));
    span_list_clear(&loader->spans);
    load_records(loader, reading, &first, &last);
    thread->pages = loader->page_calls ? load_pages(loader, reader, &reading->pages) : NULL;
    if (loader->page_calls && !thread->pages)
        load_spans(loader, reader, log);
    thread->spans = span_list_build(&loader->spans, &loader->at.run->arena, loader->at.clock,
                                    loader->at.clock_base);
    thread->span_count = (uint32_t)loader->spans.count;
    if (first > last) /* no record */
        first = last = loader->at.last_ticks;
    thread->first = loading_ns(&loader->at, first);
    thread->last = loading_ns(&loader->at, last);
    if (last > loader->at.last_ticks)
        loader->at.last_ticks = last;
    loader->at.thread++;
}

/* No probe costs a call 64 us. */
#define PROBE_COST_MOST (UINT64_C(64000) << 16)

/* The cost is that of one call, in ns * 2^-16. */
static uint64_t probe_cost(const struct loader *loader, uint32_t ticks, uint32_t calls)
{
    const struct clock_map *map = loader->at.clock;
    uint64_t ns = map->known ? map->ns_span : 1, per = map->known ? map->tick_span : 1;
    if (!calls)
        return 0;
    unsigned __int128 cost = ((unsigned __int128)ticks << 16) * ns / per / calls;
    return cost < PROBE_COST_MOST ? (uint64_t)cost : 0;
}

static void load_process(struct loader *loader, const struct trace_reader *reader)
{
    const struct trace_file_header *header = reader->header;
    struct timelines *run = loader->at.run;
    struct timeline_process *process = &run->processes[loader->at.process];
    process->pid = header->pid;
    process->parent_pid = header->parent_pid;
    process->program = arena_strndup(&run->arena, header->program,
                                     strnlen(header->program, sizeof header->program));
    process->killed = header->end != TRACE_EXITED;
    process->lost_records = header->lost_records;
    process->hook_tables = header->hook_tables;
    loader->at.clock = &loader->clocks[loader->at.process];
    process->probe_cost = probe_cost(loader, header->probe_ticks, header->probe_calls);
    if (process->probe_cost)
        process->probe_cost += probe_cost(loader, header->write_out_ticks, 1024);
    run->lost_records += header->lost_records;
    run->processes_unchanged += header->switched_generation == TRACE_NOT_SWITCHED;
    loader->at.clock_base = header->clock_base;
    uint64_t start = header->calibration[0].ticks;
    loader->at.last_ticks = start > header->clock_base ? start - header->clock_base : 0;
    loader->at.objects = &loader->spaces[loader->at.process];
}

static void load_maps(struct timelines *run, struct timeline_process *process,
                      const struct trace_reader *reader)
{
    size_t count = reader->maps_count;
    process->maps = "";
    process->earlier_maps = ARENA_ARRAY(&run->arena, const char *, count + 1);
    for (size_t i = count; i-- > 0;) {
        const struct trace_maps *maps = &reader->maps[i];
        const char *text = arena_strndup(&run->arena, maps->text, maps->length);
        if (i + 1 == count)
            process->maps = text;
        else
            process->earlier_maps[process->earlier_count++] = text;
    }
}

/* The maps of every process are read, and what parents and children know of each other's. */
static void load_spaces(struct loader *loader)
{
    struct timelines *run = loader->at.run;
    struct hash_map by_pid = {0};
    loader->spaces = memory_zeroed(sizeof *loader->spaces * run->process_count);
    for (uint32_t i = 0; i < run->process_count; i++) {
        const struct trace_reader *reader = &loader->readers[i];
        load_maps(run, &run->processes[i], reader);
        object_space_init(&loader->spaces[i], i, run->processes[i].maps);
        *hash_map_put(&by_pid, reader->header->pid) = i + 1;
    }
    for (uint32_t i = 0; i < run->process_count; i++) {
        const uint64_t *parent = hash_map_get(&by_pid, loader->readers[i].header->parent_pid);
        if (!parent || *parent == i + 1)
            continue;
        object_space_learn(&loader->spaces[i], &loader->spaces[*parent - 1]);
        object_space_learn(&loader->spaces[*parent - 1], &loader->spaces[i]);
    }
    for (uint32_t i = 0; i < run->process_count; i++)
        object_space_ready(&loader->spaces[i]);
    hash_map_release(&by_pid);
}

static void end_process(struct loader *loader, uint8_t i)
{
    if (importers[i]->end_process)
        importers[i]->end_process(loader->states[i], &loader->at);
}

static void close_process(struct loader *loader, uint8_t i)
{
    if (importers[i]->prepare)
        importers[i]->prepare(loader->states[i]);
    if (importers[i]->close_process)
        importers[i]->close_process(loader->states[i], &loader->at);
}

static void load_file(struct loader *loader, struct trace_reader *reader)
{
    if (reader != loader->readers)
        each_importer(loader, close_process);
    loader->at.process = (uint32_t)(reader - loader->readers);
    loader->at.first_thread = loader->at.thread;
    load_process(loader, reader);
    log_readings_run(reader, loader->page_calls, load_log, loader);
    each_importer(loader, end_process);
}

static void begin_recorder(struct loader *loader, struct trace_reader *reader)
{
    size_t file = (size_t)(reader - loader->readers);
    loader->at.clock = &loader->clocks[file];
    loader->at.clock_base = reader->header->clock_base;
    if (reader->header->watched)
        loader->at.run->kernel_lost += reader->header->lost_records;
    else
        loader->at.run->lost_records += reader->header->lost_records;
    for (uint8_t i = 0; importers[i]; i++)
        if (importers[i]->of_recorder && importers[i]->begin_file)
            importers[i]->begin_file(loader->states[i], &loader->at, reader);
}

/* A recorder saw processes from outside: it has no process, and no threads, of its own. */
static void load_recorder(struct loader *loader, struct trace_reader *reader)
{
    uint64_t bytes = 0; /* read, and not forgotten yet */
    begin_recorder(loader, reader);
    for (uint32_t log = 0; log < reader->log_count; log++) {
        struct trace_cursor cursor = trace_cursor_start(reader, log);
        struct trace_record record;
        loader->at.processor = trace_log_chunk(reader, log)->thread - 1;
        while (trace_cursor_next(&cursor, &record)) {
            take_record(loader, true, &record);
            bytes += TRACE_KIND_SIZE(record.kind);
            if (bytes < FILE_FORGET_BYTES)
                continue;
            trace_reader_forget(reader);
            bytes = 0;
        }
    }
    trace_reader_forget(reader);
}

static void load_damage(struct loader *loader)
{
    struct timelines *run = loader->at.run;
    size_t count = loader->damage.count;
    for (size_t i = 0; i < loader->reader_count; i++)
        count += loader->readers[i].damage_count;
    run->damage = ARENA_ARRAY(&run->arena, const char *, count);
    for (size_t i = 0; i < loader->damage.count; i++)
        run->damage[run->damage_count++] = arena_strdup(&run->arena, loader->damage.texts[i]);
    for (size_t i = 0; i < loader->reader_count; i++)
        for (size_t j = 0; j < loader->readers[i].damage_count; j++)
            run->damage[run->damage_count++] =
                arena_strdup(&run->arena, loader->readers[i].damage[j]);
}

static void finish(struct loader *loader, uint8_t i)
{
    if (importers[i]->finish)
        importers[i]->finish(loader->states[i], &loader->at);
}

/* An importer has two parts: what it prepares, and what it builds, which waits for the former. */
static void build_part(void *context, uint32_t part)
{
    struct loader *loader = context;
    uint32_t i = part / 2;
    if (part % 2 == 0 && importers[i]->prepare)
        importers[i]->prepare(loader->states[i]);
    if (part % 2 == 1 && importers[i]->build)
        importers[i]->build(loader->states[i], &loader->at);
}

static void load_files(struct loader *loader)
{
    struct timelines *run = loader->at.run;
    uint32_t files = (uint32_t)loader->reader_count;
    for (size_t i = 0; i < files && !trace_reader_is_recorder(&loader->readers[i]); i++) {
        run->thread_count += (uint32_t)loader->readers[i].log_count;
        run->process_count++;
    }
    run->processes = ARENA_ARRAY(&run->arena, struct timeline_process, run->process_count);
    run->threads = ARENA_ARRAY(&run->arena, struct timeline_thread, run->thread_count);
    run->clock = clock_name(loader->readers[0].header->clock);
    loader->clocks = ARENA_ARRAY(&run->arena, struct clock_map, files);
    clock_maps_build(loader->clocks, &loader->monotonic, loader->readers, files);
    load_spaces(loader);
    for (uint32_t i = run->process_count; i < files; i++)
        load_recorder(loader, &loader->readers[i]);
    for (uint32_t i = 0; i < files; i++) {
        file_doubt(&loader->damage, loader->readers, files, i, loader->clocks[i].known);
        if (i < run->process_count)
            load_file(loader, &loader->readers[i]);
    }
    run->watched = watched_of_all(loader->readers, run->process_count, files);
    caller_list_finish(&loader->at.callers, run);
    uint32_t count = 0;
    while (importers[count])
        count++;
    parallel_each(2 * count, build_part, loader);
    each_importer(loader, finish);
    interval_windows_keep(run, loader->readers, loader->clocks, &loader->monotonic);
    watched_intervals_keep(run, WATCHED_FEWEST);
    load_damage(loader);
}

static void readers_close(struct trace_reader *readers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        trace_reader_close(&readers[i]);
    memory_free(readers);
}

static void loader_release_all(struct loader *loader)
{
    damage_list_release(&loader->damage);
    span_list_release(&loader->spans);
    loading_release(&loader->at);
    for (uint8_t i = 0; importers[i]; i++) {
        if (importers[i]->release)
            importers[i]->release(loader->states[i]);
        memory_free(loader->states[i]);
    }
    for (size_t i = 0; i < loader->at.run->process_count && loader->spaces; i++)
        object_space_release(&loader->spaces[i]);
    memory_free(loader->spaces);
    if (loader->page_calls) {
        loader->at.run->readers = loader->readers;
        loader->at.run->reader_count = (uint32_t)loader->reader_count;
    } else {
        readers_close(loader->readers, loader->reader_count);
    }
}

/* The process that started first is the first; a parent before its children. Recorders stand behind
 * all processes. */
static int reader_compare(const void *a, const void *b)
{
    const struct trace_reader *p = a, *q = b;
    if (trace_reader_is_recorder(p) != trace_reader_is_recorder(q))
        return trace_reader_is_recorder(p) ? 1 : -1;
    uint64_t p_start = p->header->calibration[0].monotonic_ns;
    uint64_t q_start = q->header->calibration[0].monotonic_ns;
    if (p_start != q_start)
        return p_start < q_start ? -1 : 1;
    return strcmp(p->path, q->path);
}

/* A file that can't be opened is damage (but not an empty one, of a process that was killed when it
 * began), and an error only where it leaves nothing. */
static void open_file(struct loader *loader, const char *path, struct error *first_error)
{
    struct trace_reader reader;
    struct error error = {ERROR_NONE, ""};
    if (trace_reader_open(&reader, path, &error)) {
        VEC_PUSH(loader->readers, loader->reader_count, loader->reader_capacity) = reader;
        return;
    }
    struct str text = {0};
    if (error.code != ERROR_NOTHING) {
        str_append(&text, error.message);
        damage_list_add(&loader->damage, text);
    }
    if (first_error->code == ERROR_NONE)
        *first_error = error;
}

static bool open_files(struct loader *loader, const char *directory, struct error *error)
{
    struct error first_error = {ERROR_NONE, ""};
    struct trace_folder folder;
    if (!trace_folder_list(&folder, directory, error))
        return false;
    size_t count = folder.count;
    for (size_t i = 0; i < count; i++)
        open_file(loader, folder.paths[i], &first_error);
    trace_folder_release(&folder);
    if (loader->reader_count) {
        qsort(loader->readers, loader->reader_count, sizeof *loader->readers, reader_compare);
        return true;
    }
    if (count == 0)
        return error_set(error, ERROR_NOTHING,
                         "There is no trace (*.vtr) in %s. Was the program run under vprofiler?",
                         directory);
    *error = first_error;
    return false;
}

static bool load(struct timelines *run, const char *directory, uint32_t page_calls,
                 struct error *error)
{
    struct loader loader = {.at.run = run, .page_calls = page_calls};
    *run = (struct timelines){0};
    find_takers(&loader);
    bool ok = open_files(&loader, directory, error);
    if (ok)
        load_files(&loader);
    loader_release_all(&loader);
    return ok;
}

bool timelines_load(struct timelines *run, const char *directory, struct error *error)
{
    return load(run, directory, 0, error);
}

bool timelines_open(struct timelines *run, const char *directory, struct error *error)
{
    return load(run, directory, PAGE_CALLS, error);
}

bool timelines_open_pages(struct timelines *run, const char *directory, uint32_t page_calls,
                          struct error *error)
{
    return load(run, directory, page_calls, error);
}

void timelines_release(struct timelines *run)
{
    readers_close(run->readers, run->reader_count);
    arena_release(&run->arena);
    arena_release(&run->waits);
    arena_release(&run->tasks);
    arena_release(&run->kernel);
    arena_release(&run->scheduler);
    arena_release(&run->points);
    arena_release(&run->experiment_arena);
    *run = (struct timelines){0};
}
