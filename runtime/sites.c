#include "runtime/sites.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "runtime/claim.h"
#include "runtime/clock.h"
#include "runtime/code.h"
#include "runtime/pages.h"
#include "runtime/system.h"
#include "runtime/trace_file.h"

#define OBJECTS_MAX 1024u
#define SHARED_MAX 64u                   /* objects */
#define PIECE 128u                       /* sites read at once: 1 KiB of a stack */
#define PATIENCE_NS UINT64_C(1000000000) /* of each process, with all that others make */

enum { TEST_EAX = 0xa9, CALL = 0xe8, JUMP = 0xe9 };
enum { WORD_BYTES = 6, SITE_BYTES = 5, STEP_BYTES = 5, STUB_BYTES = STEP_BYTES + WORD_BYTES };
enum { SWITCH_ON = 1, SWITCH_CHANGED = 2 };
enum { PAGE_BYTES = 4096 }; /* of which a page of any machine is made */

struct object {
    const struct site *begin, *end;
    struct code *code; /* NULL: it may be unloaded */
    bool fresh;        /* all its sites are off */
};

static struct {
    struct object objects[OBJECTS_MAX];
    uint32_t object_count;
    struct code shared[SHARED_MAX];
    uint32_t shared_count;
    bool started; /* the program, which may load and unload objects */
    bool alone;   /* there is no file of switches: nor are other files shared */
    uint64_t patient_until_ns;
    unsigned char *state; /* by probe, as the code has it: SWITCH_ON; room for SWITCH_CHANGED */
    uint32_t busy;        /* a thread is changing the code */
    bool unsure;          /* the code may not be as `state` says */
    bool failed;          /* nor can it be made so */
    bool any_told;
    uint32_t told; /* the generation that the trace file has */
} sites;

static const uint32_t never;
struct sites_now sites_now = {.generation = &never, .rest = &never, .epoch = 2};

/* ---- the process's memory, where an object may be gone by now; or a copy of its code ---- */

struct memory {
    int fd; /* of /proc/self/mem; it writes to code as a debugger does. -1: there is none */
    const struct code_copy *copy; /* NULL: it is the process's */
    bool still; /* it stays there, and no thread executes it yet: pages are changed (page_set) */
};

static bool copy_read(const struct code_copy *copy, void *to, uintptr_t from, size_t size)
{
    uintptr_t at = from - copy->start;
    bool within = at <= copy->size && size <= copy->size - at;
    if (within)
        memcpy(to, copy->bytes + at, size);
    return within;
}

static bool memory_read(struct memory memory, void *to, const void *from, size_t size)
{
    if (memory.copy)
        return copy_read(memory.copy, to, (uintptr_t)from, size);
    if (memory.still) {
        memcpy(to, from, size);
        return true;
    }
    struct iovec here = {to, size}, there = {(void *)(uintptr_t)from, size};
    /* The last argument lies on the stack, where of an int the upper half is anything. */
    long done = memory.fd >= 0
                    ? system_read_at(memory.fd, to, size, (uintptr_t)from)
                    : syscall(SYS_process_vm_readv, getpid(), &here, 1ul, &there, 1ul, 0ul);
    return done == (long)size;
}

/* A debugger writes to code in this way, too. It fails where the code is in huge pages, or the
 * kernel keeps even a debugger from it. */
static bool memory_write(struct memory memory, const unsigned char *to, const void *bytes,
                         size_t size)
{
    return memory.fd >= 0 && system_write_at(memory.fd, bytes, size, (uintptr_t)to) == (long)size;
}

/* A system call stores the bytes: a store of our own would be the program's end where the object
 * was unloaded just now. */
static void store(unsigned char *to, const unsigned char *bytes, size_t size)
{
    struct iovec here = {(void *)(uintptr_t)bytes, size}, there = {to, size};
    if (syscall(SYS_process_vm_writev, getpid(), &here, 1ul, &there, 1ul, 0ul) < 0 &&
        errno != EFAULT)
        memcpy(to, bytes, size);
}

/* The bytes are of one page. */
static bool store_unprotected(unsigned char *to, const unsigned char *bytes, size_t size)
{
    uintptr_t page = trace_file_page(), from = (uintptr_t)to & ~(page - 1);
    if (mprotect((void *)from, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    store(to, bytes, size);
    mprotect((void *)from, page, PROT_READ | PROT_EXEC);
    return true;
}

/* ---- the page that is being changed: two system calls for each site take 6 us ---- */

static struct {
    uintptr_t start; /* 0: none */
    unsigned char bytes[PAGE_BYTES];
} page;

static void page_finish(struct memory memory)
{
    unsigned char *to = (unsigned char *)page.start;
    if (to && !memory_write(memory, to, page.bytes, PAGE_BYTES) &&
        !store_unprotected(to, page.bytes, PAGE_BYTES))
        sites.failed = true;
    page.start = 0;
}

static void page_set(struct memory memory, const unsigned char *at, unsigned char byte)
{
    uintptr_t start = (uintptr_t)at & ~(uintptr_t)(PAGE_BYTES - 1);
    if (page.start != start) {
        page_finish(memory);
        memcpy(page.bytes, (const void *)start, PAGE_BYTES);
        page.start = start;
    }
    page.bytes[(uintptr_t)at - start] = byte;
}

/* ---- one site ---- */

static bool has_stub(uint32_t word)
{
    return word & SITE_HAS_STUB;
}

static uint32_t probe_of(uint32_t word)
{
    return (word & ~SITE_HAS_STUB) >> 2;
}

static unsigned char opcode_of(uint32_t word, bool on)
{
    return on ? has_stub(word) ? JUMP : CALL : TEST_EAX;
}

static bool gives_word(const unsigned char *code, uint32_t word)
{
    static const unsigned char MOV_R11[] = {0x41, 0xbb};
    word &= ~SITE_HAS_STUB;
    return memcmp(code, MOV_R11, sizeof MOV_R11) == 0 &&
           memcmp(code + sizeof MOV_R11, &word, sizeof word) == 0;
}

static bool is_stub(const unsigned char *stub, uint32_t word)
{
    static const unsigned char STEP[STEP_BYTES] = {0x48, 0x8d, 0x64, 0x24, 0x80};
    return memcmp(stub, STEP, sizeof STEP) == 0 && gives_word(stub + STEP_BYTES, word);
}

static bool is_near_site(struct memory memory, const unsigned char *at, uint32_t word,
                         unsigned char *opcode)
{
    unsigned char code[WORD_BYTES + 1];
    if (!memory_read(memory, code, at - WORD_BYTES, sizeof code))
        return false;
    *opcode = code[WORD_BYTES];
    return gives_word(code, word);
}

static bool is_stub_site(struct memory memory, const unsigned char *at, uint32_t word,
                         unsigned char *opcode)
{
    unsigned char code[SITE_BYTES], stub[STUB_BYTES];
    int32_t distance;
    if (!memory_read(memory, code, at, sizeof code))
        return false;
    memcpy(&distance, code + 1, sizeof distance);
    *opcode = code[0];
    return memory_read(memory, stub, at + SITE_BYTES + distance, sizeof stub) &&
           is_stub(stub, word);
}

/* The site is the one that the table means, and nothing that was loaded over an unloaded object: it
 * has the same word. */
static bool is_site(struct memory memory, const unsigned char *at, uint32_t word,
                    unsigned char *opcode)
{
    bool found = has_stub(word) ? is_stub_site(memory, at, word, opcode)
                                : is_near_site(memory, at, word, opcode);
    return found && (*opcode == TEST_EAX || *opcode == opcode_of(word, true));
}

/* The site is there and can't be written to. */
static bool resists(struct memory memory, const unsigned char *at, uint32_t word,
                    unsigned char wanted)
{
    unsigned char opcode;
    return !memory_write(memory, at, &wanted, 1) && is_site(memory, at, word, &opcode);
}

/* The result is false if the site is not there. Where a write fails because its object was
 * unloaded, it is gone; or back in another load of it, but not twice. */
static bool set_site(struct memory memory, unsigned char *at, uint32_t word, bool on)
{
    unsigned char opcode, wanted = opcode_of(word, on);
    if (!is_site(memory, at, word, &opcode))
        return false;
    if (opcode == wanted)
        return true;
    if (memory.still)
        page_set(memory, at, wanted);
    else if (resists(memory, at, word, wanted) && resists(memory, at, word, wanted) &&
             !store_unprotected(at, &wanted, 1))
        sites.failed = true;
    return true;
}

/* ---- an object's, in the code that processes share ---- */

static const unsigned char *site_address(const struct site *site)
{
    return (const unsigned char *)site + site->distance;
}

static bool is_on(const struct site *site)
{
    uint32_t probe = probe_of(site->word);
    return site->word && probe < sites_now.count && sites.state[probe] & SWITCH_ON;
}

/* The result is false if the site lies elsewhere. */
static bool switch_on(struct code_copy copy, const struct site *site)
{
    unsigned char opcode;
    uintptr_t at = (uintptr_t)site_address(site) - copy.start;
    if (at > copy.size - SITE_BYTES)
        return false;
    if (is_site((struct memory){-1, &copy, false}, site_address(site), site->word, &opcode))
        copy.bytes[at] = opcode_of(site->word, true);
    return true;
}

static bool make_copy(const void *context, struct code_copy copy)
{
    const struct object *object = context;
    for (const struct site *site = object->begin; site < object->end; site++)
        if (is_on(site) && !switch_on(copy, site))
            return false;
    return true;
}

/* The set of an object's sites that are on is told by one number. */
static uint64_t set_of(const struct object *object)
{
    uint64_t set = 0;
    for (const struct site *site = object->begin; site < object->end; site++)
        if (is_on(site))
            set = code_mix(set, (uint64_t)(site - object->begin) + 1);
    return set;
}

static const struct site *first_of(const struct object *object)
{
    const struct site *site = object->begin;
    while (site < object->end && !site->word)
        site++;
    return site < object->end ? site : NULL;
}

static bool is_shared(const struct object *object)
{
    return object->code && !object->code->alone;
}

/* A process that is stopped while it makes the copy is not waited for for ever. */
static bool is_patient(void)
{
    uint64_t now = clock_monotonic_ns();
    if (!sites.patient_until_ns)
        sites.patient_until_ns = now + PATIENCE_NS;
    return now < sites.patient_until_ns;
}

/* The result is false if another process is making what this one is to share. */
static bool share(struct object *object)
{
    const struct site *first = first_of(object);
    struct code_change change = {set_of(object), make_copy, object};
    enum code_result result =
        first ? code_show(object->code, site_address(first), &change) : CODE_SHOWN;
    if (result == CODE_BUSY && is_patient())
        return false;
    object->code->alone = result != CODE_SHOWN;
    object->fresh = object->fresh && object->code->alone;
    return true;
}

static bool share_all(void)
{
    bool done = true;
    for (uint32_t i = 0; i < sites.object_count; i++) {
        struct object *object = &sites.objects[i];
        if (is_shared(object) && (sites.alone || sites.unsure))
            object->code->alone = true;
        else if (is_shared(object))
            done = share(object) && done;
    }
    return done;
}

/* ---- all of them ---- */

static bool must_look(const struct object *object, unsigned char state)
{
    return sites.unsure || state & SWITCH_CHANGED || (object->fresh && state & SWITCH_ON);
}

struct found {
    uint64_t sites, none; /* those that were there, and those that were not */
};

/* The table is gone through backwards, so that where calls are left is on before where they are
 * entered. */
static void set_sites(struct memory memory, const struct object *object, const struct site *from,
                      const struct site *piece, size_t n, struct found *found)
{
    for (size_t i = n; i-- > 0;) {
        uint32_t probe = probe_of(piece[i].word);
        if (!piece[i].word || probe >= sites_now.count || !must_look(object, sites.state[probe]))
            continue;
        unsigned char *at = (unsigned char *)(uintptr_t)&from[i] + piece[i].distance;
        if (set_site(memory, at, piece[i].word, sites.state[probe] & SWITCH_ON))
            found->sites++;
        else
            found->none++;
    }
}

/* The result is false if the object was unloaded. One that can't be has its sites where its table
 * says, but after a tool that lays out code anew. */
static bool set_object(struct memory memory, const struct object *object)
{
    struct site piece[PIECE];
    struct found found = {0, 0};
    for (size_t left = (size_t)(object->end - object->begin), n; left > 0; left -= n) {
        n = left < PIECE ? left : PIECE;
        const struct site *from = object->begin + (left - n);
        if (!memory_read(memory, piece, from, n * sizeof *piece))
            return false;
        set_sites(memory, object, from, piece, n, &found);
    }
    page_finish(memory);
    if (object->code && found.none && !found.sites)
        sites.failed = true;
    return true;
}

static void set_all(void)
{
    struct memory memory = {(int)system_open("/proc/self/mem", O_RDWR, 0), NULL, false};
    uint32_t count;
    if (sites.object_count && !memory_read(memory, &count, &sites.object_count, sizeof count))
        sites.failed = true;
    memory.still = !sites.started;
    for (uint32_t i = 0; i < sites.object_count && !sites.failed;)
        if (is_shared(&sites.objects[i])) {
            i++;
        } else if (set_object(memory, &sites.objects[i])) {
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
    for (uint64_t i = 1; i < sites_now.count; i++) {
        unsigned char on =
            __atomic_load_n(&sites_now.switches[i], __ATOMIC_RELAXED) ? SWITCH_ON : 0;
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
    for (uint64_t i = 1; i < sites_now.count; i++)
        if (sites.state[i] & SWITCH_CHANGED)
            sites.state[i] &= SWITCH_ON;
}

static bool any_private(void)
{
    bool any = false;
    for (uint32_t i = 0; i < sites.object_count && !any; i++)
        any = !is_shared(&sites.objects[i]);
    return any;
}

static void set_private(void)
{
    if (any_private())
        set_all();
    sites.unsure = false;
    sites.patient_until_ns = 0;
    forget_changes();
}

static bool set_everywhere(void)
{
    bool done = share_all();
    if (done)
        set_private();
    return done;
}

/* The result is false while another process has to be waited for. An object that has come changes
 * nothing for the calls of others; those of its own that are under way have not been entered, and
 * the innermost of them are left last. */
static bool apply(void)
{
    if (!note_changes() && !sites.unsure)
        return !any_fresh() || set_everywhere();
    __atomic_store_n(&sites_now.epoch, sites_now.epoch | 1, __ATOMIC_SEQ_CST);
    bool done = set_everywhere();
    __atomic_store_n(&sites_now.epoch, sites_now.epoch + 1, __ATOMIC_SEQ_CST);
    return done;
}

/* Nothing is told where only an object has come: intervals that are under way have all their calls.
 * A server may load a plugin for each request. */
static void tell(uint32_t generation, uint32_t epoch_before)
{
    uint32_t told = sites.failed ? TRACE_NOT_SWITCHED : generation;
    if (sites.any_told && told == sites.told && epoch_before == sites_now.epoch &&
        generation == sites_now.applied)
        return;
    trace_file_switched(told, clock_monotonic_ns());
    sites.told = told;
    sites.any_told = true;
}

/* The generation is read before the switches: a change meanwhile is another one. */
static bool bring_up_to_date(void)
{
    uint32_t generation = __atomic_load_n(sites_now.generation, __ATOMIC_ACQUIRE);
    uint32_t epoch = sites_now.epoch;
    if (!apply())
        return false;
    tell(generation, epoch);
    __atomic_store_n(&sites_now.applied, generation, __ATOMIC_RELEASE);
    return true;
}

void sites_update(void)
{
    int error = errno;
    bool done = true;
    while (done && sites_are_old() && !__atomic_exchange_n(&sites.busy, 1, __ATOMIC_ACQUIRE)) {
        done = bring_up_to_date();
        claim_release(&sites.busy);
    }
    errno = error;
}

/* ---- the start ---- */

/* An object that is loaded again often lies where it lay before. */
static struct object *object_at(const struct site *begin)
{
    for (uint32_t i = 0; i < sites.object_count; i++)
        if (sites.objects[i].begin == begin)
            return &sites.objects[i];
    return sites.object_count < OBJECTS_MAX ? &sites.objects[sites.object_count++] : NULL;
}

static struct code *new_code(void)
{
    return sites.started || sites.shared_count == SHARED_MAX ? NULL
                                                             : &sites.shared[sites.shared_count++];
}

void sites_add(const struct site *begin, const struct site *end, struct site_hooks *hooks,
               struct site_hooks (*given)(void))
{
    if (hooks->attached || !claim_take(&sites.busy))
        return;
    struct object *object = object_at(begin);
    if (object) {
        *object = (struct object){begin, end, new_code(), true};
        *hooks = given();
    }
    claim_release(&sites.busy);
}

void sites_use(const unsigned char *switches, uint64_t count, const struct trace_control *header)
{
    if (sites_now.switches)
        return;
    sites.state = pages_take(count);
    sites.failed = !sites.state;
    sites_now.switches = switches;
    sites_now.count = sites.failed ? 0 : count;
    /* A run that never switches has a few functions on: copies of their pages take less than one of
     * all the code, and children have them from their parent. */
    sites.alone = !header || !__atomic_load_n(&header->generation, __ATOMIC_RELAXED);
    if (header) {
        sites_now.generation = &header->generation;
        sites_now.rest = &header->resting;
    }
}

bool sites_have_switches(void)
{
    return sites_now.switches != NULL;
}

bool sites_are_as_begun(void)
{
    return !__atomic_load_n(sites_now.generation, __ATOMIC_RELAXED);
}

bool sites_are_wanted(uint32_t probe)
{
    return sites_role(probe) != 0;
}

void sites_start(void)
{
    if (!claim_take(&sites.busy))
        return;
    if (!bring_up_to_date())
        sites_now.applied = *sites_now.generation - 1;
    claim_release(&sites.busy);
}

void sites_program_started(void)
{
    sites.started = true;
}

void sites_forked(void)
{
    sites.unsure = sites.unsure || sites.busy;
    sites.busy = 0;
    if (sites.unsure)
        sites_now.applied = *sites_now.generation - 1;
    sites_check();
}
