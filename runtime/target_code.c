#include "runtime/target_code.h"

#include <link.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/claim.h"
#include "runtime/system.h"

/* Looked at; registers that a function without a frame keeps, and its return address. */
enum { FRAMES = 32, LEAF_WORDS = 8 };

struct range {
    uintptr_t from, until;
};

static struct {
    uint32_t target; /* that the rest is of; 0: none */
    uint32_t busy;
    uint32_t count;
    struct range ranges[TRACE_DELAYS_CODE];
} code;

struct search {
    const struct trace_delays *delays;
    struct stat objects[TRACE_DELAYS_OBJECTS];
    bool is_there[TRACE_DELAYS_OBJECTS];
};

static void add_ranges(const struct search *search, uint32_t object, uintptr_t base)
{
    const struct trace_delays *delays = search->delays;
    for (uint32_t i = 0; i < delays->code_count && i < TRACE_DELAYS_CODE; i++)
        if (delays->code[i].object == object && code.count < TRACE_DELAYS_CODE)
            code.ranges[code.count++] =
                (struct range){base + delays->code[i].from, base + delays->code[i].until};
}

/* The program itself has no name. */
static const char *path_of(const struct dl_phdr_info *object)
{
    return *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
}

static int visit(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    const struct search *search = context;
    struct stat s;
    if (stat(path_of(object), &s) != 0)
        return 0;
    for (uint32_t i = 0; i < TRACE_DELAYS_OBJECTS; i++)
        if (search->is_there[i] && search->objects[i].st_ino == s.st_ino &&
            search->objects[i].st_dev == s.st_dev)
            add_ranges(search, i, object->dlpi_addr);
    return 0;
}

static void find(const struct trace_delays *delays)
{
    struct search search = {.delays = delays};
    code.count = 0;
    for (uint32_t i = 0; i < delays->object_count && i < TRACE_DELAYS_OBJECTS; i++)
        search.is_there[i] = stat(delays->objects[i], &search.objects[i]) == 0;
    dl_iterate_phdr(visit, &search);
}

void target_code_find(const struct trace_delays *delays)
{
    uint32_t target = delays->target;
    if (delays->kind != TRACE_DELAY_CODE || target_code_known(delays) || !claim_take(&code.busy))
        return;
    if (code.target != target) {
        __atomic_store_n(&code.target, 0, __ATOMIC_SEQ_CST);
        find(delays);
        __atomic_store_n(&code.target, target, __ATOMIC_RELEASE);
    }
    claim_release(&code.busy);
}

/* ---- where units of work begin ---- */

struct place_search {
    const struct trace_delays *delays;
    uintptr_t *addresses;
    size_t count, most;
};

static int add_places(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    struct place_search *search = context;
    struct stat own, other;
    if (stat(path_of(object), &own) != 0)
        return 0;
    for (uint32_t i = 0; i < search->delays->place_count && i < TRACE_DELAYS_PLACES; i++)
        if (search->count < search->most && stat(search->delays->place_objects[i], &other) == 0 &&
            own.st_ino == other.st_ino && own.st_dev == other.st_dev)
            search->addresses[search->count++] = object->dlpi_addr + search->delays->places[i].from;
    return 0;
}

size_t target_code_places(const struct trace_delays *delays, uintptr_t *addresses, size_t most)
{
    struct place_search search = {.delays = delays, .addresses = addresses, .most = most};
    if (delays->place_count)
        dl_iterate_phdr(add_places, &search);
    return search.count;
}

/* ---- a thread ---- */

bool target_code_known(const struct trace_delays *delays)
{
    return __atomic_load_n(&code.target, __ATOMIC_ACQUIRE) == delays->target;
}

static bool holds(uintptr_t address)
{
    for (uint32_t i = 0; i < code.count; i++)
        if (address >= code.ranges[i].from && address < code.ranges[i].until)
            return true;
    return false;
}

/* The system reads the words: there may be no memory where a register points that is no frame
 * pointer. */
static bool read_words(uintptr_t from, uintptr_t *words, size_t count)
{
    struct iovec here = {words, count * sizeof *words},
                 there = {(void *)from, count * sizeof *words};
    return from % sizeof *words == 0 && from > 4096 &&
           syscall(SYS_process_vm_readv, getpid(), &here, 1ul, &there, 1ul, 0ul) ==
               (long)(count * sizeof *words);
}

/* Does a call stand before the address? Only asked of what lies in the target's code. */
static bool is_behind_call(uintptr_t address)
{
#if defined __x86_64__
    const unsigned char *at = (const unsigned char *)address;
    return at[-5] == 0xe8 || (at[-2] == 0xff && (at[-1] & 0x38) == 0x10) ||
           (at[-3] == 0xff && (at[-2] & 0x38) == 0x10) ||
           (at[-6] == 0xff && (at[-5] & 0x38) == 0x10) ||
           (at[-7] == 0xff && (at[-6] & 0x38) == 0x10);
#else
    (void)address;
    return false; /* it is in the link register */
#endif
}

/* A function that calls none has no frame, even where the others have: the frame pointer is then its caller's, and what
 * leads to that one, the frame's words say; but where it returns to lies behind what it has pushed. */
static bool is_leaf_called_there(const struct step *step)
{
    uintptr_t words[LEAF_WORDS];
    if (step->link && holds(step->link - 1))
        return true;
    if (!read_words(step->stack, words, LEAF_WORDS))
        return false;
    for (int i = 0; i < LEAF_WORDS; i++)
        if (holds(words[i] - 1) && is_behind_call(words[i]))
            return true;
    return false;
}

/* A return address is that of the instruction behind the call. */
static bool is_called_there(uintptr_t frame)
{
    uintptr_t words[2];
    bool found = false;
    for (int i = 0; i < FRAMES && !found && read_words(frame, words, 2); i++) {
        found = holds(words[1] - 1);
        if (words[0] <= frame)
            break;
        frame = words[0];
    }
    return found;
}

bool target_code_has(const struct step *step)
{
    return holds(step->at) || is_leaf_called_there(step) || is_called_there(step->frame);
}
