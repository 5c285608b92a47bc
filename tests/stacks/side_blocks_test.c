/* side_blocks.h: a run written down by hand, in blocks by time and by requests, and a run compared with
 * itself. */
#include "stacks/side_blocks.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"

enum { MOST = 64 };
#define SECOND INT64_C(1000000000)

/* One thread that runs but for a wait each second, of 0.3 s, with a sample of 0.1 s seven times. */
struct made_run {
    struct timelines run;
    struct kernel_side side;
    struct kernel_task tasks[2];
    struct off_cpu offs[MOST];
    struct processor processor;
    struct processor_use uses[2 * MOST];
    struct interval intervals[MOST];
    struct label labels[2 * MOST];
    struct timeline_thread thread;
    struct sighting sightings[MOST * 10];
    struct task_sightings by_task[2];
    struct sightings seen;
    struct thread_groups groups;
    struct context_times times;
    struct side_run all;
};

static struct made_run made;
static const struct side_wish of_requests = {CHANGE_A_REQUEST, CHANGE_BLOCKS, NULL};

static uint32_t context(const char *letters)
{
    uint32_t node = CONTEXT_ROOT;
    for (; *letters; letters++) {
        char name[2] = {*letters, 0};
        struct context_frame frame = {.function = name, .object = "p", .kind = FRAME_PROGRAM};
        node =
            context_tree_child(&made.seen.tree, node, context_frame_add(&made.seen.tree, &frame));
    }
    return node;
}

static void sight(struct sighting sighting)
{
    made.by_task[1].items[made.by_task[1].count++] = sighting;
}

/* In second `s`: seven samples, of which `in_b` are in B and the others in C, then a wait. */
static void add_second(uint32_t s, int in_b)
{
    time_ns begin = (time_ns)s * SECOND, out = begin + 7 * SECOND / 10;
    for (int i = 0; i < 7; i++)
        sight((struct sighting){.time = begin + i * (SECOND / 10) + SECOND / 20,
                                .node = context(i < in_b ? "AB" : "AC"),
                                .kind = SIGHTING_RAN,
                                .amount_ns = SECOND / 10});
    sight((struct sighting){.time = out,
                            .node = context("AW"),
                            .off = s,
                            .one_in = 1,
                            .kind = SIGHTING_OFF,
                            .amount_ns = 3 * SECOND / 10});
    made.offs[s] = (struct off_cpu){.out = out,
                                    .woken = begin + SECOND,
                                    .in = begin + SECOND,
                                    .waker = TASK_NONE,
                                    .cause = OFF_TIMER};
    made.uses[2 * s] = (struct processor_use){begin, 1};
    made.uses[2 * s + 1] = (struct processor_use){out, 0};
}

/* B has 0.2 s of each second in the first half, 0.3 s in the second one. */
static void make_run(uint32_t seconds)
{
    memset(&made, 0, sizeof made);
    context_tree_init(&made.seen.tree);
    made.by_task[1].items = made.sightings;
    made.seen.tasks = made.by_task;
    made.seen.task_count = 2;
    for (uint32_t s = 0; s < seconds; s++) {
        add_second(s, s < seconds / 2 ? 2 : 3);
        time_ns begin = (time_ns)s * SECOND;
        made.intervals[s] =
            (struct interval){.begin = begin, .end = begin + SECOND, .complete = true, .type = ""};
        made.labels[s] = (struct label){begin, s};
    }
    time_ns until = (time_ns)seconds * SECOND;
    made.processor = (struct processor){.uses = made.uses, .count = 2 * seconds, .until = until};
    made.tasks[0] = (struct kernel_task){.name = "idle", .thread = THREAD_NONE};
    made.tasks[1] = (struct kernel_task){.pid = 7,
                                         .tid = 7,
                                         .name = "p",
                                         .thread = 0,
                                         .whose = TRACE_WHOSE_RUN,
                                         .ended = INT64_MAX,
                                         .offs = made.offs,
                                         .off_count = seconds};
    made.side = (struct kernel_side){
        .tasks = made.tasks, .task_count = 2, .processors = &made.processor, .processor_count = 1};
    made.thread = (struct timeline_thread){.labels = made.labels, .label_count = seconds};
    made.run = (struct timelines){.kernel_side = &made.side,
                                  .threads = &made.thread,
                                  .thread_count = 1,
                                  .intervals = made.intervals,
                                  .interval_count = seconds};
    thread_groups_fill(&made.groups, &made.run);
    context_times_fill(&made.times, &made.seen, &made.run, &made.groups, CONTEXT_ALL_LAYERS);
    made.all = (struct side_run){&made.run, &made.groups, &made.seen, &made.times, 0, until};
}

static void release_run(void)
{
    context_times_release(&made.times);
    thread_groups_release(&made.groups);
    context_tree_release(&made.seen.tree);
}

static uint32_t find(const struct context_tree *tree, const char *function)
{
    for (uint32_t n = 1; n < tree->count; n++)
        if (strcmp(tree->frames[tree->nodes[n].frame].function, function) == 0)
            return n;
    fprintf(stderr, "no node of %s\n", function);
    check_failures++;
    return 0;
}

static bool block_has(const struct change_side *side, const char *function, uint32_t block,
                      double seconds)
{
    double own = side->own[find(side->tree, function) * side->blocks + block] / SECOND;
    if (fabs(own - seconds) > 1e-6)
        fprintf(stderr, "%s in block %u: %.9f s\n", function, block, own);
    return fabs(own - seconds) <= 1e-6;
}

/* 40 s in 20 blocks of two, each of which has two requests. */
static void check_blocks(enum change_unit unit, double units)
{
    struct side_blocks blocks = {0};
    make_run(40);
    CHECK(side_blocks_add(&blocks, &made.all, &(struct side_wish){unit, CHANGE_BLOCKS, NULL}));
    struct change_side side = side_blocks_finish(&blocks);
    CHECK(side.blocks == 20 && fabs(side.units[7] - units) < 1e-9 && side.run_of_block[19] == 0);
    for (uint32_t b = 0; b < 20; b++) {
        double in_b = b < 10 ? 0.4 : 0.6;
        CHECK(block_has(&side, "B", b, in_b) && block_has(&side, "C", b, 1.4 - in_b));
        CHECK(block_has(&side, "W", b, 0.6) && block_has(&side, "A", b, 0));
    }
    side_blocks_release(&blocks);
    release_run();
}

/* The thread works for a request in the first 0.7 s of each second: what it waits then is nobody's. */
static void check_outside(void)
{
    struct side_blocks blocks = {0};
    make_run(20);
    for (uint32_t s = 20; s-- > 0;) {
        made.labels[2 * s] = (struct label){(time_ns)s * SECOND, s};
        made.labels[2 * s + 1] =
            (struct label){(time_ns)s * SECOND + 7 * SECOND / 10, INTERVAL_NONE};
    }
    made.thread.label_count = 40;
    CHECK(side_blocks_add(&blocks, &made.all, &of_requests));
    struct change_side side = side_blocks_finish(&blocks);
    for (uint32_t b = 0; b < 20; b++) {
        CHECK(block_has(&side, "B", b, b < 10 ? 0.2 : 0.3) && block_has(&side, "W", b, 0));
        CHECK(fabs(side.units[b] - 1) < 1e-9 && fabs(blocks.whole[b] - 1e9) < 1);
    }
    side_blocks_release(&blocks);
    release_run();
}

/* No sample and no stack: of times off it is known when they were; of what ran it is not: of a run that is in
 * one block, of requests in none. */
static void check_unknown(enum change_unit unit, double seconds)
{
    struct side_blocks blocks = {0};
    size_t kept = 0;
    make_run(20);
    for (size_t i = 0; i < made.by_task[1].count; i++)
        if (made.sightings[i].kind == SIGHTING_OFF) {
            made.sightings[kept] = made.sightings[i];
            made.sightings[kept].one_in = 0;
            made.sightings[kept++].node = CONTEXT_NONE;
        }
    made.by_task[1].count = kept;
    context_times_release(&made.times);
    context_times_fill(&made.times, &made.seen, &made.run, &made.groups, CONTEXT_ALL_LAYERS);
    const struct side_wish wish = {unit, CHANGE_BLOCKS, NULL};
    CHECK(side_blocks_add(&blocks, &made.all, &wish));
    struct change_side side = side_blocks_finish(&blocks);
    for (uint32_t b = 0; b < 20; b++) {
        CHECK(block_has(&side, "[stack not recorded]", b, 0.3));
        CHECK(block_has(&side, "[not seen]", b, b ? 0 : seconds));
    }
    side_blocks_release(&blocks);
    release_run();
}

/* Three runs of the same are no change; what is not long enough is not taken. */
static void check_runs(void)
{
    struct side_blocks blocks[2] = {0};
    struct tree_changes changes;
    for (int i = 0; i < 6; i++) {
        make_run(i < 5 ? 40 : 60);
        CHECK(side_blocks_add(&blocks[i % 2], &made.all, &of_requests));
        release_run();
    }
    struct change_side sides[2] = {side_blocks_finish(&blocks[0]), side_blocks_finish(&blocks[1])};
    CHECK(sides[0].blocks == 60 && sides[1].run_of_block[59] == 2);
    tree_changes_find(&changes, sides);
    CHECK(changes.sure && changes.told == 0 && changes.count == 3);
    const struct node_change *c = &changes.items[changes.change_of[0][find(sides[0].tree, "C")]];
    CHECK(fabs(c->change) < 1 && fabs(c->own[0] - 0.45e9) < 1 && c->presence == NODE_IN_BOTH);
    tree_changes_release(&changes);
    make_run(19);
    CHECK(!side_blocks_add(&blocks[0], &made.all, &of_requests));
    release_run();
    side_blocks_release(&blocks[0]);
    side_blocks_release(&blocks[1]);
}

int main(void)
{
    check_blocks(CHANGE_A_SECOND, 2);
    check_blocks(CHANGE_A_RUN, 0.05);
    check_blocks(CHANGE_A_REQUEST, 2);
    check_outside();
    check_unknown(CHANGE_A_SECOND, 14);
    check_unknown(CHANGE_A_REQUEST, 0);
    check_runs();
    return CHECK_DONE();
}
