/* asking_call.h: which calls ask for work. */
#include "check.h"

#include "stacks/asking_call.h"

int main(void)
{
    CHECK(asking_call_is("epoll_wait"));
    CHECK(asking_call_is("__epoll_wait"));
    CHECK(asking_call_is("__poll"));
    CHECK(asking_call_is("__x64_sys_epoll_wait"));
    CHECK(asking_call_is("__x64_sys_pselect6"));
    CHECK(asking_call_is("__arm64_sys_accept4"));
    CHECK(asking_call_is("__ia32_compat_sys_ppoll") && asking_call_is("__ia32_sys_poll"));
    CHECK(!asking_call_is("__x64_sys_futex"));
    CHECK(!asking_call_is("__x64_sys_"));
    CHECK(!asking_call_is(""));
    CHECK(!asking_call_is("accept_work"));
    CHECK(!asking_call_is("read"));
    return CHECK_DONE();
}
