#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void answer(char *line)
{
    unsigned sum = 0;
    for (char *at = line; *at; at++)
        sum += (unsigned char)*at;
    if (strncmp(line, "sum", 3) == 0)
        printf("sum %u\n", sum);
    else
        printf("unknown\n");
}
int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        answer(line);
        fflush(stdout);
    }
    free(line);
    return 0;
}
