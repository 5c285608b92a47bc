#include "runtime/shared_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/system.h"

static const char *directory_ = ".";
static bool shared_;

void shared_file_configure(const char *directory)
{
    const char *share = secure_getenv("VPROF_TRACE_SHARE");
    directory_ = directory;
    shared_ = share && strcmp(share, "1") == 0;
}

unsigned shared_file_mode(void)
{
    return shared_ ? 0666 : 0600;
}

static bool is_trusted_owner(uid_t owner)
{
    struct stat folder;
    return owner == geteuid() || owner == 0 ||
           (shared_ && stat(directory_, &folder) == 0 && owner == folder.st_uid);
}

static bool is_safe(int fd)
{
    struct stat s;
    return fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_nlink == 1 &&
           is_trusted_owner(s.st_uid) && (shared_ || !(s.st_mode & (S_IWGRP | S_IWOTH)));
}

static long open_safely(const char *name, int flags)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", directory_, name);
    long fd = system_open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | flags, shared_file_mode());
    if (fd < 0 || is_safe((int)fd))
        return fd;
    system_close((int)fd);
    return -1;
}

long shared_file_open(const char *name)
{
    return open_safely(name, O_CREAT);
}

long shared_file_find(const char *name)
{
    return open_safely(name, 0);
}
