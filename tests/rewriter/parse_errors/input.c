#include "there_is_no_such_header.h"
#include <stdio.h>

static int good(void)
{
    return puts("good");
}

unknown_type bad(int n)
{
    return puts("bad") + undeclared(n);
}

int main(void)
{
    return good();
}
