/* sampler/process_maps.h: which library lay at an address when, and where it is told. */
#include "check.h"

#include <string.h>

#include "sampler/process_maps.h"

enum { BASE = 0x7f0000000000 };

static struct intern paths;

static struct process_map map_of(uint64_t begin, uint64_t inode, const char *path, uint64_t since)
{
    return (struct process_map){
        .begin = begin, .end = begin + 0x1000, .inode = inode, .path = path, .since_ns = since};
}

static const char *at(struct process_maps *maps, uint64_t address, uint64_t time)
{
    const struct process_map *map = process_maps_find(maps, address, time);
    return map ? map->path : "";
}

/* Events of two processors: a sample of before is looked at after what came in its place is known. */
static void times(void)
{
    struct process_maps maps = {.paths = &paths, .changed = true};
    process_maps_add(&maps, map_of(BASE, 7, "/one.so", 100));
    process_maps_add(&maps, map_of(BASE, 8, "/two.so", 200));
    CHECK(strcmp(at(&maps, BASE, 150), "/one.so") == 0);
    CHECK(strcmp(at(&maps, BASE + 0xfff, 199), "/one.so") == 0);
    CHECK(strcmp(at(&maps, BASE, 200), "/two.so") == 0);
    CHECK(strcmp(at(&maps, BASE, 900), "/two.so") == 0);
    CHECK(strcmp(at(&maps, BASE + 0x1000, 150), "") == 0);
    process_maps_forget(&maps, 0, UINT64_MAX, 300);
    process_maps_add(&maps, map_of(BASE, 7, "/one.so", 400));
    CHECK(strcmp(at(&maps, BASE, 250), "/two.so") == 0 &&
          strcmp(at(&maps, BASE, 400), "/one.so") == 0);
    process_maps_release(&maps);
}

static uint64_t used(struct process_maps *maps, uint64_t address, uint64_t time)
{
    return address + process_maps_use(maps, process_maps_find(maps, address, time));
}

/* An address in a stack means one thing, whenever that was. */
static void told(void)
{
    struct process_maps maps = {.paths = &paths, .changed = true};
    struct str text = {0};
    process_maps_add(&maps, map_of(BASE, 7, "/one.so", 100));
    uint64_t one = used(&maps, BASE + 0x10, 150);
    process_maps_add(&maps, map_of(BASE, 8, "/two.so", 200));
    uint64_t two = used(&maps, BASE + 0x10, 250);
    process_maps_add(&maps, map_of(BASE, 7, "/one.so", 300));
    CHECK(one == BASE + 0x10 && two != one && used(&maps, BASE + 0x10, 350) == one);
    process_maps_add(&maps, map_of(BASE, 8, "/two.so", 400));
    CHECK(used(&maps, BASE + 0x10, 450) == two);
    process_maps_add(&maps, map_of(BASE + 0x5000, 9, "/three.so", 500));
    CHECK(used(&maps, BASE + 0x5010, 550) == BASE + 0x5010);
    CHECK(process_maps_tell(&maps, &text));
    CHECK(strstr(text.data, "7f0000000000-7f0000001000 r-xp 00000000 00:00 7 /one.so\n") != NULL);
    CHECK(strstr(text.data, "17f0000000000-17f0000001000 r-xp 00000000 00:00 8 /two.so\n") != NULL);
    CHECK(strstr(text.data, "7f0000005000-7f0000006000 r-xp 00000000 00:00 9 /three.so\n") != NULL);
    str_release(&text);
    process_maps_release(&maps);
}

/* What a JIT maps anew is of no file, and told where it is. */
static void anonymous(void)
{
    struct process_maps maps = {.paths = &paths, .changed = true};
    process_maps_add(&maps, map_of(BASE, 0, "", 100));
    CHECK(used(&maps, BASE, 150) == BASE);
    process_maps_add(&maps, map_of(BASE - 0x800, 0, "", 200));
    CHECK(used(&maps, BASE, 250) == BASE);
    process_maps_release(&maps);
}

/* Of a library that is loaded and unloaded all the time one line is told. */
static void many(void)
{
    struct process_maps maps = {.paths = &paths, .changed = true};
    for (uint64_t i = 0; i < 1000; i++) {
        process_maps_add(&maps, map_of(BASE, 7 + i % 2, i % 2 ? "/two.so" : "/one.so", 100 + i));
        used(&maps, BASE, 100 + i);
    }
    CHECK(maps.used_count == 2 && maps.gone_count <= 64);
    CHECK(strcmp(at(&maps, BASE, 1097), "/two.so") == 0 &&
          strcmp(at(&maps, BASE, 1096), "/one.so") == 0);
    process_maps_release(&maps);
}

int main(void)
{
    times();
    told();
    anonymous();
    many();
    intern_release(&paths);
    return CHECK_DONE();
}
