#include "driver/runs/kept_programs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash_map.h"

static bool keep_file(const char *path, const char *trace, struct error *error)
{
    struct str to = {0};
    str_printf(&to, "%s/objects%s", trace, path);
    char *slash = strrchr(to.data, '/');
    *slash = '\0';
    bool ok = file_make_directories(to.data, error);
    *slash = '/';
    if (ok && link(path, to.data) != 0 && errno != EEXIST)
        ok = error_system(error, "Can't make the link %s", to.data);
    str_release(&to);
    return ok;
}

/* Puts the file of the line of maps at `*line` into `name` (empty: none), and moves to the next
 * line. */
static void next_file(const char **line, struct str *name)
{
    size_t length = strcspn(*line, "\n");
    const char *path = memchr(*line, '/', length);
    str_clear(name);
    if (path)
        str_append_bytes(name, path, length - (size_t)(path - *line));
    *line += length + ((*line)[length] == '\n');
}

static bool keep_mapped(const char *maps, const char *tree, const char *trace, struct intern *seen,
                        struct error *error)
{
    struct str name = {0};
    bool ok = true;
    for (const char *line = maps; ok && line && *line;) {
        next_file(&line, &name);
        if (!name.length || !path_below(name.data, tree) || !file_exists(name.data) ||
            intern_find(seen, name.data) != INTERN_NONE)
            continue;
        intern_add(seen, name.data);
        ok = keep_file(name.data, trace, error);
    }
    str_release(&name);
    return ok;
}

bool kept_programs_save(const struct timelines *run, const char *tree, const char *trace,
                        struct error *error)
{
    struct intern seen = {0};
    bool ok = true;
    for (uint32_t i = 0; i < run->process_count && ok; i++) {
        const struct timeline_process *process = &run->processes[i];
        ok = keep_mapped(process->maps, tree, trace, &seen, error);
        for (uint32_t k = 0; k < process->earlier_count && ok; k++)
            ok = keep_mapped(process->earlier_maps[k], tree, trace, &seen, error);
    }
    intern_release(&seen);
    return ok;
}

static const char *maps_with_objects(struct arena *arena, const char *maps, const char *trace)
{
    struct str text = {0}, name = {0}, kept = {0};
    for (const char *line = maps; *line;) {
        const char *start = line;
        next_file(&line, &name);
        str_clear(&kept);
        str_printf(&kept, "%s/objects%s", trace, str_text(&name));
        if (name.length && file_exists(kept.data)) {
            str_append_bytes(
                &text, start,
                (size_t)((const char *)memchr(start, '/', (size_t)(line - start)) - start));
            str_printf(&text, "%s\n", kept.data);
        } else {
            str_append_bytes(&text, start, (size_t)(line - start));
        }
    }
    const char *copy = arena_strdup(arena, str_text(&text));
    str_release(&text);
    str_release(&name);
    str_release(&kept);
    return copy;
}

void kept_programs_use(struct timelines *run, const char *trace)
{
    struct str objects = {0};
    str_printf(&objects, "%s/objects", trace);
    for (uint32_t i = 0; file_exists(objects.data) && i < run->process_count; i++) {
        struct timeline_process *process = &run->processes[i];
        if (process->maps)
            process->maps = maps_with_objects(&run->arena, process->maps, trace);
        for (uint32_t k = 0; k < process->earlier_count; k++)
            process->earlier_maps[k] =
                maps_with_objects(&run->arena, process->earlier_maps[k], trace);
    }
    str_release(&objects);
}
