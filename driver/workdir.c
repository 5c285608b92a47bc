#include "driver/workdir.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static unsigned greatest_number(const char *out)
{
    unsigned greatest = 0;
    DIR *folder = opendir(out);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *end;
        unsigned long number = strtoul(entry->d_name, &end, 10);
        if (*end == '\0' && end != entry->d_name && number > greatest && number < 1000000)
            greatest = (unsigned)number;
    }
    if (folder)
        closedir(folder);
    return greatest;
}

static bool make_next(struct workdir *workdir, struct error *error)
{
    for (unsigned number = greatest_number(workdir->out.data) + 1;; number++) {
        str_clear(&workdir->root);
        str_printf(&workdir->root, "%s/%03u", workdir->out.data, number);
        workdir->number = number;
        if (mkdir(workdir->root.data, 0777) == 0)
            return true;
        if (errno != EEXIST)
            return error_system(error, "Can't make the folder %s", workdir->root.data);
    }
}

bool workdir_create(struct workdir *workdir, const char *out, struct error *error)
{
    *workdir = (struct workdir){0};
    if (!file_make_directories(out, error))
        return false;
    char *absolute = realpath(out, NULL);
    if (!absolute)
        return error_system(error, "Can't find the folder %s", out);
    str_append(&workdir->out, absolute);
    free(absolute);
    if (!make_next(workdir, error))
        return false;
    str_printf(&workdir->tree, "%s/tree", workdir->root.data);
    str_printf(&workdir->pristine, "%s/pristine", workdir->root.data);
    str_printf(&workdir->compile_log, "%s/compiles.log", workdir->root.data);
    return true;
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
    struct error ignored;
    if (workdir->tree.data)
        file_remove_tree(workdir->tree.data, &ignored);
    if (workdir->pristine.data)
        file_remove_tree(workdir->pristine.data, &ignored);
}

void workdir_release(struct workdir *workdir)
{
    str_release(&workdir->out);
    str_release(&workdir->root);
    str_release(&workdir->tree);
    str_release(&workdir->pristine);
    str_release(&workdir->compile_log);
}
