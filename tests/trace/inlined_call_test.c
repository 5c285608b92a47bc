/* symbol/inlined_call.h on this very process: three functions, each inlined into the next. */
#include "check.h"

#include <string.h>

#include "base/file.h"
#include "symbol/inlined_call.h"
#include "symbol/symbolizer.h"

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#define KEEP() __asm__ volatile("" ::: "memory") /* no tail call */

void inlined_into(void);

static uint64_t in_inner, in_middle;

NOINLINE static uint64_t here(void)
{
    KEEP(); /* or one call of it would do for two */
    return (uintptr_t)__builtin_return_address(0) - 1;
}

INLINE void inner(void)
{
    in_inner = here();
    KEEP();
}

INLINE void middle(void)
{
    inner();
    in_middle = here();
    KEEP();
}

INLINE void outer(void)
{
    middle();
    KEEP();
}

NOINLINE void inlined_into(void)
{
    outer();
    KEEP();
}

static void check_calls(struct symbolizer *symbolizer, uint64_t address, const char *const *names,
                        uint32_t count)
{
    struct inlined_call calls[8], into;
    uint32_t found = inlined_calls(symbolizer, address, calls, 8, &into);
    CHECK(found == count);
    for (uint32_t i = 0; i < found && i < count; i++)
        CHECK(strcmp(calls[i].name, names[i]) == 0 && calls[i].line > 0);
    CHECK(strcmp(into.file, "inlined_call_test.c") == 0 && into.line > 0);
    CHECK(inlined_calls(symbolizer, address, calls, 1, &into) == 1);
}

int main(void)
{
    static const char *const names[] = {"inner", "middle", "outer"};
    struct str maps = {0};
    struct error error;
    inlined_into();
    CHECK(file_read(&maps, "/proc/self/maps", &error));
    struct symbolizer *symbolizer = symbolizer_open(maps.data);
    check_calls(symbolizer, in_inner, names, 3);
    check_calls(symbolizer, in_middle, names + 1, 2);
    symbolizer_close(symbolizer);
    str_release(&maps);
    return CHECK_DONE();
}
