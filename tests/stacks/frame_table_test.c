/* symbol/frame_table.h on this very process: where functions begin, with no symbol asked. */
#include "check.h"

#include <stdlib.h>

#include "base/file.h"
#include "symbol/frame_table.h"
#include "symbol/symbolizer.h"
#include "symbol/symbolizer_inside.h"

static volatile int sum;

__attribute__((noinline)) static void first(void)
{
    for (int i = 0; i < 3; i++)
        sum += i;
}

__attribute__((noinline)) static void second(void)
{
    first();
    sum++;
}

static void read_maps(struct str *maps)
{
    char part[4096];
    FILE *file = fopen("/proc/self/maps", "r");
    for (size_t got; file && (got = fread(part, 1, sizeof part, file)) > 0;)
        str_append_bytes(maps, part, got);
    if (file)
        fclose(file);
}

/* The address of a byte within the function gives where it begins. */
static bool begins_at(const struct symbolizer *symbolizer, uint64_t function, unsigned within)
{
    Dwfl_Module *module = dwfl_addrmodule(symbolizer->dwfl, function + within);
    GElf_Addr bias = 0;
    return module && dwfl_module_getelf(module, &bias) &&
           frame_table_start(module, function + within) == function - bias;
}

int main(void)
{
    struct str maps = {0};
    read_maps(&maps);
    second();
    struct symbolizer *symbolizer = symbolizer_open(str_text(&maps));
    CHECK(symbolizer->dwfl != NULL);
    CHECK(begins_at(symbolizer, (uint64_t)(uintptr_t)first, 0));
    CHECK(begins_at(symbolizer, (uint64_t)(uintptr_t)first, 3));
    CHECK(begins_at(symbolizer, (uint64_t)(uintptr_t)second, 4));
    CHECK(begins_at(symbolizer, (uint64_t)(uintptr_t)main, 5));
    CHECK(begins_at(symbolizer, (uint64_t)(uintptr_t)qsort, 2));
    CHECK(!begins_at(symbolizer, (uint64_t)(uintptr_t)first + 1, 0));
    symbolizer_close(symbolizer);
    str_release(&maps);
    return CHECK_DONE();
}
