/* jump_target.h - how far up its stack a longjmp goes.
 *
 *     jump_target_start_up();
 *     uintptr_t to = jump_target(env);     where the stack ends after it; 0: not known
 *
 * The content of a jump buffer is libc's own. It is read only where a setjmp() of ours has shown,
 * when the process began, that it holds what this file takes it to hold. Signal-safe.
 */
#ifndef RUNTIME_JUMP_TARGET_H
#define RUNTIME_JUMP_TARGET_H

#include <stdint.h>

void jump_target_start_up(void);
uintptr_t jump_target(const void *env);

#endif
