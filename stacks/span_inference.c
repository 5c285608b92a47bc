#include "stacks/span_inference.h"

#include <string.h>

#include "base/memory.h"
#include "base/number_sort.h"
#include "stacks/span_writer.h"

struct inferring {
    struct timelines *run;
    const struct span_sources *sources;
    struct inferred_spans *spans;
    struct span_writer writer;
    struct stretch_pieces pieces;
    /* of the thread */
    const struct timeline_thread *thread;
    const struct stack_moments *moments;
    struct off_donors donors;
    size_t moment; /* the first that begins in the stretch */
    uint32_t off;  /* the first that may reach into the stretch */
};

/* ---- the table of functions ---- */

static void add_function(struct function_table *table, uint32_t f,
                         const struct context_frame *frame)
{
    const char *name = arena_strdup(&table->arena, frame->function);
    table->functions[f] =
        (struct function_info){.name = name,
                               .symbol = name,
                               .file = frame->file ? arena_strdup(&table->arena, frame->file) : "",
                               .line = frame->line,
                               .body = frame->kind != FRAME_KERNEL};
    table->probes[SPAN_PROBE_OF(f)] =
        (struct probe_info){PROBE_FUNCTION, f, FUNCTION_NONE, 0, "", NULL};
}

static void add_functions(struct function_table *table, const struct context_tree *tree)
{
    const struct context_frame unseen = {
        .function = "not sampled", .object = "", .kind = FRAME_KERNEL};
    uint32_t count = (uint32_t)tree->frame_count + 1;
    table->functions = ARENA_ARRAY(&table->arena, struct function_info, count);
    table->probes = ARENA_ARRAY(&table->arena, struct probe_info, count + 1);
    table->function_count = count;
    table->probe_count = count + 1;
    table->probes[0] = (struct probe_info){PROBE_NONE, FUNCTION_NONE, FUNCTION_NONE, 0, "", NULL};
    for (uint32_t f = 0; f < count; f++)
        add_function(table, f, f < tree->frame_count ? &tree->frames[f] : &unseen);
}

/* The calls that were seen, each once. */
struct seen_calls {
    struct hash_map known;
    uint64_t *items; /* caller << 32 | callee */
    size_t count, capacity;
};

static void see_call(struct seen_calls *calls, struct function_table *table, uint32_t caller,
                     uint32_t callee)
{
    uint64_t key = (uint64_t)caller << 32 | callee, *known = hash_map_put(&calls->known, key);
    if (*known)
        return;
    *known = 1;
    VEC_PUSH(calls->items, calls->count, calls->capacity) = key;
    table->functions[caller].callee_count++;
}

static void add_calls(struct function_table *table, const struct context_tree *tree)
{
    struct seen_calls calls = {0};
    for (size_t n = 1; n < tree->count; n++) {
        uint32_t parent = tree->nodes[n].parent;
        if (parent != CONTEXT_ROOT)
            see_call(&calls, table, tree->nodes[parent].frame, tree->nodes[n].frame);
    }
    for (uint32_t f = 0; f < table->function_count; f++) {
        struct function_info *function = &table->functions[f];
        function->callees = ARENA_ARRAY(&table->arena, uint32_t, function->callee_count);
        function->callee_count = 0;
    }
    for (size_t i = 0; i < calls.count; i++) {
        struct function_info *caller = &table->functions[calls.items[i] >> 32];
        caller->callees[caller->callee_count++] = (uint32_t)calls.items[i];
    }
    hash_map_release(&calls.known);
    memory_free(calls.items);
}

/* ---- the stretches of a thread ---- */

static bool counts(const struct inferring *i, uint32_t interval)
{
    return interval != INTERVAL_NONE && i->run->intervals[interval].complete;
}

static uint32_t root_of(const struct inferring *i, uint32_t interval)
{
    const uint32_t *functions = i->sources->function_of_interval;
    if (!functions || interval == INTERVAL_NONE)
        return CONTEXT_NONE;
    bool first = &i->run->threads[i->run->intervals[interval].begin_thread] == i->thread;
    return first ? functions[interval] : CONTEXT_NONE;
}

/* Stretches come in order of time. A moment that began before this one may reach into it, off its
 * processor. */
static struct stretch take_stretch(struct inferring *i, time_ns lo, time_ns hi)
{
    const struct stack_moments *moments = i->moments;
    const struct timeline_thread *thread = i->thread;
    while (i->moment < moments->count && moments->items[i->moment].time < lo)
        i->moment++;
    while (i->off < thread->off_count && thread->offs[i->off].in <= lo)
        i->off++;
    size_t first = i->moment;
    if (first && moments->items[first - 1].until > lo)
        first--;
    while (i->moment < moments->count && moments->items[i->moment].time < hi)
        i->moment++;
    struct stretch stretch = {.lo = lo,
                              .hi = hi,
                              .moments = moments->items ? moments->items + first : NULL,
                              .moment_count = i->moment - first,
                              .offs = thread->offs ? thread->offs + i->off : NULL};
    while (i->off + stretch.off_count < thread->off_count &&
           thread->offs[i->off + stretch.off_count].out < hi)
        stretch.off_count++;
    return stretch;
}

static void infer_stretch(struct inferring *i, time_ns lo, time_ns hi, uint32_t interval)
{
    if (lo >= hi)
        return;
    struct stretch stretch = take_stretch(i, lo, hi);
    if (interval != INTERVAL_NONE)
        stretch.donors = &i->donors;
    stretch_pieces_fill(&i->pieces, i->sources->tree, &stretch);
    i->writer.tells_unseen = interval != INTERVAL_NONE;
    span_writer_begin(&i->writer, lo, root_of(i, interval));
    for (size_t p = 0; p < i->pieces.count; p++)
        span_writer_add(&i->writer, &i->pieces.items[p]);
    span_writer_end(&i->writer, hi);
    if (!counts(i, interval))
        return;
    i->spans->ran += i->pieces.ran;
    i->spans->off += i->pieces.off;
    i->spans->off_known += i->pieces.off_known;
    i->spans->samples += i->pieces.sample_count;
    i->spans->near_sample += stretch_pieces_near(&i->pieces, i->spans->period / 2);
}

static time_ns later(time_ns a, time_ns b)
{
    return a > b ? a : b;
}

/* From one label to the next that says something else, as far as the thread is known of. */
static void infer_stretches(struct inferring *i)
{
    const struct timeline_thread *thread = i->thread;
    time_ns lo = thread->first;
    uint32_t interval = INTERVAL_NONE;
    for (uint32_t l = 0; l < thread->label_count; l++) {
        if (thread->labels[l].interval == interval)
            continue;
        infer_stretch(i, lo, thread->labels[l].time, interval);
        lo = later(lo, thread->labels[l].time);
        interval = thread->labels[l].interval;
    }
    infer_stretch(i, lo, thread->last, interval);
}

static bool works(const struct timeline_thread *thread, uint32_t *label, time_ns time)
{
    while (*label < thread->label_count && thread->labels[*label].time <= time)
        ++*label;
    return *label && thread->labels[*label - 1].interval != INTERVAL_NONE;
}

/* What was recorded of other requests' times off. */
static void find_donors(struct inferring *i)
{
    const struct timeline_thread *thread = i->thread;
    uint32_t label = 0, o = 0;
    i->donors.count = 0;
    for (size_t m = 0; m < i->moments->count; m++) {
        const struct stack_moment *moment = &i->moments->items[m];
        if (moment->until == moment->time)
            continue;
        while (o < thread->off_count && thread->offs[o].in < moment->until)
            o++;
        if (o < thread->off_count && thread->offs[o].out >= moment->time &&
            works(thread, &label, moment->time))
            off_donors_add(&i->donors, &thread->offs[o], moment->node);
    }
    off_donors_sort(&i->donors);
}

static void infer_thread(struct inferring *i, uint32_t index)
{
    struct timeline_thread *thread = &i->run->threads[index];
    i->thread = thread;
    i->moments = &i->sources->moments[index];
    i->moment = i->off = 0;
    i->writer.count = 0;
    find_donors(i);
    infer_stretches(i);
    if (i->writer.count >= SPAN_NONE)
        BUG("a thread has more spans than can be numbered");
    thread->pages = NULL;
    thread->span_count = (uint32_t)i->writer.count;
    thread->spans = ARENA_ARRAY(&i->run->arena, struct span, i->writer.count);
    if (i->writer.count)
        memcpy(thread->spans, i->writer.spans, i->writer.count * sizeof *thread->spans);
}

/* ---- what is told of it ---- */

static time_ns median_period(const struct timelines *run, const struct stack_moments *moments)
{
    int64_t *amounts = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t t = 0; t < run->thread_count; t++)
        for (size_t m = 0; m < moments[t].count; m++)
            if (moments[t].items[m].amount_ns)
                VEC_PUSH(amounts, count, capacity) = (int64_t)moments[t].items[m].amount_ns;
    number_sort(amounts, count);
    time_ns median = count ? amounts[count / 2] : 0;
    memory_free(amounts);
    return median;
}

void span_inference_fill(struct inferred_spans *spans, struct timelines *run,
                         const struct span_sources *sources)
{
    struct inferring i = {
        .run = run, .sources = sources, .spans = spans, .writer = {.tree = sources->tree}};
    *spans = (struct inferred_spans){.period = median_period(run, sources->moments)};
    add_functions(&spans->functions, sources->tree);
    add_calls(&spans->functions, sources->tree);
    for (uint32_t n = 0; n < run->interval_count; n++)
        spans->intervals += run->intervals[n].complete;
    for (uint32_t t = 0; t < run->thread_count; t++)
        infer_thread(&i, t);
    span_writer_release(&i.writer);
    stretch_pieces_release(&i.pieces);
    off_donors_release(&i.donors);
}

void inferred_spans_release(struct inferred_spans *spans)
{
    function_table_release(&spans->functions);
    *spans = (struct inferred_spans){0};
}

double inferred_spans_coverage(const struct inferred_spans *spans)
{
    return spans->ran ? (double)spans->near_sample / (double)spans->ran : 1;
}
