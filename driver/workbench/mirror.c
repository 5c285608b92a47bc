#include "driver/workbench/mirror.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"
#include "driver/workbench/process.h"

enum { STEP_BYTES = 16 << 20 };

/* Folders still to be copied, as paths below the root: "" first. */
struct mirror {
    const char *source;
    const char *exclude;
    const char *tree;
    struct mirror_left *left;
    mode_t hidden;                    /* the umask */
    const struct mirror_fresh *fresh; /* the tree is there; NULL: it is made */
    bool stale;
    char **pending;
    size_t count;
    size_t capacity;
};

/* The data is copied, or the result says what failed; errno tells why. */
enum copied { COPIED, CANT_READ, CANT_WRITE, STOPPED };

/* A copy across file systems, or with an old kernel, is made by hand. */
static enum copied copy_by_hand(int from, int to, off_t at, size_t size)
{
    static char buffer[65536];
    for (size_t done = 0; done < size;) {
        size_t part = size - done < sizeof buffer ? size - done : sizeof buffer;
        ssize_t got = pread(from, buffer, part, at + (off_t)done);
        if (got < 0)
            return CANT_READ;
        if (got == 0)
            return COPIED; /* it has become shorter */
        if (pwrite(to, buffer, (size_t)got, at + (off_t)done) != got)
            return CANT_WRITE;
        done += (size_t)got;
    }
    return COPIED;
}

/* A file is copied a step at a time, so that Ctrl-C is heeded in the middle of a large one. */
static enum copied copy_step(int from, int to, off_t at, size_t size)
{
    off_t in = at, out = at;
    for (size_t left = size; left > 0;) {
        ssize_t moved = copy_file_range(from, &in, to, &out, left, 0);
        if (moved < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
            return CANT_WRITE;
        if (moved <= 0)
            return copy_by_hand(from, to, in, left);
        left -= (size_t)moved;
    }
    return COPIED;
}

static enum copied copy_data(int from, int to, off_t at, off_t end)
{
    enum copied copied = COPIED;
    for (; at < end && copied == COPIED; at += STEP_BYTES) {
        if (process_interrupted())
            return STOPPED;
        copied = copy_step(from, to, at, (size_t)(end - at < STEP_BYTES ? end - at : STEP_BYTES));
    }
    return copied;
}

/* Copies share their blocks where the file system can do that, else all is copied that is no hole.
 * A file system that knows of no holes says that all is data, or nothing (EINVAL). */
static enum copied copy_bytes(int from, int to, off_t size)
{
    if (size == 0 || ioctl(to, FICLONE, from) == 0)
        return COPIED;
    if (ftruncate(to, size) != 0)
        return CANT_WRITE;
    enum copied copied = COPIED;
    off_t at = 0;
    while (copied == COPIED && (at = lseek(from, at, SEEK_DATA)) >= 0 && at < size) {
        off_t end = lseek(from, at, SEEK_HOLE);
        end = end > at && end < size ? end : size;
        copied = copy_data(from, to, at, end);
        at = end;
    }
    if (at < 0 && errno == EINVAL)
        return copy_data(from, to, 0, size);
    return at < 0 && errno != ENXIO ? CANT_READ : copied;
}

/* A file that can't be read is left out, and named: the build may not need it. */
static bool leave_unread(struct mirror *mirror, const char *below)
{
    if (errno != ENOENT)
        str_printf(&mirror->left->unread, "%s%s (%s)", mirror->left->unread.length ? ", " : "",
                   below, strerror(errno));
    return true;
}

static bool finish_file(const struct mirror *mirror, int out, const struct stat *status)
{
    struct timespec times[2] = {status->st_atim, status->st_mtim};
    return fchmod(out, status->st_mode & 0777 & ~mirror->hidden) == 0 && futimens(out, times) == 0;
}

static bool copy_opened(struct mirror *mirror, int in, const struct stat *status, const char *below,
                        const char *to, struct error *error)
{
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    enum copied copied = out >= 0 ? copy_bytes(in, out, status->st_size) : CANT_WRITE;
    if (copied == COPIED && !finish_file(mirror, out, status))
        copied = CANT_WRITE;
    bool ok = copied == COPIED;
    if (copied == CANT_READ) {
        ok = leave_unread(mirror, below);
        unlink(to);
    } else if (copied == STOPPED) {
        error_set(error, ERROR_STOPPED, "Interrupted. Nothing of yours was changed.");
    } else if (!ok) {
        error_system(error, "Can't copy %s to %s", below, to);
    }
    if (out >= 0)
        close(out);
    return ok;
}

static bool same_text(const char *a, const char *b)
{
    struct str one = {0}, other = {0};
    struct error ignored;
    bool same = file_read(&one, a, &ignored) && file_read(&other, b, &ignored) &&
                one.length == other.length &&
                memcmp(str_text(&one), str_text(&other), one.length) == 0;
    str_release(&one);
    str_release(&other);
    return same;
}

/* Tells whether the copy is to be made anew. Where a copy has probes in it, its text before them is
 * looked at: another one makes the whole tree stale. */
static bool is_changed(struct mirror *mirror, const char *below, const char *from, const char *to,
                       const struct stat *status)
{
    struct str pristine = {0};
    struct stat copy;
    if (!mirror->fresh)
        return true;
    path_join(&pristine, mirror->fresh->pristine, below);
    bool probed = file_exists(pristine.data), there = lstat(to, &copy) == 0;
    bool touched = status->st_ctim.tv_sec >= mirror->fresh->since;
    if (touched && probed && !same_text(from, pristine.data))
        mirror->stale = true;
    bool same = there && copy.st_size == status->st_size &&
                copy.st_mtim.tv_sec == status->st_mtim.tv_sec &&
                copy.st_mtim.tv_nsec == status->st_mtim.tv_nsec;
    bool changed = touched && !probed && !same;
    if (changed)
        unlink(to);
    str_release(&pristine);
    return changed;
}

/* The file may have been exchanged for a link or a pipe since it was looked at. */
static bool copy_file(struct mirror *mirror, const char *below, const char *from, const char *to,
                      struct error *error)
{
    struct stat status;
    int in = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0)
        return leave_unread(mirror, below);
    bool ok = fstat(in, &status) != 0 || !S_ISREG(status.st_mode) ||
              !is_changed(mirror, below, from, to, &status) ||
              copy_opened(mirror, in, &status, below, to, error);
    close(in);
    return ok;
}

/* The copy of the link `from` must name what means the same place, or that one's copy. */
static void aim_link(const struct mirror *mirror, const char *from, const char *target,
                     struct str *aim)
{
    struct str folder = {0}, place = {0};
    str_append_bytes(&folder, from, (size_t)(strrchr(from, '/') - from));
    path_join(&place, folder.data, target);
    const char *inside = path_below(place.data, mirror->source);
    bool whole = strcmp(place.data, mirror->source) == 0;
    if (target[0] != '/' && (inside || whole))
        str_append(aim, target);
    else if (inside)
        path_join(aim, mirror->tree, inside);
    else
        str_append(aim, whole ? mirror->tree : place.data);
    str_release(&folder);
    str_release(&place);
}

static bool copy_link(const struct mirror *mirror, const char *from, const char *to,
                      struct error *error)
{
    char target[PATH_MAX];
    ssize_t length = readlink(from, target, sizeof target - 1);
    if (length < 0)
        return error_system(error, "Can't read the link %s", from);
    target[length] = '\0';
    struct str aim = {0};
    aim_link(mirror, from, target, &aim);
    bool ok = symlink(aim.data, to) == 0 || (mirror->fresh && errno == EEXIST);
    if (!ok)
        error_system(error, "Can't make the link %s", to);
    str_release(&aim);
    return ok;
}

static bool copy_entry(struct mirror *mirror, const char *below, struct error *error)
{
    struct str from = {0}, to = {0};
    path_join(&from, mirror->source, below);
    path_join(&to, mirror->tree, below);
    struct stat status;
    bool ok = true;
    if (strcmp(from.data, mirror->exclude) == 0)
        ;
    else if (lstat(from.data, &status) != 0)
        ok = leave_unread(mirror, below);
    else if (S_ISDIR(status.st_mode))
        VEC_PUSH(mirror->pending, mirror->count, mirror->capacity) = memory_strdup(below);
    else if (S_ISREG(status.st_mode))
        ok = copy_file(mirror, below, from.data, to.data, error);
    else if (S_ISLNK(status.st_mode))
        ok = copy_link(mirror, from.data, to.data, error);
    str_release(&from);
    str_release(&to);
    return ok;
}

static bool copy_entries(struct mirror *mirror, const char *below, DIR *folder, struct error *error)
{
    struct str path = {0};
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        str_clear(&path);
        str_printf(&path, "%s%s%s", below, *below ? "/" : "", entry->d_name);
        ok = copy_entry(mirror, path.data, error);
        if (ok && process_interrupted())
            ok = error_set(error, ERROR_STOPPED, "Interrupted. Nothing of yours was changed.");
    }
    str_release(&path);
    return ok;
}

/* A build folder of CMake or Meson is full of absolute paths: a build in its copy would write to
 * the user's tree. */
static bool is_configured(const char *folder)
{
    static const char *const signs[] = {"CMakeCache.txt", "meson-private"};
    struct str path = {0};
    bool found = false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs && !found; i++) {
        path_join(&path, folder, signs[i]);
        found = file_exists(path.data);
    }
    str_release(&path);
    return found;
}

static bool leave_out(struct mirror *mirror, const char *below, struct error *error)
{
    if (!*below)
        return error_set(error, ERROR_USAGE,
                         "%s was configured in place (it holds a CMakeCache.txt): its build would "
                         "write there and not into the copy. Remove CMakeCache.txt and CMakeFiles, "
                         "and let the build script use a build folder: cmake -S . -B build.",
                         mirror->source);
    str_printf(&mirror->left->configured, "%s%s", mirror->left->configured.length ? ", " : "",
               below);
    return true;
}

static bool copy_folder(struct mirror *mirror, const char *below, struct error *error)
{
    struct str from = {0}, to = {0};
    path_join(&from, mirror->source, below);
    path_join(&to, mirror->tree, below);
    if (is_configured(from.data)) {
        bool left = leave_out(mirror, below, error);
        str_release(&from);
        str_release(&to);
        return left;
    }
    struct stat status;
    DIR *folder = opendir(from.data);
    bool ok = folder && fstat(dirfd(folder), &status) == 0;
    bool unread = !ok && *below && leave_unread(mirror, below);
    if (!ok)
        error_system(error, "Can't read the folder %s", from.data);
    if (ok && mkdir(to.data, (status.st_mode & 0777) | S_IRWXU) != 0 &&
        !(mirror->fresh && errno == EEXIST))
        ok = error_system(error, "Can't make the folder %s", to.data);
    ok = ok && copy_entries(mirror, below, folder, error);
    if (folder)
        closedir(folder);
    str_release(&from);
    str_release(&to);
    return ok || unread;
}

void mirror_left_release(struct mirror_left *left)
{
    str_release(&left->configured);
    str_release(&left->unread);
}

static bool copy_all(struct mirror *mirror, struct error *error)
{
    bool ok = true;
    mirror->hidden = file_umask();
    VEC_PUSH(mirror->pending, mirror->count, mirror->capacity) = memory_strdup("");
    while (mirror->count > 0) {
        char *below = mirror->pending[--mirror->count];
        ok = ok && copy_folder(mirror, below, error);
        memory_free(below);
    }
    memory_free(mirror->pending);
    return ok;
}

bool mirror_copy(const char *source, const char *exclude, const char *tree,
                 struct mirror_left *left, struct error *error)
{
    struct mirror mirror = {.source = source, .exclude = exclude, .tree = tree, .left = left};
    return copy_all(&mirror, error);
}

bool mirror_freshen(const char *source, const char *exclude, const char *tree,
                    const struct mirror_fresh *fresh, bool *stale, struct error *error)
{
    struct mirror_left left = {0};
    struct mirror mirror = {
        .source = source, .exclude = exclude, .tree = tree, .left = &left, .fresh = fresh};
    bool ok = copy_all(&mirror, error);
    *stale = mirror.stale;
    mirror_left_release(&left);
    return ok;
}

static int touch_source(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".c++"};
    (void)status, (void)place;
    for (size_t i = 0; kind == FTW_F && i < sizeof endings / sizeof *endings; i++)
        if (str_ends_with(path, endings[i]))
            return utimensat(AT_FDCWD, path, NULL, 0);
    return 0;
}

bool mirror_touch_sources(const char *tree, struct error *error)
{
    if (nftw(tree, touch_source, 32, FTW_PHYS) == 0)
        return true;
    return error_system(error, "Can't make the source files in %s new", tree);
}
