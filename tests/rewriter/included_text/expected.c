#include <stdio.h>
#include <stdlib.h>
#define NAME narrow
#include "input_text.h"
#undef NAME
#define NAME wide
#define WIDE
#include "input_text.h"
#undef NAME
#include "input_part.c" /* functions of a .c file */

int other(int n);

int main(void)
{VPROF_FUNCTION(1)
    return __extension__({VPROF_FUNCTION(5) printf("%d %d %d %d\n", VPROF_RESTART(5, narrow(-1)), VPROF_RESTART(5, wide(-2)), VPROF_RESTART(5, part(-3)), VPROF_RESTART(5, other(-4)));}) < 0;
}
