#include "variance/row_log.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/str.h"

enum { PIECE_BYTES = 1 << 16 };

void row_log_grow(struct row_log *log)
{
    log->capacity = log->capacity ? log->capacity * 2 : 4096;
    log->bytes = memory_resize(log->bytes, log->capacity);
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
    return (struct row_log_reader){.log = log, .buffer = memory_zeroed(PIECE_BYTES + ROW_LOG_PAIR)};
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

void row_log_fill(struct row_log_reader *reader)
{
    size_t left = reader->end - reader->at, count = 0;
    memmove(reader->buffer, reader->buffer + reader->at, left);
    reader->at = 0;
    do {
        count = reader_copy(reader, reader->buffer + left, PIECE_BYTES - left);
        reader->read += count;
        left += count;
    } while (count && left < ROW_LOG_PAIR);
    reader->end = left;
}
