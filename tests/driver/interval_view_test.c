/* One interval as tracks, worked out by hand; the interval is from 100 to 600.
 *
 *   A  |-serve 50--------------------[blocked 200----480.500]----------------650|
 *           |-parse 110-160-|                        ^        \ 520: a task for D
 *   B       |-compact 150---[blocked 250-380.400]---490|  [520-560]
 *                                         ^
 *   C  |-flush 90-----------------------390|
 *   D                                                  560: picks it up, 565-590 for I: |-parse-|
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "interval/processor_track.h"
#include "interval/view.h"
#include "run_builder.h"
#include "symbol/waker_name.h"
#include "trace/off_cpu.h"

enum { MOST = 99 };

static int failures;
static uint32_t interval;

static void span(struct run_builder *b, uint32_t thread, uint32_t probe, time_ns from, time_ns to)
{
    run_builder_enter(b, thread, from, probe, 0);
    run_builder_leave(b, thread, to);
}

static void label(struct run_builder *b, uint32_t thread, time_ns from, time_ns to)
{
    run_builder_label(b, thread, from, interval);
    run_builder_label(b, thread, to, INTERVAL_NONE);
}

static void build(struct run_builder *b)
{
    run_builder_init(b);
    uint32_t serve = run_builder_function(b, "serve", true);
    uint32_t parse = run_builder_function(b, "parse", true);
    uint32_t compact = run_builder_function(b, "compact", true);
    uint32_t flush = run_builder_function(b, "flush", true);
    uint32_t lock = run_builder_function(b, "lock", false);
    uint32_t p_serve = run_builder_probe(b, PROBE_FUNCTION, serve, FUNCTION_NONE);
    uint32_t p_parse = run_builder_probe(b, PROBE_FUNCTION, parse, FUNCTION_NONE);
    uint32_t p_compact = run_builder_probe(b, PROBE_FUNCTION, compact, FUNCTION_NONE);
    uint32_t p_flush = run_builder_probe(b, PROBE_FUNCTION, flush, FUNCTION_NONE);
    uint32_t lock_in_serve = run_builder_probe(b, PROBE_SYNC, lock, serve);
    uint32_t lock_in_compact = run_builder_probe(b, PROBE_SYNC, lock, compact);
    uint32_t C = run_builder_thread(b, 300), B = run_builder_thread(b, 200);
    uint32_t D = run_builder_thread(b, 400), A = run_builder_thread(b, 100);
    interval = run_builder_interval(b, A, 100, A, 600);
    label(b, A, 100, 600);
    run_builder_enter(b, A, 50, p_serve, 0);
    span(b, A, p_parse, 110, 160);
    run_builder_leave(b, A, 650);
    run_builder_block(
        b, A,
        (struct block){200, 500, 1, lock_in_serve, 1, B, 0, 480, false, false, 0, HOLD_NONE, 0});
    span(b, B, p_compact, 150, 490);
    run_builder_block(
        b, B,
        (struct block){250, 400, 2, lock_in_compact, 1, C, 0, 380, false, false, 0, HOLD_NONE, 0});
    run_builder_block(
        b, B,
        (struct block){520, 560, 2, lock_in_compact, 1, C, 0, 555, false, false, 0, HOLD_NONE, 0});
    span(b, C, p_flush, 90, 390);
    run_builder_pickup(b, D, (struct pickup){560, A, 0, 520, 0, 0});
    label(b, D, 565, 590);
    span(b, D, p_parse, 570, 585);
}

/* "100 for 0-500: serve 0-500, .parse 10-60; ..., 0 wakes 1: 20-30", a dot for each call around. */
static void print_view(const struct track_view *view, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    for (uint32_t t = 0; t < view->track_count; t++) {
        const struct track *track = &view->tracks[t];
        size_t count;
        struct track_span *spans = track_spans(track, &count);
        fprintf(out, "%u", track->tid);
        for (size_t i = 0; i < track->worked_count; i++)
            fprintf(out, " for %d-%d", (int)track->worked[i].start_ns,
                    (int)track->worked[i].end_ns);
        for (size_t i = 0; i < count; i++)
            fprintf(out, "%s%.*s%s%s %d-%d", i ? ", " : ": ", (int)spans[i].depth, "....",
                    spans[i].name, spans[i].blocked ? "!" : "", (int)spans[i].start_ns,
                    (int)spans[i].end_ns);
        fprintf(out, "\n");
        memory_free(spans);
    }
    for (uint32_t i = 0; i < view->arrow_count; i++)
        fprintf(out, "%u %s %u: %d-%d\n", view->arrows[i].from,
                view->arrows[i].task ? "gives" : "wakes", view->arrows[i].to,
                (int)view->arrows[i].from_ns, (int)view->arrows[i].to_ns);
    fprintf(out, "without %d, %u\n", (int)view->left_out, view->left_out_tracks);
    fclose(out);
}

static void expect(const struct run_builder *b, uint32_t most_tracks, uint32_t most_spans,
                   const char *expected)
{
    struct interval_source source;
    struct interval_view view;
    struct interval_wish wish = {interval, 17, "slowest", most_tracks, most_spans, false};
    char text[2000];
    interval_source_init(&source, &b->run, &b->table);
    interval_view_make(&view, &source, &wish);
    print_view(&view.view, text, sizeof text);
    if (strcmp(text, expected) != 0 || view.view.latency_ns != 500 || view.view.number != 17 ||
        strcmp(view.view.name, "slowest: interval 17, 500 ns") != 0) {
        printf("%s of %d ns, expected\n%sgot\n%s", view.view.name, (int)view.view.latency_ns,
               expected, text);
        failures++;
    }
    interval_view_release(&view);
    interval_source_release(&source);
}

static void expect_text(const char *what, const char *got, const char *expected)
{
    if (strcmp(got, expected) == 0)
        return;
    printf("%s, expected\n%sgot\n%s", what, expected, got);
    failures++;
}

/* Processor 3 was A's, then another program's, idle, A's again, and its last use is not known;
 * processor 1 belongs to a run that ended before; of processor 7 the recording ended at 400. */
static void expect_processors(struct run_builder *b)
{
    struct processor_use third[] = {
        {90, 1}, {200, 2}, {300, TASK_IDLE}, {480, 1}, {520, TASK_NONE}};
    struct processor_use first[] = {{10, 2}}, seventh[] = {{350, 2}};
    struct processor processors[] = {
        {third, 5, 3, 700}, {first, 1, 1, 90}, {seventh, 1, 7, 400}, {NULL, 0, 0, 700}};
    struct kernel_task tasks[] = {{.name = "idle", .thread = THREAD_NONE},
                                  {.pid = 1, .tid = 100, .name = "a", .thread = 3},
                                  {.pid = 9, .tid = 9, .name = "backup", .thread = THREAD_NONE}};
    struct kernel_side side = {
        .tasks = tasks, .task_count = 3, .processors = processors, .processor_count = 4};
    struct interval_source source;
    struct interval_view view;
    struct interval_wish wish = {interval, 17, "slowest", MOST, 0, true};
    struct track_view processors_alone = {.arrow_count = 0};
    char text[2000];
    b->run.kernel_side = &side;
    interval_source_init(&source, &b->run, &b->table);
    interval_view_make(&view, &source, &wish);
    processors_alone.tracks = view.view.processors;
    processors_alone.track_count = view.view.processor_count;
    print_view(&processors_alone, text, sizeof text);
    expect_text("processors", text,
                "3: thread 100 (100) 0-100, backup (process) 100-200, thread 100 (100) 380-420\n"
                "7: backup (process) 250-300\nwithout 0, 0\n");
    interval_view_release(&view);
    interval_source_release(&source);
    b->run.kernel_side = NULL;
}

/* A name that is new makes the list of names grow. */
static void expect_many_tasks(struct run_builder *b)
{
    enum { TASKS = 200 };
    static struct kernel_task tasks[TASKS + 1] = {{.name = "idle", .thread = THREAD_NONE}};
    static struct processor_use uses[TASKS];
    static char names[TASKS][16];
    struct processor processor = {uses, TASKS, 0, 700};
    struct kernel_side side = {
        .tasks = tasks, .task_count = TASKS + 1, .processors = &processor, .processor_count = 1};
    struct interval_source source;
    struct track_view view = {.track_count = 0};
    struct arena arena = {0};
    for (uint32_t i = 0; i < TASKS; i++) {
        snprintf(names[i], sizeof names[i], "p%u", i);
        tasks[i + 1] = (struct kernel_task){
            .pid = 1000 + i, .tid = 1000 + i, .name = names[i], .thread = THREAD_NONE};
        uses[i] = (struct processor_use){100 + 2 * i, i + 1};
    }
    b->run.kernel_side = &side;
    interval_source_init(&source, &b->run, &b->table);
    processor_tracks_make(&view, &arena, &source.callees, 100, 600);
    for (uint32_t i = 0; i < TASKS; i++) {
        char expected[32];
        snprintf(expected, sizeof expected, "p%u (process)", i);
        expect_text("a task", view.processors[0].events[2 * i].name, expected);
    }
    arena_release(&arena);
    interval_source_release(&source);
    b->run.kernel_side = NULL;
}

/* A program's first thread began in `main`; where a tree has several, it is not known in which. */
static void expect_main(uint32_t mains, const char *expected)
{
    struct run_builder b;
    struct callee_table callees;
    run_builder_init(&b);
    for (uint32_t i = 0; i < mains; i++)
        run_builder_function(&b, "main", true);
    uint32_t first = run_builder_thread(&b, b.run.processes[0].pid);
    callee_table_init(&callees, &b.run, &b.table);
    uint32_t callee = callee_of_unknown(&callees, first);
    expect_text("the first thread", callees.items[callee].name, expected);
    callee_table_release(&callees);
    run_builder_release(&b);
}

int main(void)
{
    struct run_builder b;
    interval_source_release(&(struct interval_source){0}); /* where nothing was there to show */
    expect_main(1, "main");
    expect_main(2, "thread 0");
    build(&b);
    expect_processors(&b);
    expect_many_tasks(&b);
    expect(&b, MOST, 0,
           "100 for 0-500: serve 0-500, .parse 10-60, .blocked: lock! 100-400\n"
           "400 for 465-490: parse 470-485\n"
           "200: compact 50-390, .blocked: lock! 150-300, blocked: lock! 420-460\n"
           "300: flush 0-290\n"
           "0 gives 1: 420-460\n2 wakes 0: 380-400\n3 wakes 2: 280-300\n"
           "without 0, 0\n");
    expect(&b, MOST, 4, /* no more than 290 ns and longer */
           "100 for 0-500: serve 0-500, .blocked: lock! 100-400\n"
           "400 for 465-490\n"
           "200: compact 50-390\n"
           "300: flush 0-290\n"
           "0 gives 1: 420-460\n2 wakes 0: 380-400\n"
           "without 4, 0\n");
    expect(&b, 3, 0,
           "100 for 0-500: serve 0-500, .parse 10-60, .blocked: lock! 100-400\n"
           "400 for 465-490: parse 470-485\n"
           "200: compact 50-390, .blocked: lock! 150-300, blocked: lock! 420-460\n"
           "0 gives 1: 420-460\n2 wakes 0: 380-400\n"
           "without 0, 1\n");
    run_builder_release(&b);
    printf("%d failed\n", failures);
    return failures != 0;
}
