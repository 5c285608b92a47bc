#include "sampler/kernel_symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"

/* What a function on the stack tells. */
enum telling {
    NOTHING,
    IN_LINE,  /* a thread let soft interrupts run that it had held up, mostly its own */
    IN_WAY,   /* they ran after an interrupt, or in a thread for them */
    LOOPBACK, /* what a thread sent to this very host */
    NETWORK,
    DISK,
    TIMER
};

struct kernel_range {
    uint64_t start, end;
    enum telling telling;
};

struct teller {
    const char *name; /* with a * at the end: all that begin so */
    enum telling telling;
};

static const struct teller tellers[] = {
    {"__local_bh_enable_ip", IN_LINE},
    {"do_softirq", IN_LINE},
    {"irq_exit", IN_WAY},
    {"irq_exit_rcu", IN_WAY},
    {"__irq_exit_rcu", IN_WAY},
    {"run_ksoftirqd", IN_WAY},
    {"smpboot_thread_fn", IN_WAY},
    {"process_backlog", LOOPBACK},
    {"veth_poll", LOOPBACK},
    {"net_rx_action", NETWORK},
    {"net_tx_action", NETWORK},
    {"napi_*", NETWORK},
    {"__napi_*", NETWORK},
    {"blk_*", DISK},
    {"bio_endio", DISK},
    {"virtblk_*", DISK},
    {"nvme_*", DISK},
    {"scsi_*", DISK},
    {"ata_*", DISK},
    {"mmc_blk_*", DISK},
    {"hrtimer_*", TIMER},
    {"__hrtimer_*", TIMER},
    {"run_timer_*", TIMER},
    {"__run_timers*", TIMER},
    {"call_timer_fn", TIMER},
    {"process_timeout", TIMER},
    {"timerfd_tmrproc", TIMER},
    {"posix_timer_fn", TIMER},
    {"it_real_fn", TIMER},
    {"tick_*", TIMER},
    {"update_process_times", TIMER},
};

/* A compiler's clone counts as its function: "do_softirq.part.0". */
static bool is_named(const char *symbol, const char *name)
{
    if (*symbol != *name)
        return false;
    size_t length = strcspn(name, "*");
    if (strncmp(symbol, name, length) != 0)
        return false;
    return name[length] == '*' || symbol[length] == '\0' || symbol[length] == '.';
}

static enum telling telling_of(const char *symbol)
{
    for (size_t i = 0; i < sizeof tellers / sizeof *tellers; i++)
        if (is_named(symbol, tellers[i].name))
            return tellers[i].telling;
    return NOTHING;
}

static int by_address(const void *a, const void *b)
{
    const struct kernel_range *x = a, *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1)
                                : (int)x->telling - (int)y->telling;
}

/* "ffffffff81000000 T _text\n", and "\t[module]" behind it. */
static void add_line(struct kernel_symbols *symbols, char *line)
{
    char *rest;
    uint64_t address = strtoull(line, &rest, 16);
    if (!address || strlen(rest) < 4 || !strchr("tTwW", rest[1]))
        return;
    char *name = rest + 3;
    name[strcspn(name, "\t\n")] = '\0';
    VEC_PUSH(symbols->ranges, symbols->count, symbols->capacity) =
        (struct kernel_range){.start = address, .telling = telling_of(name)};
}

/* A function goes as far as the next one; those that tell nothing are not needed any more. */
static void keep_telling(struct kernel_symbols *symbols)
{
    size_t kept = 0;
    for (size_t i = 0; i < symbols->count; i++) {
        struct kernel_range range = symbols->ranges[i];
        size_t next = i + 1;
        while (next < symbols->count && symbols->ranges[next].start == range.start)
            next++;
        range.end = next < symbols->count ? symbols->ranges[next].start : range.start + 1;
        if (range.telling != NOTHING)
            symbols->ranges[kept++] = range;
    }
    symbols->count = kept;
}

bool kernel_symbols_readable(void)
{
    unsigned long long address = 0;
    FILE *file = fopen("/proc/kallsyms", "re");
    if (!file)
        return false;
    bool read = fscanf(file, "%llx", &address) == 1 && address;
    fclose(file);
    errno = EACCES;
    return read;
}

void kernel_symbols_read(struct kernel_symbols *symbols)
{
    char line[1024];
    FILE *file = fopen("/proc/kallsyms", "re");
    if (!file)
        return;
    while (fgets(line, sizeof line, file))
        add_line(symbols, line);
    fclose(file);
    if (symbols->count)
        qsort(symbols->ranges, symbols->count, sizeof *symbols->ranges, by_address);
    keep_telling(symbols);
}

void kernel_symbols_release(struct kernel_symbols *symbols)
{
    memory_free(symbols->ranges);
    *symbols = (struct kernel_symbols){0};
}

static enum telling telling_at(const struct kernel_symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    bool in = low < symbols->count && symbols->ranges[low].start <= address;
    return in ? symbols->ranges[low].telling : NOTHING;
}

static enum trace_interrupt interrupt_of(enum telling telling)
{
    switch (telling) {
    case LOOPBACK:
    case NETWORK:
        return TRACE_INTERRUPT_NETWORK;
    case DISK:
        return TRACE_INTERRUPT_DISK;
    case TIMER:
        return TRACE_INTERRUPT_TIMER;
    default:
        return TRACE_INTERRUPT_OTHER;
    }
}

/* The innermost function that knows the device counts. Soft interrupts that run in line are the
 * thread's own work only where they hand over what it sent to this host: the others, a disk's or a
 * network card's, had only waited for it to let them. */
struct kernel_cause kernel_symbols_cause(const struct kernel_symbols *symbols,
                                         enum trace_context context, const uint64_t *addresses,
                                         size_t count)
{
    enum telling device = NOTHING, way = NOTHING;
    bool loopback = false;
    if (!symbols->count || !count)
        return (struct kernel_cause){context, TRACE_INTERRUPT_UNKNOWN};
    for (size_t i = 0; i < count && way == NOTHING; i++) {
        enum telling telling = telling_at(symbols, addresses[i]);
        loopback |= telling == LOOPBACK;
        if (telling == IN_LINE || telling == IN_WAY)
            way = telling;
        else if (device == NOTHING)
            device = telling;
    }
    if (context == TRACE_CONTEXT_SOFT && way == IN_LINE && loopback &&
        interrupt_of(device) == TRACE_INTERRUPT_NETWORK)
        return (struct kernel_cause){TRACE_CONTEXT_THREAD, TRACE_INTERRUPT_UNKNOWN};
    return (struct kernel_cause){context, interrupt_of(device)};
}
