#include "sampler/stranger_list.h"

/* So often is often (chosen): of that many stacks the copying takes less than what a new filter costs. */
enum { OFTEN = 16 };
#define ANEW_NS UINT64_C(5000000000)

void stranger_list_note(struct stranger_list *list, uint32_t pid, uint32_t tid)
{
    if (!tid || list->count == STRANGERS_MOST || ++*hash_map_put(&list->seen, tid) != OFTEN)
        return;
    list->pids[list->count] = pid;
    list->tids[list->count++] = tid;
}

static bool has_one_of(const struct stranger_list *list, struct watch_list *run)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (watch_list_has_process(run, list->pids[i]))
            return true;
    return false;
}

bool stranger_list_follow(struct stranger_list *list, struct watch_list *run, uint64_t now_ns)
{
    if (!list->began_ns)
        list->began_ns = now_ns;
    if (now_ns - list->began_ns >= ANEW_NS || has_one_of(list, run)) {
        hash_map_release(&list->seen);
        *list = (struct stranger_list){.told = list->told, .began_ns = now_ns};
    }
    bool changed = list->count != list->told;
    list->told = list->count;
    return changed;
}

void stranger_list_append(const struct stranger_list *list, struct str *filter)
{
    for (uint32_t i = 0; i < list->count; i++)
        str_printf(filter, " && common_pid != %u", list->tids[i]);
}

void stranger_list_release(struct stranger_list *list)
{
    hash_map_release(&list->seen);
    *list = (struct stranger_list){0};
}
