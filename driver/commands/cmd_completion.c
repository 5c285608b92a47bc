#include <string.h>

#include "driver/cli/command_line.h"
#include "driver/cli/help.h"
#include "driver/cli/talk.h"

struct completion_values {
    const char *shell;
};

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static const struct option_spec arguments[] = {
    ARGUMENT(CHOICE, offsetof(struct completion_values, shell), "SHELL", "which one",
             .choices = shells, .needed = true),
    {0},
};

/* ---- what the three have in common ---- */

static void print_choices(const struct option_spec *option, FILE *out)
{
    for (const char *const *choice = option->choices; choice && *choice; choice++)
        fprintf(out, "%s%s", choice == option->choices ? "" : " ", *choice);
}

static void print_commands(FILE *out)
{
    for (const struct command *const *command = command_list(); *command; command++)
        fprintf(out, "%s ", (*command)->name);
}

/* Prints in single quotes, with a \ before each of `special` and an apostrophe as the shell wants
 * it. */
static void print_quoted(const char *text, const char *special, const char *apostrophe, FILE *out)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs(apostrophe, out);
        else
            fprintf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
}

static bool is_command_name(const struct command *command, const struct option_spec *argument)
{
    return command == &command_help && argument->argument && !argument->name;
}

/* ---- bash ---- */

/* Prints the lines that complete one value of this kind; nothing where nothing is known of it. */
static void print_bash_value(const struct command *command, const struct option_spec *option,
                             FILE *out)
{
    bool choice = option->kind == OPTION_CHOICE;
    if (is_command_name(command, option) || choice) {
        fputs(" words='", out);
        if (choice)
            print_choices(option, out);
        else
            print_commands(out);
        fputs("'", out);
    } else if (option->kind == OPTION_FILE || option->kind == OPTION_COMMAND) {
        fputs(" files=-f", out);
    } else if (option->kind == OPTION_FOLDER) {
        fputs(" files=-d", out);
    }
    fputs(" ;;\n", out);
}

static void print_bash_options(const struct option_spec *option, FILE *out)
{
    for (; option->name; option++)
        fprintf(out, " --%s", option->name);
}

static void print_bash_command(const struct command *command, FILE *out)
{
    const struct option_spec *option = command_options(command);
    for (; option->name; option++)
        if (option->kind != OPTION_FLAG) {
            fprintf(out, "    '%s --%s')", command->name, option->name);
            print_bash_value(command, option, out);
        }
    fprintf(out, "    '%s '*)\n        case $current in\n        -*) words='", command->name);
    print_bash_options(command_options(command), out);
    print_bash_options(command_common_options(), out);
    fputs("' ;;\n        *)", out);
    print_bash_value(command, command_arguments(command), out);
    fputs("        esac ;;\n", out);
}

static void print_bash(FILE *out)
{
    fputs(
        "# vprofiler for bash; made by vprofiler completion bash\n"
        "_vprofiler()\n{\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "    local words= files=\n"
        "    if [[ $current == = ]]; then\n        current=\n"
        "    elif [[ $before == = ]]; then\n        before=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
        "    [[ $COMP_CWORD == 1 ]] && before=\n"
        "    case \"$([[ $COMP_CWORD == 1 ]] || echo \"${COMP_WORDS[1]}\") $before\" in\n"
        "    ' ') words='",
        out);
    print_commands(out);
    fputs("--help --version' ;;\n", out);
    for (const struct command *const *command = command_list(); *command; command++)
        print_bash_command(*command, out);
    fputs("    esac\n"
          "    [[ $files ]] && compopt -o filenames 2>/dev/null\n"
          "    mapfile -t COMPREPLY < <(\n"
          "        [[ $words ]] && compgen -W \"$words\" -- \"$current\"\n"
          "        [[ $files ]] && compgen $files -- \"$current\")\n"
          "}\n"
          "complete -F _vprofiler vprofiler\n",
          out);
}

/* ---- zsh ---- */

static void print_zsh_value(const struct command *command, const struct option_spec *option,
                            FILE *out)
{
    fputc(':', out);
    print_quoted(option->argument, ":", "", out);
    if (is_command_name(command, option) || option->kind == OPTION_CHOICE) {
        fputs(":(", out);
        if (option->kind == OPTION_CHOICE)
            print_choices(option, out);
        else
            print_commands(out);
        fputc(')', out);
    } else if (option->kind == OPTION_FILE) {
        fputs(":_files", out);
    } else if (option->kind == OPTION_FOLDER) {
        fputs(":_files -/", out);
    } else if (option->kind == OPTION_COMMAND) {
        fputs(":_normal", out);
    } else {
        fputs(": ", out);
    }
}

static void print_zsh_options(const struct command *command, const struct option_spec *option,
                              FILE *out)
{
    for (; option->name; option++) {
        bool flag = option->kind == OPTION_FLAG;
        fprintf(out, " \\\n            '%s--%s%s[", option->repeatable ? "*" : "", option->name,
                flag ? "" : "=");
        print_quoted(option->help, "[]:", "'\\''", out);
        fputc(']', out);
        if (!flag)
            print_zsh_value(command, option, out);
        fputc('\'', out);
    }
}

static void print_zsh_command(const struct command *command, FILE *out)
{
    fprintf(out, "    %s)\n        _arguments", command->name);
    print_zsh_options(command, command_options(command), out);
    print_zsh_options(command, command_common_options(), out);
    for (const struct option_spec *word = command_arguments(command); word->argument; word++) {
        if (word->kind == OPTION_COMMAND)
            fputs(" \\\n            '*:", out);
        else if (word->repeatable)
            fputs(" \\\n            '*", out);
        else
            fprintf(out, " \\\n            '%d%s", (int)(word - command_arguments(command)) + 1,
                    word->needed ? "" : ":");
        print_zsh_value(command, word, out);
        fputc('\'', out);
    }
    fputs(" ;;\n", out);
}

static void print_zsh(FILE *out)
{
    fputs("#compdef vprofiler\n# made by vprofiler completion zsh\n"
          "_vprofiler()\n{\n    local -a commands\n    commands=(",
          out);
    for (const struct command *const *command = command_list(); *command; command++) {
        fprintf(out, "\n        '%s:", (*command)->name);
        print_quoted((*command)->summary, ":", "'\\''", out);
        fputc('\'', out);
    }
    fputs(")\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n"
          "    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
          "    case $command in\n",
          out);
    for (const struct command *const *command = command_list(); *command; command++)
        print_zsh_command(*command, out);
    /* The file serves to be sourced and, in a folder of fpath, to be the function itself. */
    fputs("    esac\n}\n"
          "if [[ $funcstack[1] == _vprofiler ]]; then\n    _vprofiler \"$@\"\n"
          "else\n    compdef _vprofiler vprofiler\nfi\n",
          out);
}

/* ---- fish ---- */

static void print_fish_value(const struct command *command, const struct option_spec *option,
                             FILE *out)
{
    if (is_command_name(command, option) || option->kind == OPTION_CHOICE) {
        fputs(" -x -a '", out);
        if (option->kind == OPTION_CHOICE)
            print_choices(option, out);
        else
            print_commands(out);
        fputc('\'', out);
    } else if (option->kind == OPTION_FOLDER) {
        fputs(" -x -a '(__fish_complete_directories)'", out);
    } else if (option->kind == OPTION_FILE || option->kind == OPTION_COMMAND) {
        fputs(option->name ? " -r -F" : " -F", out);
    } else if (option->kind != OPTION_FLAG) {
        fputs(" -x", out);
    }
}

static void print_fish_options(const struct command *command, const struct option_spec *option,
                               FILE *out)
{
    for (; option->name || option->argument; option++) {
        fprintf(out, "complete -c vprofiler -n '__fish_seen_subcommand_from %s'", command->name);
        if (option->name)
            fprintf(out, " -l %s", option->name);
        print_fish_value(command, option, out);
        fputs(" -d '", out);
        print_quoted(option->help, "\\", "\\'", out);
        fputs("'\n", out);
    }
}

static void print_fish(FILE *out)
{
    fputs("# vprofiler for fish; made by vprofiler completion fish\ncomplete -c vprofiler -f\n",
          out);
    for (const struct command *const *command = command_list(); *command; command++) {
        fprintf(out, "complete -c vprofiler -n __fish_use_subcommand -a %s -d '", (*command)->name);
        print_quoted((*command)->summary, "\\", "\\'", out);
        fputs("'\n", out);
        print_fish_options(*command, command_options(*command), out);
        print_fish_options(*command, command_common_options(), out);
        print_fish_options(*command, command_arguments(*command), out);
    }
}

static int run(int argc, char **argv)
{
    struct completion_values values;
    int code;
    if (!command_take(&command_completion, argc, argv, &values, &code))
        return code;
    if (values.shell == shells[0])
        print_bash(stdout);
    else if (values.shell == shells[1])
        print_zsh(stdout);
    else
        print_fish(stdout);
    return EXIT_DONE;
}

const struct command command_completion = {
    .name = "completion",
    .run = run,
    .summary = "print what makes your shell complete commands and options",
    .description = "Prints completions for a shell. An installed vprofiler brings them along.\n",
    .arguments = arguments,
    .examples = {{". <(vprofiler completion bash)", "now, in this bash"},
                 {"vprofiler completion zsh > ~/.zfunc/_vprofiler", "in a folder of your fpath"},
                 {"vprofiler completion fish > ~/.config/fish/completions/vprofiler.fish",
                  "for every new fish"}},
    .status = "0 done, 2 wrong use",
};
