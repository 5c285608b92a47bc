#include "trace/trace_windows.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/trace_format.h"

/* GROWTH: a process writes 60 MB in the time that the chunks of a long trace take to be found. */
enum { GROWTH_BYTES = 1 << 28 };

/* The machine's, which may be larger than a trace's. */
static uint64_t whole_pages(uint64_t size)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) / page * page;
}

bool trace_windows_open(struct trace_windows *windows, struct file_map *map, int fd)
{
    uint64_t begin = whole_pages(map->size_bytes) + GROWTH_BYTES;
    uint64_t windows_most = map->size_bytes / TRACE_PAGE + 1; /* each in whole pages */
    uint64_t room = begin + whole_pages(map->size_bytes) + windows_most * whole_pages(1);
    char *data = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED)
        return false;
    if (mmap(data, begin, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) {
        munmap(data, room);
        return false;
    }
    uint64_t size = map->size_bytes;
    file_map_close(map);
    *map = (struct file_map){data, size};
    *windows = (struct trace_windows){.begin = begin, .end = begin, .room = room};
    return true;
}

static void unmap(const struct file_map *map, uint64_t from, uint64_t to)
{
    if (from < to)
        munmap((char *)(uintptr_t)map->data + from, to - from);
}

/* As behind every map (base/file.h). */
static void end_with_zeros(const struct file_map *map, uint64_t at)
{
    char *page = (char *)(uintptr_t)map->data + at;
    mmap(page, whole_pages(1), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

void trace_windows_trim(struct trace_windows *windows, const struct file_map *map)
{
    uint64_t end = windows->end + whole_pages(1), file_end = file_map_room(map->size_bytes);
    if (!windows->room)
        return;
    if (end <= windows->room) {
        end_with_zeros(map, windows->end);
        unmap(map, end, windows->room);
        windows->room = end;
    }
    if (file_end <= windows->begin) {
        end_with_zeros(map, file_end - whole_pages(1));
        unmap(map, file_end, windows->begin);
    }
}

void trace_windows_close(struct trace_windows *windows, struct file_map *map)
{
    unmap(map, windows->begin, windows->room);
    file_map_close(map);
    memory_free(windows->list);
    *windows = (struct trace_windows){0};
}

uint64_t trace_windows_grown(const struct trace_windows *windows, int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return 0;
    uint64_t size = (uint64_t)status.st_size;
    return size < windows->begin ? size : windows->begin;
}

static uint64_t head_at(const char *at)
{
    return __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_ACQUIRE);
}

/* Record by record from `at` on, each after its head: the head is what its thread wrote last.
 * Returns where they end. */
static uint64_t copy_records(char *to, const char *from, uint64_t at, uint64_t size)
{
    while (size - at >= sizeof(uint64_t)) {
        uint64_t head = head_at(from + at), length = TRACE_KIND_SIZE(TRACE_HEAD_KIND(head));
        if (!head || length > size - at)
            break;
        memcpy(to + at, from + at, length);
        memcpy(to + at, &head, sizeof head);
        at += length;
    }
    return at;
}

/* Pages of zeros are left alone, for they are memory only when they are touched. */
static void copy_rest(char *to, const char *from, uint64_t at, uint64_t size)
{
    static const char zeros[TRACE_PAGE];
    for (uint64_t part; at < size; at += part) {
        uint64_t page = TRACE_PAGE - at % TRACE_PAGE;
        part = page < size - at ? page : size - at;
        if (memcmp(from + at, zeros, part) != 0)
            memcpy(to + at, from + at, part);
    }
}

/* Behind the records a damaged file may have anything. In one that is whole there is something only
 * when its thread has made more records since the last was copied. */
static void copy_all(char *to, const char *from, uint64_t size)
{
    uint64_t at = sizeof(struct trace_chunk), end;
    memcpy(to, from, at);
    do {
        end = copy_records(to, from, at, size);
        copy_rest(to, from, end, size);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        at = copy_records(to, from, end, size);
    } while (at != end);
}

/* The result is true if the copied memory was the window's chunk all the while. If not, it is at
 * the file's end by now. */
static bool copy_chunk(char *to, const char *from, uint64_t size)
{
    const struct trace_chunk *chunk = (const struct trace_chunk *)(const void *)from;
    const struct trace_chunk *copy = (const struct trace_chunk *)(const void *)to;
    uint32_t kind = trace_chunk_kind(chunk);
    copy_all(to, from, size);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return kind == TRACE_CHUNK_WINDOW && trace_chunk_kind(chunk) == kind &&
           __atomic_load_n(&chunk->sequence, __ATOMIC_RELAXED) == copy->sequence;
}

uint64_t trace_windows_copy(struct trace_windows *windows, const struct file_map *map,
                            uint64_t offset, uint64_t end)
{
    uint64_t size = end - offset, room = whole_pages(size), place = windows->end;
    char *to = (char *)(uintptr_t)map->data + place;
    if (room > windows->room - place || mprotect(to, room, PROT_READ | PROT_WRITE) != 0)
        memory_none(room);
    if (!copy_chunk(to, map->data + offset, size)) {
        memset(to, 0, size);
        return 0;
    }
    VEC_PUSH(windows->list, windows->count, windows->capacity) =
        (struct trace_window){place, offset};
    windows->end += room;
    return place;
}

uint64_t trace_windows_offset(const struct trace_windows *windows, uint64_t place)
{
    size_t low = 0, high = windows->count;
    if (place < windows->begin || !high)
        return place;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (windows->list[middle].place <= place)
            low = middle;
        else
            high = middle;
    }
    return windows->list[low].offset + (place - windows->list[low].place);
}
