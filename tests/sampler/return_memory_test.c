/* return_memory.h: what was there at a moment, of a few changes. */
#include "check.h"

#include "sampler/return_memory.h"

enum { TRAMPOLINE = 0x7000 };
#define SLOT UINT64_C(0x7ffd12345678)

static uint64_t at(const struct return_memory *memory, uint32_t tid, uint64_t time_ns)
{
    return return_memory_find(memory, tid, SLOT, time_ns, TRAMPOLINE);
}

static void test_changes(void)
{
    struct return_memory memory = {0};
    CHECK(at(&memory, 7, 100) == 0);
    return_memory_note(&memory, 7, SLOT, 100, 0xa);
    return_memory_note(&memory, 7, SLOT, 200, 0xb);
    return_memory_note(&memory, 7, SLOT, 300, 0xb);
    return_memory_note(&memory, 8, SLOT, 150, 0xc);
    return_memory_note(&memory, 7, SLOT + 8, 150, 0xd);
    CHECK(at(&memory, 7, 99) == 0 && at(&memory, 7, 100) == 0xa && at(&memory, 7, 199) == 0xa);
    CHECK(at(&memory, 7, 200) == 0xb && at(&memory, 7, 900) == 0xb && at(&memory, 8, 900) == 0xc);
    return_memory_release(&memory);
}

/* Two processors tell of a thread that moved: the second one's is the older. */
static void test_order(void)
{
    struct return_memory memory = {0};
    return_memory_note(&memory, 7, SLOT, 300, 0xa);
    return_memory_note(&memory, 7, SLOT, 200, 0xb);
    return_memory_note(&memory, 7, SLOT, 250, 0xa); /* it began earlier than was known */
    return_memory_note(&memory, 7, SLOT, 400, 0xa);
    CHECK(at(&memory, 7, 199) == 0 && at(&memory, 7, 220) == 0xb && at(&memory, 7, 260) == 0xa);
    CHECK(at(&memory, 7, 300) == 0xa && at(&memory, 7, 500) == 0xa);
    return_memory_release(&memory);
}

/* A tail call finds the kernel's own address there: the outer call's is meant. */
static void test_trampoline(void)
{
    struct return_memory memory = {0};
    return_memory_note(&memory, 7, SLOT, 100, 0xa);
    return_memory_note(&memory, 7, SLOT, 200, TRAMPOLINE);
    CHECK(at(&memory, 7, 300) == 0xa);
    return_memory_release(&memory);
}

static void test_newest_are_kept(void)
{
    struct return_memory memory = {0};
    for (uint64_t i = 1; i <= 100; i++)
        return_memory_note(&memory, 7, SLOT, i * 10, i);
    CHECK(at(&memory, 7, 1000) == 100 && at(&memory, 7, 995) == 99 && at(&memory, 7, 930) == 93);
    CHECK(at(&memory, 7, 920) == 0);
    return_memory_note(&memory, 7, SLOT, 5, 0xa); /* older than all that is kept */
    CHECK(at(&memory, 7, 6) == 0 && at(&memory, 7, 1000) == 100);
    for (uint32_t tid = 1; tid < 200000; tid++)
        return_memory_note(&memory, tid, SLOT, 1, tid);
    CHECK(at(&memory, 199999, 1) == 199999 && memory.count <= 1 << 16);
    return_memory_release(&memory);
}

int main(void)
{
    test_changes();
    test_order();
    test_trampoline();
    test_newest_are_kept();
    return CHECK_DONE();
}
