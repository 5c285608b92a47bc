#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HERE() here(__LINE__)

static int here(int line)
{
    return printf("line %d\n", line);
}

int main(void)
{
    here(__LINE__);
    HERE(); printf("%d %d\n", __LINE__,
                   abs(__LINE__)); here(__LINE__);
    printf("%s %d %d\n", /* a comment, with a ( */
           "text ) with a bracket",
           abs(
               -1), // a comment at the end
           __LINE__ /* another */ // and one
    );
    return strcmp(&__FILE__[strlen(__FILE__) - 7], "input.c");
}
