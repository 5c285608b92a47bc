#include "runtime/callers.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include "runtime/clock.h"
#include "runtime/log.h"
#include "runtime/readable.h"

/* A list has up to MOST addresses, found in the nearest WORDS of a stack; a thread remembers KNOWN
 * lists, the process the code of TEXTS objects. */
enum { MOST = 4 * TRACE_CALLERS_ADDRESSES, WORDS = 512, KNOWN = 32, TEXTS = 16 };

struct text {
    uintptr_t begin, size;
};

/* Code that no longer fits is not looked for. An object that is unloaded stays: its addresses mean
 * nothing to the reader. */
static struct text texts[TEXTS];
static unsigned text_count;

struct known_list {
    uint32_t hash;
    uint16_t number; /* 0: none */
};

static __thread struct {
    struct known_list lists[KNOWN]; /* by hash */
    uint32_t chunk;                 /* that they were written in */
    uint16_t last;                  /* number given */
} known __attribute__((tls_model("initial-exec")));

void callers_learn(uintptr_t text, size_t size)
{
    unsigned count = text_count;
    if (count == TEXTS)
        return;
    texts[count] = (struct text){text, size};
    __atomic_store_n(&text_count, count + 1, __ATOMIC_RELEASE);
}

static bool in_program(uintptr_t address, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (address - texts[i].begin < texts[i].size)
            return true;
    return false;
}

/* The words end at a page that can't be read, or where libc keeps its struct of the thread, above
 * its stack. */
static const uintptr_t *end_of_words(const uintptr_t *from)
{
    uintptr_t end = (uintptr_t)(from + WORDS), self = (uintptr_t)pthread_self();
    uintptr_t page = ((uintptr_t)from | (TRACE_PAGE - 1)) + 1;
    if (self > (uintptr_t)from && self < end)
        end = self;
    for (; page < end; page += TRACE_PAGE)
        if (!readable((const void *)page, sizeof(uintptr_t)))
            end = page;
    return (const uintptr_t *)end;
}

static unsigned find(uintptr_t *found, const uintptr_t *from)
{
    const unsigned texts_known = __atomic_load_n(&text_count, __ATOMIC_ACQUIRE);
    const uintptr_t *end = end_of_words(from);
    unsigned count = 0;
    for (const volatile uintptr_t *word = from; word < end && count < MOST; word++) {
        uintptr_t address = *word;
        if (in_program(address, texts_known))
            found[count++] = address;
    }
    return count;
}

static uint32_t hash_of(const uintptr_t *found, unsigned count)
{
    uint64_t hash = count;
    for (unsigned i = 0; i < count; i++)
        hash = (hash ^ found[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 32;
    return (uint32_t)(hash >> 32);
}

static bool write_part(unsigned number, const uintptr_t *found, unsigned count)
{
    struct trace_callers *r = log_reserve(sizeof *r);
    if (!r)
        return false;
    r->number = (uint16_t)number;
    r->more = count > TRACE_CALLERS_ADDRESSES;
    for (unsigned i = 0; i < TRACE_CALLERS_ADDRESSES; i++)
        r->address[i] = i < count ? found[i] : 0;
    log_commit(&r->head, clock_now(), TRACE_CALLERS);
    return true;
}

static bool write_list(unsigned number, const uintptr_t *found, unsigned count)
{
    bool ok = true;
    for (unsigned at = 0; at < count && ok; at += TRACE_CALLERS_ADDRESSES)
        ok = write_part(number, found + at, count - at);
    return ok;
}

/* Each chunk of a log tells its numbers anew: those before it may be overwritten. */
static void forget_earlier_chunks(void)
{
    if (known.chunk == log_self.sequence)
        return;
    for (unsigned i = 0; i < KNOWN; i++)
        known.lists[i].number = 0;
    known.chunk = log_self.sequence;
}

static unsigned number_of(const uintptr_t *found, unsigned count)
{
    uint32_t hash = hash_of(found, count);
    struct known_list *list = &known.lists[hash % KNOWN];
    forget_earlier_chunks();
    if (list->number && list->hash == hash)
        return list->number;
    known.last += known.last == UINT16_MAX ? 2 : 1;
    unsigned number = known.last;
    if (!write_list(number, found, count))
        return 0;
    log_name_thread();
    *list = (struct known_list){hash, (uint16_t)number};
    return number;
}

__attribute__((noinline)) unsigned callers_number(void)
{
    int error = errno;
    uintptr_t found[MOST];
    unsigned count = find(found, (const uintptr_t *)__builtin_frame_address(0) + 1);
    unsigned number = count ? number_of(found, count) : 0;
    errno = error;
    return number;
}
