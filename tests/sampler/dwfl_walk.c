#include "dwfl_walk.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

struct dwfl_walk {
    pid_t pid;
    Dwfl *dwfl;
    const struct unwinder_thread *thread;
    struct unwind_registers registers;
    uint64_t pc, *addresses;
    size_t count, most;
};

static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc;
    *found = NULL;
    return -1;
}

static const Dwfl_Callbacks files = {.find_elf = dwfl_linux_proc_find_elf,
                                     .find_debuginfo = find_no_debuginfo};

static pid_t next_thread(Dwfl *dwfl, void *walk, void **thread)
{
    (void)dwfl, (void)walk, (void)thread;
    return 0;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *walk, void **thread)
{
    (void)dwfl, (void)tid;
    *thread = walk;
    return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *context)
{
    const struct dwfl_walk *walk = context;
    uint64_t at = address - walk->registers.values[UNWIND_STACK];
    (void)dwfl;
    if (at > walk->thread->stack_bytes || walk->thread->stack_bytes - at < sizeof *word)
        return false;
    memcpy(word, walk->thread->stack + at, sizeof *word);
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *context)
{
    const struct dwfl_walk *walk = context;
    Dwarf_Word words[UNWIND_REGISTERS];
    for (int i = 0; i < UNWIND_REGISTERS; i++)
        words[i] = walk->registers.values[i];
    dwfl_thread_state_register_pc(thread, walk->pc);
    return dwfl_thread_state_registers(thread, 0, UNWIND_REGISTERS, words);
}

static const Dwfl_Thread_Callbacks threads = {.next_thread = next_thread,
                                              .get_thread = get_thread,
                                              .memory_read = read_memory,
                                              .set_initial_registers = set_registers};

void dwfl_walk_read_maps(struct dwfl_walk *walk)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)walk->pid);
    FILE *maps = fopen(path, "re");
    if (walk->dwfl)
        dwfl_end(walk->dwfl);
    walk->dwfl = dwfl_begin(&files);
    dwfl_report_begin(walk->dwfl);
    dwfl_linux_proc_maps_report(walk->dwfl, maps);
    dwfl_report_end(walk->dwfl, NULL, NULL);
    dwfl_attach_state(walk->dwfl, NULL, walk->pid, &threads, walk);
    fclose(maps);
}

struct dwfl_walk *dwfl_walk_open(pid_t pid)
{
    struct dwfl_walk *walk = memory_zeroed(sizeof *walk);
    walk->pid = pid;
    dwfl_walk_read_maps(walk);
    return walk;
}

static int take_frame(Dwfl_Frame *frame, void *context)
{
    struct dwfl_walk *walk = context;
    Dwarf_Addr address;
    bool interrupted;
    if (walk->count == walk->most || !dwfl_frame_pc(frame, &address, &interrupted))
        return DWARF_CB_ABORT;
    walk->addresses[walk->count++] = interrupted ? address : address - 1;
    return DWARF_CB_OK;
}

size_t dwfl_walk_thread(struct dwfl_walk *walk, const struct unwinder_thread *thread,
                        uint64_t *addresses, size_t most, bool *whole)
{
    walk->thread = thread;
    walk->pc = unwind_registers_take(&walk->registers, thread->registers);
    walk->addresses = addresses;
    walk->count = 0;
    walk->most = most;
    *whole = dwfl_getthread_frames(walk->dwfl, walk->pid, take_frame, walk) == 0;
    return walk->count;
}

const char *dwfl_walk_name(struct dwfl_walk *walk, uint64_t address)
{
    Dwfl_Module *module = dwfl_addrmodule(walk->dwfl, address);
    const char *name = module ? dwfl_module_addrname(module, address) : NULL;
    return name ? name : "?";
}

void dwfl_walk_close(struct dwfl_walk *walk)
{
    dwfl_end(walk->dwfl);
    memory_free(walk);
}
