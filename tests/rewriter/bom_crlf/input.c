#include <stdio.h>

int main(void)
{
    return puts("Grüße") <
           0;
}
