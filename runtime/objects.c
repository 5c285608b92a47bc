#include "runtime/objects.h"

#include <errno.h>
#include <string.h>

#include "runtime/clock.h"
#include "runtime/maps.h"
#include "runtime/signals.h"
#include "runtime/trace_file.h"
#include "trace/trace_format.h"

#define RANGES_MAX 4096u
#define LOOK_PAUSE_MIN_NS UINT64_C(10000000)
#define LOOK_PAUSE_COSTS 100u /* of a look: looks take 1 % of the time at the most */
#define WRITE_PAUSE_MIN_NS UINT64_C(10000000)
#define WRITE_PAUSE_MAX_NS UINT64_C(10000000000) /* the pause doubles: the trace stays short */
#define LOADS_AT_ONCE 16u                        /* each is a text of its own in the trace */
#define SMALLEST_ADDRESS 65536u /* below it nothing is ever mapped: it is a number */

struct range {
    uintptr_t start, end;
    uint64_t file; /* as in trace_format.h; 0: private memory */
    uint64_t offset;
};

/* The ranges that are known ascend. They stand apart from `known`, so that they take no room in the
 * library's file. */
static struct range ranges[RANGES_MAX];

/* `version` is odd while the ranges change, and a reader that saw it change knows nothing and asks
 * for nothing. Who changes them is `busy`, with signals blocked. */
static struct {
    uint32_t count;
    uint32_t version;
    uint32_t busy;
    uint32_t forgets; /* that found somebody at it */
    uint32_t heeded;  /* of them; where there were more, nothing is known */
    uint32_t due;
    uint32_t loads;    /* that made them be written at once */
    uint32_t load_due; /* something was loaded since they were written */
    uint64_t next_look_ns;
    uint64_t next_write_ns;
    uint64_t write_pause_ns;
} known = {.write_pause_ns = WRITE_PAUSE_MIN_NS};

/* A change begins with this, and ends with it. */
static void next_version(void)
{
    __atomic_add_fetch(&known.version, 1, __ATOMIC_SEQ_CST);
}

/* ---- learning ---- */

static bool continues(const struct range *last, const struct range *next)
{
    return last->end == next->start && last->file == next->file &&
           (!last->file || last->offset + (last->end - last->start) == next->offset);
}

static void learn_line(void *count, const struct maps_line *line)
{
    uint32_t *n = count;
    bool shared = line->rest[3] == 's';
    struct range r = {line->start, line->end,
                      shared ? trace_file_number(line->major, line->minor, line->inode) : 0,
                      line->offset};
    if (*n == 0)
        next_version();
    if (*n > 0 && continues(&ranges[*n - 1], &r))
        ranges[*n - 1].end = r.end;
    else if (*n < RANGES_MAX)
        ranges[(*n)++] = r;
    else /* too many to tell: take all of the rest as known */
        ranges[*n - 1] = (struct range){ranges[*n - 1].start, UINTPTR_MAX, 0, 0};
}

/* The maps are read again only after a pause, which is long where this was much work. */
static void look(bool write)
{
    uint64_t before = clock_processor_ns();
    uint32_t n = 0;
    uint32_t forgets = __atomic_load_n(&known.forgets, __ATOMIC_SEQ_CST);
    if (maps_read(learn_line, &n, write) && n > 0) {
        known.count = n;
        known.heeded = forgets;
        next_version();
    }
    uint64_t pause = (clock_processor_ns() - before) * LOOK_PAUSE_COSTS;
    uint64_t now = clock_monotonic_ns();
    known.next_look_ns = now + (pause > LOOK_PAUSE_MIN_NS ? pause : LOOK_PAUSE_MIN_NS);
    if (!write)
        return;
    __atomic_store_n(&known.load_due, 0, __ATOMIC_RELEASE);
    known.next_write_ns = now + known.write_pause_ns;
    if (known.write_pause_ns < WRITE_PAUSE_MAX_NS)
        known.write_pause_ns *= 2;
}

static bool take_turn(void)
{
    return !__atomic_exchange_n(&known.busy, 1, __ATOMIC_SEQ_CST);
}

static void end_turn(void)
{
    __atomic_store_n(&known.busy, 0, __ATOMIC_RELEASE);
}

/* A thread that finds another one at it goes on without. */
static void look_in_turn(bool write)
{
    struct signal_set before = signals_block();
    if (take_turn()) {
        look(write || clock_monotonic_ns() >= known.next_write_ns);
        end_turn();
    }
    signals_restore(before);
}

void objects_record(void)
{
    look_in_turn(true);
}

void objects_loaded(void)
{
    __atomic_store_n(&known.load_due, 1, __ATOMIC_RELEASE);
    if (known.loads < LOADS_AT_ONCE) {
        known.loads++;
        objects_record();
    } else if (clock_monotonic_ns() >= known.next_write_ns) {
        objects_record();
    }
}

bool objects_are_due(void)
{
    return __atomic_load_n(&known.load_due, __ATOMIC_ACQUIRE);
}

void objects_forked(void)
{
    known.busy = 0;
    if (known.version & 1) { /* another thread of the parent was at it */
        known.count = 0;
        known.version++;
    }
    known.next_look_ns = 0;
    known.write_pause_ns = WRITE_PAUSE_MIN_NS;
    known.due = 1;
}

void objects_begin(void)
{
    if (known.due && __atomic_exchange_n(&known.due, 0, __ATOMIC_RELAXED))
        objects_record();
}

/* ---- finding ---- */

/* The search gives the first range that ends behind the address, or `count`. */
static uint32_t seek(uintptr_t address, uint32_t count)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum finding { FOUND, UNKNOWN, CHANGING };

static enum finding find(uintptr_t address, struct range *range)
{
    uint32_t before = __atomic_load_n(&known.version, __ATOMIC_ACQUIRE), count = known.count;
    uint32_t i = seek(address, count);
    bool found = i < count && ranges[i].start <= address &&
                 __atomic_load_n(&known.forgets, __ATOMIC_ACQUIRE) == known.heeded;
    if (found)
        *range = ranges[i];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if ((before & 1) || __atomic_load_n(&known.version, __ATOMIC_RELAXED) != before)
        return CHANGING;
    return found ? FOUND : UNKNOWN;
}

uint64_t objects_number(uintptr_t address)
{
    struct range r;
    address &= ~(uintptr_t)TRACE_SHARED; /* what the program calls an object may have it */
    if (address < SMALLEST_ADDRESS || !trace_object_is_address(address))
        return address;
    enum finding finding = find(address, &r);
    if (finding == UNKNOWN && clock_monotonic_ns() >= known.next_look_ns) {
        int error = errno;
        look_in_turn(false);
        errno = error;
        finding = find(address, &r);
    }
    return finding == FOUND && r.file ? trace_shared_object(r.file, address - r.start + r.offset)
                                      : address;
}

/* ---- forgetting ---- */

static void remove_range(uint32_t i)
{
    memmove(&ranges[i], &ranges[i + 1], (known.count - i - 1) * sizeof *ranges);
    known.count--;
}

/* The part of range `i` behind `end` becomes a range of its own, where there is room for one. */
static void split_range(uint32_t i, uintptr_t end)
{
    struct range upper = ranges[i];
    upper.offset += end - upper.start;
    upper.start = end;
    ranges[i].end = end;
    if (known.count == RANGES_MAX)
        return;
    memmove(&ranges[i + 2], &ranges[i + 1], (known.count - i - 1) * sizeof *ranges);
    ranges[i + 1] = upper;
    known.count++;
}

static void forget(uintptr_t start, uintptr_t end, bool shared_only)
{
    uint32_t i = seek(start, known.count);
    while (i < known.count && ranges[i].start < end) {
        if (shared_only && !ranges[i].file) {
            i++;
            continue;
        }
        if (ranges[i].end > end)
            split_range(i, end);
        if (ranges[i].start < start)
            ranges[i++].end = start;
        else
            remove_range(i);
    }
}

static bool is_known(uintptr_t start, uintptr_t end, bool shared_only)
{
    for (uint32_t i = seek(start, known.count); i < known.count && ranges[i].start < end; i++)
        if (ranges[i].file || !shared_only)
            return true;
    return false;
}

static uintptr_t end_of(uintptr_t start, size_t size)
{
    uintptr_t page = trace_file_page();
    uint32_t first = seek(start, known.count);
    if (size)
        return (start + size + page - 1) & -page;
    return first < known.count ? ranges[first].end : start;
}

/* A thread asks without its turn: the answer is true also where it can't be told. */
static bool may_be_known(uintptr_t start, size_t size, bool shared_only)
{
    uint32_t before = __atomic_load_n(&known.version, __ATOMIC_SEQ_CST);
    bool busy = __atomic_load_n(&known.busy, __ATOMIC_SEQ_CST);
    bool any = is_known(start, end_of(start, size), shared_only);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return any || busy || __atomic_load_n(&known.version, __ATOMIC_RELAXED) != before;
}

/* The thread that is at it may never end, in a child that no handler knows of: it is not waited
 * for. */
static void forget_mapping(uintptr_t start, size_t size, bool shared_only)
{
    if (!may_be_known(start, size, shared_only))
        return;
    struct signal_set before = signals_block();
    if (take_turn()) {
        next_version();
        forget(start, end_of(start, size), shared_only);
        next_version();
        end_turn();
    } else {
        __atomic_add_fetch(&known.forgets, 1, __ATOMIC_SEQ_CST);
    }
    signals_restore(before);
}

void objects_forget_mapped(const void *start, size_t size)
{
    forget_mapping((uintptr_t)start, size, false);
}

void objects_forget_unmapped(const void *start, size_t size)
{
    forget_mapping((uintptr_t)start, size, true);
}
