/* heaviest.h: whose time the first sentence tells, and what is a wait for work. */
#include "check.h"

#include <string.h>

#include "base/memory.h"
#include "stacks/heaviest.h"

enum { SERVER, CLIENTS, BACKENDS, GROUPS };

static struct thread_group groups[GROUPS] = {
    [SERVER] = {"server", "server", .main = true, .of_run = true, .threads = 1},
    [CLIENTS] = {"load", "load", .of_run = true, .threads = 8},
    [BACKENDS] = {"postgres", "postgres", .main = true, .of_run = true, .threads = 8}};

/* A tree of contexts with times, made call by call. */
struct made {
    struct context_tree none;
    struct context_times times;
    struct context_sum sums[64];
    struct context_reason reasons[16];
    uint32_t group_node[GROUPS];
};

static void begin(struct made *m)
{
    *m = (struct made){0};
    context_tree_init(&m->none);
    context_fold_init(&m->times.fold, &m->none, CONTEXT_ALL_LAYERS);
    m->times.sums = m->sums;
    m->times.reasons = m->reasons;
    m->times.group_node = m->group_node;
    for (uint32_t g = 0; g < GROUPS; g++)
        m->group_node[g] = context_fold_group(&m->times.fold, g, groups[g].name);
}

static void end(struct made *m)
{
    memory_free(m->times.whys.items);
    context_fold_release(&m->times.fold);
    context_tree_release(&m->none);
}

static uint32_t call(struct made *m, uint32_t from, const char *function, enum frame_kind kind)
{
    struct context_tree *tree = &m->times.fold.tree;
    const struct context_frame frame = {
        .function = function, .object = "object", .kind = kind, .file = ""};
    return context_tree_child(tree, from, context_frame_add(tree, &frame));
}

static void add(struct made *m, uint32_t node, enum context_time kind, time_ns time)
{
    const struct context_tree *tree = &m->times.fold.tree;
    m->sums[node].own[kind] += time;
    for (uint32_t n = node; n != CONTEXT_NONE; n = tree->nodes[n].parent)
        m->sums[n].total[kind] += time;
}

static void wait_for(struct made *m, uint32_t node, enum off_cause cause, uint32_t whom,
                     time_ns time)
{
    struct off_reasons *whys = &m->times.whys;
    add(m, node, TIME_OFF, time);
    m->reasons[m->times.reason_count++] =
        (struct context_reason){.node = node, .reason = (uint32_t)whys->count, .own = time};
    VEC_PUSH(whys->items, whys->count, whys->capacity) = (struct off_reason){cause, whom};
}

static bool is_first(struct made *m, const char *function, uint32_t group)
{
    const struct thread_groups all = {.items = groups, .count = GROUPS};
    struct heaviest heaviest;
    heaviest_find(&heaviest, &m->times, &all);
    return heaviest.first.node != CONTEXT_NONE && heaviest.first.group == group &&
           strcmp(m->times.fold.tree.frames[heaviest.first.frame].function, function) == 0;
}

/* Clients that are recorded with their server wait for it all the time; it is the server that is told. */
static void check_clients(void)
{
    struct made m;
    begin(&m);
    uint32_t read = call(&m, m.group_node[CLIENTS], "read", FRAME_LIBRARY);
    uint32_t sync = call(&m, m.group_node[SERVER], "fdatasync", FRAME_LIBRARY);
    uint32_t serve = call(&m, m.group_node[SERVER], "serve", FRAME_PROGRAM);
    wait_for(&m, read, OFF_THREAD, SERVER, 8000);
    add(&m, read, TIME_RAN, 100);
    wait_for(&m, sync, OFF_WRITE, 7, 600);
    add(&m, serve, TIME_RAN, 400);
    CHECK(is_first(&m, "fdatasync", SERVER));
    end(&m);
}

/* Backends wait in epoll_wait for a row that another one has, and for their client, who is outside of the run. */
static void check_backends(void)
{
    struct made m;
    begin(&m);
    uint32_t lock = call(&m, m.group_node[BACKENDS], "heap_update", FRAME_PROGRAM);
    uint32_t row = call(&m, lock, "epoll_wait", FRAME_LIBRARY);
    uint32_t command = call(&m, m.group_node[BACKENDS], "ReadCommand", FRAME_PROGRAM);
    uint32_t next = call(&m, command, "epoll_wait", FRAME_LIBRARY);
    wait_for(&m, row, OFF_THREAD, BACKENDS, 300);
    wait_for(&m, next, OFF_NETWORK, REASON_NOBODY, 900);
    add(&m, lock, TIME_RAN, 200);
    CHECK(is_first(&m, "epoll_wait", BACKENDS)); /* 300 of 1,200 are no waits for work */
    end(&m);
}

/* The system call tells what no library's name does. */
static void check_system_call(void)
{
    struct made m;
    begin(&m);
    uint32_t poll = call(&m, m.group_node[SERVER], "netpoll", FRAME_PROGRAM);
    uint32_t kernel = call(&m, poll, "__x64_sys_epoll_pwait", FRAME_KERNEL);
    uint32_t deeper = call(&m, kernel, "do_epoll_wait", FRAME_KERNEL);
    uint32_t serve = call(&m, m.group_node[SERVER], "serve", FRAME_PROGRAM);
    wait_for(&m, deeper, OFF_UNKNOWN, REASON_NOBODY, 900);
    add(&m, serve, TIME_RAN, 100);
    CHECK(is_first(&m, "serve", SERVER));
    end(&m);
}

/* Where nothing else is, a wait for work is the answer. */
static void check_idle(void)
{
    struct made m;
    begin(&m);
    uint32_t poll = call(&m, m.group_node[SERVER], "epoll_wait", FRAME_LIBRARY);
    wait_for(&m, poll, OFF_NETWORK, REASON_NOBODY, 990);
    add(&m, poll, TIME_RAN, 10);
    CHECK(is_first(&m, "epoll_wait", SERVER));
    end(&m);
}

int main(void)
{
    check_clients();
    check_backends();
    check_system_call();
    check_idle();
    return CHECK_DONE();
}
