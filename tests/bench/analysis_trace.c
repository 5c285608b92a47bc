#include "analysis_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "trace/trace_format.h"
#include "vprof_api.h"

enum { CHUNK_BYTES = 1 << 18, CALLEES = 8, DEEPEST = 32, TICKS_PER_NS = 3 };

struct writer {
    const struct trace_shape *shape;
    FILE *file;
    uint64_t *chunk;
    size_t used; /* bytes of the chunk */
    uint32_t thread, sequence;
    uint64_t now; /* ticks */
    uint64_t random;
    uint64_t calls;
};

static uint64_t writer_random(struct writer *w, uint64_t bound)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (w->random >> 11) % bound;
}

static void writer_flush(struct writer *w)
{
    if (w->used <= sizeof(struct trace_chunk))
        return;
    *(struct trace_chunk *)(void *)w->chunk = (struct trace_chunk){.magic = TRACE_CHUNK_MAGIC,
                                                                   .kind = TRACE_CHUNK_LOG,
                                                                   .size = CHUNK_BYTES,
                                                                   .tid = 1000 + w->thread,
                                                                   .thread = w->thread + 1,
                                                                   .sequence = w->sequence++};
    memset((char *)w->chunk + w->used, 0, CHUNK_BYTES - w->used);
    fwrite(w->chunk, CHUNK_BYTES, 1, w->file);
    w->used = sizeof(struct trace_chunk);
}

static void *writer_record(struct writer *w, uint64_t ticks, enum trace_kind kind)
{
    if (w->used + TRACE_KIND_SIZE((unsigned)kind) > CHUNK_BYTES)
        writer_flush(w);
    uint64_t *record = w->chunk + w->used / sizeof *w->chunk;
    memset(record, 0, TRACE_KIND_SIZE((unsigned)kind));
    record[0] = TRACE_HEAD(ticks, kind);
    w->used += TRACE_KIND_SIZE((unsigned)kind);
    return record;
}

static void write_long_call(struct writer *w, uint64_t start, uint32_t function)
{
    struct trace_function_long *record = writer_record(w, start, TRACE_FUNCTION_LONG);
    record->duration = w->now - start;
    record->probe = function + 1;
    w->calls++;
}

static void write_call(struct writer *w, uint64_t start, uint32_t function)
{
    if (strcmp(w->shape->name, "mixed") == 0 && writer_random(w, 8) == 0) {
        write_long_call(w, start, function);
        return;
    }
    struct trace_function *record = writer_record(w, start, TRACE_FUNCTION);
    record->duration_probe = (w->now - start) << TRACE_PROBE_BITS | (function + 1);
    w->calls++;
}

static void write_mark(struct writer *w, uint64_t id, uint32_t what)
{
    struct trace_mark *record = writer_record(w, w->now, TRACE_MARK);
    record->id = id;
    record->what = what;
}

static void write_block(struct writer *w, uint64_t start, uint32_t mutex)
{
    struct trace_block *record = writer_record(w, start, TRACE_BLOCK);
    record->end_ticks = w->now;
    record->object = 0x1000 + 64 * (uint64_t)mutex;
    record->operation = TRACE_OP_MUTEX;
}

static void write_release(struct writer *w, uint32_t mutex)
{
    struct trace_release *record = writer_record(w, w->now, TRACE_RELEASE);
    record->object = 0x1000 + 64 * (uint64_t)mutex;
    record->operation = TRACE_OP_MUTEX;
}

static void writer_pass(struct writer *w, uint64_t ns)
{
    w->now += (ns + writer_random(w, ns + 1)) * TICKS_PER_NS;
}

/* Where the shape has it so, a call may have begun before the one ahead of it ended. */
static uint64_t crossed_start(struct writer *w, uint64_t start, uint64_t least)
{
    if (strcmp(w->shape->name, "crossed") != 0 || writer_random(w, 8))
        return start;
    uint64_t earlier = writer_random(w, 200) * TICKS_PER_NS;
    return start - least > earlier ? start - earlier : least;
}

/* About `budget` calls below function 0; each callee takes up to half of what its caller has. */
static void write_calls(struct writer *w, uint64_t budget)
{
    struct {
        uint32_t function;
        uint64_t start, budget;
    } stack[DEEPEST] = {{0, w->now, budget ? budget - 1 : 0}};
    int top = 0;
    while (top >= 0) {
        uint32_t callee = stack[top].function * CALLEES + 1 + (uint32_t)writer_random(w, CALLEES);
        writer_pass(w, 20);
        if (stack[top].budget == 0 || callee >= w->shape->functions || top + 1 == DEEPEST) {
            uint64_t rest = stack[top].budget;
            write_call(w, crossed_start(w, stack[top].start, stack[0].start), stack[top].function);
            if (--top >= 0)
                stack[top].budget += rest;
            continue;
        }
        uint64_t given = 1 + writer_random(w, (stack[top].budget + 1) / 2);
        stack[top].budget -= given;
        stack[++top].function = callee;
        stack[top].start = w->now;
        stack[top].budget = given - 1;
    }
}

static void write_plain(struct writer *w, uint32_t thread, uint64_t intervals)
{
    uint64_t budget = w->shape->records / w->shape->intervals;
    for (uint64_t i = 0; i < intervals; i++) {
        writer_pass(w, 50);
        write_mark(w, thread + 1, VPROF_MARK_BEGIN);
        write_calls(w, budget / 2);
        write_release(w, thread);
        if (i % 10 == 0) {
            uint64_t start = w->now;
            writer_pass(w, 40 * budget);
            write_block(w, start, (thread + 1) % w->shape->threads);
        }
        write_calls(w, budget - budget / 2);
        write_mark(w, thread + 1, VPROF_MARK_END);
    }
}

/* Thread t has the mutex in turn t, t + threads, ... */
static void write_mutex(struct writer *w, uint32_t thread, uint64_t intervals)
{
    uint64_t turn = 1000 * TICKS_PER_NS, round = turn * w->shape->threads;
    for (uint64_t i = 0; i < intervals; i++) {
        uint64_t start = w->now = round * i + turn * (thread + 1) + 10;
        write_mark(w, thread + 1, VPROF_MARK_BEGIN);
        w->now = round * (i + 1) + turn * thread - 20;
        write_block(w, start + 10, 0);
        w->now += 10;
        write_calls(w, 3);
        w->now = round * (i + 1) + turn * (thread + 1) - 21;
        write_release(w, 0);
        w->now += 2;
        write_mark(w, thread + 1, VPROF_MARK_END);
    }
}

static void write_one(struct writer *w, uint32_t thread, uint64_t blocks)
{
    uint64_t turn = 1000 * TICKS_PER_NS;
    if (thread == 0)
        write_mark(w, 1, VPROF_MARK_BEGIN);
    for (uint64_t i = 0; i < blocks; i++) {
        w->now = turn * (i + 1) + (thread ? 5 : 100);
        write_calls(w, 3);
        if (thread == 0) {
            uint64_t start = w->now;
            w->now = turn * (i + 2);
            write_block(w, start, 0);
        } else {
            w->now = turn * (i + 2) - 20;
            write_release(w, 0);
        }
    }
    if (thread == 0)
        write_mark(w, 1, VPROF_MARK_END);
}

static void write_thread(struct writer *w, uint32_t thread)
{
    const struct trace_shape *shape = w->shape;
    uint64_t intervals =
        shape->intervals / shape->threads + (thread < shape->intervals % shape->threads);
    w->thread = thread;
    w->sequence = 0;
    w->now = TICKS_PER_NS * 1000;
    w->random = 88172645463325252u + thread;
    w->used = sizeof(struct trace_chunk);
    uint64_t start = w->now - 1;
    if (strcmp(shape->name, "mutex") == 0)
        write_mutex(w, thread, intervals);
    else if (strcmp(shape->name, "one") == 0)
        write_one(w, thread, shape->intervals);
    else
        write_plain(w, thread, intervals);
    w->now += 10;
    write_long_call(w, start, shape->functions - 1);
    writer_flush(w);
}

static void write_header(struct writer *w)
{
    static union {
        struct trace_file_header header;
        char page[TRACE_PAGE];
    } start;
    start.header = (struct trace_file_header){
        .magic = TRACE_MAGIC,
        .version = TRACE_VERSION,
        .header_size = TRACE_PAGE,
        .pid = 4711,
        .clock = TRACE_CLOCK_TSC,
        .end = TRACE_EXITED,
        .clock_base = 1000000,
        .calibration = {{1000000, 5000}, {1000000 + 3000000019ull, 5000 + 1000000000ull}},
        .threads = w->shape->threads,
        .program = "synthetic"};
    fwrite(&start, sizeof start, 1, w->file);
}

uint64_t trace_shape_write(const struct trace_shape *shape, const char *path, struct error *error)
{
    struct writer w = {.shape = shape, .file = fopen(path, "wb"), .chunk = NULL};
    if (!w.file) {
        error_system(error, "Can't write %s", path);
        return 0;
    }
    w.chunk = memory_alloc(CHUNK_BYTES);
    write_header(&w);
    for (uint32_t thread = 0; thread < shape->threads; thread++)
        write_thread(&w, thread);
    memory_free(w.chunk);
    if (fclose(w.file) == 0)
        return w.calls;
    error_system(error, "Can't write %s", path);
    return 0;
}

void trace_shape_table(const struct trace_shape *shape, struct function_table *table)
{
    uint32_t n = shape->functions;
    *table = (struct function_table){.function_count = n, .probe_count = n + 1};
    table->functions = ARENA_ARRAY(&table->arena, struct function_info, n);
    table->probes = ARENA_ARRAY(&table->arena, struct probe_info, n + 1);
    for (uint32_t f = 0; f < n; f++) {
        struct function_info *function = &table->functions[f];
        const char *name = arena_printf(&table->arena, "f%u", f);
        *function =
            (struct function_info){.name = name, .symbol = name, .file = "work.c", .line = f + 1};
        function->body = true;
        function->callees = ARENA_ARRAY(&table->arena, uint32_t, CALLEES);
        for (uint32_t c = f * CALLEES + 1; c <= f * CALLEES + CALLEES && c < n; c++)
            function->callees[function->callee_count++] = c;
        table->probes[f + 1] =
            (struct probe_info){.kind = PROBE_FUNCTION, .function = f, .within = FUNCTION_NONE};
    }
}

static void digest(uint64_t *check, const void *data, size_t size)
{
    *check = hash_mix(*check ^ hash_bytes(data, size));
}

uint64_t variance_result_digest(const struct variance_result *result)
{
    uint64_t check = result->factors.count;
    for (uint32_t i = 0; i < result->tree.node_count; i++) {
        const struct tree_node *node = &result->tree.nodes[i];
        digest(&check, &node->moments, sizeof node->moments);
        digest(&check, &node->calls, sizeof node->calls);
        digest(&check, &node->tail_share, sizeof node->tail_share);
        digest(&check, node->name, strlen(node->name));
    }
    for (uint32_t i = 0; i < result->tree.covariance_count; i++)
        digest(&check, &result->tree.covariances[i].product,
               sizeof result->tree.covariances[i].product);
    for (uint32_t i = 0; i < result->factors.count; i++)
        digest(&check, result->factors.factors[i].ci95, sizeof result->factors.factors[i].ci95);
    return check;
}
