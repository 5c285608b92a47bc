#include "sampler/stack_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "sampler/address_list.h"
#include "sampler/mapped_file.h"
#include "sampler/object_set.h"

enum { CHUNK_BYTES = 1 << 16 };
#define MOST_BYTES (UINT64_C(64) << 20)

bool stack_file_open(struct stack_file *file, const char *path, uint32_t processors,
                     uint64_t most_bytes, struct error *error)
{
    *file = (struct stack_file){.most_bytes = most_bytes ? most_bytes : MOST_BYTES};
    if (!recorder_file_open(&file->file, path, processors, 0, error))
        return false;
    file->chunk = memory_zeroed(CHUNK_BYTES);
    return true;
}

static void write_stacks(struct stack_file *file)
{
    if (file->used)
        recorder_file_add_chunk(&file->file, TRACE_CHUNK_STACKS, 0, file->chunk, file->used);
    memset(file->chunk, 0, CHUNK_BYTES);
    file->used = 0;
}

static void write_stack(struct stack_file *file, const struct stack_content *content)
{
    struct trace_stack head = {.number = file->count,
                               .pid = content->pid,
                               .size = content->size,
                               .kernel = content->kernel,
                               .cut = content->cut};
    size_t addresses = content->size * sizeof *content->addresses;
    if (file->used + sizeof head + addresses > CHUNK_BYTES)
        write_stacks(file);
    memcpy(file->chunk + file->used, &head, sizeof head);
    memcpy(file->chunk + file->used + sizeof head, content->addresses, addresses);
    file->used += sizeof head + addresses;
    file->bytes += sizeof head + addresses;
    for (uint16_t i = 0; i < content->kernel; i++)
        *hash_map_put(&file->kernel, content->addresses[i]) = 1;
}

uint32_t stack_file_number(struct stack_file *file, const struct stack_content *content)
{
    uint64_t hash = hash_bytes(content->addresses, content->size * sizeof *content->addresses);
    uint64_t key = hash_mix(hash ^ content->pid) ^ content->cut;
    const uint64_t *known = hash_map_get(&file->numbers, key);
    if (!content->size)
        return 0;
    if (known)
        return (uint32_t)*known;
    if (file->bytes >= file->most_bytes) {
        file->without++;
        return 0;
    }
    *hash_map_put(&file->numbers, key) = ++file->count;
    write_stack(file, content);
    return file->count;
}

void stack_file_add(struct stack_file *file, uint32_t processor, uint64_t time_ns,
                    struct trace_wait_stack *record)
{
    recorder_file_add(&file->file, processor, time_ns, TRACE_WAIT_STACK, record);
}

void stack_file_add_sample(struct stack_file *file, uint32_t processor, uint64_t time_ns,
                           struct trace_sample *record)
{
    recorder_file_add(&file->file, processor, time_ns, TRACE_SAMPLE, record);
}

void stack_file_add_text(struct stack_file *file, enum trace_chunk_kind kind, uint32_t pid,
                         const char *text)
{
    if (*text)
        recorder_file_add_chunk(&file->file, kind, pid, text, strlen(text) + 1);
}

void stack_file_add_files(struct stack_file *file, const struct object_set *objects)
{
    struct str directory = {0}, text = {0};
    const char *path = str_text(&file->file.path);
    str_append_bytes(&directory, path, (size_t)(path_last_part(path) - path));
    mapped_files_tell(objects, str_text(&directory), &text);
    stack_file_add_text(file, TRACE_CHUNK_FILES, 0, str_text(&text));
    str_release(&directory);
    str_release(&text);
}

static void append_unwound(struct str *data, const struct unwind_object *object)
{
    static const char zeros[8];
    size_t length = strlen(object->path) + 1, rest = (8 - length % 8) % 8;
    struct trace_unwound head = {.bytes = (uint32_t)(sizeof head + length + rest),
                                 .by_rows = object->by_rows,
                                 .by_pointers = object->by_pointers};
    memcpy(head.ended, object->ended, sizeof head.ended);
    str_append_bytes(data, (const char *)&head, sizeof head);
    str_append_bytes(data, object->path, length);
    str_append_bytes(data, zeros, rest);
}

void stack_file_add_unwound(struct stack_file *file, const struct trace_unwinding *unwinding,
                            const struct object_set *objects)
{
    struct str data = {0};
    str_append_bytes(&data, (const char *)unwinding, sizeof *unwinding);
    for (size_t i = 0; i < objects->count; i++)
        append_unwound(&data, objects->items[i]);
    recorder_file_add_chunk(&file->file, TRACE_CHUNK_UNWOUND, 0, data.data, data.length);
    str_release(&data);
}

/* ---- names of the kernel's functions ---- */

/* The kernel lists its functions in no order of their addresses: of each of ours the nearest one
 * before it is kept. */
struct kernel_function {
    uint64_t address;
    char name[128];
};

/* A function's address is the nearest one known of all of ours behind it, until a nearer one comes;
 * what lies further behind than any function is long is none of it. */
static void offer(struct kernel_function *functions, const uint64_t *addresses, size_t count,
                  uint64_t address, const char *name)
{
    enum { LONGEST = 1 << 16 };
    for (size_t i = address_list_from(addresses, count, address);
         i < count && addresses[i] - address < LONGEST; i++) {
        if (functions[i].address >= address && functions[i].address)
            continue;
        functions[i].address = address;
        snprintf(functions[i].name, sizeof functions[i].name, "%s", name);
    }
}

static void read_names(struct kernel_function *functions, const uint64_t *addresses, size_t count)
{
    char line[256], type, name[128];
    uint64_t address;
    FILE *file = fopen("/proc/kallsyms", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%" SCNx64 " %c %127s", &address, &type, name) == 3 &&
            (type == 't' || type == 'T' || type == 'w' || type == 'W') && address)
            offer(functions, addresses, count, address, name);
    if (file)
        fclose(file);
}

/* Lines of an address and its function's name. */
static void write_kernel(struct stack_file *file)
{
    struct str text = {0};
    size_t count = file->kernel.count;
    uint64_t *addresses = address_list_of(&file->kernel);
    struct kernel_function *functions = memory_zeroed((count + 1) * sizeof *functions);
    read_names(functions, addresses, count);
    for (size_t i = 0; i < count; i++)
        if (functions[i].address)
            str_printf(&text, "%" PRIx64 " %s\n", addresses[i], functions[i].name);
    if (text.length)
        recorder_file_add_chunk(&file->file, TRACE_CHUNK_KERNEL, 0, text.data, text.length + 1);
    memory_free(functions);
    memory_free(addresses);
    str_release(&text);
}

bool stack_file_close(struct stack_file *file, struct error *error)
{
    write_stacks(file);
    if (file->kernel.count)
        write_kernel(file);
    bool whole = recorder_file_close(&file->file, error);
    hash_map_release(&file->numbers);
    hash_map_release(&file->kernel);
    memory_free(file->chunk);
    return whole;
}
