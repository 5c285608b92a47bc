/* trace_records_tool FILE... - each record of trace files as one JSON object on a line, as
 * tests/runtime/vtr.py prints them, with the logs, the maps and the offsets of damage. For
 * readers_test.py: two readers that share nothing must say the same. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace_reader.h"

#define VPROF_TYPES_ONLY
#include "vprof_api.h"

static const char *const operations[] = {
    [TRACE_OP_MUTEX] = "mutex",
    [TRACE_OP_COND] = "cond",
    [TRACE_OP_RWLOCK_READ] = "rwlock_read",
    [TRACE_OP_RWLOCK_WRITE] = "rwlock_write",
    [TRACE_OP_SEMAPHORE] = "semaphore",
    [TRACE_OP_BARRIER] = "barrier",
    [TRACE_OP_JOIN] = "join",
    [TRACE_OP_USER] = "user",
    [TRACE_OP_SPIN] = "spin",
    [TRACE_OP_CHANNEL] = "channel",
    [TRACE_OP_CHANNEL_ROOM] = "channel_room",
    [TRACE_OP_SEMAPHORE_ZERO] = "semaphore_zero",
    [TRACE_OP_FUTEX] = "futex",
    [TRACE_OP_TEAM] = "team",
};
static const char *const marks[] = {
    [VPROF_MARK_BEGIN] = "begin",
    [VPROF_MARK_END] = "end",
    [VPROF_MARK_ENTER] = "enter",
    [VPROF_MARK_TYPE] = "type",
    [VPROF_MARK_VALUE] = "value",
    [VPROF_MARK_PROGRESS] = "progress",
    [VPROF_MARK_FALSE_WAKEUP] = "false_wakeup",
    [VPROF_MARK_ACQUIRE] = "acquire",
};
static const char *const tasks[] = {NULL, "enqueue", "dequeue"};
static const char *const threads[] = {NULL, "create", "started", "exit"};
static const char *const states[] = {"runnable", "sleeps", "uninterruptible", "stopped", "ended"};
static const char *const contexts[] = {"thread", "soft", "hard"};
static const char *const interrupts[] = {"unknown", "timer", "network", "disk", "other"};
static const char *const requests[] = {"issued", "done"};
static const char *const ways[] = {"read", "write", "other"};
static const char *const whos[] = {"seen", "created", "ended", "device"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void print_number(const char *key, uint64_t value)
{
    printf(", \"%s\": %" PRIu64, key, value);
}

/* The name of `value`, or the number where it has none. */
static void print_named(const char *key, uint32_t value, const char *const *names, size_t count)
{
    if (value < count && names[value])
        printf(", \"%s\": \"%s\"", key, names[value]);
    else
        print_number(key, value);
}

/* Bytes as they are: each is the character of that number. */
static void print_text(const char *key, const char *text, size_t size)
{
    printf(", \"%s\": \"", key);
    for (size_t i = 0; i < size && text[i]; i++)
        if (text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\')
            printf("\\u%04x", (unsigned char)text[i]);
        else
            putchar(text[i]);
    putchar('"');
}

static void print_function(const struct trace_record *record)
{
    const struct trace_function *call = record->data;
    print_number("duration", call->duration_probe >> TRACE_PROBE_BITS);
    print_number("probe", call->duration_probe & TRACE_PROBE_MAX);
    print_number("target", 0);
    print_number("how", TRACE_RETURNED);
    print_number("how", 0);
}

static void print_function_long(const struct trace_record *record)
{
    const struct trace_function_long *call = record->data;
    print_number("duration", call->duration);
    print_number("probe", call->probe);
    print_number("target", call->target);
    print_number("how", call->how);
    print_number("how", call->how);
}

static void print_part(const struct trace_record *record)
{
    const struct trace_part *part = record->data;
    print_number("duration", part->duration);
    print_number("target", part->target);
    print_number("began", part->began);
    print_number("probe", part->probe);
    print_number("how", part->how);
}

static void print_mark(const struct trace_record *record)
{
    const struct trace_mark *mark = record->data;
    print_number("id", mark->id);
    print_named("what", mark->what, marks, COUNT(marks));
    print_number("delay", mark->delay_ns);
}

static void print_name(const struct trace_record *record)
{
    const struct trace_name *name = record->data;
    print_number("id", name->id);
    printf(", \"value\": %" PRId64, name->value);
    print_named("what", name->what, marks, COUNT(marks));
    print_text("name", name->name, sizeof name->name);
}

static void print_block(const struct trace_record *record)
{
    const struct trace_block *block = record->data;
    print_number("end", block->end_ticks);
    print_number("object", block->object);
    print_number("site", block->site);
    print_named("operation", block->operation, operations, COUNT(operations));
    print_number("ending", block->ending);
    print_number("amount", block->amount);
}

static void print_release(const struct trace_record *record)
{
    const struct trace_release *release = record->data;
    print_number("object", release->object);
    print_number("site", release->site);
    print_named("operation", release->operation, operations, COUNT(operations));
    print_number("mode", release->mode);
    print_number("callers", release->callers);
    print_number("amount", release->amount);
}

static void print_callers(const struct trace_record *record)
{
    const struct trace_callers *callers = record->data;
    const char *comma = "";
    print_number("number", callers->number);
    print_number("more", callers->more);
    print_number("spare", callers->spare);
    printf(", \"addresses\": [");
    for (unsigned i = 0; i < TRACE_CALLERS_ADDRESSES; i++)
        if (callers->address[i]) {
            printf("%s%" PRIu64, comma, callers->address[i]);
            comma = ", ";
        }
    putchar(']');
}

static void print_task(const struct trace_record *record)
{
    const struct trace_task *task = record->data;
    print_number("queue", task->queue);
    print_number("task", task->task);
    print_number("site", task->site);
    print_named("what", task->what, tasks, COUNT(tasks));
}

static void print_thread(const struct trace_record *record)
{
    const struct trace_thread_event *event = record->data;
    print_number("token", event->token);
    print_number("pthread", event->pthread);
    print_named("what", event->what, threads, COUNT(threads));
    print_number("site", event->site);
}

static void print_sample(const struct trace_record *record)
{
    const struct trace_sample *sample = record->data;
    print_number("pid", sample->pid);
    print_number("tid", sample->tid);
    print_number("amount", sample->amount);
    print_number("stack", sample->stack);
}

static void print_wait_stack(const struct trace_record *record)
{
    const struct trace_wait_stack *wait = record->data;
    print_number("pid", wait->pid);
    print_number("tid", wait->tid);
    print_number("woken", wait->woken);
    print_number("stack", wait->stack);
    print_number("one_in", wait->one_in);
    print_number("holder", wait->holder);
    print_number("argument", wait->argument);
}

static void print_switch(const struct trace_record *record)
{
    const struct trace_switch *event = record->data;
    print_number("from", event->from);
    print_number("to", event->to);
    print_named("state", event->state, states, COUNT(states));
    print_number("stack", event->stack);
}

static void print_waking(const struct trace_record *record)
{
    const struct trace_waking *waking = record->data;
    print_number("tid", waking->tid);
    print_number("waker", waking->waker);
    print_named("context", waking->context, contexts, COUNT(contexts));
    print_named("interrupt", waking->interrupt, interrupts, COUNT(interrupts));
    print_number("born", waking->born);
    print_number("stack", waking->stack);
}

static void print_request(const struct trace_record *record)
{
    const struct trace_request *request = record->data;
    print_number("device", request->device);
    print_number("bytes", request->bytes);
    print_number("sector", request->sector);
    print_named("what", request->what, requests, COUNT(requests));
    print_named("way", request->way, ways, COUNT(ways));
    print_number("tid", request->tid);
}

static void print_missed(const struct trace_record *record)
{
    const struct trace_missed *missed = record->data;
    print_number("records", missed->records);
}

static void print_pause(const struct trace_record *record)
{
    static const char *const what[] = {"begins", "ends"};
    const struct trace_pause *pause = record->data;
    print_named("what", pause->what, what, COUNT(what));
}

static void print_fault(const struct trace_record *record)
{
    const struct trace_fault *fault = record->data;
    print_number("pid", fault->pid);
    print_number("tid", fault->tid);
}

static void print_who(const struct trace_record *record)
{
    const struct trace_who *who = record->data;
    print_number("pid", who->pid);
    print_number("tid", who->tid);
    print_number("maker", who->maker);
    print_named("what", who->what, whos, COUNT(whos));
    print_text("name", who->name, sizeof who->name);
    print_number("whose", who->whose);
}

static void print_title(const struct trace_record *record)
{
    const struct trace_title *title = record->data;
    print_number("pid", title->pid);
    print_text("title", title->title, sizeof title->title);
}

static void print_totals(const struct trace_record *record)
{
    const struct trace_totals *totals = record->data;
    print_number("pid", totals->pid);
    print_number("tid", totals->tid);
    print_number("ran", totals->ran_ns);
    print_number("runnable", totals->runnable_ns);
}

static void print_hit(const struct trace_record *record)
{
    const struct trace_point_hit *hit = record->data;
    print_number("pid", hit->pid);
    print_number("tid", hit->tid);
    print_number("point", hit->point);
    print_number("unknown", hit->unknown);
    print_number("value", hit->value);
    print_number("second", hit->second);
}

static void print_points_lost(const struct trace_record *record)
{
    const struct trace_points_lost *lost = record->data;
    print_number("hits", lost->hits);
}

static void print_point_closed(const struct trace_record *record)
{
    const struct trace_point_closed *closed = record->data;
    print_number("point", closed->point);
}

static void print_experiment(const struct trace_record *record)
{
    const struct trace_experiment *one = record->data;
    print_number("epoch", one->epoch);
    print_number("stage", one->stage);
    print_number("target", one->target);
    print_number("share", one->share);
    print_number("block", one->block);
    print_number("granted", one->granted_ns);
    print_number("target_time", one->target_ns);
    print_number("calls", one->calls);
    print_number("paid", one->paid_ns);
    print_number("late", one->over_ns);
}

static void print_spent(const struct trace_record *record)
{
    const struct trace_spent *spent = record->data;
    print_number("spent", spent->spent_ns);
}

static const struct kind {
    unsigned kind;
    const char *name;
    void (*print)(const struct trace_record *record);
} kinds[] = {
    {TRACE_FUNCTION, "function", print_function},
    {TRACE_FUNCTION_LONG, "function", print_function_long},
    {TRACE_CALL, "function", print_function_long},
    {TRACE_PART, "function", print_part},
    {TRACE_MARK, "mark", print_mark},
    {TRACE_SPENT, "spent", print_spent},
    {TRACE_APART, "apart", print_spent},
    {TRACE_NAME, "mark", print_name},
    {TRACE_BLOCK, "block", print_block},
    {TRACE_RELEASE, "release", print_release},
    {TRACE_CALLERS, "callers", print_callers},
    {TRACE_TASK, "task", print_task},
    {TRACE_THREAD, "thread", print_thread},
    {TRACE_SAMPLE, "sample", print_sample},
    {TRACE_WAIT_STACK, "wait_stack", print_wait_stack},
    {TRACE_SWITCH, "switch", print_switch},
    {TRACE_WAKING, "waking", print_waking},
    {TRACE_REQUEST, "request", print_request},
    {TRACE_MISSED, "missed", print_missed},
    {TRACE_PAUSE, "pause", print_pause},
    {TRACE_FAULT, "fault", print_fault},
    {TRACE_WHO, "who", print_who},
    {TRACE_TITLE, "title", print_title},
    {TRACE_TOTALS, "totals", print_totals},
    {TRACE_POINT_HIT, "hit", print_hit},
    {TRACE_POINTS_LOST, "points_lost", print_points_lost},
    {TRACE_POINT_CLOSED, "point_closed", print_point_closed},
    {TRACE_EXPERIMENT, "experiment", print_experiment},
};

static void print_record(uint32_t thread, const struct trace_record *record)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (kinds[i].kind == record->kind) {
            printf("{\"thread\": %u, \"kind\": \"%s\"", thread, kinds[i].name);
            print_number("ticks", record->ticks);
            kinds[i].print(record);
            puts("}");
        }
}

static void print_log(struct trace_reader *reader, uint32_t log)
{
    struct trace_cursor cursor = trace_cursor_start(reader, log);
    struct trace_record record;
    uint32_t thread = reader->pieces[reader->logs[log].first_piece].thread;
    uint64_t bytes = 0;
    while (trace_cursor_next(&cursor, &record)) {
        print_record(thread, &record);
        bytes += TRACE_KIND_SIZE(record.kind);
    }
    printf("{\"log\": %u, \"tid\": %u, \"record_bytes\": %" PRIu64 "}\n", thread,
           reader->logs[log].tid, bytes);
}

static void print_times(const struct trace_file_header *header)
{
    print_number("clock_base", header->clock_base);
    print_number("start_ticks", header->calibration[0].ticks);
    print_number("start_ns", header->calibration[0].monotonic_ns);
    print_number("latest_ticks", header->calibration[1].ticks);
    print_number("latest_ns", header->calibration[1].monotonic_ns);
    print_number("start_realtime_ns", header->start_realtime_ns);
}

static void print_seal(const struct trace_seal *seal)
{
    print_number("run_start_ticks", seal->run[0].ticks);
    print_number("run_start_ns", seal->run[0].monotonic_ns);
    print_number("run_latest_ticks", seal->run[1].ticks);
    print_number("run_latest_ns", seal->run[1].monotonic_ns);
    print_number("sealed_bytes", seal->bytes);
    print_number("checksum", seal->checksum);
}

static void print_header(const struct trace_file_header *header)
{
    static const char *const clocks[] = {NULL, "tsc", "cntvct", "monotonic"};
    printf("{\"magic\": \"vproftr\"");
    print_number("version", header->version);
    print_number("header_size", header->header_size);
    print_number("features", header->features);
    print_number("pid", header->pid);
    print_number("parent_pid", header->parent_pid);
    print_named("clock", header->clock, clocks, COUNT(clocks));
    printf(", \"end\": \"%s\"", header->end == TRACE_EXITED ? "exited" : "running");
    print_times(header);
    print_number("lost_records", header->lost_records);
    print_number("hook_tables", header->hook_tables);
    print_number("threads", header->threads);
    print_text("host", header->host, sizeof header->host);
    print_text("program", header->program, sizeof header->program);
    print_number("overwritten_records", trace_overwritten_records(header));
    print_number("overwritten_ticks", header->overwritten_ticks);
    print_number("window_from_ns", header->window_from_ns);
    print_number("window_until_ns", header->window_until_ns);
    print_number("switched_ns", header->switched_ns);
    print_number("switched_generation", header->switched_generation);
    print_number("probe_calls", header->probe_calls);
    print_number("probe_ticks", header->probe_ticks);
    print_number("write_out_ticks", header->write_out_ticks);
    print_seal(&header->seal);
    print_number("filled_bytes", header->filled_bytes);
    print_number("run_files", header->run_files);
    print_number("watched", header->watched);
    puts("}");
}

static void print_stacks(const struct trace_reader *reader)
{
    struct trace_stack_cursor cursor = {0};
    struct trace_stack_view view;
    while (trace_stack_next(reader, &cursor, &view)) {
        printf("{\"kind\": \"stack\", \"number\": %u, \"pid\": %u, \"kernel\": %u, \"cut\": %u, "
               "\"addresses\": [",
               view.head.number, view.head.pid, view.head.kernel, view.head.cut);
        for (uint16_t i = 0; i < view.head.size; i++) {
            uint64_t address;
            memcpy(&address, view.addresses + sizeof address * i, sizeof address);
            printf("%s%" PRIu64, i ? ", " : "", address);
        }
        puts("]}");
    }
}

static void print_unwound(const struct trace_reader *reader)
{
    struct unwound_cursor cursor = reader->unwound;
    struct trace_unwinding unwinding;
    struct unwound_view view;
    if (!unwound_begin(reader->map.data, &cursor, &unwinding))
        return;
    printf("{\"kind\": \"unwinding\"");
    print_number("stacks", unwinding.stacks);
    print_number("lost", unwinding.lost);
    print_number("own_ns", unwinding.own_ns);
    print_number("without", unwinding.without);
    puts("}");
    while (unwound_next(reader->map.data, &cursor, &view)) {
        printf("{\"kind\": \"unwound\"");
        print_text("path", view.path, strlen(view.path));
        print_number("by_rows", view.head.by_rows);
        print_number("by_pointers", view.head.by_pointers);
        printf(", \"ended\": [");
        for (int i = 0; i < TRACE_CUTS; i++)
            printf("%s%" PRIu64, i ? ", " : "", view.head.ended[i]);
        puts("]}");
    }
}

static void print_file(const char *path)
{
    struct trace_reader reader;
    struct error error;
    if (!trace_reader_open(&reader, path, &error)) {
        puts("{\"refused\": true}");
        return;
    }
    print_header(reader.header);
    if (reader.maps_count) {
        const struct trace_maps *maps = &reader.maps[reader.maps_count - 1];
        printf("{\"kind\": \"maps\"");
        print_text("text", maps->text, maps->length);
        puts("}");
    }
    if (reader.kernel.length) {
        printf("{\"kind\": \"kernel\"");
        print_text("text", reader.kernel.text, reader.kernel.length);
        puts("}");
    }
    if (reader.points.length) {
        printf("{\"kind\": \"points\"");
        print_text("text", reader.points.text, reader.points.length);
        puts("}");
    }
    if (reader.targets.length) {
        printf("{\"kind\": \"targets\"");
        print_text("text", reader.targets.text, reader.targets.length);
        puts("}");
    }
    print_stacks(&reader);
    print_unwound(&reader);
    for (uint32_t log = 0; log < reader.log_count; log++)
        print_log(&reader, log);
    for (size_t i = 0; i < reader.damage_count; i++) {
        const char *offset = strstr(reader.damage[i] + strlen(path), "byte ");
        printf("{\"damage\": %" PRIu64 "}\n", (uint64_t)strtoull(offset + 5, NULL, 10));
    }
    trace_reader_close(&reader);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        printf("{\"file\": %d}\n", i - 1);
        print_file(argv[i]);
    }
    return 0;
}
