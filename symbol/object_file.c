#include "symbol/object_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"

enum { MOST_ID = 2 * 64, MOST_NAME = 512 };

struct object_file {
    const char *path, *copy; /* "": there is no copy */
    const char *build_id;    /* hexadecimal digits; "-": it has none */
    uint64_t inode, bytes, written_s, written_ns;
    bool looked;
    const char *found;
};

struct object_files {
    struct arena arena;
    struct object_file *items;
    size_t count, capacity;
};

struct object_files *object_files_open(void)
{
    return memory_zeroed(sizeof(struct object_files));
}

void object_files_close(struct object_files *files)
{
    if (!files)
        return;
    arena_release(&files->arena);
    memory_free(files->items);
    memory_free(files);
}

/* ---- what is told ---- */

static const char *copy_of(struct object_files *files, const char *folder, const char *name)
{
    struct str path = {0};
    if (strcmp(name, "-") != 0)
        path_join(&path, folder, name);
    const char *kept = arena_strdup(&files->arena, str_text(&path));
    str_release(&path);
    return kept;
}

static void add_line(struct object_files *files, const char *line, size_t length,
                     const char *folder)
{
    struct object_file file = {0};
    char id[MOST_ID + 1], copy[MOST_NAME + 1];
    int at = 0;
    char *own = memory_zeroed(length + 1);
    memcpy(own, line, length);
    if (sscanf(own, "%" SCNu64 " %" SCNu64 " %" SCNu64 ".%" SCNu64 " %128s %512s %n", &file.inode,
               &file.bytes, &file.written_s, &file.written_ns, id, copy, &at) == 6 &&
        at > 0 && own[at]) {
        file.path = arena_strdup(&files->arena, own + at);
        file.build_id = arena_strdup(&files->arena, id);
        file.copy = copy_of(files, folder, copy);
        VEC_PUSH(files->items, files->count, files->capacity) = file;
    }
    memory_free(own);
}

void object_files_add(struct object_files *files, const char *text, const char *folder)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        add_line(files, text, length, folder);
        text += length + (text[length] == '\n');
    }
}

/* ---- what is there ---- */

static bool has_build_id(Elf *elf, const char *expected)
{
    const void *id = NULL;
    struct str text = {0};
    ssize_t length = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
    for (ssize_t i = 0; i < length; i++)
        str_printf(&text, "%02x", ((const unsigned char *)id)[i]);
    bool same = length > 0 && strcmp(text.data, expected) == 0;
    str_release(&text);
    return same;
}

static bool is_same_build(const char *path, const char *expected)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool same = has_build_id(elf, expected);
    elf_end(elf);
    close(fd);
    return same;
}

static bool is_same(const struct object_file *file)
{
    struct stat is;
    if (stat(file->path, &is) != 0 || !S_ISREG(is.st_mode))
        return false;
    if (file->inode == is.st_ino && file->bytes == (uint64_t)is.st_size &&
        file->written_s == (uint64_t)is.st_mtim.tv_sec &&
        file->written_ns == (uint64_t)is.st_mtim.tv_nsec)
        return true;
    return *file->build_id != '-' && is_same_build(file->path, file->build_id);
}

bool object_files_find(struct object_files *files, const char *path, uint64_t inode,
                       const char **found)
{
    *found = NULL;
    bool known = false;
    for (size_t i = 0; i < files->count && !*found; i++) {
        struct object_file *file = &files->items[i];
        if (file->inode != inode || strcmp(file->path, path) != 0)
            continue;
        if (!file->looked)
            file->found = is_same(file)                            ? file->path
                          : *file->copy && file_exists(file->copy) ? file->copy
                                                                   : NULL;
        file->looked = known = true;
        *found = file->found;
    }
    return known;
}
