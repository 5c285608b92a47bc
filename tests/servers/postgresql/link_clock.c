/* link_clock.c - the linker's clock: for each transaction what it took, and what its parts took.
 *
 * Compiled with -DPART_0=FUNCTION to -DPART_3=FUNCTION; linked into the server with
 * -Wl,--wrap=FUNCTION for each of them and those below, so that calls from other object files come
 * here first. One reading of the clock costs 20 ns, where a trap of uprobes costs microseconds.
 * Nothing of vprofiler's is in it.
 *
 * $LINK_CLOCK is the beginning of a file name; each process that has transactions appends its
 * number. Rows of 64-bit numbers: begin (CLOCK_MONOTONIC), then ns and calls of the transaction and
 * of each part, outermost calls only.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PARTS = 5, ROWS = 1000 };
struct part {
    uint64_t ns, calls;
};
struct row {
    uint64_t begin_ns;
    struct part whole, parts[PARTS];
};

static struct row rows[ROWS], now;
static int row_count, depths[PARTS], committed;
static uint64_t entered_ns[PARTS];
static pid_t owner;

static uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void write_rows(void)
{
    char path[4096];
    if (owner != getpid() || !row_count)
        return;
    snprintf(path, sizeof path, "%s%d", getenv("LINK_CLOCK"), (int)owner);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    ssize_t size = (ssize_t)(row_count * sizeof *rows);
    if (file < 0 || write(file, rows, (size_t)size) != size)
        abort();
    close(file);
    row_count = 0;
}

static void begin(void)
{
    if (now.begin_ns) /* a later statement of the same transaction */
        return;
    if (owner != getpid()) {
        owner = getpid();
        row_count = 0;
        atexit(write_rows);
    }
    memset(&now, 0, sizeof now);
    memset(depths, 0, sizeof depths);
    committed = 0;
    now.begin_ns = clock_ns();
}

static void end(void)
{
    if (!now.begin_ns || !committed || !getenv("LINK_CLOCK"))
        return;
    now.whole = (struct part){clock_ns() - now.begin_ns, 1};
    rows[row_count++] = now;
    now.begin_ns = 0;
    if (row_count == ROWS)
        write_rows();
}

static void enter(int part)
{
    now.parts[part].calls++;
    if (depths[part]++ == 0)
        entered_ns[part] = clock_ns();
}

static void leave(int part)
{
    if (--depths[part] == 0)
        now.parts[part].ns += clock_ns() - entered_ns[part];
}

/* More words than any of them has: what is no argument is passed on as it is found. */
#define WORDS long a, long b, long c, long d, long e, long f, long g, long h
#define WRAPPED(name, before, after)                                                               \
    long __real_##name(WORDS);                                                                     \
    long __wrap_##name(WORDS);                                                                     \
    long __wrap_##name(WORDS)                                                                      \
    {                                                                                              \
        before;                                                                                    \
        long result = __real_##name(a, b, c, d, e, f, g, h);                                       \
        after;                                                                                     \
        return result;                                                                             \
    }
#define PART(number, name) WRAP(name, enter(number), leave(number))
#define WRAP(...) WRAPPED(__VA_ARGS__) /* of what the name stands for */

PART(0, PART_0)
PART(1, PART_1)
PART(2, PART_2)
PART(3, PART_3)
WRAPPED(StartTransactionCommand, begin(), (void)0)
WRAPPED(ProcArrayEndTransaction, (void)0, committed = 1)
WRAPPED(CommitTransactionCommand, enter(4), (leave(4), end()))
