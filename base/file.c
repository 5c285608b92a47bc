#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static mode_t file_mode_ = 0600, folder_mode_ = 0700;

unsigned file_umask(void)
{
    mode_t hidden = umask(0);
    umask(hidden);
    return hidden;
}

void file_let_others_read(void)
{
    file_mode_ = 0666 & ~file_umask();
    folder_mode_ = 0777 & ~file_umask();
}

size_t file_map_room(size_t size_bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size_bytes + page - 1) / page * page + page;
}

static void *map_with_room(int fd, size_t size_bytes)
{
    size_t room = file_map_room(size_bytes);
    void *data = mmap(NULL, room, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data != MAP_FAILED &&
        mmap(data, size_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) {
        munmap(data, room);
        data = MAP_FAILED;
    }
    return data;
}

bool file_map_open(struct file_map *map, const char *path, struct error *error)
{
    *map = (struct file_map){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_system(error, "Can't open %s", path);
    struct stat status;
    bool ok = fstat(fd, &status) == 0;
    if (ok && status.st_size > 0) {
        void *data = map_with_room(fd, (size_t)status.st_size);
        ok = data != MAP_FAILED;
        if (ok)
            *map = (struct file_map){data, (size_t)status.st_size};
    }
    if (!ok)
        error_system(error, "Can't read %s", path);
    close(fd);
    return ok;
}

void file_map_close(struct file_map *map)
{
    if (map->data)
        munmap((void *)(uintptr_t)map->data, file_map_room(map->size_bytes));
    *map = (struct file_map){0};
}

bool file_read(struct str *text, const char *path, struct error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_system(error, "Can't open %s", path);
    char buffer[65536];
    ssize_t got;
    while ((got = read(fd, buffer, sizeof buffer)) > 0)
        str_append_bytes(text, buffer, (size_t)got);
    if (got < 0)
        error_system(error, "Can't read %s", path);
    close(fd);
    return got == 0;
}

static bool write_all(int fd, const char *data, size_t size_bytes)
{
    while (size_bytes > 0) {
        ssize_t put = write(fd, data, size_bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        data += put;
        size_bytes -= (size_t)put;
    }
    return true;
}

bool file_write(const char *path, const char *data, size_t size_bytes, struct error *error)
{
    struct str fresh = {0};
    str_printf(&fresh, "%s.new-XXXXXX", path);
    int fd = mkostemp(fresh.data, O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, data, size_bytes) && fchmod(fd, file_mode_) == 0;
    if (fd >= 0)
        ok = close(fd) == 0 && ok;
    ok = ok && rename(fresh.data, path) == 0;
    if (!ok) {
        error_system(error, "Can't write %s", path);
        if (fd >= 0)
            unlink(fresh.data);
    }
    str_release(&fresh);
    return ok;
}

static bool is_ours(const struct stat *status)
{
    return status->st_uid == geteuid() || status->st_uid == 0;
}

/* A device or a link of one's own (/dev/stdout) is written to; the kernel is asked for the mode
 * first, so that there is no moment in which others may read. */
int file_create(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, file_mode_);
    if (fd >= 0 || errno != EEXIST)
        return fd;
    if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode) && !is_ours(&status)) {
        errno = ELOOP;
        return -1;
    }
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, file_mode_);
}

/* Others may make files in a folder like /tmp, but not exchange ours there. */
bool file_is_own_folder(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && is_ours(&status) &&
           (!(status.st_mode & S_IWOTH) || status.st_mode & S_ISVTX);
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

int file_make_folder(const char *path)
{
    return mkdir(path, folder_mode_);
}

bool file_make_directories(const char *path, struct error *error)
{
    struct str part = {0};
    str_append(&part, path);
    bool ok = true;
    for (char *slash = part.data + 1; ok; slash++) {
        slash = strchr(slash, '/');
        if (slash)
            *slash = '\0';
        if (file_make_folder(part.data) != 0 && errno != EEXIST)
            ok = error_system(error, "Can't make the folder %s", part.data);
        if (!slash)
            break;
        *slash = '/';
    }
    str_release(&part);
    return ok;
}

bool file_make_temporary(struct str *path, struct error *error)
{
    const char *where = getenv("TMPDIR");
    str_clear(path);
    str_printf(path, "%s/vprofiler-XXXXXX", where && *where ? where : "/tmp");
    if (mkdtemp(path->data))
        return true;
    error_system(error, "Can't make the folder %s", path->data);
    str_clear(path);
    return false;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

bool file_remove_tree(const char *path, struct error *error)
{
    if (nftw(path, remove_entry, 32, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT)
        return true;
    return error_system(error, "Can't remove %s", path);
}

/* The part is appended as "/part", or takes one part away if it is "..". */
static void path_append_part(struct str *path, const char *part, size_t length)
{
    if (length == 0 || (length == 1 && part[0] == '.'))
        return;
    if (length == 2 && part[0] == '.' && part[1] == '.') {
        while (path->length > 0 && path->data[--path->length] != '/')
            ;
        if (path->data)
            path->data[path->length] = '\0';
        return;
    }
    str_append_char(path, '/');
    str_append_bytes(path, part, length);
}

static void path_append_parts(struct str *path, const char *parts)
{
    while (*parts) {
        size_t length = strcspn(parts, "/");
        path_append_part(path, parts, length);
        parts += length + (parts[length] == '/');
    }
}

void path_join(struct str *path, const char *directory, const char *relative)
{
    str_clear(path);
    if (relative[0] != '/')
        path_append_parts(path, directory);
    path_append_parts(path, relative);
    if (path->length == 0)
        str_append_char(path, '/');
}

const char *path_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* An empty part of PATH is the present folder. */
void path_of_program(struct str *path, const char *name)
{
    const char *folders = strchr(name, '/') ? NULL : getenv("PATH");
    for (const char *at = folders; at; at = *at ? at + 1 : NULL) {
        size_t length = strcspn(at, ":");
        str_clear(path);
        str_printf(path, "%.*s/%s", length ? (int)length : 1, length ? at : ".", name);
        if (is_program(path->data))
            return;
        at += length;
    }
    str_clear(path);
    str_append(path, name);
}

const char *path_below(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    if (strncmp(path, directory, length) != 0 || path[length] != '/')
        return NULL;
    return path + length + 1;
}
