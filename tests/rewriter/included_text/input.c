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
{
    return printf("%d %d %d %d\n", narrow(-1), wide(-2), part(-3), other(-4)) < 0;
}
