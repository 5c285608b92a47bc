#include "symbol/sampled_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mapped_path.h"
#include "base/memory.h"
#include "symbol/frame_table.h"
#include "symbol/inlined_call.h"
#include "symbol/map_name.h"
#include "symbol/object_file.h"
#include "symbol/readable_name.h"
#include "symbol/symbolizer.h"
#include "symbol/symbolizer_inside.h"

enum { MOST_INLINED = 64 };

struct sampled_names {
    struct arena arena;
    struct symbolizer *
        *symbolizers; /* of the processes' maps; NULL: not opened, or that of the same maps */
    struct object_files *files;
    struct hash_map texts;     /* hash of maps -> 1 + index of the first ones */
    struct hash_map generated; /* hash of process and address -> const char * */
    const struct wait_stacks *stacks;
    struct hash_map kernel;     /* address -> const char * */
    struct hash_map frames;     /* hash of process and address -> struct named_address * */
    struct hash_map places;     /* of a file and a place in it -> the same */
    struct hash_map files_open; /* what tells a file -> struct file_place * of the first process */
    bool inside;                /* inlined functions are told apart */
};

static uint64_t key_of(uint32_t pid, uint64_t address)
{
    return hash_mix(address) ^ pid;
}

static void read_lines(struct sampled_names *names, struct hash_map *to, uint32_t pid,
                       const char *text)
{
    for (const char *line = text; line && *line;) {
        char *end;
        uint64_t address = strtoull(line, &end, 16);
        const char *stop = strchr(line, '\n');
        if (*end == ' ' && stop > end)
            *hash_map_put(to, pid ? key_of(pid, address) : address) =
                (uintptr_t)arena_strndup(&names->arena, end + 1, (size_t)(stop - end - 1));
        line = stop ? stop + 1 : NULL;
    }
}

struct sampled_names *sampled_names_open(const struct wait_stacks *stacks)
{
    struct sampled_names *names = memory_zeroed(sizeof *names);
    names->stacks = stacks;
    names->symbolizers = memory_zeroed((stacks->process_count + 1) * sizeof *names->symbolizers);
    names->files = object_files_open();
    for (uint32_t i = 0; i < stacks->kernel_count; i++)
        read_lines(names, &names->kernel, 0, stacks->kernels[i]);
    for (uint32_t i = 0; i < stacks->generated_count; i++)
        read_lines(names, &names->generated, stacks->generated[i].pid, stacks->generated[i].maps);
    for (uint32_t i = 0; i < stacks->file_count; i++)
        object_files_add(names->files, stacks->files[i].text, stacks->files[i].folder);
    return names;
}

void sampled_names_look_inside(struct sampled_names *names)
{
    names->inside = true;
}

void sampled_names_close(struct sampled_names *names)
{
    for (uint32_t i = 0; i < names->stacks->process_count; i++)
        symbolizer_close(names->symbolizers[i]);
    memory_free(names->symbolizers);
    object_files_close(names->files);
    hash_map_release(&names->texts);
    hash_map_release(&names->generated);
    hash_map_release(&names->kernel);
    hash_map_release(&names->frames);
    hash_map_release(&names->places);
    hash_map_release(&names->files_open);
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
    const char *maps = names->stacks->processes[*index].maps;
    uint64_t *first = hash_map_put(&names->texts, hash_bytes(maps, strlen(maps)));
    if (!*first)
        *first = 1 + *index;
    struct symbolizer **known = &names->symbolizers[*first - 1];
    if (!*known)
        *known = symbolizer_open_files(maps, names->files);
    return *known;
}

struct symbolizer *sampled_names_symbolizer(struct sampled_names *names, uint32_t pid)
{
    uint32_t first = 0;
    return symbolizer_from(names, pid, &first);
}

/* "" where nothing is known of it. What is no file has its name in brackets: "[vdso]". */
static const char *object_at(struct sampled_names *names, const char *maps,
                             const struct symbolizer *symbolizer, uint64_t address)
{
    Dwfl_Module *module = symbolizer->dwfl ? dwfl_addrmodule(symbolizer->dwfl, address) : NULL;
    const char *path =
        module ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    const char *slash = path ? strrchr(path, '/') : NULL;
    path = slash ? slash + 1 : path;
    if (path)
        return arena_strndup(&names->arena, path, mapped_path_length(path, strlen(path)));
    struct str mapped = {0};
    map_name(maps, address, &mapped);
    const char *kept = arena_strdup(&names->arena, str_text(&mapped));
    str_release(&mapped);
    return kept;
}

/* What is unloaded, or was another program before, only earlier maps know. NULL: none do. */
static struct symbolizer *symbolizer_at(struct sampled_names *names, uint32_t pid, uint64_t address,
                                        const char **object)
{
    struct symbolizer *symbolizer = NULL;
    *object = "";
    for (uint32_t i = 0; !**object && (symbolizer = symbolizer_from(names, pid, &i)) != NULL; i++)
        *object = object_at(names, names->stacks->processes[i].maps, symbolizer, address);
    return symbolizer;
}

/* "serve.part.0.constprop.1" is "serve"; other dots are a name's own, as those of Go. */
static size_t without_clones(const char *symbol)
{
    static const char *const clones[] = {".part.", ".cold",      ".constprop.",
                                         ".isra.", ".lto_priv.", ".localalias"};
    size_t length = strlen(symbol);
    for (size_t i = 0; i < sizeof clones / sizeof *clones; i++) {
        const char *at = strstr(symbol + 1, clones[i]);
        if (at && (size_t)(at - symbol) < length)
            length = (size_t)(at - symbol);
    }
    return length;
}

static const char *readable(struct sampled_names *names, const char *symbol)
{
    struct str whole = {0}, text = {0};
    str_append_bytes(&whole, symbol, without_clones(symbol));
    readable_name(whole.data, &text);
    const char *kept = arena_strndup(&names->arena, text.data, text.length);
    str_release(&whole);
    str_release(&text);
    return kept;
}

static const char *unnamed(struct sampled_names *names, struct symbolizer *symbolizer,
                           const char *object, uint64_t address, uint64_t start)
{
    if (*object == '[')
        return object;
    if (symbolizer && symbolizer_lost(symbolizer, address))
        return arena_printf(&names->arena, "[%s: replaced since]", object);
    if (start)
        return arena_printf(&names->arena, "[%s+0x%llx]", object, (unsigned long long)start);
    return arena_printf(&names->arena, "[%s]", *object ? object : "unknown");
}

/* Of a function that has no name; else, and where it is in no table, zeros. */
static struct frame_table_row row_of(const struct sampled_names *names, const char *symbol,
                                     const struct symbolizer *symbolizer, uint64_t address)
{
    struct frame_table_row row = {0};
    Dwfl_Module *module = !symbol && names->inside && symbolizer && symbolizer->dwfl
                              ? dwfl_addrmodule(symbolizer->dwfl, address)
                              : NULL;
    if (!module || !frame_table_find(module, address, &row))
        return (struct frame_table_row){0};
    return row;
}

/* Those that are at one address. */
struct named_address {
    uint32_t count;
    struct sampled_frame frames[];
};

static struct sampled_frame frame_of(struct sampled_names *names, uint32_t pid, const char *object,
                                     struct symbolizer *symbolizer, uint64_t address)
{
    const char *symbol = symbolizer ? symbolizer_name(symbolizer, address) : NULL;
    const uint64_t *made = hash_map_get(&names->generated, key_of(pid, address));
    bool of_program = *object && *object != '[' && !strstr(object, ".so");
    if (made)
        return (struct sampled_frame){.name = (const char *)(uintptr_t)*made,
                                      .kind = FRAME_PROGRAM,
                                      .object = object,
                                      .file = ""};
    struct frame_table_row row = row_of(names, symbol, symbolizer, address);
    return (struct sampled_frame){
        .name = symbol && *symbol ? readable(names, symbol)
                                  : unnamed(names, symbolizer, object, address, row.start),
        .kind = of_program ? FRAME_PROGRAM : FRAME_LIBRARY,
        .object = object,
        .file = "",
        .start = row.start,
        .shape = row.shape};
}

static struct sampled_frame frame_inlined(struct sampled_names *names,
                                          const struct inlined_call *call,
                                          const struct sampled_frame *into)
{
    return (struct sampled_frame){.name = readable(names, call->name),
                                  .kind = into->kind,
                                  .object = into->object,
                                  .file = call->file,
                                  .line = call->line,
                                  .inlined = true};
}

/* Where an address lies: the same place of a file has the same names in all processes, of which there may have been
 * thousands, and each file is opened for the first of them alone. */
struct file_place {
    struct symbolizer *symbolizer;
    uint64_t address, begin; /* as that one has it; where the file begins */
    uint64_t file;           /* what tells it from others; 0: it lies in none */
};

static struct file_place place_of(struct symbolizer *symbolizer, uint64_t address)
{
    struct file_place place = {symbolizer, address, 0, 0};
    void **user = NULL;
    Dwfl_Module *module =
        symbolizer && symbolizer->dwfl ? dwfl_addrmodule(symbolizer->dwfl, address) : NULL;
    const char *path =
        module ? dwfl_module_info(module, &user, &place.begin, NULL, NULL, NULL, NULL, NULL) : NULL;
    if (!path || *path != '/')
        return place;
    const char *found = user && *user ? *user : path; /* "": it is lost */
    place.file = hash_mix(hash_bytes(path, strlen(path))) ^ hash_bytes(found, strlen(found));
    return place;
}

/* The same place, as it is in the process that its file was opened for. */
static struct file_place shared_place(struct sampled_names *names, struct symbolizer *symbolizer,
                                      uint64_t address)
{
    struct file_place place = place_of(symbolizer, address), *first;
    if (!place.file)
        return place;
    uint64_t *known = hash_map_put(&names->files_open, place.file);
    if (!*known) {
        first = ARENA_NEW(&names->arena, struct file_place);
        *first = place;
        *known = (uintptr_t)first;
    }
    first = (struct file_place *)(uintptr_t)*known;
    place.symbolizer = first->symbolizer;
    place.address = first->begin + (address - place.begin);
    return place;
}

static const struct named_address *name_place(struct sampled_names *names, uint32_t pid,
                                              const char *object, const struct file_place *place)
{
    struct inlined_call calls[MOST_INLINED], begins = {.file = ""};
    struct sampled_frame outer = frame_of(names, pid, object, place->symbolizer, place->address);
    uint32_t count =
        place->symbolizer && names->inside
            ? inlined_calls(place->symbolizer, place->address, calls, MOST_INLINED, &begins)
            : 0;
    struct named_address *named =
        arena_alloc(&names->arena, sizeof *named + (count + 1) * sizeof *named->frames);
    outer.file = begins.file;
    outer.line = begins.line;
    for (uint32_t i = 0; i < count; i++)
        named->frames[i] = frame_inlined(names, &calls[i], &outer);
    named->frames[count] = outer;
    named->count = count + 1;
    return named;
}

static const struct named_address *name_user(struct sampled_names *names, uint32_t pid,
                                             uint64_t address)
{
    const char *object;
    struct symbolizer *symbolizer = symbolizer_at(names, pid, address, &object);
    struct file_place place = shared_place(names, symbolizer, address);
    if (!place.file)
        return name_place(names, pid, object, &place);
    uint64_t *known = hash_map_put(&names->places, place.file ^ hash_mix(place.address));
    if (!*known)
        *known = (uintptr_t)name_place(names, pid, object, &place);
    return (const struct named_address *)(uintptr_t)*known;
}

static const struct named_address *named_at(struct sampled_names *names, uint32_t pid,
                                            uint64_t address)
{
    uint64_t key = key_of(pid, address);
    const uint64_t *known = hash_map_get(&names->frames, key);
    if (known)
        return (const struct named_address *)(uintptr_t)*known;
    const struct named_address *named = name_user(names, pid, address);
    *hash_map_put(&names->frames, key) = (uintptr_t)named;
    return named;
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
            frames[count++] = (struct sampled_frame){
                .name = text, .kind = FRAME_KERNEL, .object = "kernel", .file = ""};
    }
    return count;
}

uint32_t sampled_names_stack(struct sampled_names *names, const struct sampled_stack *stack,
                             struct sampled_frame frames[SAMPLED_MOST])
{
    uint32_t count = name_kernel(names, stack, frames);
    for (uint16_t i = stack->kernel; i < stack->size; i++) {
        const struct named_address *named = named_at(names, stack->pid, stack->addresses[i]);
        for (uint32_t f = 0; f < named->count && count < SAMPLED_MOST; f++)
            frames[count++] = named->frames[f];
    }
    return count;
}
