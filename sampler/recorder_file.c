#include "sampler/recorder_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"

enum { CHUNK_BYTES = 1 << 16, LEAST_SLOTS = 4 };
/* One part of so many of a bounded file is left for what is to be told at the end. */
enum { FOR_RECORDS = 8 };

static struct trace_calibration calibration_now(void)
{
    uint64_t now = clock_ns();
    return (struct trace_calibration){now, now};
}

static void fill_header(struct trace_file_header *header)
{
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    memcpy(header->magic, TRACE_MAGIC, sizeof header->magic);
    header->version = TRACE_VERSION;
    header->header_size = TRACE_PAGE;
    header->features = TRACE_FEATURE_RECORDER;
    header->pid = (uint32_t)getpid();
    header->parent_pid = (uint32_t)getppid();
    header->clock = TRACE_CLOCK_MONOTONIC;
    header->end = TRACE_RUNNING;
    header->calibration[0] = header->calibration[1] = calibration_now();
    header->clock_base = header->calibration[0].ticks;
    header->start_realtime_ns = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
    gethostname(header->host, sizeof header->host - 1);
    if (readlink("/proc/self/exe", header->program, sizeof header->program - 1) < 0)
        header->program[0] = '\0';
}

/* So many chunks that each processor has a few. */
static void choose_sizes(struct recorder_file *file, uint64_t most_bytes)
{
    uint64_t share = most_bytes / (LEAST_SLOTS * (uint64_t)file->processors) & ~(TRACE_PAGE - 1ul);
    file->chunk_bytes = CHUNK_BYTES;
    file->most_bytes = most_bytes ? most_bytes : UINT64_MAX;
    file->most_slots = SIZE_MAX;
    if (!most_bytes)
        return;
    if (share < CHUNK_BYTES)
        file->chunk_bytes = share ? share : TRACE_PAGE;
    uint64_t room = most_bytes > TRACE_PAGE ? most_bytes - TRACE_PAGE : 0;
    file->most_slots = room / FOR_RECORDS * (FOR_RECORDS - 1) / file->chunk_bytes;
    if (file->most_slots < LEAST_SLOTS)
        file->most_slots = LEAST_SLOTS;
}

static bool map_header(struct recorder_file *file)
{
    char zeros[TRACE_PAGE] = {0}; /* written, so that a full disk is told now */
    if (pwrite(file->fd, zeros, sizeof zeros, 0) != sizeof zeros)
        return false;
    void *page = mmap(NULL, TRACE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);
    if (page == MAP_FAILED)
        return false;
    file->header = page;
    file->end_bytes = file->slots_at = TRACE_PAGE;
    return true;
}

bool recorder_file_open(struct recorder_file *file, const char *path, uint32_t processors,
                        uint64_t most_bytes, struct error *error)
{
    *file = (struct recorder_file){.processors = processors};
    unlink(path);
    file->fd = file_create(path);
    if (file->fd < 0)
        return error_system(error, "cannot make %s", path);
    if (!map_header(file)) {
        error_system(error, "cannot write %s", path);
        close(file->fd);
        return false;
    }
    str_append(&file->path, path);
    choose_sizes(file, most_bytes);
    file->logs = memory_zeroed(processors * sizeof *file->logs);
    fill_header(file->header);
    return true;
}

static void write_bytes(struct recorder_file *file, const char *data, uint64_t size, uint64_t at)
{
    while (size && !file->failed) {
        ssize_t wrote = pwrite(file->fd, data, size, (off_t)at);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            file->failed = wrote ? errno : ENOSPC;
            return;
        }
        data += wrote, at += (uint64_t)wrote, size -= (uint64_t)wrote;
    }
}

static void tell_given_up(struct recorder_file *file, uint64_t at)
{
    char *old = memory_alloc(file->chunk_bytes);
    ssize_t got = pread(file->fd, old, file->chunk_bytes, (off_t)at);
    if (got > (ssize_t)sizeof(struct trace_chunk) && file->give_up)
        file->give_up(file->context, old + sizeof(struct trace_chunk),
                      (uint64_t)got - sizeof(struct trace_chunk));
    memory_free(old);
}

/* As docs of the format say: while its room is being given, the chunk there counts for nothing. */
static void replace_oldest(struct recorder_file *file, const struct recorder_log *log)
{
    struct recorder_slot *slot = &file->slots[file->oldest];
    struct trace_file_header *header = file->header;
    uint64_t at = file->slots_at + file->oldest * file->chunk_bytes;
    tell_given_up(file, at);
    if (slot->last_ticks > header->overwritten_ticks)
        header->overwritten_ticks = slot->last_ticks;
    header->giving_records = slot->records;
    __atomic_store_n(&header->given_back.offset, at, __ATOMIC_RELEASE);
    write_bytes(file, log->chunk, file->chunk_bytes, at);
    header->given_back.records += slot->records;
    header->overwritten_records = header->given_back.records;
    __atomic_store_n(&header->given_back.offset, 0, __ATOMIC_RELEASE);
    *slot = (struct recorder_slot){log->records, log->last_ticks};
    file->oldest = (file->oldest + 1) % file->slot_count;
}

static void add_slot(struct recorder_file *file, const struct recorder_log *log)
{
    write_bytes(file, log->chunk, ((const struct trace_chunk *)log->chunk)->size, file->end_bytes);
    if (!file->failed) {
        VEC_PUSH(file->slots, file->slot_count, file->slot_capacity) =
            (struct recorder_slot){log->records, log->last_ticks};
        file->end_bytes += ((const struct trace_chunk *)log->chunk)->size;
        file->header->filled_bytes = file->end_bytes;
    }
}

static void write_out(struct recorder_file *file, struct recorder_log *log)
{
    if (file->failed)
        ;
    else if (file->slot_count < file->most_slots)
        add_slot(file, log);
    else
        replace_oldest(file, log);
    if (file->failed)
        file->header->lost_records += log->records;
    else
        file->records += log->records;
    file->header->calibration[1] = calibration_now();
    log->used = log->records = 0;
    log->sequence++;
}

static void begin_chunk(struct recorder_file *file, struct recorder_log *log)
{
    uint32_t processor = (uint32_t)(log - file->logs);
    if (!log->chunk) {
        log->chunk = memory_alloc(file->chunk_bytes);
        file->header->threads++;
    }
    memset(log->chunk, 0, file->chunk_bytes);
    struct trace_chunk *chunk = (struct trace_chunk *)log->chunk;
    *chunk = (struct trace_chunk){.magic = TRACE_CHUNK_MAGIC,
                                  .kind = TRACE_CHUNK_LOG,
                                  .size = file->chunk_bytes,
                                  .thread = processor + 1,
                                  .sequence = (uint32_t)log->sequence};
    snprintf(chunk->name, sizeof chunk->name, "cpu %u", processor % 100000);
    log->used = sizeof *chunk;
}

void recorder_file_add(struct recorder_file *file, uint32_t processor, uint64_t time_ns,
                       enum trace_kind kind, void *record)
{
    if (processor >= file->processors)
        return;
    struct recorder_log *log = &file->logs[processor];
    uint64_t size = TRACE_KIND_SIZE(kind), base = file->header->clock_base;
    uint64_t head = TRACE_HEAD(time_ns > base ? time_ns - base : 0, kind);
    if (log->used && log->used + size > file->chunk_bytes)
        write_out(file, log);
    if (!log->used)
        begin_chunk(file, log);
    memcpy(record, &head, sizeof head);
    memcpy(log->chunk + log->used, record, size);
    log->used += size;
    log->records++;
    log->last_ticks = time_ns;
}

void recorder_file_add_chunk(struct recorder_file *file, enum trace_chunk_kind kind, uint32_t tid,
                             const void *data, size_t size)
{
    uint64_t bytes = (sizeof(struct trace_chunk) + size + TRACE_PAGE - 1) & ~(TRACE_PAGE - 1ul);
    char *chunk = memory_zeroed(bytes);
    *(struct trace_chunk *)(void *)chunk =
        (struct trace_chunk){.magic = TRACE_CHUNK_MAGIC, .kind = kind, .size = bytes, .tid = tid};
    memcpy(chunk + sizeof(struct trace_chunk), data, size);
    write_bytes(file, chunk, bytes, file->end_bytes);
    if (!file->failed)
        file->header->filled_bytes = file->end_bytes += bytes;
    if (!file->slot_count)
        file->slots_at = file->end_bytes;
    memory_free(chunk);
}

/* The last chunks need not be as long as the others, where all of them are at the end. */
static void write_rest(struct recorder_file *file)
{
    bool at_end = file->most_slots - file->slot_count >= file->processors;
    for (uint32_t i = 0; i < file->processors; i++) {
        struct recorder_log *log = &file->logs[i];
        if (!log->used)
            continue;
        if (at_end)
            ((struct trace_chunk *)log->chunk)->size =
                (log->used + TRACE_PAGE - 1) & ~(TRACE_PAGE - 1ul);
        write_out(file, log);
    }
}

uint64_t recorder_file_settle(struct recorder_file *file)
{
    write_rest(file);
    file->most_slots = SIZE_MAX;
    return file->end_bytes < file->most_bytes ? file->most_bytes - file->end_bytes : 0;
}

bool recorder_file_close(struct recorder_file *file, struct error *error)
{
    write_rest(file);
    file->header->calibration[1] = calibration_now();
    file->header->end = TRACE_EXITED;
    munmap(file->header, TRACE_PAGE);
    int failed = file->failed;
    if (close(file->fd) != 0 && !failed)
        failed = errno;
    for (uint32_t i = 0; i < file->processors; i++)
        memory_free(file->logs[i].chunk);
    memory_free(file->logs);
    memory_free(file->slots);
    errno = failed;
    bool whole = !failed || error_system(error, "cannot write all of %s", file->path.data);
    str_release(&file->path);
    return whole;
}
