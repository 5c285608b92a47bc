/* request_memory.h: whom a request is of, and what is forgotten. */
#include "check.h"

#include "sampler/request_memory.h"

static struct request_memory memory;

int main(void)
{
    CHECK(request_memory_take(&memory, 1, 800, 9) == 9);
    request_memory_note(&memory, 1, 800, 7, false);
    request_memory_note(&memory, 2, 800, 8, false);
    CHECK(request_memory_take(&memory, 1, 808, 9) == 9);
    CHECK(request_memory_take(&memory, 1, 800, 9) == 7);
    CHECK(request_memory_take(&memory, 1, 800, 9) == 9); /* it is in the device */
    CHECK(request_memory_take(&memory, 2, 800, 9) == 8);
    request_memory_note(&memory, 1, 800, 7, false);
    request_memory_note(&memory, 1, 800, 8, false); /* who asked last */
    CHECK(request_memory_take(&memory, 1, 800, 9) == 8);
    /* A worker may hand on what another one asked for. */
    request_memory_note(&memory, 1, 900, 7, false);
    request_memory_note(&memory, 1, 900, 8, true);
    CHECK(request_memory_take(&memory, 1, 900, 9) == 7);
    request_memory_note(&memory, 1, 900, 8, true);
    CHECK(request_memory_take(&memory, 1, 900, 9) == 8);
    /* Far more than there is room for: the latest is there, and nobody is told another's. */
    int known = 0;
    for (uint64_t i = 0; i < 10 * REQUEST_MEMORY; i++)
        request_memory_note(&memory, 1, i, (uint32_t)i + 1, false);
    CHECK(request_memory_take(&memory, 1, 10 * REQUEST_MEMORY - 1, 0) == 10 * REQUEST_MEMORY);
    for (uint64_t i = 0; i < 10 * REQUEST_MEMORY; i++) {
        uint32_t tid = request_memory_take(&memory, 1, i, 0);
        CHECK(tid == 0 || tid == i + 1);
        known += tid != 0;
    }
    CHECK(known > REQUEST_MEMORY / 2 && known < REQUEST_MEMORY);
    return CHECK_DONE();
}
