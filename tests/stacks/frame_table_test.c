/* symbol/frame_table.h on this very process: where functions begin, and their shapes, with no symbol asked. */
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

/* Volatile reads and writes, so that no compiler makes one of the two. */
#define ADD_TWICE(by)                                                                              \
    sum += (by);                                                                                   \
    sum += (by)

__attribute__((noinline)) static int alike(int by)
{
    ADD_TWICE(by);
    return sum;
}

__attribute__((noinline)) static int alike_elsewhere(int by)
{
    ADD_TWICE(by);
    return sum;
}

__attribute__((noinline)) static int longer(int by)
{
    ADD_TWICE(by);
    ADD_TWICE(by);
    return sum;
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

/* The table's row of the function that has the address of a byte within it; of none, zeros. */
static struct frame_table_row row_at(const struct symbolizer *symbolizer, uint64_t function,
                                     unsigned within)
{
    struct frame_table_row row = {0};
    GElf_Addr bias = 0;
    Dwfl_Module *module = dwfl_addrmodule(symbolizer->dwfl, function + within);
    if (!module || !dwfl_module_getelf(module, &bias) ||
        !frame_table_find(module, function + within, &row))
        return (struct frame_table_row){0};
    row.start += bias;
    return row;
}

static bool begins_at(const struct symbolizer *symbolizer, uint64_t function, unsigned within)
{
    return row_at(symbolizer, function, within).start == function;
}

static uint64_t shape_of(const struct symbolizer *symbolizer, int (*function)(int))
{
    return row_at(symbolizer, (uint64_t)(uintptr_t)function, 1).shape;
}

/* Those of one text are alike wherever they are; the longer one is not. */
static void check_shapes(const struct symbolizer *symbolizer)
{
    CHECK(alike(1) + alike_elsewhere(2) + longer(3));
    CHECK(shape_of(symbolizer, alike) != 0);
    CHECK(shape_of(symbolizer, alike) == shape_of(symbolizer, alike_elsewhere));
    CHECK(shape_of(symbolizer, alike) != shape_of(symbolizer, longer));
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
    check_shapes(symbolizer);
    symbolizer_close(symbolizer);
    str_release(&maps);
    return CHECK_DONE();
}
