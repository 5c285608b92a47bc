#include "runtime/maps.h"

#include <errno.h>
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

static void text_write(struct text *t)
{
    int fd;
    uint64_t page = trace_file_page();
    uint64_t size = (t->size + 1 + page - 1) / page * page;
    uint64_t offset = trace_file_reserve(size, &fd);
    if (!offset)
        return;
    struct trace_chunk *chunk = (struct trace_chunk *)(void *)t->data;
    *chunk = (struct trace_chunk){.magic = TRACE_CHUNK_MAGIC,
                                  .kind = TRACE_CHUNK_MAPS,
                                  .size = size,
                                  .tid = system_thread_id()};
    for (uint64_t done = 0; done < t->size;) {
        long n = system_write_at(fd, t->data + done, t->size - done, offset + done);
        if (n <= 0)
            return;
        done += (uint64_t)n;
    }
}

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

/* Lines are "start-end perms offset dev inode path"; neighbours become one range. */
static void learn_ranges(const char *p)
{
    uint32_t n = 0;
    __atomic_add_fetch(&maps.version, 1, __ATOMIC_SEQ_CST);
    while (*p && n < RANGES_MAX) {
        struct range r;
        p = hex(p, &r.start);
        p = hex(p + (*p == '-'), &r.end);
        if (n > 0 && ranges[n - 1].end == r.start)
            ranges[n - 1].end = r.end;
        else
            ranges[n++] = r;
        while (*p && *p++ != '\n')
            ;
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
        text_write(&text);
        learn_ranges(text.data + sizeof(struct trace_chunk));
    }
    text_free(&text);
    maps.next_ns = clock_monotonic_ns() + maps.pause_ns;
    maps.pause_ns = maps.pause_ns * 2 < PAUSE_MAX_NS ? maps.pause_ns * 2 : PAUSE_MAX_NS;
    __atomic_store_n(&maps.busy, 0, __ATOMIC_RELEASE);
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
