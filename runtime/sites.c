#include "runtime/sites.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "runtime/clock.h"
#include "runtime/site_hit.h"
#include "runtime/system.h"
#include "runtime/trace_file.h"

#define OBJECTS_MAX 1024u
#define PIECE 128u /* sites read at once */
#define PATIENCE 10000u

enum { TEST_EAX = 0xa9, JUMP = 0xe9, SITE_BYTES = 5 };
enum { SWITCH_ON = 1, SWITCH_CHANGED = 2 };

struct object {
    const struct site *begin, *end;
    bool fresh; /* all its sites are off */
};

static struct {
    struct object objects[OBJECTS_MAX];
    uint32_t object_count;
    const unsigned char *switches;
    unsigned char *state; /* by probe, as the code has it: SWITCH_ON; room for SWITCH_CHANGED */
    uint64_t count;
    uint32_t busy;
    bool unsure; /* the code may not be as `state` says */
    bool failed; /* nor can it be made so */
} sites;

static const uint32_t never;
const uint32_t *sites_generation = &never;
const uint32_t *sites_rest = &never;
uint32_t sites_applied;
uint32_t sites_epoch = 2;

/* ---- the process's memory, where an object may be gone by now ---- */

struct memory {
    int fd; /* of /proc/self/mem; it writes to code as a debugger does. -1: there is none */
};

static bool memory_read(struct memory memory, void *to, const void *from, size_t size)
{
    struct iovec here = {to, size}, there = {(void *)(uintptr_t)from, size};
    long done = memory.fd >= 0 ? syscall(SYS_pread64, memory.fd, to, size, (uintptr_t)from)
                               : syscall(SYS_process_vm_readv, getpid(), &here, 1, &there, 1, 0);
    return done == (long)size;
}

static bool memory_write(struct memory memory, unsigned char *to, unsigned char byte)
{
    if (memory.fd >= 0 && system_write_at(memory.fd, &byte, 1, (uintptr_t)to) == 1)
        return true;
    uintptr_t page = trace_file_page(), from = (uintptr_t)to & ~(page - 1);
    if (mprotect((void *)from, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    __atomic_store_n(to, byte, __ATOMIC_RELEASE);
    mprotect((void *)from, page, PROT_READ | PROT_EXEC);
    return true;
}

/* ---- one site ---- */

/* What is there is the site that the table means, and nothing that came into an unloaded object's
 * place: its stub pushes the same word. */
static bool is_site(struct memory memory, const unsigned char *at, uint32_t word,
                    unsigned char *opcode)
{
    static const unsigned char STUB[] = {0x48, 0x8d, 0x64, 0x24, 0x80, 0x68};
    unsigned char code[SITE_BYTES], stub[sizeof STUB + sizeof word];
    int32_t distance;
    if (!memory_read(memory, code, at, sizeof code) || (code[0] != TEST_EAX && code[0] != JUMP))
        return false;
    memcpy(&distance, code + 1, sizeof distance);
    *opcode = code[0];
    return memory_read(memory, stub, at + SITE_BYTES + distance, sizeof stub) &&
           memcmp(stub, STUB, sizeof STUB) == 0 &&
           memcmp(stub + sizeof STUB, &word, sizeof word) == 0;
}

/* A write fails, too, where the object was unloaded meanwhile. */
static void set_site(struct memory memory, unsigned char *at, uint32_t word, bool on)
{
    unsigned char opcode, wanted = on ? JUMP : TEST_EAX;
    if (is_site(memory, at, word, &opcode) && opcode != wanted &&
        !memory_write(memory, at, wanted) && is_site(memory, at, word, &opcode))
        sites.failed = true;
}

/* ---- all of them ---- */

static bool must_look(const struct object *object, unsigned char state)
{
    return sites.unsure || state & SWITCH_CHANGED || (object->fresh && state & SWITCH_ON);
}

static bool set_object(struct memory memory, const struct object *object)
{
    struct site piece[PIECE];
    for (const struct site *from = object->begin; from < object->end; from += PIECE) {
        size_t left = (size_t)(object->end - from), n = left < PIECE ? left : PIECE;
        if (!memory_read(memory, piece, from, n * sizeof *piece))
            return false;
        for (size_t i = 0; i < n; i++) {
            uint32_t probe = piece[i].word >> 2;
            if (piece[i].word && probe < sites.count && must_look(object, sites.state[probe]))
                set_site(memory, (unsigned char *)(uintptr_t)&from[i] + piece[i].distance,
                         piece[i].word, sites.state[probe] & SWITCH_ON);
        }
    }
    return true;
}

static void set_all(void)
{
    struct memory memory = {(int)system_open("/proc/self/mem", O_RDWR, 0)};
    uint32_t count;
    if (sites.object_count && !memory_read(memory, &count, &sites.object_count, sizeof count))
        sites.failed = true;
    for (uint32_t i = 0; i < sites.object_count && !sites.failed;)
        if (set_object(memory, &sites.objects[i])) {
            sites.objects[i++].fresh = false;
        } else {
            sites.objects[i] = sites.objects[--sites.object_count];
        }
    if (memory.fd >= 0)
        system_close(memory.fd);
}

static bool note_changes(void)
{
    bool any = false;
    for (uint64_t i = 1; i < sites.count; i++) {
        unsigned char on = __atomic_load_n(&sites.switches[i], __ATOMIC_RELAXED) ? SWITCH_ON : 0;
        if (on != sites.state[i]) {
            sites.state[i] = on | SWITCH_CHANGED;
            any = true;
        }
    }
    return any;
}

static bool any_fresh(void)
{
    bool any = false;
    for (uint32_t i = 0; i < sites.object_count && !any; i++)
        any = sites.objects[i].fresh;
    return any;
}

static void forget_changes(void)
{
    for (uint64_t i = 1; i < sites.count; i++)
        if (sites.state[i] & SWITCH_CHANGED)
            sites.state[i] &= SWITCH_ON;
}

static void apply(void)
{
    bool changed = note_changes();
    if (!changed && !sites.unsure && !any_fresh())
        return;
    __atomic_store_n(&sites_epoch, sites_epoch | 1, __ATOMIC_SEQ_CST);
    set_all();
    sites.unsure = false;
    if (changed)
        forget_changes();
    __atomic_store_n(&sites_epoch, sites_epoch + 1, __ATOMIC_SEQ_CST);
}

/* The generation is read before the switches: a change meanwhile is another one. */
static void bring_up_to_date(void)
{
    uint32_t generation = __atomic_load_n(sites_generation, __ATOMIC_ACQUIRE);
    apply();
    trace_file_switched(sites.failed ? TRACE_NOT_SWITCHED : generation, clock_monotonic_ns());
    __atomic_store_n(&sites_applied, generation, __ATOMIC_RELEASE);
}

void sites_update(void)
{
    int error = errno;
    while (sites_are_old() && !__atomic_exchange_n(&sites.busy, 1, __ATOMIC_ACQUIRE)) {
        bring_up_to_date();
        __atomic_store_n(&sites.busy, 0, __ATOMIC_RELEASE);
    }
    errno = error;
}

/* ---- the start ---- */

/* Another thread may be changing the code. */
static bool claim(void)
{
    for (unsigned i = 0; __atomic_exchange_n(&sites.busy, 1, __ATOMIC_ACQUIRE); i++)
        if (i == PATIENCE)
            return false;
        else
            syscall(SYS_sched_yield);
    return true;
}

/* An object that is loaded again often lies where it lay before. */
static struct object *place_of(const struct site *begin)
{
    for (uint32_t i = 0; i < sites.object_count; i++)
        if (sites.objects[i].begin == begin)
            return &sites.objects[i];
    return sites.object_count < OBJECTS_MAX ? &sites.objects[sites.object_count++] : NULL;
}

void sites_add(const struct site *begin, const struct site *end, void (**hook)(void))
{
    if (*hook || !claim())
        return;
    struct object *object = place_of(begin);
    if (object) {
        *object = (struct object){begin, end, true};
        __atomic_store_n(hook, site_hit, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&sites.busy, 0, __ATOMIC_RELEASE);
}

void sites_use(const unsigned char *switches, uint64_t count,
               const struct trace_switches_header *header)
{
    if (sites.switches)
        return;
    void *state = mmap(NULL, count, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    sites.state = state == MAP_FAILED ? NULL : state;
    sites.failed = state == MAP_FAILED;
    sites.count = sites.failed ? 0 : count;
    sites.switches = switches;
    if (header) {
        sites_generation = &header->generation;
        sites_rest = &header->resting;
    }
}

bool sites_have_switches(void)
{
    return sites.switches != NULL;
}

void sites_start(void)
{
    site_hit_start();
    if (!claim())
        return;
    bring_up_to_date();
    __atomic_store_n(&sites.busy, 0, __ATOMIC_RELEASE);
}

void sites_forked(void)
{
    sites.unsure = sites.unsure || sites.busy;
    sites.busy = 0;
    if (sites.unsure)
        sites_applied = *sites_generation - 1;
    sites_check();
}
