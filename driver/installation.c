#include "driver/installation.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* "<folder of the program>/<below>" where that exists, else NULL. */
static const char *beside_program(char *path, const char *below)
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length < 0)
        return NULL;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    size_t room = (size_t)(path + PATH_MAX - slash - 1);
    if (snprintf(slash + 1, room, "%s", below) >= (int)room)
        return NULL;
    return file_exists(path) ? path : NULL;
}

static const char *library(char *path, const char *name)
{
    static const char *const folders[] = {"../lib", "../" VPROFILER_LIBDIR};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char below[PATH_MAX];
        snprintf(below, sizeof below, "%s/%s", folders[i], name);
        if (beside_program(path, below))
            return path;
    }
    return NULL;
}

const char *installation_runtime(void)
{
    static char path[PATH_MAX];
    return library(path, "libvprof.so");
}

const char *installation_recorder(void)
{
    static char path[PATH_MAX];
    return library(path, "libvprof_record.so");
}

const char *installation_static_runtime(void)
{
    static char path[PATH_MAX];
    return library(path, "libvprof.a");
}

const char *installation_include(void)
{
    static char path[PATH_MAX];
    if (file_exists(VPROFILER_SOURCE "/include/vprof_api.h"))
        return VPROFILER_SOURCE "/include";
    return beside_program(path, "../include");
}

const char *installation_examples(void)
{
    static char path[PATH_MAX];
    if (file_exists(VPROFILER_SOURCE "/examples"))
        return VPROFILER_SOURCE "/examples";
    return beside_program(path, "../share/vprofiler/examples");
}
