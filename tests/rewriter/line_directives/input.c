/* What a generator made: its lines belong to another file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#line 40 "grammar.y"
static int reduce(int n)
{
    return printf("%s:%d\n", __FILE__, __LINE__) + abs(n);
}

static int shift(int n) { return reduce(n) + __LINE__; }
# 12 "scanner.l"
int main(void)
{
    printf("%d %d\n", shift(-1), __LINE__);
    return strcmp(__FILE__, "scanner.l");
}
