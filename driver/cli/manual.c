#include "driver/cli/manual.h"

#include <ctype.h>
#include <string.h>

#include "driver/cli/help.h"

/* A path, a name or an option must not be hyphenated. */
static bool is_name(const char *word, const char *end)
{
    for (; word < end && *word != ' '; word++)
        if (strchr("/_-", *word) || (*word == '.' && word + 1 < end && word[1] != ' '))
            return true;
    return false;
}

/* A dot or quote at the beginning of a line would be a request; a bare - would be a hyphen. */
static void print_escaped(const char *text, size_t length, FILE *out)
{
    for (const char *c = text; c < text + length; c++) {
        if (c == text && (*c == '.' || *c == '\''))
            fputs("\\&", out);
        if ((c == text || c[-1] == ' ') && is_name(c, text + length))
            fputs("\\%", out);
        if (*c == '\\')
            fputs("\\e", out);
        else if (*c == '-')
            fputs("\\-", out);
        else
            fputc(*c, out);
    }
}

static void print_text(const char *text, FILE *out)
{
    print_escaped(text, strlen(text), out);
}

static void print_title(const char *name, FILE *out)
{
    fputs(".TH \"VPROFILER", out);
    if (name)
        fputs("\\-", out);
    for (const char *c = name; c && *c; c++)
        fputc(toupper((unsigned char)*c), out);
    fputs("\" \"1\" \"\" \"vprofiler " VPROFILER_VERSION "\" \"vprofiler manual\"\n", out);
}

static void print_description(const char *text, FILE *out)
{
    const char *line;
    size_t length;
    bool verbatim = false;
    while ((line = help_next_line(&text, &length))) {
        if ((*line == ' ') != verbatim && length)
            fputs(verbatim ? ".EE\n" : ".PP\n.EX\n", out);
        verbatim = length ? *line == ' ' : verbatim;
        if (length == 0 && !verbatim)
            fputs(".PP", out);
        print_escaped(line, length, out);
        fputc('\n', out);
    }
    if (verbatim)
        fputs(".EE\n", out);
}

static void print_options(const struct option_spec *option, FILE *out)
{
    for (; option->name || option->argument; option++) {
        struct str help = {0};
        fputs(".TP\n", out);
        if (option->name) {
            fputs("\\fB\\-\\-", out);
            print_text(option->name, out);
            fputs("\\fR", out);
        }
        if (option->argument) {
            fputs(option->name ? " \\fI" : "\\fI", out);
            print_text(option->argument, out);
            fputs("\\fR", out);
        }
        help_append_option(option, &help);
        fputs("\n", out);
        print_text(help.data, out);
        fputs(".\n", out);
        str_release(&help);
    }
}

static void print_examples(const struct command *command, FILE *out)
{
    fputs(".SH EXAMPLES\n", out);
    for (int i = 0; i < 3; i++) {
        fputs(".TP\n\\fB", out);
        print_text(command->examples[i].line, out);
        fputs("\\fR\n", out);
        print_text(command->examples[i].what, out);
        fputs(".\n", out);
    }
}

static void print_command(const struct command *command, FILE *out)
{
    struct str usage = {0};
    help_append_usage(command, &usage);
    print_title(command->name, out);
    fprintf(out, ".SH NAME\nvprofiler\\-%s \\- ", command->name);
    print_text(command->summary, out);
    fputs("\n.SH SYNOPSIS\n\\fBvprofiler\\fR ", out);
    print_text(usage.data, out);
    fputs("\n.SH DESCRIPTION\n", out);
    print_description(command->description, out);
    fputs(".SH OPTIONS\n", out);
    print_options(command_arguments(command), out);
    print_options(command_options(command), out);
    print_options(command_common_options(), out);
    print_examples(command, out);
    fputs(".SH EXIT STATUS\n", out);
    print_text(help_status(command), out);
    fputs(".\n.SH SEE ALSO\n.BR vprofiler (1)\n", out);
    str_release(&usage);
}

static void print_overview(FILE *out)
{
    print_title(NULL, out);
    fputs(".SH NAME\nvprofiler \\- why the latency of requests varies\n"
          ".SH SYNOPSIS\n\\fBvprofiler\\fR \\fICOMMAND\\fR [options]\n.SH DESCRIPTION\n"
          "Instruments a copy of a program's source, builds and runs it, and says which functions\n"
          "make the latency of its requests vary. Begin with \\fBvprofiler demo\\fR.\n"
          ".SH COMMANDS\n",
          out);
    for (const struct command *const *command = command_list(); *command; command++) {
        fprintf(out, ".TP\n.BR vprofiler\\-%s (1)\n", (*command)->name);
        print_text((*command)->summary, out);
        fputs(".\n", out);
    }
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nprint without colours.\n"
          ".TP\n.B VPROFILER_JOBS\nhow many threads analyse a trace, up to 8, instead of one for\n"
          "each processor; the result is the same.\n"
          ".SH EXIT STATUS\n0 done, 1 the program or its build failed, 2 wrong use, 3 nothing to\n"
          "analyse, 130 interrupted.\n",
          out);
}

void manual_print(const struct command *command, FILE *out)
{
    if (command)
        print_command(command, out);
    else
        print_overview(out);
}
