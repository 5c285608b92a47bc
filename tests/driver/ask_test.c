/* Questions and answers: what is opened, what is said, and what is not asked again. */
#include "driver/loop/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FUNCTIONS = 5 };
static struct function_info functions[FUNCTIONS] = {
    {.name = "serve", .file = "server.c", .line = 3, .callee_count = 1, .body = true},
    {.name = "process", .file = "server.c", .line = 40, .callee_count = 3, .body = true},
    {.name = "flush", .file = "log.c", .line = 7, .callee_count = 1, .body = true},
    {.name = "sweep", .file = "log.c", .line = 9, .callee_count = 2, .body = true},
    {.name = "main", .file = "server.c", .line = 90, .callee_count = 2, .body = true}};
static struct function_table table = {.functions = functions, .function_count = FUNCTIONS};
static bool opened[FUNCTIONS], timed[FUNCTIONS];
static const struct refine_loop loop = {.table = &table, .opened = opened, .timed = timed};
static const struct factor lock = {.names = {"pthread_mutex_lock"}, .share = 0.451};
static char *said;
static int failures;

static void expect(bool truth, const char *what)
{
    if (truth)
        return;
    failures++;
    printf("FAILED %s: %s\n", what, said ? said : "");
}

/* Makes a proposal of `count` functions from 1 on; gives which are left as "13", or "-". */
static const char *answered(struct asker *asker, const struct factor *factor, uint32_t count,
                            const char *answers)
{
    static char left[16];
    static size_t size;
    FILE *in = stdin, *err = stderr;
    uint32_t *list = memory_zeroed(count * sizeof *list);
    enum tie *ties = memory_zeroed(count * sizeof *ties);
    for (uint32_t i = 0; i < count; i++) {
        list[i] = i + 1;
        ties[i] = TIE_WAKER;
    }
    struct proposal proposal = {.functions = list, .ties = ties, .count = count};
    free(said);
    stdin = *answers ? fmemopen((char *)(uintptr_t)answers, strlen(answers), "r")
                     : fopen("/dev/null", "r");
    stderr = open_memstream(&said, &size);
    bool any = ask_to_open(asker, &loop, factor, &proposal);
    fclose(stdin);
    fclose(stderr);
    stdin = in;
    stderr = err;
    strcpy(left, any ? "" : "-");
    for (uint32_t i = 0; i < proposal.count; i++)
        snprintf(left + strlen(left), 4, "%u", proposal.functions[i]);
    memory_free(list);
    memory_free(ties);
    return left;
}

static void test_answers(void)
{
    static const struct {
        const char *answers, *left;
    } cases[] = {{"\n", "123"},     {"y\n", "123"},    {"YES\n", "123"}, {"n\n", "-"},
                 {"1,3\n", "13"},   {"1 3\n", "13"},   {"2-3\n", "23"},  {" 2 \n", "2"},
                 {"3, 1\n", "13"},  {"?\n2\n", "2"},   {"4\n2\n", "2"},  {"0\n1\n", "1"},
                 {"2-\n1\n", "1"},  {"hm\n\n", "123"}, {"q\n", "-"},     {"", "-"},
                 {"1;2\n1\n", "1"}, {"3-1\n1\n", "1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asker asker = {0};
        const char *left = answered(&asker, &lock, 3, cases[i].answers);
        expect(strcmp(left, cases[i].left) == 0, cases[i].answers);
        asker_release(&asker);
    }
}

static void test_why(void)
{
    struct asker asker = {0};
    answered(&asker, &lock, 1, "\n");
    expect(strcmp(said, "pthread_mutex_lock, 45 % of the variance, waits for process (server.c:40, "
                        "calls 3 functions).\n  Open it? [Y/n/?] ") == 0,
           "one");
    answered(&asker, NULL, 2, "?\n\n");
    expect(strstr(said, "\n   2  waits for flush (log.c:7, calls 1 function)\n") != NULL, "list");
    expect(strstr(said, "1,3 or 1-3") && strstr(said, "without a question"), "explained");
    asker_release(&asker);
}

static void test_no_question_twice(void)
{
    struct asker asker = {0};
    expect(strcmp(answered(&asker, &lock, 3, "2\n"), "2") == 0, "one of three");
    expect(strcmp(answered(&asker, &lock, 3, "\n"), "2") == 0, "the declined are not asked");
    expect(!strstr(said, "process") && !strstr(said, "sweep"), "nor shown");
    opened[2] = true;
    expect(strcmp(answered(&asker, &lock, 3, ""), "-") == 0 && !asker.ended && !*said,
           "nothing is left to ask");
    opened[2] = false;
    asker_release(&asker);
}

static void test_all_and_end(void)
{
    struct asker all = {0}, end = {0};
    expect(strcmp(answered(&all, &lock, 2, "a\n"), "12") == 0, "all");
    expect(strcmp(answered(&all, &lock, 3, ""), "123") == 0 && !*said, "without a question");
    answered(&end, &lock, 2, "q\n");
    expect(strcmp(answered(&end, &lock, 3, "\n"), "-") == 0 && !*said, "ended");
    asker_release(&all);
    asker_release(&end);
}

int main(void)
{
    test_answers();
    test_why();
    test_no_question_twice();
    test_all_and_end();
    free(said);
    printf("%d failures\n", failures);
    return failures > 0;
}
