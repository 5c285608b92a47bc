/* Prints the code of lines of an object, or of a function: line_code_tool OBJECT FILE FROM UNTIL | OBJECT FUNCTION */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbol/line_code.h"

int main(int argc, char **argv)
{
    struct line_code code = {0};
    if (argc == 3)
        line_code_add_function(&code, argv[1], argv[2]);
    else if (argc == 5)
        line_code_add(
            &code, argv[1],
            &(struct line_place){argv[2], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4])});
    else
        return 2;
    for (size_t i = 0; i < code.count; i++)
        printf("%" PRIx64 " %" PRIx64 "\n", code.ranges[i].from, code.ranges[i].until);
    fprintf(stderr, "%d %zu %u %u\n", code.has_lines, code.file_count, code.before, code.after);
    line_code_release(&code);
    return 0;
}
