/* option.h - one option or argument of a command, as plain data.
 *
 *     OPTION("k", WHOLE, offsetof(struct values, k), "N", "3", "factors selected", .most = 1000),
 *     FLAG("json", offsetof(struct values, json), "print report.json on stdout"),
 *     ARGUMENT(FOLDER, offsetof(struct values, trace), "TRACE", "a trace", .needed = true),
 *
 * It serves to read the command line (command.h), for --help, the man page and the completions.
 * `offset` says where the value is in the command's own struct, the kind its type. `usual`
 * is read like a value that was given. Texts point into argv and live as long as the process.
 */
#ifndef DRIVER_CLI_OPTION_H
#define DRIVER_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum option_kind {
    OPTION_FLAG,       /* bool; takes no argument */
    OPTION_TEXT,       /* const char *; NULL where it was not given */
    OPTION_FILE,       /* as TEXT */
    OPTION_FOLDER,     /* as TEXT */
    OPTION_CHOICE,     /* as TEXT: one of `choices` */
    OPTION_WHOLE,      /* unsigned: 1 to `most` */
    OPTION_PROCESSORS, /* as WHOLE; usually the number of processors */
    OPTION_FRACTION,   /* double: between 0 and 1 */
    OPTION_DURATION,   /* double: seconds, from 90s, 10m, 2h */
    OPTION_COMMAND     /* char *const *: the words after --, or NULL */
};

struct option_spec {
    const char *name; /* of an option; NULL for an argument that stands by its place */
    enum option_kind kind;
    size_t offset;
    const char *argument; /* "FILE" */
    const char *usual;    /* NULL: none */
    const char *help;     /* one sentence, no full stop */
    unsigned long most;
    const char *const *choices; /* ends with NULL */
    bool needed;
    const char *unless; /* a flag that takes the need away */
    bool repeatable;    /* a text; const char *const * that ends with NULL, or NULL */
};

#define OPTION(name_, kind_, offset_, argument_, usual_, help_, ...)                               \
    {                                                                                              \
        .name = name_, .kind = OPTION_##kind_, .offset = offset_, .argument = argument_,           \
        .usual = usual_, .help = help_, __VA_ARGS__                                                \
    }
#define FLAG(name_, offset_, help_)                                                                \
    {                                                                                              \
        .name = name_, .kind = OPTION_FLAG, .offset = offset_, .help = help_                       \
    }
#define ARGUMENT(kind_, offset_, argument_, help_, ...)                                            \
    {                                                                                              \
        .kind = OPTION_##kind_, .offset = offset_, .argument = argument_, .help = help_,           \
        __VA_ARGS__                                                                                \
    }

/* Puts the value into `values`; false with one sentence in `fault` where the text is none. */
bool option_take(const struct option_spec *option, const char *text, void *values,
                 struct str *fault);
/* Puts the usual value, or zero, into `values`. */
void option_set_usual(const struct option_spec *option, void *values);
/* An option is zero where nothing was given and there is no usual value. */
bool option_is_zero(const struct option_spec *option, const void *values);
/* Counts the texts that a repeatable option was given. */
uint32_t option_count(const char *const *texts);
/* A message calls the option "--k", an argument "TRACE_DIR". */
void option_append_name(const struct option_spec *option, struct str *text);

#endif
