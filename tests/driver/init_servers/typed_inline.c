#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[200];
    puts("ready");
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '#')
            continue;
        if (strcmp(line, "quit\n") == 0)
            break;
        unsigned sum = 0;
        for (char *at = line; *at; at++)
            sum += (unsigned char)*at;
        printf("%u %s", sum, line);
    }
    return 0;
}
