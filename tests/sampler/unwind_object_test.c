/* unwind_object.h: a row that was kept says of each of its addresses what libdw says of that one alone, in whatever
 * order they come; of this program, the libraries that it has mapped, and a program of Debian's. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash_map.h"
#include "check.h"
#include "sampler/unwind_object.h"

enum { ADDRESSES = 60000 };

/* Expressions are the object's own: how many there are is enough. */
static bool is_same(const struct unwind_row *a, const struct unwind_row *b)
{
    if (a->kind != b->kind || a->interrupt != b->interrupt)
        return false;
    if (a->kind == UNWIND_SPECIAL)
        return a->special->cfa.count == b->special->cfa.count;
    return a->kind != UNWIND_OFFSETS ||
           (a->cfa_register == b->cfa_register && a->cfa_offset == b->cfa_offset &&
            memcmp(a->kept, b->kept, sizeof a->kept) == 0);
}

static uint64_t some_address(const struct unwind_object *object, uint64_t random)
{
    const struct unwind_segment *segment = &object->segments[random % object->segment_count];
    return segment->address + hash_mix(random) % segment->bytes;
}

static void rows_agree(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct unwind_object *kept = unwind_object_open(fd, path),
                         *fresh = unwind_object_open(fd, path);
    size_t different = 0, known = 0;
    close(fd);
    CHECK(kept->segment_count > 0);
    for (uint64_t i = 0; kept->segment_count && i < ADDRESSES; i++) {
        uint64_t address = some_address(kept, hash_mix(i));
        fresh->row_count = 0;
        const struct unwind_row *row = unwind_object_row(kept, address);
        different += !is_same(row, unwind_object_row(fresh, address));
        CHECK(row->begin <= address && address < row->end);
        known += row->kind != UNWIND_NO_ROW;
    }
    for (size_t i = 1; i < kept->row_count; i++)
        CHECK(kept->rows[i - 1].end <= kept->rows[i].begin);
    printf("%s: %zu of %d addresses with a row, %zu rows, %zu differ\n", path, known, ADDRESSES,
           kept->row_count, different);
    CHECK(different == 0);
    CHECK(known > ADDRESSES / 2);
    unwind_object_close(kept);
    unwind_object_close(fresh);
}

static void mapped(void)
{
    char line[4096], last[4096] = "";
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps)) {
        char *path = strchr(line, '/');
        if (!path || !strstr(line, " r-xp "))
            continue;
        path[strcspn(path, "\n")] = '\0';
        if (strcmp(path, last) != 0)
            rows_agree(path);
        snprintf(last, sizeof last, "%s", path);
    }
    if (maps)
        fclose(maps);
}

/* What is no program has no rows, and is none of another machine. */
static void nothing(void)
{
    struct unwind_object *gone = unwind_object_open(-1, "/gone");
    CHECK(gone->gone && !gone->elf && unwind_object_row(gone, 4096)->kind == UNWIND_NO_ROW);
    unwind_object_close(gone);
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    struct unwind_object *text = unwind_object_open(fd, "text");
    uint64_t address;
    CHECK(!text->gone && !text->foreign && !text->elf);
    CHECK(!unwind_object_address(text, 0, &address));
    unwind_object_close(text);
    close(fd);
}

int main(void)
{
    mapped();
    if (access("/usr/bin/sort", R_OK) == 0)
        rows_agree("/usr/bin/sort");
    nothing();
    return CHECK_DONE();
}
