/* tables.c: hook tables of an older object, which is shorter than the runtime's, and of a newer
 * one. The runtime fills in what both know, and writes nothing else. */
#define VPROF_TYPES_ONLY
#include <stddef.h>
#include <stdio.h>

#include "vprof_api.h"

enum { OLD = offsetof(struct vprof_hooks_1, mutex_clocklock) / sizeof(long) };
enum { ALL = sizeof(struct vprof_hooks_1) / sizeof(long), MORE = 8 };

__attribute__((used)) unsigned long old_table[ALL] = {OLD * sizeof(long)};
__attribute__((used)) unsigned long new_table[ALL + MORE] = {(ALL + MORE) * sizeof(long)};

#define NOTE(table)                                                                                \
    __asm__(".pushsection .note.vprof,\"a\",%note\n\t.balign 4\n\t.long 6,8,1\n\t"                 \
            ".asciz \"vprof\"\n\t.balign 4\n\t.quad " #table "-.\n\t.popsection")
NOTE(old_table);
NOTE(new_table);

int main(void)
{
    for (int i = 1; i < ALL; i++)
        if ((old_table[i] != 0) != (i < OLD) || !new_table[i])
            return printf("member %d: %lx %lx\n", i, old_table[i], new_table[i]) > 0;
    for (int i = ALL; i < ALL + MORE; i++)
        if (new_table[i])
            return printf("beyond: %d\n", i) > 0;
    return 0;
}
