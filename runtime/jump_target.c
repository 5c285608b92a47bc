#include "runtime/jump_target.h"

#if defined(__x86_64__) && defined(__LP64__)

#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/frames.h"

#define STACK_WORD 6 /* of the buffer, in glibc and in musl */

static bool is_plain, is_mangled;

static uintptr_t stack_word(const void *env)
{
    uintptr_t word;
    memcpy(&word, (const char *)env + STACK_WORD * sizeof word, sizeof word);
    return word;
}

/* glibc unmangles the word like this, with a word of the thread's header. */
static uintptr_t unmangled(uintptr_t word)
{
    __asm__("ror $17, %0\n\txor %%fs:0x30, %0" : "+r"(word) : : "cc");
    return word;
}

/* The caller of setjmp() has its frame around there. */
static bool is_near(uintptr_t found, uintptr_t here)
{
    return here - found < FRAMES_NEAR_BYTES;
}

void jump_target_start_up(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    jmp_buf probe;
    if (setjmp(probe) != 0)
        return;
    is_plain = is_near(stack_word(probe), here);
    is_mangled = !is_plain && is_near(unmangled(stack_word(probe)), here);
}

uintptr_t jump_target(const void *env)
{
    if (is_mangled)
        return unmangled(stack_word(env));
    return is_plain ? stack_word(env) : 0;
}

#else

void jump_target_start_up(void)
{
}

uintptr_t jump_target(const void *env)
{
    (void)env;
    return 0;
}

#endif
