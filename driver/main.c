#include <stdio.h>
#include <string.h>

#include "driver/cli/command.h"
#include "driver/cli/help.h"
#include "driver/cli/talk.h"

int main(int argc, char **argv)
{
    if (argc < 2) {
        help_print_commands(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("vprofiler " VPROFILER_VERSION " (trace format 1, vprofiler.variance/1)");
        return EXIT_DONE;
    }
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    const struct command *command = help ? &command_help : command_find(argv[1]);
    return command ? command->run(argc - 1, argv + 1) : EXIT_USAGE;
}
