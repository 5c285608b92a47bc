/* foreign_threads.h: who does it often is left out, as long as it is there and not of the run. */
#include "check.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sampler/foreign_threads.h"

#define MS UINT64_C(1000000)

static void count(struct foreign_threads *foreign, uint32_t pid, uint32_t tid, int calls)
{
    for (int i = 0; i < calls; i++)
        foreign_threads_count(foreign, pid, tid);
}

static bool leaves_out(const struct foreign_threads *foreign, uint32_t tid)
{
    struct str text = {0}, word = {0};
    foreign_threads_filter(foreign, &text);
    str_printf(&word, "common_pid != %u && ", tid);
    bool found = strstr(str_text(&text), word.data) != NULL;
    str_release(&text);
    str_release(&word);
    return found;
}

static void test_often(struct watch_list *list)
{
    struct foreign_threads foreign = {0};
    uint32_t self = (uint32_t)getpid();
    CHECK(!foreign_threads_follow(&foreign, list, 1 * MS));
    count(&foreign, self, self, 300);
    count(&foreign, 1, 1, 3);
    CHECK(!foreign_threads_follow(&foreign, list, 100 * MS) && !leaves_out(&foreign, self));
    CHECK(foreign_threads_follow(&foreign, list, 202 * MS));
    CHECK(leaves_out(&foreign, self) && !leaves_out(&foreign, 1));
    CHECK(!foreign_threads_follow(&foreign, list, 403 * MS)); /* it has more patience by now */
    watch_list_add_process(list, self);                       /* it turns out to be of the run */
    CHECK(foreign_threads_follow(&foreign, list, 700 * MS) && !leaves_out(&foreign, self));
    foreign_threads_release(&foreign);
}

static void test_ended(struct watch_list *list)
{
    struct foreign_threads foreign = {0};
    int ends[2];
    char byte;
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) < 0);
    }
    foreign_threads_follow(&foreign, list, 1 * MS);
    count(&foreign, (uint32_t)child, (uint32_t)child, 1000);
    CHECK(foreign_threads_follow(&foreign, list, 202 * MS) &&
          leaves_out(&foreign, (uint32_t)child));
    close(ends[1]);
    waitpid(child, NULL, 0);
    CHECK(foreign_threads_follow(&foreign, list, 900 * MS) && !foreign.count);
    foreign_threads_release(&foreign);
}

int main(void)
{
    struct watch_list list;
    watch_list_init(&list);
    test_often(&list);
    test_ended(&list);
    watch_list_release(&list);
    return CHECK_DONE();
}
