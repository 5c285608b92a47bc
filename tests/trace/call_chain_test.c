/* symbol/call_chain.h on this very process: words of the stack as the runtime finds them, with
 * returns of calls that are over, or of other functions, between those that are true. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "symbol/call_chain.h"
#include "symbol/symbolizer.h"

#define NOINLINE __attribute__((noinline))
#define KEEP() __asm__ volatile("" ::: "memory") /* no tail call */

int chain_inner(void);
int chain_middle(void);
int chain_outer(int (*by)(void));
int chain_stranger(void);

static uint64_t in_inner, in_middle, in_outer, in_stranger;

NOINLINE static uint64_t here(void)
{
    return (uintptr_t)__builtin_return_address(0);
}

/* Behind a call of here() in a function that nobody else calls. */
NOINLINE int chain_stranger(void)
{
    in_stranger = here();
    KEEP();
    return 1;
}

NOINLINE int chain_inner(void)
{
    in_inner = here();
    in_middle = (uintptr_t)__builtin_return_address(0);
    KEEP();
    return 1;
}

NOINLINE int chain_middle(void)
{
    int n = chain_inner();
    in_outer = (uintptr_t)__builtin_return_address(0);
    KEEP();
    return n + 1;
}

NOINLINE int chain_outer(int (*by)(void))
{
    int n = by();
    KEEP();
    return n + 1;
}

static bool is_chain(struct symbolizer *symbolizer, const uint64_t *stack, uint32_t count,
                     const char *wanted)
{
    struct chain_call calls[8];
    char got[256] = "";
    uint32_t found = call_chain(symbolizer, stack, count, calls, 8);
    for (uint32_t i = 0; i < found; i++) {
        strcat(got, i ? " " : "");
        strcat(got, calls[i].name);
    }
    if (strcmp(got, wanted) == 0)
        return true;
    fprintf(stderr, "%s, wanted %s\n", got, wanted);
    return false;
}

#define IS_CHAIN(wanted, ...)                                                                      \
    is_chain(symbolizer, (const uint64_t[]){__VA_ARGS__},                                          \
             sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t), wanted)

int main(void)
{
    struct str maps = {0};
    struct error error;
    int (*volatile by)(void) = chain_middle;
    CHECK(file_read(&maps, "/proc/self/maps", &error));
    chain_outer(by);
    chain_stranger();
#if !defined(__x86_64__) && !defined(__aarch64__)
    return 77;
#endif
    struct symbolizer *symbolizer = symbolizer_open(maps.data);
    uint64_t start = (uintptr_t)chain_outer; /* a pointer on the stack, and no return */
    CHECK(IS_CHAIN("chain_inner chain_middle chain_outer", in_inner, in_middle, in_outer));
    CHECK(IS_CHAIN("chain_inner chain_middle chain_outer", in_inner, in_stranger, in_middle,
                   in_stranger, in_outer));
    CHECK(IS_CHAIN("chain_inner chain_middle", in_inner, start, in_middle));
    CHECK(IS_CHAIN("chain_middle chain_outer", in_middle, in_inner, in_outer));
    CHECK(IS_CHAIN("", start));
    CHECK(call_chain(symbolizer, &in_inner, 0, NULL, 0) == 0);
    symbolizer_close(symbolizer);
    symbolizer = symbolizer_open("");
    CHECK(IS_CHAIN("", in_inner));
    symbolizer_close(symbolizer);
    str_release(&maps);
    return CHECK_DONE();
}
