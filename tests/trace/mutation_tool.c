/* Read damaged copies of a trace: mutation_tool original.vtr directory
 *
 * Cuts the file at every 64 bytes, and changes bytes: each one of the headers and records in three
 * ways, and some thousand random groups. Every copy is loaded and dumped. It may be refused, or be
 * read in part; it may not break the promises of trace/timeline.h, and of course not crash.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/memory.h"
#include "pages_check.h"
#include "timeline_check.h"
#include "trace/dump.h"
#include "trace/timeline_load.h"

enum { RANDOM_COPIES = 4000 };

struct mutation {
    const char *original;
    size_t size;
    char *copy;
    const char *directory;
    struct str path;
    FILE *sink;
    unsigned loaded;
    unsigned damaged;
    unsigned refused;
};

/* What the change was, for the message. */
static void mutation_try(struct mutation *m, size_t size, const char *what, size_t at)
{
    struct timelines run;
    struct error error;
    if (!file_write(m->path.data, m->copy, size, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    if (!timelines_load(&run, m->directory, &error)) {
        m->refused++;
        return;
    }
    const char *fault = timeline_check(&run);
    if (fault) {
        fprintf(stderr, "%s at byte %zu: %s; the file is %s\n", what, at, fault, m->path.data);
        exit(1);
    }
    struct timelines opened;
    if (!timelines_open_pages(&opened, m->directory, 2, &error))
        fault = error.message;
    else if (!(fault = pages_check(&run, &opened)))
        timelines_release(&opened);
    if (fault) {
        fprintf(stderr, "%s at byte %zu: opened: %s; the file is %s\n", what, at, fault,
                m->path.data);
        exit(1);
    }
    m->loaded++;
    m->damaged += run.damage_count > 0;
    rewind(m->sink);
    trace_dump(&run, NULL, m->sink);
    timelines_release(&run);
}

static void mutate_cuts(struct mutation *m)
{
    for (size_t size = 0; size <= m->size; size += 64)
        mutation_try(m, size, "cut", size);
}

static void mutate_bytes(struct mutation *m)
{
    static const unsigned char changes[] = {0x01, 0x80, 0xff};
    for (size_t i = 0; i < m->size; i++) {
        size_t line = i / 64 * 64; /* lines of zeros are all alike: one in eight is enough */
        static const char zeros[64];
        bool empty =
            memcmp(m->original + line, zeros, m->size - line < 64 ? m->size - line : 64) == 0;
        if (empty && i % 509 != 0)
            continue;
        for (size_t c = 0; c < sizeof changes; c++) {
            m->copy[i] = (char)(m->original[i] ^ changes[c]);
            mutation_try(m, m->size, "change", i);
        }
        m->copy[i] = m->original[i];
    }
}

static uint64_t random_state = 20240229;

static uint64_t random_below(uint64_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % bound;
}

static void mutate_at_random(struct mutation *m)
{
    for (unsigned n = 0; n < RANDOM_COPIES; n++) {
        uint64_t changes = 1 + random_below(24);
        for (uint64_t c = 0; c < changes; c++) {
            size_t chunk = random_below(m->size / 4096) * 4096; /* their beginnings are in use */
            m->copy[chunk + random_below(512)] = (char)random_below(256);
        }
        mutation_try(m, m->size, "random change", n);
        memcpy(m->copy, m->original, m->size);
    }
}

int main(int argc, char **argv)
{
    struct str original = {0}; /* not mapped: a read behind a copy's mapping shall not find it */
    struct error error;
    if (argc != 3 || !file_read(&original, argv[1], &error))
        return 2;
    struct mutation m = {.original = original.data,
                         .size = original.length,
                         .copy = memory_alloc(original.length),
                         .directory = argv[2],
                         .sink = fopen("/dev/null", "w")};
    str_printf(&m.path, "%s/1.vtr", argv[2]);
    memcpy(m.copy, m.original, m.size);
    /* The kernel puts the next mapping, the file, just below: a read behind its end is a fault. */
    mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mutate_cuts(&m);
    mutate_bytes(&m);
    mutate_at_random(&m);
    printf("%u read (%u with damage told), %u refused\n", m.loaded, m.damaged, m.refused);
    bool some = m.damaged > 100 && m.refused > 100;
    fclose(m.sink);
    memory_free(m.copy);
    str_release(&m.path);
    str_release(&original);
    return some ? 0 : 1;
}
