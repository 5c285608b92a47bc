#include "driver/workbench/workdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/workbench/given.h"

enum { NUMBERS = 1000000, LOOPS_WITH_TRACES = 20, LOCK_TRIES = 60, LOCK_PAUSE_NS = 100000000 };

bool workdir_holds(const char *out, const char *folder, const char *name)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", out, folder);
    bool there = file_is_own_folder(path.data);
    str_printf(&path, "/%s", name);
    there = there && file_exists(path.data);
    str_release(&path);
    return there;
}

/* Finds the greatest number of the folders that hold a file `name` (NULL: of all folders); 0 where
 * there is none. */
static unsigned greatest_number(const char *out, const char *name)
{
    unsigned greatest = 0;
    DIR *folder = opendir(out);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *end;
        unsigned long number = strtoul(entry->d_name, &end, 10);
        if (*end == '\0' && end != entry->d_name && number > greatest && number < NUMBERS &&
            (!name || workdir_holds(out, entry->d_name, name)))
            greatest = (unsigned)number;
    }
    if (folder)
        closedir(folder);
    return greatest;
}

static bool make_next(struct workdir *workdir, struct error *error)
{
    for (unsigned number = greatest_number(workdir->out.data, NULL) + 1;; number++) {
        str_clear(&workdir->root);
        str_printf(&workdir->root, "%s/%03u", workdir->out.data, number);
        workdir->number = number;
        if (file_make_folder(workdir->root.data) == 0)
            return true;
        if (errno != EEXIST)
            return error_system(error, "Can't make the folder %s", workdir->root.data);
    }
}

/* A vprofiler that was killed lets go of the lock when its command has ended, after two seconds at
 * the most. */
static bool take_lock(struct workdir *workdir, struct error *error)
{
    int lock = open(workdir->root.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        return error_system(error, "Can't open the folder %s", workdir->root.data);
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
            workdir->lock = lock;
            return true;
        }
        nanosleep(&(struct timespec){0, LOCK_PAUSE_NS}, NULL);
    }
    close(lock);
    return error_set(error, ERROR_USAGE,
                     "Another vprofiler works in %s. Wait until it is done, or stop it (Ctrl-C).",
                     workdir->root.data);
}

static bool find_out(struct workdir *workdir, const char *out, struct error *error)
{
    *workdir = (struct workdir){0};
    char *absolute = realpath(out, NULL);
    if (!absolute)
        return error_system(error, "Can't find the folder %s", out);
    str_append(&workdir->out, absolute);
    free(absolute);
    return given_is_own_folder(out, error);
}

static bool open_root(struct workdir *workdir, struct error *error)
{
    str_printf(&workdir->tree, "%s/tree", workdir->root.data);
    str_printf(&workdir->pristine, "%s/pristine", workdir->root.data);
    str_printf(&workdir->compile_log, "%s/" WORKDIR_COMPILE_LOG, workdir->root.data);
    return take_lock(workdir, error);
}

bool workdir_create(struct workdir *workdir, const char *out, struct error *error)
{
    char absolute[PATH_MAX];
    return given_results(out, absolute, error) && find_out(workdir, out, error) &&
           make_next(workdir, error) && open_root(workdir, error);
}

bool workdir_find(const char *out, const char *name, struct str *root)
{
    unsigned number = greatest_number(out, name);
    char *absolute = number ? realpath(out, NULL) : NULL;
    if (absolute)
        str_printf(root, "%s/%03u", absolute, number);
    free(absolute);
    return root->length > 0;
}

bool workdir_reopen(struct workdir *workdir, const char *out, const char *name, struct error *error)
{
    if (!find_out(workdir, out, error))
        return false;
    if (!workdir_find(workdir->out.data, name, &workdir->root))
        return error_set(error, ERROR_USAGE, "There is nothing to resume in %s.", out);
    workdir->number = greatest_number(workdir->out.data, name);
    return open_root(workdir, error);
}

bool workdir_round(const struct workdir *workdir, unsigned round, const char *name,
                   struct str *path, struct error *error)
{
    str_clear(path);
    str_printf(path, "%s/rounds/%02u", workdir->root.data, round);
    if (!file_make_directories(path->data, error))
        return false;
    str_printf(path, "/%s", name);
    return true;
}

bool workdir_keep(const struct workdir *workdir, struct error *error)
{
    struct str path = {0};
    path_join(&path, workdir->root.data, WORKDIR_KEPT);
    bool ok = file_write(path.data, "", 0, error);
    str_release(&path);
    return ok;
}

static bool remove_traces(const char *root)
{
    struct str rounds = {0}, trace = {0};
    struct error ignored;
    bool removed = false;
    str_printf(&rounds, "%s/rounds", root);
    DIR *folder = opendir(rounds.data);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        str_clear(&trace);
        str_printf(&trace, "%s/%s/trace", rounds.data, entry->d_name);
        if (entry->d_name[0] != '.' && file_is_own_folder(trace.data))
            removed = file_remove_tree(trace.data, &ignored) || removed;
    }
    if (folder)
        closedir(folder);
    str_release(&rounds);
    str_release(&trace);
    return removed;
}

void workdir_set_copy_aside(const char *root)
{
    struct str tree = {0}, removed = {0};
    struct error ignored;
    path_join(&tree, root, "tree");
    path_join(&removed, root, WORKDIR_REMOVED);
    if (file_is_own_folder(tree.data)) {
        file_remove_tree(removed.data, &ignored);
        rename(tree.data, removed.data);
    }
    str_release(&tree);
    str_release(&removed);
}

static void remove_copies(const char *root)
{
    static const char *const copies[] = {WORKDIR_REMOVED, "pristine", "tree"};
    struct str path = {0};
    struct error ignored;
    workdir_set_copy_aside(root);
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        path_join(&path, root, copies[i]);
        file_remove_tree(path.data, &ignored);
    }
    str_release(&path);
}

/* A folder that is in use is locked. A folder that is no loop's is the user's own recording. */
static bool tidy_one(const struct workdir *workdir, const char *name, bool old)
{
    struct str root = {0};
    bool removed = false;
    path_join(&root, workdir->out.data, name);
    int lock = open(root.data, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) {
        remove_copies(root.data);
        removed = old && remove_traces(root.data);
    }
    if (lock >= 0)
        close(lock);
    str_release(&root);
    return removed;
}

unsigned workdir_latest(const char *out)
{
    struct str link = {0};
    char target[16] = "";
    path_join(&link, out, "latest");
    ssize_t length = readlink(link.data, target, sizeof target - 1);
    str_release(&link);
    return length > 0 ? (unsigned)strtoul(target, NULL, 10) : 0;
}

unsigned workdir_tidy(const struct workdir *workdir)
{
    unsigned removed = 0;
    char name[16];
    const char *out = workdir->out.data;
    unsigned latest = workdir_latest(out);
    for (unsigned number = 1, last = workdir->number; number < last; number++) {
        snprintf(name, sizeof name, "%03u", number);
        if (workdir_holds(out, name, LOOP_STATE_FILE) && !workdir_holds(out, name, WORKDIR_KEPT))
            removed +=
                tidy_one(workdir, name, number + LOOPS_WITH_TRACES < last && number != latest);
    }
    return removed;
}

bool workdir_finish(const struct workdir *workdir, struct error *error)
{
    struct str fresh = {0}, latest = {0};
    str_printf(&latest, "%s/latest", workdir->out.data);
    str_printf(&fresh, "%s/latest.new-%d", workdir->out.data, (int)getpid());
    char target[16];
    snprintf(target, sizeof target, "%03u", workdir->number);
    unlink(fresh.data);
    bool ok = symlink(target, fresh.data) == 0 && rename(fresh.data, latest.data) == 0;
    if (!ok)
        error_system(error, "Can't make the link %s", latest.data);
    str_release(&fresh);
    str_release(&latest);
    return ok;
}

void workdir_sweep(const struct workdir *workdir)
{
    if (workdir->lock > 0)
        remove_copies(workdir->root.data);
}

void workdir_release(struct workdir *workdir)
{
    str_release(&workdir->out);
    str_release(&workdir->root);
    str_release(&workdir->tree);
    str_release(&workdir->pristine);
    str_release(&workdir->compile_log);
    if (workdir->lock > 0)
        close(workdir->lock);
    workdir->lock = 0;
}
