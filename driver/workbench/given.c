#include "driver/workbench/given.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/similar.h"

/* Suggests a name from the folder that `path` is in, " Did you mean build.sh?", or nothing. */
static void append_neighbours(const char *path, struct str *hint)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct str folder = {0};
    str_append_bytes(&folder, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    struct dirent **entries = NULL;
    int count = scandir(folder.data, &entries, NULL, alphasort);
    struct similar similar = {.wanted = name};
    for (int i = 0; i < count; i++)
        similar_offer(&similar, entries[i]->d_name);
    similar_append(&similar, "", hint);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    str_release(&folder);
}

struct wanted {
    const char *path, *what, *option;
    bool folder;
};

/* The message names what was wanted: "build script build.sh (--build)". */
static bool fail(const struct wanted *wanted, const char *before, const char *after,
                 struct error *error)
{
    return error_set(error, ERROR_USAGE, "%s %s %s%s%s%s%s", before, wanted->what, wanted->path,
                     wanted->option ? " (--" : "", wanted->option ? wanted->option : "",
                     wanted->option ? ")" : "", after);
}

static bool is_missing(const struct wanted *wanted, struct error *error)
{
    struct str hint = {0};
    str_append(&hint, ".");
    append_neighbours(wanted->path, &hint);
    char *here = hint.length == 1 && wanted->path[0] != '/' ? getcwd(NULL, 0) : NULL;
    if (here)
        str_printf(&hint, " It is looked for in %s.", here);
    free(here);
    fail(wanted, "There is no", hint.data, error);
    str_release(&hint);
    return false;
}

static bool find(const struct wanted *wanted, char *absolute, struct error *error)
{
    struct stat status;
    if (!wanted->path)
        return true;
    if (!realpath(wanted->path, absolute))
        return is_missing(wanted, error);
    bool folder = stat(absolute, &status) == 0 && S_ISDIR(status.st_mode);
    if (folder && !wanted->folder)
        return fail(wanted, "The", " is a folder. Name a file.", error);
    if (!folder && wanted->folder)
        return fail(wanted, "The", " is no folder. Name one.", error);
    return access(absolute, R_OK) == 0 ||
           fail(wanted, "The", " may not be read by you. Try chmod, or another user.", error);
}

bool given_file(const char *path, const char *what, const char *option, char *absolute,
                struct error *error)
{
    return find(&(struct wanted){path, what, option, false}, absolute, error);
}

bool given_folder(const char *path, const char *what, const char *option, char *absolute,
                  struct error *error)
{
    return find(&(struct wanted){path, what, option, true}, absolute, error);
}

char *given_interpreter(const char *script, char *line, size_t size_bytes, char **rest)
{
    line[0] = '\0';
    FILE *file = fopen(script, "r");
    if (file && !fgets(line, (int)size_bytes, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    return strncmp(line, "#!", 2) == 0 ? strtok_r(line + 2, GIVEN_BLANKS, rest) : NULL;
}

bool given_script(const char *path, const char *what, const char *option, char *absolute,
                  struct error *error)
{
    char line[PATH_MAX], *rest;
    if (!path || !given_file(path, what, option, absolute, error))
        return !path;
    char *interpreter = given_interpreter(absolute, line, sizeof line, &rest);
    if (!interpreter || access(interpreter, X_OK) == 0)
        return true;
    if (str_ends_with(interpreter, "\r"))
        return error_set(error, ERROR_USAGE,
                         "The lines of %s end with CR LF, as no shell wants them. Try: "
                         "sed -i 's/\\r$//' %s",
                         path, path);
    return error_set(error, ERROR_USAGE,
                     "The first line of %s names %s, which can't be run. Write #!/bin/sh there, or "
                     "whatever runs it.",
                     path, interpreter);
}

/* A link in the user's own folder is the user's. */
bool given_is_own_folder(const char *path, struct error *error)
{
    struct stat status;
    char absolute[PATH_MAX];
    bool planted = lstat(path, &status) == 0 && S_ISLNK(status.st_mode) &&
                   status.st_uid != geteuid() && status.st_uid != 0;
    if (!planted && realpath(path, absolute) && file_is_own_folder(absolute))
        return true;
    return error_set(error, ERROR_USAGE,
                     "Others could exchange what is written to %s: it belongs to another user, or "
                     "everyone may write there. Name a folder of your own with --out DIR.",
                     path);
}

bool given_results(const char *path, char *absolute, struct error *error)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_set(error, ERROR_USAGE,
                         "%s is a file: results need a folder. Name another with --out DIR.", path);
    struct error reason;
    if (!file_make_directories(path, &reason))
        return error_set(error, ERROR_USAGE, "%s Name a folder that may be made with --out DIR.",
                         reason.message);
    if (!realpath(path, absolute))
        return error_system(error, "Can't find the folder %s", path);
    if (access(absolute, W_OK) != 0)
        return error_set(error, ERROR_USAGE,
                         "Can't write to %s: %s. Name another folder with --out DIR.", path,
                         strerror(errno));
    return given_is_own_folder(path, error);
}

bool given_out(const char *path, const char *source, char *absolute, struct error *error)
{
    if (!given_results(path, absolute, error))
        return false;
    if (strcmp(absolute, source) == 0)
        return error_set(error, ERROR_USAGE,
                         "Results can't go to the source tree itself (--out %s): its copy would "
                         "hold the copy. Name a folder in it or elsewhere with --out DIR.",
                         path);
    return true;
}
