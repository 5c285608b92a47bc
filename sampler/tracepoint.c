#include "sampler/tracepoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What linux/mount.h has of them goes ill with sys/mount.h in some C libraries. */
enum { OPEN_CLOSED_ON_EXEC = 1, CONFIG_CREATE = 6, MOUNT_CLOSED_ON_EXEC = 1 };

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int open_unmounted(void)
{
    int context = (int)syscall(SYS_fsopen, "tracefs", OPEN_CLOSED_ON_EXEC);
    if (context < 0)
        return -1;
    int folder = -1;
    if (syscall(SYS_fsconfig, context, CONFIG_CREATE, NULL, NULL, 0) == 0)
        folder = (int)syscall(SYS_fsmount, context, MOUNT_CLOSED_ON_EXEC, 0);
    int was = errno;
    close(context);
    errno = was;
    return folder;
}

/* A folder that is there and empty is where it would be mounted. */
int tracepoint_folder(void)
{
    static const char *const places[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
    int refused = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int folder = open_folder(places[i]);
        if (folder >= 0 && faccessat(folder, "events/sched", R_OK | X_OK, AT_EACCESS) == 0)
            return folder;
        if (errno == EACCES)
            refused = EACCES;
        if (folder >= 0)
            close(folder);
    }
    int folder = open_unmounted();
    if (folder < 0 && refused)
        errno = refused;
    return folder;
}

static bool read_format(struct str *format, int folder, const char *name)
{
    char path[128], part[1024];
    snprintf(path, sizeof path, "events/%s/format", name);
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    for (ssize_t got; (got = read(fd, part, sizeof part)) > 0;)
        str_append_bytes(format, part, (size_t)got);
    close(fd);
    return format->length > 0;
}

bool tracepoint_read(struct tracepoint *tracepoint, int folder, const char *name)
{
    *tracepoint = (struct tracepoint){0};
    if (!read_format(&tracepoint->format, folder, name))
        return false;
    const char *id = strstr(tracepoint->format.data, "\nID: ");
    tracepoint->id = id ? strtoull(id + strlen("\nID: "), NULL, 10) : 0;
    return tracepoint->id != 0;
}

/* A field's line: "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;". */
int tracepoint_field(const struct tracepoint *tracepoint, const char *name)
{
    char pattern[64];
    int length = snprintf(pattern, sizeof pattern, " %s", name);
    for (const char *at = str_text(&tracepoint->format); (at = strstr(at, pattern)); at++) {
        char end = at[length];
        const char *offset = strstr(at, "offset:");
        if ((end == ';' || end == '[') && offset)
            return atoi(offset + strlen("offset:"));
    }
    return -1;
}

void tracepoint_release(struct tracepoint *tracepoint)
{
    str_release(&tracepoint->format);
    tracepoint->id = 0;
}
