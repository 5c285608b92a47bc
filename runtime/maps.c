#include "runtime/maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/clock.h"
#include "runtime/system.h"
#include "runtime/trace_file.h"

#define RANGES_MAX 4096u
#define TEXT_MIN_BYTES (UINT64_C(64) << 10)
#define TEXT_MAX_BYTES (UINT64_C(64) << 20)
#define PAUSE_MIN_NS UINT64_C(10000000)
#define PAUSE_MAX_NS UINT64_C(10000000000)
#define SMALLEST_ADDRESS 65536u /* below it nothing is ever mapped: it is a number */

struct range {
    uintptr_t start, end;
};

/* The ranges known, ascending. Apart from `maps`, so that they take no room in the library's file.
 */
static struct range ranges[RANGES_MAX];

/* `version` is odd while the ranges change, and a reader that saw it change knows nothing and asks
 * for nothing. */
static struct {
    uint32_t count;
    uint32_t version;
    uint32_t busy;
    uint32_t due;
    uint64_t pause_ns;
    uint64_t next_ns;
} maps = {.pause_ns = PAUSE_MIN_NS};

static const struct maps_line *named;

struct text {
    char *data; /* begins with room for a chunk's header; zeros follow the text */
    uint64_t size;
    uint64_t capacity;
};

static bool text_grow(struct text *t)
{
    uint64_t capacity = t->capacity ? t->capacity * 2 : TEXT_MIN_BYTES;
    if (capacity > TEXT_MAX_BYTES)
        return false;
    void *data =
        t->data ? mremap(t->data, t->capacity, capacity, MREMAP_MAYMOVE)
                : mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
        return false;
    t->data = data;
    t->capacity = capacity;
    return true;
}

static void text_free(struct text *t)
{
    if (t->data)
        munmap(t->data, t->capacity);
}

static bool text_read(struct text *t, int fd)
{
    t->size = sizeof(struct trace_chunk);
    for (;;) {
        if (t->capacity < t->size + TEXT_MIN_BYTES / 2 && !text_grow(t))
            return false;
        long length = system_read(fd, t->data + t->size, t->capacity - t->size - 1);
        if (length < 0 && errno == EINTR)
            continue;
        if (length <= 0)
            return length == 0;
        t->size += (uint64_t)length;
    }
}

static bool text_load(struct text *t)
{
    long fd = system_open("/proc/self/maps", O_RDONLY, 0);
    if (fd < 0)
        return false;
    bool ok = text_read(t, (int)fd);
    system_close((int)fd);
    return ok;
}

/* ---- its lines: "start-end perms offset major:minor inode path" ---- */

static const char *hex(const char *p, uintptr_t *value)
{
    *value = 0;
    for (;; p++) {
        unsigned digit = (unsigned)*p - '0';
        if (digit > 9)
            digit = (unsigned)*p - 'a' + 10u;
        if (digit > 15 || (digit > 9 && *p < 'a'))
            return p;
        *value = *value << 4 | digit;
    }
}

static const char *read_range(const char *p, struct range *r)
{
    p = hex(p, &r->start);
    return hex(p + (*p == '-'), &r->end);
}

static size_t line_length(const char *p)
{
    return (size_t)(strchrnul(p, '\n') - p);
}

static const char *next_line(const char *p)
{
    p += line_length(p);
    return p + (*p == '\n');
}

/* `p`: from the permissions on. */
static void read_line(struct maps_line *line, const char *p)
{
    uintptr_t offset, number[2];
    size_t length = line_length(p);
    const char *at = line->rest;
    line->path = NULL;
    line->rest[0] = '\0';
    if (length >= sizeof line->rest)
        return;
    memcpy(line->rest, p, length);
    line->rest[length] = '\0';
    at = hex(at + strcspn(at, " ") + 1, &offset);
    at = hex(at + 1, &number[0]);
    at = hex(at + 1, &number[1]);
    line->offset = offset;
    line->major = (unsigned)number[0];
    line->minor = (unsigned)number[1];
    line->inode = strtoull(at, (char **)(uintptr_t)&at, 10);
    line->path = *at ? at + strspn(at, " ") : NULL;
}

/* What was said to be mapped there. */
static void text_rename(struct text *t, const struct maps_line *line)
{
    struct range r = {0, 0};
    char *p = t->data + sizeof(struct trace_chunk), *rest = p;
    for (; *p && r.start != line->start; p = (char *)(uintptr_t)next_line(p))
        rest = (char *)(uintptr_t)read_range(p, &r) + 1;
    size_t length = line_length(rest), wanted = strlen(line->rest);
    if (r.start != line->start || r.end != line->end || t->size + wanted >= t->capacity)
        return;
    memmove(rest + wanted, rest + length, t->size - (size_t)(rest + length - t->data) + 1);
    memcpy(rest, line->rest, wanted);
    t->size += wanted - length;
}

static void text_write(struct text *t)
{
    uint64_t page = trace_file_page();
    struct trace_chunk *chunk = (struct trace_chunk *)(void *)t->data;
    *chunk = (struct trace_chunk){.magic = TRACE_CHUNK_MAGIC,
                                  .size = (t->size + 1 + page - 1) / page * page,
                                  .tid = system_thread_id()};
    trace_file_add(chunk, TRACE_CHUNK_MAPS);
}

/* Neighbours become one range. */
static void learn_ranges(const char *p)
{
    uint32_t n = 0;
    __atomic_add_fetch(&maps.version, 1, __ATOMIC_SEQ_CST);
    while (*p && n < RANGES_MAX) {
        struct range r;
        p = next_line(read_range(p, &r));
        if (n > 0 && ranges[n - 1].end == r.start)
            ranges[n - 1].end = r.end;
        else
            ranges[n++] = r;
    }
    if (n == RANGES_MAX) /* too many to tell: take all of the rest as known */
        ranges[n - 1].end = UINTPTR_MAX;
    maps.count = n;
    __atomic_add_fetch(&maps.version, 1, __ATOMIC_SEQ_CST);
}

void maps_record(void)
{
    struct text text = {NULL, 0, 0};
    if (__atomic_exchange_n(&maps.busy, 1, __ATOMIC_ACQUIRE))
        return;
    if (text_load(&text)) {
        for (const struct maps_line *line = __atomic_load_n(&named, __ATOMIC_ACQUIRE); line;
             line = line->next)
            text_rename(&text, line);
        text_write(&text);
        learn_ranges(text.data + sizeof(struct trace_chunk));
    }
    text_free(&text);
    maps.next_ns = clock_monotonic_ns() + maps.pause_ns;
    maps.pause_ns = maps.pause_ns * 2 < PAUSE_MAX_NS ? maps.pause_ns * 2 : PAUSE_MAX_NS;
    __atomic_store_n(&maps.busy, 0, __ATOMIC_RELEASE);
}

bool maps_find(uintptr_t address, struct maps_line *line)
{
    struct text text = {NULL, 0, 0};
    struct range r = {0, 0};
    if (text_load(&text)) {
        const char *rest = NULL;
        for (const char *p = text.data + sizeof(struct trace_chunk); *p && r.end <= address;
             p = next_line(p))
            rest = read_range(p, &r) + 1;
        if (r.start <= address && address < r.end)
            read_line(line, rest);
    }
    text_free(&text);
    line->start = r.start;
    line->end = r.end;
    return r.start <= address && address < r.end;
}

void maps_name(struct maps_line *line)
{
    line->next = named;
    __atomic_store_n(&named, line, __ATOMIC_RELEASE);
}

static bool find(uintptr_t object)
{
    uint32_t low = 0, high = maps.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (object < ranges[middle].start)
            high = middle;
        else if (object >= ranges[middle].end)
            low = middle + 1;
        else
            return true;
    }
    return false;
}

static bool known(uintptr_t object)
{
    uint32_t before = __atomic_load_n(&maps.version, __ATOMIC_ACQUIRE);
    bool found = find(object);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return found || (before & 1) || __atomic_load_n(&maps.version, __ATOMIC_RELAXED) != before;
}

void maps_need(uintptr_t object)
{
    if (object < SMALLEST_ADDRESS || known(object) || clock_monotonic_ns() < maps.next_ns)
        return;
    int error = errno;
    struct signal_set before = system_signals_block();
    maps_record();
    system_signals_restore(before);
    errno = error;
}

void maps_forked(void)
{
    maps.busy = 0;
    maps.version &= ~1u;
    maps.pause_ns = PAUSE_MIN_NS;
    maps.due = 1;
}

void maps_begin(void)
{
    if (maps.due && __atomic_exchange_n(&maps.due, 0, __ATOMIC_RELAXED))
        maps_record();
}
