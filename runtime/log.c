#include "runtime/log.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/clock.h"
#include "runtime/extents.h"
#include "runtime/objects.h"
#include "runtime/signals.h"
#include "runtime/system.h"
#include "runtime/trace_file.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define RECORD_MAX_BYTES 64u     /* of the format's kinds (trace_format.h) */
#define DROP_AFTER_FAILURE 1000u /* records, as each new try takes system calls */
#define REFUSED_MAX 1000u        /* in a row: no handler writes as many within some ns */
#define TRIES 8                  /* for a chunk, whose room other threads want, too */

static void (*log_opened)(void);
static bool (*log_is_own)(void);

__thread struct log log_self __attribute__((tls_model("initial-exec")));

void log_start_up(void (*opened)(void), bool (*is_own)(void))
{
    log_opened = opened;
    log_is_own = is_own;
}

/* The chunk is about to change: no handler of this thread comes in between, but one that
 * ThreadSanitizer has held back, within a call of libc. Its records are lost. */
static struct signal_set log_change_begin(void)
{
    struct signal_set before = signals_block();
    log_self.changing = true;
    return before;
}

static void log_change_end(struct signal_set before)
{
    log_self.changing = false;
    signals_restore(before);
}

static struct trace_chunk *log_chunk(void)
{
    return (struct trace_chunk *)(void *)log_self.direct.window;
}

static bool log_is_window(void)
{
    return log_self.size > 0 && log_self.size == log_self.window_size;
}

static uint32_t log_count_records(void)
{
    uint32_t records = 0;
    for (uint64_t at = sizeof(struct trace_chunk); at < log_self.size;) {
        uint64_t head =
            __atomic_load_n((uint64_t *)(void *)(log_self.direct.window + at), __ATOMIC_RELAXED);
        if (head == 0)
            break;
        at += TRACE_KIND_SIZE(TRACE_HEAD_KIND(head));
        records++;
    }
    return records;
}

/* The extent is the chunk as it is now, in the file at `offset`. */
static struct extent log_extent(uint64_t offset)
{
    return (struct extent){.offset = offset,
                           .size = log_self.size,
                           .ticks = clock_now(),
                           .records = extents_kept() ? log_count_records() : 0};
}

/* The chunk takes no more records, and its room may be wanted. */
static void log_retire(void)
{
    if (log_self.size)
        extents_retire(log_extent(log_self.offset));
}

static void log_set_limit(void)
{
    log_self.direct.limit = log_self.forking ? 0 : log_self.size;
}

/* A pause has hidden the chunk's end. A handler may have brought it back since the caller's look.
 */
static bool log_show(uint64_t end)
{
    struct signal_set before = log_change_begin();
    bool ok = end <= log_self.size;
    if (ok)
        log_set_limit();
    log_change_end(before);
    return ok;
}

static bool log_open(void)
{
    if (!log_self.direct.window) {
        void *window = mmap(NULL, TRACE_FILE_WINDOW_MAX_BYTES, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (window == MAP_FAILED)
            return false;
        log_self.direct.window = window;
    }
    log_opened();
    log_self.thread = trace_file_next_thread();
    log_self.window_size = trace_file_window(log_self.thread);
    log_self.sequence = 0;
    log_self.size = 0;
    log_self.state = LOG_OPEN;
    objects_begin();
    return true;
}

/* Magic and kind are set in one store: a page that has only one of them is damaged. */
static void log_set_kind(uint32_t kind)
{
    typedef uint64_t both __attribute__((may_alias));
    __atomic_store_n((both *)(void *)log_self.direct.window,
                     (uint64_t)kind << 32 | TRACE_CHUNK_MAGIC, __ATOMIC_RELEASE);
}
_Static_assert(offsetof(struct trace_chunk, kind) == 4, "the kind follows the magic");

/* After this there is a chunk, without records. */
static void log_start_chunk(void)
{
    struct trace_chunk *chunk = log_chunk();
    chunk->sequence = log_self.sequence++;
    log_set_kind(log_is_window() ? TRACE_CHUNK_WINDOW : TRACE_CHUNK_LOG);
    log_set_limit();
    __atomic_store_n(&log_self.direct.cursor, sizeof *chunk, __ATOMIC_RELAXED);
    system_thread_name(chunk->name);
    trace_file_calibrate();
}

/* The next chunk begins in the pages of this one, whose records are gone. */
static void log_empty_chunk(void)
{
    struct trace_chunk *chunk = log_chunk();
    log_set_kind(TRACE_CHUNK_SPARE);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* before the first zero */
    memset(chunk + 1, 0, log_self.size - sizeof *chunk);
    log_start_chunk();
}

/* A larger chunk is mapped over the window's old one. That stays mapped where no new one can be
 * had, so that no address becomes invalid. */
static bool log_map_chunk(void)
{
    int fd;
    uint64_t size = log_self.size ? log_self.size * 2 : trace_file_page();
    uint64_t offset = trace_file_reserve(size, &fd);
    if (!offset) {
        size = trace_file_page();
        offset = trace_file_reserve(size, &fd);
    }
    if (!offset)
        return false;
    trace_file_fill(offset, size);
    log_retire();
    log_self.size = log_self.direct.limit = 0;
    if (mmap(log_self.direct.window, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
             (off_t)offset) == MAP_FAILED ||
        (madvise(log_self.direct.window, size, MADV_POPULATE_WRITE) != 0 && errno != EINVAL))
        return false;
    log_self.size = size;
    log_self.offset = offset;
    *log_chunk() = (struct trace_chunk){.size = size,
                                        .tid = system_thread_id(),
                                        .thread = log_self.thread,
                                        .start = log_self.start};
    log_start_chunk();
    return true;
}

/* The window's chunk is copied to where it stays, and the next one begins in its pages, which are
 * there, mapped and in the caches: new ones would cost more than all of the records in them. */
static bool log_write_out(void)
{
    uint64_t start = clock_now();
    log_self.direct.limit = 0;
    uint64_t offset = trace_file_add(log_chunk(), TRACE_CHUNK_LOG);
    if (!offset)
        return false;
    struct extent added = log_extent(offset);
    log_empty_chunk();
    extents_retire(added);
    trace_file_wrote_out(log_self.size, clock_now() - start);
    return true;
}

/* There is no room for another chunk, and none that is older than this one: its records give their
 * room to newer ones. */
static bool log_begin_again(void)
{
    if (!log_self.size)
        return false;
    struct extent oldest = log_extent(log_self.offset);
    if (!trace_file_give_up(&oldest))
        return false;
    log_self.direct.limit = 0;
    log_empty_chunk();
    trace_file_gave_up();
    return true;
}

/* Another thread's chunk that was the oldest of all may be gone by now. */
static bool log_find_chunk(void)
{
    bool ok = false;
    for (int i = 0; (i == 0 || extents_kept()) && i < TRIES && !ok; i++)
        ok = (log_is_window() ? log_write_out() : log_map_chunk()) ||
             (extents_kept() && log_begin_again());
    return ok;
}

/* The interrupted record never ends where its handler left by siglongjmp: no program may lose its
 * log for ever by that. */
static bool log_is_interrupted(void)
{
    if (log_self.direct.open > 1 && log_self.refused++ < REFUSED_MAX)
        return true;
    log_self.direct.open = 1;
    log_self.refused = 0;
    return false;
}

/* No handler comes in between here; one may have done the work between the caller's look and now.
 */
static bool log_refill(void)
{
    struct signal_set before = log_change_begin();
    bool ok = log_self.state != LOG_NEW || log_open();
    if (ok && log_self.direct.cursor + RECORD_MAX_BYTES > log_self.size)
        ok = log_find_chunk();
    if (!ok)
        log_self.drop = DROP_AFTER_FAILURE;
    log_change_end(before);
    return ok;
}

static void *log_find_room(uint64_t at, uint64_t size)
{
    if (log_self.changing || (log_self.forking && !log_is_own())) {
        log_self.direct.cursor = at; /* no gap */
        return NULL;
    }
    if (log_self.state == LOG_PAUSED || log_self.state == LOG_CLOSED)
        return NULL;
    if (log_self.drop) {
        log_self.drop--;
        return NULL;
    }
    if (at + size > log_self.size) {
        if (log_is_interrupted() || !log_refill())
            return NULL;
        at = log_take(size);
    }
    if (at + size > log_self.direct.limit && !log_show(at + size))
        return NULL;
    return log_self.direct.window + at;
}

void *log_reserve_slow(uint64_t at, uint64_t size)
{
    int error = errno;
    void *record = log_find_room(at, size);
    if (!record) {
        trace_file_lost(1);
        log_self.direct.open--;
    }
    errno = error;
    return record;
}

void log_function_slow(uint64_t at, uint64_t start, uint64_t duration_probe)
{
    struct trace_function *r = log_reserve_slow(at, sizeof *r);
    if (r)
        log_function(r, start, duration_probe);
}

void log_name_thread(void)
{
    struct signal_set before = log_change_begin();
    if (log_self.size)
        system_thread_name(log_chunk()->name);
    log_change_end(before);
}

void log_close(void)
{
    void *window = log_self.direct.window;
    log_self.state = LOG_CLOSED;
    log_self.direct.limit = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (log_is_window())
        log_set_kind(TRACE_CHUNK_LOG);
    log_retire();
    log_self.size = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    log_self.direct.window = NULL;
    if (window)
        munmap(window, TRACE_FILE_WINDOW_MAX_BYTES);
}

void log_pause(void)
{
    log_self.paused_cursor = log_self.direct.cursor;
    log_self.paused_state = log_self.state;
    log_self.state = LOG_PAUSED;
    log_self.direct.limit = 0;
}

/* Records refused meanwhile have moved the cursor; a gap would end the chunk for its readers. The
 * limit comes back with the next record. */
void log_resume(void)
{
    log_self.direct.cursor = log_self.paused_cursor;
    log_self.state = log_self.paused_state;
}

/* Without a limit each record comes by log_find_room(). */
void log_fork_begin(void)
{
    log_self.forking = true;
    log_self.direct.limit = 0;
}

void log_fork_parent(void)
{
    log_self.forking = false;
}

void log_fork_child_begin(void)
{
    log_self.changing = true;
}

/* Memory of our own is mapped over the window: the fork may have come from a handler that
 * interrupted a record, whose stores are still to come. */
void log_fork_child_end(void)
{
    log_self.size = 0;
    log_self.drop = 0;
    log_self.state = log_self.state == LOG_CLOSED ? LOG_CLOSED : LOG_NEW;
    if (log_self.direct.window &&
        mmap(log_self.direct.window, TRACE_FILE_WINDOW_MAX_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        log_self.state = LOG_CLOSED;
    log_self.forking = false;
    log_self.changing = false;
}
