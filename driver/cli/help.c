#include "driver/cli/help.h"

#include <string.h>

enum { COLUMNS = 80, OPTION_COLUMN = 28 };

const char *help_status(const struct command *command)
{
    return command->status ? command->status
                           : "0 done, 1 the program or its build failed, 2 wrong use, 3 nothing to "
                             "analyse";
}

void help_append_usage(const struct command *command, struct str *text)
{
    str_append(text, command->name);
    for (const struct option_spec *option = command_options(command); option->name; option++)
        if (option->needed)
            str_printf(text, " --%s %s", option->name, option->argument);
    str_append(text, " [options]");
    for (const struct option_spec *word = command_arguments(command); word->argument; word++) {
        bool rest = word->kind == OPTION_COMMAND;
        str_printf(text, " %s%s%s%s%s", word->needed ? "" : "[", rest ? "-- " : "", word->argument,
                   word->repeatable ? "..." : "", word->needed ? "" : "]");
    }
}

void help_append_option(const struct option_spec *option, struct str *text)
{
    str_append(text, option->help);
    for (const char *const *choice = option->choices; choice && *choice; choice++)
        str_printf(text, "%s%s", choice == option->choices ? ": " : ", ", *choice);
    if (option->kind == OPTION_PROCESSORS)
        str_append(text, " (number of processors)");
    else if (option->usual)
        str_printf(text, " (%s)", option->usual);
    if (option->repeatable && option->name)
        str_append(text, "; may be given again");
}

const char *help_next_line(const char **text, size_t *length)
{
    const char *line = *text;
    if (!line || !*line)
        return NULL;
    *length = strcspn(line, "\n");
    *text = line + *length + (line[*length] == '\n');
    return line;
}

/* Prints words from column `at` on, broken before the last column; the cursor is at `at`
 * already. */
static void print_wrapped(const char *text, size_t length, unsigned at, FILE *out)
{
    unsigned column = at;
    const char *end = text + length;
    while (text < end) {
        size_t word = 0;
        while (text + word < end && text[word] != ' ')
            word++;
        if (column > at && column + 1 + word > COLUMNS) {
            fprintf(out, "\n%*s", (int)at, "");
            column = at;
        }
        column += (unsigned)fprintf(out, "%s%.*s", column > at ? " " : "", (int)word, text);
        text += word + strspn(text + word, " ");
    }
    fputc('\n', out);
}

static void print_description(const struct command *command, FILE *out)
{
    const char *text = command->description, *line;
    size_t length;
    while ((line = help_next_line(&text, &length)))
        if (*line == ' ')
            fprintf(out, "%.*s\n", (int)length, line);
        else
            print_wrapped(line, length, 0, out);
}

static void print_options(const struct option_spec *option, FILE *out)
{
    for (; option->name || option->argument; option++) {
        struct str left = {0}, right = {0};
        str_append(&left, "  ");
        option_append_name(option, &left);
        if (option->name && option->argument)
            str_printf(&left, " %s", option->argument);
        fputs(left.data, out);
        if (left.length + 2 > OPTION_COLUMN)
            fprintf(out, "\n%*s", OPTION_COLUMN, "");
        else
            fprintf(out, "%*s", (int)(OPTION_COLUMN - left.length), "");
        help_append_option(option, &right);
        print_wrapped(right.data, right.length, OPTION_COLUMN, out);
        str_release(&left);
        str_release(&right);
    }
}

static void print_examples(const struct command *command, FILE *out)
{
    fputs("\nexamples:\n", out);
    for (int i = 0; i < 3; i++)
        fprintf(out, "  %s\n      %s\n", command->examples[i].line, command->examples[i].what);
}

void help_print(const struct command *command, FILE *out)
{
    struct str usage = {0};
    help_append_usage(command, &usage);
    fprintf(out, "usage: vprofiler %s\n\n", usage.data);
    print_description(command, out);
    fputc('\n', out);
    if (command_arguments(command)->argument) {
        print_options(command_arguments(command), out);
        fputc('\n', out);
    }
    print_options(command_options(command), out);
    print_options(command_common_options(), out);
    print_examples(command, out);
    fputs("\nexit status: ", out);
    print_wrapped(help_status(command), strlen(help_status(command)), 13, out);
    str_release(&usage);
}

void help_print_commands(FILE *out)
{
    fputs("vprofiler says why the latency of your requests varies.\n\n"
          "usage: vprofiler COMMAND [options]\n\n",
          out);
    for (const struct command *const *command = command_list(); *command; command++)
        fprintf(out, "  %-11s %s\n", (*command)->name, (*command)->summary);
    fputs("\nvprofiler COMMAND --help tells more; vprofiler --version.\n", out);
}
