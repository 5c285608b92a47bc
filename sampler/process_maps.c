#include "sampler/process_maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mapped_path.h"
#include "base/memory.h"
#include "sampler/unwind_object.h"

/* So many that are gone are kept: events of processors are read within some ms of each other. */
enum { MOST_GONE = 64 };
/* No process has addresses beyond 2^48 but one that asks for them (Documentation/arch/x86/x86_64/5level-paging.rst). */
enum { TOLD_SHIFT = 48, MOST_SHIFTED = 0x7fff };

/* ---- one map ---- */

static bool lies_in(const struct process_map *map, uint64_t address)
{
    return map->begin <= address && address < map->end;
}

static bool overlaps(const struct process_map *map, uint64_t begin, uint64_t end)
{
    return map->begin < end && begin < map->end;
}

static bool is_same(const struct process_map *a, const struct process_map *b)
{
    return a->begin == b->begin && a->end == b->end && a->offset == b->offset &&
           a->inode == b->inode && strcmp(a->path, b->path) == 0;
}

/* Both are of one file that lies at one place; or memory of no file, whose code has no names of its own. */
static bool means_the_same(const struct process_map *a, const struct process_map *b)
{
    bool of_files = a->inode && b->inode;
    return a->inode == b->inode && strcmp(a->path, b->path) == 0 &&
           (!of_files || a->begin - a->offset == b->begin - b->offset);
}

static void add_gone(struct process_maps *maps, const struct process_map *map, uint64_t until_ns)
{
    struct process_map gone = *map;
    gone.until_ns = until_ns;
    if (maps->gone_count < MOST_GONE)
        VEC_PUSH(maps->gone, maps->gone_count, maps->gone_capacity) = gone;
    else
        maps->gone[maps->gone_all % MOST_GONE] = gone;
    maps->gone_all++;
}

/* ---- the text ---- */

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

static const char *kept_path(struct process_maps *maps, const char *path)
{
    uint32_t number = intern_add(maps->paths, path);
    return maps->paths->text[number];
}

/* A file that is gone is told so behind its name. */
static const char *path_of(struct process_maps *maps, const char *path, size_t length)
{
    struct str text = {0};
    str_append_bytes(&text, path, mapped_path_length(path, length));
    const char *kept = kept_path(maps, str_text(&text));
    str_release(&text);
    return kept;
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
    map.path = path_of(maps, line + at, length - at);
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

static struct process_map *find_now(const struct process_maps *maps, uint64_t address)
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

/* What was there before is gone, at the latest now; and what is there in its place came then. */
static void replace_one(struct process_maps *maps, const struct process_map *before)
{
    add_gone(maps, before, maps->read_ns);
    for (size_t i = 0; i < maps->count; i++)
        if (overlaps(&maps->items[i], before->begin, before->end))
            maps->items[i].since_ns = maps->read_ns;
}

static void replace(struct process_maps *maps, struct str text)
{
    struct process_map *before = maps->items;
    size_t count = maps->count;
    str_release(&maps->text);
    maps->items = NULL;
    maps->count = maps->capacity = 0;
    maps->text = text;
    add_lines(maps);
    for (size_t i = 0; i < count; i++) {
        struct process_map *now = find_now(maps, before[i].begin);
        if (now && is_same(&before[i], now))
            *now = before[i];
        else
            replace_one(maps, &before[i]);
    }
    memory_free(before);
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

/* ---- what events tell ---- */

void process_maps_copy(struct process_maps *maps, const struct process_maps *maker)
{
    process_maps_forget(maps, 0, UINT64_MAX, 0);
    for (size_t i = 0; i < maker->count; i++) {
        struct process_map map = maker->items[i];
        map.used = false;
        map.told = map.since_ns = 0;
        VEC_PUSH(maps->items, maps->count, maps->capacity) = map;
    }
}

void process_maps_add(struct process_maps *maps, struct process_map map)
{
    size_t at = 0;
    struct process_map *now = find_now(maps, map.begin);
    if (now && is_same(now, &map))
        return;
    process_maps_forget(maps, map.begin, map.end, map.since_ns);
    while (at < maps->count && maps->items[at].begin < map.begin)
        at++;
    map.path = kept_path(maps, map.path);
    VEC_PUSH(maps->items, maps->count, maps->capacity) = map;
    memmove(maps->items + at + 1, maps->items + at, (maps->count - 1 - at) * sizeof *maps->items);
    maps->items[at] = map;
}

void process_maps_forget(struct process_maps *maps, uint64_t begin, uint64_t end, uint64_t time_ns)
{
    size_t kept = 0;
    for (size_t i = 0; i < maps->count; i++)
        if (!overlaps(&maps->items[i], begin, end))
            maps->items[kept++] = maps->items[i];
        else
            add_gone(maps, &maps->items[i], time_ns);
    maps->count = kept;
    maps->changed = true;
}

/* ---- who looks ---- */

struct process_map *process_maps_find(struct process_maps *maps, uint64_t address, uint64_t time_ns)
{
    struct process_map *now = find_now(maps, address), *gone = NULL;
    if (now && now->since_ns <= time_ns)
        return now;
    for (size_t i = 0; i < maps->gone_count; i++) {
        struct process_map *map = &maps->gone[i];
        bool then = map->since_ns <= time_ns && time_ns < map->until_ns;
        if (then && lies_in(map, address) && (!gone || map->since_ns > gone->since_ns))
            gone = map;
    }
    return gone ? gone : now;
}

/* What it is told as, and so all that lies there and means the same. */
static const struct process_map *used_as(struct process_maps *maps, const struct process_map *map)
{
    bool taken = false;
    for (size_t i = 0; i < maps->used_count; i++) {
        struct process_map *used = &maps->used[i];
        bool same = means_the_same(used, map);
        if (same && (map->inode || overlaps(used, map->begin, map->end))) {
            used->begin = map->begin < used->begin ? map->begin : used->begin;
            used->end = map->end > used->end ? map->end : used->end;
            return used;
        }
        taken |= !same && overlaps(used, map->begin, map->end);
    }
    VEC_PUSH(maps->used, maps->used_count, maps->used_capacity) = *map;
    struct process_map *added = &maps->used[maps->used_count - 1];
    if (taken && maps->shifted < MOST_SHIFTED)
        added->told = ++maps->shifted << TOLD_SHIFT;
    return added;
}

uint64_t process_maps_use(struct process_maps *maps, struct process_map *map)
{
    if (!map->used)
        map->told = used_as(maps, map)->told;
    map->used = true;
    return map->told;
}

/* ---- what is told ---- */

static bool is_told(const struct process_maps *maps, const struct process_map *used)
{
    const struct process_map *now = find_now(maps, used->begin);
    return !used->told && now && means_the_same(now, used);
}

/* Who reads such a text takes the first line of a file for where the file's first byte is. What is no file
 * has no number, and the name that the kernel gives it, or none. */
static void append_line(struct str *text, const struct process_map *map)
{
    uint64_t begin = map->inode ? map->begin - map->offset : map->begin, end = map->end;
    if (map->placed && map->inode) {
        begin = map->bias + map->object->first_address;
        end = map->bias + map->object->last_address;
    }
    str_printf(text, "%" PRIx64 "-%" PRIx64 " r-xp 00000000 00:00 %" PRIu64 " %s\n",
               begin + map->told, end + map->told, map->inode, map->path);
}

static int by_told(const void *a, const void *b)
{
    const struct process_map *p = a, *q = b;
    uint64_t first = p->begin + p->told, second = q->begin + q->told;
    return first < second ? -1 : first > second;
}

/* By address, as the kernel lists them. */
static void append_used(const struct process_maps *maps, struct str *text)
{
    size_t bytes = maps->used_count * sizeof *maps->used;
    if (!bytes)
        return;
    struct process_map *used = memcpy(memory_alloc(bytes), maps->used, bytes);
    qsort(used, maps->used_count, sizeof *used, by_told);
    for (size_t i = 0; i < maps->used_count; i++)
        append_line(text, &used[i]);
    memory_free(used);
}

bool process_maps_tell(const struct process_maps *maps, struct str *text)
{
    bool all = !maps->changed && maps->text.length;
    for (size_t i = 0; i < maps->used_count; i++)
        all = all && is_told(maps, &maps->used[i]);
    if (!all)
        append_used(maps, text);
    return !all;
}

void process_maps_release(struct process_maps *maps)
{
    memory_free(maps->items);
    memory_free(maps->gone);
    memory_free(maps->used);
    str_release(&maps->text);
    *maps = (struct process_maps){0};
}
