#include "sampler/process_titles.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* The processes are gone over so often. */
#define LOOK_NS UINT64_C(100000000)

bool process_title_take(const char *arguments, size_t bytes, char title[TRACE_TITLE_BYTES])
{
    size_t length = strnlen(arguments, bytes);
    while (length && arguments[length - 1] == ' ')
        length--;
    if (!memchr(arguments, ' ', length) || arguments[0] == '/' || arguments[0] == '.')
        return false;
    if (length >= TRACE_TITLE_BYTES)
        length = TRACE_TITLE_BYTES - 1;
    memset(title, 0, TRACE_TITLE_BYTES);
    memcpy(title, arguments, length);
    return true;
}

static void read_title(struct process_title *title)
{
    char path[64], arguments[256];
    snprintf(path, sizeof path, "/proc/%u/cmdline", title->pid);
    FILE *file = fopen(path, "re");
    size_t bytes = file ? fread(arguments, 1, sizeof arguments, file) : 0;
    if (file)
        fclose(file);
    if (bytes)
        process_title_take(arguments, bytes, title->text);
}

static struct process_title *title_of(struct process_titles *titles, uint32_t pid, uint64_t now_ns)
{
    uint64_t *place = hash_map_put(&titles->places, pid);
    if (!*place) {
        VEC_PUSH(titles->items, titles->count, titles->capacity) =
            (struct process_title){.pid = pid, .seen_ns = now_ns};
        *place = titles->count;
    }
    return &titles->items[*place - 1];
}

static bool is_due(const struct process_title *title, uint64_t now_ns)
{
    static const uint64_t ages_ns[] = {UINT64_C(100000000), UINT64_C(1000000000),
                                       UINT64_C(10000000000)};
    return title->looks < sizeof ages_ns / sizeof *ages_ns &&
           now_ns - title->seen_ns >= ages_ns[title->looks];
}

void process_titles_look(struct process_titles *titles, const struct task_table *tasks,
                         uint64_t now_ns, bool all)
{
    if (!all && now_ns - titles->looked_ns < LOOK_NS)
        return;
    titles->looked_ns = now_ns;
    for (size_t i = 0; i < tasks->count; i++) {
        const struct task *task = &tasks->tasks[i];
        if (!task->run || !task->tid || task->tid != task->pid || task->ended)
            continue;
        struct process_title *title = title_of(titles, task->pid, now_ns);
        if (!all && !is_due(title, now_ns))
            continue;
        title->looks++;
        read_title(title);
    }
}

void process_titles_release(struct process_titles *titles)
{
    memory_free(titles->items);
    hash_map_release(&titles->places);
    *titles = (struct process_titles){0};
}
