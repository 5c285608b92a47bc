#include <stdio.h>
#include "input.h"

int main(void)
{
    return printf("%d %d %d %d\n", half(9), third(9), quarter(9), other(9)) < 0;
}
