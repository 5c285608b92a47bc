#include "trace/trace_folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

static int is_trace(const struct dirent *entry)
{
    return str_ends_with(entry->d_name, ".vtr");
}

bool trace_folder_list(struct trace_folder *folder, const char *directory, struct error *error)
{
    struct dirent **entries;
    *folder = (struct trace_folder){0};
    int count = scandir(directory, &entries, is_trace, alphasort);
    if (count < 0)
        return error_system(error, "Can't read the folder %s", directory);
    folder->count = (size_t)count;
    folder->paths = ARENA_ARRAY(&folder->arena, const char *, folder->count);
    for (int i = 0; i < count; i++) {
        folder->paths[i] = arena_printf(&folder->arena, "%s/%s", directory, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return true;
}

void trace_folder_release(struct trace_folder *folder)
{
    arena_release(&folder->arena);
    *folder = (struct trace_folder){0};
}

bool trace_folder_header(int fd, struct trace_file_header *header)
{
    return pread(fd, header, sizeof *header, 0) == sizeof *header &&
           memcmp(header->magic, TRACE_MAGIC, sizeof header->magic) == 0;
}
