#include "driver/cli/command.h"

#include <stddef.h>
#include <string.h>

#include "base/similar.h"
#include "driver/cli/talk.h"

enum { COMMANDS_MOST = 64 };

/* clang-format off */
static const struct command *commands[COMMANDS_MOST + 1] = {
    &command_demo,
    &command_doctor,
    &command_init,
    &command_iterate,
    &command_record,
    &command_analyze,
    &command_causal,
    &command_report,
    &command_show,
    &command_waits,
    &command_stacks,
    &command_compare,
    &command_merge,
    &command_export,
    &command_clean,
    &command_rewrite,
    &command_dump,
    &command_help,
    &command_completion,
};
/* clang-format on */

static const struct option_spec common[] = {
    FLAG("quiet", offsetof(struct command_common, quiet), "say nothing but the result"),
    FLAG("share", offsetof(struct command_common, share),
         "what is written may be read by other users, as the umask says; otherwise by you alone"),
    FLAG("help", offsetof(struct command_common, help), "print this help"),
    {0},
};

static const struct option_spec none[] = {{0}};

const struct option_spec *command_options(const struct command *command)
{
    return command->options ? command->options : none;
}

const struct option_spec *command_arguments(const struct command *command)
{
    return command->arguments ? command->arguments : none;
}

const struct option_spec *command_common_options(void)
{
    return common;
}

void command_add(const struct command *const *more)
{
    size_t count = 0;
    while (commands[count])
        count++;
    for (; more && *more && count < COMMANDS_MOST; more++)
        commands[count++] = *more;
}

const struct command *const *command_list(void)
{
    return commands;
}

const struct command *command_find(const char *name)
{
    struct similar similar = {.wanted = name};
    struct str hint = {0};
    for (const struct command *const *command = commands; *command; command++) {
        if (strcmp((*command)->name, name) == 0)
            return *command;
        similar_offer(&similar, (*command)->name);
    }
    similar_append(&similar, "", &hint);
    talk_print(stderr, "vprofiler: there is no command '%s'.%s\nTry: vprofiler help\n", name,
               str_text(&hint));
    str_release(&hint);
    return NULL;
}
