/* span_view_innermost, timeline_label_at, timeline_block_before. */
#include "check.h"

#include "trace/span_view.h"

/* The probe of the innermost call, or 0. */
static uint32_t innermost(struct timeline_thread *thread, time_ns time)
{
    struct timelines run = {.threads = thread, .thread_count = 1};
    struct span_cache cache;
    struct span_view view;
    span_cache_init(&cache, &run);
    span_view_seek(&view, &cache, thread, time);
    uint32_t i = span_view_innermost(&view, time);
    uint32_t probe = i == SPAN_NONE ? 0 : view.spans[i].probe;
    span_cache_release(&cache);
    return probe;
}

static void test_innermost(void)
{
    struct span spans[] = {{10, 50, 1, SPAN_NONE, 0},
                           {20, 30, 2, 0, 0},
                           {20, 25, 3, 1, 0},
                           {40, 45, 4, 0, 0},
                           {60, 60, 5, SPAN_NONE, 0}};
    struct timeline_thread thread = {.spans = spans, .span_count = 5};
    CHECK(innermost(&thread, 9) == 0);
    CHECK(innermost(&thread, 10) == 1);
    CHECK(innermost(&thread, 20) == 3);
    CHECK(innermost(&thread, 24) == 3);
    CHECK(innermost(&thread, 25) == 2);
    CHECK(innermost(&thread, 30) == 1);
    CHECK(innermost(&thread, 44) == 4);
    CHECK(innermost(&thread, 49) == 1);
    CHECK(innermost(&thread, 50) == 0);
    CHECK(innermost(&thread, 60) == 0);
    struct timeline_thread empty = {0};
    CHECK(innermost(&empty, 0) == 0);
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

int main(void)
{
    test_innermost();
    test_before();
    return CHECK_DONE();
}
