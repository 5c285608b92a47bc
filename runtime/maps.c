#include "runtime/maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/system.h"
#include "runtime/trace_file.h"

#define TEXT_MIN_BYTES (UINT64_C(64) << 10)
#define TEXT_MAX_BYTES (UINT64_C(64) << 20)

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

static const char *read_range(const char *p, uintptr_t *start, uintptr_t *end)
{
    p = hex(p, start);
    return hex(p + (*p == '-'), end);
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

static void read_line(struct maps_line *line, const char *p)
{
    uintptr_t offset, number[2];
    p = read_range(p, &line->start, &line->end);
    p += *p == ' ';
    size_t length = line_length(p);
    const char *at = hex(p + strcspn(p, " \n") + 1, &offset);
    at = hex(at + 1, &number[0]);
    at = hex(at + 1, &number[1]);
    line->offset = offset;
    line->major = (unsigned)number[0];
    line->minor = (unsigned)number[1];
    line->inode = strtoull(at, (char **)(uintptr_t)&at, 10);
    size_t path = (size_t)(at - p) + strspn(at, " ");
    bool fits = length < sizeof line->rest;
    memcpy(line->rest, p, fits ? length : 5); /* the permissions at least */
    line->rest[fits ? length : 5] = '\0';
    line->path = fits && path < length ? line->rest + path : NULL;
}

/* The line says what is shown to be mapped there. */
static void text_rename(struct text *t, const struct maps_line *line)
{
    uintptr_t start = 0, end = 0;
    char *p = t->data + sizeof(struct trace_chunk), *rest = p;
    for (; *p && start != line->start; p = (char *)(uintptr_t)next_line(p))
        rest = (char *)(uintptr_t)read_range(p, &start, &end) + 1;
    size_t length = line_length(rest), wanted = strlen(line->rest);
    if (start != line->start || end != line->end || t->size + wanted >= t->capacity)
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

/* The text's own memory is left out: it is unmapped in a moment, and what is mapped there next is
 * not known. */
static void take_rest(const struct text *t, maps_take *take, void *context, struct maps_line *line)
{
    uintptr_t own = (uintptr_t)t->data, own_end = own + t->capacity, end = line->end;
    if (own >= end || own_end <= line->start) {
        take(context, line);
        return;
    }
    line->end = own;
    if (line->start < line->end)
        take(context, line);
    line->start = own_end;
    line->end = end;
    if (line->start < line->end)
        take(context, line);
}

bool maps_read(maps_take *take, void *context, bool write)
{
    struct text text = {NULL, 0, 0};
    struct maps_line line;
    if (!text_load(&text)) {
        text_free(&text);
        return false;
    }
    for (const struct maps_line *other = __atomic_load_n(&named, __ATOMIC_ACQUIRE); other;
         other = other->next)
        text_rename(&text, other);
    if (write)
        text_write(&text);
    for (const char *p = text.data + sizeof(struct trace_chunk); *p; p = next_line(p)) {
        read_line(&line, p);
        take_rest(&text, take, context, &line);
    }
    text_free(&text);
    return true;
}

bool maps_find(uintptr_t address, struct maps_line *line)
{
    struct text text = {NULL, 0, 0};
    line->start = line->end = 0;
    if (text_load(&text))
        for (const char *p = text.data + sizeof(struct trace_chunk); *p && line->end <= address;
             p = next_line(p))
            read_line(line, p);
    text_free(&text);
    return line->start <= address && address < line->end;
}

void maps_name(struct maps_line *line)
{
    line->next = named;
    __atomic_store_n(&named, line, __ATOMIC_RELEASE);
}
