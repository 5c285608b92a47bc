/* stranger_list.h: who came often is left out, until some seconds have gone by, or it is known to be of the run. */
#include "check.h"

#include <string.h>

#include "sampler/stranger_list.h"

#define S UINT64_C(1000000000)

static void come(struct stranger_list *list, uint32_t pid, uint32_t tid, int times)
{
    while (times-- > 0)
        stranger_list_note(list, pid, tid);
}

static bool says(const struct stranger_list *list, const char *text)
{
    struct str filter = {0};
    stranger_list_append(list, &filter);
    bool ok = strcmp(str_text(&filter), text) == 0;
    str_release(&filter);
    return ok;
}

static void check_list(struct watch_list *run)
{
    struct stranger_list list = {0};
    CHECK(!stranger_list_follow(&list, run, S) && says(&list, ""));
    come(&list, 5, 6, 15);
    come(&list, 0, 0, 100); /* nobody */
    CHECK(!stranger_list_follow(&list, run, S));
    come(&list, 5, 6, 1);
    come(&list, 9, 9, 40);
    CHECK(stranger_list_follow(&list, run, 2 * S) &&
          says(&list, " && common_pid != 6 && common_pid != 9"));
    CHECK(!stranger_list_follow(&list, run, 2 * S + 1));
    CHECK(stranger_list_follow(&list, run, 7 * S) && says(&list, "")); /* anew */
    come(&list, 5, 6, 16);
    CHECK(stranger_list_follow(&list, run, 7 * S + 1) && says(&list, " && common_pid != 6"));
    watch_list_add_process(run, 5); /* it was of the run all the time */
    CHECK(stranger_list_follow(&list, run, 7 * S + 2) && says(&list, ""));
    stranger_list_release(&list);
}

static void check_many(struct watch_list *run)
{
    struct stranger_list list = {0};
    for (uint32_t tid = 1; tid <= 2 * STRANGERS_MOST; tid++)
        come(&list, 1000 + tid, 1000 + tid, 20);
    CHECK(stranger_list_follow(&list, run, S) && list.count == STRANGERS_MOST);
    CHECK(list.tids[STRANGERS_MOST - 1] == 1000 + STRANGERS_MOST);
    stranger_list_release(&list);
}

int main(void)
{
    struct watch_list run;
    watch_list_init(&run);
    check_list(&run);
    check_many(&run);
    watch_list_release(&run);
    return CHECK_DONE();
}
