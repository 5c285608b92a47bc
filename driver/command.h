/* command.h - the table of vprofiler's commands; one cmd_<name>.c for each.
 *
 * A command gets its own arguments, argv[0] being its name, and returns the program's exit code.
 */
#ifndef DRIVER_COMMAND_H
#define DRIVER_COMMAND_H

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary; /* one line */
};

int cmd_iterate(int argc, char **argv);
int cmd_rewrite(int argc, char **argv);
int cmd_demo(int argc, char **argv);
int cmd_analyze(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_dump(int argc, char **argv);

#endif
