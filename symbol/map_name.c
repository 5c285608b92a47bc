#include "symbol/map_name.h"

#include <stdio.h>
#include <string.h>

#include "base/mapped_path.h"

static void append_file(const char *path, size_t length, struct str *name)
{
    length = mapped_path_length(path, length);
    for (size_t i = length; i > 0; i--)
        if (path[i - 1] == '/') {
            str_append_bytes(name, path + i, length - i);
            return;
        }
    str_append_bytes(name, path, length);
}

/* "55d0-55e0 r-xp 00001000 08:01 77   /srv/server"; true: the address lies there. */
static bool take_line(const char *line, size_t length, uint64_t address, struct str *name)
{
    unsigned long long from, until;
    char rights[8];
    int path = 0;
    if (sscanf(line, "%llx-%llx %7s %*s %*s %*s%n", &from, &until, rights, &path) < 3 ||
        address < from || address >= until)
        return false;
    while (path && (size_t)path < length && line[path] == ' ')
        path++;
    bool file = path && (size_t)path < length && (line[path] == '/' || line[path] == '[');
    if (rights[2] == 'x' && file)
        append_file(line + path, length - (size_t)path, name);
    else if (rights[2] == 'x')
        str_append(name, "[generated code]");
    return true;
}

void map_name(const char *maps, uint64_t address, struct str *name)
{
    while (*maps) {
        size_t length = strcspn(maps, "\n");
        if (take_line(maps, length, address, name))
            return;
        maps += length + (maps[length] == '\n');
    }
}
