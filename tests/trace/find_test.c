/* span_walk_run over calls in memory, timeline_label_at, timeline_block_before. */
#include "check.h"

#include "trace/span_walk_run.h"

enum { TAG = 77 };

struct walked {
    uint32_t probes[8], depths[8];
    uint32_t count;
    bool right; /* the tags were those of the calls around */
};

static uint64_t note(void *context, const struct walked_call *call, const struct walk_open *around,
                     struct walk_open *innermost)
{
    struct walked *walked = context;
    uint32_t last = walked->count ? walked->probes[walked->count - 1] : TAG;
    walked->right &= innermost->tag == last && (call->depth || around->tag == TAG);
    walked->probes[walked->count] = call->probe;
    walked->depths[walked->count++] = call->depth;
    return call->probe;
}

/* That they are walked in this order: pairs of probe and depth. */
static bool walks(struct timeline_thread *thread, time_ns lo, time_ns hi, uint32_t count,
                  const uint32_t (*calls)[2])
{
    struct timelines run = {.threads = thread, .thread_count = 1};
    struct span_walk walk;
    struct walked walked = {.right = true};
    span_walk_init(&walk, &run);
    span_walk_run(&walk, thread, lo, hi, TAG, note, &walked);
    span_walk_release(&walk);
    bool same = walked.right && walked.count == count;
    for (uint32_t i = 0; i < count && same; i++)
        same = walked.probes[i] == calls[i][0] && walked.depths[i] == calls[i][1];
    return same;
}

static void test_walk(void)
{
    struct span spans[] = {{10, 50, 1, SPAN_NONE, 0, 0},
                           {20, 30, 2, 0, 0, 0},
                           {20, 25, 3, 1, 0, 0},
                           {40, 45, 4, 0, 0, 0},
                           {60, 60, 5, SPAN_NONE, 0, 0}};
    struct timeline_thread thread = {.spans = spans, .span_count = 5}, empty = {0};
    const uint32_t all[][2] = {{5, 0}, {1, 0}, {4, 1}, {2, 1}, {3, 2}};
    const uint32_t within[][2] = {{1, 0}, {2, 1}, {3, 2}};
    const uint32_t until_40[][2] = {{1, 0}, {2, 1}};
    CHECK(walks(&thread, 0, 100, 5, all));
    CHECK(walks(&thread, 0, 50, 4, &all[1]));
    CHECK(walks(&thread, 10, 24, 3, within));
    CHECK(walks(&thread, 24, 40, 3, within));
    CHECK(walks(&thread, 25, 40, 2, until_40));
    CHECK(walks(&thread, 30, 40, 1, within));
    CHECK(walks(&thread, 44, 45, 2, &all[1]));
    CHECK(walks(&thread, 10, 20, 1, within));
    CHECK(walks(&thread, 50, 60, 0, NULL));
    CHECK(walks(&empty, 0, 100, 0, NULL));
}

static void test_before(void)
{
    struct label labels[] = {{10, 0}, {20, INTERVAL_NONE}, {20, 1}};
    struct block blocks[] = {{.start = 5, .end = 8}, {.start = 9, .end = 12}};
    struct timeline_thread thread = {
        .labels = labels, .label_count = 3, .blocks = blocks, .block_count = 2};
    CHECK(timeline_label_at(&thread, 9) == -1);
    CHECK(timeline_label_at(&thread, 19) == 0);
    CHECK(timeline_label_at(&thread, 20) == 2);
    CHECK(timeline_block_before(&thread, 4) == -1);
    CHECK(timeline_block_before(&thread, 8) == 0);
    CHECK(timeline_block_before(&thread, 100) == 1);
}

/* How many of the labels are not after `time`, one by one. */
static uint32_t count_labels(const struct timeline_thread *thread, time_ns time)
{
    uint32_t n = 0;
    while (n < thread->label_count && thread->labels[n].time <= time)
        n++;
    return n;
}

/* From wherever the last answer was; times twice, thrice and apart. Blocks begin where labels do.
 */
static void test_near(void)
{
    enum { COUNT = 20 };
    struct label labels[COUNT];
    struct block blocks[COUNT];
    for (uint32_t count = 0; count <= COUNT; count++) {
        for (uint32_t i = 0; i < count; i++) {
            labels[i] = (struct label){.time = i * i / 5};
            blocks[i] = (struct block){.start = i * i / 5};
        }
        struct timeline_thread thread = {
            .labels = labels, .label_count = count, .blocks = blocks, .block_count = count};
        for (uint32_t known = 0; known <= count; known++)
            for (time_ns time = -1; time <= COUNT * COUNT / 5; time++) {
                uint32_t label_known = known, block_known = known;
                uint32_t n = count_labels(&thread, time);
                CHECK(timeline_label_near(&thread, time, &label_known) == (int64_t)n - 1);
                CHECK(timeline_block_near(&thread, time, &block_known) == (int64_t)n - 1);
                CHECK(label_known == n && block_known == n);
                CHECK(timeline_label_at(&thread, time) == (int64_t)n - 1);
                CHECK(timeline_block_before(&thread, time) == (int64_t)n - 1);
            }
    }
}

int main(void)
{
    test_walk();
    test_before();
    test_near();
    return CHECK_DONE();
}
