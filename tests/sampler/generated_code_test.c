/* sampler/generated_code.h: names of what a JIT wrote down, of this very process; and lines that are none. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sampler/generated_code.h"

static char path[64];

static void write_map(const void *bytes, size_t count)
{
    FILE *file = fopen(path, "w");
    CHECK(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

static bool tells(const struct hash_map *addresses, const char *expected)
{
    struct str text = {0};
    generated_code_tell(getpid(), addresses, &text);
    bool same = strcmp(str_text(&text), expected) == 0;
    if (!same)
        fprintf(stderr, "told: %s\n", str_text(&text));
    str_release(&text);
    return same;
}

/* Code that took the place of other code has the latest name. */
static void names(void)
{
    static const char map[] = "1000 100 first\n2000 10 JS:*work file:///srv/app.js:12\nno line\n"
                              "1080 40 second, later\n3000\n4000 10\n5000 10 cut";
    struct hash_map one = {0}, other = {0}, none = {0};
    write_map(map, sizeof map - 1);
    *hash_map_put(&one, 0x1010) = 0x1010;
    CHECK(tells(&one, "1010 first\n"));
    *hash_map_put(&other, 0x1000000002000) = 0x2000; /* told elsewhere than it was */
    CHECK(tells(&other, "1000000002000 JS:*work file:///srv/app.js:12\n"));
    *hash_map_put(&none, 0x2010) = 0x2010;
    *hash_map_put(&none, 0x4000) = 0x4000;
    *hash_map_put(&none, 0x3000) = 0x3000;
    CHECK(tells(&none, ""));
    *hash_map_put(&none, 0x10a0) = 0x10a0;
    CHECK(tells(&none, "10a0 second, later\n"));
    *hash_map_put(&one, 0x1010) = 0x500f;
    CHECK(tells(&one, "1010 cut\n"));
    hash_map_release(&one);
    hash_map_release(&other);
    hash_map_release(&none);
}

/* Another user's file, or one that leads elsewhere, is not read. */
static void others(void)
{
    struct hash_map one = {0};
    *hash_map_put(&one, 0x1010) = 0x1010;
    unlink(path);
    CHECK(tells(&one, ""));
    CHECK(symlink("/etc/passwd", path) == 0 && tells(&one, ""));
    unlink(path);
    CHECK(mkdir(path, 0700) == 0 && tells(&one, ""));
    rmdir(path);
    write_map("1000 100 first\n", 15);
    if (geteuid() == 0 && chown(path, 65534, 65534) == 0)
        CHECK(tells(&one, ""));
    hash_map_release(&one);
}

/* Whatever stands there, it ends, and tells no address that was not asked for. */
static void anything(void)
{
    struct hash_map one = {0};
    static char bytes[4096];
    unlink(path);
    *hash_map_put(&one, 0x10) = 0x10;
    for (unsigned seed = 0; seed < 300; seed++) {
        static const char likely[] = "0123456789abcdef    \n\n\0x-+";
        srand(seed);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = seed % 2 ? (char)rand() : likely[(size_t)rand() % (sizeof likely - 1)];
        write_map(bytes, sizeof bytes);
        struct str text = {0};
        generated_code_tell(getpid(), &one, &text);
        CHECK(!text.length || strncmp(text.data, "10 ", 3) == 0);
        str_release(&text);
    }
    hash_map_release(&one);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    names();
    others();
    anything();
    unlink(path);
    return CHECK_DONE();
}
