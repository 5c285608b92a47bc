#include "sampler/process_maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sampler/unwind_object.h"

/* Texts of maps that are kept for names of what is unloaded again. */
enum { MOST_EARLIER = 16 };

static void read_text(struct str *text, pid_t pid)
{
    char path[64], part[4096];
    size_t got;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && (got = fread(part, 1, sizeof part, file)) > 0)
        str_append_bytes(text, part, got);
    if (file)
        fclose(file);
}

/* A file that is gone is told so behind its name. */
static char *path_of(struct arena *arena, const char *path, size_t length)
{
    static const char gone[] = " (deleted)";
    size_t suffix = sizeof gone - 1;
    if (length > suffix && memcmp(path + length - suffix, gone, suffix) == 0)
        length -= suffix;
    return arena_strndup(arena, path, length);
}

static void add_line(struct process_maps *maps, const char *line, size_t length)
{
    struct process_map map = {0};
    char execute;
    int path = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64 " %*s %" SCNu64 " %n",
               &map.begin, &map.end, &execute, &map.offset, &map.inode, &path) < 5 ||
        execute != 'x')
        return;
    size_t at = path > 0 && (size_t)path < length ? (size_t)path : length;
    map.path = path_of(&maps->arena, line + at, length - at);
    VEC_PUSH(maps->items, maps->count, maps->capacity) = map;
}

static void add_lines(struct process_maps *maps)
{
    for (const char *line = maps->text.data; line && *line;) {
        const char *end = strchr(line, '\n');
        add_line(maps, line, end ? (size_t)(end - line) : strlen(line));
        line = end ? end + 1 : NULL;
    }
}

static bool is_same(const struct process_map *a, const struct process_map *b)
{
    return a->begin == b->begin && a->end == b->end && a->offset == b->offset &&
           a->inode == b->inode && strcmp(a->path, b->path) == 0;
}

/* What was found of a map that is still there is kept. False: a file of before is there no more. */
static bool keep_found(struct process_maps *maps, const struct process_map *before, size_t count)
{
    size_t kept = 0, of_files = 0;
    for (size_t i = 0; i < count; i++) {
        struct process_map *now = process_maps_find(maps, before[i].begin);
        of_files += before[i].inode != 0;
        if (!now || !is_same(&before[i], now))
            continue;
        kept += before[i].inode != 0;
        now->object = before[i].object;
        now->bias = before[i].bias;
        now->placed = before[i].placed;
    }
    return kept == of_files;
}

static void replace(struct process_maps *maps, struct str text)
{
    struct process_map *before = maps->items;
    struct arena paths = maps->arena;
    struct str old = maps->text;
    size_t count = maps->count;
    maps->items = NULL;
    maps->count = maps->capacity = 0;
    maps->arena = (struct arena){0};
    maps->text = text;
    add_lines(maps);
    bool all_there = keep_found(maps, before, count) && !maps->covered;
    maps->covered = false;
    if (!all_there && old.length && maps->earlier_count < MOST_EARLIER)
        VEC_PUSH(maps->earlier, maps->earlier_count, maps->earlier_capacity) = old;
    else
        str_release(&old);
    memory_free(before);
    arena_release(&paths);
}

bool process_maps_read(struct process_maps *maps)
{
    struct str text = {0};
    read_text(&text, maps->pid);
    maps->read_ns = clock_ns();
    if (!text.length)
        return false;
    maps->changed = false;
    replace(maps, text);
    return true;
}

void process_maps_copy(struct process_maps *maps, const struct process_maps *maker)
{
    process_maps_forget(maps, 0, UINT64_MAX);
    for (size_t i = 0; i < maker->count; i++) {
        struct process_map map = maker->items[i];
        map.path = arena_strdup(&maps->arena, map.path);
        VEC_PUSH(maps->items, maps->count, maps->capacity) = map;
    }
}

void process_maps_add(struct process_maps *maps, struct process_map map)
{
    size_t at = 0;
    process_maps_forget(maps, map.begin, map.end);
    while (at < maps->count && maps->items[at].begin < map.begin)
        at++;
    map.path = *map.path ? arena_strdup(&maps->arena, map.path) : "";
    VEC_PUSH(maps->items, maps->count, maps->capacity) = map;
    memmove(maps->items + at + 1, maps->items + at, (maps->count - 1 - at) * sizeof *maps->items);
    maps->items[at] = map;
}

/* Who reads such a text takes the first line of a file for where the file's first byte is. What is no file
 * has no number, and the name that the kernel gives it, or none. */
static void append_line(struct str *text, const struct process_map *map)
{
    uint64_t begin = map->inode ? map->begin - map->offset : map->begin;
    if (map->placed && map->inode)
        begin = map->bias + map->object->first_address;
    str_printf(text, "%" PRIx64 "-%" PRIx64 " r-xp 00000000 00:00 %" PRIu64 " %s\n", begin,
               map->end, map->inode, map->path);
}

const char *process_maps_text(struct process_maps *maps)
{
    struct str told = {0};
    if (!maps->changed)
        return str_text(&maps->text);
    for (size_t i = 0; i < maps->count; i++)
        append_line(&told, &maps->items[i]);
    if (maps->text.length)
        VEC_PUSH(maps->earlier, maps->earlier_count, maps->earlier_capacity) = maps->text;
    maps->text = told;
    maps->changed = false;
    return str_text(&maps->text);
}

struct process_map *process_maps_find(struct process_maps *maps, uint64_t address)
{
    size_t low = 0, high = maps->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (maps->items[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < maps->count && maps->items[low].begin <= address ? &maps->items[low] : NULL;
}

void process_maps_forget(struct process_maps *maps, uint64_t begin, uint64_t end)
{
    size_t kept = 0;
    for (size_t i = 0; i < maps->count; i++)
        if (maps->items[i].end <= begin || maps->items[i].begin >= end)
            maps->items[kept++] = maps->items[i];
        else
            maps->covered |= maps->items[i].inode != 0;
    maps->count = kept;
    maps->changed = true;
}

void process_maps_release(struct process_maps *maps)
{
    for (size_t i = 0; i < maps->earlier_count; i++)
        str_release(&maps->earlier[i]);
    memory_free(maps->earlier);
    memory_free(maps->items);
    str_release(&maps->text);
    arena_release(&maps->arena);
    *maps = (struct process_maps){0};
}
