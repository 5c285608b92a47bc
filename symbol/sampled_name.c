#include "symbol/sampled_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "symbol/readable_name.h"
#include "symbol/symbolizer.h"
#include "symbol/symbolizer_inside.h"

struct sampled_names {
    struct arena arena;
    struct symbolizer **symbolizers; /* of the processes' maps; NULL: not opened */
    const struct wait_stacks *stacks;
    struct hash_map kernel; /* address -> const char * */
    struct hash_map frames; /* hash of process and address -> struct sampled_frame * */
};

static void read_kernel(struct sampled_names *names, const char *text)
{
    for (const char *line = text; line && *line;) {
        char *end;
        uint64_t address = strtoull(line, &end, 16);
        const char *stop = strchr(line, '\n');
        if (*end == ' ' && stop > end)
            *hash_map_put(&names->kernel, address) =
                (uintptr_t)arena_strndup(&names->arena, end + 1, (size_t)(stop - end - 1));
        line = stop ? stop + 1 : NULL;
    }
}

struct sampled_names *sampled_names_open(const struct wait_stacks *stacks)
{
    struct sampled_names *names = memory_zeroed(sizeof *names);
    names->stacks = stacks;
    names->symbolizers = memory_zeroed((stacks->process_count + 1) * sizeof *names->symbolizers);
    for (uint32_t i = 0; i < stacks->kernel_count; i++)
        read_kernel(names, stacks->kernels[i]);
    return names;
}

void sampled_names_close(struct sampled_names *names)
{
    for (uint32_t i = 0; i < names->stacks->process_count; i++)
        symbolizer_close(names->symbolizers[i]);
    memory_free(names->symbolizers);
    hash_map_release(&names->kernel);
    hash_map_release(&names->frames);
    arena_release(&names->arena);
    memory_free(names);
}

/* That of the process's maps from the index on, the latest first; or NULL. */
static struct symbolizer *symbolizer_from(struct sampled_names *names, uint32_t pid,
                                          uint32_t *index)
{
    while (*index < names->stacks->process_count && names->stacks->processes[*index].pid != pid)
        ++*index;
    if (*index == names->stacks->process_count)
        return NULL;
    struct symbolizer **known = &names->symbolizers[*index];
    if (!*known)
        *known = symbolizer_open(names->stacks->processes[*index].maps);
    return *known;
}

struct symbolizer *sampled_names_symbolizer(struct sampled_names *names, uint32_t pid)
{
    uint32_t first = 0;
    return symbolizer_from(names, pid, &first);
}

/* "" where it lies in no file. */
static const char *file_at(const struct symbolizer *symbolizer, uint64_t address)
{
    Dwfl_Module *module = symbolizer->dwfl ? dwfl_addrmodule(symbolizer->dwfl, address) : NULL;
    const char *path =
        module ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

/* What is unloaded, or was another program before, only earlier maps know. */
static struct sampled_frame name_user(struct sampled_names *names, uint32_t pid, uint64_t address)
{
    const char *symbol = NULL, *file = "";
    struct symbolizer *symbolizer;
    for (uint32_t i = 0; !*file && (symbolizer = symbolizer_from(names, pid, &i)) != NULL; i++) {
        symbol = symbolizer_name(symbolizer, address);
        file = file_at(symbolizer, address);
    }
    struct str text = {0};
    if (symbol)
        readable_name(symbol, &text);
    else
        str_printf(&text, "[%s]", *file ? file : "unknown");
    struct sampled_frame frame = {arena_strndup(&names->arena, text.data, text.length),
                                  strstr(file, ".so") || !*file ? FRAME_LIBRARY : FRAME_PROGRAM};
    str_release(&text);
    return frame;
}

static struct sampled_frame frame_user(struct sampled_names *names, uint32_t pid, uint64_t address)
{
    uint64_t *known = hash_map_put(&names->frames, hash_mix(address) ^ pid);
    if (!*known) {
        struct sampled_frame *frame = ARENA_NEW(&names->arena, struct sampled_frame);
        *frame = name_user(names, pid, address);
        *hash_map_put(&names->frames, hash_mix(address) ^ pid) = (uintptr_t)frame;
        return *frame;
    }
    return *(const struct sampled_frame *)(uintptr_t)*known;
}

/* ---- the kernel's ---- */

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* From the tracepoint to where the thread gave its processor away. */
static bool is_scheduler(const char *name)
{
    return begins(name, "perf_") || strstr(name, "traceiter_") || begins(name, "__schedule") ||
           begins(name, "schedule") || begins(name, "io_schedule") ||
           strstr(name, "try_to_wake_up") || begins(name, "ttwu_") || begins(name, "wake_up_");
}

/* From user space to the system call. */
static bool is_entry(const char *name)
{
    return begins(name, "do_syscall_") || begins(name, "entry_") || begins(name, "x64_sys_call") ||
           begins(name, "el0") || begins(name, "invoke_syscall");
}

static uint32_t name_kernel(const struct sampled_names *names, const struct sampled_stack *stack,
                            struct sampled_frame *frames)
{
    uint32_t count = 0;
    for (uint16_t i = 0; i < stack->kernel && count < SAMPLED_MOST; i++) {
        const uint64_t *name = hash_map_get(&names->kernel, stack->addresses[i]);
        const char *text = name ? (const char *)(uintptr_t)*name : "[kernel]";
        bool inside = count == 0 && is_scheduler(text);
        if (!inside && !is_entry(text))
            frames[count++] = (struct sampled_frame){text, FRAME_KERNEL};
    }
    return count;
}

uint32_t sampled_names_stack(struct sampled_names *names, const struct sampled_stack *stack,
                             struct sampled_frame frames[SAMPLED_MOST])
{
    uint32_t count = name_kernel(names, stack, frames);
    for (uint16_t i = stack->kernel; i < stack->size && count < SAMPLED_MOST; i++)
        frames[count++] = frame_user(names, stack->pid, stack->addresses[i]);
    return count;
}
