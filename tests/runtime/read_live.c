/* read_live.c COUNTS TRACE SLOTS ROUNDS - reads the trace of happened.c while it runs, again and
 * again: each time all records are there that were counted before, in order, and none that was not
 * made. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "trace/trace_reader.h"

enum { SLOTS_MAX = 64 };

static const char *path;
static const volatile unsigned long *made;
static unsigned long slots, copies;

static void fail(const char *what, unsigned long slot, unsigned long n)
{
    fprintf(stderr, "%s: %s (slot %lu, %lu)\n", path, what, slot, n);
    exit(1);
}

/* The slot's n-th; only the first of three tells the slot. */
static bool is_step(const struct trace_record *record, unsigned long n, unsigned long slot)
{
    const struct trace_task *task = record->data;
    if (n % 3 == 1)
        return record->kind == TRACE_FUNCTION;
    if (n % 3 == 2)
        return record->kind == TRACE_NAME &&
               ((const struct trace_name *)record->data)->value == (long)n;
    return record->kind == TRACE_TASK && task->task == n && task->queue == slot && slot < slots;
}

static bool is_other(unsigned kind)
{
    return kind == TRACE_THREAD || kind == TRACE_RELEASE || kind == TRACE_BLOCK;
}

/* How many steps it has; each log begins with the first of three. */
static unsigned long read_log(struct trace_reader *reader, uint32_t log, unsigned long *slot)
{
    struct trace_cursor cursor = trace_cursor_start(reader, log);
    struct trace_record record;
    unsigned long first = 0, n = 0;
    while (trace_cursor_next(&cursor, &record)) {
        const struct trace_task *task = record.data;
        if (is_other(record.kind))
            continue;
        if (n == first && record.kind == TRACE_TASK)
            first = n = task->task, *slot = task->queue;
        if (!is_step(&record, n, *slot))
            fail("another record than was made", *slot, n);
        n++;
    }
    return n - first;
}

static unsigned long read_once(void)
{
    unsigned long before[SLOTS_MAX], kept[SLOTS_MAX] = {0}, all = 0;
    struct trace_reader reader;
    struct error error;
    for (unsigned long i = 0; i < slots; i++)
        before[i] = __atomic_load_n(&made[i], __ATOMIC_ACQUIRE);
    if (!trace_reader_open(&reader, path, &error))
        fail(error.message, 0, 0);
    for (uint32_t log = 0; log < reader.log_count; log++) {
        unsigned long slot = 0, n = read_log(&reader, log, &slot);
        kept[slot] += n;
    }
    if (reader.damage_count)
        fail(reader.damage[0], 0, 0);
    copies += reader.windows.count;
    for (unsigned long i = 0; i < slots; all += kept[i++]) {
        unsigned long lost =
            reader.header->lost_records; /* of all slots: the file may be full by now */
        if (kept[i] + lost < before[i])
            fail("a record that was counted is not there", i, before[i] - kept[i]);
        if (kept[i] > __atomic_load_n(&made[i], __ATOMIC_ACQUIRE) + 1)
            fail("more records than were made", i, kept[i]);
    }
    trace_reader_close(&reader);
    return all;
}

int main(int argc, char **argv)
{
    unsigned long rounds = argc == 5 ? strtoul(argv[4], NULL, 10) : 0, all = 0;
    int fd = rounds ? open(argv[1], O_RDONLY) : -1;
    made = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (made == MAP_FAILED)
        return 2;
    path = argv[2];
    slots = strtoul(argv[3], NULL, 10);
    for (unsigned long round = 0; round < rounds; round++)
        all = read_once();
    printf("read %lu times, at last %lu records, %lu copies of windows\n", rounds, all, copies);
    return 0;
}
