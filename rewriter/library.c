#include "rewriter/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/str.h"
#include "rewriter/sync_name.h"

static enum calls_back cplusplus_calls_back(const char *name)
{
    static const char *const NOBODY[] = {"std::chrono::", "std::this_thread::", "operator new",
                                         "operator delete"};
    static const char *const HOLDERS[] = {"std::function::",
                                          "std::move_only_function::",
                                          "std::copyable_function::",
                                          "std::packaged_task::",
                                          "std::_Bind",
                                          "std::reference_wrapper::",
                                          "std::function_ref::"};
    if (STR_BEGINS_WITH_ONE_OF(name, NOBODY))
        return CALLS_NOBODY;
    return str_starts_with(name, "std::") && !STR_BEGINS_WITH_ONE_OF(name, HOLDERS) ? CALLS_GIVEN
                                                                                    : CALLS_ANY;
}

/* A constructor, "Pool::Pool", calls back what it was given just then. */
static bool is_constructor(const char *name)
{
    const char *last = strrchr(name, ':');
    size_t length = last ? strlen(last + 1) : 0;
    size_t before = last ? (size_t)(last - 1 - name) : 0;
    return last && before >= length && memcmp(last - 1 - length, last + 1, length) == 0 &&
           (before == length || name[before - length - 1] == ':');
}

static bool is_c_library(const char *name)
{
    static const char *const FILES[] = {"libc.so.6", "libm.so.6", "libc.so"};
    bool found = false;
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0] && !found; i++) {
        void *library = dlopen(FILES[i], RTLD_LAZY | RTLD_NOLOAD);
        found = library && dlsym(library, name) != NULL;
        if (library)
            dlclose(library);
    }
    return found;
}

enum calls_back library_calls_back(const struct fact_function *function)
{
    const char *name = function->name;
    if (function->pure || is_constructor(name) || sync_name_find(name) != SYNC_NAME_NONE)
        return CALLS_NOBODY;
    if (strcmp(function->symbol, name) != 0)
        return cplusplus_calls_back(name);
    if (is_c_library(name) || str_starts_with(name, "omp_"))
        return function->calls_back ? CALLS_GIVEN : CALLS_NOBODY;
    return CALLS_ANY;
}
