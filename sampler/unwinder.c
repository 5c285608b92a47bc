#include "sampler/unwinder.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

/* Maps are read anew this often at most, while addresses lie in none. */
#define MAPS_NS UINT64_C(50000000)

struct unwinder {
    pid_t pid;
    Dwfl *dwfl; /* NULL: nothing of the process could be read */
    struct str maps;
    uint64_t maps_ns; /* they were read */
    const struct unwinder_thread *thread;
};

/* ---- registers ---- */

#if defined(__x86_64__)
/* linux/asm/perf_regs.h: ax bx cx dx si di bp sp ip, then r8 to r15. */
const uint64_t unwinder_registers = 0xff01ff;
enum { STACK_POINTER = 7, ARGUMENT = 5 };

static bool set_registers(Dwfl_Thread *thread, const uint64_t *r)
{
    /* System V ABI, AMD64, figure 3.36: ax dx cx bx si di bp sp, r8 to r15, the return address. */
    Dwarf_Word words[17] = {r[0], r[3], r[2], r[1], r[4], r[5], r[6], r[7]};
    for (int i = 0; i < 8; i++)
        words[8 + i] = r[9 + i];
    words[16] = r[8];
    return dwfl_thread_state_registers(thread, 0, 17, words);
}
#elif defined(__aarch64__)
/* x0 to x30, the stack pointer, the program counter. */
const uint64_t unwinder_registers = (UINT64_C(1) << 33) - 1;
enum { STACK_POINTER = 31, ARGUMENT = 0 };

static bool set_registers(Dwfl_Thread *thread, const uint64_t *r)
{
    Dwarf_Word words[32];
    for (int i = 0; i < 32; i++)
        words[i] = r[i];
    dwfl_thread_state_register_pc(thread, r[32]);
    return dwfl_thread_state_registers(thread, 0, 32, words);
}
#else
const uint64_t unwinder_registers = 0;
enum { STACK_POINTER = 0, ARGUMENT = 0 };

static bool set_registers(Dwfl_Thread *thread, const uint64_t *r)
{
    (void)thread, (void)r;
    return false;
}
#endif

uint64_t unwinder_argument(const struct unwinder_thread *thread)
{
    return thread->registers[ARGUMENT];
}

/* ---- what libdwfl asks ---- */

/* Debug information is not looked for: that may ask servers, and it tells no more here. */
static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc;
    *found = NULL;
    return -1;
}

static const Dwfl_Callbacks files = {.find_elf = dwfl_linux_proc_find_elf,
                                     .find_debuginfo = find_no_debuginfo};

/* Threads are not listed: the one that is asked for is there. */
static pid_t next_thread(Dwfl *dwfl, void *unwinder, void **thread)
{
    (void)dwfl, (void)unwinder, (void)thread;
    return 0;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *unwinder, void **thread)
{
    (void)dwfl, (void)tid;
    *thread = unwinder;
    return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *context)
{
    const struct unwinder_thread *thread = ((struct unwinder *)context)->thread;
    uint64_t at = address - thread->registers[STACK_POINTER];
    (void)dwfl;
    if (at > thread->stack_bytes || thread->stack_bytes - at < sizeof *word)
        return false;
    memcpy(word, thread->stack + at, sizeof *word);
    return true;
}

static bool set_initial_registers(Dwfl_Thread *thread, void *context)
{
    const struct unwinder *unwinder = context;
    return set_registers(thread, unwinder->thread->registers);
}

static const Dwfl_Thread_Callbacks threads = {.next_thread = next_thread,
                                              .get_thread = get_thread,
                                              .memory_read = read_memory,
                                              .set_initial_registers = set_initial_registers};

/* ---- of a process ---- */

static void read_text(struct str *text, const char *path)
{
    char part[4096];
    size_t got;
    FILE *file = fopen(path, "re");
    while (file && (got = fread(part, 1, sizeof part, file)) > 0)
        str_append_bytes(text, part, got);
    if (file)
        fclose(file);
}

static bool report_maps(Dwfl *dwfl, const char *text)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    if (!file)
        return false;
    dwfl_report_begin(dwfl);
    bool ok = dwfl_linux_proc_maps_report(dwfl, file) == 0;
    ok = dwfl_report_end(dwfl, NULL, NULL) == 0 && ok;
    fclose(file);
    return ok;
}

void unwinder_read_maps(struct unwinder *unwinder)
{
    char path[64];
    struct str text = {0};
    snprintf(path, sizeof path, "/proc/%d/maps", (int)unwinder->pid);
    read_text(&text, path);
    unwinder->maps_ns = clock_ns();
    if (!text.length || (unwinder->maps.length && strcmp(text.data, unwinder->maps.data) == 0)) {
        str_release(&text);
        return;
    }
    str_release(&unwinder->maps);
    unwinder->maps = text;
    if (unwinder->dwfl)
        dwfl_end(unwinder->dwfl);
    unwinder->dwfl = dwfl_begin(&files);
    if (unwinder->dwfl && report_maps(unwinder->dwfl, text.data) &&
        dwfl_attach_state(unwinder->dwfl, NULL, unwinder->pid, &threads, unwinder))
        return;
    if (unwinder->dwfl)
        dwfl_end(unwinder->dwfl);
    unwinder->dwfl = NULL;
}

struct unwinder *unwinder_open(pid_t pid)
{
    struct unwinder *unwinder = memory_zeroed(sizeof *unwinder);
    unwinder->pid = pid;
    unwinder_read_maps(unwinder);
    return unwinder;
}

void unwinder_close(struct unwinder *unwinder)
{
    if (unwinder->dwfl)
        dwfl_end(unwinder->dwfl);
    str_release(&unwinder->maps);
    memory_free(unwinder);
}

const char *unwinder_maps(const struct unwinder *unwinder)
{
    return str_text(&unwinder->maps);
}

/* ---- of a thread ---- */

struct walk {
    struct unwinder *unwinder;
    uint64_t *addresses;
    size_t count, most;
    bool unmapped; /* the last one lies in no object */
};

static int take_frame(Dwfl_Frame *frame, void *context)
{
    struct walk *walk = context;
    Dwarf_Addr address;
    bool interrupted;
    if (walk->count == walk->most || !dwfl_frame_pc(frame, &address, &interrupted))
        return DWARF_CB_ABORT;
    if (!interrupted)
        address--;
    walk->unmapped = !dwfl_addrmodule(walk->unwinder->dwfl, address);
    walk->addresses[walk->count++] = address;
    return DWARF_CB_OK;
}

static bool walk_once(struct walk *walk)
{
    walk->count = 0;
    walk->unmapped = !walk->unwinder->dwfl;
    if (!walk->unwinder->dwfl)
        return false;
    return dwfl_getthread_frames(walk->unwinder->dwfl, walk->unwinder->pid, take_frame, walk) == 0;
}

size_t unwinder_walk(struct unwinder *unwinder, const struct unwinder_thread *thread,
                     uint64_t *addresses, size_t most, bool *whole)
{
    struct walk walk = {.unwinder = unwinder, .addresses = addresses, .most = most};
    unwinder->thread = thread;
    *whole = walk_once(&walk);
    if (!*whole && walk.unmapped && clock_ns() - unwinder->maps_ns > MAPS_NS) {
        unwinder_read_maps(unwinder);
        *whole = walk_once(&walk);
    }
    return walk.count;
}
