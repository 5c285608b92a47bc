#include "driver/experiments/outside_peer.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash_map.h"
#include "base/memory.h"

enum { ESTABLISHED = 1, ADDRESS = 33 }; /* hexadecimal digits, and a zero */

/* One end of a connection, as a line of /proc/net/tcp has it. */
struct end {
    char own[ADDRESS], other[ADDRESS];
    unsigned own_port, other_port;
    unsigned long long inode;
};

struct end_list {
    struct end *ends;
    size_t count, capacity;
};

/* An address of the fourth version may stand as one of the sixth. */
static void shorten(char address[ADDRESS])
{
    static const char mapped[] = "0000000000000000FFFF0000";
    size_t length = sizeof mapped - 1;
    if (strncmp(address, mapped, length) == 0)
        memmove(address, address + length, strlen(address + length) + 1);
}

static void read_ends(const char *path, struct end_list *list)
{
    FILE *file = fopen(path, "r");
    char line[512];
    while (file && fgets(line, sizeof line, file)) {
        struct end end;
        unsigned state;
        if (sscanf(line, " %*d: %32[0-9A-F]:%X %32[0-9A-F]:%X %X %*s %*s %*s %*s %*s %llu", end.own,
                   &end.own_port, end.other, &end.other_port, &state, &end.inode) != 6 ||
            state != ESTABLISHED)
            continue;
        shorten(end.own);
        shorten(end.other);
        VEC_PUSH(list->ends, list->count, list->capacity) = end;
    }
    if (file)
        fclose(file);
}

/* The sockets that the process has open become keys. */
static void add_sockets(uint32_t pid, struct hash_map *sockets)
{
    char path[64], link[400], target[64];
    snprintf(path, sizeof path, "/proc/%u/fd", pid);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        unsigned long long inode;
        snprintf(link, sizeof link, "%s/%s", path, entry->d_name);
        ssize_t length = readlink(link, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        if (sscanf(target, "socket:[%llu]", &inode) == 1)
            *hash_map_put(sockets, inode) = 1;
    }
    if (folder)
        closedir(folder);
}

static bool is_other_end(const struct end *a, const struct end *b)
{
    return a->own_port == b->other_port && a->other_port == b->own_port &&
           strcmp(a->own, b->other) == 0 && strcmp(a->other, b->own) == 0;
}

static bool is_inside(const struct end_list *list, const struct hash_map *sockets,
                      const struct end *end)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_other_end(&list->ends[i], end) && hash_map_get(sockets, list->ends[i].inode))
            return true;
    return false;
}

/* Addresses are of words, each as this machine has it. */
static void append_address(const struct end *end, struct str *name)
{
    unsigned char bytes[16] = {0};
    char text[INET6_ADDRSTRLEN] = "?";
    size_t words = strlen(end->other) / 8;
    for (size_t i = 0; i < words && i < 4; i++) {
        unsigned word;
        sscanf(end->other + 8 * i, "%8X", &word);
        memcpy(bytes + 4 * i, &word, sizeof word);
    }
    inet_ntop(words > 1 ? AF_INET6 : AF_INET, bytes, text, sizeof text);
    str_printf(name, "%s:%u", text, end->other_port);
}

bool outside_peer_find(const uint32_t *pids, uint32_t count, struct str *name)
{
    struct end_list list = {0};
    struct hash_map sockets = {0};
    bool found = false;
    for (uint32_t i = 0; i < count; i++)
        add_sockets(pids[i], &sockets);
    read_ends("/proc/net/tcp", &list);
    read_ends("/proc/net/tcp6", &list);
    for (size_t i = 0; i < list.count && !found; i++)
        if (hash_map_get(&sockets, list.ends[i].inode) &&
            !is_inside(&list, &sockets, &list.ends[i])) {
            append_address(&list.ends[i], name);
            found = true;
        }
    hash_map_release(&sockets);
    memory_free(list.ends);
    return found;
}
