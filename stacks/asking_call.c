#include "stacks/asking_call.h"

#include <string.h>

#include "base/str.h"

/* Of a system call the kernel's function is named so, by processor and by how the program was built. */
static const char *without_prefix(const char *function)
{
    static const char *const prefixes[] = {"__x64_sys_", "__ia32_sys_", "__ia32_compat_sys_",
                                           "__arm64_sys_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(function, prefixes[i], length) == 0)
            return function + length;
    }
    return function + strspn(function, "_");
}

bool asking_call_is(const char *function)
{
    static const char *const names[] = {
        "epoll_wait",  "epoll_pwait",  "epoll_pwait2",    "poll",         "ppoll",
        "select",      "pselect",      "pselect6",        "accept",       "accept4",
        "sigwaitinfo", "sigtimedwait", "rt_sigtimedwait", "io_getevents", "io_pgetevents"};
    return STR_IS_ONE_OF(without_prefix(function), names);
}
