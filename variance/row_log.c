#include "variance/row_log.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/str.h"

/* Behind the last pair there is room for what is read or written too much. */
enum { PIECE_BYTES = 1 << 16, SLACK_BYTES = sizeof(uint64_t), HEAD_BYTES = 2 };

static unsigned bits_of(uint64_t number)
{
    return 64 - (unsigned)__builtin_clzll(number | 1);
}

static void make_room(struct row_log *log, size_t bytes)
{
    if (log->capacity - log->count >= bytes)
        return;
    log->capacity = log->capacity * 2 + bytes;
    log->bytes = memory_resize(log->bytes, log->capacity);
}

struct row_log_row row_log_add(struct row_log *log, size_t count, uint64_t firsts, uint64_t seconds)
{
    unsigned first_bits = bits_of(firsts), bits = first_bits + bits_of(seconds);
    bool wide = bits > 64;
    struct row_log_row row = {NULL, first_bits, wide ? ROW_LOG_WIDE : (bits + 7) / 8};
    size_t bytes = HEAD_BYTES + count * row.size;
    make_room(log, bytes + SLACK_BYTES);
    row.at = log->bytes + log->count;
    log->count += bytes;
    *row.at++ = (unsigned char)first_bits;
    *row.at++ = (unsigned char)row.size;
    return row;
}

static int open_file(void)
{
    const char *folder = getenv("TMPDIR");
    struct str path = {0};
    str_printf(&path, "%s/vprofiler-rows-XXXXXX", folder && folder[0] ? folder : "/tmp");
    int file = mkstemp(path.data);
    if (file >= 0)
        unlink(path.data);
    str_release(&path);
    return file;
}

static bool write_all(int file, const unsigned char *bytes, size_t count, uint64_t at)
{
    while (count) {
        ssize_t written = pwrite(file, bytes, count, (off_t)at);
        if (written <= 0)
            return false;
        bytes += written;
        count -= (size_t)written;
        at += (uint64_t)written;
    }
    return true;
}

void row_log_settle(struct row_log *log)
{
    if (log->count < ROW_LOG_BYTES || log->full)
        return;
    if (!log->file)
        log->file = open_file() + 1;
    if (log->file && write_all(log->file - 1, log->bytes, log->count, log->spilled)) {
        log->spilled += log->count;
        log->count = 0;
    } else {
        log->full = true;
    }
}

void row_log_release(struct row_log *log)
{
    if (log->file)
        close(log->file - 1);
    memory_free(log->bytes);
    *log = (struct row_log){0};
}

struct row_log_reader row_log_start(const struct row_log *log)
{
    return (struct row_log_reader){.log = log};
}

void row_log_end(struct row_log_reader *reader)
{
    memory_free(reader->buffer);
}

/* Copies what comes next in the log, `room` bytes at the most. */
static size_t reader_copy(struct row_log_reader *reader, unsigned char *to, size_t room)
{
    const struct row_log *log = reader->log;
    if (reader->read < log->spilled) {
        uint64_t left = log->spilled - reader->read;
        ssize_t count = pread(log->file - 1, to, left < room ? left : room, (off_t)reader->read);
        if (count <= 0)
            BUG("a temporary file that was written can't be read back");
        return (size_t)count;
    }
    size_t at = reader->read - log->spilled, left = log->count - at;
    size_t count = left < room ? left : room;
    if (count)
        memcpy(to, log->bytes + at, count);
    return count;
}

static void reader_grow(struct row_log_reader *reader, size_t bytes)
{
    reader->capacity = bytes < PIECE_BYTES ? PIECE_BYTES : bytes;
    reader->buffer = memory_resize(reader->buffer, reader->capacity + SLACK_BYTES);
}

/* The next `bytes` of the log, which has as many, are in the buffer. */
static void reader_need(struct row_log_reader *reader, size_t bytes)
{
    size_t left = reader->end - reader->at;
    if (left >= bytes)
        return;
    if (left)
        memmove(reader->buffer, reader->buffer + reader->at, left);
    if (bytes > reader->capacity)
        reader_grow(reader, bytes);
    while (left < bytes) {
        size_t count = reader_copy(reader, reader->buffer + left, reader->capacity - left);
        if (!count)
            BUG("more is read of a log than was added");
        reader->read += count;
        left += count;
    }
    reader->at = 0;
    reader->end = left;
}

struct row_log_row row_log_next(struct row_log_reader *reader, size_t count)
{
    reader_need(reader, HEAD_BYTES);
    const unsigned char *head = reader->buffer + reader->at;
    struct row_log_row row = {NULL, head[0], head[1]};
    size_t bytes = HEAD_BYTES + count * row.size;
    reader_need(reader, bytes);
    row.at = reader->buffer + reader->at + HEAD_BYTES;
    reader->at += bytes;
    return row;
}
