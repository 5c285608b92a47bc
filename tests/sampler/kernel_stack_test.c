/* kernel_event.h: registers and a copied stack are taken from a record where the kernel puts them, and
 * a record that is cut, or says wrong lengths, is no sample. */
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "check.h"
#include "sampler/kernel_event.h"

enum { REGISTERS = 3, STACK = 64, USED = 40 };

struct record {
    char bytes[1024];
    size_t size;
};

static void put(struct record *record, const void *data, size_t size)
{
    memcpy(record->bytes + record->size, data, size);
    record->size += size;
}

static void put_u64(struct record *record, uint64_t value)
{
    put(record, &value, sizeof value);
}

/* As perf_event_open(2) has it, for EVENT_SAMPLE with registers and the stack. */
static struct record make(bool user)
{
    const uint64_t chain[] = {PERF_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff81000020};
    const uint32_t ids[2] = {100, 101}, raw_bytes = 12;
    char stack[STACK] = "stack", raw[12] = {0};
    struct record record = {.size = sizeof(struct perf_event_header)};
    put(&record, ids, sizeof ids);
    put_u64(&record, 5000); /* when */
    put_u64(&record, 1);    /* the processor */
    put_u64(&record, 3);
    put(&record, chain, sizeof chain);
    put(&record, &raw_bytes, sizeof raw_bytes);
    put(&record, raw, sizeof raw);
    put_u64(&record, user ? 2 : 0);
    for (uint64_t r = 0; user && r < REGISTERS; r++)
        put_u64(&record, 1000 + r);
    put_u64(&record, user ? STACK : 0);
    if (user) {
        put(&record, stack, sizeof stack);
        put_u64(&record, USED);
    }
    struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = (uint16_t)record.size};
    memcpy(record.bytes, &header, sizeof header);
    return record;
}

/* In memory of its very size, so that what is read beyond is found. The caller frees it. */
static struct perf_event_header *cut_to(const struct record *record, uint16_t size)
{
    struct perf_event_header *header = memory_alloc(size);
    memcpy(header, record->bytes, size);
    header->size = size;
    return header;
}

static bool decode(struct kernel_stack *stack, const struct record *record, uint16_t size)
{
    struct perf_event_header *header = cut_to(record, size);
    bool is = kernel_event_stack(stack, header, REGISTERS);
    if (is) /* all of what it points to is there */
        for (size_t i = 0; i < stack->user_bytes; i++)
            is =
                is && stack->user[i] == record->bytes[stack->user - (const char *)header + (long)i];
    memory_free(header);
    return is;
}

static void whole(void)
{
    struct record in_process = make(true), in_none = make(false);
    struct kernel_stack stack;
    struct perf_event_header *header = cut_to(&in_process, (uint16_t)in_process.size);
    CHECK(kernel_event_stack(&stack, header, REGISTERS));
    CHECK(stack.kernel_count == 2 && stack.kernel[0] == 0xffffffff81000010);
    CHECK(stack.registers && stack.registers[2] == 1002);
    CHECK(stack.user_bytes == USED && strcmp(stack.user, "stack") == 0);
    memory_free(header);
    header = cut_to(&in_none, (uint16_t)in_none.size);
    CHECK(kernel_event_stack(&stack, header, REGISTERS));
    CHECK(!stack.registers && !stack.user_bytes && stack.kernel_count == 2);
    memory_free(header);
}

/* The record has 64 bits or 32 by one word, behind the chain. */
static void narrow(void)
{
    struct record record = make(true);
    struct kernel_stack stack;
    size_t abi = sizeof(struct perf_event_header) + 8 + 3 * 8 + 3 * 8 + 4 + 12;
    CHECK(kernel_event_stack(&stack, (const void *)record.bytes, REGISTERS) && !stack.narrow);
    record.bytes[abi] = PERF_SAMPLE_REGS_ABI_32;
    CHECK(kernel_event_stack(&stack, (const void *)record.bytes, REGISTERS) && stack.narrow);
}

static void remaps(void)
{
    const uint32_t ids[2] = {100, 101};
    struct record record = {.size = sizeof(struct perf_event_header)};
    struct kernel_remap remap;
    put(&record, ids, sizeof ids);
    put_u64(&record, 0x401000);
    put_u64(&record, 0x2000);
    put_u64(&record, 0x1000);
    put_u64(&record, 8); /* the device */
    put_u64(&record, 77);
    put_u64(&record, 0);
    put_u64(&record, 5); /* protection */
    put(&record, "/bin/it", 8);
    for (int i = 0; i < 3; i++)
        put_u64(&record, UINT64_MAX); /* who, when, where */
    struct perf_event_header *header = (void *)record.bytes;
    *header = (struct perf_event_header){.type = PERF_RECORD_MMAP2, .size = (uint16_t)record.size};
    CHECK(kernel_event_remap(&remap, header));
    CHECK(remap.pid == 100 && remap.begin == 0x401000 && remap.end == 0x403000);
    CHECK(remap.offset == 0x1000 && remap.inode == 77 && strcmp(remap.path, "/bin/it") == 0);
    header->size -= 8;
    CHECK(!kernel_event_remap(&remap, header));
    header->type = PERF_RECORD_FORK;
    CHECK(kernel_event_remap(&remap, header));
    CHECK(remap.pid == 100 && remap.maker == 101 && remap.end == UINT64_MAX && !remap.path);
    header->type = PERF_RECORD_COMM;
    CHECK(!kernel_event_remap(&remap, header));
    header->misc = PERF_RECORD_MISC_COMM_EXEC;
    CHECK(kernel_event_remap(&remap, header));
    CHECK(remap.pid == 100 && remap.begin == 0 && remap.end == UINT64_MAX);
}

static void cut(void)
{
    struct record record = make(true);
    struct kernel_stack stack;
    for (uint16_t size = sizeof(struct perf_event_header); size < record.size; size++)
        CHECK(!decode(&stack, &record, size));
    CHECK(decode(&stack, &record, (uint16_t)record.size));
}

static void wrong(void)
{
    uint64_t random = 7;
    for (int turn = 0; turn < 200000; turn++) {
        struct record record = make(turn & 1);
        struct kernel_stack stack;
        for (int i = 0; i < 4; i++) {
            random = hash_mix(random + 1);
            size_t at = sizeof(struct perf_event_header) +
                        random % (record.size - sizeof(struct perf_event_header));
            record.bytes[at] = (char)(random >> 32);
        }
        decode(&stack, &record, (uint16_t)record.size);
    }
}

int main(void)
{
    whole();
    narrow();
    remaps();
    cut();
    wrong();
    return CHECK_DONE();
}
