#include "sampler/generated_code.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "sampler/address_list.h"

enum { MOST_NAME = 200 };

/* ---- the file ---- */

/* The process's number in its own namespace; its own where that is not known. */
static pid_t own_number(pid_t pid)
{
    char path[64], line[256], *last = NULL;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && !last && fgets(line, sizeof line, file))
        if (strncmp(line, "NSpid:", 6) == 0)
            last = strrchr(line, '\t');
    if (file)
        fclose(file);
    return last && atoi(last) > 0 ? atoi(last) : pid;
}

static bool is_owners(pid_t pid, const struct stat *is)
{
    char path[64];
    struct stat process;
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    return is->st_uid == 0 || is->st_uid == geteuid() ||
           (stat(path, &process) == 0 && is->st_uid == process.st_uid);
}

/* Anyone may write to /tmp: what is not the process's owner's own is not read. */
static FILE *open_path(const char *path, pid_t pid)
{
    struct stat is;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    FILE *file =
        fstat(fd, &is) == 0 && S_ISREG(is.st_mode) && is_owners(pid, &is) ? fdopen(fd, "r") : NULL;
    if (!file)
        close(fd);
    return file;
}

/* Of a process that has ended the file is still there. */
static FILE *open_names(pid_t pid)
{
    char path[128];
    snprintf(path, sizeof path, "/proc/%d/root/tmp/perf-%d.map", (int)pid, (int)own_number(pid));
    FILE *file = open_path(path, pid);
    if (file)
        return file;
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pid);
    return open_path(path, pid);
}

/* ---- names ---- */

/* As many as there are addresses, in their order; NULL: it has none. */
struct names {
    const uint64_t *addresses;
    size_t count;
    char **names;
};

static void take_line(struct names *names, const char *line)
{
    uint64_t begin, bytes;
    int at = 0;
    if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &begin, &bytes, &at) != 2 || !at || !line[at])
        return;
    for (size_t i = address_list_from(names->addresses, names->count, begin);
         i < names->count && names->addresses[i] - begin < bytes; i++) {
        memory_free(names->names[i]);
        names->names[i] = memory_strdup(line + at);
    }
}

static void read_names(struct names *names, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
        line[length - 1] = line[length - 1] == '\n' ? '\0' : line[length - 1];
        take_line(names, line);
    }
    free(line);
}

static void tell(const struct names *names, const struct hash_map *addresses, struct str *text)
{
    for (size_t i = 0; i < addresses->capacity; i++) {
        const struct hash_map_entry *entry = &addresses->entries[i];
        if (!entry->used)
            continue;
        size_t at = address_list_from(names->addresses, names->count, entry->value);
        if (names->names[at])
            str_printf(text, "%" PRIx64 " %.*s\n", entry->key, MOST_NAME, names->names[at]);
    }
}

/* As they were in the process. */
static struct hash_map real_addresses(const struct hash_map *addresses)
{
    struct hash_map real = {0};
    for (size_t i = 0; i < addresses->capacity; i++)
        if (addresses->entries[i].used)
            *hash_map_put(&real, addresses->entries[i].value) = 1;
    return real;
}

void generated_code_tell(pid_t pid, const struct hash_map *addresses, struct str *text)
{
    FILE *file = addresses->count ? open_names(pid) : NULL;
    if (!file)
        return;
    struct hash_map real = real_addresses(addresses);
    uint64_t *list = address_list_of(&real);
    struct names names = {list, real.count, memory_zeroed((real.count + 1) * sizeof *names.names)};
    read_names(&names, file);
    tell(&names, addresses, text);
    for (size_t i = 0; i < names.count; i++)
        memory_free(names.names[i]);
    memory_free(names.names);
    memory_free(list);
    hash_map_release(&real);
    fclose(file);
}
