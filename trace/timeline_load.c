#include "trace/timeline_load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "trace/caller_list.h"
#include "trace/clock_map.h"
#include "trace/file_doubt.h"
#include "trace/interval_list.h"
#include "trace/log_reading.h"
#include "trace/object_space.h"
#include "trace/pickup_list.h"
#include "trace/span_list.h"
#include "trace/span_pages.h"
#include "trace/trace_folder.h"
#include "trace/trace_reader.h"
#include "trace/trace_seal.h"
#include "trace/waker.h"
#include "vprof_api.h"

enum { PAGE_CALLS = 512 };

/* Only what lies in it counts. */
struct window {
    time_ns from, until;
};

struct loader {
    struct timelines *run;
    struct window *windows; /* by process */
    struct trace_reader *readers;
    size_t reader_count;
    size_t reader_capacity;
    struct clock_map *clocks; /* by process */
    struct clock_map monotonic;
    struct damage_list damage;
    struct intern names;
    const char **name_text; /* by id, in the run's arena */
    size_t name_count;
    size_t name_capacity;
    uint32_t page_calls;    /* 0: calls are loaded */
    struct span_list spans; /* of the log being read */
    struct interval_list intervals;
    struct waker_list wakers;
    struct pickup_list pickups;
    struct caller_list callers;
    struct object_space *spaces;        /* by process */
    const struct object_space *objects; /* of the file being read */
    const struct clock_map *clock;
    uint64_t clock_base;
    uint64_t last_ticks;
    uint32_t process;
    uint32_t first_thread; /* of the process */
    uint32_t thread;
};

static time_ns loader_ns(const struct loader *loader, uint64_t ticks)
{
    return clock_map_ns(loader->clock, loader->clock_base, ticks);
}

/* A copy in the run's arena, one for each text. */
static const char *loader_name(struct loader *loader, const char *text, size_t size)
{
    char copy[64];
    size_t length = strnlen(text, size < sizeof copy ? size : sizeof copy - 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    uint32_t id = intern_add(&loader->names, copy);
    if (id == loader->name_count)
        VEC_PUSH(loader->name_text, loader->name_count, loader->name_capacity) =
            arena_strdup(&loader->run->arena, copy);
    return loader->name_text[id];
}

static void loader_count_mark(struct loader *loader, uint32_t what)
{
    if (what < sizeof loader->run->marks / sizeof loader->run->marks[0])
        loader->run->marks[what]++;
}

/* Each of the following takes one record and returns the ticks at which it ends. */

static uint64_t take_call(struct loader *loader, struct span_ticks call)
{
    span_list_add(&loader->spans, call);
    return call.end;
}

/* A pthread_t names a thread of its process, wherever the library keeps it. */
static uint64_t loader_object(const struct loader *loader, uint64_t address, uint32_t operation)
{
    if (operation == TRACE_OP_JOIN)
        return object_space_private(loader->objects, address);
    return object_space_find(loader->objects, address);
}

static uint64_t take_mark(struct loader *loader, uint64_t ticks, const void *data)
{
    const struct trace_mark *record = data;
    loader_count_mark(loader, record->what);
    if (record->what == VPROF_MARK_FALSE_WAKEUP)
        waker_list_add_false_wakeup(&loader->wakers, loader->thread);
    else if (record->what == VPROF_MARK_ACQUIRE)
        waker_list_add_taking(&loader->wakers, loader->thread,
                              loader_object(loader, record->id, TRACE_OP_USER),
                              loader_ns(loader, ticks));
    else
        waker_list_add_act(&loader->wakers, loader->thread);
    if (record->what == VPROF_MARK_BEGIN || record->what == VPROF_MARK_END ||
        record->what == VPROF_MARK_ENTER)
        interval_list_add(&loader->intervals, (struct interval_mark){.ticks = ticks,
                                                                     .id = record->id,
                                                                     .thread = loader->thread,
                                                                     .what = record->what});
    return ticks;
}

static uint64_t take_name(struct loader *loader, uint64_t ticks, const void *data)
{
    const struct trace_name *record = data;
    loader_count_mark(loader, record->what);
    waker_list_add_act(&loader->wakers, loader->thread);
    if (record->what == VPROF_MARK_TYPE || record->what == VPROF_MARK_VALUE)
        interval_list_tell(
            &loader->intervals,
            (struct interval_mark){
                .ticks = ticks, .id = record->id, .thread = loader->thread, .what = record->what},
            (struct interval_value){loader_name(loader, record->name, sizeof record->name),
                                    record->value});
    return ticks;
}

static uint64_t take_block(struct loader *loader, uint64_t ticks, const void *data)
{
    const struct trace_block *record = data;
    uint64_t end = record->end_ticks < ticks ? ticks : record->end_ticks;
    if (record->operation == TRACE_OP_SPIN) {
        loader_count_mark(loader, VPROF_MARK_SPIN_BEGIN);
        loader_count_mark(loader, VPROF_MARK_SPIN_END);
    }
    struct block block = {.start = loader_ns(loader, ticks),
                          .end = loader_ns(loader, end),
                          .object = loader_object(loader, record->object, record->operation),
                          .site = record->site,
                          .operation = record->operation,
                          .gave_up = record->ending == TRACE_ENDING_GAVE_UP};
    waker_list_add_block(&loader->wakers, loader->thread, block, record->ending, record->amount);
    return end;
}

static void loader_release(struct loader *loader, uint64_t ticks, uint64_t address,
                           uint32_t operation, struct waker_release release)
{
    release.time = loader_ns(loader, ticks);
    waker_list_add_release(&loader->wakers, loader->thread,
                           loader_object(loader, address, operation), operation, release);
}

static uint64_t take_release(struct loader *loader, uint64_t ticks, const void *data)
{
    const struct trace_release *record = data;
    if (record->operation == TRACE_OP_SPIN)
        loader_count_mark(loader, VPROF_MARK_RELEASE);
    struct waker_release release = {.site = record->site & TRACE_PROBE_MAX,
                                    .mode = record->mode & 0xff,
                                    .amount = record->amount,
                                    .stack = caller_list_find(&loader->callers, record->callers) &
                                             TIMELINE_STACK_MAX};
    loader_release(loader, ticks, record->object, record->operation, release);
    return ticks;
}

static uint64_t take_task(struct loader *loader, uint64_t ticks, const void *data)
{
    const struct trace_task *record = data;
    struct pickup_event event = {.time = loader_ns(loader, ticks),
                                 .own = object_space_private(loader->objects, record->task),
                                 .thread = loader->thread,
                                 .site = record->site,
                                 .enqueue = record->what == VPROF_TASK_ENQUEUE};
    waker_list_add_act(&loader->wakers, loader->thread);
    if (!object_space_shared(loader->objects, record->task, &event.shared))
        event.shared = 0;
    if (record->what == VPROF_TASK_ENQUEUE || record->what == VPROF_TASK_DEQUEUE)
        pickup_list_add_task(&loader->pickups, event);
    return ticks;
}

static uint64_t take_thread(struct loader *loader, uint64_t ticks, const void *data)
{
    const struct trace_thread_event *record = data;
    struct pickup_event event = {.time = loader_ns(loader, ticks),
                                 .own = object_space_private(loader->objects, record->token),
                                 .thread = loader->thread,
                                 .site = record->site};
    if (record->what == TRACE_THREAD_CREATE)
        event.stack = caller_list_find(&loader->callers, record->pthread);
    if (record->what == TRACE_THREAD_CREATE)
        pickup_list_add_create(&loader->pickups, event);
    if (record->what == TRACE_THREAD_STARTED && record->token) {
        event.site = 0;
        pickup_list_add_start(&loader->pickups, event);
    }
    if (record->what == TRACE_THREAD_EXIT) {
        if (record->token)
            loader->run->threads[loader->thread].routine = record->token;
        loader_release(loader, ticks, record->pthread, TRACE_OP_JOIN,
                       (struct waker_release){.mode = TRACE_RELEASE_ONE});
    }
    if (record->what != TRACE_THREAD_CREATE && record->pthread)
        loader->run->threads[loader->thread].pthread = record->pthread;
    return ticks;
}

static uint64_t take_record(struct loader *loader, const struct trace_record *record)
{
    switch (record->kind) {
    case TRACE_MARK:
        return take_mark(loader, record->ticks, record->data);
    case TRACE_NAME:
        return take_name(loader, record->ticks, record->data);
    case TRACE_BLOCK:
        return take_block(loader, record->ticks, record->data);
    case TRACE_RELEASE:
        return take_release(loader, record->ticks, record->data);
    case TRACE_CALLERS:
        caller_list_add(&loader->callers, record->data);
        return record->ticks;
    case TRACE_TASK:
        return take_task(loader, record->ticks, record->data);
    case TRACE_THREAD:
        return take_thread(loader, record->ticks, record->data);
    default:
        return record->ticks;
    }
}

/* Fills in the thread's first and last, in ticks. */
static void load_records(struct loader *loader, const struct log_reading *reading, uint64_t *first,
                         uint64_t *last)
{
    struct trace_record record;
    *first = reading->pages.first;
    *last = reading->pages.last;
    for (size_t at = 0; log_reading_next(reading, &at, &record);) {
        uint64_t end = trace_kind_is_call(record.kind)
                           ? take_call(loader, span_ticks_at(record.data))
                           : take_record(loader, &record);
        *first = record.ticks < *first ? record.ticks : *first;
        *last = end > *last ? end : *last;
    }
}

/* The pages of the log that was read, or NULL: it has to be read as a whole. */
static struct span_pages *load_pages(struct loader *loader, struct trace_reader *reader,
                                     struct span_pages_builder *builder)
{
    struct span_pages pages;
    if (!span_pages_finish(builder, &pages, &loader->run->arena, reader, loader->clock,
                           loader->clock_base))
        return NULL;
    struct span_pages *kept = ARENA_NEW(&loader->run->arena, struct span_pages);
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

/* What the chunk of a thread says of it. */
static void load_head(struct loader *loader, const struct trace_chunk *head)
{
    struct timeline_thread *thread = &loader->run->threads[loader->thread];
    thread->process = loader->process;
    thread->routine = head->start;
    thread->name = loader_name(loader, head->name, sizeof head->name);
    caller_list_begin_log(&loader->callers, loader->process);
}

static void load_log(void *context, struct log_reading *reading)
{
    struct loader *loader = context;
    struct trace_reader *reader = &loader->readers[loader->process];
    struct timeline_thread *thread = &loader->run->threads[loader->thread];
    uint32_t log = reading->log;
    uint64_t first, last;
    thread->tid = reader->logs[log].tid;
    load_head(loader, trace_log_chunk(reader, log));
    span_list_clear(&loader->spans);
    load_records(loader, reading, &first, &last);
    thread->pages = loader->page_calls ? load_pages(loader, reader, &reading->pages) : NULL;
    if (loader->page_calls && !thread->pages)
        load_spans(loader, reader, log);
    thread->spans =
        span_list_build(&loader->spans, &loader->run->arena, loader->clock, loader->clock_base);
    thread->span_count = (uint32_t)loader->spans.count;
    if (first > last) /* no record */
        first = last = loader->last_ticks;
    thread->first = loader_ns(loader, first);
    thread->last = loader_ns(loader, last);
    if (last > loader->last_ticks)
        loader->last_ticks = last;
    loader->thread++;
}

/* No probe costs a call 64 us. */
#define PROBE_COST_MOST (UINT64_C(64000) << 16)

/* Of one call, in ns * 2^-16. */
static uint64_t probe_cost(const struct loader *loader, uint32_t ticks, uint32_t calls)
{
    const struct clock_map *map = loader->clock;
    uint64_t ns = map->known ? map->ns_span : 1, per = map->known ? map->tick_span : 1;
    if (!calls)
        return 0;
    unsigned __int128 cost = ((unsigned __int128)ticks << 16) * ns / per / calls;
    return cost < PROBE_COST_MOST ? (uint64_t)cost : 0;
}

static void load_process(struct loader *loader, const struct trace_reader *reader)
{
    const struct trace_file_header *header = reader->header;
    struct timelines *run = loader->run;
    struct timeline_process *process = &run->processes[loader->process];
    process->pid = header->pid;
    process->parent_pid = header->parent_pid;
    process->program = arena_strndup(&run->arena, header->program,
                                     strnlen(header->program, sizeof header->program));
    process->killed = header->end != TRACE_EXITED;
    process->lost_records = header->lost_records;
    process->hook_tables = header->hook_tables;
    loader->clock = &loader->clocks[loader->process];
    process->probe_cost = probe_cost(loader, header->probe_ticks, header->probe_calls);
    if (process->probe_cost)
        process->probe_cost += probe_cost(loader, header->write_out_ticks, 1024);
    run->lost_records += header->lost_records;
    run->processes_unchanged += header->switched_generation == TRACE_NOT_SWITCHED;
    loader->clock_base = header->clock_base;
    uint64_t start = header->calibration[0].ticks;
    loader->last_ticks = start > header->clock_base ? start - header->clock_base : 0;
    loader->objects = &loader->spaces[loader->process];
}

static struct window header_window(const struct loader *loader, size_t file)
{
    const struct clock_map *monotonic = &loader->monotonic;
    const struct trace_file_header *header = loader->readers[file].header;
    return (struct window){clock_map_ns(monotonic, 0, header->window_from_ns),
                           clock_map_ns(monotonic, 0, header->window_until_ns)};
}

/* Of a run without one: all of time. A file that came after they were written has the first one
 * that another has. */
static void find_windows(struct loader *loader)
{
    struct window common = {INT64_MIN, INT64_MAX};
    for (size_t i = loader->reader_count; i-- > 0;)
        if (loader->readers[i].header->window_until_ns)
            common = header_window(loader, i);
    loader->windows = memory_zeroed((loader->reader_count + 1) * sizeof *loader->windows);
    for (size_t i = 0; i < loader->reader_count; i++)
        loader->windows[i] =
            loader->readers[i].header->window_until_ns ? header_window(loader, i) : common;
}

/* When the file's last overwritten record ended; INT64_MIN: none of its window was. */
static time_ns overwritten_until(const struct loader *loader, size_t file)
{
    const struct trace_file_header *header = loader->readers[file].header;
    if (!trace_overwritten_records(header))
        return INT64_MIN;
    time_ns until = clock_map_ns(&loader->clocks[file], header->clock_base,
                                 header->overwritten_ticks - header->clock_base);
    return until > loader->windows[file].from ? until : INT64_MIN;
}

/* By file: when the last overwritten record of its run ended. */
static time_ns *find_whole_from(struct loader *loader)
{
    time_ns *until = memory_alloc((loader->reader_count + 1) * sizeof *until);
    time_ns *whole_from = memory_alloc((loader->reader_count + 1) * sizeof *whole_from);
    for (size_t i = 0; i < loader->reader_count; i++) {
        until[i] = overwritten_until(loader, i);
        if (until[i] != INT64_MIN)
            loader->run->overwritten_records +=
                trace_overwritten_records(loader->readers[i].header);
    }
    for (size_t i = 0; i < loader->reader_count; i++)
        whole_from[i] = INT64_MIN;
    for (size_t k = 0; k < loader->reader_count; k++)
        for (size_t i = 0; until[k] != INT64_MIN && i < loader->reader_count; i++)
            if (until[k] > whole_from[i] &&
                trace_seal_is_one_run(loader->readers[i].header, loader->readers[k].header))
                whole_from[i] = until[k];
    memory_free(until);
    return whole_from;
}

/* What began before that may lack some of its records. */
static void cut_intervals(struct loader *loader)
{
    struct timelines *run = loader->run;
    time_ns *whole_from = find_whole_from(loader);
    for (uint32_t i = 0; i < run->interval_count; i++) {
        struct interval *interval = &run->intervals[i];
        if (interval->complete && interval->begin < whole_from[interval->process]) {
            interval->complete = false;
            run->intervals_cut++;
        }
    }
    memory_free(whole_from);
}

static bool is_within(const struct loader *loader, const struct interval *interval)
{
    struct window window = loader->windows[interval->process];
    return interval->complete && interval->begin >= window.from && interval->end <= window.until;
}

/* It began in the window and will hardly end: its id began anew, or it is open for longer than any
 * that ended. That it ended after the window is not looked at: whoever looks at once can't know. */
static bool is_endless(const struct interval *interval, struct window window, time_ns longest)
{
    bool over = (interval->complete || interval->begun_again) && interval->end <= window.until;
    return interval->begin >= window.from && interval->begin < window.until &&
           (over ? interval->begun_again : window.until - interval->begin > longest);
}

static time_ns longest_within(const struct loader *loader)
{
    time_ns longest = 0;
    for (uint32_t i = 0; i < loader->run->interval_count; i++) {
        const struct interval *interval = &loader->run->intervals[i];
        time_ns length = interval->end - interval->begin;
        if (length > longest && is_within(loader, interval))
            longest = length;
    }
    return longest;
}

/* Those that a window leaves out, unfinished ones too, are no intervals of this run. */
static void keep_window(struct loader *loader)
{
    if (loader->windows[0].until == INT64_MAX)
        return;
    time_ns longest = longest_within(loader);
    for (uint32_t i = 0; i < loader->run->interval_count; i++) {
        struct interval *interval = &loader->run->intervals[i];
        if (is_within(loader, interval))
            continue;
        loader->run->intervals_outside +=
            !is_endless(interval, loader->windows[interval->process], longest);
        interval->complete = false;
    }
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

/* Every process's maps, and what parents and children know of each other's. */
static void load_spaces(struct loader *loader)
{
    struct timelines *run = loader->run;
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

static void load_file(struct loader *loader, struct trace_reader *reader)
{
    loader->process = (uint32_t)(reader - loader->readers);
    loader->first_thread = loader->thread;
    load_process(loader, reader);
    log_readings_run(reader, loader->page_calls, load_log, loader);
    interval_list_complete(&loader->intervals);
}

static void close_process(struct loader *loader)
{
    interval_list_close_process(&loader->intervals, loader->process, loader->first_thread,
                                loader->thread - loader->first_thread, loader->clock,
                                loader->clock_base, loader->last_ticks);
}

static void load_damage(struct loader *loader)
{
    struct timelines *run = loader->run;
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

/* Three parts; the second one waits for the first, the last one has nothing to do with them. The
 * last process is still to close. */
static void build_part(void *context, uint32_t part)
{
    struct loader *loader = context;
    struct timelines *run = loader->run;
    if (part == 0) {
        interval_list_order(&loader->intervals);
    } else if (part == 1) {
        close_process(loader);
        interval_list_build(&loader->intervals, run);
        find_windows(loader);
        keep_window(loader);
        cut_intervals(loader);
    } else {
        waker_list_build(&loader->wakers, run, &run->waits);
        pickup_list_build(&loader->pickups, run, &run->waits);
    }
}

static void load_files(struct loader *loader)
{
    struct timelines *run = loader->run;
    for (size_t i = 0; i < loader->reader_count; i++)
        run->thread_count += (uint32_t)loader->readers[i].log_count;
    run->process_count = (uint32_t)loader->reader_count;
    run->processes = ARENA_ARRAY(&run->arena, struct timeline_process, run->process_count);
    run->threads = ARENA_ARRAY(&run->arena, struct timeline_thread, run->thread_count);
    run->clock = clock_name(loader->readers[0].header->clock);
    loader->clocks = ARENA_ARRAY(&run->arena, struct clock_map, run->process_count);
    clock_maps_build(loader->clocks, &loader->monotonic, loader->readers, run->process_count);
    load_spaces(loader);
    for (size_t i = 0; i < loader->reader_count; i++) {
        if (i) {
            interval_list_order(&loader->intervals);
            close_process(loader);
        }
        file_doubt(&loader->damage, loader->readers, loader->reader_count, i,
                   loader->clocks[i].known);
        load_file(loader, &loader->readers[i]);
    }
    caller_list_finish(&loader->callers, run);
    parallel_each(3, build_part, loader);
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
    memory_free(loader->windows);
    memory_free(loader->name_text);
    intern_release(&loader->names);
    span_list_release(&loader->spans);
    interval_list_release(&loader->intervals);
    waker_list_release(&loader->wakers);
    pickup_list_release(&loader->pickups);
    caller_list_release(&loader->callers);
    for (size_t i = 0; i < loader->reader_count && loader->spaces; i++)
        object_space_release(&loader->spaces[i]);
    memory_free(loader->spaces);
    if (loader->page_calls) {
        loader->run->readers = loader->readers;
        loader->run->reader_count = (uint32_t)loader->reader_count;
    } else {
        readers_close(loader->readers, loader->reader_count);
    }
}

/* The process that started first is the first; a parent before its children. */
static int reader_compare(const void *a, const void *b)
{
    const struct trace_reader *p = a, *q = b;
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
    struct loader loader = {.run = run, .page_calls = page_calls};
    *run = (struct timelines){0};
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
    *run = (struct timelines){0};
}
