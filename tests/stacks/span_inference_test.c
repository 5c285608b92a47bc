/* span_inference.h: spans worked out by hand, and the variance of a program whose calls are known against
 * that of the spans inferred from samples of it. */
#include "stacks/span_inference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "check.h"
#include "drawn.h"
#include "run_builder.h"
#include "sim_calls.h"
#include "trace/off_blocks.h"

/* ---- by hand: functions have one letter each ---- */

enum { MOST = 8 };

struct scene {
    struct context_tree tree;
    struct run_builder builder;
    struct stack_moments moments;
    struct off_cpu offs[MOST];
    uint32_t thread, off_count;
    uint32_t functions[MOST]; /* of intervals */
};

static void scene_begin(struct scene *scene, time_ns last)
{
    *scene = (struct scene){0};
    context_tree_init(&scene->tree);
    run_builder_init(&scene->builder);
    scene->thread = run_builder_thread(&scene->builder, 7);
    scene->builder.run.threads[scene->thread].last = last;
}

static uint32_t frame_of(struct scene *scene, char letter)
{
    char name[2] = {letter, 0};
    return context_frame_add(
        &scene->tree,
        &(struct context_frame){.function = name, .object = "p", .kind = FRAME_PROGRAM});
}

static uint32_t context(struct scene *scene, const char *letters)
{
    uint32_t node = CONTEXT_ROOT;
    for (; *letters; letters++)
        node = context_tree_child(&scene->tree, node, frame_of(scene, *letters));
    return node;
}

static void sample(struct scene *scene, time_ns time, const char *letters)
{
    VEC_PUSH(scene->moments.items, scene->moments.count, scene->moments.capacity) =
        (struct stack_moment){time, time, context(scene, letters), 20, NULL};
}

/* NULL: its stack is not known. */
static void off(struct scene *scene, time_ns out, time_ns in, const char *letters)
{
    scene->offs[scene->off_count++] =
        (struct off_cpu){.out = out, .woken = in, .in = in, .waker = TASK_NONE, .cause = OFF_TIMER};
    if (letters)
        VEC_PUSH(scene->moments.items, scene->moments.count, scene->moments.capacity) =
            (struct stack_moment){out, in, context(scene, letters), 0, NULL};
}

static void interval(struct scene *scene, time_ns begin, time_ns end, char function)
{
    uint32_t t = scene->thread, i = run_builder_interval(&scene->builder, t, begin, t, end);
    run_builder_label(&scene->builder, t, begin, i);
    run_builder_label(&scene->builder, t, end, INTERVAL_NONE);
    scene->functions[i] = function ? frame_of(scene, function) : CONTEXT_NONE;
}

static void print_spans(const struct timeline_thread *thread, const struct function_table *table,
                        struct str *text)
{
    for (uint32_t s = 0; s < thread->span_count; s++) {
        const struct span *span = &thread->spans[s];
        str_append(text, s ? "; " : "");
        for (uint32_t p = span->parent; p != SPAN_NONE; p = thread->spans[p].parent)
            str_append_char(text, '.');
        str_printf(text, "%s %lld-%lld", table->functions[table->probes[span->probe].function].name,
                   (long long)span->start, (long long)span->end);
    }
}

static struct inferred_spans scene_end(struct scene *scene, const char *expected)
{
    struct span_sources sources = {&scene->tree, &scene->moments, scene->functions};
    struct timeline_thread *thread = &scene->builder.run.threads[scene->thread];
    struct inferred_spans spans;
    struct str text = {0};
    thread->offs = scene->offs;
    thread->off_count = scene->off_count;
    span_inference_fill(&spans, &scene->builder.run, &sources);
    print_spans(thread, &spans.functions, &text);
    if (strcmp(str_text(&text), expected) != 0) {
        fprintf(stderr, "spans    %s\nexpected %s\n", str_text(&text), expected);
        check_failures++;
    }
    str_release(&text);
    struct inferred_spans told = spans;
    inferred_spans_release(&spans);
    thread->spans = NULL;
    arena_release(&scene->builder.run.arena);
    run_builder_release(&scene->builder);
    stack_moments_release(&scene->moments);
    context_tree_release(&scene->tree);
    return told;
}

static void check_middles(void)
{
    struct scene scene;
    scene_begin(&scene, 100);
    sample(&scene, 10, "AB");
    sample(&scene, 30, "AB");
    sample(&scene, 50, "AC");
    sample(&scene, 70, "AC");
    sample(&scene, 90, "A");
    scene_end(&scene, "A 0-100; .B 0-40; .C 40-80");
    scene_begin(&scene, 100);
    scene_end(&scene, "");
    /* Two calls from two places are two. */
    static const uint64_t one[] = {1, 0}, other[] = {2, 0};
    scene_begin(&scene, 60);
    sample(&scene, 20, "AB");
    sample(&scene, 40, "AB");
    scene.moments.items[0].calls = one;
    scene.moments.items[1].calls = other;
    scene_end(&scene, "A 0-60; .B 0-30; .B 30-60");
}

/* The middle between samples after 10 and 34 of running time is after 22; the thread was off its
 * processor for 30 of those. */
static void check_offs(void)
{
    struct scene scene;
    scene_begin(&scene, 100);
    sample(&scene, 10, "AB");
    off(&scene, 20, 50, "ADE");
    sample(&scene, 64, "AC");
    scene_end(&scene, "A 0-100; .B 0-20; .D 20-50; ..E 20-50; .B 50-52; .C 52-100");
    scene_begin(&scene, 100);
    sample(&scene, 10, "AB");
    off(&scene, 20, 50, NULL);
    sample(&scene, 64, "AC");
    scene_end(&scene, "A 0-100; .B 0-20; .B 50-52; .C 52-100");
    /* Who was preempted was where it ran, and ran where the nearest sample was. */
    scene_begin(&scene, 100);
    sample(&scene, 10, "AB");
    off(&scene, 20, 50, NULL);
    scene.offs[0].woken = 20;
    scene.offs[0].cause = OFF_RUNNABLE;
    sample(&scene, 64, "AC");
    scene_end(&scene, "A 0-100; .B 0-52; .C 52-100");
    /* It went off before the first sample and at the end. */
    scene_begin(&scene, 100);
    off(&scene, 0, 10, "AD");
    sample(&scene, 50, "AB");
    off(&scene, 90, 120, "AE");
    scene_end(&scene, "A 0-100; .D 0-10; .B 10-90; .E 90-100");
}

static void check_intervals(void)
{
    struct scene scene;
    struct inferred_spans told;
    scene_begin(&scene, 200);
    interval(&scene, 0, 100, 'A');
    interval(&scene, 100, 130, 'A');
    sample(&scene, 50, "AB");
    sample(&scene, 150, "AC");
    told = scene_end(&scene, "A 0-100; .B 0-100; A 100-130; .not sampled 100-130; "
                             "A 130-200; .C 130-200");
    CHECK(told.ran == 130 && told.near_sample == 20 && told.period == 20);
    CHECK(told.samples == 1 && told.intervals == 2 && told.off == 0);
    CHECK(fabs(inferred_spans_coverage(&told) - 20 / 130.0) < 1e-9);
    /* What is around the interval's function is left out. */
    scene_begin(&scene, 100);
    interval(&scene, 0, 100, 'S');
    sample(&scene, 50, "MXSB");
    off(&scene, 60, 80, NULL);
    told = scene_end(&scene, "S 0-100; .B 0-60; .B 80-100");
    CHECK(told.ran == 80 && told.off == 20 && told.off_known == 0);
    /* A stack without it is below it. */
    scene_begin(&scene, 100);
    interval(&scene, 0, 100, 'S');
    sample(&scene, 50, "XB");
    scene_end(&scene, "S 0-100; .X 0-100; ..B 0-100");
    /* It goes on in T by a jump: what is around both is left out, as far as it was seen. */
    scene_begin(&scene, 200);
    interval(&scene, 0, 100, 'S');
    interval(&scene, 100, 200, 'S');
    sample(&scene, 30, "MXSB");
    sample(&scene, 70, "MXTC");
    sample(&scene, 150, "MXTC");
    scene_end(&scene,
              "S 0-100; .B 0-50; .T 50-100; ..C 50-100; S 100-200; .T 100-200; ..C 100-200");
    /* No sample: what two waits have in common is known. */
    scene_begin(&scene, 100);
    interval(&scene, 0, 100, 'S');
    off(&scene, 20, 30, "MSBD");
    off(&scene, 60, 70, "MSBE");
    told = scene_end(&scene, "S 0-100; .not sampled 0-20; .B 20-70; ..D 20-30; "
                             "..not sampled 30-60; ..E 60-70; .not sampled 70-100");
    CHECK(told.ran == 80 && told.off == 20 && told.off_known == 20 && told.near_sample == 0);
    /* An interval without a function; a wait goes on from one to the next. */
    scene_begin(&scene, 100);
    interval(&scene, 0, 50, 0);
    interval(&scene, 50, 100, 0);
    off(&scene, 40, 60, "MW");
    sample(&scene, 80, "MB");
    scene_end(&scene, "not sampled 0-40; M 40-50; .W 40-50; M 50-100; .W 50-60; .B 60-100");
}

/* ---- a program whose calls are known ---- */

#define PERIOD_NS 1000000.0

/* A worker serves one request after the other; its calls are told to a run_builder, and seen by a clock of
 * its running time and whenever it waits. */
struct worker {
    struct scene scene; /* without its offs, which are more */
    struct off_cpu *offs;
    size_t off_count, off_capacity;
    struct hash_map probes; /* frame -> probe of the truth */
    uint32_t node;
    bool in_request;
    time_ns time;
    double next_tick;                 /* running time until then */
    double next_preempted, preempted; /* the same; and for how long in the mean */
    uint64_t state;
};

static uint32_t probe_of(struct worker *w, uint32_t frame, const char *name)
{
    uint64_t *probe = hash_map_put(&w->probes, frame);
    if (!*probe) {
        uint32_t function = run_builder_function(&w->scene.builder, name, true);
        *probe = run_builder_probe(&w->scene.builder, PROBE_FUNCTION, function, FUNCTION_NONE);
    }
    return (uint32_t)*probe;
}

static void enter(struct worker *w, const char *name)
{
    uint32_t frame = context_frame_add(
        &w->scene.tree,
        &(struct context_frame){.function = name, .object = "p", .kind = FRAME_PROGRAM});
    w->node = context_tree_child(&w->scene.tree, w->node, frame);
    if (w->in_request)
        run_builder_enter(&w->scene.builder, w->scene.thread, w->time, probe_of(w, frame, name), 0);
}

static void leave(struct worker *w)
{
    w->node = w->scene.tree.nodes[w->node].parent;
    if (w->in_request)
        run_builder_leave(&w->scene.builder, w->scene.thread, w->time);
}

static void see(struct worker *w, time_ns time, time_ns until, uint64_t amount)
{
    VEC_PUSH(w->scene.moments.items, w->scene.moments.count, w->scene.moments.capacity) =
        (struct stack_moment){time, until, w->node, amount, NULL};
}

static void add_off(struct worker *w, time_ns until, enum off_cause cause)
{
    VEC_PUSH(w->offs, w->off_count, w->off_capacity) =
        (struct off_cpu){.out = w->time,
                         .woken = cause == OFF_RUNNABLE ? w->time : until,
                         .in = until,
                         .waker = TASK_NONE,
                         .cause = (uint8_t)cause};
    w->time = until;
}

static void run_undisturbed(struct worker *w, time_ns length)
{
    double at = 0;
    while (w->next_tick < (double)length - at) {
        at += w->next_tick;
        see(w, w->time + (time_ns)at, w->time + (time_ns)at, (uint64_t)PERIOD_NS);
        w->next_tick = PERIOD_NS * (0.8 + 0.4 * sim_part(&w->state));
    }
    w->next_tick -= (double)length - at;
    w->time += length;
}

/* It is preempted now and then, and no stack of that is known. */
static void run_for(struct worker *w, double ns)
{
    time_ns left = (time_ns)ns;
    while (w->next_preempted < (double)left) {
        left -= (time_ns)w->next_preempted;
        run_undisturbed(w, (time_ns)w->next_preempted);
        add_off(w, w->time + 1 + (time_ns)sim_exponential(&w->state, w->preempted), OFF_RUNNABLE);
        w->next_preempted = 1 + sim_exponential(&w->state, 4 * w->preempted);
    }
    w->next_preempted -= (double)left;
    run_undisturbed(w, left);
}

static void wait_for(struct worker *w, double ns)
{
    time_ns until = w->time + 1 + (time_ns)ns;
    see(w, w->time, until, 0);
    add_off(w, until, OFF_TIMER);
}

static double drawn_about(struct worker *w, double mean)
{
    return mean * (0.5 + sim_part(&w->state));
}

/* `unit` is about a twentieth of a request. */
static void serve(struct worker *w, double unit)
{
    enter(w, "parse");
    run_for(w, drawn_about(w, 4 * unit));
    leave(w);
    enter(w, "query");
    run_for(w, drawn_about(w, unit));
    enter(w, "scan");
    run_for(w, sim_exponential(&w->state, 4 * unit));
    leave(w);
    enter(w, "fetch");
    run_for(w, unit / 20);
    wait_for(w, sim_part(&w->state) < 0.2 ? 20 * unit : unit);
    run_for(w, unit / 20);
    leave(w);
    leave(w);
    enter(w, "render");
    for (uint32_t i = 0; i < 4 + drawn_below(&w->state, 16); i++) {
        run_for(w, unit / 10);
        enter(w, "escape");
        run_for(w, drawn_about(w, 0.3 * unit));
        leave(w);
    }
    leave(w);
}

static void serve_all(struct worker *w, uint32_t requests, double unit)
{
    struct run_builder *b = &w->scene.builder;
    enter(w, "main");
    for (uint32_t i = 0; i < requests; i++) {
        uint32_t t = w->scene.thread, n = run_builder_interval(b, t, w->time, t, w->time);
        run_builder_label(b, t, w->time, n);
        w->in_request = true;
        enter(w, "serve");
        serve(w, unit);
        leave(w);
        w->in_request = false;
        run_builder_label(b, t, w->time, INTERVAL_NONE);
        b->run.intervals[n].end = w->time;
        run_for(w, unit / 10);
        wait_for(w, drawn_about(w, 5 * unit));
        run_for(w, unit / 10);
    }
    struct timeline_thread *thread = &b->run.threads[w->scene.thread];
    thread->last = w->time;
    thread->offs = w->offs;
    thread->off_count = (uint32_t)w->off_count;
}

static void path_of(const struct variance_tree *tree, uint32_t node, struct str *text)
{
    if (node == 0)
        return;
    path_of(tree, tree->nodes[node].parent, text);
    str_printf(text, "/%s", tree->nodes[node].name);
}

static const struct tree_node *find_path(const struct variance_tree *tree, const char *path)
{
    const struct tree_node *found = NULL;
    for (uint32_t n = 1; n < tree->node_count && !found; n++) {
        struct str text = {0};
        path_of(tree, n, &text);
        found = strcmp(text.data, path) == 0 ? &tree->nodes[n] : NULL;
        str_release(&text);
    }
    return found;
}

/* The largest difference of the shares of two nodes of one path, of all but what has "not sampled". */
static double shares_apart(const struct variance_tree *truth, const struct variance_tree *seen)
{
    double most = 0;
    for (uint32_t n = 1; n < truth->node_count; n++) {
        struct str path = {0};
        path_of(truth, n, &path);
        const struct tree_node *node = find_path(seen, path.data);
        double apart = fabs(truth->nodes[n].share - (node ? node->share : 0));
        if (apart > 0.03)
            fprintf(stderr, "%s: share %.3f, seen %.3f\n", path.data, truth->nodes[n].share,
                    node ? node->share : NAN);
        most = fmax(most, apart);
        str_release(&path);
    }
    return most;
}

/* The wait of fetch, which is known to the ns however few samples there are. */
static bool waits_are_exact(const struct variance_tree *truth, const struct variance_tree *seen)
{
    for (uint32_t n = 1; n < truth->node_count; n++) {
        if (truth->nodes[n].kind != NODE_WAIT || strcmp(truth->nodes[n].name, "timer") != 0)
            continue;
        struct str path = {0};
        path_of(truth, n, &path);
        const struct tree_node *node = find_path(seen, path.data);
        bool same = node && node->moments.sum == truth->nodes[n].moments.sum &&
                    node->moments.square == truth->nodes[n].moments.square &&
                    node->moments.latency == truth->nodes[n].moments.latency;
        str_release(&path);
        return same && truth->nodes[n].moments.sum > 0;
    }
    return false;
}

struct told {
    double apart, coverage, samples, unseen;
    bool exact;
};

static void analyze_both(struct worker *w, struct told *told)
{
    struct run_builder *b = &w->scene.builder;
    uint32_t *functions = memory_alloc(sizeof *functions * b->run.interval_count);
    struct context_frame serve_frame = {.function = "serve", .object = "p", .kind = FRAME_PROGRAM};
    for (uint32_t i = 0; i < b->run.interval_count; i++)
        functions[i] = context_frame_add(&w->scene.tree, &serve_frame);
    struct span_sources sources = {&w->scene.tree, &w->scene.moments, functions};
    struct variance_result truth, seen;
    struct inferred_spans spans;
    struct error error;
    struct timeline_thread *thread = &b->run.threads[w->scene.thread];
    struct span *known = thread->spans;
    CHECK(variance_analyze(&truth, &b->run, &b->table, &error));
    span_inference_fill(&spans, &b->run, &sources);
    CHECK(variance_analyze(&seen, &b->run, &spans.functions, &error));
    const char *broken = variance_tree_check(&seen.tree);
    if (broken)
        fprintf(stderr, "%s\n", broken);
    CHECK(!broken);
    const struct tree_node *unseen = find_path(&seen.tree, "/serve/not sampled");
    *told = (struct told){.apart = shares_apart(&truth.tree, &seen.tree),
                          .coverage = inferred_spans_coverage(&spans),
                          .samples = (double)spans.samples / (double)spans.intervals,
                          .unseen = unseen ? unseen->share : 0,
                          .exact = waits_are_exact(&truth.tree, &seen.tree)};
    CHECK(strcmp(seen.factors.factors[0].names[0], truth.factors.factors[0].names[0]) == 0);
    variance_result_release(&seen);
    variance_result_release(&truth);
    inferred_spans_release(&spans);
    thread->spans = known;
    memory_free(functions);
}

static struct told tell_requests(uint32_t requests, double unit)
{
    static struct kernel_side side;
    struct worker w = {.state = 42};
    struct told told;
    scene_begin(&w.scene, 0);
    w.next_tick = PERIOD_NS * sim_part(&w.state);
    w.preempted = 2 * unit;
    w.next_preempted = 8 * unit;
    serve_all(&w, requests, unit);
    w.scene.builder.run.kernel_side = &side;
    off_blocks_join(&w.scene.builder.run);
    analyze_both(&w, &told);
    w.scene.builder.run.threads[w.scene.thread].blocks = NULL;
    arena_release(&w.scene.builder.run.arena);
    arena_release(&w.scene.builder.run.scheduler);
    run_builder_release(&w.scene.builder);
    stack_moments_release(&w.scene.moments);
    context_tree_release(&w.scene.tree);
    hash_map_release(&w.probes);
    memory_free(w.offs);
    return told;
}

/* Requests of some 20 ms under a clock of 1 ms, and of 0.2 ms. */
static void check_requests(void)
{
    struct told told = tell_requests(3000, 1e6);
    printf("long requests: shares are %.2f points apart at the most, coverage %.3f, %.1f samples "
           "in each\n",
           told.apart * 100, told.coverage, told.samples);
    CHECK(told.apart < 0.03 && told.exact && told.coverage > 0.9 && told.samples > 10);
    told = tell_requests(3000, 1e4);
    printf(
        "short requests: coverage %.3f, %.2f samples in each, not sampled %.2f of the variance\n",
        told.coverage, told.samples, told.unseen);
    CHECK(told.exact && told.coverage < 0.4 && told.samples < 0.5 && told.unseen > 0.1);
}

int main(void)
{
    check_middles();
    check_offs();
    check_intervals();
    check_requests();
    return CHECK_DONE();
}
