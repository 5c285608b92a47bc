#include <stdio.h>
#include <string.h>

#include "driver/cli/command.h"
#include "driver/cli/help.h"
#include "driver/cli/talk.h"
#include "driver/family.h"

static void print_version(void)
{
    fputs("vprofiler " VPROFILER_VERSION " (trace format 1", stdout);
    for (size_t f = 0; families[f]; f++)
        printf(", %s", families[f]->told->schema);
    puts(")");
}

int main(int argc, char **argv)
{
    for (size_t f = 0; families[f]; f++)
        command_add(families[f]->commands);
    if (argc < 2) {
        help_print_commands(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        print_version();
        return EXIT_DONE;
    }
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    const struct command *command = help ? &command_help : command_find(argv[1]);
    return command ? command->run(argc - 1, argv + 1) : EXIT_USAGE;
}
