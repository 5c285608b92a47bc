#include "driver/workbench/cleaning.h"

#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/workbench/given.h"
#include "driver/workbench/workdir.h"

enum { BLOCK_BYTES = 512 };

static uint64_t size_of(char *path)
{
    char *roots[] = {path, NULL};
    uint64_t bytes = 0;
    FTS *entries = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; entries && (entry = fts_read(entries)) != NULL;)
        if (entry->fts_info == FTS_F && entry->fts_statp->st_nlink == 1)
            bytes += (uint64_t)entry->fts_statp->st_blocks * BLOCK_BYTES;
    if (entries)
        fts_close(entries);
    return bytes;
}

static void add_name(struct str *names, const char *name)
{
    str_printf(names, "%s%s", names->length ? ", " : "", name);
}

/* Removes a folder of ours, where it is there; a link is not ours. */
static bool remove_folder(struct cleaning *cleaning, const char *root, const char *name, bool *any,
                          struct error *error)
{
    struct str path = {0};
    bool ok = true;
    path_join(&path, root, name);
    if (file_is_own_folder(path.data)) {
        uint64_t bytes = size_of(path.data);
        ok = cleaning->only || file_remove_tree(path.data, error);
        cleaning->bytes += ok ? bytes : 0;
        *any |= ok;
    }
    str_release(&path);
    return ok;
}

static int is_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool has_trace(const char *rounds, const char *round)
{
    struct str path = {0};
    str_printf(&path, "%s/%s/trace", rounds, round);
    bool has = file_is_own_folder(path.data);
    str_release(&path);
    return has;
}

/* A result stands for its last round that has a trace. */
static bool remove_traces(struct cleaning *cleaning, const char *root, bool but_last, bool *any,
                          struct error *error)
{
    struct str rounds = {0}, name = {0};
    struct dirent **entries = NULL;
    bool ok = true;
    str_printf(&rounds, "%s/rounds", root);
    int count =
        file_is_own_folder(rounds.data) ? scandir(rounds.data, &entries, is_name, alphasort) : 0;
    for (int i = count; i-- > 0;) {
        bool there = has_trace(rounds.data, entries[i]->d_name);
        str_clear(&name);
        str_printf(&name, "%s/trace", entries[i]->d_name);
        if (there && but_last)
            but_last = false;
        else if (there)
            ok = ok && remove_folder(cleaning, rounds.data, name.data, any, error);
        free(entries[i]);
    }
    free(entries);
    str_release(&rounds);
    str_release(&name);
    return ok;
}

static bool clean_loop(struct cleaning *cleaning, const char *root, const char *name,
                       struct error *error)
{
    bool newest = strcmp(name, str_text(&cleaning->newest)) == 0, any = false;
    if (!cleaning->only)
        workdir_set_copy_aside(root);
    bool ok = remove_folder(cleaning, root, "tree", &any, error) &&
              remove_folder(cleaning, root, WORKDIR_REMOVED, &any, error) &&
              remove_folder(cleaning, root, "pristine", &any, error) &&
              remove_traces(cleaning, root, newest && !cleaning->all, &any, error);
    cleaning->count += any;
    if (any)
        add_name(&cleaning->cleaned, name);
    return ok;
}

/* Who works in a folder has locked it. */
static bool clean_folder(struct cleaning *cleaning, const char *root, const char *name,
                         struct error *error)
{
    bool ok = true;
    int lock = open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0)
        return true;
    if (!workdir_holds(cleaning->out, name, LOOP_STATE_FILE))
        add_name(&cleaning->others, name);
    else if (workdir_holds(cleaning->out, name, WORKDIR_KEPT))
        add_name(&cleaning->kept, name);
    else if (flock(lock, LOCK_EX | LOCK_NB) != 0)
        add_name(&cleaning->in_use, name);
    else if (!cleaning->all && !workdir_holds(cleaning->out, name, "report.json"))
        add_name(&cleaning->unfinished, name);
    else
        ok = clean_loop(cleaning, root, name, error);
    close(lock);
    return ok;
}

static int is_number(const struct dirent *entry)
{
    return strspn(entry->d_name, "0123456789") == strlen(entry->d_name);
}

static bool clean_all(struct cleaning *cleaning, struct error *error)
{
    struct dirent **entries = NULL;
    struct str root = {0};
    bool ok = true, any = false;
    int count = scandir(cleaning->out, &entries, is_number, alphasort);
    for (int i = 0; i < count; i++) {
        path_join(&root, cleaning->out, entries[i]->d_name);
        ok = ok && clean_folder(cleaning, root.data, entries[i]->d_name, error);
        free(entries[i]);
    }
    free(entries);
    str_release(&root);
    return ok && (!cleaning->all || remove_folder(cleaning, cleaning->out, "cache", &any, error));
}

bool cleaning_do(struct cleaning *cleaning, struct error *error)
{
    char out[PATH_MAX];
    if (!given_folder(cleaning->out, "folder of results", "out", out, error) ||
        !given_is_own_folder(out, error))
        return false;
    cleaning->out = out;
    unsigned newest = workdir_latest(out);
    if (newest)
        str_printf(&cleaning->newest, "%03u", newest);
    bool ok = clean_all(cleaning, error);
    cleaning->out = NULL;
    return ok;
}

void cleaning_release(struct cleaning *cleaning)
{
    struct str *all[] = {&cleaning->cleaned,    &cleaning->in_use, &cleaning->kept,
                         &cleaning->unfinished, &cleaning->others, &cleaning->newest};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        str_release(all[i]);
}
