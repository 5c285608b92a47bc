#include "trace/trace_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

enum { MOST_SENTENCES = 20 };

/* The result is the place's offset in the file. */
static uint64_t reader_offset(const struct trace_reader *reader, uint64_t place)
{
    return trace_windows_offset(&reader->windows, place);
}

static void __attribute__((format(printf, 3, 4)))
reader_damage(struct trace_reader *reader, uint64_t place, const char *format, ...)
{
    uint64_t offset = reader_offset(reader, place);
    struct str text = {0};
    if (reader->damage_count > MOST_SENTENCES)
        return;
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (reader->damage_count == MOST_SENTENCES)
        str_printf(&text, "%s: there is more damage from byte %" PRIu64 " on.", reader->path,
                   offset);
    else
        str_printf(&text, "%s: byte %" PRIu64 ": %s.", reader->path, offset, what);
    VEC_PUSH(reader->damage, reader->damage_count, reader->damage_capacity) = text.data;
}

static const struct trace_chunk *reader_chunk(const struct trace_reader *reader, uint64_t offset)
{
    return (const struct trace_chunk *)(const void *)(reader->map.data + offset);
}

const struct trace_chunk *trace_log_chunk(const struct trace_reader *reader, uint32_t log)
{
    const struct trace_log *of = &reader->logs[log];
    return reader_chunk(reader, reader->pieces[of->first_piece + of->piece_count - 1].offset);
}

static bool all_zero(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i])
            return false;
    return true;
}

static bool header_check_kind(const struct trace_reader *reader, struct error *error)
{
    const struct trace_file_header *header = reader->header;
    size_t size = reader->map.size_bytes, magic = sizeof header->magic;
    if (size <= TRACE_PAGE && all_zero(reader->map.data, size < magic ? size : magic))
        return error_set(error, ERROR_NOTHING,
                         "%s is empty: its process was killed before it recorded anything.",
                         reader->path);
    if (size < sizeof header->magic ||
        memcmp(header->magic, TRACE_MAGIC, sizeof header->magic) != 0)
        return error_set(error, ERROR_FORMAT,
                         "%s is not a vprofiler trace: byte 0: the 8 bytes \"vproftr\\n\" are "
                         "missing. Take the file out of the folder, or record again.",
                         reader->path);
    if (size < TRACE_PAGE)
        return error_set(error, ERROR_FORMAT,
                         "%s ends at byte %zu, inside its header of %u bytes: it was cut, and "
                         "nothing can be read. Take it out of the folder, or record again.",
                         reader->path, size, TRACE_PAGE);
    if (header->version > TRACE_VERSION)
        return error_set(error, ERROR_FORMAT,
                         "%s: byte 8: format version %u; this vprofiler reads up to %u. Use a "
                         "vprofiler at least as new as the one that recorded it.",
                         reader->path, header->version, TRACE_VERSION);
    if (header->features & ~(uint64_t)TRACE_FEATURE_RECORDER)
        return error_set(error, ERROR_FORMAT,
                         "%s: byte 16: feature bits 0x%" PRIx64 " are not known. Use a vprofiler "
                         "at least as new as the one that recorded it.",
                         reader->path, header->features & ~(uint64_t)TRACE_FEATURE_RECORDER);
    return true;
}

static bool header_check_fields(const struct trace_reader *reader, struct error *error)
{
    const struct trace_file_header *header = reader->header;
    const char *what = NULL;
    unsigned offset = 0;
    if (header->version == 0)
        what = "version is 0", offset = 8;
    else if (header->header_size < TRACE_PAGE || header->header_size % TRACE_PAGE != 0 ||
             header->header_size > reader->map.size_bytes)
        what = "header size is not a multiple of 4096 inside the file", offset = 12;
    else if (header->clock < TRACE_CLOCK_TSC || header->clock > TRACE_CLOCK_MONOTONIC)
        what = "clock is not known", offset = 32;
    if (!what)
        return true;
    return error_set(error, ERROR_FORMAT,
                     "%s: byte %u: the header's %s: the file is damaged. Take it out of the "
                     "folder, or record again.",
                     reader->path, offset, what);
}

/* The chunk's head, if one begins there, or zeros. By a system call: a look into the mapping would
 * map all that is around it, which takes twenty times as long. */
static struct trace_chunk reader_head(const struct trace_reader *reader, uint64_t offset)
{
    struct trace_chunk head = {0};
    ssize_t size = sizeof head;
    if (reader->map.size_bytes - offset < sizeof head ||
        pread(reader->fd, &head, sizeof head, (off_t)offset) != size)
        return (struct trace_chunk){0};
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* as trace_chunk_kind() */
    return head;
}

static bool chunk_is_there(const struct trace_chunk *head)
{
    return head->magic == TRACE_CHUNK_MAGIC && head->kind != 0;
}

static bool is_chunk(const struct trace_chunk *head)
{
    return chunk_is_there(head) && head->size >= TRACE_PAGE && head->size % TRACE_PAGE == 0;
}

/* The first page from `offset` on that is no hole. What was overwritten may leave a very long one;
 * and to look into one is a SIGBUS where a tmpfs is full. */
static uint64_t reader_next_page(const struct trace_reader *reader, uint64_t offset)
{
    off_t data = lseek(reader->fd, (off_t)offset, SEEK_DATA);
    if (data < 0)
        return errno == ENXIO ? reader->map.size_bytes : offset;
    return (uint64_t)data - (uint64_t)data % TRACE_PAGE;
}

/* The next page from `offset` on that begins a chunk, or the end of the file. */
static uint64_t reader_next_chunk(const struct trace_reader *reader, uint64_t offset)
{
    uint64_t size = reader->map.size_bytes;
    for (offset = reader_next_page(reader, offset);
         offset < size && size - offset >= sizeof(struct trace_chunk);
         offset = reader_next_page(reader, offset + TRACE_PAGE)) {
        struct trace_chunk head = reader_head(reader, offset);
        if (is_chunk(&head))
            return offset;
    }
    return size;
}

static uint64_t reader_chunk_end(struct trace_reader *reader, uint64_t offset, uint64_t size)
{
    if (size <= reader->map.size_bytes - offset)
        return offset + size;
    uint64_t end = reader_next_chunk(reader, offset + TRACE_PAGE);
    reader_damage(reader, offset,
                  "the chunk says that it has %" PRIu64 " bytes, but the file ends at byte %zu; "
                  "it is read up to byte %" PRIu64,
                  size, reader->map.size_bytes, end);
    return end;
}

static void reader_keep_piece(struct trace_reader *reader, uint64_t place, uint64_t end,
                              const struct trace_chunk *head)
{
    VEC_PUSH(reader->pieces, reader->piece_count, reader->piece_capacity) = (struct trace_piece){
        place, end, head->thread, head->sequence, head->tid, place >= reader->windows.begin};
}

/* The window's chunk is kept, and none that came later: chunks that its thread has filled meanwhile
 * may not be found. */
static void reader_keep_window(struct trace_reader *reader, uint64_t offset, uint64_t end)
{
    uint64_t place = 0;
    if (offset < reader->found_size)
        place = trace_windows_copy(&reader->windows, &reader->map, offset, end);
    if (place)
        reader_keep_piece(reader, place, place + (end - offset), reader_chunk(reader, place));
    else if (trace_chunk_kind(reader_chunk(reader, offset)) == TRACE_CHUNK_LOG)
        reader_keep_piece(reader, offset, end, /* its thread has ended just now */
                          reader_chunk(reader, offset));
}

/* The stack begins at `at`, before `end`; the result is its bytes, 0: none begins there. */
static uint64_t stack_bytes(const struct trace_reader *reader, uint64_t at, uint64_t end,
                            struct trace_stack *head)
{
    if (end - at < sizeof *head)
        return 0;
    memcpy(head, reader->map.data + at, sizeof *head);
    return head->size ? sizeof *head + sizeof(uint64_t) * head->size : 0;
}

/* The stacks are kept as far as they are whole. */
static void reader_keep_stacks(struct trace_reader *reader, uint64_t begin, uint64_t end)
{
    struct trace_stack head;
    uint64_t at = begin;
    for (uint64_t bytes; (bytes = stack_bytes(reader, at, end, &head)) != 0; at += bytes)
        if (bytes > end - at || head.kernel > head.size) {
            reader_damage(reader, at, "a stack leaves its chunk");
            break;
        }
    VEC_PUSH(reader->stacks, reader->stacks_count, reader->stacks_capacity) =
        (struct trace_stacks){begin, at};
}

static void reader_keep_unwound(struct trace_reader *reader, uint64_t begin, uint64_t end)
{
    struct unwound_cursor cursor = {.at = begin, .end = end};
    struct trace_unwinding unwinding;
    struct unwound_view view;
    if (!unwound_begin(reader->map.data, &cursor, &unwinding))
        return;
    while (unwound_next(reader->map.data, &cursor, &view))
        ;
    if (cursor.damaged)
        reader_damage(reader, cursor.at, "an object of stacks leaves its chunk");
    reader->unwound = (struct unwound_cursor){.at = begin, .end = cursor.at};
}

static struct trace_maps text_of(const struct trace_reader *reader, uint64_t offset, uint64_t end,
                                 const struct trace_chunk *head)
{
    const char *text = reader->map.data + offset + sizeof *head;
    return (struct trace_maps){text, strnlen(text, end - offset - sizeof *head), head->tid};
}

static void reader_keep(struct trace_reader *reader, uint64_t offset, uint64_t end,
                        const struct trace_chunk *head)
{
    if (head->kind == TRACE_CHUNK_LOG) {
        reader_keep_piece(reader, offset, end, head);
    } else if (head->kind == TRACE_CHUNK_WINDOW) {
        reader_keep_window(reader, offset, end);
    } else if (head->kind == TRACE_CHUNK_MAPS) {
        VEC_PUSH(reader->maps, reader->maps_count, reader->maps_capacity) =
            text_of(reader, offset, end, head);
    } else if (head->kind == TRACE_CHUNK_KERNEL) {
        reader->kernel = text_of(reader, offset, end, head);
    } else if (head->kind == TRACE_CHUNK_FILES) {
        reader->files = text_of(reader, offset, end, head);
    } else if (head->kind == TRACE_CHUNK_GENERATED) {
        VEC_PUSH(reader->generated, reader->generated_count, reader->generated_capacity) =
            text_of(reader, offset, end, head);
    } else if (head->kind == TRACE_CHUNK_POINTS) {
        reader->points = text_of(reader, offset, end, head);
    } else if (head->kind == TRACE_CHUNK_TARGETS) {
        reader->targets = text_of(reader, offset, end, head);
    } else if (head->kind == TRACE_CHUNK_STACKS) {
        reader_keep_stacks(reader, offset + sizeof *head, end);
    } else if (head->kind == TRACE_CHUNK_UNWOUND) {
        reader_keep_unwound(reader, offset + sizeof *head, end);
    }
}

/* A page is unused if it is reserved, but its owner was killed before it could begin, or the disk
 * was full: no record was ever written there. */
static bool page_is_unused(const struct trace_reader *reader, uint64_t page)
{
    const char *chunk = reader->map.data + page;
    uint64_t room = reader->map.size_bytes - page;
    uint64_t head = sizeof(struct trace_chunk), first = sizeof(uint64_t);
    if (!all_zero(chunk, room < sizeof(uint32_t) ? room : sizeof(uint32_t)))
        return false;
    return room <= head || all_zero(chunk + head, room - head < first ? room - head : first);
}

/* The first page in [offset, end) that has been written to, or `end`. */
static uint64_t reader_next_used(const struct trace_reader *reader, uint64_t offset, uint64_t end)
{
    uint64_t page = reader_next_page(reader, offset);
    while (page < end && page_is_unused(reader, page))
        page = reader_next_page(reader, page + TRACE_PAGE);
    return page < end ? page : end;
}

/* Pages that begin no chunk, from `offset` on; returns their end. What a process is just adding
 * comes while they are looked at: where there is something, the chunk that it belongs to is there,
 * for its head was written before it. */
static uint64_t reader_skip_hole(struct trace_reader *reader, uint64_t offset)
{
    uint64_t end = reader_next_chunk(reader, offset);
    uint64_t used = reader_next_used(reader, offset, end);
    if (used == end)
        return end;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    uint64_t now = reader_next_chunk(reader, offset);
    if (now > used)
        reader_damage(reader, offset, "%" PRIu64 " bytes are no chunk and were left out",
                      now - offset);
    return now;
}

void trace_reader_forget(const struct trace_reader *reader)
{
    madvise((void *)(uintptr_t)reader->map.data, reader->map.size_bytes, MADV_DONTNEED);
}

/* A chunk that is just being added, or was after the file's size was looked at; or whose process
 * was killed while it added it; or of which more was added than there is room for. */
static bool reader_is_unfinished(const struct trace_reader *reader, uint64_t offset,
                                 const struct trace_chunk *head)
{
    uint64_t size = reader->map.size_bytes;
    if (head->size <= size - offset)
        return false;
    if (offset >= reader->found_size)
        return true;
    uint64_t grown = trace_windows_grown(&reader->windows, reader->fd);
    return (grown > size && head->size <= grown - offset) ||
           (head->kind == TRACE_CHUNK_SPARE &&
            reader_next_chunk(reader, offset + TRACE_PAGE) == size);
}

/* The result is where the scan ends: at the end of the file, or with an unfinished chunk. */
static uint64_t reader_scan(struct trace_reader *reader, uint64_t offset)
{
    while (offset < reader->map.size_bytes) {
        struct trace_chunk head = reader_head(reader, offset);
        if (!is_chunk(&head)) {
            offset = reader_skip_hole(reader, offset);
            continue;
        }
        if (reader_is_unfinished(reader, offset, &head))
            break;
        uint64_t end = reader_chunk_end(reader, offset, head.size);
        if (offset != reader->header->given_back.offset)
            reader_keep(reader, offset, end, &head);
        offset = end;
    }
    return offset;
}

/* Chunks that were added meanwhile: the one of a window that was copied too late, and those before
 * the one that a window held when it was copied late. */
static void reader_scan_grown(struct trace_reader *reader)
{
    uint64_t grown = trace_windows_grown(&reader->windows, reader->fd);
    if (grown <= reader->found_size || reader->found_size % TRACE_PAGE != 0)
        return;
    reader->map.size_bytes = grown;
    reader_scan(reader, reader->found_size);
}

static int piece_compare(const void *a, const void *b)
{
    const struct trace_piece *p = a, *q = b;
    if (p->thread != q->thread)
        return p->thread < q->thread ? -1 : 1;
    if (p->sequence != q->sequence)
        return p->sequence < q->sequence ? -1 : 1;
    if (p->window != q->window)
        return p->window ? 1 : -1;
    return p->offset < q->offset ? -1 : p->offset > q->offset;
}

/* The result is true if `piece` follows `last` in the log of the same thread (NULL: begins it). */
static bool piece_follows(struct trace_reader *reader, const struct trace_piece *last,
                          const struct trace_piece *piece)
{
    uint32_t expected = last ? last->sequence + 1 : 0;
    if (piece->sequence == expected || (!last && trace_overwritten_records(reader->header)))
        return true;
    if (last && last->sequence == piece->sequence) {
        if (!piece->window) /* a window's chunk was added to the file, too */
            reader_damage(reader, piece->offset,
                          "chunk %u of thread %u (tid %u) is there twice; this one was left out",
                          piece->sequence, piece->thread, piece->tid);
        return false;
    }
    if (!piece->window && piece->offset >= reader->found_size)
        return false; /* written while its predecessor was looked for */
    reader_damage(reader, piece->offset, "the log of thread %u (tid %u) lacks its chunks %u to %u",
                  piece->thread, piece->tid, expected, piece->sequence - 1);
    return true;
}

static void reader_group(struct trace_reader *reader)
{
    struct trace_piece *pieces = reader->pieces;
    if (reader->piece_count)
        qsort(pieces, reader->piece_count, sizeof *pieces, piece_compare);
    size_t kept = 0;
    for (size_t i = 0; i < reader->piece_count; i++) {
        bool fresh = kept == 0 || pieces[kept - 1].thread != pieces[i].thread;
        if (!piece_follows(reader, fresh ? NULL : &pieces[kept - 1], &pieces[i]))
            continue;
        if (fresh)
            VEC_PUSH(reader->logs, reader->log_count, reader->log_capacity) =
                (struct trace_log){pieces[i].tid, (uint32_t)kept, 0};
        reader->logs[reader->log_count - 1].piece_count++;
        pieces[kept++] = pieces[i];
    }
    reader->piece_count = kept;
}

static void reader_find(struct trace_reader *reader)
{
    reader->header = (const struct trace_file_header *)(const void *)reader->map.data;
    reader->found_size = reader->map.size_bytes;
    reader->found_size = reader_scan(reader, reader->header->header_size);
    reader_scan_grown(reader);
    trace_windows_trim(&reader->windows, &reader->map);
    reader_group(reader);
}

/* A link to a file is told as that file: who is told of damage looks for it. */
static char *path_to_tell(const char *path)
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0 || target[0] != '/')
        return memory_strdup(path);
    target[length] = '\0';
    return memory_strdup(target);
}

bool trace_reader_open(struct trace_reader *reader, const char *path, struct error *error)
{
    *reader = (struct trace_reader){0};
    if (!file_map_open(&reader->map, path, error))
        return false;
    reader->path = path_to_tell(path);
    reader->header = (const struct trace_file_header *)(const void *)reader->map.data;
    if (!header_check_kind(reader, error) || !header_check_fields(reader, error)) {
        trace_reader_close(reader);
        return false;
    }
    reader->fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = reader->fd >= 0 && trace_windows_open(&reader->windows, &reader->map, reader->fd);
    if (ok)
        reader_find(reader);
    else
        error_system(error, "Can't read %s", path);
    if (reader->fd >= 0)
        close(reader->fd);
    if (!ok)
        trace_reader_close(reader);
    return ok;
}

void trace_reader_close(struct trace_reader *reader)
{
    for (size_t i = 0; i < reader->damage_count; i++)
        memory_free(reader->damage[i]);
    memory_free(reader->damage);
    memory_free(reader->pieces);
    memory_free(reader->maps);
    memory_free(reader->generated);
    memory_free(reader->stacks);
    memory_free(reader->logs);
    memory_free(reader->path);
    trace_windows_close(&reader->windows, &reader->map);
    *reader = (struct trace_reader){0};
}

static void cursor_open_piece(struct trace_cursor *cursor)
{
    const struct trace_piece *piece = &cursor->reader->pieces[cursor->piece];
    cursor->at = piece->offset + sizeof(struct trace_chunk);
    cursor->end = piece->end;
}

struct trace_cursor trace_cursor_start(struct trace_reader *reader, uint32_t log)
{
    const struct trace_log *found = &reader->logs[log];
    struct trace_cursor cursor = {.reader = reader,
                                  .piece = found->first_piece,
                                  .piece_end = found->first_piece + found->piece_count};
    cursor_open_piece(&cursor);
    return cursor;
}

/* The rest behind the record that ends a log is zeros, but for one that its thread was making when
 * the process ended. Unless a head was damaged, or the chunk's size was and swallowed its
 * neighbour. */
static void cursor_check_rest(struct trace_cursor *cursor)
{
    struct trace_reader *reader = cursor->reader;
    uint64_t room = cursor->end - cursor->at, unfinished = TRACE_KIND_SIZE(3u);
    uint64_t rest = room > unfinished ? room - unfinished : 0;
    if (!all_zero(reader->map.data + cursor->end - rest, rest < 128 ? rest : 128)) {
        reader_damage(reader, cursor->at,
                      "the log stops here, but its chunk goes on to byte %" PRIu64
                      "; the rest was left out",
                      reader_offset(reader, cursor->at) + (cursor->end - cursor->at));
        return;
    }
    uint64_t page = (cursor->at + TRACE_PAGE - 1) / TRACE_PAGE * TRACE_PAGE;
    for (; page < cursor->end; page += TRACE_PAGE)
        if (cursor->end - page >= sizeof(struct trace_chunk) &&
            chunk_is_there(reader_chunk(reader, page))) {
            reader_damage(reader, page, "a chunk begins inside another; it was left out");
            return;
        }
}

bool trace_cursor_next(struct trace_cursor *cursor, struct trace_record *record)
{
    for (;;) {
        uint64_t room = cursor->end - cursor->at, head = 0;
        if (room >= sizeof head)
            memcpy(&head, cursor->reader->map.data + cursor->at, sizeof head);
        uint64_t size = TRACE_KIND_SIZE(TRACE_HEAD_KIND(head));
        if (head && size <= room) {
            *record = (struct trace_record){TRACE_HEAD_KIND(head), TRACE_HEAD_TICKS(head),
                                            cursor->reader->map.data + cursor->at};
            cursor->at += size;
            return true;
        }
        if (cursor->again)
            ;
        else if (head)
            reader_damage(cursor->reader, cursor->at,
                          "a record of %" PRIu64 " bytes has only %" PRIu64
                          " left in its chunk; it was left out",
                          size, room);
        else
            cursor_check_rest(cursor);
        if (++cursor->piece >= cursor->piece_end) {
            cursor->piece--;
            cursor->at = cursor->end;
            return false;
        }
        cursor_open_piece(cursor);
    }
}

bool trace_stack_next(const struct trace_reader *reader, struct trace_stack_cursor *cursor,
                      struct trace_stack_view *stack)
{
    for (; cursor->chunk < reader->stacks_count; cursor->chunk++, cursor->at = 0) {
        const struct trace_stacks *chunk = &reader->stacks[cursor->chunk];
        uint64_t at = cursor->at ? cursor->at : chunk->offset;
        uint64_t bytes = stack_bytes(reader, at, chunk->end, &stack->head);
        if (!bytes)
            continue;
        stack->addresses = reader->map.data + at + sizeof stack->head;
        cursor->at = at + bytes;
        return true;
    }
    return false;
}
