#include "driver/workbench/probed_files.h"

#include "base/file.h"
#include "base/memory.h"

enum { MOST_NAMED = 2 };

struct probed_file {
    uint64_t hash;
    uint32_t probes;
};

/* The hash is 0 where the file can't be read. */
static uint64_t hash_file(const char *tree, const char *name)
{
    struct str path = {0}, text = {0};
    struct error ignored;
    path_join(&path, tree, name);
    uint64_t hash =
        file_read(&text, path.data, &ignored) ? hash_bytes(str_text(&text), text.length) | 1 : 0;
    str_release(&path);
    str_release(&text);
    return hash;
}

void probed_files_note(struct probed_files *files, const struct function_table *table,
                       const char *tree)
{
    probed_files_release(files);
    for (uint32_t i = 0; i < table->probe_count; i++) {
        const struct probe_info *probe = &table->probes[i];
        if (probe->kind == PROBE_NONE)
            continue;
        uint32_t id = intern_add(&files->paths, probe->file);
        if (id == files->count)
            VEC_PUSH(files->items, files->count, files->capacity) =
                (struct probed_file){hash_file(tree, probe->file), 0};
        files->items[id].probes++;
    }
}

void probed_files_find_lost(struct probed_files *files, const char *tree)
{
    str_clear(&files->lost);
    files->lost_count = files->lost_probes = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (hash_file(tree, files->paths.text[i]) == files->items[i].hash)
            continue;
        if (files->lost_count++ < MOST_NAMED)
            str_printf(&files->lost, "%s%s", files->lost.length ? ", " : "", files->paths.text[i]);
        files->lost_probes += files->items[i].probes;
    }
    if (files->lost_count > MOST_NAMED)
        str_printf(&files->lost, " and %u more", files->lost_count - MOST_NAMED);
}

void probed_files_release(struct probed_files *files)
{
    intern_release(&files->paths);
    memory_free(files->items);
    str_release(&files->lost);
    *files = (struct probed_files){0};
}
