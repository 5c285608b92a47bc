#include "driver/runs/run_folders.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "driver/runs/trace_files.h"

static int is_result(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "latest") != 0;
}

static void add(struct run_folders *runs, const char *folder)
{
    VEC_PUSH(runs->items, runs->count, runs->capacity) = folder;
}

static void add_below(struct run_folders *runs, const char *path)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_result, alphasort);
    for (int i = 0; i < count; i++) {
        const char *folder = arena_printf(&runs->arena, "%s/%s", path, entries[i]->d_name);
        if (trace_files_is_run(folder))
            add(runs, folder);
        free(entries[i]);
    }
    free(entries);
}

/* A folder that holds results says so by its link to the latest. */
void run_folders_find(struct run_folders *runs, const char *path)
{
    *runs = (struct run_folders){0};
    bool results = file_exists(arena_printf(&runs->arena, "%s/latest", path));
    if (results || !trace_files_is_run(path))
        add_below(runs, path);
    if (!runs->count)
        add(runs, path);
}

void run_folders_release(struct run_folders *runs)
{
    memory_free(runs->items);
    arena_release(&runs->arena);
}
