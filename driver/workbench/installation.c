#include "driver/workbench/installation.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Gives "<folder of the program>/<below>", free of "..", where that exists, else NULL. */
static const char *beside_program(char *path, const char *below)
{
    char joined[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", joined, sizeof joined - 1);
    if (length < 0)
        return NULL;
    joined[length] = '\0';
    char *slash = strrchr(joined, '/');
    size_t room = (size_t)(joined + sizeof joined - slash - 1);
    if (snprintf(slash + 1, room, "%s", below) >= (int)room)
        return NULL;
    return realpath(joined, path);
}

/* Everything lies below lib/, include/ and share/ in the build folder, whatever the names are when
 * it is installed. */
static const char *either(char *path, const char *installed, const char *built)
{
    const char *found = beside_program(path, installed);
    return found ? found : beside_program(path, built);
}

const char *installation_runtime(void)
{
    static char path[PATH_MAX];
    return either(path, LIBRARIES "/libvprof.so.1", "../lib/libvprof.so.1");
}

const char *installation_wrapper(void)
{
    static char path[PATH_MAX];
    return either(path, LIBRARIES "/vprofiler/libvprof_wrap.so", "../lib/libvprof_wrap.so");
}

const char *installation_recorder(void)
{
    static char path[PATH_MAX];
    return either(path, LIBRARIES "/vprofiler/libvprof_record.so", "../lib/libvprof_record.so");
}

const char *installation_parser(void)
{
    static char path[PATH_MAX];
    return either(path, LIBRARIES "/vprofiler/libvprof_clang.so", "../lib/libvprof_clang.so");
}

const char *installation_static_runtime(void)
{
    static char path[PATH_MAX];
    return either(path, LIBRARIES "/libvprof.a", "../lib/libvprof.a");
}

const char *installation_include(void)
{
    static char path[PATH_MAX], header[PATH_MAX];
    if (!either(header, HEADERS "/vprof_api.h", "../include/vprof_api.h"))
        return NULL;
    return either(path, HEADERS, "../include");
}

const char *installation_examples(void)
{
    static char path[PATH_MAX];
    return either(path, DATA "/vprofiler/examples", "../share/vprofiler/examples");
}

const char *installation_ready(void)
{
    static char path[PATH_MAX];
    return either(path, DATA "/vprofiler/ready", "../share/vprofiler/ready");
}
