#include "runtime/pages.h"

#include <stdbool.h>
#include <sys/mman.h>

void *pages_take(size_t bytes)
{
    void *fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return fresh == MAP_FAILED ? NULL : fresh;
}

void pages_give(void *pages, size_t bytes)
{
    munmap(pages, bytes);
}

void *pages_take_once(void *pointer, size_t bytes)
{
    typedef void *any_pointer __attribute__((may_alias));
    any_pointer *shared = pointer, known = __atomic_load_n(shared, __ATOMIC_ACQUIRE);
    void *fresh = known ? NULL : pages_take(bytes);
    if (!fresh)
        return known;
    if (__atomic_compare_exchange_n(shared, &known, fresh, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return fresh;
    pages_give(fresh, bytes);
    return known;
}
