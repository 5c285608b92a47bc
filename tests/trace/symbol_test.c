/* symbol/symbolizer.h on this very process: its own functions, a library's, and what has no name.
 */
#include "check.h"

#include <dlfcn.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "symbol/symbolizer.h"

int symbol_test_global(int n);
static int symbol_test_static(int n);

__attribute__((noinline)) int symbol_test_global(int n)
{
    return n * 3 + 1;
}

__attribute__((noinline)) static int symbol_test_static(int n)
{
    return n ^ symbol_test_global(n);
}

static bool named(struct symbolizer *symbolizer, uint64_t address, const char *wanted)
{
    const char *name = symbolizer_name(symbolizer, address);
    if (name && strcmp(name, wanted) == 0)
        return true;
    fprintf(stderr, "0x%llx: %s, wanted %s\n", (unsigned long long)address, name ? name : "NULL",
            wanted);
    return false;
}

int main(void)
{
    static const char data[64] = "no function";
    struct str maps = {0};
    struct error error;
    int (*volatile global)(int) = symbol_test_global;
    int (*volatile local)(int) = symbol_test_static;
    void (*volatile library)(void *, void *) = insque; /* without -fpie an entry of the PLT */
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    CHECK(libc != NULL);
    CHECK(file_read(&maps, "/proc/self/maps", &error));
    struct symbolizer *symbolizer = symbolizer_open(maps.data);
    CHECK(named(symbolizer, (uintptr_t)global, "symbol_test_global"));
    CHECK(named(symbolizer, (uintptr_t)global + 2, "symbol_test_global"));
    CHECK(named(symbolizer, (uintptr_t)local, "symbol_test_static"));
    CHECK(named(symbolizer, (uintptr_t)main, "main"));
    CHECK(named(symbolizer, (uintptr_t)dlsym(libc, "insque"), "insque"));
    CHECK(named(symbolizer, (uintptr_t)dlsym(libc, "insque") + 8, "insque"));
    CHECK(named(symbolizer, (uintptr_t)library, "insque"));
    CHECK(symbolizer_name(symbolizer, (uintptr_t)global) ==
          symbolizer_name(symbolizer, (uintptr_t)global));
    CHECK(symbolizer_name(symbolizer, (uintptr_t)data) == NULL);
    CHECK(symbolizer_name(symbolizer, (uintptr_t)&maps) == NULL);
    CHECK(symbolizer_name(symbolizer, 0) == NULL);
    CHECK(symbolizer_name(symbolizer, UINT64_MAX) == NULL);
    symbolizer_close(symbolizer);
    struct symbolizer *none = symbolizer_open("");
    CHECK(symbolizer_name(none, (uintptr_t)global) == NULL);
    symbolizer_close(none);
    none = symbolizer_open("this is no map\n\xff\n1-2 r-xp 0 00:00 7 /no/such/file\n");
    CHECK(symbolizer_name(none, 1) == NULL);
    symbolizer_close(none);
    symbolizer_close(NULL);
    str_release(&maps);
    return CHECK_DONE();
}
