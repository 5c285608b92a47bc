/* code_tool.c - prints where code lies: code_tool PROGRAM line FILE FROM UNTIL | function NAME
 *
 * A line of output is "FROM UNTIL", in hexadecimal digits; of a function, "entry FROM" too. Else it is what was found, and
 * why: "no-code the nearest lines ...". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/function_code.h"
#include "symbol/line_code.h"
#include "symbol/program_file.h"

static void print(const struct code_pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++)
        printf("%llx %llx\n", (unsigned long long)pieces->items[i].from,
               (unsigned long long)pieces->items[i].until);
}

static void print_line(struct program_file *file, char **argv)
{
    static const char *const outcomes[] = {"no-units", "no-file", "no-code", "found", "ambiguous"};
    struct source_lines lines = {argv[0], (uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2])};
    struct code_pieces pieces = {0};
    struct str why = {0};
    enum line_outcome outcome = line_code_find(file, &lines, &pieces, &why);
    if (outcome != LINE_FOUND)
        printf("%s %s\n", outcomes[outcome], str_text(&why));
    else
        print(&pieces);
    code_pieces_release(&pieces);
    str_release(&why);
}

static void print_function(struct program_file *file, const char *name)
{
    struct function_code code = {0};
    function_code_find(file, name, &code);
    print(&code.pieces);
    for (size_t i = 0; i < code.entries.count; i++)
        printf("entry %llx\n", (unsigned long long)code.entries.items[i].from);
    function_code_release(&code);
}

int main(int argc, char **argv)
{
    struct program_file *file = argc > 3 ? program_file_open(argv[1]) : NULL;
    if (!file)
        printf("no-program\n");
    else if (strcmp(argv[2], "line") == 0 && argc == 6)
        print_line(file, argv + 3);
    else
        print_function(file, argv[3]);
    program_file_close(file);
    return 0;
}
