#include <stdlib.h>

int run(int n)
{
    return abs(n);
}
