#include "sampler/object_set.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static struct unwind_object *add(struct object_set *set, struct unwind_object *object)
{
    VEC_PUSH(set->items, set->count, set->capacity) = object;
    return object;
}

/* ---- files ---- */

/* -1: it is none, or not the one that is mapped. Only a regular file may be opened: to open a device
 * may do something. */
static int open_file(const char *path, uint64_t inode, struct stat *is)
{
    if (stat(path, is) != 0 || !S_ISREG(is->st_mode) || (inode && is->st_ino != inode))
        return -1;
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

static bool is_program(pid_t pid, const char *path)
{
    char link[64], to[4096];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
    ssize_t length = readlink(link, to, sizeof to - 1);
    return length > 0 && (size_t)length >= strlen(path) && strncmp(to, path, strlen(path)) == 0;
}

static int open_map(pid_t pid, const struct process_map *map, struct stat *is)
{
    char path[4224];
    snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, map->begin,
             map->end);
    int fd = open_file(path, 0, is);
    if (fd < 0 && is_program(pid, map->path)) {
        snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
        fd = open_file(path, map->inode, is);
    }
    if (fd < 0) {
        snprintf(path, sizeof path, "/proc/%d/root%s", (int)pid, map->path);
        fd = open_file(path, map->inode, is);
    }
    return fd < 0 ? open_file(map->path, map->inode, is) : fd;
}

static struct unwind_object *lost(struct object_set *set, const char *path)
{
    uint64_t *known = hash_map_put(&set->of_lost, intern_add(&set->lost, path));
    if (!*known) {
        add(set, unwind_object_open(-1, path));
        *known = set->count;
    }
    return set->items[*known - 1];
}

static struct unwind_object *of_file(struct object_set *set, pid_t pid,
                                     const struct process_map *map)
{
    struct stat is;
    int fd = open_map(pid, map, &is);
    if (fd < 0)
        return lost(set, map->path);
    struct file_identity file = file_identity_of(&is);
    uint64_t *known = hash_map_put(&set->of_file, hash_bytes(&file, sizeof file));
    if (!*known) {
        add(set, unwind_object_open(fd, map->path))->file = file;
        *known = set->count;
    }
    close(fd);
    return set->items[*known - 1];
}

/* ---- what is no file ---- */

/* All programs of this machine have the same one from the kernel as this one. */
static struct unwind_object *vdso(struct object_set *set, const struct process_map *map)
{
    char *image = (char *)getauxval(AT_SYSINFO_EHDR);
    if (!set->vdso)
        set->vdso =
            add(set, image ? unwind_object_open_image(image, map->end - map->begin, "[vdso]")
                           : unwind_object_open(-1, "[vdso]"));
    return set->vdso;
}

/* Code that was made as the program ran has frame pointers, or nothing. */
static struct unwind_object *anonymous(struct object_set *set)
{
    if (!set->anonymous) {
        set->anonymous = add(set, unwind_object_open(-1, "[anonymous]"));
        set->anonymous->gone = false;
    }
    return set->anonymous;
}

struct unwind_object *object_set_unknown(struct object_set *set)
{
    if (!set->unknown)
        set->unknown = add(set, unwind_object_open(-1, "[unknown]"));
    return set->unknown;
}

void object_set_place(struct object_set *set, pid_t pid, struct process_map *map)
{
    uint64_t address;
    if (map->object)
        return;
    map->object = strcmp(map->path, "[vdso]") == 0 ? vdso(set, map)
                  : map->inode                     ? of_file(set, pid, map)
                                                   : anonymous(set);
    map->placed = unwind_object_address(map->object, map->offset, &address);
    map->bias = map->placed ? map->begin - address : 0;
}

void object_set_release(struct object_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        unwind_object_close(set->items[i]);
    memory_free(set->items);
    hash_map_release(&set->of_file);
    hash_map_release(&set->of_lost);
    intern_release(&set->lost);
    intern_release(&set->paths);
    *set = (struct object_set){0};
}
