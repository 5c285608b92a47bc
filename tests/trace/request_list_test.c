/* request_list.h: when each request was in flight, worked out by hand. */
#include "check.h"

#include "base/memory.h"
#include "trace/request_list.h"

static struct kernel_task tasks[3];
static struct kernel_side side;
static struct timelines run;

/* Thread 7 until 50, then another one of that id. */
static struct request_list begun(void)
{
    tasks[0] = (struct kernel_task){.seen = 0};
    tasks[1] = (struct kernel_task){.tid = 7, .seen = 50};
    tasks[2] = (struct kernel_task){.tid = 7, .seen = 0};
    side = (struct kernel_side){.tasks = tasks, .task_count = 3};
    run = (struct timelines){.kernel_side = &side};
    return (struct request_list){0};
}

static void add(struct request_list *list, time_ns time, enum request_event_kind kind,
                uint64_t sector, uint32_t bytes)
{
    request_list_add(
        list,
        (struct request_event){
            .time = time, .kind = kind, .sector = sector, .bytes = bytes, .device = 1, .tid = 7});
}

static bool is(size_t index, time_ns issued, time_ns done, uint32_t task)
{
    const struct block_request *request = &side.requests[index];
    return request->issued == issued && request->done == done && request->task == task &&
           request->device == 1;
}

static void finish(struct request_list *list)
{
    request_list_build(list, &run);
    request_list_release(list);
}

static void end(void)
{
    arena_release(&run.scheduler);
}

static void in_parts(void)
{
    struct request_list list = begun();
    add(&list, 10, REQUEST_ISSUED, 100, 4096);
    add(&list, 20, REQUEST_ISSUED, 300, 2048);
    add(&list, 30, REQUEST_DONE, 100, 2048);
    add(&list, 40, REQUEST_ISSUED, 104, 2048); /* the rest of it, again */
    add(&list, 50, REQUEST_DONE, 104, 2048);
    add(&list, 60, REQUEST_DONE, 300, 2048);
    add(&list, 70, REQUEST_ISSUED, 100, 2048);
    finish(&list);
    CHECK(side.request_count == 3);
    CHECK(is(0, 10, 50, 2) && is(1, 20, 60, 2) && is(2, 70, INT64_MAX, 1));
    end();
}

/* A flush has no bytes, and is not the request that begins where the device does. */
static void flushes(void)
{
    struct request_list list = begun();
    add(&list, 10, REQUEST_ISSUED, 0, 0);
    add(&list, 20, REQUEST_ISSUED, 0, 512);
    add(&list, 30, REQUEST_DONE, 0, 512);
    add(&list, 40, REQUEST_DONE, 0, 0);
    finish(&list);
    CHECK(side.request_count == 2 && is(0, 10, 40, 2) && is(1, 20, 30, 2));
    end();
    list = begun();
    add(&list, 10, REQUEST_ISSUED, 0, 0);
    add(&list, 20, REQUEST_ISSUED, 0, 0);
    add(&list, 30, REQUEST_DONE, 0, 0);
    add(&list, 40, REQUEST_DONE, 0, 0);
    finish(&list);
    CHECK(side.request_count == 1 && is(0, 10, 40, 2));
    end();
}

static void cuts(void)
{
    struct request_list list = begun();
    add(&list, 5, REQUEST_DONE, 8, 512);
    add(&list, 10, REQUEST_ISSUED, 16, 512);
    add(&list, 20, REQUEST_CUT, 0, 0);
    add(&list, 30, REQUEST_DONE, 16, 512);
    add(&list, 40, REQUEST_DONE, 24, 512);
    finish(&list);
    CHECK(side.request_count == 4);
    CHECK(is(0, INT64_MIN, 5, TASK_NONE) && is(1, 10, 20, 2));
    CHECK(is(2, 20, 30, TASK_NONE) && is(3, 20, 40, TASK_NONE));
    end();
}

/* Of one that was given so long ago, nothing is known. */
static void too_old(void)
{
    struct request_list list = begun();
    add(&list, 0, REQUEST_ISSUED, 8, 512);
    add(&list, REQUEST_OLD_NS, REQUEST_DONE, 16, 512);
    add(&list, REQUEST_OLD_NS + 1, REQUEST_DONE, 24, 512);
    add(&list, REQUEST_OLD_NS + 2, REQUEST_CUT, 0, 0);
    add(&list, REQUEST_OLD_NS + 3, REQUEST_DONE, 8, 512);
    finish(&list);
    CHECK(side.request_count == 4);
    CHECK(is(0, INT64_MIN, REQUEST_OLD_NS, TASK_NONE) && is(1, 0, REQUEST_OLD_NS + 2, 2));
    CHECK(is(2, REQUEST_OLD_NS + 1, REQUEST_OLD_NS + 1, TASK_NONE));
    CHECK(is(3, REQUEST_OLD_NS + 2, REQUEST_OLD_NS + 3, TASK_NONE));
    end();
}

/* As processors log: each in order. */
static void of_several_logs(void)
{
    struct request_list list = begun();
    add(&list, 30, REQUEST_DONE, 8, 512);
    add(&list, 10, REQUEST_ISSUED, 8, 512);
    finish(&list);
    CHECK(side.request_count == 1 && is(0, 10, 30, 2));
    end();
}

int main(void)
{
    in_parts();
    flushes();
    cuts();
    too_old();
    of_several_logs();
    return CHECK_DONE();
}
