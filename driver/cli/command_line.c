#include "driver/cli/command_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/similar.h"
#include "driver/cli/help.h"
#include "driver/cli/talk.h"

/* A reading is one command line on its way into the values. */
struct reading {
    const struct command *command;
    void *values;
    struct command_common common;
    const struct option_spec *next; /* the argument that the next word is for */
    bool next_given, ended;         /* ended: there was a -- */
    uint64_t given;                 /* a bit for each of the command's options */
    struct str fault;
};

/* The runtime in the user's program is told so too. */
static void share(void)
{
    file_let_others_read();
    setenv("VPROF_TRACE_SHARE", "1", 1);
}

/* ---- options ---- */

static const struct option_spec *find_option(const struct option_spec *options, const char *name,
                                             size_t length)
{
    for (; options->name; options++)
        if (strlen(options->name) == length && memcmp(options->name, name, length) == 0)
            return options;
    return NULL;
}

static void append_similar(const struct command *command, const char *name, struct str *fault)
{
    struct similar similar = {.wanted = name};
    for (const struct option_spec *option = command_options(command); option->name; option++)
        similar_offer(&similar, option->name);
    for (const struct option_spec *option = command_common_options(); option->name; option++)
        similar_offer(&similar, option->name);
    similar_append(&similar, "--", fault);
}

static bool unknown_option(struct reading *reading, const char *word)
{
    struct str name = {0};
    const char *begin = word + strspn(word, "-");
    str_append_bytes(&name, begin, strcspn(begin, "="));
    str_printf(&reading->fault, "there is no option '%.*s'.", (int)strcspn(word, "="), word);
    append_similar(reading->command, str_text(&name), &reading->fault);
    str_release(&name);
    return false;
}

static bool no_value(struct reading *reading, const struct option_spec *option, const char *next)
{
    str_printf(&reading->fault, "--%s wants a value: --%s %s, %s.", option->name, option->name,
               option->argument, option->help);
    if (next)
        str_printf(&reading->fault, " What follows is the option %s.", next);
    return false;
}

/* The words begin with an option; gives the number of words taken, 0 where it is wrong. */
static int read_option(struct reading *reading, char **words)
{
    const char *name = words[0] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct option_spec *options = command_options(reading->command);
    const struct option_spec *option = find_option(options, name, length);
    void *values = reading->values;
    if (option)
        reading->given |= UINT64_C(1) << (option - options);
    else {
        option = find_option(command_common_options(), name, length);
        values = &reading->common;
    }
    if (!option)
        return unknown_option(reading, words[0]);
    if (option->kind == OPTION_FLAG) {
        if (equals)
            str_printf(&reading->fault, "--%s takes no value: write it alone, or leave it out.",
                       option->name);
        return !equals && option_take(option, "", values, &reading->fault);
    }
    if (equals)
        return option_take(option, equals + 1, values, &reading->fault);
    if (!words[1] || str_starts_with(words[1], "--"))
        return no_value(reading, option, words[1]);
    return option_take(option, words[1], values, &reading->fault) ? 2 : 0;
}

/* ---- words ---- */

static bool one_too_many(struct reading *reading, const char *word)
{
    struct str *fault = &reading->fault;
    if (reading->next->argument) /* only a command after -- is left */
        str_printf(fault, "'%s' is not an option; a command to run goes after --.", word);
    else {
        str_printf(fault, "'%s' is one word too many. Usage: vprofiler ", word);
        help_append_usage(reading->command, fault);
    }
    append_similar(reading->command, word, fault);
    return false;
}

static bool read_word(struct reading *reading, const char *word)
{
    const struct option_spec *next = reading->next;
    if (!next->argument || next->kind == OPTION_COMMAND)
        return one_too_many(reading, word);
    if (!option_take(next, word, reading->values, &reading->fault))
        return false;
    reading->next_given = true;
    if (!next->repeatable) {
        reading->next++;
        reading->next_given = false;
    }
    return true;
}

/* A command needs not have the arguments that stand before it, if none of them must be there. */
static const struct option_spec *command_behind(const struct option_spec *next)
{
    while (next->argument && next->kind != OPTION_COMMAND && !next->needed)
        next++;
    return next->argument && next->kind == OPTION_COMMAND ? next : NULL;
}

/* The words begin with what stands behind a --; gives the number of words taken. */
static int read_rest(struct reading *reading, char **words)
{
    const struct option_spec *command = command_behind(reading->next);
    reading->ended = true;
    if (command)
        reading->next = command;
    if (reading->next->argument && reading->next->kind != OPTION_COMMAND)
        return 0;
    int count = 0;
    while (words[count])
        count++;
    reading->next_given |= count > 0;
    if (count && reading->next->argument)
        *(char *const **)((char *)reading->values + reading->next->offset) = words;
    return reading->next->argument ? count : 0;
}

/* ---- the whole ---- */

static bool read_words(struct reading *reading, char **words)
{
    while (*words && !reading->common.help) {
        const char *word = *words;
        int taken;
        if (!reading->ended && strcmp(word, "--") == 0)
            taken = 1 + read_rest(reading, words + 1);
        else if (!reading->ended && strcmp(word, "-h") == 0)
            taken = reading->common.help = true;
        else if (!reading->ended && str_starts_with(word, "--"))
            taken = read_option(reading, words);
        else if (!reading->ended && word[0] == '-' && word[1])
            taken = unknown_option(reading, word);
        else
            taken = read_word(reading, word);
        if (!taken)
            return false;
        words += taken;
    }
    return true;
}

static bool missing(struct reading *reading, const struct option_spec *option)
{
    option_append_name(option, &reading->fault);
    if (option->name)
        str_printf(&reading->fault, " %s", option->argument);
    str_printf(&reading->fault, " is missing: %s. For example: %s", option->help,
               reading->command->examples[0].line);
    return false;
}

static bool was_given(const struct reading *reading, const char *name)
{
    const struct option_spec *options = command_options(reading->command);
    const struct option_spec *option = name ? find_option(options, name, strlen(name)) : NULL;
    return option && reading->given >> (option - options) & 1;
}

static bool finish(struct reading *reading)
{
    const struct option_spec *options = command_options(reading->command);
    for (unsigned i = 0; options[i].name; i++) {
        if (reading->given >> i & 1)
            continue;
        option_set_usual(&options[i], reading->values);
        if (options[i].needed && !was_given(reading, options[i].unless))
            return missing(reading, &options[i]);
    }
    const struct option_spec *next = reading->next;
    bool empty = reading->ended && next->argument && next->kind == OPTION_COMMAND;
    return (!next->needed && !empty) || reading->next_given || missing(reading, next);
}

static void set_zero(const struct option_spec *option, void *values)
{
    struct option_spec bare = *option;
    bare.usual = NULL;
    option_set_usual(&bare, values);
}

bool command_take(const struct command *command, int argc, char **argv, void *values, int *code)
{
    struct reading reading = {
        .command = command, .values = values, .next = command_arguments(command)};
    (void)argc;
    for (const struct option_spec *option = command_options(command); option->name; option++)
        set_zero(option, values);
    for (const struct option_spec *option = reading.next; option->argument; option++)
        option_set_usual(option, values);
    bool ok = read_words(&reading, argv + 1) && (reading.common.help || finish(&reading));
    *code = ok ? EXIT_DONE : talk_usage(command->name, "%s", str_text(&reading.fault));
    str_release(&reading.fault);
    talk_set_quiet(reading.common.quiet);
    if (reading.common.share)
        share();
    if (ok && reading.common.help)
        help_print(command, stdout);
    return ok && !reading.common.help;
}

void command_set_usual(const struct command *command, void *values)
{
    for (const struct option_spec *option = command_options(command); option->name; option++)
        option_set_usual(option, values);
    for (const struct option_spec *option = command_arguments(command); option->argument; option++)
        option_set_usual(option, values);
}
