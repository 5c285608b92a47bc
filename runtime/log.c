#include "runtime/log.h"

#include <errno.h>
#include <sys/mman.h>

#include "runtime/clock.h"
#include "runtime/extents.h"
#include "runtime/maps.h"
#include "runtime/system.h"
#include "runtime/thread.h"
#include "runtime/trace_file.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Also the largest chunk's: a new one of 1 MiB takes 300 us on tmpfs, long enough to show. */
#define WINDOW_BYTES (UINT64_C(256) << 10)
#define STEP_BYTES (UINT64_C(64) << 10)
#define RECORD_MAX_BYTES 64u
#define DROP_AFTER_FAILURE 1000u
#define REFUSED_MAX 1000u

__thread struct log log_self __attribute__((tls_model("initial-exec")));

/* The chunk is about to change: no handler of this thread runs. Only one that ThreadSanitizer has
 * held back does, within a call of libc: its records are lost. */
static struct signal_set log_change_begin(void)
{
    struct signal_set before = system_signals_block();
    log_self.changing = true;
    return before;
}

static void log_change_end(struct signal_set before)
{
    log_self.changing = false;
    system_signals_restore(before);
}

/* The records of the chunk that end before `at`, a step at a time: walking over a whole chunk would
 * take long enough to show. An interrupted one is still without head; it is counted later. */
static void log_count(uint64_t at)
{
    while (log_self.counted < at) {
        uint64_t head = __atomic_load_n(
            (uint64_t *)(void *)(log_self.direct.window + log_self.counted), __ATOMIC_RELAXED);
        if (head == 0)
            return;
        log_self.counted += TRACE_KIND_SIZE(TRACE_HEAD_KIND(head));
        log_self.records++;
    }
}

static void log_retire(void)
{
    if (log_self.size == 0 || !log_self.kept)
        return;
    log_count(log_self.size);
    extents_retire((struct extent){.offset = log_self.offset,
                                   .size = log_self.size,
                                   .ticks = clock_now(),
                                   .records = log_self.records});
    log_self.kept = false;
}

/* Touch the chunk's next step at once: cheaper than one fault for each page, and in steps because
 * a whole chunk would take long enough to show in someone's latency. No handler may run: its
 * records would be written over. False: the chunk is of no use after all. */
static bool log_touch(void)
{
    uint64_t from = log_self.touched;
    uint64_t to = from + STEP_BYTES < log_self.size ? from + STEP_BYTES : log_self.size;
    if (from && log_self.kept)
        log_count(from);
    trace_file_fill(log_self.offset + from, to - from);
    if (madvise(log_self.direct.window + from, to - from, MADV_POPULATE_WRITE) != 0 &&
        errno != EINVAL) {
        log_retire();
        log_self.size = 0;
        return false;
    }
    log_self.touched = log_self.direct.limit = to;
    return true;
}

/* Room up to `end` of the chunk. A handler may have made it since the caller's look, or a pause has
 * only hidden it. */
static bool log_extend(uint64_t end)
{
    struct signal_set before = log_change_begin();
    bool ok = end <= log_self.size && (end <= log_self.touched || log_touch());
    if (ok)
        log_self.direct.limit = log_self.touched;
    log_change_end(before);
    return ok;
}

static bool log_open(void)
{
    if (!log_self.direct.window) {
        void *window =
            mmap(NULL, WINDOW_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (window == MAP_FAILED)
            return false;
        log_self.direct.window = window;
    }
    thread_notice();
    log_self.thread = trace_file_next_thread();
    log_self.sequence = 0;
    log_self.size = 0;
    log_self.state = LOG_OPEN;
    maps_begin();
    return true;
}

static void log_start_chunk(uint64_t size)
{
    struct trace_chunk *chunk = (struct trace_chunk *)(void *)log_self.direct.window;
    chunk->kind = TRACE_CHUNK_LOG;
    chunk->size = size;
    chunk->tid = system_thread_id();
    chunk->thread = log_self.thread;
    chunk->sequence = log_self.sequence++;
    log_self.counted = sizeof *chunk;
    log_self.records = 0;
    __atomic_store_n(&chunk->magic, TRACE_CHUNK_MAGIC, __ATOMIC_RELEASE);
    __atomic_store_n(&log_self.direct.cursor, sizeof *chunk, __ATOMIC_RELAXED);
}

/* The old chunk stays mapped where no new one can be had, so that no address becomes invalid. */
static bool log_next_chunk(void)
{
    int fd;
    log_retire();
    uint64_t size = log_self.size ? log_self.size * 2 : trace_file_page();
    if (size > WINDOW_BYTES)
        size = WINDOW_BYTES;
    uint64_t offset = trace_file_reserve(size, &fd);
    if (!offset) {
        size = trace_file_page();
        offset = trace_file_reserve(size, &fd);
    }
    log_self.direct.limit = 0;
    if (!offset || mmap(log_self.direct.window, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED, fd, (off_t)offset) == MAP_FAILED)
        return false;
    log_self.size = size;
    log_self.offset = offset;
    log_self.touched = 0;
    log_self.kept = extents_kept();
    if (!log_touch())
        return false;
    log_start_chunk(size);
    trace_file_calibrate();
    return true;
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

/* No handler runs in here; one may have done the work between the caller's look and now. */
static bool log_refill(void)
{
    struct signal_set before = log_change_begin();
    bool ok = log_self.state != LOG_NEW || log_open();
    if (ok && log_self.direct.cursor + RECORD_MAX_BYTES > log_self.size)
        ok = log_next_chunk();
    if (!ok)
        log_self.drop = DROP_AFTER_FAILURE;
    log_change_end(before);
    return ok;
}

static void *log_find_room(uint64_t at, uint64_t size)
{
    if (log_self.changing) {
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
    if (at + size > log_self.direct.limit && !log_extend(at + size))
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

void log_close(void)
{
    void *window = log_self.direct.window;
    log_self.state = LOG_CLOSED;
    log_self.direct.limit = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    log_retire();
    log_self.size = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    log_self.direct.window = NULL;
    if (window)
        munmap(window, WINDOW_BYTES);
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
void log_resume_parent(void)
{
    log_self.direct.cursor = log_self.paused_cursor;
    log_self.state = log_self.paused_state;
}

/* Memory of our own in the window's place: the fork may have come from a handler that interrupted
 * a record, whose stores are still to come. */
void log_resume_child(void)
{
    log_self.size = 0;
    log_self.drop = 0;
    log_self.state = log_self.paused_state == LOG_CLOSED ? LOG_CLOSED : LOG_NEW;
    if (log_self.direct.window &&
        mmap(log_self.direct.window, WINDOW_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        log_self.state = LOG_CLOSED;
}
