#include "runtime/target_code.h"

#include <link.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/claim.h"
#include "runtime/system.h"

enum { FRAMES = 32 }; /* looked at */

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
static int visit(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    const struct search *search = context;
    struct stat s;
    const char *name = *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
    if (stat(name, &s) != 0)
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
    if (delays->kind != TRACE_DELAY_CODE ||
        __atomic_load_n(&code.target, __ATOMIC_ACQUIRE) == target || !claim_take(&code.busy))
        return;
    if (code.target != target) {
        __atomic_store_n(&code.target, 0, __ATOMIC_SEQ_CST);
        find(delays);
        __atomic_store_n(&code.target, target, __ATOMIC_RELEASE);
    }
    claim_release(&code.busy);
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
static bool read_frame(uintptr_t frame, uintptr_t words[2])
{
    struct iovec here = {words, 2 * sizeof *words}, there = {(void *)frame, 2 * sizeof *words};
    return frame % sizeof *words == 0 && frame > 4096 &&
           syscall(SYS_process_vm_readv, getpid(), &here, 1ul, &there, 1ul, 0ul) ==
               (long)(2 * sizeof *words);
}

/* A return address is that of the instruction behind the call. */
static bool is_called_there(uintptr_t frame)
{
    uintptr_t words[2];
    bool found = false;
    for (int i = 0; i < FRAMES && !found && read_frame(frame, words); i++) {
        found = holds(words[1] - 1);
        if (words[0] <= frame)
            break;
        frame = words[0];
    }
    return found;
}

bool target_code_has(const struct trace_delays *delays, const struct step *step)
{
    if (__atomic_load_n(&code.target, __ATOMIC_ACQUIRE) != delays->target)
        return false;
    return holds(step->at) || is_called_there(step->frame);
}
