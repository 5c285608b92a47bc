/* worker_pool.h, title_role.h, task_name.h: what threads are called, by names and titles that programs have. */
#include "check.h"

#include <string.h>

#include "symbol/process_role.h"
#include "trace/task_name.h"
#include "trace/title_role.h"
#include "trace/worker_pool.h"

typedef bool name_function(const char *name, struct str *out);

/* expected "": it is none. */
static void expect(name_function *function, const char *name, const char *expected)
{
    struct str out = {0};
    bool is = function(name, &out);
    if (is != (*expected != '\0') || strcmp(str_text(&out), expected) != 0) {
        fprintf(stderr, "%s is \"%s\", and not \"%s\"\n", name, str_text(&out), expected);
        check_failures++;
    }
    str_release(&out);
}

static void workers(void)
{
    static const char *const names[][2] = {{"kworker/0:1", "kworker/0"},
                                           {"kworker/12:34", "kworker/12"},
                                           {"kworker/0:1H", "kworker/0:H"},
                                           {"kworker/u8:1", "kworker/u8"},
                                           {"kworker/u257:10H", "kworker/u257:H"},
                                           {"kworker/u8:1-events_unbound", "kworker/u8"},
                                           {"kworker/1:2+mm_percpu_wq", "kworker/1"},
                                           {"kworker/0:0H-kblockd", "kworker/0:H"},
                                           {"kworker/R-nvme", ""},
                                           {"kworker/", ""},
                                           {"kworker/u", ""},
                                           {"kworker/0", ""},
                                           {"kworker/0:", ""},
                                           {"kworker/dying", ""},
                                           {"my kworker/0:1", ""},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect(worker_pool_name, names[i][0], names[i][1]);
}

static void titles(void)
{
    static const char *const names[][2] = {
        {"postgres: walwriter ", "postgres: walwriter"},
        {"postgres: 15/main: walwriter", "postgres: walwriter"},
        {"postgres: bob shop [local] idle", "postgres: bob shop"},
        {"postgres: bob shop [local] idle in transaction", "postgres: bob shop"},
        {"postgres: 15/main: bob shop 10.0.0.7(4711) SELECT", "postgres: bob shop"},
        {"postgres: bob shop ::1(4711) INSERT waiting", "postgres: bob shop"},
        {"postgres: autovacuum launcher", "postgres: autovacuum launcher"},
        {"postgres: archiver last was 000000010000000000000001", "postgres: archiver"},
        {"postgres: walsender bob 10.0.0.7(1) streaming 0/3000060", "postgres: walsender bob"},
        {"nginx: master process /usr/sbin/nginx -g daemon on;", "nginx: master process"},
        {"nginx: worker process", "nginx: worker process"},
        {"nginx: worker process is shutting down", "nginx: worker process"},
        {"puma: cluster worker 0: 4711 [shop]", "puma: cluster worker"},
        {"puma 6.4.0 (tcp://0.0.0.0:3000) [shop]", "puma"},
        {"sshd: bob [priv]", "sshd: bob"},
        {"sshd: /usr/sbin/sshd -D [listener] 0 of 10-100 startups", "sshd"},
        {"redis-server 127.0.0.1:6379", "redis-server"},
        {"redis-rdb-bgsave 127.0.0.1:6379", "redis-rdb-bgsave"},
        {"python3: load worker 3", "python3: load worker"},
        {"php-fpm: pool www", "php-fpm: pool www"},
        {"[kernel]", ""},
        {"   ", ""},
        {"", ""}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect(title_role, names[i][0], names[i][1]);
}

static struct kernel_task task(uint32_t pid, uint32_t tid, const char *name, const char *title,
                               enum trace_whose whose)
{
    return (struct kernel_task){
        .pid = pid, .tid = tid, .name = name, .title = title, .whose = (uint8_t)whose};
}

/* By their titles where these differ; the threads of a process as they are; a user's own "kworker/0:1" is none. */
static void tasks_of_a_run(void)
{
    struct kernel_task tasks[] = {
        task(0, 0, "idle", "", TRACE_WHOSE_UNKNOWN),
        task(10, 10, "postgres", "", TRACE_WHOSE_RUN),
        task(11, 11, "postgres", "postgres: walwriter", TRACE_WHOSE_RUN),
        task(12, 12, "postgres", "postgres: bob shop [local] idle", TRACE_WHOSE_RUN),
        task(13, 13, "postgres", "postgres: bob shop [local] SELECT", TRACE_WHOSE_RUN),
        task(13, 14, "helper", "", TRACE_WHOSE_RUN),
        task(20, 20, "redis-server", "redis-server *:1", TRACE_WHOSE_RUN),
        task(21, 21, "alike", "alike: worker 1", TRACE_WHOSE_RUN),
        task(22, 22, "alike", "alike: worker 2", TRACE_WHOSE_RUN),
        task(30, 30, "kworker/u8:1", "", TRACE_WHOSE_KERNEL),
        task(31, 31, "kworker/u8:3", "", TRACE_WHOSE_KERNEL),
        task(32, 32, "kworker/u8:3", "", TRACE_WHOSE_OTHER),
    };
    static const char *const expected[] = {"idle",
                                           "postgres",
                                           "postgres: walwriter",
                                           "postgres: bob shop",
                                           "postgres: bob shop",
                                           "helper",
                                           "redis-server",
                                           "alike",
                                           "alike",
                                           "kworker/u8",
                                           "kworker/u8",
                                           "kworker/u8:3"};
    enum { COUNT = sizeof tasks / sizeof *tasks };
    struct kernel_side side = {.tasks = tasks, .task_count = COUNT};
    struct intern kept = {0};
    struct task_names names;
    task_names_init(&names, &side, NULL, &kept);
    for (uint32_t t = 0; t < COUNT; t++)
        CHECK(strcmp(task_names_get(&names, t), expected[t]) == 0);
    CHECK(strcmp(task_names_process(&names, 13), "postgres: bob shop") == 0);
    CHECK(strcmp(task_names_process(&names, 31), "kworker/u8") == 0);
    CHECK(strcmp(task_names_process(&names, 4711), "") == 0);
    task_names_release(&names);
    intern_release(&kept);
}

/* Each path is functions with blanks between; expected "-": no role. */
static void expect_roles(const char *const *texts, const char *const *expected, uint32_t count)
{
    static char words[8][128];
    static const char *functions[8][8];
    const char *const *paths[8];
    const char *roles[8];
    for (uint32_t p = 0; p < count; p++) {
        uint32_t length = 0;
        snprintf(words[p], sizeof words[p], "%s", texts[p]);
        for (char *word = strtok(words[p], " "); word; word = strtok(NULL, " "))
            functions[p][length++] = word;
        functions[p][length] = NULL;
        paths[p] = functions[p];
    }
    process_roles_of_paths(paths, count, roles);
    for (uint32_t p = 0; p < count; p++)
        if (strcmp(roles[p] ? roles[p] : "-", expected[p]) != 0) {
            fprintf(stderr, "%s is %s, and not %s\n", texts[p], roles[p] ? roles[p] : "-",
                    expected[p]);
            check_failures++;
        }
}

static void roles_of_stacks(void)
{
    expect_roles(
        (const char *[]){"main start log", "main start serve", "main start serve", "main watch"},
        (const char *[]){"log", "serve", "serve", "watch"}, 4);
    /* One that ends where others go on may be in any of them. */
    expect_roles((const char *[]){"main serve", "main serve read", "main serve write"},
                 (const char *[]){"-", "-", "-"}, 3);
    /* Two that serve differ in what they wait for; of three of them one may do both. */
    expect_roles((const char *[]){"main log", "main serve read", "main serve write"},
                 (const char *[]){"log", "read", "write"}, 3);
    expect_roles((const char *[]){"main log", "main serve read", "main serve write", "main serve"},
                 (const char *[]){"log", "serve", "serve", "serve"}, 4);
    expect_roles((const char *[]){"main serve", "main serve"}, (const char *[]){"-", "-"}, 2);
    expect_roles((const char *[]){"main serve"}, (const char *[]){"-"}, 1);
}

static void stacks_where_no_title_is(void)
{
    struct kernel_task tasks[] = {
        task(0, 0, "idle", "", TRACE_WHOSE_UNKNOWN),
        task(10, 10, "server", "", TRACE_WHOSE_RUN),
        task(11, 11, "server", "", TRACE_WHOSE_RUN),
        task(12, 12, "server", "server: title", TRACE_WHOSE_RUN),
    };
    struct kernel_side side = {.tasks = tasks, .task_count = 4};
    struct intern kept = {0};
    struct task_names names;
    task_names_init(&names, &side, (const char *[]){NULL, NULL, "log", "serve"}, &kept);
    CHECK(strcmp(task_names_get(&names, 1), "server") == 0);
    CHECK(strcmp(task_names_get(&names, 2), "server: log") == 0);
    CHECK(strcmp(task_names_get(&names, 3), "server: title") == 0);
    task_names_release(&names);
    intern_release(&kept);
}

int main(void)
{
    workers();
    titles();
    tasks_of_a_run();
    roles_of_stacks();
    stacks_where_no_title_is();
    return CHECK_DONE();
}
