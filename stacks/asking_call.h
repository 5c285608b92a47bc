/* asking_call.h - calls in which a thread asks whoever has some for work.
 *
 *     asking_call_is("epoll_wait")                 of a library, whatever underscores are before it
 *     asking_call_is("__x64_sys_epoll_wait")       the kernel's own: a program without libraries has it, too
 *     asking_call_is("futex_wait")                 false: of that the call alone does not tell
 */
#ifndef STACKS_ASKING_CALL_H
#define STACKS_ASKING_CALL_H

#include <stdbool.h>

bool asking_call_is(const char *function);

#endif
